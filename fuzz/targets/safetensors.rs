//! Any bytes as a safetensors file: what the safetensors crate and the conversion take has the same tensors in Kiln, and
//! goes back and forth without change.

#[path = "../../cli/src/convert/safetensors.rs"]
mod convert;

use convert::{from_safetensors, to_safetensors};
use kiln::Limits;
use kiln::tensor::Directory;
use safetensors::SafeTensors;
use std::collections::BTreeMap;

/// Checks the input; panics where two answers differ.
pub(crate) fn run(input: &[u8]) {
    let read = SafeTensors::deserialize(input);
    let (builder, metadata) = match from_safetensors(input) {
        Ok(taken) => taken,
        Err(refusal) => {
            let line = refusal.to_string();
            assert!(read.is_err() || line.starts_with("tensor "), "{line:?}");
            return;
        }
    };
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

    let metadata: BTreeMap<String, String> = metadata.into_iter().flatten().collect();
    // Kiln has packed tensors of odd numbers of elements and of names that safetensors keeps for itself: not these.
    let mut file = to_safetensors(&directory, &metadata).unwrap_or_else(|refusal| panic!("{refusal}"));
    directory.iter().for_each(|tensor| file.extend_from_slice(tensor.bytes()));
    let (again, kept) = from_safetensors(&file).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(again.to_vec().as_deref(), Ok(&block[..]));
    assert_eq!(kept.into_iter().flatten().collect::<BTreeMap<_, _>>(), metadata);
}
