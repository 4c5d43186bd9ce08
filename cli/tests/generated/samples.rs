// Generated from samples.json by `kiln gen`; edit that, not this.

/// Measured by the second.
pub type Samples = Vec<SamplesItem>;

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct SamplesItem {
    pub at: i64,
    pub values: Vec<f32>,
}

const _: () = match kiln::schema_hash::<Samples>() {
    0xceb6_0199_b0d8_adfd => {}
    _ => panic!("the type is not the one of the schema"),
};
