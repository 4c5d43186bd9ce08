//! The containers around a value, without calls inside calls.

use super::MAX_DEPTH;

/// A stack with room for as many containers as may be entered. It lies in its owner's frame, so that a walk down a
/// value allocates nothing and takes the same memory at every depth.
pub(crate) struct Nest<T> {
    slots: [Option<T>; MAX_DEPTH as usize],
    len: usize,
}

impl<T> Nest<T> {
    /// Room, and no container.
    pub(crate) const fn new() -> Self {
        Nest { slots: [const { None }; MAX_DEPTH as usize], len: 0 }
    }

    /// Goes into a container, unless it would be the 65th.
    #[expect(clippy::arithmetic_side_effects, reason = "a slot was found at `len`")]
    pub(crate) fn push(&mut self, container: T) -> bool {
        match self.slots.get_mut(self.len) {
            Some(slot) => {
                *slot = Some(container);
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// The innermost container.
    pub(crate) fn last(&mut self) -> Option<&mut T> {
        self.slots.get_mut(self.len.checked_sub(1)?)?.as_mut()
    }

    /// Comes out of the innermost container.
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        self.slots.get_mut(self.len)?.take()
    }

    /// The containers, outermost first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().take(self.len).flatten()
    }
}
