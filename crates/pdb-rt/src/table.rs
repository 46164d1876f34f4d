//! Tables: mapped or in memory, checked once, then only read.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pdb_core::{PatternIndex, TableKey};
use pdb_format::{Digest, FormatError, Header, table_digest, walking};

use crate::OpenError;
use crate::arithmetic::TableIndex;
use crate::cut::Change;
use crate::map::{self, Bytes, Residence, Stamp};
use crate::pages::{Pages, Promotion, Taken};

/// Where a table's bytes are.
#[derive(Debug)]
enum Source {
    File(Bytes),
    Memory(Cow<'static, [u8]>),
}

impl Source {
    fn populate(&self, range: &Range<usize>) {
        if let Self::File(bytes) = self {
            bytes.populate(range);
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::File(bytes) => bytes.as_slice(),
            Self::Memory(bytes) => bytes,
        }
    }

    /// What became of the file since it was opened.
    fn change(&self) -> io::Result<Option<Change>> {
        match self {
            Self::File(bytes) => bytes.change(),
            Self::Memory(_) => Ok(None),
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
    stamp: Option<Stamp>,
    header: Header,
    payload: Range<usize>,
    index: Option<Arc<TableIndex>>,
    /// Nothing for a table that stays where it is.
    place: Option<Arc<Mutex<Place>>>,
}

/// Where a table that may be promoted is.
#[derive(Debug, Default)]
struct Place {
    pages: Pages,
    /// The room for its copy.
    _taken: Option<Taken>,
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
        // An empty file cannot be mapped everywhere; it is a format error, not an input error.
        let may_be_promoted = residence == Residence::Auto;
        let (source, stamp) = match map::bring_in(path, residence) {
            Ok((bytes, stamp)) => (Source::File(bytes), Some(stamp)),
            Err(_) if std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() == 0) => {
                (Source::Memory(Cow::Borrowed(&[])), None)
            }
            Err(error) => {
                return Err(OpenError::Io { path: path.to_owned(), source: Arc::new(error) });
            }
        };
        let table = Self::check(path.display().to_string(), source, stamp, others)?;
        Ok(Self { place: may_be_promoted.then(Arc::default), ..table })
    }

    /// A table whose file's bytes are in memory already: a vector of them, or bytes that stay where they
    /// are for as long as the program runs, such as those of `include_bytes!`.
    ///
    /// `name` stands for it in errors.
    ///
    /// # Errors
    /// [`OpenError::Format`] or [`OpenError::Index`].
    pub fn from_bytes(name: &str, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, OpenError> {
        Self::check(name.to_owned(), Source::Memory(bytes.into()), None, &[])
    }

    fn check(
        name: String,
        source: Source,
        stamp: Option<Stamp>,
        others: &[Self],
    ) -> Result<Self, OpenError> {
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
        Ok(Self { name, source, stamp, header, payload, index, place: None })
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

    /// What the file was when it was opened; nothing for bytes that came from elsewhere.
    pub fn stamp(&self) -> Option<Stamp> {
        self.stamp
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
    /// What was looked up before a good answer is what the file held when it was opened. A file whose time
    /// of modification is another counts as written to, even if only that changed.
    ///
    /// # Errors
    /// [`OpenError::Format`] with [`FormatError::CutShort`], [`OpenError::Written`], or [`OpenError::Io`].
    pub fn check_unchanged(&self) -> Result<(), OpenError> {
        let name = || self.name.clone();
        match self.source.change() {
            Ok(None) => Ok(()),
            Ok(Some(Change::CutShort { len })) => {
                let (expected, found) = (self.source.bytes().len() as u64, len);
                let source = FormatError::CutShort { expected, found };
                Err(OpenError::Format { name: name(), source })
            }
            Ok(Some(Change::Written)) => Err(OpenError::Written { name: name() }),
            Err(error) => Err(OpenError::Io { path: name().into(), source: Arc::new(error) }),
        }
    }

    /// Checks every chunk of the payload against its digest, and beside it that the file
    /// [is still the same](Self::check_unchanged).
    ///
    /// # Errors
    /// [`OpenError::Format`] with the first damaged chunk and its byte range; those of
    /// [`check_unchanged`](Self::check_unchanged).
    pub fn check_payload(&self) -> Result<(), OpenError> {
        (0..self.header.chunk_count()).try_for_each(|chunk| self.check_chunk(chunk))
    }

    /// Checks one chunk, as [`check_payload`](Self::check_payload) does each.
    pub(crate) fn check_chunk(&self, chunk: u64) -> Result<(), OpenError> {
        let range = |r: Range<u64>| r.start as usize..r.end as usize;
        let bytes = range(self.header.chunk_range(chunk));
        // A page that is gone may end the process.
        self.check_unchanged()?;
        self.source.populate(&bytes);
        let found = self.header.check_chunk(
            &self.source.bytes()[range(self.header.digests_range())],
            chunk,
            &self.source.bytes()[bytes],
        );
        // What was cut short or written to is not damaged, it is another file.
        self.check_unchanged()?;
        found.map_err(|source| OpenError::Format { name: self.name.clone(), source })
    }

    /// What pages the table is in, as far as it was [promoted](Promotion). While it is being promoted, this waits for the end.
    pub fn pages(&self) -> Pages {
        self.place().map_or(Pages::AsOpened, |place| place.pages)
    }

    /// Whether it was opened as [`Residence::Auto`].
    pub(crate) fn can_be_promoted(&self) -> bool {
        self.place.is_some()
    }

    fn place(&self) -> Option<MutexGuard<'_, Place>> {
        Some(self.place.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Brings all of it into memory, if there is much more.
    pub(crate) fn bring_in(&self) {
        #[cfg(target_os = "linux")]
        if let (Some(_), Source::File(bytes)) = (self.place(), &*self.source) {
            crate::pages::bring_in(bytes);
        }
    }

    /// Promotes the table, unless it is already, while others look it up.
    pub(crate) fn promote(&self, promotion: &Promotion, is_over: &dyn Fn() -> bool) {
        #[cfg(target_os = "linux")]
        if let (Some(mut place), Source::File(bytes)) = (self.place(), &*self.source)
            && place.pages == Pages::AsOpened
        {
            let (pages, taken) =
                crate::pages::enlarge(bytes, promotion, &|bytes| self.is_copy(bytes), is_over);
            *place = Place { pages, _taken: taken };
        }
        let _ = (promotion, is_over);
    }

    /// Whether bytes are those of this table's file, by header and digests.
    #[cfg(target_os = "linux")]
    fn is_copy(&self, bytes: &[u8]) -> bool {
        let range = |r: Range<u64>| r.start as usize..r.end as usize;
        let len = bytes.len() as u64;
        if !Header::parse(bytes, len).is_ok_and(|header| header == self.header) {
            return false;
        }
        let section = &bytes[range(self.header.digests_range())];
        let is_good = |chunk| {
            let bytes = &bytes[range(self.header.chunk_range(chunk))];
            self.header.check_chunk(section, chunk, bytes).is_ok()
        };
        self.header.check_digest_section(section).is_ok()
            && (0..self.header.chunk_count()).all(is_good)
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
