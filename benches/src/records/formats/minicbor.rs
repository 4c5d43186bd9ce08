//! CBOR by minicbor: structs as arrays, as it comes.

use crate::records::format::{Format, data_sets, into_vec, task};
use crate::records::minecraft::GameType;
use crate::records::mk48::EntityType;
use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder, decode};

/// An enum without data as its number.
macro_rules! number {
    ($($kind:ty),*) => {$(
        impl<C> Encode<C> for $kind {
            fn encode<W: Write>(&self, out: &mut Encoder<W>, _: &mut C) -> Result<(), encode::Error<W::Error>> {
                out.u8(*self as u8)?;
                Ok(())
            }
        }

        impl<'b, C> Decode<'b, C> for $kind {
            fn decode(bytes: &mut Decoder<'b>, _: &mut C) -> Result<Self, decode::Error> {
                let at = bytes.u8()?;
                let known = <$kind>::ALL.get(usize::from(at)).copied();
                known.ok_or_else(|| decode::Error::unknown_variant(i64::from(at)))
            }
        }
    )*};
}
number!(GameType, EntityType);

fn format<T: Encode<()> + for<'b> Decode<'b, ()>>() -> Format<T> {
    Format::new(
        "minicbor",
        |value| minicbor::to_vec(value).expect("encoding"),
        into_vec!(|value: &T, out: &mut Vec<u8>| minicbor::encode(value, out).expect("encoding")),
        task!(|value: &T| minicbor::to_vec(value).expect("encoding")),
        |bytes| read(bytes),
        task!(read::<T>),
    )
}

fn read<'a, T: Decode<'a, ()>>(bytes: &'a [u8]) -> T {
    decode(bytes).expect("decoding")
}

data_sets!(format, "minicbor", read);
