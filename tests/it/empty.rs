//! No bytes at all.

use kiln::schema::Type;
use kiln::tensor::{Directory, OwnedDirectory};
use kiln::{Batch, Code, Error, Limits, dynamic, frame};

#[test]
fn an_empty_input_is_eof_to_every_reader() {
    let nothing: &[u8] = &Vec::new();
    let text = Type::parse("str").expect("a type");
    let answers: [(&str, Option<Error>); 14] = [
        ("a number", kiln::from_slice::<u8>(nothing).err()),
        ("a text", kiln::from_slice::<&str>(nothing).err()),
        ("a list", kiln::from_slice::<Vec<u64>>(nothing).err()),
        ("its front", kiln::from_prefix::<u8>(nothing).err()),
        ("over an older value", kiln::decode_into(nothing, &mut vec![1u8]).err()),
        ("validation", kiln::validate::<Vec<u64>>(nothing).err()),
        ("a batch", Batch::<u8>::read(nothing).err()),
        ("an index", Batch::<u8>::index(nothing).err()),
        ("a frame", frame::from_slice::<u8>(nothing).err()),
        ("a type read at run time", dynamic::decode(&text, nothing).err()),
        ("its checker", dynamic::check(&text, nothing).err()),
        ("a directory", Directory::read(nothing).err()),
        ("a directory as a value", kiln::from_slice::<OwnedDirectory>(nothing).err()),
        ("a directory with caps", Directory::read_with(nothing, &Limits::NONE).err()),
    ];
    for (reader, answer) in answers {
        assert_eq!(answer.map(|error| (error.code(), error.offset())), Some((Code::Eof, 0)), "{reader}");
    }
}
