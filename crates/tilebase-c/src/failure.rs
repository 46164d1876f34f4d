//! Errors and panics as codes and messages.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tilebase::pdb_core::BoardError;
use tilebase::pdb_search::SearchError;
use tilebase::shelf::OpenError;
use tilebase::text::{BoardTextError, MoveTextError};
use tilebase::{Error, Remedy};

use crate::types::Code;

/// Code and message of a failed call.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(Code::TilebaseErrorArgument, message)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = match error.remedy() {
            Some(remedy) => format!("{error}; {}", words(&remedy)),
            None => error.to_string(),
        };
        Self::new(code_of(&error), message)
    }
}

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Self {
        Self::new(Code::TilebaseErrorBoard, error.to_string())
    }
}

impl From<BoardTextError> for Failure {
    fn from(error: BoardTextError) -> Self {
        Error::from(error).into()
    }
}

impl From<MoveTextError> for Failure {
    fn from(error: MoveTextError) -> Self {
        Self::new(Code::TilebaseErrorMoves, error.to_string())
    }
}

/// Returns the words of a remedy, with the names of the header.
fn words(remedy: &Remedy) -> &'static str {
    match remedy {
        Remedy::ListSpecs => "the documentation lists the shipped specs",
        Remedy::Build(_) => "the flag TILEBASE_OPEN_BUILD builds it",
        Remedy::Replace | Remedy::Verify => {
            "remove the file, and build the table again with the flag TILEBASE_OPEN_BUILD"
        }
        Remedy::Unpack => "an archive (.pdb.zst) is unpacked on the command line",
        Remedy::Rename => "give the file its own name back",
        Remedy::MoreMemory => "give more with options.memory_bytes",
        Remedy::MoreSpace => "free some space or choose another folder with options.folder",
        Remedy::WritableFolder => "choose a folder that you may write to with options.folder",
        Remedy::Estimate => "choose a spec with smaller patterns",
        Remedy::OtherCheckpoint => "name another file for the checkpoint",
        Remedy::MergeIncomplete => "search the shards that hold them",
        Remedy::RateParts => "rate its parts one by one",
        Remedy::RateWithTables => "build its tables with the flag TILEBASE_OPEN_BUILD",
        Remedy::NameBlank => "or name the blank with tilebase_board_parse_with_blank",
        Remedy::NameColumns => "pass the cells of the board alone",
        Remedy::NameMoves(_) => "exchange U and D, and L and R",
        Remedy::WithNetworks => "choose another heuristic",
    }
}

fn code_of(error: &Error) -> Code {
    match error {
        Error::Goal { source } if matches!(**source, Error::Text(_)) => Code::TilebaseErrorBoard,
        Error::Board(_) | Error::Text(_) | Error::Invalid { .. } | Error::OfMany { .. } => {
            Code::TilebaseErrorBoard
        }
        Error::Moves(_) => Code::TilebaseErrorMoves,
        Error::TooManyBoards { .. }
        | Error::SeveralGoals { .. }
        | Error::Search(SearchError::SingleTiles { .. }) => Code::TilebaseErrorArgument,
        Error::Interrupted => Code::TilebaseErrorCancelled,
        Error::Search(SearchError::Inadmissible { .. }) => Code::TilebaseErrorSpec,
        Error::Spec(_)
        | Error::Engine(_)
        | Error::SeveralSpecs { .. }
        | Error::NoTable { .. }
        | Error::SeveralHeuristics { .. }
        | Error::File { .. }
        | Error::Unreadable { .. }
        | Error::Goal { .. }
        | Error::NoGoal { .. } => Code::TilebaseErrorSpec,
        Error::MissingTable { .. } | Error::NotGiven { .. } => Code::TilebaseErrorMissing,
        Error::Open(error) | Error::Damaged(error) => code_of_table(error),
        Error::NoFolder { .. }
        | Error::Input { .. }
        | Error::Threads { .. }
        | Error::InUse { .. } => Code::TilebaseErrorSystem,
        #[cfg(feature = "build")]
        Error::NoRoom(_) => Code::TilebaseErrorNoRoom,
        #[cfg(feature = "build")]
        Error::Build(error) => code_of_build(error),
        Error::Search(SearchError::Board(_)) => Code::TilebaseErrorBoard,
        // A search finds fault with its heuristic where the tables are damaged.
        Error::Search(_) => Code::TilebaseErrorTable,
        _ => Code::TilebaseErrorInternal,
    }
}

fn code_of_table(error: &OpenError) -> Code {
    match error {
        OpenError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            Code::TilebaseErrorMissing
        }
        OpenError::Io { .. } => Code::TilebaseErrorSystem,
        _ => Code::TilebaseErrorTable,
    }
}

#[cfg(feature = "build")]
fn code_of_build(error: &tilebase::pdb_gen::GenError) -> Code {
    use tilebase::pdb_gen::GenError;
    match error {
        GenError::Io { .. } | GenError::Threads { .. } => Code::TilebaseErrorSystem,
        GenError::Format { .. } | GenError::OtherTable { .. } => Code::TilebaseErrorTable,
        GenError::Memory { .. } | GenError::Budget { .. } => Code::TilebaseErrorNoRoom,
        GenError::Interrupted | GenError::Paused { .. } => Code::TilebaseErrorCancelled,
        _ => Code::TilebaseErrorBuild,
    }
}

thread_local! {
    /// Message of this thread's last failed call.
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// Returns the message of this thread's last failed call.
pub(crate) fn message() -> *const c_char {
    let message = MESSAGE.try_with(|message| message.borrow().as_ptr());
    // A thread that is about to end has no message any more.
    message.unwrap_or(c"".as_ptr())
}

/// Does the work of a function, keeps the message of a failure, and stops panics.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> Code {
    // A panic leaves nothing inconsistent: handles hold only data behind locks.
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Code::TilebaseOk,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::new(Code::TilebaseErrorInternal, text_of(&*panic)),
    };
    let text = failure.message.replace('\0', "\u{fffd}");
    let text = CString::new(text).unwrap_or_default();
    // Without a place for the message, the code still names the problem.
    let _ = MESSAGE.try_with(|message| message.replace(text));
    failure.code
}

/// Does the work of a function that returns no code; returns `otherwise` after a panic.
pub(crate) fn guarded_or<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a mistake in the library: {}", text.unwrap_or("it panicked"))
}

/// The names of the codes in the header, by number.
const NAMES: [&CStr; 15] = [
    c"TILEBASE_OK",
    c"TILEBASE_ERROR_NULL",
    c"TILEBASE_ERROR_ARGUMENT",
    c"TILEBASE_ERROR_STRUCT_SIZE",
    c"TILEBASE_ERROR_BOARD",
    c"TILEBASE_ERROR_MOVES",
    c"TILEBASE_ERROR_SPEC",
    c"TILEBASE_ERROR_MISSING",
    c"TILEBASE_ERROR_TABLE",
    c"TILEBASE_ERROR_NO_ROOM",
    c"TILEBASE_ERROR_SYSTEM",
    c"TILEBASE_ERROR_BUILD",
    c"TILEBASE_ERROR_CANCELLED",
    c"TILEBASE_ERROR_BUFFER",
    c"TILEBASE_ERROR_INTERNAL",
];

/// Returns the name of a code in the header.
pub(crate) fn name_of(code: i32) -> &'static CStr {
    usize::try_from(code)
        .ok()
        .and_then(|code| NAMES.get(code))
        .copied()
        .unwrap_or(c"an unknown code")
}
