//! Tables: mapped or in memory, checked once, then only read.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use pdb_core::{ColourIndex, PatternIndex, TableKey};
use pdb_format::{Digest, FormatError, Header, table_digest, walking};

use crate::OpenError;
use crate::arithmetic::TableIndex;
use crate::map::FileBytes;
use crate::residence::{Change, Residence, Stamp};

/// Source of a table's bytes.
#[derive(Debug)]
enum TableBytes {
    File(FileBytes),
    Memory(Cow<'static, [u8]>),
}

impl TableBytes {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::File(file) => file.as_slice(),
            Self::Memory(bytes) => bytes,
        }
    }

    fn file(&self) -> Option<&FileBytes> {
        match self {
            Self::File(file) => Some(file),
            Self::Memory(_) => None,
        }
    }
}

/// Table whose header, length, digest section and counts have been checked.
///
/// [`check_payload`](Self::check_payload) checks the payload's own digests. No look-up reads
/// outside the payload, even if the payload is damaged.
///
/// Clones share the bytes.
#[derive(Clone)]
pub struct Table {
    name: String,
    source: Arc<TableBytes>,
    header: Header,
    payload: Range<usize>,
    index: Index,
}

/// The numbers of a table's states.
#[derive(Clone, Debug)]
enum Index {
    Pattern(Arc<TableIndex>),
    Coloured(Arc<ColourIndex>),
    /// Walking Distance follows links.
    Links,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({:?})", self.name)
    }
}

impl Table {
    /// Maps a table file. The file must not be cut short while the table is in use; replacing it by
    /// a rename is fine.
    ///
    /// # Errors
    /// [`OpenError::Io`] or [`OpenError::Format`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_as(path, Residence::Mapped)
    }

    /// Opens a table file in the given [residence](Residence); otherwise like [`open`](Self::open).
    ///
    /// # Errors
    /// Those of [`open`](Self::open); [`OpenError::Io`] also when the memory is not available or
    /// must not be locked.
    pub fn open_as(path: &Path, residence: Residence) -> Result<Self, OpenError> {
        Self::open_beside(path, residence, &[])
    }

    /// Opens a table beside others, and shares the index of one of the same size.
    pub(crate) fn open_beside(
        path: &Path,
        residence: Residence,
        others: &[Self],
    ) -> Result<Self, OpenError> {
        let file = FileBytes::open(path, residence)
            .map_err(|error| OpenError::Io { path: path.to_owned(), source: Arc::new(error) })?;
        Self::check(path.display().to_string(), TableBytes::File(file), others)
    }

    /// Creates a table from the bytes of its file: a vector, or static bytes such as those of
    /// `include_bytes!`.
    ///
    /// Errors name it by `name`.
    ///
    /// # Errors
    /// [`OpenError::Format`].
    pub fn from_bytes(name: &str, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, OpenError> {
        Self::check(name.to_owned(), TableBytes::Memory(bytes.into()), &[])
    }

    fn check(name: String, source: TableBytes, others: &[Self]) -> Result<Self, OpenError> {
        let bytes = source.bytes();
        let format = |source| OpenError::Format { name: name.clone(), source };
        let header = Header::parse(bytes, bytes.len() as u64).map_err(format)?;
        let range = |r: Range<u64>| r.start as usize..r.end as usize;
        header.check_digest_section(&bytes[range(header.digests_range())]).map_err(format)?;
        let payload = range(header.payload_offset()..header.file_bytes());
        let index = match &header.key {
            TableKey::Pattern(key) => {
                let size = (key.shape, key.tile_count(), key.mode);
                let mut known = others.iter().filter_map(Self::pattern_index);
                let index = match known.find(|known| known.size() == size) {
                    Some(known) => Arc::clone(known),
                    None => Arc::new(TableIndex::new(size).map_err(|error| {
                        let expected = "a pattern with an index";
                        format(FormatError::bad_field("home cells", expected, error))
                    })?),
                };
                header.expect_entry_count(index.index.entry_count()).map_err(format)?;
                Index::Pattern(index)
            }
            TableKey::Coloured(key) => {
                let index = ColourIndex::new(key).expect("a header's colouring has an index");
                Index::Coloured(Arc::new(index))
            }
            TableKey::Walking(key) => {
                let layout = walking::Layout::new(header.entry_count, key.lines);
                if layout.key(&bytes[payload.clone()], 0) != Some(walking::goal_key(key)) {
                    let expected = format_args!("the goal of {}", header.key.file_name());
                    let error = FormatError::bad_field("first state", expected, "another state");
                    return Err(format(error));
                }
                check_links(&layout, &bytes[payload.clone()], header.entry_count as u32, key.lines)
                    .map_err(format)?;
                Index::Links
            }
        };
        let source = Arc::new(source);
        Ok(Self { name, source, header, payload, index })
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the digest of the whole table, the last field of its header.
    pub fn digest(&self) -> Digest {
        table_digest(&self.header.to_bytes())
    }

    /// Returns the file's path, or the name of the bytes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the state of the file when it was opened; `None` for bytes in memory.
    pub fn stamp(&self) -> Option<Stamp> {
        self.source.file().map(FileBytes::stamp)
    }

    /// Returns the packed entries.
    #[inline]
    pub fn payload(&self) -> &[u8] {
        &self.source.bytes()[self.payload.clone()]
    }

    /// Returns the index of a pattern table.
    pub fn index(&self) -> Option<&PatternIndex> {
        self.table_index().map(|index| &index.index)
    }

    pub(crate) fn table_index(&self) -> Option<&TableIndex> {
        self.pattern_index().map(|index| &**index)
    }

    fn pattern_index(&self) -> Option<&Arc<TableIndex>> {
        if let Index::Pattern(index) = &self.index { Some(index) } else { None }
    }

    pub(crate) fn colour_index(&self) -> Option<&ColourIndex> {
        if let Index::Coloured(index) = &self.index { Some(index) } else { None }
    }

    /// Checks that a mapped file was neither cut short nor written to since it was opened. This
    /// costs one system call. A table in memory cannot change.
    ///
    /// After success, every earlier look-up read the content of the file when it was opened, with
    /// the exceptions in `docs/reliability.md`, "A file under a map". A file counts as modified if
    /// its modification time, its device or its inode number differs. If only its change time
    /// differs, as after `chmod` or a write whose modification time was restored, the payload is
    /// checked against its digests again, once for each such change.
    ///
    /// # Errors
    /// [`OpenError::Format`] with [`FormatError::CutShort`], [`OpenError::Written`], or
    /// [`OpenError::Io`].
    pub fn check_unchanged(&self) -> Result<(), OpenError> {
        let Some(file) = self.source.file() else { return Ok(()) };
        self.expect_none(file.check_unchanged(|| self.is_right()))
    }

    /// Checks the same without reading the payload. A file whose change time alone differs passes.
    pub(crate) fn expect_unwritten(&self) -> Result<(), OpenError> {
        let Some(file) = self.source.file() else { return Ok(()) };
        self.expect_none(file.change())
    }

    fn expect_none(&self, change: io::Result<Option<Change>>) -> Result<(), OpenError> {
        let name = || self.name.clone();
        match change {
            Ok(None | Some(Change::Touched(_))) => Ok(()),
            Ok(Some(Change::CutShort { len })) => {
                let (expected, found) = (self.source.bytes().len() as u64, len);
                let source = FormatError::CutShort { expected, found };
                Err(OpenError::Format { name: name(), source })
            }
            Ok(Some(Change::Written)) => Err(OpenError::Written { name: name() }),
            Err(error) => Err(OpenError::Io { path: name().into(), source: Arc::new(error) }),
        }
    }

    /// Checks every chunk of the payload against its digest, and that the file was neither cut
    /// short nor written to.
    ///
    /// # Errors
    /// [`OpenError::Format`] with the first damaged chunk and its byte range; those of
    /// [`check_unchanged`](Self::check_unchanged).
    pub fn check_payload(&self) -> Result<(), OpenError> {
        (0..self.header.chunk_count()).try_for_each(|chunk| self.check_chunk(chunk))
    }

    /// Checks one chunk.
    pub(crate) fn check_chunk(&self, chunk: u64) -> Result<(), OpenError> {
        // A lost page may end the process.
        self.expect_unwritten()?;
        let found = self.hold_chunk(chunk);
        // A file that was cut short or written to is not damaged: it is another file.
        self.expect_unwritten()?;
        found.map_err(|source| OpenError::Format { name: self.name.clone(), source })
    }

    /// Returns whether the digests in the file agree with the header, which was read when the file
    /// was opened, and the payload agrees with the digests.
    fn is_right(&self) -> bool {
        self.header.check_digest_section(self.digests()).is_ok()
            && (0..self.header.chunk_count()).all(|chunk| self.hold_chunk(chunk).is_ok())
    }

    /// Checks a chunk against its digest.
    fn hold_chunk(&self, chunk: u64) -> Result<(), FormatError> {
        let range = self.header.chunk_range(chunk);
        let range = range.start as usize..range.end as usize;
        if let Some(file) = self.source.file() {
            file.populate(&range);
        }
        self.header.check_chunk(self.digests(), chunk, &self.source.bytes()[range])
    }

    fn digests(&self) -> &[u8] {
        let range = self.header.digests_range();
        &self.source.bytes()[range.start as usize..range.end as usize]
    }

    /// Checks that this is the expected table.
    pub(crate) fn expect_key(&self, key: &TableKey) -> Result<(), OpenError> {
        self.header
            .expect_key(key)
            .map_err(|source| OpenError::Format { name: self.name.clone(), source })
    }
}

/// Checks that no link leads out of the table, so that searches need not check links.
fn check_links(
    layout: &walking::Layout,
    payload: &[u8],
    state_count: u32,
    lines: usize,
) -> Result<(), FormatError> {
    for state in 0..state_count {
        for step in walking::Step::ALL {
            for home_line in 0..lines {
                let link = layout.link(payload, state, step, home_line);
                if link.is_none_or(|link| link != walking::NO_LINK && link >= state_count) {
                    let expected = format_args!("a state below {state_count}");
                    let found = format_args!("{link:?} at state {state}");
                    return Err(FormatError::bad_field("link", expected, found));
                }
            }
        }
    }
    Ok(())
}
