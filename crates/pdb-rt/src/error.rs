//! Errors of opening and checking tables.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fmt, io};

use pdb_format::FormatError;

/// Error of a table or of the tables of a plan.
#[derive(Clone, Debug)]
pub enum OpenError {
    /// The file is missing or cannot be read.
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: Arc<io::Error>,
    },
    /// The bytes are not the expected table.
    Format {
        /// The file, or the name of the bytes in memory.
        name: String,
        /// The fault.
        source: FormatError,
    },
    /// The file was written to after it was mapped.
    Written {
        /// The file.
        name: String,
    },
    /// The plan has another number of tables.
    TableCount {
        /// Tables of the plan.
        expected: usize,
        /// Tables of the caller.
        found: usize,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } if source.kind() == io::ErrorKind::NotFound => {
                write!(f, "{}: there is no such table", path.display())
            }
            Self::Io { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::Format { name, source } => write!(f, "{name}: {source}"),
            Self::Written { name } => write!(
                f,
                "{name}: the file was written to while it was in use: only a rename may replace a \
                 table"
            ),
            Self::TableCount { expected, found } => {
                write!(f, "the plan needs {expected} tables, but {found} were given")
            }
        }
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(&**source),
            Self::Format { source, .. } => Some(source),
            Self::Written { .. } | Self::TableCount { .. } => None,
        }
    }
}
