//! What is said about a directory that is read without its payloads, beside the verdict on the whole.

use super::verdict::reject;
use kiln::tensor::{Directory, HeaderFirst, Outline, PayloadError};
use kiln::{Error, Limits, Reason};

/// What a reader says that has read only as much as it was told to.
fn outline<'a>(bytes: &'a [u8], total: Option<u64>, limits: &Limits) -> Result<Outline<'a>, Error> {
    let start = HeaderFirst::read_with(&bytes[..bytes.len().min(64)], total, limits)?;
    assert_eq!(start.directory_len(), 64 + start.header().directory_bytes);
    let len = usize::try_from(start.directory_len()).unwrap_or(usize::MAX);
    start.outline(&bytes[..bytes.len().min(len)])
}

/// The tests that need bytes after the directory.
fn needs_payloads(reason: Reason) -> bool {
    matches!(reason, Reason::Padding | Reason::Gap | Reason::BoolPayload | Reason::HighNibble)
}

/// Compares the verdicts on `bytes`; says whether they differ, as they sometimes have to.
#[track_caller]
pub(crate) fn compare(bytes: &[u8], limits: &Limits) -> bool {
    let whole = Directory::read_with(bytes, limits);
    let mut later = false;
    for total in [Some(bytes.len() as u64), None] {
        let first = outline(bytes, total, limits);
        let skipped = |reason| {
            let unknown = matches!(reason, Reason::BlockShort | Reason::TrailingBlock);
            needs_payloads(reason) || total.is_none() && unknown
        };
        match (&whole, &first) {
            (Ok(directory), Ok(outline)) => same(directory, outline),
            (Err(whole), Err(first)) if whole.reason() == first.reason() => {
                assert_eq!(reject(whole), reject(first));
                assert_eq!(whole.tensor(), first.tensor());
                if total.is_some() {
                    assert_eq!(whole, first);
                }
            }
            // A fault of the same block that is found later.
            (Err(whole), Err(first)) if skipped(whole.reason()) => {
                assert!(whole.step() <= first.step(), "{whole} against {first}");
                later = true;
            }
            (Err(whole), Ok(outline)) if skipped(whole.reason()) => {
                payloads(bytes, whole, outline);
                later = true;
            }
            (whole, first) => panic!("{:?} against {:?}", whole.as_ref().err(), first.as_ref().err()),
        }
    }
    later
}

/// The outline says what the directory does, and gives the same payloads.
#[track_caller]
fn same(directory: &Directory<'_>, outline: &Outline<'_>) {
    let bytes = directory.as_bytes();
    assert_eq!(outline.block_len(), bytes.len() as u64);
    assert_eq!((outline.len(), outline.is_empty()), (directory.len(), directory.is_empty()));
    for (tensor, outlined) in directory.iter().zip(outline.iter()) {
        assert_eq!(outlined.index(), tensor.index());
        assert_eq!(outlined.name(), tensor.name());
        assert_eq!(outlined.descriptor(), tensor.descriptor());
        assert_eq!((outlined.dtype(), outlined.shape()), (tensor.dtype(), tensor.shape()));
        assert_eq!(outlined.element_count(), tensor.element_count());
        assert_eq!(outlined.layout(), tensor.layout());
        assert_eq!(outlined.scale().map(|scale| scale.index()), link(tensor, false));
        assert_eq!(outlined.outer().map(|outer| outer.index()), link(tensor, true));
        if let Some(name) = tensor.name() {
            assert_eq!(outline.get_by_name(name).unwrap().index(), tensor.index());
        }
        let range = outlined.byte_range();
        let payload = &bytes[range.start as usize..range.end as usize];
        assert_eq!(outlined.view(payload), Ok(tensor.view()));
        if let Some(&dim) = tensor.shape().first() {
            let dim = dim.min(6);
            for start in 0..=dim {
                for end in start..=dim {
                    match (outlined.first_range(start..end), tensor.slice_first(start..end)) {
                        (Ok(range), Ok(part)) => {
                            let bytes = &bytes[range.start as usize..range.end as usize];
                            assert_eq!(outlined.view_first(start..end, bytes), Ok(part));
                        }
                        (Err(outlined), Err(tensor)) => assert_eq!(outlined, tensor),
                        (outlined, tensor) => panic!("{outlined:?} against {tensor:?}"),
                    }
                }
            }
        }
    }
    assert_eq!(outline.get(outline.len()).map(|tensor| tensor.index()), None);
    assert!(outline.get_by_name("no such tensor").is_none());
}

fn link(tensor: kiln::tensor::Tensor<'_>, outer: bool) -> Option<usize> {
    let link = tensor.quantization()?;
    if outer { link.outer.map(|outer| outer.index()) } else { Some(link.scale.index()) }
}

/// Where the whole directory was refused for its elements, a view of the payload is, and alike.
#[track_caller]
fn payloads(bytes: &[u8], whole: &Error, outline: &Outline<'_>) {
    let refused = outline.iter().find_map(|tensor| {
        let range = tensor.byte_range();
        let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
        let payload = bytes.get(range)?;
        match tensor.view(payload) {
            Err(PayloadError::Rejected(error)) => Some(error),
            other => other.map(|_| None).expect("the payload has its length"),
        }
    });
    if let Reason::BoolPayload | Reason::HighNibble = whole.reason() {
        let refused = refused.expect("the element is refused");
        assert_eq!(reject(&refused), reject(whole));
        assert_eq!(refused.tensor(), whole.tensor());
    }
}
