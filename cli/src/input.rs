//! The bytes of a file or of standard input.

use crate::caps::Caps;
use crate::descriptor;
use crate::map::map;
use crate::output::Failure;
use kiln::tensor::{Directory, Header};
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Cursor, Read};
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
    /// Opens `path`; `-` is standard input. What comes from a stream is kept in memory, `caps` allowing.
    pub(crate) fn open(path: &Path, options: &Options, caps: &Caps) -> Result<Input, Failure> {
        Input::begin(path, options)?.whole(path, caps.owned())
    }

    /// The same for a directory. A stream is read no further when its header is already refused.
    pub(crate) fn open_directory(path: &Path, options: &Options, caps: &Caps) -> Result<Input, Failure> {
        let mut begun = Input::begin(path, options)?;
        if let Begun::Stream(stream) = &mut begun {
            let mut bytes = Vec::new();
            let header = stream.by_ref().take(Header::LEN as u64).read_to_end(&mut bytes);
            header.map_err(|error| Failure::at(path, error))?;
            let refused = Directory::read_with(&bytes, &caps.limits()).err().and_then(|error| error.step());
            // Later steps look behind the header.
            if bytes.len() < Header::LEN || refused.is_some_and(|step| step <= 4) {
                return Ok(Input::Owned(bytes));
            }
            let stream = std::mem::replace(stream, Box::new(io::empty()));
            begun = Begun::Stream(Box::new(Cursor::new(bytes).chain(stream)));
        }
        begun.whole(path, caps.owned())
    }

    fn begin(path: &Path, options: &Options) -> Result<Begun, Failure> {
        Input::try_begin(path, options.no_mmap).map_err(|error| Failure::at(path, error))
    }

    fn try_begin(path: &Path, no_mmap: bool) -> io::Result<Begun> {
        if is_stream(path) {
            descriptor::open(0)?;
            return Ok(Begun::Stream(Box::new(io::stdin().lock())));
        }
        Begun::of(File::open(path)?, no_mmap)
    }

    /// Opens a file that was found and not named: only if it is a regular one, and without waiting for anybody.
    pub(crate) fn open_found(path: &Path, options: &Options, caps: &Caps) -> Result<Option<Input>, Failure> {
        match Input::try_begin_found(path, options.no_mmap) {
            Ok(Some(begun)) => begun.whole(path, caps.owned()).map(Some),
            Ok(None) => Ok(None),
            Err(error) => Err(Failure::at(path, error)),
        }
    }

    fn try_begin_found(path: &Path, no_mmap: bool) -> io::Result<Option<Begun>> {
        let mut open = File::options();
        open.read(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            open.custom_flags(i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0));
        }
        let file = open.open(path)?;
        if !file.metadata()?.is_file() {
            return Ok(None);
        }
        Begun::of(file, no_mmap).map(Some)
    }
}

/// An input that is open.
enum Begun {
    Whole(Input),
    Stream(Box<dyn Read>),
}

impl Begun {
    fn of(mut file: File, no_mmap: bool) -> io::Result<Begun> {
        let facts = file.metadata()?;
        // Pipes and devices have no length to map, and an empty file cannot be mapped; those of /proc say that they are
        // empty and are not.
        if !facts.is_file() || facts.len() == 0 {
            return Ok(Begun::Stream(Box::new(file)));
        }
        if !no_mmap {
            return map(&file).map(Input::Mapped).map(Begun::Whole);
        }
        let mut bytes = Vec::new();
        // As long as it was when it was opened: somebody may be appending to it, and never end.
        file.by_ref().take(facts.len()).read_to_end(&mut bytes)?;
        Ok(Begun::Whole(Input::Owned(bytes)))
    }

    fn whole(self, path: &Path, most: u64) -> Result<Input, Failure> {
        match self {
            Begun::Whole(input) => Ok(input),
            Begun::Stream(stream) => read_stream(path, stream, most).map(Input::Owned),
        }
    }
}

/// All that comes from a stream, if it is no more than `most`, which an option of the command says.
pub(crate) fn read_stream(path: &Path, stream: impl Read, most: u64) -> Result<Vec<u8>, Failure> {
    read_most(path, stream, most)?.ok_or_else(|| {
        let why = "what comes from a stream is kept in memory (--max-owned N allows more)";
        Failure::at(path, format_args!("more than {most} bytes came, and {why}"))
    })
}

/// All that comes from a stream, or nothing if it is more than `most`.
pub(crate) fn read_most(path: &Path, stream: impl Read, most: u64) -> Result<Option<Vec<u8>>, Failure> {
    let mut bytes = Vec::new();
    let read = stream.take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Failure::at(path, error))?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}
