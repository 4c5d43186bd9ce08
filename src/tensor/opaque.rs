//! Payloads of another system. Chapter: Opaque layouts.

use super::dtype::OpaqueCode;

/// What a directory says about the bytes of an opaque tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layout<'a> {
    /// The code, which is anybody's to use.
    pub code: OpaqueCode,
    /// The name of the layout, which says whose bytes they are.
    pub name: &'a str,
    /// The size of one foreign block, in bytes; the payload is a multiple of it.
    pub block_size: u32,
}
