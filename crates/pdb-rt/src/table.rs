//! Tables: mapped or in memory, checked once, then only read.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use pdb_core::{PatternIndex, TableKey};
use pdb_format::{Digest, FormatError, Header, table_digest, walking};

use crate::OpenError;
use crate::arithmetic::TableIndex;
use crate::map::{Change, FileBytes, Residence, Stamp};

/// Where a table's bytes are.
#[derive(Debug)]
enum Source {
    File(FileBytes),
    Memory(Cow<'static, [u8]>),
}

impl Source {
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

/// A table whose header, length, digest section and counts have been checked.
///
/// The payload's own digests are not: [`check_payload`](Self::check_payload) does that on demand.
/// Whatever the payload holds, no look-up leaves it.
///
/// Clones share the bytes.
#[derive(Clone, Debug)]
pub struct Table {
    name: String,
    source: Arc<Source>,
    header: Header,
    payload: Range<usize>,
    index: Option<Arc<TableIndex>>,
}

impl Table {
    /// Maps a table file. The file must not be cut short while the table is in use; replacing it by
    /// a rename is fine.
    ///
    /// # Errors
    /// [`OpenError::Io`], [`OpenError::Format`] or [`OpenError::Index`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_as(path, Residence::Mapped)
    }

    /// Brings a table file into memory, in one of several ways; otherwise as [`open`](Self::open).
    ///
    /// # Errors
    /// As [`open`](Self::open); [`OpenError::Io`] also when the memory is not to be had, or may not
    /// be locked.
    pub fn open_as(path: &Path, residence: Residence) -> Result<Self, OpenError> {
        Self::open_beside(path, residence, &[])
    }

    /// Opens a table that will be used together with others: one of the same size lends it its
    /// index, which then is worked out, in memory and in the processor's caches once.
    pub(crate) fn open_beside(
        path: &Path,
        residence: Residence,
        others: &[Self],
    ) -> Result<Self, OpenError> {
        let file = FileBytes::open(path, residence)
            .map_err(|error| OpenError::Io { path: path.to_owned(), source: Arc::new(error) })?;
        Self::check(path.display().to_string(), Source::File(file), others)
    }

    /// A table whose file's bytes are in memory already: a vector of them, or bytes that stay where they
    /// are for as long as the program runs, such as those of `include_bytes!`.
    ///
    /// `name` stands for it in errors.
    ///
    /// # Errors
    /// [`OpenError::Format`] or [`OpenError::Index`].
    pub fn from_bytes(name: &str, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, OpenError> {
        Self::check(name.to_owned(), Source::Memory(bytes.into()), &[])
    }

    fn check(name: String, source: Source, others: &[Self]) -> Result<Self, OpenError> {
        let bytes = source.bytes();
        let format = |source| OpenError::Format { name: name.clone(), source };
        let header = Header::parse(bytes, bytes.len() as u64).map_err(format)?;
        let range = |r: Range<u64>| r.start as usize..r.end as usize;
        header.check_digest_section(&bytes[range(header.digests_range())]).map_err(format)?;
        let payload = range(header.payload_offset()..header.file_bytes());
        let index = match &header.key {
            TableKey::Pattern(key) => {
                let size = (key.shape, key.tile_count(), key.mode);
                let mut known = others.iter().filter_map(|other| other.index.as_ref());
                let index = match known.find(|known| known.size() == size) {
                    Some(known) => Arc::clone(known),
                    None => Arc::new(
                        TableIndex::new(size)
                            .map_err(|source| OpenError::Index { name: name.clone(), source })?,
                    ),
                };
                header.expect_entry_count(index.index.entry_count()).map_err(format)?;
                Some(index)
            }
            TableKey::Walking(key) => {
                let layout = walking::Layout::new(header.entry_count, key.lines);
                if layout.key(&bytes[payload.clone()], 0) != Some(walking::goal_key(key)) {
                    return Err(format(FormatError::BadField {
                        field: "first state",
                        expected: format!("the goal of {}", header.key.file_name()),
                        found: "another state".into(),
                    }));
                }
                check_links(&layout, &bytes[payload.clone()], header.entry_count as u32, key.lines)
                    .map_err(format)?;
                None
            }
            _ => None,
        };
        let source = Arc::new(source);
        Ok(Self { name, source, header, payload, index })
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The digest that stands for the whole table: the one that ends its header.
    pub fn digest(&self) -> Digest {
        table_digest(&self.header.to_bytes())
    }

    /// The file's path, or the name that was given to the bytes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The state of the file when it was opened; nothing for bytes that came from elsewhere.
    pub fn stamp(&self) -> Option<Stamp> {
        self.source.file().map(FileBytes::stamp)
    }

    /// The packed entries.
    #[inline]
    pub fn payload(&self) -> &[u8] {
        &self.source.bytes()[self.payload.clone()]
    }

    /// The index of a pattern table.
    pub fn index(&self) -> Option<&PatternIndex> {
        self.index.as_ref().map(|index| &index.index)
    }

    pub(crate) fn table_index(&self) -> Option<&TableIndex> {
        self.index.as_deref()
    }

    /// Checks that a mapped file was neither cut short nor written to since it was opened. This costs one
    /// system call; a table in memory stays as it is.
    ///
    /// After a good answer, what was looked up before is what the file held when it was opened, but for the
    /// exceptions that `docs/reliability.md` lists under "A file under a map". A file counts as written to if its time of modification differs, its device or its number. If only its time
    /// of change differs, as after `chmod` or a write whose time was put back, the payload is read again
    /// and held against its digests; that is done once for each such change.
    ///
    /// # Errors
    /// [`OpenError::Format`] with [`FormatError::CutShort`], [`OpenError::Written`], or [`OpenError::Io`].
    pub fn check_unchanged(&self) -> Result<(), OpenError> {
        let Some(file) = self.source.file() else { return Ok(()) };
        self.expect_none(file.check_unchanged(|| self.is_right()))
    }

    /// The same without reading the payload: a file of which only the time of change differs may be right.
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

    /// Checks every chunk of the payload against its digest, and beside it that the file was neither cut
    /// short nor written to.
    ///
    /// # Errors
    /// [`OpenError::Format`] with the first damaged chunk and its byte range; those of
    /// [`check_unchanged`](Self::check_unchanged).
    pub fn check_payload(&self) -> Result<(), OpenError> {
        (0..self.header.chunk_count()).try_for_each(|chunk| self.check_chunk(chunk))
    }

    /// Checks one chunk, as [`check_payload`](Self::check_payload) does each.
    pub(crate) fn check_chunk(&self, chunk: u64) -> Result<(), OpenError> {
        // A page that is gone may end the process.
        self.expect_unwritten()?;
        let found = self.hold_chunk(chunk);
        // What was cut short or written to is not damaged, it is another file.
        self.expect_unwritten()?;
        found.map_err(|source| OpenError::Format { name: self.name.clone(), source })
    }

    /// Whether the digests in the file are those of the header, which was read when the file was opened,
    /// and the payload is theirs.
    fn is_right(&self) -> bool {
        self.header.check_digest_section(self.digests()).is_ok()
            && (0..self.header.chunk_count()).all(|chunk| self.hold_chunk(chunk).is_ok())
    }

    /// Holds a chunk against its digest.
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

    /// Checks that this is the table that was asked for.
    pub(crate) fn expect_key(&self, key: &TableKey) -> Result<(), OpenError> {
        self.header
            .expect_key(key)
            .map_err(|source| OpenError::Format { name: self.name.clone(), source })
    }
}

/// Checks that no link leads out of the table, so that a search can follow them blindly.
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
                    return Err(FormatError::BadField {
                        field: "link",
                        expected: format!("a state below {state_count}"),
                        found: format!("{link:?} at state {state}"),
                    });
                }
            }
        }
    }
    Ok(())
}
