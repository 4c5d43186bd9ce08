//! The type that a command reads or writes by.

use crate::descriptor;
use crate::input::{is_stream, read_most, read_stream};
use crate::output::{Failure, show};
use crate::place::Named;
use crate::recognise::{self, Reads};
use kiln::Limits;
use kiln::schema::{Schema, SchemaError, Type};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where the type comes from.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Source {
    /// A JSON Schema document of the type, or - for standard input
    #[arg(long, value_name = "SCHEMA.json")]
    schema: Option<PathBuf>,
    /// The canonical type text
    #[arg(long = "type", value_name = "TEXT", value_parser = parse)]
    ty: Option<Type>,
}

/// The type that a type text names.
pub(crate) fn parse(text: &str) -> Result<Type, String> {
    Type::parse(text).map_err(|error| error.to_string())
}

impl Source {
    /// The document, to be told apart from the other paths of the command.
    pub(crate) fn named(&self) -> Option<Named<'_>> {
        self.schema.as_deref().map(|path| Named::read("--schema", path))
    }

    /// The type.
    pub(crate) fn load(&self) -> Result<Type, Failure> {
        match (&self.schema, &self.ty) {
            (Some(path), _) => schema(path).map(Schema::into_type),
            (None, Some(ty)) => Ok(ty.clone()),
            // The arguments demand one of them.
            (None, None) => Err(Failure::new("give --schema or --type")),
        }
    }
}

/// Reads a schema; what is wrong with it is a line for each fault.
pub(crate) fn schema(path: &Path) -> Result<Schema, Failure> {
    let text = document(path)?;
    Schema::from_json(&text).map_err(|error| faults(path, &text, &error))
}

/// The faults of a schema, each with the name of its file; beside the first what it is instead.
pub(crate) fn faults(path: &Path, text: &str, error: &SchemaError) -> Failure {
    let mut hint = recognise::aside(text.as_bytes(), &Reads::Json);
    let lines = error.to_string();
    let lines = lines.lines().map(|line| format!("{}: {line}{}", show(path), std::mem::take(&mut hint)));
    Failure::lines(lines.collect())
}

/// The longest schema that is read.
const MOST: u64 = Limits::DEFAULT.owned;

/// The text of a schema.
pub(crate) fn document(path: &Path) -> Result<String, Failure> {
    text_within(path, MOST, "a schema")
}

/// The text of a file or of standard input that is `what`, and has at most so many bytes.
pub(crate) fn text_within(path: &Path, most: u64, what: &str) -> Result<String, Failure> {
    let bytes = read_most(path, open(path)?, most)?;
    text_of(path, bytes.ok_or_else(|| Failure::at(path, format_args!("{what} of more than {most} bytes")))?)
}

/// The text of a file or of standard input, of at most so many bytes as an option says.
pub(crate) fn text(path: &Path, most: u64) -> Result<String, Failure> {
    text_of(path, read_stream(path, open(path)?, most)?)
}

/// Opens a file or standard input.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    let opened: io::Result<Box<dyn Read>> = match is_stream(path) {
        true => descriptor::open(0).map(|()| Box::new(io::stdin().lock()) as _),
        false => File::open(path).map(|file| Box::new(file) as _),
    };
    opened.map_err(|error| Failure::at(path, error))
}

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let hint = recognise::aside(error.as_bytes(), &Reads::Json);
        Failure::at(path, format_args!("not UTF-8 from byte {} on{hint}", error.utf8_error().valid_up_to()))
    })
}
