//! Exceptions: which class of `tilebase._errors` each error of the library becomes.

use std::io;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyModule;
use tilebase::Error;
use tilebase::pdb_gen::GenError;
use tilebase::pdb_rt::OpenError;
use tilebase::pdb_search::SearchError;
use tilebase::pdb_spec::SpecError;

/// The classes of exceptions, by what a program can do about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Anything else.
    Other,
    /// What is out of its range, or none of the words that it may be.
    Argument,
    /// What is no board, or does not fit the others.
    Board,
    /// A board from which no moves lead to the goal.
    Unsolvable,
    /// No spec, heuristic, search or goal.
    Spec,
    /// A file that the caller names and that cannot be read.
    File,
    /// Tables that cannot be opened or built.
    Table,
    /// A table that is not there.
    Missing,
    /// A table with wrong bytes.
    Damaged,
    /// More than fits memory, disk or numbers.
    Limit,
    /// An integer program that is none, or values that do not solve it.
    Model,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Other => "TilebaseError",
            Self::Argument => "ArgumentError",
            Self::Board => "BoardError",
            Self::Unsolvable => "UnsolvableError",
            Self::Spec => "SpecError",
            Self::File => "FileError",
            Self::Table => "TableError",
            Self::Missing => "MissingTableError",
            Self::Damaged => "DamagedTableError",
            Self::Limit => "LimitError",
            Self::Model => "ModelError",
        }
    }
}

static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// An exception with a message; `row` is the place of the board that it is about.
pub(crate) fn raise(kind: Kind, message: impl Into<String>, row: Option<usize>) -> PyErr {
    Python::attach(|py| {
        let make = || {
            let import = || Ok::<_, PyErr>(py.import("tilebase._errors")?.unbind());
            let class = MODULE.get_or_try_init(py, import)?.bind(py).getattr(kind.name())?;
            match kind {
                Kind::Board | Kind::Unsolvable => class.call1((message.into(), row)),
                _ => class.call1((message.into(),)),
            }
        };
        match make() {
            Ok(exception) => PyErr::from_value(exception),
            Err(problem) => problem,
        }
    })
}

/// What an error says, with the names that arguments have in Python.
pub(crate) fn message(error: &Error) -> String {
    error.message("the argument memory", "the argument folder")
}

/// The exception for an error of the library.
pub(crate) fn of(error: Error) -> PyErr {
    of_row(error, None)
}

fn of_row(error: Error, row: Option<usize>) -> PyErr {
    match error {
        // The message says which one as Python does.
        Error::OfMany { place, problem } => {
            let kind = kind_of(&problem);
            raise(kind, format!("row {place}: {}", message(&problem)), Some(place))
        }
        Error::NoEngine { problem, .. } => of_row(*problem, row),
        Error::Unreadable { path, source } => file_error(&path.display().to_string(), &source),
        Error::Input { name, source } => file_error(&name, &source),
        error => {
            let kind = kind_of(&error);
            let hint = match kind {
                Kind::Missing => "; in Python, Tables.ensure(..) builds it",
                Kind::Damaged => ". In Python, Tables.build(.., replace=True) builds it again",
                _ if is_unknown(&error) => {
                    "; in Python, specs() lists these, and heuristics() the names that need no spec"
                }
                _ => "",
            };
            raise(kind, message(&error) + hint, row)
        }
    }
}

/// Whether it is about a name that nothing has.
fn is_unknown(error: &Error) -> bool {
    matches!(error, Error::Spec(SpecError::UnknownName { .. }) | Error::NoTable { .. })
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
        | Error::Search(SearchError::Board(_)) => Kind::Board,
        Error::Spec(_)
        | Error::SeveralSpecs { .. }
        | Error::NoTable { .. }
        | Error::Engine(_)
        | Error::SeveralHeuristics { .. }
        | Error::File { .. }
        | Error::Goal { .. }
        | Error::Search(SearchError::Inadmissible { .. }) => Kind::Spec,
        Error::Unreadable { .. } | Error::Input { .. } => Kind::File,
        Error::MissingTable { .. } => Kind::Missing,
        Error::Open(problem) => kind_of_open(problem),
        Error::Damaged(_)
        | Error::Build(GenError::Format { .. } | GenError::OtherTable { .. })
        | Error::Search(SearchError::Root(_) | SearchError::NotLowerBound { .. }) => Kind::Damaged,
        Error::NoRoom(_)
        | Error::TooManyBoards { .. }
        | Error::Build(GenError::Memory { .. } | GenError::Budget { .. }) => Kind::Limit,
        Error::Build(_) | Error::Again(_) | Error::NoFolder { .. } => Kind::Table,
        Error::Search(SearchError::Unsolvable(_)) => Kind::Unsolvable,
        Error::NoEngine { problem, .. } | Error::OfMany { problem, .. } => kind_of(problem),
        _ => Kind::Other,
    }
}

fn kind_of_open(problem: &OpenError) -> Kind {
    match problem {
        OpenError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => Kind::Missing,
        OpenError::Format { .. } | OpenError::Written { .. } => Kind::Damaged,
        _ => Kind::Table,
    }
}

/// A file that the caller named and that cannot be read; the class is an `OSError`, too.
fn file_error(path: &str, problem: &io::Error) -> PyErr {
    raise(Kind::File, format!("cannot read {path}: {problem}; check the path"), None)
}

/// The exception for an error about files that the caller names.
pub(crate) fn of_named(error: Error) -> PyErr {
    match error {
        Error::Build(GenError::Io { path, source, .. }) => {
            file_error(&path.display().to_string(), &source)
        }
        error => of(error),
    }
}

/// Why a builder of tables gave up.
pub(crate) fn of_build(error: GenError) -> PyErr {
    of(Error::Build(error))
}
