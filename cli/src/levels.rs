//! `kiln levels`, and the option that chooses one.

use crate::Outcome;
use crate::output::Failure;
use crate::shown;
use kiln::arch::Level;

/// List the sets of instructions that the inner loops are compiled for, and which this processor has
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object a level
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    shown::print(|out| list(args, out))?;
    Ok(Outcome::Accepted)
}

fn list(args: &Args, out: &mut shown::Lines) -> Result<(), Failure> {
    for &level in Level::ALL {
        let (available, in_use) = (level.is_available(), level == Level::current());
        if args.json {
            let facts = serde_json::json!({"level": level.name(), "available": available, "in_use": in_use});
            out.json(&facts)?;
        } else {
            let note = match (available, in_use) {
                (_, true) => "available, in use",
                (true, false) => "available",
                (false, false) => "not on this processor",
            };
            out.text(format_args!("{level:<8} {note}"))?;
        }
    }
    Ok(())
}

/// Which level the inner loops run at.
#[derive(clap::Args)]
pub(crate) struct Choice {
    /// Run the inner loops at this level instead of the best that the processor has; kiln levels lists them
    #[arg(long, value_parser = parse)]
    level: Option<Level>,
}

fn parse(name: &str) -> Result<Level, String> {
    Level::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
        format!("the levels are {}", names.join(", "))
    })
}

impl Choice {
    /// Makes it the level of this process.
    pub(crate) fn apply(&self) -> Result<(), Failure> {
        self.level.map_or(Ok(()), |level| level.force().map_err(Failure::new))
    }
}
