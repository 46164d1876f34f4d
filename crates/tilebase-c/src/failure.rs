//! Errors and panics as codes and messages.

use std::any::Any;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tilebase::pdb_core::BoardError;
use tilebase::text::{BoardTextError, MoveTextError};
use tilebase::{Error, ErrorKind, Remedy, advised};

use crate::last;
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
        let message = advised(&error, error.remedy().as_ref().map(words));
        Self::new(code_of(error.kind()), message)
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
        Remedy::Replace => {
            "remove the file, and build the table again with the flag TILEBASE_OPEN_BUILD"
        }
        Remedy::MoreMemory => "give more with options.memory_bytes",
        Remedy::Unpack => "an archive (.pdb.zst) is unpacked on the command line",
        Remedy::OtherFolder => "choose another folder with options.folder",
        Remedy::OtherCheckpoint => "name another file for the checkpoint",
        Remedy::MergeIncomplete => "search the shards that hold them",
        Remedy::NameBlank => "or name the blank with tilebase_board_parse_with_blank",
        Remedy::NameColumns => "pass the cells of the board alone",
        Remedy::NamePairs => "pass the board and the goal apart",
        Remedy::NameMoves(_) => "exchange U and D, and L and R",
        Remedy::WithNetworks => "choose another heuristic",
    }
}

fn code_of(kind: ErrorKind) -> Code {
    match kind {
        ErrorKind::Board | ErrorKind::Unsolvable => Code::TilebaseErrorBoard,
        ErrorKind::Moves => Code::TilebaseErrorMoves,
        ErrorKind::Argument | ErrorKind::TooLarge => Code::TilebaseErrorArgument,
        ErrorKind::Spec | ErrorKind::File => Code::TilebaseErrorSpec,
        ErrorKind::MissingTable => Code::TilebaseErrorMissing,
        ErrorKind::WrongTable | ErrorKind::DamagedTable => Code::TilebaseErrorTable,
        ErrorKind::NoRoom => Code::TilebaseErrorNoRoom,
        ErrorKind::System | ErrorKind::Folder | ErrorKind::TableFile => Code::TilebaseErrorSystem,
        ErrorKind::Build => Code::TilebaseErrorBuild,
        ErrorKind::Interrupted => Code::TilebaseErrorCancelled,
        _ => Code::TilebaseErrorInternal,
    }
}

/// Does the work of a function, keeps the message of a failure, and stops panics.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> Code {
    // A panic leaves nothing inconsistent: handles hold only data behind locks.
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Code::TilebaseOk,
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::new(Code::TilebaseErrorInternal, text_of(&*panic)),
    };
    last::keep(&last::MESSAGE, &failure.message);
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
