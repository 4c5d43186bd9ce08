//! What the test programs share.
// Each uses a part.
#![allow(dead_code)]

pub(crate) mod agree;
pub(crate) mod alloc;
pub(crate) mod arbitrary;
pub(crate) mod block;
pub(crate) mod cases;
pub(crate) mod kept;
pub(crate) mod oracle;
pub(crate) mod outline;
pub(crate) mod pages;
pub(crate) mod plain;
pub(crate) mod random;
pub(crate) mod records;
#[cfg(feature = "json")]
pub(crate) mod shapes;
pub(crate) mod stack;
pub(crate) mod verdict;
