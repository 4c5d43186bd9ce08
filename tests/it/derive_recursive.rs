//! Recursive types: they go bare, to the depth that the format allows.

use kiln::{Code, EncodeError, Frozen, Reason};

#[derive(Frozen, Debug, PartialEq)]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

#[derive(Frozen, Debug, PartialEq)]
struct Tree<T> {
    leaf: T,
    branches: Vec<Tree<T>>,
}

#[derive(Frozen, Debug, PartialEq)]
struct Folder {
    name: String,
    entries: Vec<Entry>,
}

#[derive(Frozen, Debug, PartialEq)]
struct Entry {
    folder: Option<Folder>,
    link: Option<Box<Self>>,
}

type Next<'a> = Option<Box<Borrowed<'a>>>;

#[derive(Frozen, Debug, PartialEq)]
struct Borrowed<'a> {
    s: &'a str,
    next: Next<'a>,
}

fn chain(nodes: u32) -> Node {
    let end = Node { value: 0, next: None };
    (1..nodes).fold(end, |next, _| Node { value: 1, next: Some(Box::new(next)) })
}

#[test]
fn recursive_types_make_the_round_trip() {
    let bytes = [1, 1, 1, 1, 0, 0];
    assert_eq!(kiln::to_vec(&chain(3)).unwrap(), bytes);
    assert_eq!(kiln::from_slice(&bytes), Ok(chain(3)));

    let leaf = |leaf| Tree { leaf, branches: vec![] };
    let tree = Tree { leaf: 1u16, branches: vec![leaf(2), leaf(3)] };
    let bytes = [1, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0];
    assert_eq!(kiln::to_vec(&tree).unwrap(), bytes);
    assert_eq!(kiln::from_slice(&bytes), Ok(tree));

    let inner = Folder { name: "in".into(), entries: vec![] };
    let link = Entry { folder: None, link: None };
    let entry = Entry { folder: Some(inner), link: Some(Box::new(link)) };
    let folder = Folder { name: "out".into(), entries: vec![entry] };
    let bytes = kiln::to_vec(&folder).unwrap();
    assert_eq!(kiln::from_slice(&bytes), Ok(folder));

    let bytes = [1, 0, 0, 0, b'a', 1, 0, 0, 0, 0, 0];
    let next = Some(Box::new(Borrowed { s: "", next: None }));
    assert_eq!(kiln::from_slice(&bytes), Ok(Borrowed { s: "a", next }));
}

#[test]
fn they_are_exact_and_never_plain() {
    assert!(Node::EXACT.holds());
    assert!(Folder::EXACT.holds());
    assert!(!kiln::is_plain::<Node>());
    assert_eq!((Node::MIN_LEN, Node::FIXED, Node::DEPTH), (2, false, 2));
}

/// A node is two containers, the struct and the optional: thirty-two of them make the deepest value.
#[test]
fn depth_64_passes_and_65_does_not() {
    let bytes = kiln::to_vec(&chain(32)).unwrap();
    assert_eq!(kiln::from_slice(&bytes), Ok(chain(32)));
    assert_eq!(kiln::to_vec(&chain(33)), Err(EncodeError::TooDeep));

    let mut bytes: Vec<u8> = [1, 1].repeat(32);
    bytes.extend([0, 0]);
    let error = kiln::from_slice::<Node>(&bytes).unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::Limit, Reason::Depth));
    // The first byte of the container that would be the sixty-fifth, though no byte of it was looked at.
    assert_eq!(error.offset(), 64);
    let error = kiln::from_slice::<Node>(&bytes[..64]).unwrap_err();
    assert_eq!((error.reason(), error.offset()), (Reason::Depth, 64));
}

#[test]
fn a_million_levels_on_a_small_stack() {
    let bytes = [1, 1].repeat(1_000_000);
    let read = move || kiln::from_slice::<Node>(&bytes).unwrap_err().reason();
    let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(read).unwrap();
    assert_eq!(thread.join().unwrap(), Reason::Depth);
}

#[test]
fn a_path_leads_through_the_levels() {
    let bytes = [1, 1, 1, 1, 7, 2];
    let error = kiln::from_slice::<Node>(&bytes).unwrap_err();
    assert_eq!(
        error.describe(&bytes).to_string(),
        "TYPE at byte 5 (0x5), in next.next.next: a presence byte is neither 0 nor 1 (found 2)"
    );
}
