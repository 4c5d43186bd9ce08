//! Any bytes as a safetensors file: what the safetensors crate and the conversion take has the same tensors in Kiln, and
//! goes back and forth without change.

#[path = "../../cli/src/convert/safetensors.rs"]
mod convert;

use convert::{Metadata, Safetensors, from_safetensors, read_metadata};
use kiln::Limits;
use kiln::tensor::Directory;
use safetensors::SafeTensors;

/// Checks the input; panics where two answers differ.
pub(crate) fn run(input: &[u8]) {
    let read = SafeTensors::deserialize(input);
    // What the crate reads is not: what Kiln has no place for, which is said of a tensor; an object with a key twice; a
    // header that begins with a space, which the format forbids.
    let stricter = ["tensor ", " is there twice", "safetensors has no member"];
    let (builder, metadata) = match from_safetensors(input, true) {
        Ok(taken) => taken,
        Err(refusal) => {
            let line = refusal.to_string();
            let is_stricter = stricter.iter().any(|why| line.contains(why));
            let begins_late = refusal.is_other && line.contains("does not begin with an object");
            assert!(read.is_err() || is_stricter || begins_late, "{line:?}");
            return;
        }
    };
    // Without leave to carry bytes, what has a dtype of its own in Kiln is the same, and the rest is refused.
    match from_safetensors(input, false) {
        Ok((same, _)) => assert_eq!(same.to_vec(), builder.to_vec()),
        Err(refusal) => assert!(refusal.to_string().contains("--as-bytes"), "{refusal}"),
    }
    let read = read.expect("the conversion reads what the crate reads");
    let block = builder.to_vec().expect("what was pushed can be written");
    let directory = Directory::read_with(&block, &Limits::NONE).expect("what was built is accepted");
    assert_eq!(directory.len(), read.len());
    for tensor in &directory {
        let theirs =
            read.tensor(tensor.name().expect("every tensor has a name")).expect("the name is theirs");
        assert_eq!(tensor.bytes(), theirs.data());
        assert!(tensor.shape().iter().copied().eq(theirs.shape().iter().map(|&dimension| dimension as u64)));
    }

    let metadata = metadata.unwrap_or_default();
    let side = serde_json::to_vec(&metadata).expect("a map of texts");
    assert_eq!(read_metadata(&side).expect("what was written is read"), metadata);
    // Kiln has packed tensors of odd numbers of elements and of names that safetensors keeps for itself: not these.
    let whole = Safetensors::of(&directory, &metadata).unwrap_or_else(|refusal| panic!("{refusal}"));
    let mut file = Vec::new();
    whole.write_to(&mut file).expect("memory takes it");
    SafeTensors::deserialize(&file).expect("the crate reads what the conversion writes");
    let (again, kept): (_, Option<Metadata>) =
        from_safetensors(&file, true).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(again.to_vec().as_deref(), Ok(&block[..]));
    assert_eq!(kept.unwrap_or_default(), metadata);
}
