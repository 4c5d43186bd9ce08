//! safetensors on the other side: what each format has no place for is refused.

// A fuzz target has this file as a module of its own.
#[path = "header.rs"]
mod header;

use header::{Entry, Header, Invalid, MAX_LEN, METADATA};
pub(crate) use header::{Metadata, read_metadata};
use kiln::escape;
use kiln::tensor::{BuildError, Builder, Directory, Dtype, OpaqueCode, Tensor, TensorId};
use safetensors::tensor::Dtype as StDtype;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

/// Why one side cannot say what the other holds, and where.
pub(crate) struct Refusal {
    tensor: Option<(usize, String)>,
    why: String,
    /// Whether the file may be one of another kind.
    pub(crate) is_other: bool,
}

impl Refusal {
    fn new(why: impl fmt::Display) -> Refusal {
        Refusal { tensor: None, why: why.to_string(), is_other: false }
    }

    fn of(index: usize, name: &str, why: impl fmt::Display) -> Refusal {
        Refusal { tensor: Some((index, name.to_owned())), ..Refusal::new(why) }
    }
}

impl From<Invalid> for Refusal {
    fn from(Invalid { tensor, why, is_other }: Invalid) -> Refusal {
        Refusal { tensor, why, is_other }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((index, name)) = &self.tensor {
            write!(f, "tensor {index} \"{}\": ", escape(name.as_bytes()))?;
        }
        f.write_str(&self.why)
    }
}

/// The dtypes that the other side has not, with the first tensor of one and the number of each.
#[derive(Default)]
struct Foreign {
    first: Option<(usize, String, String)>,
    tensors: BTreeMap<String, u64>,
}

impl Foreign {
    #[expect(clippy::arithmetic_side_effects, reason = "counts tensors of a file in memory")]
    fn add(&mut self, index: usize, name: &str, dtype: impl fmt::Display) {
        let dtype = dtype.to_string();
        if self.first.is_none() {
            self.first = Some((index, name.to_owned(), dtype.clone()));
        }
        *self.tensors.entry(dtype).or_default() += 1;
    }

    /// Names all of them at once.
    fn refuse(self, side: &str, advice: &str) -> Result<(), Refusal> {
        let Some((index, name, dtype)) = self.first else { return Ok(()) };
        let all: Vec<String> = self
            .tensors
            .iter()
            .map(|(dtype, &count)| format!("{dtype} ({count} tensor{})", if count == 1 { "" } else { "s" }))
            .collect();
        let why = format!(
            "its dtype {dtype} does not exist in {side}, which cannot hold {}{advice}",
            all.join(", ")
        );
        Err(Refusal::of(index, &name, why))
    }
}

/// A builder over the payloads of a safetensors file, in the order in which they lie, and its metadata.
pub(crate) fn from_safetensors(
    bytes: &[u8],
    as_bytes: bool,
) -> Result<(Builder<'_>, Option<Metadata>), Refusal> {
    let (mut header, payloads) = header::read(bytes)?;
    let mut foreign = Foreign::default();
    for (index, entry) in header.entries.iter().enumerate() {
        if !as_bytes && to_kiln(entry.dtype).is_none() {
            foreign.add(index, &entry.name, entry.dtype);
        }
    }
    foreign.refuse("Kiln", "; --as-bytes carries them as bytes that Kiln does not look into")?;
    let mut builder = Builder::with_capacity(header.entries.len());
    for (index, entry) in header.entries.iter().enumerate() {
        if entry.name.is_empty() {
            return Err(Refusal::of(index, "", "an empty name would be no name in Kiln"));
        }
        // The header was found to describe no byte that is not there.
        let payload = payloads.get(entry.payload.clone()).unwrap_or_default();
        push(&mut builder, &header, entry, payload).map_err(Refusal::new)?;
    }
    Ok((builder, header.metadata.take()))
}

fn push<'b>(
    builder: &mut Builder<'b>,
    header: &Header<'_>,
    entry: &Entry<'_>,
    payload: &'b [u8],
) -> Result<TensorId, BuildError> {
    let (name, shape) = (&*entry.name, header.shape(entry));
    match to_kiln(entry.dtype) {
        Some(dtype) => builder.push_bytes(name, dtype, shape, payload),
        None => builder.push_opaque(name, CODE, layout(entry.dtype), block_size(entry.dtype), shape, payload),
    }
}

/// A directory that safetensors can hold, with its metadata: what is known before the first byte is written.
pub(crate) struct Safetensors<'a> {
    directory: &'a Directory<'a>,
    metadata: &'a Metadata,
    /// The length of the header without the spaces at its end.
    header_len: u64,
}

impl<'a> Safetensors<'a> {
    /// Finds whether safetensors can hold it.
    pub(crate) fn of(directory: &'a Directory<'a>, metadata: &'a Metadata) -> Result<Self, Refusal> {
        let mut foreign = Foreign::default();
        for (index, tensor) in directory.iter().enumerate() {
            let refuse = |why: &str| Refusal::of(index, tensor.name().unwrap_or_default(), why);
            if let Err(why) = holds(&tensor) {
                return Err(refuse(why));
            }
            match to_safetensors(&tensor) {
                Some(dtype) => match header::bytes_of(dtype, &tensor.shape()) {
                    Ok(len) if len == tensor.bytes().len() as u64 => {}
                    Ok(_) => return Err(refuse("its bytes are not what dtype and shape need")),
                    Err(why) => return Err(refuse(why)),
                },
                None => foreign.add(index, tensor.name().unwrap_or_default(), kind(&tensor)),
            }
        }
        foreign.refuse("safetensors", "")?;
        let mut whole = Safetensors { directory, metadata, header_len: 0 };
        let mut counted = Counted(0);
        // Counting fails nowhere.
        whole.header(&mut counted).map_err(Refusal::new)?;
        whole.header_len = counted.0;
        if whole.padded_len() > MAX_LEN {
            return Err(Refusal::new(format_args!(
                "the header of the safetensors file would have {} bytes, and its readers take at most {MAX_LEN}",
                whole.padded_len()
            )));
        }
        Ok(whole)
    }

    fn padded_len(&self) -> u64 {
        self.header_len.checked_next_multiple_of(8).unwrap_or(u64::MAX)
    }

    /// Writes the whole file; `out` gathers small writes.
    pub(crate) fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let padded = self.padded_len();
        out.write_all(&padded.to_le_bytes())?;
        self.header(out)?;
        for _ in self.header_len..padded {
            out.write_all(b" ")?;
        }
        self.directory.iter().try_for_each(|tensor| out.write_all(tensor.bytes()))
    }

    /// Writes the object of the header, tensor by tensor.
    fn header<W: Write + ?Sized>(&self, out: &mut W) -> io::Result<()> {
        let mut separator = "{";
        if !self.metadata.is_empty() {
            write!(out, "{{\"{METADATA}\":")?;
            serde_json::to_writer(&mut *out, self.metadata)?;
            separator = ",";
        }
        let mut start = 0u64;
        for tensor in self.directory {
            let end = start.saturating_add(tensor.bytes().len() as u64);
            let Some((name, dtype)) = tensor.name().zip(to_safetensors(&tensor)) else { continue };
            out.write_all(separator.as_bytes())?;
            serde_json::to_writer(&mut *out, name)?;
            write!(out, ":{{\"dtype\":\"{dtype}\",\"shape\":[")?;
            for (axis, dimension) in tensor.shape().iter().enumerate() {
                write!(out, "{}{dimension}", if axis == 0 { "" } else { "," })?;
            }
            write!(out, "],\"data_offsets\":[{start},{end}]}}")?;
            (start, separator) = (end, ",");
        }
        if separator == "{" { out.write_all(b"{}") } else { out.write_all(b"}") }
    }
}

/// Counts what is written.
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether safetensors has a place for everything about a tensor but its dtype.
fn holds(tensor: &Tensor<'_>) -> Result<(), &'static str> {
    let name = tensor.name().ok_or("an unnamed tensor has no place in safetensors")?;
    if name == METADATA {
        return Err("safetensors keeps this name for its metadata");
    }
    if tensor.quantization().is_some() {
        return Err("its quantization link has no place in safetensors");
    }
    if tensor.dtype().is_packed() && !tensor.element_count().is_multiple_of(2) {
        return Err("safetensors has no packed tensor of an odd number of elements");
    }
    Ok(())
}

/// The dtypes that both sides have.
const DTYPES: [(StDtype, Dtype); 17] = [
    (StDtype::F64, Dtype::F64),
    (StDtype::F32, Dtype::F32),
    (StDtype::F16, Dtype::F16),
    (StDtype::BF16, Dtype::Bf16),
    (StDtype::I64, Dtype::I64),
    (StDtype::I32, Dtype::I32),
    (StDtype::I16, Dtype::I16),
    (StDtype::I8, Dtype::I8),
    (StDtype::U64, Dtype::U64),
    (StDtype::U32, Dtype::U32),
    (StDtype::U16, Dtype::U16),
    (StDtype::U8, Dtype::U8),
    (StDtype::BOOL, Dtype::Bool),
    (StDtype::F8_E4M3, Dtype::E4m3),
    (StDtype::F8_E5M2, Dtype::E5m2),
    (StDtype::F4, Dtype::E2m1),
    (StDtype::F8_E8M0, Dtype::E8m0),
];

fn to_kiln(dtype: StDtype) -> Option<Dtype> {
    DTYPES.iter().find(|(theirs, _)| *theirs == dtype).map(|(_, ours)| *ours)
}

/// The code of the opaque tensors that carry a dtype of safetensors; the name of their layout says which.
const CODE: OpaqueCode = OpaqueCode::MIN;

/// What the names of those layouts begin with.
const LAYOUT: &str = "safetensors:";

fn layout(dtype: StDtype) -> String {
    format!("{LAYOUT}{dtype}")
}

/// The fewest whole bytes that whole elements take.
fn block_size(dtype: StDtype) -> u32 {
    match dtype.bitsize() {
        6 => 3,
        16 => 2,
        32 => 4,
        64 => 8,
        _ => 1,
    }
}

/// The dtype that a tensor has there: Kiln's own, or the one that an opaque tensor was made for.
fn to_safetensors(tensor: &Tensor<'_>) -> Option<StDtype> {
    let Some(layout) = tensor.layout() else {
        return DTYPES.iter().find(|(_, ours)| *ours == tensor.dtype()).map(|(theirs, _)| *theirs);
    };
    let dtype = header::dtype(layout.name.strip_prefix(LAYOUT)?)?;
    let made_here = to_kiln(dtype).is_none() && layout.code == CODE && layout.block_size == block_size(dtype);
    made_here.then_some(dtype)
}

/// What a tensor's dtype is called where it cannot be carried.
fn kind(tensor: &Tensor<'_>) -> String {
    match tensor.layout() {
        Some(layout) => format!("{} \"{}\"", tensor.dtype(), escape(layout.name.as_bytes())),
        None => tensor.dtype().to_string(),
    }
}
