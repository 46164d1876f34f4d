//! Ends of commands: verdicts, errors, exit codes.

use std::error::Error;
use std::fmt;

use tilebase::Remedy;

use crate::advice::advised;
use crate::interrupt;

/// Verdict of a finished command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// All answers are good.
    Good,
    /// An answer is bad, and the output names it.
    Bad,
    /// A signal ended the command, which is its usual end.
    #[cfg(feature = "serve")]
    Ended,
}

impl Verdict {
    /// Returns [`Good`](Self::Good) if `good` is true, otherwise [`Bad`](Self::Bad).
    pub(crate) fn of(good: bool) -> Self {
        if good { Self::Good } else { Self::Bad }
    }

    /// Returns the exit code of a program that `was_interrupted` or not.
    pub(crate) fn exit_code(self, was_interrupted: bool) -> u8 {
        match self {
            #[cfg(feature = "serve")]
            Self::Ended => 0,
            _ if was_interrupted => interrupt::EXIT_CODE,
            Self::Good => 0,
            Self::Bad => 1,
        }
    }
}

/// Error of a command line that cannot be executed.
#[derive(Debug)]
struct Usage(String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Usage {}

/// Returns the error of wrong usage.
pub(crate) fn usage(problem: impl fmt::Display) -> anyhow::Error {
    Usage(problem.to_string()).into()
}

/// Returns 2 for wrong usage or a bad spec, and 1 for work that failed.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    let is_usage = |cause: &(dyn Error + 'static)| {
        let error: Option<&tilebase::Error> = cause.downcast_ref();
        cause.is::<Usage>() || error.is_some_and(|error| error.kind().is_usage())
    };
    if error.chain().any(is_usage) { 2 } else { 1 }
}

fn remedy(cause: &(dyn Error + 'static)) -> Option<Remedy> {
    let error: Option<&tilebase::Error> = cause.downcast_ref();
    error.map_or_else(|| Remedy::of(cause), tilebase::Error::remedy)
}

/// Returns an error and its causes, with advice.
pub(crate) fn text(error: &anyhow::Error) -> String {
    let mut text = String::new();
    let drawing = |cause: &(dyn Error + 'static)| {
        let error: Option<&tilebase::Error> = cause.downcast_ref();
        error.map_or_else(|| cause.to_string(), tilebase::Error::drawing)
    };
    for cause in error.chain().map(drawing) {
        // The libraries' messages already end with their cause.
        if !text.contains(&cause) {
            text = if text.is_empty() { cause } else { format!("{text}: {cause}") };
        }
    }
    advised(text, error.chain().find_map(remedy))
}
