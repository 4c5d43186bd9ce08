// Generated from tree.json by `kiln gen`; edit that, not this.

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Node {
    pub name: String,
    pub first: Option<Box<Node>>,
    pub others: Vec<Node>,
    #[kiln(name = "by name")]
    pub by_name: std::collections::BTreeMap<String, Node>,
    pub edge: Option<Box<Edge>>,
}

#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Edge {
    pub to: Node,
    pub weight: f32,
}
