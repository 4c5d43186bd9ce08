//! `kiln hash`

use crate::Outcome;
use crate::output::Failure;
use crate::shown;
use kiln::schema::Type;

/// Print the schema hash of a canonical type text
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The type text, such as 'struct{id:i64,batch:tensors,}'
    text: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let ty = Type::parse(&args.text).map_err(Failure::new)?;
    let hash = ty.hash().map_err(Failure::new)?;
    if args.json {
        let facts = serde_json::json!({
            "type": ty.to_string(),
            "hash": format!("{hash:#018x}"),
            "min_bytes": ty.min_len(),
        });
        shown::print(|out| Ok(out.json(&facts)?))?;
    } else {
        shown::print(|out| Ok(out.text(format_args!("{hash:#018x}"))?))?;
    }
    Ok(Outcome::Accepted)
}
