//! The program `kiln`: checks, looks into, converts and diagnoses Kiln files.

// No file and no argument makes the program panic or wrap: where one of these would be found, it is said why it cannot.
// Nothing is printed but through `shown`.
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod caps;
mod cases;
mod check;
mod convert;
mod decode;
mod descriptor;
mod diagnose;
mod encode;
#[cfg(feature = "gen")]
mod r#gen;
mod hash;
mod input;
mod inspect;
mod leftovers;
mod levels;
mod map;
mod output;
mod place;
mod recognise;
mod scan;
mod schema;
mod shown;
mod types;

use clap::{Parser, Subcommand};
use kiln::arch::Level;
use kiln::tensor::Header;
use output::Failure;
use std::process::ExitCode;
use std::sync::LazyLock;

/// Check, look into, convert and diagnose Kiln files.
#[derive(Parser)]
#[command(
    name = "kiln",
    bin_name = "kiln",
    version = VERSION.as_str(),
    max_term_width = 100,
    after_help = "\
Exit status: 0 accepted, 1 rejected or different, 2 a usage, input or output error (2 wins).
A path of - is standard input."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The program's version, the wire's, and which of the inner loops run here.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let available: Vec<&str> = Level::available().map(Level::name).collect();
    format!(
        "{}\nwire    directories {}, profile {}\nlevels  {} is the best; available: {}",
        env!("CARGO_PKG_VERSION"),
        Header::VERSION,
        kiln::frame::FROZEN,
        Level::best().name(),
        available.join(", "),
    )
});

#[derive(Subcommand)]
enum Command {
    Check(check::Args),
    Inspect(inspect::Args),
    Diagnose(diagnose::Args),
    Convert(convert::Args),
    Scan(scan::Args),
    Cases(cases::Args),
    Hash(hash::Args),
    Schema(schema::Args),
    Decode(decode::Args),
    Encode(encode::Args),
    #[cfg(feature = "gen")]
    Gen(r#gen::Args),
    Levels(levels::Args),
}

/// How a command ended, when nothing kept it from ending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Accepted,
    Rejected,
    /// Something could not be read or written; it has been said on standard error.
    Failed,
}

fn main() -> ExitCode {
    output::fail_at_the_limit();
    let ended = match Cli::try_parse() {
        Ok(cli) => run(cli.command),
        Err(error) => shown::arguments(error),
    };
    match ended {
        Ok(Outcome::Accepted) => ExitCode::SUCCESS,
        Ok(Outcome::Rejected) => ExitCode::FAILURE,
        Ok(Outcome::Failed) => ExitCode::from(2),
        Err(error) if error.is_closed_pipe() => {
            // Whoever reads the output has seen enough, as with `kiln inspect … | head`. The program ends without a
            // word, and by the signal, so that it is not taken to have printed all.
            #[cfg(unix)]
            let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
            ExitCode::from(2)
        }
        Err(error) => {
            error.say();
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<Outcome, Failure> {
    match command {
        Command::Check(args) => check::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Diagnose(args) => diagnose::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Scan(args) => scan::run(&args),
        Command::Cases(args) => cases::run(&args),
        Command::Hash(args) => hash::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Encode(args) => encode::run(&args),
        #[cfg(feature = "gen")]
        Command::Gen(args) => r#gen::run(&args),
        Command::Levels(args) => levels::run(&args),
    }
}
