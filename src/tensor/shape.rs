//! Dimensions and the number of elements. Chapter: Shapes.

use core::fmt;
use core::ops::Deref;

/// The most dimensions that a tensor has.
pub const MAX_RANK: usize = 8;

/// The dimensions of a tensor, outermost first: a slice of up to eight `u64`.
///
/// ```
/// use kiln::tensor::Shape;
/// let shape = Shape::new(&[2, 5]).unwrap();
/// assert_eq!(shape[..], [2, 5]);
/// assert_eq!(shape.element_count(), Some(10));
/// assert_eq!(shape.to_string(), "[2, 5]");
/// assert_eq!(Shape::new(&[1; 9]), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Zeros at and past the rank.
    slots: [u64; MAX_RANK],
    rank: u8,
}

impl Shape {
    /// No dimensions and one element.
    pub const SCALAR: Shape = Shape { slots: [0; MAX_RANK], rank: 0 };

    /// The shape of these dimensions, if there are at most eight.
    #[expect(clippy::cast_possible_truncation, reason = "at most eight, as they fit the slots")]
    pub fn new(dims: &[u64]) -> Option<Shape> {
        let mut slots = [0; MAX_RANK];
        slots.get_mut(..dims.len())?.copy_from_slice(dims);
        Some(Shape { slots, rank: dims.len() as u8 })
    }

    /// How many dimensions there are.
    pub const fn rank(&self) -> usize {
        self.rank as usize
    }

    /// The dimensions; the same as dereferencing.
    #[expect(clippy::indexing_slicing, reason = "`new` has found the dimensions to fit")]
    pub fn dims(&self) -> &[u64] {
        &self.slots[..self.rank()]
    }

    /// The product of the dimensions: 1 without any, 0 as soon as one is 0, nothing when it is 2^64 or more.
    pub fn element_count(&self) -> Option<u64> {
        element_count(self)
    }

    /// The eight slots of a descriptor.
    pub(crate) const fn slots(&self) -> [u64; MAX_RANK] {
        self.slots
    }
}

/// The product of the dimensions, if it fits. A zero anywhere makes it 0, however large the others are.
pub(crate) fn element_count(dims: &[u64]) -> Option<u64> {
    let (mut count, mut overflow, mut zero) = (1u64, false, false);
    for &dim in dims {
        let (product, overflows) = count.overflowing_mul(dim);
        (count, overflow, zero) = (product, overflow | overflows, zero | (dim == 0));
    }
    match (zero, overflow) {
        (true, _) => Some(0),
        (false, true) => None,
        (false, false) => Some(count),
    }
}

impl Deref for Shape {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        self.dims()
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.dims(), f)
    }
}

impl fmt::Display for Shape {
    /// `[2, 5]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.dims())
    }
}
