//! What a builder refuses: the caller's mistakes. Chapter: Canonical layout, an encoder refuses first.

use crate::escape::quoted;
use alloc::boxed::Box;
use core::fmt;

/// Why a builder did not take a tensor or a link: the caller's mistake, so none of the seven codes.
///
/// Displays as one plain line, the name escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    pub(super) tensor: usize,
    pub(super) name: Box<str>,
    pub(super) mistake: Mistake,
}

impl BuildError {
    /// The index that the refused tensor would have had, or that the tensor has whose link was refused.
    pub fn tensor(&self) -> usize {
        self.tensor
    }

    /// Its name, if it has one; of a name above 4 KiB the beginning and the end, with `…` between them. Escape it where
    /// you show it.
    pub fn name(&self) -> Option<&str> {
        Some(&*self.name).filter(|name| !name.is_empty())
    }

    /// What is wrong.
    pub fn mistake(&self) -> Mistake {
        self.mistake
    }
}

/// What is wrong with a tensor or a link that a [`Builder`](super::Builder) did not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// The name is the empty text, which is no name: give `None`.
    EmptyName,
    /// A tensor has this name already.
    NameRepeated {
        /// Its index.
        first: usize,
    },
    /// The names, or the names and layout names, grow past what 32 bits can point into.
    NamesTooLong,
    /// More than eight dimensions.
    Rank {
        /// How many.
        rank: usize,
    },
    /// The elements or their bytes are 2^64 or more.
    ShapeOverflow,
    /// The payload has another length than dtype and shape need.
    ByteLen {
        /// The bytes needed.
        needed: u64,
        /// The bytes given.
        given: u64,
    },
    /// A byte of a bool payload is neither 0 nor 1.
    BoolByte {
        /// Where it lies in the payload.
        at: usize,
    },
    /// An odd number of packed elements, and the unused high half of the last byte is not 0.
    HighNibble,
    /// The dtype is opaque, which needs a layout: push it as such.
    OpaqueDtype,
    /// An opaque tensor without a layout name.
    EmptyLayout,
    /// An opaque tensor with blocks of no bytes.
    EmptyBlock,
    /// The payload of an opaque tensor is no multiple of its block size.
    PartialBlock {
        /// The block size.
        block_size: u32,
        /// The bytes given.
        given: u64,
    },
    /// The tensor does not come from this builder.
    UnknownTensor,
    /// An opaque tensor has no scales: its layout carries them.
    OpaqueLinked,
    /// The tensor is linked to, and so cannot have a link of its own.
    LinkedTo,
    /// There is no such axis.
    Axis {
        /// The axis given.
        axis: usize,
        /// The number of dimensions.
        rank: usize,
    },
    /// The group size is 0.
    EmptyGroup,
    /// The scale tensor is none for this tensor: there is no such one, it is the tensor itself, it is opaque,
    /// it is linked itself, or it has another number of elements.
    Scale {
        /// The index of the scale tensor given.
        scale: usize,
        /// The groups there are, and so the elements it should have.
        groups: u64,
    },
    /// The outer tensor is none for this tensor: there is no such one, it is the tensor itself, it is not a
    /// single f32, or it is linked itself.
    Outer {
        /// The index of the outer tensor given.
        outer: usize,
    },
    /// More tensors than 32 bits count.
    TooManyTensors,
    /// The block would be 2^64 bytes or longer.
    TooLong,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Mistake::EmptyName => f.write_str("the name is empty; an unnamed tensor is pushed with None"),
            Mistake::NameRepeated { first } => write!(f, "tensor {first} has the same name"),
            Mistake::NamesTooLong => f.write_str("the names take more than 4294967295 bytes"),
            Mistake::Rank { rank } => write!(f, "the shape has {rank} dimensions and 8 are allowed"),
            Mistake::ShapeOverflow => f.write_str("the size of the shape overflows 64 bits"),
            Mistake::ByteLen { needed, given } => {
                write!(f, "dtype and shape need {needed} bytes, and {given} were given")
            }
            Mistake::BoolByte { at } => write!(f, "the bool byte at {at} is neither 0 nor 1"),
            Mistake::HighNibble => f.write_str("the unused high nibble of the last byte is not 0"),
            Mistake::OpaqueDtype => f.write_str("an opaque tensor needs a layout and is pushed with one"),
            Mistake::EmptyLayout => f.write_str("the layout name is empty"),
            Mistake::EmptyBlock => f.write_str("the block size is 0"),
            Mistake::PartialBlock { block_size, given } => {
                write!(f, "{given} bytes are no multiple of the block size {block_size}")
            }
            Mistake::UnknownTensor => f.write_str("there is no such tensor in the builder"),
            Mistake::OpaqueLinked => f.write_str("an opaque tensor cannot be linked to a scale tensor"),
            Mistake::LinkedTo => f.write_str("a tensor that others are linked to cannot have a link itself"),
            Mistake::Axis { axis, rank } => write!(f, "there is no axis {axis} among {rank}"),
            Mistake::EmptyGroup => f.write_str("the group size is 0"),
            Mistake::Scale { scale, groups } => write!(
                f,
                "tensor {scale} cannot be its scale: that takes another tensor, closed, without a link of its \
                 own, of {groups} elements"
            ),
            Mistake::Outer { outer } => write!(
                f,
                "tensor {outer} cannot be its outer scale: that takes another tensor, of one f32, without a \
                 link of its own"
            ),
            Mistake::TooManyTensors => f.write_str("a builder takes at most 4294967295 tensors"),
            Mistake::TooLong => f.write_str("the block would be 2^64 bytes or longer"),
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tensor {}", self.tensor)?;
        if let Some(name) = self.name() {
            write!(f, " {}", quoted(name.as_bytes()))?;
        }
        write!(f, ": {}", self.mistake)
    }
}

impl core::error::Error for BuildError {}
