//! Where a part of a type is, for whoever has to be told.

use alloc::format;
use alloc::rc::Rc;

/// The way to a part, kept as the way to what it is a part of and one step more: a struct of a million fields does not
/// keep a million ways.
pub(crate) struct Way<'t> {
    above: Rc<str>,
    step: &'t str,
}

impl<'t> Way<'t> {
    /// Beyond so many bytes nothing is added: deeper than a value can be, nobody reads it.
    const MAX: usize = 4096;

    /// The way to the whole.
    pub(crate) fn root() -> Self {
        Way { above: "".into(), step: "" }
    }

    /// The way from the part at `above` to a part of it: by a field's name, or by `[]`, `{}` or `?`.
    pub(crate) fn below(above: &Rc<str>, step: &'t str) -> Self {
        Way { above: above.clone(), step }
    }

    /// The whole way.
    pub(crate) fn path(&self) -> Rc<str> {
        let Way { above, step } = self;
        if above.len() > Self::MAX {
            return above.clone();
        }
        let dot = if above.is_empty() || matches!(*step, "[]" | "{}" | "?") { "" } else { "." };
        format!("{above}{dot}{step}").into()
    }
}
