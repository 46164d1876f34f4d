//! The command line of Tilebase: one file per subcommand in `commands`, and their shared code.
//!
//! Results go to standard output, everything else to standard error. Exit codes: 0 if all answers
//! are good; 1 if an answer is bad, such as an unsolvable board or a damaged table, or if the
//! command failed; 2 for wrong usage; 130 after an interrupt.
//!
//! Programs that need no command line use the library `tilebase`. This crate exports only [`run`]
//! and [`message`], for programs that run this command line in a special environment, such as
//! `tilebase-mpi`.
//!
//! ```
//! use tilebase_cli::{Surroundings, run};
//!
//! // `sovle` is not a subcommand, so this is wrong usage.
//! assert_eq!(run(["tilebase".into(), "sovle".into()], Surroundings::default()), 2);
//! ```
//!
//! Read next: `commands`, which has a file for each subcommand.

mod advice;
mod args;
mod choices;
mod commands;
mod console;
mod explanation;
mod failure;
mod help;
mod interrupt;
mod output;
#[cfg(feature = "pictures")]
mod picture;
#[cfg(feature = "play")]
mod play;
mod progress;
mod record;
mod resume;
mod solutions;
mod solver_args;

use std::ffi::OsString;
use std::io::Write;
use std::sync::{Arc, OnceLock};

use clap::Parser;
use tilebase::crew::Crew;
use tilebase::text::read_board;

pub use crate::advice::message;
use crate::commands::{Command, INSTALLING};
use crate::console::Console;
use crate::output::{error_line, terminal_text};
use crate::progress::ProgressDisplay;

/// Solves sliding-tile puzzles optimally with pattern databases: builds the tables, checks them,
/// ships them and searches with them.
#[derive(Debug, Parser)]
// On Windows the file has another name, tilebase.exe.
#[command(name = "tilebase", bin_name = "tilebase", version, arg_required_else_help = true)]
#[command(after_help = after_help())]
struct Cli {
    /// Print no progress and no notes on standard error
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

fn after_help() -> String {
    let exit_codes = "Exit codes: 0 success; 1 an answer is bad (unsolvable, invalid, damaged, limit \
        reached) or the command failed; 2 wrong usage; 130 interrupted.";
    let examples = help::examples(&[
        ("solve a board; missing tables are built first", "tilebase solve \"8 6 7/2 5 4/3 0 1\""),
        ("list all specs and the size of their tables", "tilebase specs --long"),
        ("build the tables of a spec", "tilebase build 15/7-8"),
    ]);
    let absent = match &*commands::absent().join(", ") {
        "" => String::new(),
        list => {
            format!("Not in this build: {list}. To have all, in a checkout:\n  {INSTALLING}\n\n")
        }
    };
    format!("{exit_codes}\n\n{absent}{examples}")
}

/// Services of the program that calls [`run`], in addition to its arguments.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Further processes that search and build together with this one.
    pub crew: Option<Arc<dyn Crew>>,
    /// Number of threads unless `--threads` is given. Default: one per core.
    pub thread_count: Option<usize>,
}

static SURROUNDINGS: OnceLock<Surroundings> = OnceLock::new();
/// The arguments of [`run`].
static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();

impl Surroundings {
    /// Returns the surroundings of this process.
    fn here() -> &'static Self {
        SURROUNDINGS.get_or_init(Self::default)
    }
}

/// Prints a message of the argument parser; ignores a failure to do so. The parser repeats
/// arguments without escaping them, so a message about arguments with control characters is printed
/// as plain escaped text.
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

/// Returns an argument with a space before it, if it is a board that begins with a dash. The parser
/// then takes it for no option.
fn as_value(arg: &OsString) -> OsString {
    let is_board = |text: &&str| text.starts_with('-') && read_board(text, None).is_ok();
    let text = arg.to_str().filter(is_board);
    text.map_or_else(|| arg.clone(), |text| format!(" {text}").into())
}

/// Runs a command line, which begins with the program's name, and returns the exit code. A process
/// may call this only once.
pub fn run(args: impl IntoIterator<Item = OsString>, surroundings: Surroundings) -> u8 {
    let _ = SURROUNDINGS.set(surroundings);
    let args: Vec<_> = args.into_iter().collect();
    let _ = ARGUMENTS.set(args.clone());
    let cli = match Cli::try_parse_from(args.iter().map(as_value)) {
        Ok(cli) => cli,
        Err(error) => {
            print_usage(&error, &args);
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let mut console =
        Console { output: output::stdout(), progress: ProgressDisplay::new(cli.quiet) };
    // If a mapped table is truncated, the system sends a signal that would end the process
    // immediately without this call.
    let _ = tilebase::shelf::outlive_cut_files();
    let result =
        interrupt::listen().and_then(|()| cli.command.run(&mut console)).and_then(|verdict| {
            console.flush()?;
            Ok(verdict)
        });
    match result {
        Ok(verdict) => verdict.exit_code(interrupt::is_set()),
        Err(error) => {
            // Answers that were finished before the error are still printed.
            let _ = console.flush();
            error_line(format_args!("error: {}", failure::text(&error)));
            if interrupt::is_set() { interrupt::EXIT_CODE } else { failure::exit_code(&error) }
        }
    }
}
