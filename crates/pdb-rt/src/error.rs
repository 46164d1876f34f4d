//! Why a table cannot be used.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fmt, io};

use pdb_core::IndexError;
use pdb_format::FormatError;

/// Why a table, or the tables of a plan, cannot be used.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The file is not there, or cannot be read.
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: Arc<io::Error>,
    },
    /// The bytes are not the table that they should be.
    Format {
        /// The file, or the name of the bytes in memory.
        name: String,
        /// What is wrong with them.
        source: FormatError,
    },
    /// The file was written to after it was mapped.
    Written {
        /// The file.
        name: String,
    },
    /// The table's pattern cannot be indexed.
    Index {
        /// The file, or the name of the bytes in memory.
        name: String,
        /// Why not.
        source: IndexError,
    },
    /// A plan with more patterns than one heuristic looks up.
    TooManyPatterns {
        /// Patterns of the plan, mirror images included.
        found: usize,
        /// The largest number.
        max: usize,
    },
    /// A plan with more partitions than one heuristic looks up.
    TooManyPartitions {
        /// Partitions of the plan, mirror images included.
        found: usize,
        /// The largest number.
        max: usize,
    },
    /// Another number of tables than the plan has.
    TableCount {
        /// Tables of the plan.
        expected: usize,
        /// Tables that were given.
        found: usize,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } if source.kind() == io::ErrorKind::NotFound => write!(
                f,
                "{}: there is no such table; build it with `tilebase build` or install it",
                path.display()
            ),
            Self::Io { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::Format { name, source } => write!(f, "{name}: {source}"),
            Self::Written { name } => write!(
                f,
                "{name}: the file was written to while it was in use: verify it, or build or install \
                 the table again; only ever replace it by a rename"
            ),
            Self::Index { name, source } => write!(f, "{name}: {source}"),
            Self::TooManyPatterns { found, max } => write!(
                f,
                "the plan looks up {found} patterns, mirror images included, but at most {max} \
                 are supported: use fewer of them, or set reflect = false"
            ),
            Self::TooManyPartitions { found, max } => write!(
                f,
                "the plan has {found} partitions, mirror images included, but at most {max} are \
                 supported: use fewer partitions, or set reflect = false"
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
            Self::Index { source, .. } => Some(source),
            Self::Written { .. }
            | Self::TooManyPatterns { .. }
            | Self::TooManyPartitions { .. }
            | Self::TableCount { .. } => None,
        }
    }
}
