//! Errors of the bytes of tables and manifests.

use core::fmt;
use std::error::Error;

use crate::Digest;

/// Fault of the bytes of a table or a manifest.
///
/// No variant names a file: the caller adds the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The bytes do not start as a table does.
    NotATable {
        /// The first bytes of each table.
        expected: [u8; 8],
        /// The first bytes, at most 8, escaped.
        found: String,
    },
    /// The version of the format is later.
    NewerVersion {
        /// Version of the file.
        found: u32,
        /// Latest version that this crate reads.
        supported: u32,
    },
    /// The file ends too early.
    CutShort {
        /// Length according to the header, in bytes.
        expected: u64,
        /// Length of the file, in bytes.
        found: u64,
    },
    /// The file goes on after its end.
    TooLong {
        /// Length according to the header, in bytes.
        expected: u64,
        /// Length of the file, in bytes.
        found: u64,
    },
    /// The header is damaged.
    HeaderDigest {
        /// Digest in the header.
        expected: Digest,
        /// Digest of the header's bytes.
        found: Digest,
    },
    /// The digest section is damaged.
    SectionDigest {
        /// Digest in the header.
        expected: Digest,
        /// Digest of the section's bytes.
        found: Digest,
    },
    /// A chunk of the payload is damaged.
    ChunkDigest {
        /// The chunk, counted from 0.
        chunk: u64,
        /// Offset in the file of the chunk's first byte.
        start: u64,
        /// Offset in the file after the chunk's last byte.
        end: u64,
    },
    /// The table is not damaged, but it is not the expected one.
    OtherTable {
        /// File name of the expected table.
        expected: String,
        /// File name according to the header.
        found: String,
    },
    /// The digests agree, but a field is out of its range.
    BadField {
        /// Name of the field.
        field: &'static str,
        /// The allowed values.
        expected: String,
        /// The value.
        found: String,
    },
    /// The manifest is not JSON, or has missing or unknown keys: the message of the JSON reader,
    /// which ends with line and column.
    #[cfg(feature = "manifest")]
    Json(String),
}

impl FormatError {
    /// Creates the error of a field that is out of its range.
    pub fn bad_field(
        field: &'static str,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        Self::BadField { field, expected: expected.to_string(), found: found.to_string() }
    }
}

/// Checks a field. `expected` names its allowed values.
pub(crate) fn ensure(
    is_right: bool,
    field: &'static str,
    expected: impl fmt::Display,
    found: impl fmt::Display,
) -> Result<(), FormatError> {
    if is_right { Ok(()) } else { Err(FormatError::bad_field(field, expected, found)) }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATable { expected, found } => write!(
                f,
                "not a table: expected a file that starts with \"{}\", found \"{found}\"",
                expected.escape_ascii()
            ),
            Self::NewerVersion { found, supported } => write!(
                f,
                "format version {found} is newer than version {supported}, the latest that this \
                 program reads: update the program"
            ),
            Self::CutShort { expected, found } => {
                write!(f, "the file is cut short: expected {expected} bytes, found {found}")
            }
            Self::TooLong { expected, found } => {
                write!(
                    f,
                    "the file goes on after its end: expected {expected} bytes, found {found}"
                )
            }
            Self::HeaderDigest { expected, found } => {
                write!(f, "the header is damaged: expected digest {expected}, found {found}")
            }
            Self::SectionDigest { expected, found } => {
                write!(
                    f,
                    "the digest section is damaged: expected digest {expected}, found {found}"
                )
            }
            Self::ChunkDigest { chunk, start, end } => write!(
                f,
                "chunk {chunk} of the payload (bytes {start} to {end} of the file) is damaged: \
                 its digest is not the one in the digest section"
            ),
            Self::OtherTable { expected, found } => {
                write!(f, "the file holds another table: expected {expected}, found {found}")
            }
            Self::BadField { field, expected, found } => {
                write!(f, "bad {field}: expected {expected}, found {found}")
            }
            #[cfg(feature = "manifest")]
            Self::Json(message) => write!(f, "bad manifest: {message}"),
        }
    }
}

impl Error for FormatError {}
