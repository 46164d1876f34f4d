//! Exceptions: the class of `tilebase._errors` for each error of the library.

use std::io;
use std::path::Path;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyModule;
use tilebase::Error;
use tilebase::names::SpecError;
use tilebase::pdb_core::{BoardError, IllegalMove};
use tilebase::pdb_gen::GenError;
use tilebase::pdb_lab::EngineError;
use tilebase::pdb_search::SearchError;
use tilebase::shelf::OpenError;
use tilebase::text::MoveTextError;

/// A class of `tilebase._errors`, which documents it; the names are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "they are named by the classes")]
pub(crate) enum Kind {
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
        raise(Kind::BoardError, error.to_string())
    }
}

impl From<IllegalMove> for Failure {
    fn from(error: IllegalMove) -> Self {
        raise(Kind::BoardError, error.to_string())
    }
}

impl From<MoveTextError> for Failure {
    fn from(error: MoveTextError) -> Self {
        raise(Kind::BoardError, error.to_string())
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        Error::from(error).into()
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
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
                at_row(kind_of(&problem), &message(&problem), place)
            }
            Error::NoEngine { problem, .. } => (*problem).into(),
            Error::Unreadable { path, source } => file_error(&path, &source),
            Error::Input { name, source } => file_error(name.as_ref(), &source),
            error => {
                let kind = kind_of(&error);
                let hint = match (kind, &error) {
                    (Kind::MissingTableError, _) => "; in Python, Tables.ensure(..) builds it",
                    (Kind::DamagedTableError, _) => {
                        ". In Python, Tables.build(.., replace=True) builds it again"
                    }
                    (_, Error::Spec(SpecError::UnknownName { .. }) | Error::NoTable { .. }) => {
                        "; in Python, specs() lists these, and heuristics() the names that need no spec"
                    }
                    _ => "",
                };
                raise(kind, message(&error) + hint)
            }
        }
    }
}

static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// Makes an exception with a message.
pub(crate) fn raise(kind: Kind, message: impl Into<String>) -> Failure {
    make(kind, &message.into(), None)
}

/// Makes an exception about one board of several; `row` is its place among them.
pub(crate) fn at_row(kind: Kind, message: &str, row: usize) -> Failure {
    make(kind, &format!("row {row}: {message}"), Some(row))
}

fn make(kind: Kind, message: &str, row: Option<usize>) -> Failure {
    Python::attach(|py| {
        let make = || {
            let import = || Ok::<_, PyErr>(py.import("tilebase._errors")?.unbind());
            let module = MODULE.get_or_try_init(py, import)?.bind(py);
            let class = module.getattr(format!("{kind:?}"))?;
            match kind {
                Kind::BoardError | Kind::UnsolvableError => class.call1((message, row)),
                _ => class.call1((message,)),
            }
        };
        Failure(make().map_or_else(|problem| problem, PyErr::from_value))
    })
}

/// Returns the value of a word, or an error that lists the words.
pub(crate) fn named<T: Clone>(
    kind: Kind,
    what: &str,
    found: &str,
    values: &[(&str, T)],
) -> Result<T> {
    let value = values.iter().find(|(name, _)| *name == found);
    value.map(|(_, value)| value.clone()).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        let (last, others) = names.split_last().expect("there are words");
        let names = others.join(", ");
        raise(kind, format!("expected {what} {names} or {last}, found {found:?}"))
    })
}

/// Returns the message of an error, with the names of Python's arguments.
pub(crate) fn message(error: &Error) -> String {
    error.message("the argument memory", "the argument folder")
}

fn kind_of(error: &Error) -> Kind {
    match error {
        Error::Board(_)
        | Error::Text(_)
        | Error::NoBoards(_)
        | Error::Invalid { .. }
        | Error::Set { .. }
        | Error::Lengths { .. }
        | Error::Window { .. }
        | Error::NotFound { .. }
        | Error::NoHardest { .. }
        | Error::Search(SearchError::Board(_)) => Kind::BoardError,
        Error::Spec(_)
        | Error::SeveralSpecs { .. }
        | Error::NoTable { .. }
        | Error::Engine(_)
        | Error::SeveralHeuristics { .. }
        | Error::File { .. }
        | Error::Goal { .. }
        | Error::Search(SearchError::Inadmissible { .. }) => Kind::SpecError,
        Error::Unreadable { .. } | Error::Input { .. } => Kind::FileError,
        Error::MissingTable { .. } => Kind::MissingTableError,
        Error::Open(OpenError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Kind::MissingTableError
        }
        Error::Open(OpenError::Format { .. } | OpenError::Written { .. })
        | Error::Damaged(_)
        | Error::Build(GenError::Format { .. } | GenError::OtherTable { .. })
        | Error::Search(SearchError::Root(_) | SearchError::NotLowerBound { .. }) => {
            Kind::DamagedTableError
        }
        Error::NoRoom(_)
        | Error::TooManyBoards { .. }
        | Error::Build(GenError::Memory { .. } | GenError::Budget { .. }) => Kind::LimitError,
        Error::Open(_) | Error::Build(_) | Error::Again(_) | Error::NoFolder { .. } => {
            Kind::TableError
        }
        Error::Search(SearchError::Unsolvable(_)) => Kind::UnsolvableError,
        Error::NoEngine { problem, .. } | Error::OfMany { problem, .. } => kind_of(problem),
        _ => Kind::TilebaseError,
    }
}

/// Makes the exception for a file that the caller named; its class is an `OSError`, too.
fn file_error(path: &Path, problem: &io::Error) -> Failure {
    raise(Kind::FileError, format!("cannot read {}: {problem}; check the path", path.display()))
}

/// Makes the exception for an error about files that the caller names.
pub(crate) fn of_named(error: Error) -> Failure {
    match error {
        Error::Build(GenError::Io { path, source, .. }) => file_error(&path, &source),
        error => error.into(),
    }
}
