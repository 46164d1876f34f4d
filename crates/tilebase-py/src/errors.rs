//! Exceptions: the class of `tilebase._errors` for each error of the library.

use std::fmt::Display;
use std::io;
use std::path::Path;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyModule;
use tilebase::names::SpecError;
use tilebase::pdb_core::BoardError;
use tilebase::pdb_gen::GenError;
use tilebase::text::MoveTextError;
use tilebase::{Error, ErrorKind, Metric, Remedy};

/// A class of `tilebase._errors`, which documents it; the names are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "they are named by the classes")]
pub(crate) enum ErrorClass {
    TilebaseError,
    ArgumentError,
    BoardError,
    UnsolvableError,
    SpecError,
    FileError,
    TableError,
    MissingTableError,
    DamagedTableError,
    LimitError,
    ModelError,
    MovesError,
    CancelledError,
}

/// An exception on its way to Python, which every error of the library converts to.
#[derive(Debug)]
pub(crate) struct Failure(PyErr);

pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        failure.0
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Self {
        raise(ErrorClass::BoardError, error.to_string())
    }
}

impl From<MoveTextError> for Failure {
    fn from(error: MoveTextError) -> Self {
        raise(ErrorClass::MovesError, error.to_string())
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        Error::from(error).into()
    }
}

impl From<GenError> for Failure {
    fn from(error: GenError) -> Self {
        Error::Build(error).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::OfMany { place, problem } => {
                at_row(class_of(&problem), &message(&problem), place)
            }
            Error::NoEngine { problem, .. } => (*problem).into(),
            Error::Input { name, source } => file_error(name.as_ref(), &source),
            error => raise(class_of(&error), message(&error)),
        }
    }
}

static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// Makes an exception with a message.
pub(crate) fn raise(kind: ErrorClass, message: impl Into<String>) -> Failure {
    make(kind, &message.into(), None)
}

/// Makes the exception for answers that the parent of a fork asked for.
pub(crate) fn of_other_process() -> Failure {
    let message = "these answers belong to the process that asked for them: ask again here";
    raise(ErrorClass::TableError, message)
}

/// Makes an exception about one board of several; `row` is its place among them.
pub(crate) fn at_row(kind: ErrorClass, message: &str, row: usize) -> Failure {
    make(kind, &format!("row {row}: {message}"), Some(row))
}

fn make(kind: ErrorClass, message: &str, row: Option<usize>) -> Failure {
    Python::attach(|py| {
        let make = || {
            let import = || Ok::<_, PyErr>(py.import("tilebase._errors")?.unbind());
            let module = MODULE.get_or_try_init(py, import)?.bind(py);
            let class = module.getattr(format!("{kind:?}"))?;
            match kind {
                ErrorClass::BoardError | ErrorClass::UnsolvableError => class.call1((message, row)),
                _ => class.call1((message,)),
            }
        };
        Failure(make().map_or_else(|problem| problem, PyErr::from_value))
    })
}

/// Returns the metric of a name.
pub(crate) fn metric_of(name: &str) -> Result<Metric> {
    named("a metric", name, &Metric::ALL.map(|metric| (metric.name(), metric)))
}

/// Returns the value of a word, or an error that lists the words.
pub(crate) fn named<T: Clone>(what: &str, found: &str, values: &[(&str, T)]) -> Result<T> {
    let value = values.iter().find(|(name, _)| *name == found);
    value.map(|(_, value)| value.clone()).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        let (last, others) = names.split_last().expect("there are words");
        let names = others.join(", ");
        raise(
            ErrorClass::ArgumentError,
            format!("expected {what} {names} or {last}, found {found:?}"),
        )
    })
}

/// Returns the message of an error, with advice.
pub(crate) fn message(error: &Error) -> String {
    advised(error, error.remedy())
}

/// Returns a message with the words of a remedy.
pub(crate) fn advised(message: impl Display, remedy: Option<Remedy>) -> String {
    tilebase::advised(message, remedy.as_ref().map(words))
}

fn words(remedy: &Remedy) -> &'static str {
    match remedy {
        Remedy::ListSpecs => "specs() lists these, and heuristics() the names that need no spec",
        Remedy::Build(_) => "Tables.ensure(..) builds it",
        Remedy::Replace => "Tables.build(.., replace=True) builds it again",
        Remedy::MoreMemory => "give more with the argument memory",
        Remedy::Unpack => "an archive (.pdb.zst) is unpacked on the command line",
        Remedy::OtherFolder => "choose another folder with the argument folder",
        Remedy::OtherCheckpoint => "name another file for the checkpoint",
        Remedy::MergeIncomplete => "search the shards that hold them",
        Remedy::NameBlank => "or name the blank: Board(.., blank=-1)",
        Remedy::NameColumns => "pass the cells of the board alone",
        Remedy::NamePairs => "pass the board and the goal apart",
        Remedy::NameMoves(_) => "exchange U and D, and L and R",
        Remedy::WithNetworks => "choose another heuristic",
    }
}

fn class_of(error: &Error) -> ErrorClass {
    match error.kind() {
        ErrorKind::Board => ErrorClass::BoardError,
        ErrorKind::Moves => ErrorClass::MovesError,
        ErrorKind::Interrupted => ErrorClass::CancelledError,
        ErrorKind::Argument => ErrorClass::ArgumentError,
        ErrorKind::TooLarge | ErrorKind::NoRoom => ErrorClass::LimitError,
        ErrorKind::Spec => ErrorClass::SpecError,
        ErrorKind::File => ErrorClass::FileError,
        ErrorKind::Unsolvable => ErrorClass::UnsolvableError,
        ErrorKind::MissingTable => ErrorClass::MissingTableError,
        ErrorKind::WrongTable | ErrorKind::DamagedTable => ErrorClass::DamagedTableError,
        ErrorKind::Folder | ErrorKind::TableFile | ErrorKind::Build => ErrorClass::TableError,
        _ if matches!(error, Error::NotFound { .. }) => ErrorClass::BoardError,
        _ => ErrorClass::TilebaseError,
    }
}

/// Makes the exception for a file that the caller named; its class is an `OSError`, too.
fn file_error(path: &Path, problem: &io::Error) -> Failure {
    raise(
        ErrorClass::FileError,
        format!("cannot read {}: {problem}; check the path", path.display()),
    )
}

/// Makes the exception for an error about files that the caller names.
pub(crate) fn of_named(error: Error) -> Failure {
    match error {
        Error::Build(GenError::Io { path, source, .. }) => file_error(&path, &source),
        error => error.into(),
    }
}
