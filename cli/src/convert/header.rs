//! The header of a safetensors file: one object of JSON, read in one pass and strictly.
//!
//! The crate of the format reads objects into maps, so that of a key that is there twice the first is gone without a
//! word, and what it says of a file that is too short or too long has no numbers.

use kiln::escape;
use safetensors::tensor::Dtype;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// The longest header that readers of the format take.
pub(super) const MAX_LEN: u64 = 100_000_000;

/// The key that is no tensor's.
pub(super) const METADATA: &str = "__metadata__";

/// All dtypes of the format, by the name that a header has for them.
pub(super) const DTYPES: [Dtype; 22] = [
    Dtype::BOOL,
    Dtype::F4,
    Dtype::F6_E2M3,
    Dtype::F6_E3M2,
    Dtype::U8,
    Dtype::I8,
    Dtype::F8_E5M2,
    Dtype::F8_E4M3,
    Dtype::F8_E8M0,
    Dtype::F8_E4M3FNUZ,
    Dtype::F8_E5M2FNUZ,
    Dtype::I16,
    Dtype::U16,
    Dtype::F16,
    Dtype::BF16,
    Dtype::I32,
    Dtype::U32,
    Dtype::F32,
    Dtype::C64,
    Dtype::F64,
    Dtype::I64,
    Dtype::U64,
];

/// The dtype of that name.
pub(super) fn dtype(name: &str) -> Option<Dtype> {
    DTYPES.into_iter().find(|dtype| dtype.to_string() == name)
}

/// The metadata map of a file, in the order of its keys.
pub(crate) type Metadata = BTreeMap<String, String>;

/// Why bytes are no safetensors file, and the tensor at fault by its place in the order of the payloads.
pub(super) struct Invalid {
    pub(super) tensor: Option<(usize, String)>,
    pub(super) why: String,
    /// Whether there is no header, so that the file may be one of another kind.
    pub(super) is_other: bool,
}

impl Invalid {
    fn new(why: impl fmt::Display) -> Invalid {
        Invalid { tensor: None, why: why.to_string(), is_other: false }
    }

    fn other(why: impl fmt::Display) -> Invalid {
        Invalid { is_other: true, ..Invalid::new(why) }
    }
}

/// What the header says of one tensor.
pub(super) struct Entry<'h> {
    pub(super) name: Cow<'h, str>,
    pub(super) dtype: Dtype,
    dims: Range<usize>,
    /// The payload, in bytes from the end of the header.
    pub(super) payload: Range<usize>,
}

/// What the header says.
#[derive(Default)]
pub(super) struct Header<'h> {
    /// In the order of the payloads; empty ones at one offset in the order of the text.
    pub(super) entries: Vec<Entry<'h>>,
    /// The shapes of all, one after another.
    dims: Vec<u64>,
    pub(super) metadata: Option<Metadata>,
}

impl Header<'_> {
    pub(super) fn shape(&self, entry: &Entry<'_>) -> &[u64] {
        self.dims.get(entry.dims.clone()).unwrap_or_default()
    }
}

/// The header, found to describe the whole file, and the payloads behind it.
pub(super) fn read(bytes: &[u8]) -> Result<(Header<'_>, &[u8]), Invalid> {
    let (len, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| {
        let missing = 8usize.saturating_sub(bytes.len());
        Invalid::other(format_args!(
            "the file ends inside the length of the header: {missing} of 8 bytes are missing"
        ))
    })?;
    let len = u64::from_le_bytes(*len);
    if len > MAX_LEN {
        return Err(Invalid::other(format_args!(
            "the first eight bytes say that the header has {len} bytes, and {MAX_LEN} is the most"
        )));
    }
    let split = usize::try_from(len).ok().and_then(|len| rest.split_at_checked(len));
    let (text, payloads) = split.ok_or_else(|| {
        let left = rest.len() as u64;
        let missing = len.saturating_sub(left);
        Invalid::other(format_args!(
            "the file ends inside the header: it has {len} bytes, {left} are there, {missing} are missing"
        ))
    })?;
    let text = std::str::from_utf8(text).map_err(|error| {
        Invalid::other(format_args!("the header is not UTF-8 from its byte {} on", error.valid_up_to()))
    })?;
    if !text.starts_with('{') {
        return Err(Invalid::other("the header does not begin with an object of JSON"));
    }
    let mut header = Header::default();
    let mut json = serde_json::Deserializer::from_str(text);
    let read = Top(&mut header).deserialize(&mut json).and_then(|()| json.end());
    read.map_err(|error| Invalid::new(format_args!("the header is not one of safetensors: {error}")))?;
    unrepeated(&header.entries)?;
    header.entries.sort_by_key(|entry| (entry.payload.start, entry.payload.end));
    cover(&header, payloads.len())?;
    Ok((header, payloads))
}

/// Refuses a name that is there twice. Names are compared as what they say, however they are spelled.
fn unrepeated(entries: &[Entry<'_>]) -> Result<(), Invalid> {
    let mut names: Vec<&str> = entries.iter().map(|entry| &*entry.name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair.first() == pair.last()).and_then(<[&str]>::first) {
        Some(name) => Err(Invalid::new(twice(name))),
        None => Ok(()),
    }
}

/// How a key that is there twice is named.
fn twice(key: &str) -> String {
    format!("the key \"{}\" is there twice", escape(key.as_bytes()))
}

/// Refuses payloads that do not follow upon one another, that are not what dtype and shape need, or that are not all
/// of the `left` bytes behind the header.
fn cover(header: &Header<'_>, left: usize) -> Result<(), Invalid> {
    let mut end = 0;
    for (index, entry) in header.entries.iter().enumerate() {
        let invalid = |why: String| {
            let tensor = Some((index, entry.name.clone().into_owned()));
            Invalid { tensor, ..Invalid::new(why) }
        };
        let Range { start, end: stop } = entry.payload;
        if start != end {
            let what = if start < end { "before" } else { "behind" };
            return Err(invalid(format!(
                "its payload begins at {start}, {what} the end of the last one at {end}"
            )));
        }
        let given = stop
            .checked_sub(start)
            .ok_or_else(|| invalid(format!("its payload ends at {stop} and begins at {start}")))?;
        let needed = bytes_of(entry.dtype, header.shape(entry)).map_err(|why| invalid(why.into()))?;
        if given as u64 != needed {
            return Err(invalid(format!(
                "dtype and shape need {needed} bytes, and data_offsets say {given}"
            )));
        }
        end = stop;
    }
    let difference = end.abs_diff(left);
    match end.cmp(&left) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(Invalid::new(format_args!(
            "the file is too short: the payloads have {end} bytes, {left} are there, {difference} are missing"
        ))),
        std::cmp::Ordering::Less => Err(Invalid::new(format_args!(
            "the file is too long: the payloads have {end} bytes, and {difference} more follow"
        ))),
    }
}

/// The payload of a shape, as the format's readers compute it: dimension by dimension, so that one that would not fit is
/// refused in front of a 0 too.
pub(super) fn bytes_of(dtype: Dtype, shape: &[u64]) -> Result<u64, &'static str> {
    let bits = shape
        .iter()
        .try_fold(1u64, |count, &dimension| count.checked_mul(dimension))
        .and_then(|count| count.checked_mul(dtype.bitsize() as u64))
        .ok_or("the size of the shape overflows 64 bits")?;
    if bits.is_multiple_of(8) { Ok(bits / 8) } else { Err("its elements end inside a byte") }
}

/// A text, borrowed where no escape stands in it.
struct Text<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsText;
        impl<'de> Visitor<'de> for AsText {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(AsText)
    }
}

/// The whole header.
struct Top<'a, 'h>(&'a mut Header<'h>);

impl<'h> DeserializeSeed<'h> for Top<'_, 'h> {
    type Value = ();

    fn deserialize<D: Deserializer<'h>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'h> Visitor<'h> for Top<'_, 'h> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of tensors")
    }

    fn visit_map<A: MapAccess<'h>>(self, mut map: A) -> Result<(), A::Error> {
        let Top(header) = self;
        let mut described = false;
        while let Some(Text(name)) = map.next_key()? {
            if name == METADATA {
                if described {
                    return Err(A::Error::custom(twice(METADATA)));
                }
                described = true;
                header.metadata = map.next_value::<Option<Strings>>()?.map(|strings| strings.0);
                continue;
            }
            map.next_value_seed(Tensor { name, header })?;
        }
        Ok(())
    }
}

/// The object that describes one tensor.
struct Tensor<'a, 'h> {
    name: Cow<'h, str>,
    header: &'a mut Header<'h>,
}

impl<'h> DeserializeSeed<'h> for Tensor<'_, 'h> {
    type Value = ();

    fn deserialize<D: Deserializer<'h>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'h> Visitor<'h> for Tensor<'_, 'h> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of dtype, shape and data_offsets")
    }

    fn visit_map<A: MapAccess<'h>>(self, mut map: A) -> Result<(), A::Error> {
        let Tensor { name, header } = self;
        let of = |why: &dyn fmt::Display| {
            A::Error::custom(format_args!("tensor \"{}\": {why}", escape(name.as_bytes())))
        };
        let (mut kind, mut dims, mut payload) = (None, None, None);
        while let Some(Text(key)) = map.next_key()? {
            let again = match &*key {
                "dtype" => {
                    let Text(told) = map.next_value()?;
                    let found = dtype(&told).ok_or_else(|| {
                        of(&format_args!("safetensors has no dtype {}", escape(told.as_bytes())))
                    })?;
                    kind.replace(found).is_some()
                }
                "shape" => dims.replace(map.next_value_seed(Dims(&mut header.dims))?).is_some(),
                "data_offsets" => {
                    let (start, end) = map.next_value()?;
                    payload.replace(start..end).is_some()
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    return Err(of(&format_args!(
                        "safetensors has no member \"{}\"",
                        escape(key.as_bytes())
                    )));
                }
            };
            if again {
                return Err(of(&twice(&key)));
            }
        }
        let missing = |key: &'static str| of(&format_args!("{key} is missing"));
        let dtype = kind.ok_or_else(|| missing("dtype"))?;
        let dims = dims.ok_or_else(|| missing("shape"))?;
        let payload = payload.ok_or_else(|| missing("data_offsets"))?;
        header.entries.push(Entry { name, dtype, dims, payload });
        Ok(())
    }
}

/// A shape, put behind those before it.
struct Dims<'a>(&'a mut Vec<u64>);

impl<'de> DeserializeSeed<'de> for Dims<'_> {
    type Value = Range<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Dims<'_> {
    type Value = Range<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a shape")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut dims: A) -> Result<Self::Value, A::Error> {
        let start = self.0.len();
        while let Some(dimension) = dims.next_element()? {
            self.0.push(dimension);
        }
        Ok(start..self.0.len())
    }
}

/// An object of texts, none of whose keys is there twice.
struct Strings(Metadata);

impl<'de> Deserialize<'de> for Strings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsStrings;
        impl<'de> Visitor<'de> for AsStrings {
            type Value = Strings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strings, A::Error> {
                let mut strings = Metadata::new();
                while let Some((key, value)) = map.next_entry::<String, String>()? {
                    if strings.contains_key(&key) {
                        return Err(A::Error::custom(twice(&key)));
                    }
                    strings.insert(key, value);
                }
                Ok(Strings(strings))
            }
        }
        deserializer.deserialize_map(AsStrings)
    }
}

/// The metadata map that lies in a file of its own.
pub(crate) fn read_metadata(text: &[u8]) -> Result<Metadata, serde_json::Error> {
    serde_json::from_slice::<Strings>(text).map(|strings| strings.0)
}
