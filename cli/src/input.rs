//! The bytes of a file or of standard input.

use crate::map::map;
use crate::output::Failure;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

/// How files are opened.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Read files whole instead of mapping them: for files that others may change or cut short meanwhile, and
    /// for network disks
    #[arg(long)]
    pub(crate) no_mmap: bool,
}

/// The bytes, mapped or owned.
pub(crate) enum Input {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Input::Mapped(map) => map,
            Input::Owned(bytes) => bytes,
        }
    }
}

/// Whether the path is standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Input {
    /// Opens `path`; `-` is standard input.
    pub(crate) fn open(path: &Path, options: &Options) -> Result<Input, Failure> {
        Input::try_open(path, options.no_mmap).map_err(|error| Failure::at(path, error))
    }

    fn try_open(path: &Path, no_mmap: bool) -> io::Result<Input> {
        let mut bytes = Vec::new();
        if is_stream(path) {
            io::stdin().lock().read_to_end(&mut bytes)?;
            return Ok(Input::Owned(bytes));
        }
        let mut file = File::open(path)?;
        let facts = file.metadata()?;
        // Pipes and devices have no length to map, and an empty file cannot be mapped.
        if facts.is_file() && facts.len() > 0 && !no_mmap {
            return map(&file).map(Input::Mapped);
        }
        file.read_to_end(&mut bytes)?;
        Ok(Input::Owned(bytes))
    }
}

/// Advice for a file that is rejected at its very beginning, where another format's first bytes are.
pub(crate) fn hint(bytes: &[u8], offset: u64) -> Option<&'static str> {
    if offset >= 16 { None } else { looks_like(bytes) }
}

/// The same at the end of a line.
pub(crate) fn hint_text(bytes: &[u8], offset: u64) -> String {
    hint(bytes, offset).map_or(String::new(), |hint| format!(" (this looks like {hint})"))
}

fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    const MAGICS: [(&[u8], &str); 10] = [
        (b"KLNT", "a tensor directory; leave out --type and --framed"),
        (b"KLN0", "a framed value; give --framed and --type"),
        (b"GGUF", "a GGUF file"),
        (b"PK\x03\x04", "a zip archive, perhaps a PyTorch or NumPy file"),
        (b"\x93NUMPY", "a NumPy file"),
        (b"\x89HDF", "an HDF5 file"),
        (b"PAR1", "a Parquet file"),
        (b"ARROW1", "an Arrow file"),
        (b"\x28\xb5\x2f\xfd", "compressed with zstd; decompress it first"),
        (b"\x1f\x8b", "compressed with gzip; decompress it first"),
    ];
    if let Some((_, hint)) = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(hint);
    }
    let header = u64::from_le_bytes(*bytes.first_chunk()?);
    (bytes.get(8) == Some(&b'{') && header < bytes.len() as u64)
        .then_some("a safetensors file; kiln convert reads it")
}
