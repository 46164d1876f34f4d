//! The packer of every build: from a record to rows, wherever both are.
//!
//! 1. Cell sets are packed in the order of their ranks, in groups whose record is in memory at
//!    once, and whose rows are not too large. A [`RecordSource`] provides the record.
//! 2. The packed blocks of a group are rows of the table's [matrix](Dimensions). A [`RowSink`]
//!    takes them: [`Words`] for a whole table in memory, or [`Slabs`].

use std::ops::Range;
use std::sync::Mutex;

use super::dimensions::Dimensions;
use super::pack::Packer;
use crate::GenError;
use crate::monitor::Monitor;
use crate::search::{LevelRecord, RecordBlocks, SetPlace};
use crate::threads::{lock, map_in_threads};
use crate::words::Words;

/// A record, of which one segment per class is in memory at a time.
pub(crate) trait RecordSource: RecordBlocks {
    /// Returns the segment with the blocks of a cell set; `None` if the record is elsewhere.
    fn segment(&self, place: &SetPlace) -> Option<usize>;

    /// Loads the blocks of some segments, with the first `plane_count` planes.
    fn load(&mut self, segments: [Option<usize>; 2], plane_count: usize) -> Result<(), GenError>;
}

/// A record in memory, as one segment.
impl RecordSource for LevelRecord {
    fn segment(&self, place: &SetPlace) -> Option<usize> {
        self.contains(place).then_some(0)
    }

    fn load(&mut self, _: [Option<usize>; 2], _: usize) -> Result<(), GenError> {
        Ok(())
    }
}

/// Receiver of packed rows.
pub(crate) trait RowSink {
    /// Takes rows, which follow one another in `packed` without gaps.
    fn put(&mut self, rows: Range<usize>, packed: &mut Words) -> Result<(), GenError>;
}

/// Keeps the rows of a table that is packed as one group.
impl RowSink for Words {
    fn put(&mut self, _: Range<usize>, packed: &mut Words) -> Result<(), GenError> {
        std::mem::swap(self, packed);
        Ok(())
    }
}

/// Receiver of the words of some rows of a slab: its number, the first row, and the words.
type TakePart<'a> = dyn Fn(usize, usize, &[u64]) -> Result<(), GenError> + Sync + 'a;

/// Divides rows into slabs, each of some words of every row, and passes them on.
pub(crate) struct Slabs<'a> {
    dimensions: Dimensions,
    thread_count: usize,
    /// The words of a row in each slab.
    spans: &'a [Range<usize>],
    take: &'a TakePart<'a>,
    /// Memory for the words of a slab.
    spare: Mutex<Vec<Words>>,
    /// Peak memory of rows, whole and divided, in bytes.
    pub(crate) peak_bytes: usize,
}

impl<'a> Slabs<'a> {
    pub(crate) fn new(
        packer: &Packer<'_>,
        spans: &'a [Range<usize>],
        take: &'a TakePart<'a>,
    ) -> Self {
        let (dimensions, thread_count) = (packer.dimensions, packer.space.thread_count);
        Self { dimensions, thread_count, spans, take, spare: Mutex::default(), peak_bytes: 0 }
    }
}

impl RowSink for Slabs<'_> {
    fn put(&mut self, rows: Range<usize>, packed: &mut Words) -> Result<(), GenError> {
        let Self { dimensions, take, spare, .. } = &*self;
        let packed_rows = &packed[..dimensions.words(rows.len())];
        let parts = self.spans.iter().enumerate().filter(|(_, words)| !words.is_empty());
        map_in_threads(self.thread_count, parts, |(slab, words)| {
            let len = rows.len() * words.len();
            let kept = lock(spare).pop().filter(|kept| kept.len() >= len);
            let mut part = kept.map_or_else(|| Words::zeroed(len), Ok)?;
            dimensions.cut(packed_rows, words, &mut part[..len]);
            take(slab, rows.start, &part[..len])?;
            lock(spare).push(part);
            Ok::<_, GenError>(())
        })?;
        let widest = self.spans.iter().map(Range::len).max().unwrap_or(0);
        let part_words = rows.len() * widest * self.thread_count.min(self.spans.len());
        let bytes = (packed.len() + part_words) * size_of::<u64>();
        self.peak_bytes = self.peak_bytes.max(bytes);
        Ok(())
    }
}

/// Consecutive cell sets that are packed at once.
struct RowGroup {
    /// Ranks of the cell sets.
    ranks: Range<usize>,
    /// The segment of each class with their blocks.
    segments: [Option<usize>; 2],
    rows: Range<usize>,
}

impl Packer<'_> {
    /// Packs the cell sets of a record, and passes their rows to `sink`. The rows of a group are
    /// larger than `group_bytes_max` only if one cell set has more. Returns whether every excess
    /// fits the packing; if one does not, the sink has only some of the rows.
    pub(crate) fn pack(
        &self,
        record: &mut dyn RecordSource,
        group_bytes_max: usize,
        sink: &mut dyn RowSink,
        monitor: &Monitor<'_>,
    ) -> Result<bool, GenError> {
        let groups = self.groups(record, group_bytes_max);
        let words = |group: &RowGroup| self.dimensions.words(group.rows.len());
        let mut packed = Words::zeroed(groups.iter().map(words).max().unwrap_or(0))?;
        for (nth, group) in groups.into_iter().enumerate() {
            monitor.check_cancelled()?;
            let out = &mut packed[..words(&group)];
            if nth > 0 {
                out.fill(0);
            }
            record.load(group.segments, self.plane_count)?;
            if !self.pack_group(record, group.ranks, out) {
                return Ok(false);
            }
            sink.put(group.rows, &mut packed)?;
        }
        Ok(true)
    }

    /// Divides the cell sets of a record into groups (step 1).
    fn groups(&self, record: &dyn RecordSource, bytes_max: usize) -> Vec<RowGroup> {
        let row_bits = self.dimensions.row_bits();
        let mut groups: Vec<RowGroup> = Vec::new();
        let mut end = 0;
        for (rank, place) in self.space.graph.places.iter().enumerate() {
            let rows = end..end + self.blocks(place);
            end = rows.end;
            let Some(segment) = record.segment(place) else { continue };
            let joins = |group: &&mut RowGroup| {
                let bytes = ((rows.end - group.rows.start) * row_bits).div_ceil(8);
                group.ranks.end == rank
                    && group.segments[place.class].is_none_or(|loaded| loaded == segment)
                    && bytes <= bytes_max
            };
            if let Some(group) = groups.last_mut().filter(joins) {
                group.segments[place.class] = Some(segment);
                (group.ranks.end, group.rows.end) = (rank + 1, rows.end);
            } else {
                let mut segments = [None; 2];
                segments[place.class] = Some(segment);
                groups.push(RowGroup { ranks: rank..rank + 1, segments, rows });
            }
        }
        groups
    }
}
