//! The command line of Tilebase: one file per subcommand in `commands`, and what they share.
//!
//! Results go to standard output, everything else to standard error. Exit codes: 0 good, 1 the
//! answer is bad or there is none, 2 wrong usage, 130 interrupted.
//!
//! Whatever a program could want of this without a command line is in the library `tilebase`: this one has
//! [`run`] alone, for programs that are this command line in a particular place, as `tilebase-mpi` is.
//!
//! ```
//! use tilebase_cli::{Place, run};
//!
//! // The exit code of wrong usage.
//! assert_eq!(run(["tilebase".into(), "sovle".into()], Place::default()), 2);
//! ```
//!
//! Read next: `commands`, one file each.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod explanation;
mod failure;
mod folder;
mod help;
mod interrupt;
mod output;
mod picture;
#[cfg(feature = "play")]
mod play;
mod progress;
mod record;
mod solutions;
mod solver;
mod specs;

use std::ffi::OsString;
use std::io::Write;
use std::sync::{Arc, OnceLock};

use clap::Parser;
use tilebase::Crew;

use crate::commands::Command;
use crate::output::{Output, error_line, terminal_text};
use crate::progress::Progress;

/// Solves sliding-tile puzzles optimally with pattern databases: builds the tables, checks them,
/// ships them and searches with them.
#[derive(Debug, Parser)]
#[command(name = "tilebase", version, arg_required_else_help = true)]
#[command(after_help = after_help())]
struct Cli {
    /// No progress and no notes on standard error
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

fn after_help() -> String {
    let exit_codes = "Exit codes: 0 good; 1 an answer is bad (unsolvable, invalid, damaged, limit hit) \
        or the work failed; 2 wrong usage; 130 interrupted.";
    let examples = help::examples(&[
        ("solve a board; its tables are built first", "tilebase solve \"8 6 7/2 5 4/3 0 1\""),
        ("see which specs there are, and what they take", "tilebase specs --long"),
        ("build a spec for boards to come", "tilebase build 15/7-8"),
    ]);
    format!("{exit_codes}\n\n{examples}")
}

/// Where the command line runs.
#[derive(Debug, Default)]
pub struct Place {
    /// Others who search and build too.
    pub crew: Option<Arc<dyn Crew>>,
    /// How many threads work here, unless the arguments say otherwise. Default: one for each core.
    pub thread_count: Option<usize>,
}

static PLACE: OnceLock<Place> = OnceLock::new();
/// The arguments that [`run`] was given.
static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();

impl Place {
    /// The place of this process.
    fn here() -> &'static Self {
        PLACE.get_or_init(Self::default)
    }
}

/// Prints a message of the argument parser; ignores a failure to do so. The parser repeats arguments
/// unescaped, so a message about arguments with control characters is printed as plain escaped text.
fn print_usage(error: &clap::Error, args: &[OsString]) {
    let is_printable = |arg: &OsString| {
        let arg = arg.to_string_lossy();
        terminal_text(&arg) == arg
    };
    if error.use_stderr() && !args.iter().all(is_printable) {
        error_line(error.render().to_string().trim_end());
    } else {
        let _ = error.print();
    }
}

/// Does what arguments say, the first of which is the program's name, and gives the exit code. A process
/// does this once.
pub fn run(args: impl IntoIterator<Item = OsString>, place: Place) -> u8 {
    // Nobody has asked for the place before.
    let _ = PLACE.set(place);
    let args: Vec<_> = args.into_iter().collect();
    let _ = ARGUMENTS.set(args.clone());
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(error) => {
            print_usage(&error, &args);
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let progress = Progress::new(cli.quiet);
    let mut output = Output::stdout();
    // Without it the process ends at the same moment, by the system's signal.
    let _ = tilebase::outlive_cut_files();
    let result = interrupt::listen()
        .and_then(|()| cli.command.run(&mut output, progress))
        .and_then(|verdict| {
            output.flush()?;
            Ok(verdict)
        });
    match result {
        Ok(verdict) => verdict.exit_code(interrupt::is_set()),
        Err(error) => {
            // What was finished before is worth reading; the error itself says what was not.
            let _ = output.flush();
            output::report(&error);
            if interrupt::is_set() { interrupt::EXIT_CODE } else { failure::exit_code(&error) }
        }
    }
}
