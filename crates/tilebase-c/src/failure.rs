//! Errors as codes and messages, and what becomes of panics.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tilebase::Error;
use tilebase::pdb_core::{BoardError, MoveError};
use tilebase::pdb_rt::OpenError;
use tilebase::pdb_search::SearchError;

use crate::Code;

/// Why a call did not do what it says.
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
        // The fields of `tilebase_open_options` that say it.
        Self::new(code_of(&error), error.message("options.memory_bytes", "options.folder"))
    }
}

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Self {
        Self::new(Code::TilebaseErrorBoard, error.to_string())
    }
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Self {
        Self::new(Code::TilebaseErrorMoves, error.to_string())
    }
}

fn code_of(error: &Error) -> Code {
    match error {
        Error::Board(_) | Error::Text(_) | Error::Invalid { .. } | Error::OfMany { .. } => {
            Code::TilebaseErrorBoard
        }
        Error::TooManyBoards { .. } => Code::TilebaseErrorArgument,
        Error::Interrupted => Code::TilebaseErrorCancelled,
        Error::Search(SearchError::Inadmissible { .. }) => Code::TilebaseErrorSpec,
        Error::Spec(_)
        | Error::Engine(_)
        | Error::SeveralSpecs { .. }
        | Error::NoTable { .. }
        | Error::SeveralHeuristics { .. }
        | Error::File { .. }
        | Error::Unreadable { .. }
        | Error::Goal { .. } => Code::TilebaseErrorSpec,
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
        // What a search finds wrong with its heuristic is wrong with the tables.
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
        OpenError::TooManyPatterns { .. } | OpenError::TooManyPartitions { .. } => {
            Code::TilebaseErrorSpec
        }
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
    /// What the last call of this thread that failed says.
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// The message of the last call of this thread that failed.
pub(crate) fn message() -> *const c_char {
    let message = MESSAGE.try_with(|message| message.borrow().as_ptr());
    // A thread that is about to end has none any more.
    message.unwrap_or(c"".as_ptr())
}

/// Does the work of a function, keeps its message and lets no panic through.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> Code {
    // What a panic leaves behind is not used again: handles only hold what is behind locks that outlive it.
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Code::TilebaseOk,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::new(Code::TilebaseErrorInternal, text_of(&*panic)),
    };
    let text = failure.message.replace('\0', "\u{fffd}");
    let text = CString::new(text).unwrap_or_default();
    // Where there is no message any more, the code still says what is wrong.
    let _ = MESSAGE.try_with(|message| message.replace(text));
    failure.code
}

/// The same for a function that returns no code: `otherwise` is what it returns on a panic.
pub(crate) fn guarded_or<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a mistake in the library: {}", text.unwrap_or("it panicked"))
}

/// The name of a code, as the header has it.
pub(crate) fn name_of(code: i32) -> &'static CStr {
    match code {
        0 => c"TILEBASE_OK",
        1 => c"TILEBASE_ERROR_NULL",
        2 => c"TILEBASE_ERROR_ARGUMENT",
        3 => c"TILEBASE_ERROR_STRUCT_SIZE",
        4 => c"TILEBASE_ERROR_BOARD",
        5 => c"TILEBASE_ERROR_MOVES",
        6 => c"TILEBASE_ERROR_SPEC",
        7 => c"TILEBASE_ERROR_MISSING",
        8 => c"TILEBASE_ERROR_TABLE",
        9 => c"TILEBASE_ERROR_NO_ROOM",
        10 => c"TILEBASE_ERROR_SYSTEM",
        11 => c"TILEBASE_ERROR_BUILD",
        12 => c"TILEBASE_ERROR_CANCELLED",
        13 => c"TILEBASE_ERROR_BUFFER",
        14 => c"TILEBASE_ERROR_INTERNAL",
        _ => c"an unknown code",
    }
}
