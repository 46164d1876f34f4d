//! Building tables that are larger than memory: the search streams segments from disk.
//!
//! The step from level to level is that of [`sweep`], on one segment after another.
//!
//! 1. A segment's blocks are advanced with the segments in memory that its moves come from. The
//!    [`store`] reads what it has not, and keeps what the budget allows.
//! 2. What changed is written to new files, and made durable while the search goes on. Empty segments
//!    have none, and empty blocks are left out.
//! 3. After a level the [`checkpoint`] is replaced, and the files that it no longer names are removed.
//!    A build that was killed goes on at its checkpoint.
//! 4. Odd levels go through the segments backwards: what the last level wrote last is still in memory.
//! 5. When all is searched, [`slabs`] packs the record.

mod checkpoint;
mod segments;
mod slabs;
mod store;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pdb_core::{PatternKey, TableKey};

use self::checkpoint::{
    Checkpoint, Kind, Name, Saved, Whole, WorkFile, counts_path, remove_all, remove_unnamed,
};
use self::segments::Segments;
use self::store::{Segment, Store, present};
use crate::build::{BuildReport, BuildTimes, already_there};
use crate::commit::{WriteLock, end_commit};
use crate::disk;
use crate::graph::BlockGraph;
use crate::monitor::{Event, Monitor};
use crate::rotation::{BlockLayout, Rotations};
use crate::sweep::{self, Batch, Shared, Sources, Tally, has_plane, needs_visited, plane_count};
use crate::{COST_LIMIT, GenError};

/// Why a work folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkError {
    /// The checkpoint of another table.
    #[error("expected a checkpoint of {expected}, found one of {found}")]
    Table {
        /// Name of the table that is built.
        expected: String,
        /// Name of the table in the checkpoint.
        found: String,
    },
    /// The checkpoint of another version of the program.
    #[error("expected a checkpoint of version {expected}, found one of version {found}")]
    Version {
        /// The version that this program writes.
        expected: u32,
        /// The version in the checkpoint.
        found: u32,
    },
    /// A file whose content is not what was written.
    #[error("expected the bytes that were written, found others: the digest differs")]
    Damaged,
    /// A file that the checkpoint names is not there.
    #[error("expected the file that the checkpoint names, found none")]
    Missing,
    /// A file with another length than the checkpoint says.
    #[error("expected {expected} bytes as in the checkpoint, found {found}")]
    Length {
        /// Length in the checkpoint.
        expected: u64,
        /// Length of the file.
        found: u64,
    },
    /// A checkpoint that no build writes, whatever its digest says.
    #[error("expected {expected}, found {found}")]
    Impossible {
        /// What a build would have written.
        expected: &'static str,
        /// What the checkpoint has.
        found: String,
    },
}

impl WorkError {
    fn at(self, path: &Path) -> GenError {
        GenError::Work { path: path.to_owned(), source: self }
    }

    fn impossible(expected: &'static str, found: impl Into<String>) -> Self {
        Self::Impossible { expected, found: found.into() }
    }
}

/// What a streamed build may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Bytes of memory for the whole process.
    pub memory_bytes: u64,
    /// Bytes of a segment of one bit a state, rounded up to whole blocks; by default what suits the
    /// memory. A build that goes on keeps that of its checkpoint.
    pub segment_bytes: Option<u64>,
}

/// What a streamed build took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streamed {
    /// The level after which it went on, if it did.
    pub resumed_level: Option<u32>,
    /// Bytes of memory that the builder counted at the peak.
    pub memory_bytes: u64,
    /// Bytes of the work folder's files at the peak.
    pub work_bytes: u64,
}

/// The folder beside a table where its streamed build keeps its files.
pub fn work_folder(folder: &Path, key: &TableKey) -> PathBuf {
    folder.join(format!("{}.work", key.file_name()))
}

/// Whether a build of a table can go on at a checkpoint.
pub fn has_checkpoint(folder: &Path, key: &TableKey) -> bool {
    checkpoint::is_there(&work_folder(folder, key))
}

/// The program itself, and small things: measured, with a margin.
const PROGRAM_BYTES: usize = 8 << 20;
/// What a thread reads into and works in, blocks apart.
const THREAD_BYTES: usize = 5 << 16;
/// What the list of files and the checkpoint's text take for each file.
const FILE_BYTES: usize = 512;
/// Batches of a segment, small enough that the threads end it together.
const BATCHES: usize = 32;
/// A class is cut into so many segments, unless they would be smaller or larger than the next two
/// numbers; into more where the memory asks for it.
const SEGMENTS: usize = 64;
const SEGMENT_BYTES_MIN: usize = 1 << 20;
const SEGMENT_BYTES_MAX: usize = 32 << 20;

/// What a search holds in memory besides segments.
#[derive(Debug)]
struct Fixed {
    block_bytes: usize,
    graph: usize,
    /// Moves, which packing does not need, and counts.
    search: usize,
    rotations: usize,
    thread_count: usize,
}

impl Fixed {
    fn new(
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
    fn packing(&self, segments: &Segments, files: usize) -> usize {
        let threads = (self.thread_count + store::WRITERS) * (THREAD_BYTES + 4 * self.block_bytes);
        PROGRAM_BYTES
            + self.graph
            + threads
            + self.rotations
            + segments.bytes()
            + files * FILE_BYTES
    }

    /// Bytes while searching, apart from segments.
    fn searching(&self, segments: &Segments, files: usize) -> usize {
        self.packing(segments, files) + self.search
    }
}

/// How much a search with certain segments needs.
struct Need {
    /// Bytes apart from segments.
    fixed: usize,
    buffer_bytes: usize,
    /// Buffers that are in use at once.
    buffers: usize,
    /// Bytes while packing.
    packing: usize,
}

impl Need {
    fn new(key: &PatternKey, graph: &BlockGraph, fixed: &Fixed, segments: &Segments) -> Self {
        let records = plane_count(key.mode) + usize::from(needs_visited(key));
        let files = segments.count() * (records + 1);
        let buffer_bytes = segments.slots_largest() * fixed.block_bytes;
        // The sources, the segment, its record, and one on its way to the disk. Packing has the record
        // of a segment of each class.
        let buffers = (segments.sources_largest() + 2 + records).max(2 * records);
        let slabs = slabs::least_bytes(key, graph, fixed.thread_count);
        let packing =
            fixed.packing(segments, files) + (2 * records * buffer_bytes).max(slabs) + slabs;
        Self { fixed: fixed.searching(segments, files), buffer_bytes, buffers, packing }
    }

    fn bytes(&self) -> u64 {
        (self.fixed + self.buffers * self.buffer_bytes).max(self.packing) as u64
    }

    /// Buffers that fit a budget.
    fn buffers_within(&self, memory_bytes: u64) -> usize {
        let left = (memory_bytes as usize).saturating_sub(self.fixed);
        (left / self.buffer_bytes.max(1)).max(self.buffers)
    }
}

/// Cuts the classes so that the search fits the budget.
fn cut(
    key: &PatternKey,
    graph: &BlockGraph,
    fixed: &Fixed,
    budget: &Budget,
) -> Result<(Segments, Need), GenError> {
    let largest = graph.classes.iter().map(|class| class.slot_count).max().unwrap_or(1);
    let asked = budget.segment_bytes.map(|bytes| (bytes as usize).div_ceil(fixed.block_bytes));
    let usual = largest
        .div_ceil(SEGMENTS)
        .max(SEGMENT_BYTES_MIN / fixed.block_bytes)
        .min(SEGMENT_BYTES_MAX / fixed.block_bytes);
    let mut slots_max = asked.unwrap_or(usual).max(1);
    let mut least = None;
    while let Some(segments) = Segments::new(graph, key.mode, slots_max) {
        let need = Need::new(key, graph, fixed, &segments);
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
        return Err(GenError::Segments { segments_max: segments::SEGMENTS_MAX });
    };
    let table = TableKey::Pattern(*key).file_name();
    Err(GenError::Budget { table, memory_bytes: budget.memory_bytes, needed_bytes })
}

/// Builds a table like [`build`](crate::build()), the same bytes, in as little memory as is allowed.
///
/// Segments of the search are kept in [`work_folder`]. A build that is stopped goes on there the next
/// time, with any budget and any number of threads; after success the folder is removed.
///
/// # Errors
/// [`GenError::Budget`] where the memory is too little, [`GenError::Work`] where the work folder
/// cannot be used, [`GenError::Paused`] when cancelled, or another [`GenError`].
pub fn build_streamed(
    key: &PatternKey,
    folder: &Path,
    budget: &Budget,
    thread_count: usize,
    replace: bool,
    monitor: &Monitor<'_>,
) -> Result<BuildReport, GenError> {
    let table_key = TableKey::Pattern(*key);
    let path = folder.join(table_key.file_name());
    let work = work_folder(folder, &table_key);
    if !replace
        && !work.exists()
        && let Some(report) = already_there(&table_key, &path)?
    {
        end_commit(&path)?;
        return Ok(report);
    }
    let lock = WriteLock::acquire(&path, monitor)?;
    if !replace && let Some(report) = already_there(&table_key, &path)? {
        // A build that was killed at the very end.
        lock.confirm()?;
        if work.exists() {
            remove_all(&work)?;
        }
        return Ok(report);
    }
    disk::create_folder(&work).map_err(GenError::io("create the folder", &work))?;
    let mut times = BuildTimes::default();
    let begun = Instant::now();

    let saved = Checkpoint::load(&work, &table_key.file_name())?;
    let graph = sweep::graph_of(key)?;
    let layout = BlockLayout::new(key.tile_count());
    let rotations = Rotations::new(key.tile_count(), key.shape.cols() - 1);
    let fixed = Fixed::new(&graph, &layout, &rotations, thread_count);
    let mut budget = *budget;
    if let Some(Saved { checkpoint, .. }) = &saved {
        let bytes = checkpoint.segment_slots.saturating_mul(fixed.block_bytes);
        budget.segment_bytes = Some(bytes as u64);
    }
    let (segments, need) = cut(key, &graph, &fixed, &budget)?;
    let total = sweep::state_count(key, &graph);
    if let Some(saved) = &saved {
        saved.check(&work, &Whole { key, segments: &segments, total })?;
    }
    let buffers_max = need.buffers_within(budget.memory_bytes);
    let resumed_level = saved.as_ref().map(|saved| saved.checkpoint.level);
    let Saved { checkpoint, files } = saved.unwrap_or_else(|| {
        let checkpoint = Checkpoint::new(table_key.file_name(), segments.slots_max);
        Saved { checkpoint, files: BTreeMap::new() }
    });
    remove_unnamed(&work, checkpoint.counts.as_ref(), &files)?;
    let words = layout.word_count;
    let mut search = Search {
        key,
        total,
        graph,
        segments: &segments,
        rotations,
        words,
        folder: &work,
        ones: Default::default(),
        reached: Default::default(),
        live: Default::default(),
        store: Store::new(&work, &segments, words, buffers_max, files, thread_count),
        checkpoint,
        work_bytes: 0,
        thread_count,
        monitor,
    };
    match resumed_level {
        Some(level) => {
            let done = search.checkpoint.state_count;
            monitor.event(Event::Resume { level, done, total: search.total });
            search.load_counts()?;
        }
        None => search.begin()?,
    }
    let paused = |error, level| match error {
        GenError::Interrupted => GenError::Paused { folder: work.clone(), level },
        error => error,
    };
    while !search.checkpoint.searched {
        let level = search.checkpoint.level;
        search.advance(level + 1).map_err(|error| paused(error, level))?;
    }
    times.search = begun.elapsed();

    let state_count = search.total;
    let level = search.checkpoint.level;
    let searching_bytes = need.fixed + search.store.peak_bytes();
    let left = (budget.memory_bytes as usize)
        .saturating_sub(fixed.packing(&segments, search.file_count()));
    let (header, rows_bytes) =
        search.pack(&lock, left, &mut times).map_err(|error| paused(error, level))?;
    let memory_bytes =
        searching_bytes.max(fixed.packing(&segments, search.file_count()) + rows_bytes) as u64;
    let streamed = Some(Streamed { resumed_level, memory_bytes, work_bytes: search.work_bytes });
    drop(search);
    remove_all(&work)?;
    Ok(BuildReport { path, already_there: false, header, state_count, times, streamed })
}

/// A search that is under way.
struct Search<'a> {
    key: &'a PatternKey,
    graph: BlockGraph,
    segments: &'a Segments,
    rotations: Rotations,
    /// Words of a block.
    words: usize,
    folder: &'a Path,
    /// States of the class's last level in each slot.
    ones: [Vec<u32>; 2],
    /// States with a level in each slot.
    reached: [Vec<u32>; 2],
    /// Whether a segment has a state of its class's last level.
    live: [Vec<bool>; 2],
    store: Store<'a>,
    checkpoint: Checkpoint,
    /// States in all.
    total: u64,
    /// Bytes of files at the peak.
    work_bytes: u64,
    thread_count: usize,
    monitor: &'a Monitor<'a>,
}

/// The blocks of another class's segments.
struct Apart<'a> {
    segments: &'a Segments,
    class: usize,
    words: usize,
    /// The segments that are needed.
    bits: Vec<Option<&'a [u64]>>,
}

impl Sources for Apart<'_> {
    #[inline(always)]
    fn block(&self, slot: usize) -> &[u64] {
        let class = &self.segments.classes[self.class];
        let segment = class.of_slot(slot);
        let bits = self.bits[segment].expect("every segment with a source of the step is there");
        &bits[(slot - class.slots[segment].start) * self.words..][..self.words]
    }
}

/// A segment of the record that a level may change.
type RecordPart = (Name, Segment);

impl Search<'_> {
    /// Files that there can be.
    fn file_count(&self) -> usize {
        let records = plane_count(self.key.mode) + usize::from(needs_visited(self.key));
        self.segments.count() * (records + 1)
    }

    fn zero_counts(&self) -> [Vec<u32>; 2] {
        self.graph.classes.each_ref().map(|class| vec![0; class.slot_count])
    }

    /// Level 0: the goal.
    fn begin(&mut self) -> Result<(), GenError> {
        self.ones = self.zero_counts();
        self.reached = self.zero_counts();
        let slot = self.graph.goal_slot;
        self.ones[0][slot] = 1;
        self.reached[0][slot] = 1;
        let segment = self.segments.classes[0].of_slot(slot);
        let name = Name { kind: Kind::Level, class: 0, segment };
        let mut bits = self.store.empty(name)?;
        let slots = self.segments.classes[0].slots[segment].clone();
        bits[(slot - slots.start) * self.words] = 1;
        let present_bits = present(self.ones[0][slots].iter().map(|&ones| ones > 0));
        self.store.put(name, bits, present_bits, 0);
        if needs_visited(self.key) {
            let block = sweep::goal_record(self.key, &self.graph);
            let first = self.segments.first_record(0, segment);
            let name = Name { kind: Kind::Visited, class: 0, segment };
            let mut visited = self.store.empty(name)?;
            visited[(block - first) * self.words] = 1;
            let present = self.store.present_records(name, &visited);
            self.store.put(name, visited, present, 0);
        }
        self.find_live();
        self.save()
    }

    fn find_live(&mut self) {
        for class in 0..2 {
            let slots = self.segments.classes[class].slots.iter();
            let any = |slots: &std::ops::Range<usize>| {
                self.ones[class][slots.clone()].iter().any(|&ones| ones > 0)
            };
            self.live[class] = slots.map(any).collect();
        }
    }

    fn load_counts(&mut self) -> Result<(), GenError> {
        let Some(file) = &self.checkpoint.counts else {
            return Ok(());
        };
        let (mut ones, mut reached) = (self.zero_counts(), self.zero_counts());
        let expected: usize =
            ones.iter().chain(&reached).map(|counts| size_of_val(&counts[..])).sum();
        let mut reader = file.open(self.folder)?;
        if file.bytes != expected as u64 {
            return Err(reader.damaged());
        }
        for counts in ones.iter_mut().chain(&mut reached) {
            reader.read(bytemuck::cast_slice_mut(counts))?;
        }
        reader.finish()?;
        (self.ones, self.reached) = (ones, reached);
        self.find_live();
        self.check_counts()
            .map_err(|error| error.at(&counts_path(self.folder, self.checkpoint.level)))
    }

    /// Holds counts that were read against the files that there are: the search takes both for granted.
    fn check_counts(&self) -> Result<(), WorkError> {
        let block_len = self.graph.index.block_len();
        for counts in self.ones.iter().chain(&self.reached) {
            if let Some(most) = counts.iter().find(|&&count| u64::from(count) > block_len) {
                return Err(WorkError::impossible(
                    "no more states than a block has",
                    most.to_string(),
                ));
            }
        }
        let reached: u64 = self.reached.iter().flatten().copied().map(u64::from).sum();
        if reached != self.checkpoint.state_count {
            let expected = "as many states as the checkpoint has";
            return Err(WorkError::impossible(expected, reached.to_string()));
        }
        for class in 0..2 {
            for (segment, &is_live) in self.live[class].iter().enumerate() {
                let name = Name { kind: Kind::Level, class, segment };
                if self.store.files().contains_key(&name) != is_live {
                    let expected = "a file for each segment of the last levels that has a state";
                    let found = if is_live { "none" } else { "one without states" };
                    let found = format!("{found} for segment {segment} of class {class}");
                    return Err(WorkError::impossible(expected, found));
                }
            }
        }
        Ok(())
    }

    /// Step 3, once a level is complete.
    fn save(&mut self) -> Result<(), GenError> {
        self.store.flush()?;
        if let Some(old) = self.checkpoint.counts.take() {
            self.store.add_stale(old.path(self.folder));
        }
        if !self.checkpoint.searched {
            let path = counts_path(self.folder, self.checkpoint.level);
            let counts = self.ones.iter().chain(&self.reached);
            let pieces = counts.map(|counts| bytemuck::cast_slice(counts));
            self.checkpoint.counts = Some(WorkFile::write(&path, pieces)?);
        }
        self.checkpoint.save(self.folder, self.store.files())?;
        self.store.remove_stale()
    }

    /// Steps 1 to 3 for one level.
    fn advance(&mut self, level: u32) -> Result<(), GenError> {
        if level >= COST_LIMIT {
            return Err(GenError::TooManyLevels { levels_max: COST_LIMIT });
        }
        let class = (level % 2) as usize;
        let count = self.segments.classes[class].count();
        let mut tally = Tally::default();
        let before = self.checkpoint.state_count;
        // Step 4.
        let order: Vec<usize> =
            if level % 2 == 1 { (0..count).rev().collect() } else { (0..count).collect() };
        for segment in order {
            let part = self.advance_segment(level, class, segment)?;
            if self.monitor.is_cancelled() {
                return Err(GenError::Interrupted);
            }
            self.live[class][segment] = part.states > 0;
            tally.states += part.states;
            tally.entries += part.entries;
            let (done, total) = (before + tally.states, self.total);
            self.monitor.event(Event::Segment { level, done, total });
        }
        if tally.states == 0 {
            while self.checkpoint.histogram.last() == Some(&0) {
                self.checkpoint.histogram.pop();
            }
            self.checkpoint.searched = true;
            self.store.flush()?;
            self.store.forget_levels();
            return self.save();
        }
        // A level may reach no new entry of a blank-collapsed table and yet new states.
        self.checkpoint.histogram.push(tally.entries);
        self.checkpoint.state_count = before + tally.states;
        self.checkpoint.level = level;
        self.store.flush()?;
        self.work_bytes = self.work_bytes.max(self.store.file_bytes());
        self.save()?;
        let done = self.checkpoint.state_count;
        self.monitor.event(Event::Level { level, done, total: self.total });
        Ok(())
    }

    fn record_part(&mut self, kind: Kind, own: Name) -> Result<RecordPart, GenError> {
        let name = Name { kind, ..own };
        let segment = match self.store.take(name)? {
            Some(segment) => segment,
            None => self.store.empty(name)?,
        };
        Ok((name, segment))
    }

    /// Steps 1 and 2 for one segment.
    fn advance_segment(
        &mut self,
        level: u32,
        class: usize,
        segment: usize,
    ) -> Result<Tally, GenError> {
        let own = Name { kind: Kind::Level, class, segment };
        let (segments, words) = (self.segments, self.words);
        let slots = segments.classes[class].slots[segment].clone();
        let sets = segments.classes[class].sets[segment].clone();
        let block_len = self.graph.index.block_len();
        let sources: Vec<Name> = segments.classes[class].sources[segment]
            .iter()
            .map(|&source| usize::from(source))
            .filter(|&source| self.live[1 - class][source])
            .map(|source| Name { kind: Kind::Level, class: 1 - class, segment: source })
            .collect();
        let is_full =
            || self.reached[class][slots.clone()].iter().all(|&n| u64::from(n) == block_len);
        if sources.is_empty() || is_full() {
            if self.live[class][segment] {
                self.ones[class][slots].fill(0);
                self.store.forget(own);
            }
            return Ok(Tally::default());
        }
        let fetched = self.store.fetch(&sources)?;
        let mut bits = match self.store.take(own)? {
            Some(bits) => bits,
            // A block without ones may hold anything.
            None => self.store.buffer()?,
        };
        let mut visited = if needs_visited(self.key) {
            Some(self.record_part(Kind::Visited, own)?)
        } else {
            None
        };
        let mut planes = Vec::new();
        for plane in (0..plane_count(self.key.mode)).filter(|&plane| has_plane(level, plane)) {
            planes.push(self.record_part(Kind::Plane(plane as u8), own)?);
        }

        let mut apart = Apart {
            segments,
            class: 1 - class,
            words,
            bits: vec![None; segments.classes[1 - class].count()],
        };
        for (name, source) in sources.iter().zip(&fetched) {
            apart.bits[name.segment] = Some(source);
        }
        let record_words = segments.record_blocks(class, segment) * words;
        let [ones_even, ones_odd] = &mut self.ones;
        let (ones, source_ones) =
            if class == 0 { (ones_even, &*ones_odd) } else { (ones_odd, &*ones_even) };
        let shared = Shared {
            class: &self.graph.classes[class],
            rotations: &self.rotations,
            mode: self.key.mode,
            block_len,
            sources: apart,
            source_ones,
        };
        let batch_sets = sets.len().div_ceil(BATCHES);
        let queue = Batch {
            sets,
            bits: &mut bits[..slots.len() * words],
            ones: &mut ones[slots.clone()],
            reached: &mut self.reached[class][slots.clone()],
            visited: visited.as_mut().map(|(_, visited)| &mut visited[..record_words]),
            planes: planes.iter_mut().map(|(_, plane)| &mut plane[..record_words]).collect(),
        }
        .shared_out(shared.class, shared.mode, words, batch_sets);
        let tally = sweep::run_level(&shared, &queue, self.thread_count, self.monitor);
        drop(queue);
        if self.monitor.is_cancelled() {
            return Err(GenError::Interrupted);
        }
        drop(fetched);

        if tally.states > 0 {
            let present_bits = present(self.ones[class][slots].iter().map(|&ones| ones > 0));
            self.store.put(own, bits, present_bits, level);
        } else {
            self.store.forget(own);
        }
        for (name, part) in visited.into_iter().chain(planes) {
            if tally.entries > 0 {
                let present = self.store.present_records(name, &part);
                self.store.put(name, part, present, level);
            } else {
                self.store.put_back(name, part);
            }
        }
        Ok(tally)
    }
}
