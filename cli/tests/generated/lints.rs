// Generated from lints.json by `kiln gen`; edit that, not this.

/// lints
#[allow(clippy::type_complexity)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Lints {
    pub three: LintsThree,
    pub four: LintsFour,
    pub optional: Option<LintsOptional>,
    pub order: Option<LintsOrder>,
    pub prefix: Option<LintsPrefix>,
    pub suffix: Option<LintsSuffix>,
    pub words: Option<LintsWords>,
    pub raw: Option<LintsRaw>,
    pub underscore: Option<LintsUnderscore>,
    pub one: Option<LintsOne>,
    pub two: Option<LintsTwo>,
    pub camel: Option<LintsCamel>,
    pub empty: Option<LintsEmpty>,
    pub deep6: Option<Vec<Vec<Vec<Vec<bool>>>>>,
    pub deep7: Option<Vec<Vec<Vec<Vec<Vec<bool>>>>>>,
    pub deep8: Option<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<bool>>>>>>>>>,
    pub deep32: Option<
        Vec<
            Vec<
                Vec<
                    Vec<
                        Vec<
                            Vec<
                                Vec<
                                    Vec<
                                        Vec<
                                            Vec<
                                                Vec<
                                                    Vec<
                                                        Vec<
                                                            Vec<
                                                                Vec<
                                                                    Vec<
                                                                        Vec<
                                                                            Vec<
                                                                                Vec<
                                                                                    Vec<
                                                                                        Vec<
                                                                                            Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<bool>>>>>>>>>>>,
                                                                                        >,
                                                                                    >,
                                                                                >,
                                                                            >,
                                                                        >,
                                                                    >,
                                                                >,
                                                            >,
                                                        >,
                                                    >,
                                                >,
                                            >,
                                        >,
                                    >,
                                >,
                            >,
                        >,
                    >,
                >,
            >,
        >,
    >,
    pub maps2: Option<
        std::collections::BTreeMap<String, std::collections::BTreeMap<String, bool>>,
    >,
    pub maps3: Option<
        std::collections::BTreeMap<
            String,
            std::collections::BTreeMap<String, std::collections::BTreeMap<String, bool>>,
        >,
    >,
    pub maps4: Option<
        std::collections::BTreeMap<
            String,
            std::collections::BTreeMap<
                String,
                std::collections::BTreeMap<
                    String,
                    std::collections::BTreeMap<String, bool>,
                >,
            >,
        >,
    >,
    pub mixed: Option<
        std::collections::BTreeMap<
            String,
            std::collections::BTreeMap<String, Vec<Vec<Vec<bool>>>>,
        >,
    >,
    pub mixed3: Option<
        std::collections::BTreeMap<
            String,
            std::collections::BTreeMap<
                String,
                std::collections::BTreeMap<String, Vec<Vec<kiln::ByteBuf>>>,
            >,
        >,
    >,
    #[kiln(bytes)]
    pub bytes: Option<Vec<u8>>,
    pub half: Option<Vec<kiln::half::bf16>>,
    #[kiln(name = "HTTP")]
    pub http: Option<LintsHTTP>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsThree {
    pub a: bool,
    pub b: bool,
    pub c: bool,
}

#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsFour {
    pub a: bool,
    pub b: bool,
    pub c: bool,
    pub d: bool,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsOptional {
    pub a: Option<bool>,
    pub b: Option<bool>,
    pub c: Option<bool>,
    pub d: Option<bool>,
    pub e: Option<bool>,
    pub f: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsOrder {
    pub order: Option<String>,
    pub order_id: Option<String>,
    pub order_no: Option<String>,
    pub x: Option<String>,
}

#[allow(clippy::struct_field_names)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsPrefix {
    pub is_a: Option<String>,
    pub is_b: Option<String>,
    pub is_c: Option<String>,
}

#[allow(clippy::struct_field_names)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsSuffix {
    pub a_at: Option<String>,
    pub b_at: Option<String>,
    pub c_at: Option<String>,
    pub d_at: Option<String>,
}

#[allow(clippy::struct_field_names)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsWords {
    pub lints_words_a: Option<String>,
    pub b: Option<String>,
    pub c_lints_words: Option<String>,
    pub words: Option<bool>,
}

#[allow(clippy::struct_field_names)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsRaw {
    pub r#type: Option<bool>,
    pub type_a: Option<bool>,
    pub type_b: Option<bool>,
}

#[allow(clippy::pub_underscore_fields)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsUnderscore {
    pub _a: Option<bool>,
    pub _b: Option<bool>,
    pub _1: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsOne {
    pub one: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsTwo {
    pub two_a: Option<bool>,
    pub two_b: Option<bool>,
}

#[allow(clippy::struct_field_names)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsCamel {
    #[kiln(name = "camelA")]
    pub camel_a: Option<bool>,
    #[kiln(name = "camelB")]
    pub camel_b: Option<bool>,
    #[kiln(name = "camelC")]
    pub camel_c: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsEmpty {}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsHTTP {
    #[kiln(name = "ID")]
    pub id: Option<LintsHTTPID>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct LintsHTTPID {
    #[kiln(name = "URL")]
    pub url: Option<bool>,
}

const _: () = match kiln::schema_hash::<Lints>() {
    0x35f8_4264_6815_ac0e => {}
    _ => panic!("the type is not the one of the schema"),
};
