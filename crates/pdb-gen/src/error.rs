//! What can go wrong while tables are built, shipped and installed.

use std::io;
use std::path::{Path, PathBuf};

use pdb_core::IndexError;
use pdb_format::{Digest, FormatError};

use crate::stream::WorkError;

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
    /// The system has not enough memory.
    #[error(
        "cannot get {bytes} bytes of memory: {source}; see what a build needs with `tilebase estimate`"
    )]
    Memory {
        /// What was asked for.
        bytes: u64,
        /// What the operating system said.
        source: io::Error,
    },
    /// The caller cancelled.
    #[error("interrupted; nothing half-written was left behind")]
    Interrupted,
    /// The caller cancelled a build that goes on the next time.
    #[error(
        "interrupted; the checkpoint after level {level} is in {folder}: build the table again to go \
         on there, or delete the folder"
    )]
    Paused {
        /// The work folder.
        folder: PathBuf,
        /// The last level that is done.
        level: u32,
    },
    /// A file of a work folder is not what a build can go on with.
    #[error(
        "{path}: {source}; nothing was changed: delete the folder {} to build the table from the \
         beginning",
        .path.parent().unwrap_or(Path::new(".")).display()
    )]
    Work {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: WorkError,
    },
    /// A memory budget in which not even a streamed build fits.
    #[error(
        "a budget of {memory_bytes} bytes of memory is too small to build {table}: the smallest that \
         works is {needed_bytes} bytes"
    )]
    Budget {
        /// The table's name.
        table: String,
        /// The budget.
        memory_bytes: u64,
        /// The smallest budget that works.
        needed_bytes: u64,
    },
    /// Segments so small that there are too many.
    #[error("the segments are too small: a class is cut into {segments_max} of them at most")]
    Segments {
        /// The most segments of a class.
        segments_max: usize,
    },
    /// A pattern with larger costs than the builder records.
    #[error("the pattern has states that cost {levels_max} moves or more: use fewer tiles")]
    TooManyLevels {
        /// The first cost that is too large.
        levels_max: u32,
    },
    /// A pattern with more tiles than the builder handles.
    #[error("a pattern of {found} tiles is too large to build: the limit is {max} tiles")]
    TooManyTiles {
        /// Tiles in the pattern.
        found: usize,
        /// The largest number.
        max: usize,
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
    /// An archive, or the manifest or digest list beside it, that is not as it was shipped.
    #[error("{path}: {source}; fetch it again")]
    Archive {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ArchiveError,
    },
    /// Something to install that is neither a folder nor an archive nor a table.
    #[error(
        "{path} cannot be installed: expected a folder of archives, a file that ends in .pdb.zst \
         or one that ends in .pdb"
    )]
    NotInstallable {
        /// What was given.
        path: PathBuf,
    },
    /// One table that is to be shipped twice.
    #[error("{path} holds the table {name} once more: name each table once")]
    ShippedTwice {
        /// The second file.
        path: PathBuf,
        /// The table's name.
        name: String,
    },
}

/// Why an archive is not the one that was shipped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// Neither a regular file nor a folder of them, where only that is safe.
    #[error("expected a regular file, found a link, a folder, a pipe or a device")]
    NotAFile,
    /// The manifest or the digest list is not text.
    #[error("expected text in UTF-8 of at most {bytes_max} bytes")]
    NotText {
        /// The longest text.
        bytes_max: usize,
    },
    /// A file that the digest list leaves out.
    #[error("the digest list does not name {name}")]
    NotListed {
        /// The file.
        name: String,
    },
    /// A file with another digest than a list says.
    #[error("expected digest {expected} as in {list}, found {found}")]
    Digest {
        /// Name of the list.
        list: &'static str,
        /// Digest in the list.
        expected: Digest,
        /// Digest of the file, or the other list's.
        found: Digest,
    },
    /// What the manifest says of an archive or its table is not so.
    #[error("expected {field} {expected} as in {manifest}, found {found}", manifest = crate::ship::MANIFEST)]
    Manifest {
        /// What the manifest tells.
        field: &'static str,
        /// What it says.
        expected: String,
        /// What is so.
        found: String,
    },
    /// Bytes that are no frame with a content, or one larger than any with such a content.
    #[error(
        "expected a whole zstd frame that tells the size of its content at byte {offset}, found none"
    )]
    NoFrame {
        /// Offset in the archive.
        offset: u64,
    },
    /// A frame that would unpack to more or fewer bytes.
    #[error(
        "expected a frame that unpacks to {expected} bytes at byte {offset}, found one of {found}"
    )]
    FrameSize {
        /// Offset in the archive.
        offset: u64,
        /// Bytes that it should unpack to.
        expected: u64,
        /// Bytes that it would unpack to.
        found: u64,
    },
    /// The first frame would unpack to more than the digests of all that the archive can hold.
    #[error(
        "expected a first frame that unpacks to at most {expected_max} bytes, found one of {found}"
    )]
    FirstFrameSize {
        /// The most that it may unpack to.
        expected_max: u64,
        /// Bytes that it would unpack to.
        found: u64,
    },
    /// A frame that does not unpack.
    #[error("the frame with the bytes of the table from {offset} on does not unpack: {source}")]
    Unpack {
        /// Offset in the table of the frame's first byte.
        offset: u64,
        /// What zstd says.
        source: io::Error,
    },
    /// Bytes after the last frame.
    #[error("expected the end of the archive after {expected} bytes, found {found} bytes")]
    Trailing {
        /// Where the last frame ends.
        expected: u64,
        /// Length of the archive.
        found: u64,
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

    pub(crate) fn archive(path: &Path) -> impl FnOnce(ArchiveError) -> Self {
        move |source| Self::Archive { path: path.to_owned(), source }
    }
}
