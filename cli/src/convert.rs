//! `kiln convert`

use crate::Outcome;
use crate::input::{self, Input, is_stream};
use crate::output::{Failure, reject, show};
use kiln::escape;
use kiln::tensor::{Builder, Directory, Dtype, Tensor};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype as StDtype, Metadata, TensorInfo};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Convert safetensors to kiln and back, keeping order, names, shapes and bytes
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file to read; its ending says what it is (.safetensors, .kiln), or --from does
    #[arg(value_name = "IN")]
    source: PathBuf,
    /// The file to write, whole or not at all; its ending says what it becomes, or --to does
    #[arg(value_name = "OUT")]
    target: PathBuf,
    /// What IN is
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,
    /// What OUT becomes
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    /// The metadata map of a safetensors file, which Kiln has no place for: written to this file, or read
    /// from it on the way back
    #[arg(long, value_name = "FILE.json")]
    metadata: Option<PathBuf>,
    #[command(flatten)]
    input: input::Options,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Safetensors,
    Kiln,
}

impl Format {
    fn of(path: &Path, told: Option<Format>, option: &str) -> Result<Format, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match (told, ending) {
            (Some(format), _) => Ok(format),
            (None, Some("safetensors")) => Ok(Format::Safetensors),
            (None, Some("kiln")) => Ok(Format::Kiln),
            _ => Err(Failure::at(
                path,
                format_args!("not a .safetensors or .kiln name; say what it is by {option}"),
            )),
        }
    }
}

/// Why one side cannot say what the other holds, and where.
struct Refusal {
    tensor: Option<(usize, String)>,
    why: String,
}

impl Refusal {
    fn new(why: impl fmt::Display) -> Refusal {
        Refusal { tensor: None, why: why.to_string() }
    }

    fn of(index: usize, name: &str, why: impl fmt::Display) -> Refusal {
        Refusal { tensor: Some((index, name.to_owned())), why: why.to_string() }
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

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let from = Format::of(&args.source, args.from, "--from")?;
    let to = Format::of(&args.target, args.to, "--to")?;
    if from == to {
        return Err(Failure::new("IN and OUT are of the same format; there is nothing to convert"));
    }
    let bytes = Input::open(&args.source, &args.input)?;
    let refused = match from {
        Format::Safetensors => {
            let (builder, metadata) = match from_safetensors(&bytes) {
                Ok(read) => read,
                Err(refusal) => return Ok(reject(&args.source, &refusal)),
            };
            write(&args.target, |out| builder.write_to(out).map(drop))?;
            return keep_metadata(args, metadata);
        }
        Format::Kiln => {
            let directory = match Directory::read(&bytes) {
                Ok(directory) => directory,
                Err(error) => return Ok(reject(&args.source, &error.describe(&bytes))),
            };
            let metadata = args.metadata.as_deref().map(read_metadata).transpose()?.unwrap_or_default();
            match to_safetensors(&directory, &metadata) {
                Ok(header) => {
                    write(&args.target, |out| {
                        out.write_all(&header)?;
                        directory.iter().try_for_each(|tensor| out.write_all(tensor.bytes()))
                    })?;
                    return Ok(Outcome::Accepted);
                }
                Err(refusal) => refusal,
            }
        }
    };
    Ok(reject(&args.source, &refused))
}

/// A builder over the payloads of a safetensors file, in the order in which they lie, and its metadata.
fn from_safetensors(bytes: &[u8]) -> Result<(Builder<'_>, Option<HashMap<String, String>>), Refusal> {
    let (header, metadata) = SafeTensors::read_metadata(bytes).map_err(Refusal::new)?;
    let payloads = &bytes[8 + header..];
    let mut builder = Builder::new();
    for (index, name) in ordered_names(&metadata, &bytes[8..8 + header])?.into_iter().enumerate() {
        let refuse = |why: &dyn fmt::Display| Refusal::of(index, &name, why);
        let info =
            metadata.info(&name).ok_or_else(|| refuse(&"the header lists it and does not describe it"))?;
        let dtype = to_kiln(info.dtype)
            .ok_or_else(|| refuse(&format_args!("its dtype {} does not exist in Kiln", info.dtype)))?;
        if name.is_empty() {
            return Err(refuse(&"an empty name would be no name in Kiln"));
        }
        let shape: Vec<u64> = info.shape.iter().map(|&dimension| dimension as u64).collect();
        let payload = &payloads[info.data_offsets.0..info.data_offsets.1];
        builder.push_bytes(name.clone(), dtype, &shape, payload).map_err(Refusal::new)?;
    }
    Ok((builder, metadata.metadata().clone()))
}

/// The names in the order of their payloads; empty payloads that lie at one offset keep the order of the
/// header's text, which the crate's map has lost.
fn ordered_names(metadata: &Metadata, header: &[u8]) -> Result<Vec<String>, Refusal> {
    let mut names = metadata.offset_keys();
    let offsets = |name: &str| metadata.info(name).map(|info| info.data_offsets);
    if names.windows(2).any(|pair| offsets(&pair[0]) == offsets(&pair[1])) {
        let text: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(Refusal::new)?;
        let places: HashMap<&str, usize> = text.keys().map(String::as_str).zip(0..).collect();
        names.sort_by_key(|name| (offsets(name), places.get(name.as_str()).copied()));
    }
    Ok(names)
}

/// The header of the safetensors file with these tensors, its length in front.
fn to_safetensors(
    directory: &Directory<'_>,
    metadata: &BTreeMap<String, String>,
) -> Result<Vec<u8>, Refusal> {
    let mut header = serde_json::Map::new();
    if !metadata.is_empty() {
        header.insert("__metadata__".into(), serde_json::json!(metadata));
    }
    let mut tensors = Vec::with_capacity(directory.len());
    let mut start = 0;
    for (index, tensor) in directory.iter().enumerate() {
        let (name, info) = describe(&tensor, start)
            .map_err(|why| Refusal::of(index, tensor.name().unwrap_or_default(), why))?;
        start = info.data_offsets.1;
        header.insert(name.clone(), serde_json::to_value(&info).map_err(Refusal::new)?);
        tensors.push((name, info));
    }
    // The crate's word that it will read this again; its own text of it follows the order of a hash map.
    Metadata::new(None, tensors).map_err(Refusal::new)?;
    let mut text = serde_json::to_vec(&header).map_err(Refusal::new)?;
    text.resize(text.len().next_multiple_of(8), b' ');
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.append(&mut text);
    Ok(bytes)
}

/// What a safetensors header says of a tensor whose payload begins at `start`, or why it cannot.
fn describe(tensor: &Tensor<'_>, start: usize) -> Result<(String, TensorInfo), String> {
    let name = tensor.name().ok_or("an unnamed tensor has no place in safetensors")?;
    if name == "__metadata__" {
        return Err("safetensors keeps this name for its metadata".into());
    }
    if tensor.quantization().is_some() {
        return Err("its quantization link has no place in safetensors".into());
    }
    let dtype = to_safetensors_dtype(tensor.dtype())
        .ok_or_else(|| format!("its dtype {} does not exist in safetensors", tensor.dtype()))?;
    if tensor.dtype().is_packed() && tensor.element_count() % 2 != 0 {
        return Err("safetensors has no packed tensor of an odd number of elements".into());
    }
    let shape = tensor.shape().iter().map(|&dimension| usize::try_from(dimension)).collect::<Result<_, _>>();
    let shape = shape.map_err(|_| "a dimension is above what this machine addresses")?;
    let end = start
        .checked_add(tensor.bytes().len())
        .ok_or("the payloads are above what this machine addresses")?;
    Ok((name.to_owned(), TensorInfo { dtype, shape, data_offsets: (start, end) }))
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

fn to_safetensors_dtype(dtype: Dtype) -> Option<StDtype> {
    DTYPES.iter().find(|(_, ours)| *ours == dtype).map(|(theirs, _)| *theirs)
}

/// Writes the metadata map beside the converted file, or says what was dropped.
fn keep_metadata(args: &Args, metadata: Option<HashMap<String, String>>) -> Result<Outcome, Failure> {
    let sorted: BTreeMap<String, String> = metadata.into_iter().flatten().collect();
    if let Some(path) = &args.metadata {
        let text = serde_json::to_string_pretty(&sorted).map_err(|error| Failure::at(path, error))?;
        write(path, |out| writeln!(out, "{text}"))?;
    } else if !sorted.is_empty() {
        let dropped: Vec<String> = sorted
            .iter()
            .map(|(key, value)| format!("{}={}", escape(key.as_bytes()), escape(value.as_bytes())))
            .collect();
        eprintln!(
            "kiln: {}: metadata dropped, keep it with --metadata FILE.json: {}",
            show(&args.source),
            dropped.join(", ")
        );
    }
    Ok(Outcome::Accepted)
}

fn read_metadata(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let text = fs::read(path).map_err(|error| Failure::at(path, error))?;
    serde_json::from_slice(&text)
        .map_err(|error| Failure::at(path, format_args!("not a JSON object of strings: {error}")))
}

/// Writes a file through a temporary one beside it, so that the old file stays until the new one is whole.
fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let fail = |error: io::Error| Failure::at(path, error);
    if is_stream(path) {
        let mut out = io::BufWriter::new(io::stdout().lock());
        fill(&mut out)?;
        return Ok(out.flush()?);
    }
    kiln::tensor::replace_file(path, |file| fill(file)).map_err(fail)
}
