//! What can go wrong while tables are built, shipped and installed.

use std::io;
use std::path::{Path, PathBuf};

use pdb_core::IndexError;
use pdb_format::FormatError;

/// Why a table was not built, verified, shipped or installed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenError {
    /// The pattern cannot be indexed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The operating system refused; nothing was left behind.
    #[error("cannot {action} {path}: {source}{}", hint(.source))]
    Io {
        /// What was tried, as in "cannot write".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file is not the table that it should be.
    #[error("{path}: {source}")]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: FormatError,
    },
    /// The caller cancelled.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// A pattern with larger costs than the builder records.
    #[error("the pattern has states that cost {levels_max} moves or more: use fewer tiles")]
    TooManyLevels {
        /// The first cost that is too large.
        levels_max: u32,
    },
    /// A Walking Distance table with more states than the caller allows.
    #[error(
        "the walking distance of {lines} lines of {line_len} has more than {states_max} states: \
         no table of it is built"
    )]
    TooManyStates {
        /// Lines across the axis.
        lines: usize,
        /// Cells of a line.
        line_len: usize,
        /// The largest number of states.
        states_max: usize,
    },
    /// An archive that is not what a table ships as.
    #[error("{path}: {problem}; fetch the archive again")]
    Archive {
        /// The archive.
        path: PathBuf,
        /// What was expected and what was found.
        problem: String,
    },
}

/// What a user can do about the commonest refusals.
fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull => "; free some space or choose another folder with --db",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; choose a folder that you may write to with --db"
        }
        io::ErrorKind::NotFound => "; check the path",
        _ => "",
    }
}

impl GenError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }

    pub(crate) fn format(path: &Path) -> impl FnOnce(FormatError) -> Self {
        move |source| Self::Format { path: path.to_owned(), source }
    }
}
