//! safetensors on the other side: what each format has no place for is refused.

use kiln::escape;
use kiln::tensor::{Builder, Directory, Dtype, Tensor};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype as StDtype, Metadata, TensorInfo};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Why one side cannot say what the other holds, and where.
pub(crate) struct Refusal {
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

/// A builder over the payloads of a safetensors file, in the order in which they lie, and its metadata.
pub(crate) fn from_safetensors(
    bytes: &[u8],
) -> Result<(Builder<'_>, Option<HashMap<String, String>>), Refusal> {
    let (header, metadata) = SafeTensors::read_metadata(bytes).map_err(Refusal::new)?;
    let (_, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| Refusal::new("there is no header"))?;
    let (header, payloads) =
        rest.split_at_checked(header).ok_or_else(|| Refusal::new("the header is cut"))?;
    let mut builder = Builder::new();
    for (index, name) in ordered_names(&metadata, header)?.into_iter().enumerate() {
        let refuse = |why: &dyn fmt::Display| Refusal::of(index, &name, why);
        let info =
            metadata.info(&name).ok_or_else(|| refuse(&"the header lists it and does not describe it"))?;
        let dtype = to_kiln(info.dtype)
            .ok_or_else(|| refuse(&format_args!("its dtype {} does not exist in Kiln", info.dtype)))?;
        if name.is_empty() {
            return Err(refuse(&"an empty name would be no name in Kiln"));
        }
        let shape: Vec<u64> = info.shape.iter().map(|&dimension| dimension as u64).collect();
        let (start, end) = info.data_offsets;
        let payload = payloads.get(start..end).ok_or_else(|| refuse(&"its payload is not in the file"))?;
        builder.push_bytes(name.clone(), dtype, &shape, payload).map_err(Refusal::new)?;
    }
    Ok((builder, metadata.metadata().clone()))
}

/// The names in the order of their payloads; empty payloads that lie at one offset keep the order of the
/// header's text, which the crate's map has lost.
fn ordered_names(metadata: &Metadata, header: &[u8]) -> Result<Vec<String>, Refusal> {
    let mut names = metadata.offset_keys();
    let offsets = |name: &str| metadata.info(name).map(|info| info.data_offsets);
    let mut pairs = names.iter().zip(names.iter().skip(1));
    if pairs.any(|(first, second)| offsets(first) == offsets(second)) {
        let text: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(Refusal::new)?;
        let places: HashMap<&str, usize> = text.keys().map(String::as_str).zip(0..).collect();
        names.sort_by_key(|name| (offsets(name), places.get(name.as_str()).copied()));
    }
    Ok(names)
}

/// The header of the safetensors file with these tensors, its length in front.
pub(crate) fn to_safetensors(
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
