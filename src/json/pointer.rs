//! JSON pointers, and where an offset lies in a text of lines.

use alloc::string::String;
use core::fmt::{self, Write};

/// Appends the step to the member of that name.
pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    for c in key.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// Appends the step to the element of that index.
pub(crate) fn push_index(pointer: &mut String, index: usize) {
    // Writing to a String does not fail.
    let _: fmt::Result = write!(pointer, "/{index}");
}

/// The line and the column of an offset, both from 1; a column is a character.
pub(crate) fn place(text: &str, offset: usize) -> (usize, usize) {
    Places::new(text).next(offset)
}

/// Lines and columns of ascending offsets, for which the text is gone through once.
pub(crate) struct Places<'t> {
    rest: &'t [u8],
    passed: usize,
    line: usize,
    column: usize,
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Places { rest: text.as_bytes(), passed: 0, line: 1, column: 1 }
    }

    /// Those of an offset that is at least the last one.
    pub(crate) fn next(&mut self, offset: usize) -> (usize, usize) {
        let more = offset.saturating_sub(self.passed).min(self.rest.len());
        let (between, rest) = self.rest.split_at(more);
        (self.rest, self.passed) = (rest, self.passed.saturating_add(more));
        let lines = between.iter().filter(|&&byte| byte == b'\n').count();
        if lines > 0 {
            (self.line, self.column) = (self.line.saturating_add(lines), 1);
        }
        let last = between.rsplit(|&byte| byte == b'\n').next().unwrap_or(between);
        // A byte that continues a character is no character of its own.
        let characters = last.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.column = self.column.saturating_add(characters);
        (self.line, self.column)
    }
}
