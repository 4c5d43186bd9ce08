//! `kiln gen`

use crate::Outcome;
use crate::input::is_stream;
use crate::output::{Failure, Unwritten, reject, write};
use crate::place::{Named, distinct};
use crate::shown::Passed;
use crate::types;
use kiln::escape;
use kiln::schema::{RustOptions, Schema};
use std::convert::Infallible;
use std::io::Write;
use std::path::PathBuf;

/// Print Rust that derives the type of a JSON Schema document
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The document, or - for standard input
    #[arg(value_name = "SCHEMA.json")]
    path: PathBuf,
    /// The file to write, whole or not at all; - is standard output
    #[arg(long, short, value_name = "OUT.rs", default_value = "-")]
    output: PathBuf,
    /// The name of the whole type; without it that of the title, of the definition, of the file
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Assert at compile time that the type has the hash of the schema, which frames carry
    #[arg(long)]
    framed: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    distinct([Named::read("SCHEMA.json", &args.path), Named::write("--output", &args.output)])?;
    let text = types::document(&args.path)?;
    let schema = match Schema::from_json(&text) {
        Ok(schema) => schema,
        Err(error) => {
            types::faults(&args.path, &text, &error).say();
            return Ok(Outcome::Rejected);
        }
    };
    let mut options = RustOptions::new().framed(args.framed);
    if let Some(name) = &args.name {
        options = options.name(name);
    }
    if let (false, Some(stem)) = (is_stream(&args.path), args.path.file_stem()) {
        options = options.fallback(&stem.to_string_lossy());
    }
    let rust = match schema.to_rust(&options) {
        Ok(rust) => rust,
        Err(error) => return Ok(reject(&args.path, error)),
    };
    let source = args.path.file_name().map_or("-".into(), |name| escape(name.as_encoded_bytes()).to_string());
    let header = format!("// Generated from {source} by `kiln gen`; edit that, not this.\n\n");
    let written = write(&args.output, |out| {
        let mut out = Passed::rust(out);
        out.write_all(header.as_bytes())?;
        Ok::<(), Unwritten<Infallible>>(out.write_all(rust.as_bytes())?)
    });
    match written? {
        Ok(()) => Ok(Outcome::Accepted),
    }
}
