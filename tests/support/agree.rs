//! A Rust type and the type read at run time that was made from it, compared on bytes: the same values, codes, reasons,
//! offsets and paths.

use kiln::dynamic;
use kiln::schema::{Type, Typed};
use kiln::{Decode, Encode, Limits, Reason};
use std::fmt::Debug;

/// Compares on `bytes`, and says whether they were accepted.
#[track_caller]
pub(crate) fn agree<'de, T: Decode<'de> + Encode + Typed + PartialEq + Debug>(
    ty: &Type,
    bytes: &'de [u8],
    limits: &Limits,
) -> bool {
    let derived = kiln::from_slice_with::<T>(bytes, limits);
    let value = dynamic::decode_with(ty, bytes, limits);
    assert_eq!(dynamic::check_with(ty, bytes, limits).err(), value.as_ref().err().copied());
    assert_eq!(kiln::validate_with::<T>(bytes, limits).err(), derived.as_ref().err().copied());
    match (derived, value) {
        (Ok(derived), Ok(value)) => {
            let again = dynamic::encode(ty, &value).expect("a decoded value encodes");
            assert_eq!(again, bytes);
            assert_eq!(kiln::to_vec(&derived).expect("a decoded value encodes"), bytes);
            true
        }
        // These rules are those of the Rust type, and no type text says them: what the other finds lies further on.
        (Err(derived), value) if matches!(derived.reason(), Reason::EnumValue | Reason::ArrayCount) => {
            let further = value.err().is_none_or(|value| value.offset() >= derived.offset());
            assert!(further, "{derived:?} comes first in {bytes:02x?}");
            false
        }
        (Err(derived), Err(value)) => {
            // Equal errors have the same code, reason, offset, numbers and path.
            assert_eq!(derived, value);
            assert_eq!(derived.describe(bytes).to_string(), ty.describe(&value, bytes).to_string());
            false
        }
        (derived, value) => panic!("{derived:?} and {value:?} of {bytes:02x?}"),
    }
}

/// Every beginning of `bytes`, all of them, something after them, and each byte with the bits of each damage turned over.
pub(crate) fn near<'a>(bytes: &'a [u8], damages: &'a [u8]) -> impl Iterator<Item = Vec<u8>> + 'a {
    let cuts = (0..=bytes.len()).map(|len| bytes[..len].to_vec());
    let longer = [[bytes, &[0]].concat()].into_iter();
    let damaged = (0..bytes.len()).flat_map(move |at| {
        damages.iter().map(move |damage| {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= damage;
            damaged
        })
    });
    cuts.chain(longer).chain(damaged)
}
