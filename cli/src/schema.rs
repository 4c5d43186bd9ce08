//! `kiln schema`

use crate::Outcome;
use crate::output::Failure;
use crate::place::{Named, distinct};
use crate::recognise::{self, Reads};
use crate::shown;
use crate::types;
use kiln::escape;
use kiln::schema::{Schema, Type};
use std::io::Write;
use std::path::PathBuf;

/// Print the type of a JSON Schema document: its text, its hash, its smallest encoding
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The document, or - for standard input
    #[arg(value_name = "SCHEMA.json", required_unless_present = "from_type", conflicts_with = "from_type")]
    path: Option<PathBuf>,
    /// Print the JSON Schema of this canonical type text instead
    #[arg(long, value_name = "TEXT", value_parser = types::parse)]
    from_type: Option<Type>,
    /// Print one JSON object
    #[arg(long, conflicts_with = "from_type")]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    if let Some(ty) = &args.from_type {
        return from_type(ty);
    }
    let Some(path) = &args.path else { return Err(Failure::new("give a document")) };
    distinct([Named::read("SCHEMA.json", path), Named::printed()])?;
    let document = types::document(path)?;
    let ty = match Schema::from_json(&document) {
        Ok(schema) => schema.into_type(),
        Err(error) if args.json => {
            let faults: Vec<serde_json::Value> = error.faults().iter().map(fault).collect();
            let facts = serde_json::json!({"accepted": false, "faults": faults, "more": error.has_more(),
                "hint": recognise::hint(document.as_bytes(), &Reads::Json),
            });
            shown::print(|out| Ok(out.json(&facts)?))?;
            return Ok(Outcome::Rejected);
        }
        Err(error) => {
            types::faults(path, &document, &error).say();
            return Ok(Outcome::Rejected);
        }
    };
    let (text, hash) = (ty.text().ok(), ty.hash().ok());
    if args.json {
        let facts = serde_json::json!({
            "accepted": true,
            "type": text,
            "hash": hash.map(|hash| format!("{hash:#018x}")),
            "recursive": ty.is_recursive(),
            "min_bytes": ty.min_len(),
            "fixed_size": ty.is_fixed(),
        });
        shown::print(|out| Ok(out.json(&facts)?))?;
        return Ok(Outcome::Accepted);
    }
    let none = |why: kiln::schema::TypeError| format!("none: {why}");
    let text = ty.text().map_or_else(none, |text| escape(text.as_bytes()).to_string());
    let hash = ty.hash().map_or_else(none, |hash| format!("{hash:#018x}"));
    shown::print(|out| {
        out.text(format_args!("type        {text}"))?;
        out.text(format_args!("hash        {hash}"))?;
        out.text(format_args!("min bytes   {}", ty.min_len()))?;
        out.text(format_args!("fixed size  {}", if ty.is_fixed() { "yes" } else { "no" }))?;
        Ok(Outcome::Accepted)
    })
}

fn fault(fault: &kiln::schema::SchemaFault) -> serde_json::Value {
    serde_json::json!({
        "pointer": fault.pointer(),
        "offset": fault.offset(),
        "line": fault.line(),
        "column": fault.column(),
        "message": fault.problem().to_string(),
    })
}

fn from_type(ty: &Type) -> Result<Outcome, Failure> {
    let document = match ty.to_json_schema() {
        Ok(document) => document,
        Err(error) => {
            shown::say(error);
            return Ok(Outcome::Rejected);
        }
    };
    // Laid out where serde_json reads so deep, else as it is.
    let document = match serde_json::from_str::<serde_json::Value>(&document) {
        Ok(value) => format!("{value:#}"),
        Err(_) => document,
    };
    crate::descriptor::open(1)?;
    writeln!(shown::Passed::json(shown::payload()), "{document}")?;
    Ok(Outcome::Accepted)
}
