//! Macros that change what a derive saw. They write safe code only.
#![forbid(unsafe_code)]

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The item with the contents of its braces changed.
fn in_braces(item: TokenStream, change: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
    let each = |tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            TokenTree::Group(Group::new(Delimiter::Brace, change(group.stream())))
        }
        tree => tree,
    };
    item.into_iter().map(each).collect()
}

/// Adds the field or variant in its argument to those of the item, the last of which ends with a comma.
#[proc_macro_attribute]
pub fn add(added: TokenStream, item: TokenStream) -> TokenStream {
    in_braces(item, |inside| inside.into_iter().chain(added.clone()).collect())
}

/// Puts its argument in the place of what stands in the item's braces.
#[proc_macro_attribute]
pub fn replace(replaced: TokenStream, item: TokenStream) -> TokenStream {
    in_braces(item, |_| replaced.clone())
}

/// Adds the attributes in its argument.
#[proc_macro_attribute]
pub fn attribute(added: TokenStream, item: TokenStream) -> TokenStream {
    added.into_iter().chain(item).collect()
}

/// Puts its argument in the place of the item.
#[proc_macro_attribute]
pub fn instead(other: TokenStream, _: TokenStream) -> TokenStream {
    other
}

static ASKED: AtomicUsize = AtomicUsize::new(0);

/// A type that is another one each time it is said: `Box<u64>` at first, then `u64`, and so on in turns.
#[proc_macro]
pub fn another(_: TokenStream) -> TokenStream {
    let asked = ASKED.fetch_add(1, Ordering::SeqCst);
    TokenStream::from_iter(if asked.is_multiple_of(2) {
        "Box<u64>".parse::<TokenStream>()
    } else {
        "u64".parse::<TokenStream>()
    })
}

/// A type that is the same each time, and whose name the derive does not see.
#[proc_macro]
pub fn always(_: TokenStream) -> TokenStream {
    TokenStream::from_iter("Box<u64>".parse::<TokenStream>())
}
