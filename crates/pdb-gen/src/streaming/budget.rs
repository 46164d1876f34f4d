//! The budget: how much memory a streamed build needs, and how its classes are cut to fit.

use std::time::Duration;

use pdb_core::{PatternKey, TableKey};

use super::segments::{SEGMENTS_MAX, Segments};
use super::slabs;
use super::store::WRITERS;
use crate::GenError;
use crate::search::{BlockGraph, BlockLayout, Rotations, needs_visited, plane_count};

/// What a streamed build may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Bytes of memory for the whole process.
    pub memory_bytes: u64,
    /// Bytes of a segment of one bit a state, rounded up to whole blocks; by default what suits the
    /// memory. A build that goes on keeps that of its checkpoint.
    pub segment_bytes: Option<u64>,
}

/// What each rank of a team may use, see [`build_shared`](crate::build_shared).
#[derive(Clone, Copy, Debug)]
pub struct TeamBudget {
    /// What a rank may use.
    pub budget: Budget,
    /// Where its share is while the table is built.
    pub parts: Parts,
}

/// Where the shares of ranks are while a table is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// In memory, if all fit the memory of their ranks, else on disk. A checkpoint is written after a level when the
    /// work of so long would be lost, but it takes no more than a tenth of the time.
    InMemory {
        /// How long; if zero, a checkpoint is written as often as ranks agree on one.
        saved_after: Duration,
    },
    /// On disk, with a checkpoint after each level.
    OnDisk,
}

impl Default for Parts {
    /// In memory, with a checkpoint after a minute.
    fn default() -> Self {
        Self::InMemory { saved_after: Duration::from_mins(1) }
    }
}

/// The program itself, and small things: measured, with a margin.
const PROGRAM_BYTES: usize = 8 << 20;
/// What a thread reads into and works in, blocks apart.
const THREAD_BYTES: usize = 5 << 16;
/// What the list of files and the checkpoint's text take for each file.
const FILE_BYTES: usize = 512;
/// A class is cut into so many segments, unless they would be smaller or larger than the next two
/// numbers; into more where the memory asks for it.
const SEGMENTS: usize = 64;
/// The same for each rank of a large team.
const RANK_SEGMENTS: usize = 8;
const SEGMENT_BYTES_MIN: usize = 1 << 20;
const SEGMENT_BYTES_MAX: usize = 32 << 20;

/// What a search holds in memory besides segments.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) block_bytes: usize,
    graph: usize,
    /// Moves, which packing does not need, and counts.
    search: usize,
    rotations: usize,
    thread_count: usize,
}

impl Fixed {
    pub(crate) fn new(
        graph: &BlockGraph,
        layout: &BlockLayout,
        rotations: &Rotations,
        thread_count: usize,
    ) -> Self {
        let block_bytes = layout.word_count * size_of::<u64>();
        let slots: usize = graph.classes.iter().map(|class| class.slot_count).sum();
        let counts = 2 * size_of::<u32>() * slots;
        Self {
            block_bytes,
            graph: graph.bytes(),
            search: graph.pull_bytes() + counts,
            rotations: rotations.bytes(),
            thread_count,
        }
    }

    /// Bytes while packing, apart from segments, rows and slabs.
    pub(crate) fn packing(&self, segments: &Segments, files: usize) -> usize {
        let threads = (self.thread_count + WRITERS) * (THREAD_BYTES + 4 * self.block_bytes);
        PROGRAM_BYTES
            + self.graph
            + threads
            + self.rotations
            + segments.bytes()
            + files * FILE_BYTES
    }

    /// Bytes of a rank whose share is in memory, apart from that.
    pub(crate) fn resident(&self, segments: &Segments) -> usize {
        self.searching(segments, segments.count())
    }

    /// Bytes while searching, apart from segments.
    fn searching(&self, segments: &Segments, files: usize) -> usize {
        self.packing(segments, files) + self.search
    }
}

/// How much a search with certain segments needs.
pub(crate) struct Need {
    /// Bytes apart from segments.
    pub(crate) fixed: usize,
    buffer_bytes: usize,
    /// Buffers that are in use at once.
    buffers: usize,
    /// Bytes while packing.
    packing: usize,
}

/// What a rank has that a build on one machine has not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharing {
    /// Ranks of the team.
    pub(crate) ranks: usize,
    /// Files that are fetched at once.
    pub(crate) fetches: usize,
}

impl Sharing {
    /// A build on one machine.
    pub(crate) const NONE: Self = Self { ranks: 1, fetches: 0 };

    /// Segments that a class is cut into, so that ranks have shares of about one size.
    fn segments(self) -> usize {
        SEGMENTS.max(RANK_SEGMENTS * self.ranks).min(SEGMENTS_MAX)
    }
}

impl Need {
    fn new(
        key: &PatternKey,
        graph: &BlockGraph,
        fixed: &Fixed,
        segments: &Segments,
        sharing: Sharing,
    ) -> Self {
        let records = plane_count(key.mode) + usize::from(needs_visited(key));
        let files = segments.count() * (records + 1);
        let buffer_bytes = segments.slots_largest() * fixed.block_bytes;
        // The sources, the segment, its record, and one on its way to the disk. Packing has the record
        // of a segment of each class.
        let buffers = (segments.sources_largest() + 2 + records).max(2 * records);
        let slabs = slabs::least_bytes(key, graph, fixed.thread_count);
        // What is on its way, and the counts that are exchanged.
        let slots: usize = graph.classes.iter().map(|class| class.slot_count).sum();
        let counts = if sharing.fetches > 0 { 2 * size_of::<u32>() * slots } else { 0 };
        let shared = sharing.fetches * buffer_bytes + counts;
        let packing = fixed.packing(segments, files)
            + (2 * records * buffer_bytes).max(slabs)
            + slabs
            + shared;
        let fixed = fixed.searching(segments, files) + shared;
        Self { fixed, buffer_bytes, buffers, packing }
    }

    fn bytes(&self) -> u64 {
        (self.fixed + self.buffers * self.buffer_bytes).max(self.packing) as u64
    }

    /// Buffers that fit a budget.
    pub(crate) fn buffers_within(&self, memory_bytes: u64) -> usize {
        let left = (memory_bytes as usize).saturating_sub(self.fixed);
        (left / self.buffer_bytes.max(1)).max(self.buffers)
    }
}

/// Cuts the classes so that the search fits the budget.
pub(crate) fn cut(
    key: &PatternKey,
    graph: &BlockGraph,
    fixed: &Fixed,
    budget: &Budget,
    sharing: Sharing,
) -> Result<(Segments, Need), GenError> {
    let largest = graph.classes.iter().map(|class| class.slot_count).max().unwrap_or(1);
    let asked = budget.segment_bytes.map(|bytes| (bytes as usize).div_ceil(fixed.block_bytes));
    let usual = largest
        .div_ceil(sharing.segments())
        .max(SEGMENT_BYTES_MIN / fixed.block_bytes)
        .min(SEGMENT_BYTES_MAX / fixed.block_bytes);
    let mut slots_max = asked.unwrap_or(usual).max(1);
    let mut least = None;
    while let Some(segments) = Segments::new(graph, key.mode, slots_max) {
        let need = Need::new(key, graph, fixed, &segments, sharing);
        if need.bytes() <= budget.memory_bytes {
            return Ok((segments, need));
        }
        least = Some(least.map_or(need.bytes(), |least: u64| least.min(need.bytes())));
        // Smaller segments than a cell set's blocks there are none.
        if asked.is_some() || slots_max == 1 {
            break;
        }
        slots_max = slots_max.div_ceil(2);
    }
    let Some(needed_bytes) = least else {
        return Err(GenError::Segments { segments_max: SEGMENTS_MAX });
    };
    let table = TableKey::Pattern(*key).file_name();
    Err(GenError::Budget { table, memory_bytes: budget.memory_bytes, needed_bytes })
}
