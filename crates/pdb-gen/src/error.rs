//! Errors of building, verifying, shipping and installing tables.

use std::io;
use std::path::{Path, PathBuf};

use pdb_core::IndexError;
use pdb_format::{Digest, FormatError};

use crate::names::{MANIFEST, PublicKeyId, SIGNATURE_BYTES_MAX};

/// Error of building, verifying, shipping or installing a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenError {
    /// The states of a pattern or a colouring cannot be numbered.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The operating system refused; no file was left behind.
    #[error("cannot {action} {path}: {source}{}", hint(.source))]
    Io {
        /// The action, such as `write`, for "cannot write".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file is not the expected table.
    #[error("{path}: {source}")]
    Format {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: FormatError,
    },
    /// A table differs from the known right one.
    #[error(
        "{path}: expected the table with the known digest {expected}, found {found}: the program or \
         the machine that built it made an error"
    )]
    OtherTable {
        /// The table's file, or its destination.
        path: PathBuf,
        /// The digest of the right table.
        expected: Digest,
        /// The digest of this table.
        found: Digest,
    },
    /// The system does not have enough memory.
    #[error("cannot get {bytes} bytes of memory: {source}")]
    Memory {
        /// The number of requested bytes.
        bytes: u64,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The system cannot start another thread.
    #[error("cannot start a thread: {source}; use fewer of them, or raise the limit (ulimit -u)")]
    Threads {
        /// The error of the operating system.
        source: io::Error,
    },
    /// The caller cancelled.
    #[error("interrupted; nothing half-written was left behind")]
    Interrupted,
    /// The caller cancelled a build that the next call resumes.
    #[error(
        "interrupted; the checkpoint after level {level} is in {folder}: build the table again to go \
         on there, or delete the folder"
    )]
    Paused {
        /// The work folder.
        folder: PathBuf,
        /// The last finished level.
        level: u32,
    },
    /// A file of a work folder with which a build cannot be resumed.
    #[error(
        "{path}: {source}; nothing was changed: delete the folder {} to build the table from the \
         beginning",
        .path.parent().unwrap_or(Path::new(".")).display()
    )]
    Work {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: WorkError,
    },
    /// Another rank of the team failed, or builds another table.
    #[error("{rank}: {problem}")]
    RankFailed {
        /// The rank's name.
        rank: String,
        /// The rank's own error, or the difference.
        problem: String,
    },
    /// A rank of the team was lost.
    #[error(
        "{rank} is lost: {problem}; start the build again, with as many ranks as you like, to go on at \
         its checkpoint"
    )]
    RankLost {
        /// The rank's name.
        rank: String,
        /// How the loss was noticed.
        problem: String,
    },
    /// A file of a checkpoint that no rank has.
    #[error(
        "the checkpoint after level {level}: expected the file {file} in {folder}, found it at none of \
         {asked}; start the build on all machines that it ran on, or delete the folder there to build the \
         table from the beginning"
    )]
    MissingFile {
        /// The checkpoint's level.
        level: u32,
        /// The file's name.
        file: String,
        /// The work folder.
        folder: PathBuf,
        /// The ranks that looked for it.
        asked: String,
    },
    /// A memory budget that is too small even for a streamed build.
    #[error(
        "a budget of {memory_bytes} bytes of memory is too small to build {table}: the smallest that \
         works is {needed_bytes} bytes"
    )]
    Budget {
        /// The table's name.
        table: String,
        /// The budget.
        memory_bytes: u64,
        /// The smallest budget that is enough.
        needed_bytes: u64,
    },
    /// A share of a table that does not fit the memory of its rank.
    #[error(
        "{table} on {ranks} ranks needs {needed_bytes} bytes of memory on a rank that may use {memory_bytes}; \
         {}, and a build on one machine needs less memory",
        enough(*.ranks_enough)
    )]
    TeamBudget {
        /// The table's name.
        table: String,
        /// Number of ranks.
        ranks: usize,
        /// Memory limit of the rank, in bytes.
        memory_bytes: u64,
        /// Memory that its share needs, in bytes.
        needed_bytes: u64,
        /// A number of ranks with that memory each that is enough; `None` if no number is.
        ranks_enough: Option<usize>,
    },
    /// A pattern with larger costs than the builder can record.
    #[error("the pattern has states that cost {levels_max} moves or more: use fewer tiles")]
    TooManyLevels {
        /// The first cost that is too large.
        levels_max: u32,
    },
    /// A pattern with more tiles than the builder supports.
    #[error("a pattern of {found} tiles is too large to build: the limit is {max} tiles")]
    TooManyTiles {
        /// Number of tiles in the pattern.
        found: usize,
        /// Largest number of tiles.
        max: usize,
    },
    /// A Walking Distance table with more states than can be numbered.
    #[error(
        "the walking distance of {lines} lines of {line_len} has more than {states_max} states: \
         no table of it is built"
    )]
    TooManyStates {
        /// Number of lines across the axis.
        lines: usize,
        /// Number of cells of a line.
        line_len: usize,
        /// The largest number of states.
        states_max: u64,
    },
    /// An archive, or the manifest or digest list beside it, that differs from what was shipped.
    #[error("{path}: {source}; fetch it again")]
    Archive {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: ArchiveError,
    },
    /// A manifest without the signature that a public key requires.
    #[error("{path}: expected a signature for public key {expected}, found {source}")]
    Signature {
        /// The signature's file.
        path: PathBuf,
        /// The public key.
        expected: PublicKeyId,
        /// The fault.
        source: SignatureError,
    },
    /// An input that no signature covers, although a public key is given.
    #[error(
        "{path}: expected an archive that a manifest beside it names, signed for public key \
         {expected}, found {found}; install the archive from its folder, or do without a public key"
    )]
    Unsigned {
        /// The input.
        path: PathBuf,
        /// The public key.
        expected: PublicKeyId,
        /// The reason why no signature covers it.
        found: &'static str,
    },
    /// An input that is neither a folder nor an archive nor a table.
    #[error(
        "{path} cannot be installed: expected a folder of archives, a file that ends in .pdb.zst \
         or one that ends in .pdb"
    )]
    NotInstallable {
        /// The input.
        path: PathBuf,
    },
    /// A folder without a manifest.
    #[error(
        "{path}: expected a folder of shipped archives, found no {MANIFEST} in it; copy \
         the whole folder, or name its archives (.pdb.zst)"
    )]
    NoManifest {
        /// The folder.
        path: PathBuf,
    },
    /// A table that would be shipped twice.
    #[error("{path} holds the table {name} once more: name each table once")]
    ShippedTwice {
        /// The second file.
        path: PathBuf,
        /// The table's name.
        name: String,
    },
}

/// Reason why an archive is not the one that was shipped.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file that is not a regular one, text that is too long or not UTF-8, a list or a manifest
    /// that differs from the archives, or frames that are not those of the table.
    #[error("expected {expected}, found {found}")]
    Other {
        /// A description of what was shipped.
        expected: String,
        /// What there is.
        found: String,
    },
    /// A frame that cannot be unpacked.
    #[error("the frame with the bytes of the table from {offset} on does not unpack: {source}")]
    Unpack {
        /// Offset in the table of the frame's first byte.
        offset: u64,
        /// The error of zstd.
        source: io::Error,
    },
    /// A table with another digest than it says.
    #[error("in its table, {0}")]
    Table(FormatError),
}

/// Reason why a signature is not the one that a public key requires.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The signature does not exist.
    #[error(
        "no such file; fetch it too, or ask the shipper of the archives to sign their manifest"
    )]
    Missing,
    /// The path is not a regular file, although only a regular file is safe.
    #[error("a link, a folder, a pipe or a device; fetch it again")]
    NotAFile,
    /// The text is not a signature of this form.
    #[error(
        "something else than the four lines of one, at most {SIGNATURE_BYTES_MAX} bytes; fetch it again"
    )]
    Malformed,
    /// The signature is for the public key that it names, another one.
    #[error(
        "one for public key {0}; ask the shipper of the archives for the right key, and install nothing \
         until you know"
    )]
    OtherKey(PublicKeyId),
    /// The signature is of the file itself instead of its digest.
    #[error(
        "one with that number in the old form, of the manifest itself and not of its digest; have it \
         signed again, with minisign 0.10 or later and without -l"
    )]
    Legacy,
    /// The signature is of another file, or for another public key with the same identifier.
    #[error(
        "one with that number that does not fit the manifest beside it: manifest or signature was \
         changed; fetch both again, and install nothing while they do not fit"
    )]
    Mismatch,
}

/// A text that is not a public key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a minisign public key of 56 characters that begin with RW, alone or after a line of \
     comment, found another text"
)]
pub struct PublicKeyError;

/// Reason why a work folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The content of a file differs from what was written.
    #[error("expected the bytes that were written, found others: the digest differs")]
    Damaged,
    /// The checkpoint is of another table or another version of the program, or names a file that
    /// is missing or has another length.
    #[error("expected {expected}, found {found}")]
    Other {
        /// A description of what a build of this table finds.
        expected: String,
        /// What there is.
        found: String,
    },
}

/// Returns advice on a wrong path.
fn hint(error: &io::Error) -> &'static str {
    if error.kind() == io::ErrorKind::NotFound { "; check the path" } else { "" }
}

/// Describes the teams that can build a table whose shares do not fit the memory.
fn enough(ranks: Option<usize>) -> String {
    match ranks {
        Some(ranks) => format!("{ranks} ranks with that memory each are enough"),
        None => "no number of ranks with that memory is enough".to_owned(),
    }
}

impl GenError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }

    pub(crate) fn format(path: &Path) -> impl FnOnce(FormatError) -> Self {
        move |source| {
            let path = path.to_owned();
            let is_archive = path.extension().is_some_and(|extension| extension == "zst");
            match source {
                // The advice on the others is not to fetch the archive again.
                FormatError::HeaderDigest { .. }
                | FormatError::SectionDigest { .. }
                | FormatError::ChunkDigest { .. }
                    if is_archive =>
                {
                    Self::Archive { path, source: ArchiveError::Table(source) }
                }
                _ => Self::Format { path, source },
            }
        }
    }

    pub(crate) fn archive(path: &Path) -> impl FnOnce(ArchiveError) -> Self {
        move |source| Self::Archive { path: path.to_owned(), source }
    }

    pub(crate) fn other_archive(
        path: &Path,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (expected, found) = (expected.into(), found.into());
        Self::archive(path)(ArchiveError::Other { expected, found })
    }
}

impl WorkError {
    pub(crate) fn at(self, path: &Path) -> GenError {
        GenError::Work { path: path.to_owned(), source: self }
    }

    pub(crate) fn other(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Other { expected: expected.into(), found: found.into() }
    }
}
