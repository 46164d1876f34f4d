//! Streamed search from level to level, segment by segment: the level and the record are in files.

use std::path::Path;

use super::checkpoint::{
    Checkpoint, SegmentKind, SegmentName, WorkFile, check_counts, check_levels, counts_path,
    live_segments,
};
use super::segments::Segments;
use super::space::SearchSpace;
use super::store::{Segment, Store};
use crate::GenError;
use crate::monitor::{Event, Monitor};
use crate::search::{
    BlockBatch, COST_LIMIT, LevelCount, LevelInput, SourceBlocks, goal_record, has_plane,
    needs_visited, parts, plane_count, run_level,
};
use crate::threads::Queue;

/// Number of batches of a segment: small enough that all threads finish it at about the same time.
const BATCHES: usize = 32;

/// A running search whose segments are on disk.
pub(super) struct StreamedSearch<'a> {
    pub(super) space: SearchSpace,
    pub(super) segments: &'a Segments,
    pub(super) folder: &'a Path,
    /// Number of states of the class's last level in each slot.
    ones: [Vec<u32>; 2],
    /// Number of states with a level in each slot.
    reached: [Vec<u32>; 2],
    /// Whether a segment has a state of its class's last level.
    live: [Vec<bool>; 2],
    pub(super) store: Store<'a>,
    pub(super) checkpoint: Checkpoint,
    /// Peak size of the files, in bytes.
    pub(super) work_bytes: u64,
    pub(super) monitor: &'a Monitor<'a>,
}

/// Blocks of the source segments that are needed to advance a segment of the other class.
struct SourceSegments<'a> {
    segments: &'a Segments,
    class: usize,
    words: usize,
    /// The blocks of each needed segment.
    bits: Vec<Option<&'a [u64]>>,
}

impl SourceBlocks for SourceSegments<'_> {
    #[inline(always)]
    fn block(&self, slot: usize) -> &[u64] {
        let class = &self.segments.classes[self.class];
        let segment = class.of_slot(slot);
        let bits = self.bits[segment].expect("every segment with a source of the step is there");
        &bits[(slot - class.slots[segment].start) * self.words..][..self.words]
    }
}

impl<'a> StreamedSearch<'a> {
    /// Creates a search of all segments, without its counts.
    pub(super) fn new(
        space: SearchSpace,
        segments: &'a Segments,
        store: Store<'a>,
        checkpoint: Checkpoint,
        monitor: &'a Monitor<'a>,
    ) -> Self {
        Self {
            space,
            segments,
            folder: store.folder,
            ones: Default::default(),
            reached: Default::default(),
            live: Default::default(),
            store,
            checkpoint,
            work_bytes: 0,
            monitor,
        }
    }

    /// Frees the data that only the search needs, before the record is packed.
    pub(super) fn end_search(&mut self) {
        self.space.graph.drop_pulls();
        (self.ones, self.reached) = Default::default();
    }

    /// Writes level 0, which is the goal alone.
    pub(super) fn begin(&mut self) -> Result<(), GenError> {
        self.ones = self.space.zero_counts();
        self.reached = self.space.zero_counts();
        let (words, slot) = (self.space.words(), self.space.graph.goal_slot);
        self.ones[0][slot] = 1;
        self.reached[0][slot] = 1;
        self.live = live_segments(self.segments, &self.ones);
        let segment = self.segments.classes[0].of_slot(slot);
        let name = SegmentName { kind: SegmentKind::Level, class: 0, segment };
        let mut bits = self.store.empty(name)?;
        let slots = self.segments.classes[0].slots[segment].clone();
        bits[(slot - slots.start) * words] = 1;
        let present: Vec<bool> = self.ones[0][slots].iter().map(|&ones| ones > 0).collect();
        self.store.put(name, bits, &present, 0);
        if needs_visited(&self.space.key) {
            let block = goal_record(&self.space.key, &self.space.graph);
            let first = self.segments.first_record(0, segment);
            let name = SegmentName { kind: SegmentKind::Visited, class: 0, segment };
            let mut visited = self.store.empty(name)?;
            visited[(block - first) * words] = 1;
            self.store.put_record(name, visited, 0);
        }
        self.save()
    }

    /// Reads the counts of the checkpoint, and compares them with the existing files, because the
    /// search relies on both.
    pub(super) fn load_counts(&mut self) -> Result<(), GenError> {
        let Some(file) = &self.checkpoint.counts else {
            return Ok(());
        };
        let (mut ones, mut reached) = (self.space.zero_counts(), self.space.zero_counts());
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
        self.live = live_segments(self.segments, &ones);
        let block_len = self.space.graph.index.block_len();
        check_counts(&self.checkpoint, block_len, &ones, &reached)
            .and_then(|()| check_levels(&self.live, |name| self.store.contains(name)))
            .map_err(|error| error.at(&counts_path(self.folder, self.checkpoint.level)))?;
        (self.ones, self.reached) = (ones, reached);
        Ok(())
    }

    /// Saves a checkpoint (step 3) after a level.
    fn save(&mut self) -> Result<(), GenError> {
        self.store.flush()?;
        if let Some(old) = self.checkpoint.counts.take() {
            self.store.add_stale(old.path(self.folder));
        }
        if !self.checkpoint.searched {
            let path = counts_path(self.folder, self.checkpoint.level);
            let counts = self.ones.iter().chain(&self.reached);
            let mut pieces = counts.map(|counts| bytemuck::cast_slice(counts));
            self.checkpoint.counts = Some(WorkFile::write(&path, &mut pieces)?);
        }
        self.checkpoint.save(self.folder, self.store.files())?;
        self.store.remove_stale()
    }

    /// Advances one level (steps 1 to 4).
    pub(super) fn advance(&mut self, level: u32) -> Result<(), GenError> {
        if level >= COST_LIMIT {
            return Err(GenError::TooManyLevels { levels_max: COST_LIMIT });
        }
        let (before, total) = (self.checkpoint.state_count, self.space.state_count);
        let class = (level % 2) as usize;
        let mut count = LevelCount::default();
        let mut order: Vec<usize> = (0..self.segments.classes[class].count()).collect();
        if level % 2 == 1 {
            order.reverse();
        }
        for segment in order {
            let new = self.advance_segment(level, class, segment)?;
            if self.monitor.is_cancelled() {
                return Err(GenError::Interrupted);
            }
            self.live[class][segment] = new.states > 0;
            count.add(new);
            self.monitor.event(Event::Segment { level, done: before + count.states, total });
        }
        self.store.flush()?;
        if count.states == 0 {
            self.checkpoint.end_search();
            self.store.forget_levels();
            return self.save();
        }
        self.checkpoint.add_level(level, count);
        self.work_bytes = self.work_bytes.max(self.store.file_bytes());
        self.save()?;
        self.monitor.event(Event::Level { level, done: before + count.states, total });
        Ok(())
    }

    /// Returns the segments from which moves lead to a segment; none if every state of the segment
    /// was reached before.
    fn sources(&self, class: usize, segment: usize) -> Vec<SegmentName> {
        let block_len = self.space.graph.index.block_len();
        let cut = &self.segments.classes[class];
        let reached = &self.reached[class][cut.slots[segment].clone()];
        if reached.iter().all(|&count| u64::from(count) == block_len) {
            return Vec::new();
        }
        let sources = cut.sources[segment].iter().map(|&source| usize::from(source));
        sources
            .filter(|&source| self.live[1 - class][source])
            .map(|segment| SegmentName { kind: SegmentKind::Level, class: 1 - class, segment })
            .collect()
    }

    fn take_record(
        &mut self,
        kind: SegmentKind,
        own: SegmentName,
    ) -> Result<(SegmentName, Segment), GenError> {
        let name = SegmentName { kind, ..own };
        let segment = match self.store.take(name)? {
            Some(segment) => segment,
            None => self.store.empty(name)?,
        };
        Ok((name, segment))
    }

    /// Advances one segment (steps 1 and 2).
    fn advance_segment(
        &mut self,
        level: u32,
        class: usize,
        segment: usize,
    ) -> Result<LevelCount, GenError> {
        let own = SegmentName { kind: SegmentKind::Level, class, segment };
        let (segments, words, key) = (self.segments, self.space.words(), self.space.key);
        let slots = segments.classes[class].slots[segment].clone();
        let sets = segments.classes[class].sets[segment].clone();
        let source_names = self.sources(class, segment);
        if source_names.is_empty() {
            if self.live[class][segment] {
                self.ones[class][slots].fill(0);
                self.store.forget(own);
            }
            return Ok(LevelCount::default());
        }
        let fetched = self.store.fetch(&source_names)?;
        let mut bits = match self.store.take(own)? {
            Some(bits) => bits,
            // A block whose count is zero may contain anything.
            None => self.store.buffer()?,
        };
        let mut visited = if needs_visited(&key) {
            Some(self.take_record(SegmentKind::Visited, own)?)
        } else {
            None
        };
        let mut planes = Vec::new();
        for plane in (0..plane_count(key.mode)).filter(|&plane| has_plane(level, plane)) {
            planes.push(self.take_record(SegmentKind::Plane(plane as u8), own)?);
        }

        let mut sources = SourceSegments {
            segments,
            class: 1 - class,
            words,
            bits: vec![None; segments.classes[1 - class].count()],
        };
        for (name, source) in source_names.iter().zip(&fetched) {
            sources.bits[name.segment] = Some(source);
        }
        let record_words = segments.record_blocks(class, segment) * words;
        let [ones_even, ones_odd] = &mut self.ones;
        let (ones, source_ones) =
            if class == 0 { (ones_even, &*ones_odd) } else { (ones_odd, &*ones_even) };
        let input = LevelInput {
            class: &self.space.graph.classes[class],
            rotations: &self.space.rotations,
            mode: key.mode,
            block_len: self.space.graph.index.block_len(),
            sources: &sources,
            source_ones,
        };
        let batch_sets = sets.len().div_ceil(BATCHES);
        let batch = BlockBatch {
            sets: sets.clone(),
            bits: &mut bits[..slots.len() * words],
            ones: &mut ones[slots.clone()],
            reached: &mut self.reached[class][slots.clone()],
            visited: visited.as_mut().map(|(_, visited)| &mut visited[..record_words]),
            planes: planes.iter_mut().map(|(_, plane)| &mut plane[..record_words]).collect(),
        };
        let batches = batch.split(input.class, input.mode, words, parts(sets, batch_sets));
        let queue = Queue::new(batches);
        let count = run_level(&input, &queue, self.space.thread_count, self.monitor, &());
        drop(queue);
        if self.monitor.is_cancelled() {
            return Err(GenError::Interrupted);
        }
        drop(fetched);

        if count.states > 0 {
            let present: Vec<bool> = self.ones[class][slots].iter().map(|&ones| ones > 0).collect();
            self.store.put(own, bits, &present, level);
        } else {
            self.store.forget(own);
        }
        for (name, record) in visited.into_iter().chain(planes) {
            if count.entries > 0 {
                self.store.put_record(name, record, level);
            } else {
                self.store.put_back(name, record);
            }
        }
        Ok(count)
    }
}
