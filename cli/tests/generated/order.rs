// Generated from order.json by `kiln gen`; edit that, not this.

/// purchase order
///
/// What a customer wants, and where it goes.
///
/// indented text is no code, and \<b\> is no \[link\]
#[allow(clippy::pub_underscore_fields)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct PurchaseOrder {
    /// Counted from 1.
    pub id: u64,
    /// Default: 1
    pub r#type: u8,
    #[kiln(name = "self")]
    pub self_: bool,
    /// A name
    ///
    /// that Rust has not
    #[kiln(name = "kebab-case")]
    pub kebab_case: String,
    #[kiln(name = "camelCase")]
    pub camel_case: String,
    #[kiln(name = "HTTPServer2")]
    pub http_server2: String,
    /// Deprecated.
    #[kiln(name = "camel_case")]
    pub camel_case_2: Option<String>,
    #[kiln(name = "2nd")]
    pub _2nd: Option<kiln::half::f16>,
    #[kiln(name = "größe")]
    pub gr_e: Option<f64>,
    pub _private: i8,
    #[kiln(name = "quote\"d")]
    pub quote_d: bool,
    pub customer: PurchaseOrderCustomer,
    pub lines: Vec<PurchaseOrderLinesItem>,
    pub notes: std::collections::BTreeMap<String, Vec<String>>,
    pub stock: std::collections::BTreeMap<String, PurchaseOrderStockValue>,
    #[kiln(bytes)]
    pub digest: Vec<u8>,
    pub keys: Vec<kiln::ByteBuf>,
    #[kiln(name = "String")]
    pub string: PurchaseOrderString,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct PurchaseOrderCustomer {
    pub name: String,
    pub address: PostalAddress,
    /// Where the bill goes, if elsewhere.
    pub billing: Option<PostalAddress>,
}

/// A place.
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct PostalAddress {
    pub street: String,
    pub zip: String,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct PurchaseOrderLinesItem {
    pub sku: String,
    pub price: i32,
    #[kiln(bytes)]
    pub photo: Option<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct PurchaseOrderStockValue {
    pub count: u32,
    pub weights: Vec<kiln::half::bf16>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct PurchaseOrderString {
    pub ok: bool,
}

const _: () = match kiln::schema_hash::<PurchaseOrder>() {
    0x20fc_2191_d2de_8c52 => {}
    _ => panic!("the type is not the one of the schema"),
};
