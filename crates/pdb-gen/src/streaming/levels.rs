//! Streamed search from level to level, segment by segment: the level and the record are in files.

use std::path::Path;

use super::checkpoint::Checkpoint;
use super::segments::Segments;
use super::store::{Segment, Store};
use super::work_files::{BlockCounts, SegmentKind, SegmentName, level_head, remove_others};
use crate::GenError;
use crate::monitor::{Event, Monitor};
use crate::search::{
    BlockBatch, COST_LIMIT, LevelCount, LevelInput, SearchSpace, SourceBlocks, goal_record,
    has_plane, needs_visited, own_and_other, parts, plane_count, run_level,
};

/// Number of batches of a segment: small enough that all threads finish it at about the same time.
const BATCHES: usize = 32;

/// A running search whose segments are on disk.
pub(super) struct StreamedSearch<'a> {
    pub(super) space: SearchSpace,
    pub(super) segments: &'a Segments,
    pub(super) folder: &'a Path,
    /// Number of states of the class's last level in each slot.
    ones: [Vec<u32>; 2],
    /// Number of states with a level in each slot. After a resume, it may be less where a segment
    /// had no state of the last level; then blocks are advanced that have no new states.
    reached: [Vec<u32>; 2],
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
            ones: space.zero_counts(),
            reached: space.zero_counts(),
            space,
            segments,
            folder: store.folder,
            store,
            checkpoint,
            work_bytes: 0,
            monitor,
        }
    }

    /// Frees the data that only the search needs, before the record is packed.
    pub(super) fn end_search(&mut self) {
        self.space.end_search();
        (self.ones, self.reached) = Default::default();
    }

    /// Writes level 0, which is the goal alone.
    pub(super) fn begin(&mut self) -> Result<(), GenError> {
        let (words, slot) = (self.space.words(), self.space.graph.goal_slot);
        self.ones[0][slot] = 1;
        self.reached[0][slot] = 1;
        let segment = self.segments.classes[0].of_slot(slot);
        let name = SegmentName { kind: SegmentKind::Level, class: 0, segment };
        let mut bits = self.store.empty(name)?;
        let first_slot = self.segments.classes[0].slots[segment].start;
        bits[(slot - first_slot) * words] = 1;
        self.store.put(name, bits, self.head(name), 0);
        if needs_visited(&self.space.key) {
            let first = self.segments.recorded(0, segment).start;
            let name = SegmentName { kind: SegmentKind::Visited, class: 0, segment };
            let mut visited = self.store.empty(name)?;
            visited[(goal_record(&self.space) - first) * words] = 1;
            self.store.put_record(name, visited, 0);
        }
        self.save()
    }

    /// Returns the counts of a segment's blocks in the last level.
    fn head(&self, SegmentName { class, segment, .. }: SegmentName) -> Vec<BlockCounts> {
        let slots = self.segments.classes[class].slots[segment].clone();
        level_head(&self.ones[class][slots.clone()], &self.reached[class][slots])
    }

    /// Reads the counts of all blocks from the files of the last levels, which are read to the end:
    /// a wrong count would leave states out.
    pub(super) fn load_counts(&mut self) -> Result<(), GenError> {
        let levels = self.store.files.iter().filter(|(name, _)| name.kind == SegmentKind::Level);
        for (&SegmentName { class, segment, .. }, file) in levels {
            let slots = self.segments.classes[class].slots[segment].clone();
            let mut reader = file.open(self.folder)?;
            let head = reader.read_head(slots.len(), self.space.words())?;
            reader.skip_to_end()?;
            for (slot, [ones, reached]) in slots.zip(head) {
                self.ones[class][slot] = ones;
                self.reached[class][slot] = reached;
            }
        }
        Ok(())
    }

    /// Saves a checkpoint (step 3) after a level.
    fn save(&mut self) -> Result<(), GenError> {
        self.store.flush()?;
        self.checkpoint.files = self.store.files.values().cloned().collect();
        self.checkpoint.save(self.folder)?;
        self.store.forget_stale();
        remove_others(self.folder, &self.checkpoint.files)
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
            self.monitor.check_cancelled()?;
            count = count.plus(new);
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
        let sources = cut.sources[segment].iter().map(|&source| SegmentName {
            kind: SegmentKind::Level,
            class: 1 - class,
            segment: source.into(),
        });
        sources.filter(|&name| self.store.contains(name)).collect()
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
            self.ones[class][slots].fill(0);
            self.store.forget(own);
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
        let record_words = segments.recorded(class, segment).len() * words;
        let (ones, source_ones) = own_and_other(&mut self.ones, class);
        let input = LevelInput::new(&self.space, class, &sources, source_ones);
        let parts = parts(sets.clone(), sets.len().div_ceil(BATCHES));
        let batch = BlockBatch {
            sets,
            bits: &mut bits[..slots.len() * words],
            ones: &mut ones[slots.clone()],
            reached: &mut self.reached[class][slots],
            visited: visited.as_mut().map(|(_, visited)| &mut visited[..record_words]),
            planes: planes.iter_mut().map(|(_, plane)| &mut plane[..record_words]).collect(),
        };
        let batches = batch.split(&input, parts);
        let count = run_level(&input, batches, self.space.thread_count, self.monitor, &())?;
        drop(fetched);

        if count.states > 0 {
            self.store.put(own, bits, self.head(own), level);
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
