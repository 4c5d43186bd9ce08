//! The type that a command reads or writes by.

use crate::input::is_stream;
use crate::output::{Failure, show};
use kiln::schema::{Schema, Type};
use std::fs;
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
    /// The type, for a command whose other input is `input`.
    pub(crate) fn load(&self, input: &Path) -> Result<Type, Failure> {
        match (&self.schema, &self.ty) {
            (Some(path), _) if is_stream(path) && is_stream(input) => {
                Err(Failure::new("standard input cannot be both the schema and the file"))
            }
            (Some(path), _) => schema(path).map(Schema::into_type),
            (None, Some(ty)) => Ok(ty.clone()),
            // The arguments demand one of them.
            (None, None) => Err(Failure::new("give --schema or --type")),
        }
    }
}

/// Reads a schema; what is wrong with it is a line for each fault.
pub(crate) fn schema(path: &Path) -> Result<Schema, Failure> {
    Schema::from_json(&text(path)?).map_err(|error| Failure::lines(lines(path, &error)))
}

/// The faults of a schema, each with the name of its file.
pub(crate) fn lines(path: &Path, error: &kiln::schema::SchemaError) -> Vec<String> {
    error.to_string().lines().map(|line| format!("{}: {line}", show(path))).collect()
}

/// The text of a file or of standard input.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if is_stream(path) {
            io::stdin().lock().read_to_end(&mut bytes)?;
            return Ok(bytes);
        }
        fs::read(path)
    };
    utf8(read().map_err(|error| Failure::at(path, error))?)
        .map_err(|at| Failure::at(path, format_args!("not UTF-8 from byte {at} on")))
}

/// Bytes as text, or where they stop being one.
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, usize> {
    String::from_utf8(bytes).map_err(|error| error.utf8_error().valid_up_to())
}
