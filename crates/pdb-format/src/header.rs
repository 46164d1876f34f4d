//! The header: the first page of a table.

use core::cmp::Ordering;
use core::fmt;
use core::ops::Range;

use pdb_core::index::{ENTRY_COUNT_END, REGIONS_MAX};
use pdb_core::{
    BlankMode, Cell, CellSet, ColourIndex, ColourKey, PatternKey, Shape, TableKey, WalkingKey,
    factorial,
};

use crate::error::ensure;
use crate::{DIGEST_BYTES, Digest, FormatError, PAGE_BYTES, Packing, digest, slides, walking};

/// First bytes of every table.
pub const MAGIC: [u8; 8] = *b"TILEBASE";
/// Version of the format that this crate writes, and the latest that it reads.
pub const FORMAT_VERSION: u32 = 1;
/// Length of the header, in bytes.
pub const HEADER_BYTES: usize = 4096;
/// Length of a chunk of the payload, in bytes: each has a digest.
pub const CHUNK_BYTES: u64 = 1 << 20;
/// Largest number of counts in a histogram.
pub const LEVELS_MAX: usize = 400;
/// Length of the field with the class of each cell, in bytes.
const CLASSES_BYTES: usize = 64;

/// Offsets of the header's fields, in bytes. `docs/format.md` defines the fields. Each field starts
/// where the one before it ends, or after a gap of reserved bytes, aligned to its size.
mod at {
    pub(super) const MAGIC: usize = 0;
    pub(super) const FORMAT_VERSION: usize = MAGIC + super::MAGIC.len();
    pub(super) const HEADER_BYTES: usize = FORMAT_VERSION + 4;
    pub(super) const KIND: usize = HEADER_BYTES + 4;
    pub(super) const BLANK_MODE: usize = KIND + 4;
    pub(super) const PACKING: usize = BLANK_MODE + 4;
    pub(super) const INDEXING: usize = PACKING + 4;
    pub(super) const ROWS: usize = INDEXING + 4;
    pub(super) const COLS: usize = ROWS + 1;
    pub(super) const TILE_COUNT: usize = COLS + 1;
    pub(super) const GOAL_REGION: usize = TILE_COUNT + 1;
    pub(super) const HOMES: usize = GOAL_REGION + 1 + 4;
    pub(super) const ENTRY_COUNT: usize = HOMES + 8;
    pub(super) const UNREACHED_COUNT: usize = ENTRY_COUNT + 8;
    pub(super) const DIGESTS_OFFSET: usize = UNREACHED_COUNT + 8;
    pub(super) const PAYLOAD_OFFSET: usize = DIGESTS_OFFSET + 8;
    pub(super) const PAYLOAD_BYTES: usize = PAYLOAD_OFFSET + 8;
    pub(super) const CHUNK_BYTES: usize = PAYLOAD_BYTES + 8;
    pub(super) const CHUNK_COUNT: usize = CHUNK_BYTES + 8;
    pub(super) const FILE_BYTES: usize = CHUNK_COUNT + 8;
    pub(super) const LEVEL_COUNT: usize = FILE_BYTES + 8;
    pub(super) const PAYLOAD_DIGEST: usize = LEVEL_COUNT + 4 + 12;
    pub(super) const HISTOGRAM: usize = PAYLOAD_DIGEST + super::DIGEST_BYTES;
    pub(super) const CLASSES: usize = HISTOGRAM + 8 * super::LEVELS_MAX;
    pub(super) const HEADER_DIGEST: usize = super::HEADER_BYTES - super::DIGEST_BYTES;

    const _: () = {
        assert!(HOMES == 40 && HISTOGRAM == 160 && CLASSES == 3360 && HEADER_DIGEST == 4064);
        assert!(CLASSES + super::CLASSES_BYTES <= HEADER_DIGEST);
    };
}

/// Header of a table.
///
/// The fields determine the rest of the header. Call [`check`](Self::check) on a header made by
/// hand before its use; [`parse`](Self::parse) returns checked headers only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The table's key.
    pub key: TableKey,
    /// The packing of the entries.
    pub packing: Packing,
    /// Number of entries, or of states in a Walking Distance table.
    pub entry_count: u64,
    /// Number of entries that no board reaches.
    pub unreached_count: u64,
    /// Number of entries of each value from 0 to the largest.
    pub histogram: Vec<u64>,
    /// BLAKE3 of the chunks' digests.
    pub payload_digest: Digest,
}

impl Header {
    /// Reads the header at the start of `bytes`, the beginning (or all) of a file of `file_bytes`
    /// bytes.
    ///
    /// The result passes [`check`](Self::check), and no offset in it leaves the file. The caller
    /// checks the rest: that the file is the expected table ([`expect_key`](Self::expect_key)); for
    /// a blank-aware pattern that the index has the number of entries
    /// ([`expect_entry_count`](Self::expect_entry_count)); for Walking Distance that state 0 is
    /// [`walking::goal_key`].
    ///
    /// # Errors
    /// In this order: [`NotATable`](FormatError::NotATable), [`CutShort`](FormatError::CutShort)
    /// within the header, [`NewerVersion`](FormatError::NewerVersion),
    /// [`HeaderDigest`](FormatError::HeaderDigest), [`BadField`](FormatError::BadField), and last
    /// [`CutShort`](FormatError::CutShort) or [`TooLong`](FormatError::TooLong) for the whole file.
    pub fn parse(bytes: &[u8], file_bytes: u64) -> Result<Self, FormatError> {
        let bytes = check_envelope(bytes)?;
        let key = KeyFields::read(bytes).key()?;
        let level_count = u32_at(bytes, at::LEVEL_COUNT);
        let levels = bytes[at::HISTOGRAM..at::CLASSES].as_chunks().0;
        check_level_count(level_count as usize)?;
        let header = Self {
            key,
            packing: Packing::from_code(u32_at(bytes, at::PACKING))?,
            entry_count: u64_at(bytes, at::ENTRY_COUNT),
            unreached_count: u64_at(bytes, at::UNREACHED_COUNT),
            histogram: levels[..level_count as usize]
                .iter()
                .map(|&count| u64::from_le_bytes(count))
                .collect(),
            payload_digest: Digest(array_at(bytes, at::PAYLOAD_DIGEST)),
        };
        header.check_packing()?;
        header.check_counts()?;
        // All other bytes follow from these fields.
        let encoded = header.encode();
        if let Some(at) = (0..HEADER_BYTES).find(|&at| encoded[at] != bytes[at]) {
            let expected = format_args!("{} at byte {at}", encoded[at]);
            return Err(FormatError::bad_field("header", expected, bytes[at]));
        }
        let expected = header.file_bytes();
        match file_bytes.cmp(&expected) {
            Ordering::Less => Err(FormatError::CutShort { expected, found: file_bytes }),
            Ordering::Greater => Err(FormatError::TooLong { expected, found: file_bytes }),
            Ordering::Equal => Ok(header),
        }
    }

    /// Returns the header as the first page of a file.
    ///
    /// # Panics
    /// When the header does not pass [`check`](Self::check).
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        if let Err(error) = self.check() {
            panic!("a header that no table can have: {error}");
        }
        self.encode()
    }

    /// Checks that a table can have this header.
    ///
    /// # Errors
    /// [`FormatError::BadField`].
    pub fn check(&self) -> Result<(), FormatError> {
        let key = KeyFields::of(&self.key).key()?;
        expect("key", key.file_name(), self.key.file_name())?;
        check_level_count(self.histogram.len())?;
        self.check_packing()?;
        self.check_counts()
    }

    /// Checks that the file is the expected table.
    ///
    /// # Errors
    /// [`FormatError::OtherTable`].
    pub fn expect_key(&self, key: &TableKey) -> Result<(), FormatError> {
        if self.key != *key {
            return Err(FormatError::OtherTable {
                expected: key.file_name(),
                found: self.key.file_name(),
            });
        }
        Ok(())
    }

    /// Checks that the table has as many entries as its index.
    ///
    /// # Errors
    /// [`FormatError::BadField`].
    pub fn expect_entry_count(&self, expected: u64) -> Result<(), FormatError> {
        expect("entry count", expected, self.entry_count)
    }

    /// Returns the largest value of the table.
    pub fn level_max(&self) -> u32 {
        self.histogram.len().saturating_sub(1) as u32
    }

    /// Returns the length of the payload, in bytes.
    pub fn payload_bytes(&self) -> u64 {
        self.packing.payload_bytes(&self.key, self.entry_count)
    }

    /// Returns the number of chunks of the payload; the last one may be shorter than
    /// [`CHUNK_BYTES`].
    pub fn chunk_count(&self) -> u64 {
        self.payload_bytes().div_ceil(CHUNK_BYTES)
    }

    /// Returns the range of the digest section in the file, in bytes.
    pub fn digests_range(&self) -> Range<u64> {
        HEADER_BYTES as u64..self.payload_offset()
    }

    /// Returns the offset of the payload in the file, in bytes.
    pub fn payload_offset(&self) -> u64 {
        HEADER_BYTES as u64
            + (self.chunk_count() * DIGEST_BYTES as u64).next_multiple_of(PAGE_BYTES)
    }

    /// Returns the length of the whole file, in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.payload_offset() + self.payload_bytes()
    }

    /// Returns the range of a chunk in the file, in bytes; empty for a chunk that does not exist.
    pub fn chunk_range(&self, chunk: u64) -> Range<u64> {
        let end = self.payload_bytes();
        let start = chunk.saturating_mul(CHUNK_BYTES).min(end);
        let offset = self.payload_offset();
        offset + start..offset + (start + CHUNK_BYTES).min(end)
    }

    /// Checks a digest section, the bytes of [`digests_range`](Self::digests_range).
    ///
    /// # Errors
    /// [`FormatError::SectionDigest`] when the digests do not agree with the header's payload
    /// digest, [`FormatError::BadField`] for another length or padding other than zeros.
    pub fn check_digest_section(&self, section: &[u8]) -> Result<(), FormatError> {
        let range = self.digests_range();
        let length = range.end - range.start;
        expect("digest section length", length, section.len() as u64)?;
        let (digests, padding) = section.split_at(self.chunk_count() as usize * DIGEST_BYTES);
        let found = digest(digests);
        if found != self.payload_digest {
            return Err(FormatError::SectionDigest { expected: self.payload_digest, found });
        }
        let used = padding.iter().copied().find(|&byte| byte != 0);
        expect("digest section padding", 0, used.unwrap_or(0))
    }

    /// Checks the bytes of a chunk against a checked digest section.
    ///
    /// # Errors
    /// [`FormatError::ChunkDigest`] names the chunk and its range.
    pub fn check_chunk(&self, section: &[u8], chunk: u64, bytes: &[u8]) -> Result<(), FormatError> {
        let expected = section.chunks_exact(DIGEST_BYTES).nth(chunk as usize);
        if expected != Some(&digest(bytes).0[..]) {
            let Range { start, end } = self.chunk_range(chunk);
            return Err(FormatError::ChunkDigest { chunk, start, end });
        }
        Ok(())
    }

    fn check_packing(&self) -> Result<(), FormatError> {
        let (expected, fits) = match &self.key {
            TableKey::Pattern(key) if key.mode == BlankMode::Aware => {
                let fits = matches!(self.packing, Packing::Bit | Packing::Nibble | Packing::Byte);
                ("1, 4 or 8 bits an entry", fits)
            }
            TableKey::Pattern(key) if key.mode == BlankMode::Plain => {
                ("1 bit an entry", self.packing == Packing::Bit)
            }
            TableKey::Pattern(_) => {
                ("4 or 8 bits an entry", matches!(self.packing, Packing::Nibble | Packing::Byte))
            }
            TableKey::Walking(_) => ("walking distance states", self.packing == Packing::Walking),
            TableKey::Coloured(_) => ("two numbers of slides", self.packing == Packing::Slides),
        };
        ensure(fits, "packing", expected, self.packing)
    }

    fn check_counts(&self) -> Result<(), FormatError> {
        let (block_len, least, most) = match &self.key {
            TableKey::Pattern(key) => {
                let least = self.key.entry_count_min();
                // Each region has a free cell of its own.
                let free_count = (key.shape.cell_count() - key.tile_count()) as u64;
                let regions_max = match key.mode {
                    BlankMode::Aware => free_count.min(REGIONS_MAX as u64),
                    BlankMode::Collapsed | BlankMode::Plain => 1,
                };
                let most = least.saturating_mul(regions_max).min(ENTRY_COUNT_END - 1);
                (factorial(key.tile_count()), least, most)
            }
            // A link holds a state's number, and a value is one byte.
            TableKey::Walking(_) => (1, 1, u64::from(walking::NO_LINK)),
            TableKey::Coloured(_) => (1, self.key.entry_count_min(), self.key.entry_count_min()),
        };
        let found = self.entry_count;
        let is_possible = (least..=most).contains(&found) && found.is_multiple_of(block_len);
        let expected = format_args!("a multiple of {block_len} from {least} to {most}");
        ensure(is_possible, "entry count", expected, found)?;
        let may_be_unreached = match &self.key {
            TableKey::Pattern(key) => key.is_half_reachable(),
            TableKey::Walking(_) | TableKey::Coloured(_) => false,
        };
        if !may_be_unreached {
            expect("unreached count", 0, self.unreached_count)?;
        }
        let level_count = self.histogram.len();
        let levels_max = match self.packing {
            Packing::Walking => 256,
            Packing::Slides => slides::VALUE_END,
            _ => LEVELS_MAX,
        };
        let expected = format_args!("1 to {levels_max}");
        ensure(level_count <= levels_max, "level count", expected, level_count)?;
        // Only the goal has value 0, and the histogram ends with the largest value.
        expect("histogram's first count", 1, self.histogram[0])?;
        let is_last_used = self.histogram.last() != Some(&0);
        ensure(is_last_used, "histogram's last count", "1 or more", 0)?;
        let sum = self
            .histogram
            .iter()
            .try_fold(self.unreached_count, |sum, &count| sum.checked_add(count));
        let expected = format_args!("{} with the unreached entries", self.entry_count);
        let found = sum.map_or("more than 64 bits hold".into(), |sum| sum.to_string());
        ensure(sum == Some(self.entry_count), "histogram's sum", expected, found)
    }

    fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut out = [0; HEADER_BYTES];
        let mut put = |at: usize, bytes: &[u8]| out[at..at + bytes.len()].copy_from_slice(bytes);
        put(at::MAGIC, &MAGIC);
        put(at::FORMAT_VERSION, &FORMAT_VERSION.to_le_bytes());
        put(at::HEADER_BYTES, &(HEADER_BYTES as u32).to_le_bytes());
        put(at::PACKING, &self.packing.code().to_le_bytes());
        let key = KeyFields::of(&self.key);
        put(at::KIND, &key.kind.to_le_bytes());
        put(at::BLANK_MODE, &key.blank_mode.to_le_bytes());
        put(at::INDEXING, &key.indexing.to_le_bytes());
        put(at::ROWS, &[key.rows]);
        put(at::COLS, &[key.cols]);
        put(at::TILE_COUNT, &[key.tile_count]);
        put(at::GOAL_REGION, &[key.goal_region]);
        put(at::HOMES, &key.homes.to_le_bytes());
        put(at::CLASSES, &key.classes);
        put(at::ENTRY_COUNT, &self.entry_count.to_le_bytes());
        put(at::UNREACHED_COUNT, &self.unreached_count.to_le_bytes());
        put(at::DIGESTS_OFFSET, &(HEADER_BYTES as u64).to_le_bytes());
        put(at::PAYLOAD_OFFSET, &self.payload_offset().to_le_bytes());
        put(at::PAYLOAD_BYTES, &self.payload_bytes().to_le_bytes());
        put(at::CHUNK_BYTES, &CHUNK_BYTES.to_le_bytes());
        put(at::CHUNK_COUNT, &self.chunk_count().to_le_bytes());
        put(at::FILE_BYTES, &self.file_bytes().to_le_bytes());
        put(at::LEVEL_COUNT, &(self.histogram.len() as u32).to_le_bytes());
        put(at::PAYLOAD_DIGEST, &self.payload_digest.0);
        for (level, count) in self.histogram.iter().enumerate() {
            put(at::HISTOGRAM + 8 * level, &count.to_le_bytes());
        }
        let header_digest = digest(&out[..at::HEADER_DIGEST]);
        out[at::HEADER_DIGEST..].copy_from_slice(&header_digest.0);
        out
    }
}

/// Returns the digest at the end of a header, which stands for the whole table. Does not check the
/// header.
pub fn table_digest(header: &[u8; HEADER_BYTES]) -> Digest {
    Digest(array_at(header, at::HEADER_DIGEST))
}

/// Fields of a table's key, as in the header.
struct KeyFields {
    kind: u32,
    blank_mode: u32,
    indexing: u32,
    rows: u8,
    cols: u8,
    tile_count: u8,
    goal_region: u8,
    homes: u64,
    /// The number of each cell's class, from 1.
    classes: [u8; CLASSES_BYTES],
}

const KIND_PATTERN: u32 = 1;
const KIND_WALKING: u32 = 2;
const KIND_COLOURED: u32 = 3;
const BLANK_NONE: u32 = 0;
const BLANK_AWARE: u32 = 1;
const BLANK_COLLAPSED: u32 = 2;
const BLANK_PLAIN: u32 = 3;
const INDEXING_WALKING: u32 = 2;
/// Pattern states, arrangement by arrangement.
const INDEXING_PATTERN: u32 = 3;
const INDEXING_COLOURED: u32 = 4;
const NO_CLASSES: [u8; CLASSES_BYTES] = [0; CLASSES_BYTES];

impl KeyFields {
    fn of(key: &TableKey) -> Self {
        match key {
            TableKey::Pattern(key) => Self {
                kind: KIND_PATTERN,
                blank_mode: match key.mode {
                    BlankMode::Aware => BLANK_AWARE,
                    BlankMode::Collapsed => BLANK_COLLAPSED,
                    BlankMode::Plain => BLANK_PLAIN,
                },
                indexing: INDEXING_PATTERN,
                rows: key.shape.rows() as u8,
                cols: key.shape.cols() as u8,
                tile_count: key.tile_count() as u8,
                goal_region: key.goal_region,
                homes: key.homes.0,
                classes: NO_CLASSES,
            },
            TableKey::Walking(key) => Self {
                kind: KIND_WALKING,
                blank_mode: BLANK_NONE,
                indexing: INDEXING_WALKING,
                rows: key.lines as u8,
                cols: key.line_len as u8,
                tile_count: 0,
                goal_region: key.blank_line as u8,
                homes: 0,
                classes: NO_CLASSES,
            },
            TableKey::Coloured(key) => {
                let mut classes = NO_CLASSES;
                for (number, class) in (1..).zip(key.classes()) {
                    class.iter().for_each(|cell| classes[usize::from(cell)] = number);
                }
                Self {
                    kind: KIND_COLOURED,
                    blank_mode: BLANK_NONE,
                    indexing: INDEXING_COLOURED,
                    rows: key.shape.rows() as u8,
                    cols: key.shape.cols() as u8,
                    tile_count: (key.shape.cell_count() - 1) as u8,
                    goal_region: key.blank,
                    homes: 0,
                    classes,
                }
            }
        }
    }

    fn read(bytes: &[u8; HEADER_BYTES]) -> Self {
        Self {
            kind: u32_at(bytes, at::KIND),
            blank_mode: u32_at(bytes, at::BLANK_MODE),
            indexing: u32_at(bytes, at::INDEXING),
            rows: bytes[at::ROWS],
            cols: bytes[at::COLS],
            tile_count: bytes[at::TILE_COUNT],
            goal_region: bytes[at::GOAL_REGION],
            homes: u64_at(bytes, at::HOMES),
            classes: array_at(bytes, at::CLASSES),
        }
    }

    /// Returns the canonical key of the fields from which the others follow, if these are in their
    /// ranges.
    fn key(&self) -> Result<TableKey, FormatError> {
        let shape = Shape::new(self.rows.into(), self.cols.into()).ok();
        let shape = shape.filter(|shape| !shape.is_line()).ok_or_else(|| {
            let found = format_args!("{}x{}", self.rows, self.cols);
            FormatError::bad_field("shape", "sides of at least 2, at most 64 cells", found)
        })?;
        match self.kind {
            KIND_PATTERN => self.pattern(shape).map(TableKey::Pattern),
            KIND_WALKING => self.walking().map(TableKey::Walking),
            KIND_COLOURED => self.coloured(shape).map(TableKey::Coloured),
            kind => Err(FormatError::bad_field("kind", "1, 2 or 3", kind)),
        }
    }

    fn pattern(&self, shape: Shape) -> Result<PatternKey, FormatError> {
        let mode = match self.blank_mode {
            BLANK_AWARE => BlankMode::Aware,
            BLANK_COLLAPSED => BlankMode::Collapsed,
            BLANK_PLAIN => BlankMode::Plain,
            mode => return Err(FormatError::bad_field("blank mode", "1, 2 or 3", mode)),
        };
        let (homes, goal_region) = (CellSet(self.homes), self.goal_region);
        let is_inside = homes.without(shape.all_cells()).is_empty();
        let found = format_args!("{:#x}", homes.0);
        ensure(is_inside, "home cells", format_args!("cells of a {shape} board"), found)?;
        let is_free = usize::from(goal_region) < shape.cell_count() && !homes.contains(goal_region);
        ensure(is_free, "goal region", "a cell outside the pattern", goal_region)?;
        let key = PatternKey::new(shape, homes, goal_region, mode)
            .map_err(|error| FormatError::bad_field("home cells", "a pattern", error))?;
        Ok(key.canonical().0)
    }

    fn walking(&self) -> Result<WalkingKey, FormatError> {
        let key = WalkingKey {
            lines: self.rows.into(),
            line_len: self.cols.into(),
            blank_line: self.goal_region.into(),
        };
        walking::fits(&key)?;
        let expected = format_args!("less than {}", key.lines);
        ensure(key.blank_line < key.lines, "blank line", expected, key.blank_line)?;
        Ok(key.canonical().0)
    }

    fn coloured(&self, shape: Shape) -> Result<ColourKey, FormatError> {
        let cells = shape.cell_count();
        let bad = |found: &dyn fmt::Display| {
            FormatError::bad_field("classes", "a class of each tile, in their order", found)
        };
        let blank = self.goal_region;
        let count = self.classes.iter().copied().max().unwrap_or(0);
        let class = |number: u8| -> CellSet {
            let cells = (0..cells).filter(|&cell| self.classes[cell] == number);
            cells.map(|cell| cell as Cell).collect()
        };
        let classes: Vec<CellSet> = (1..=count).map(class).collect();
        let has_all = usize::from(blank) < cells
            && class(0) == CellSet::single(blank)
            && classes.iter().all(|class| !class.is_empty());
        if !has_all {
            return Err(bad(&"others"));
        }
        let key = ColourKey::new(shape, blank, &classes).map_err(|error| bad(&error))?;
        ColourIndex::check(&key).map_err(|error| bad(&error))?;
        Ok(key.canonical().0)
    }
}

/// Checks length, magic, version and digest of the header that `bytes` start with.
fn check_envelope(bytes: &[u8]) -> Result<&[u8; HEADER_BYTES], FormatError> {
    let start = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(start) {
        return Err(FormatError::NotATable {
            expected: MAGIC,
            found: start.escape_ascii().to_string(),
        });
    }
    let Some(bytes) = bytes.first_chunk() else {
        return Err(FormatError::CutShort {
            expected: HEADER_BYTES as u64,
            found: bytes.len() as u64,
        });
    };
    let version = u32_at(bytes, at::FORMAT_VERSION);
    if version > FORMAT_VERSION {
        return Err(FormatError::NewerVersion { found: version, supported: FORMAT_VERSION });
    }
    let expected = table_digest(bytes);
    let found = digest(&bytes[..at::HEADER_DIGEST]);
    if expected != found {
        return Err(FormatError::HeaderDigest { expected, found });
    }
    Ok(bytes)
}

fn check_level_count(level_count: usize) -> Result<(), FormatError> {
    let fits = (1..=LEVELS_MAX).contains(&level_count);
    ensure(fits, "level count", format_args!("1 to {LEVELS_MAX}"), level_count)
}

fn expect<T: PartialEq + fmt::Display>(
    field: &'static str,
    expected: T,
    found: T,
) -> Result<(), FormatError> {
    ensure(expected == found, field, expected, found)
}

fn u32_at(bytes: &[u8; HEADER_BYTES], at: usize) -> u32 {
    u32::from_le_bytes(array_at(bytes, at))
}

fn u64_at(bytes: &[u8; HEADER_BYTES], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

fn array_at<const N: usize>(bytes: &[u8; HEADER_BYTES], at: usize) -> [u8; N] {
    bytes[at..].first_chunk().copied().expect("fields lie inside the header")
}
