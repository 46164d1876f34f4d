//! The search, segment by segment: the level and the record are in files.

use std::ops::Range;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use pdb_core::PatternKey;

use super::budget::Fixed;
use super::checkpoint::{Checkpoint, Kind, Name, WorkFile, counts_path};
use super::segments::Segments;
use super::store::{Part, Store, present};
use crate::monitor::{Event, Monitor};
use crate::search::{
    Batch, BlockGraph, BlockLayout, COST_LIMIT, Rotations, Shared, Sources, Tally, goal_record,
    graph_of, has_plane, needs_visited, parts, plane_count, run_level, state_count,
};
use crate::threads::queue_of;
use crate::{GenError, WorkError};

/// Batches of a segment, small enough that the threads end it together.
const BATCHES: usize = 32;

/// A search that is under way.
pub(crate) struct Search<'a> {
    pub(crate) key: &'a PatternKey,
    pub(crate) graph: BlockGraph,
    pub(crate) segments: &'a Segments,
    pub(crate) rotations: Rotations,
    /// Words of a block.
    pub(crate) words: usize,
    pub(crate) folder: &'a Path,
    /// States of the class's last level in each slot.
    pub(crate) ones: [Vec<u32>; 2],
    /// States with a level in each slot.
    pub(crate) reached: [Vec<u32>; 2],
    /// Whether a segment has a state of its class's last level.
    pub(crate) live: [Vec<bool>; 2],
    pub(crate) store: Store<'a>,
    pub(crate) checkpoint: Checkpoint,
    /// States in all.
    pub(crate) total: u64,
    /// What is in memory besides segments.
    pub(crate) fixed: Fixed,
    /// Bytes of files at the peak.
    pub(crate) work_bytes: u64,
    pub(crate) thread_count: usize,
    pub(crate) monitor: &'a Monitor<'a>,
    /// Segments of each class that are advanced here: all, but in a team.
    pub(crate) own: [Range<usize>; 2],
    pub(crate) effort: Effort,
}

/// What the sweeps of a rank took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// Segments that moves came from, once for each segment that they led to.
    pub(crate) sources: u64,
    /// Those of them that this rank owns.
    pub(crate) own_sources: u64,
    /// Time in which the threads had to wait for sources.
    pub(crate) waiting: Duration,
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

/// What a search needs whatever its checkpoint is.
pub(crate) struct Frame {
    pub(crate) graph: BlockGraph,
    pub(crate) layout: BlockLayout,
    pub(crate) rotations: Rotations,
    pub(crate) fixed: Fixed,
    pub(crate) total: u64,
}

impl Frame {
    pub(crate) fn new(key: &PatternKey, thread_count: usize) -> Result<Self, GenError> {
        let graph = graph_of(key)?;
        let layout = BlockLayout::new(key.tile_count());
        let rotations = Rotations::new(key.tile_count(), key.shape.cols() - 1);
        let fixed = Fixed::new(&graph, &layout, &rotations, thread_count);
        let total = state_count(key, &graph);
        Ok(Self { graph, layout, rotations, fixed, total })
    }
}

impl<'a> Search<'a> {
    /// A search of all segments.
    pub(crate) fn new(
        key: &'a PatternKey,
        frame: Frame,
        segments: &'a Segments,
        store: Store<'a>,
        checkpoint: Checkpoint,
        thread_count: usize,
        monitor: &'a Monitor<'a>,
    ) -> Self {
        let Frame { graph, layout, rotations, fixed, total } = frame;
        Self {
            key,
            graph,
            segments,
            rotations,
            words: layout.word_count,
            folder: store.folder,
            ones: Default::default(),
            reached: Default::default(),
            live: Default::default(),
            store,
            checkpoint,
            total,
            fixed,
            work_bytes: 0,
            thread_count,
            monitor,
            own: segments.classes.each_ref().map(|class| 0..class.count()),
            effort: Effort::default(),
        }
    }

    /// Bytes of memory while packing, apart from segments, rows and slabs.
    pub(crate) fn packing_bytes(&self) -> usize {
        self.fixed.packing(self.segments, self.file_count())
    }

    /// Files that there can be.
    pub(crate) fn file_count(&self) -> usize {
        let records = plane_count(self.key.mode) + usize::from(needs_visited(self.key));
        self.segments.count() * (records + 1)
    }

    pub(crate) fn zero_counts(&self) -> [Vec<u32>; 2] {
        self.graph.classes.each_ref().map(|class| vec![0; class.slot_count])
    }

    /// Level 0: the goal.
    pub(crate) fn begin(&mut self) -> Result<(), GenError> {
        self.put_goal()?;
        self.save()
    }

    /// Level 0, not yet saved.
    pub(crate) fn put_goal(&mut self) -> Result<(), GenError> {
        self.ones = self.zero_counts();
        self.reached = self.zero_counts();
        let slot = self.graph.goal_slot;
        self.ones[0][slot] = 1;
        self.reached[0][slot] = 1;
        self.find_live();
        let segment = self.segments.classes[0].of_slot(slot);
        if !self.own[0].contains(&segment) {
            return Ok(());
        }
        let name = Name { kind: Kind::Level, class: 0, segment };
        let mut bits = self.store.empty(name)?;
        let slots = self.segments.classes[0].slots[segment].clone();
        bits[(slot - slots.start) * self.words] = 1;
        let present_bits = present(self.ones[0][slots].iter().map(|&ones| ones > 0));
        self.store.put(name, bits, present_bits, 0);
        if needs_visited(self.key) {
            let block = goal_record(self.key, &self.graph);
            let first = self.segments.first_record(0, segment);
            let name = Name { kind: Kind::Visited, class: 0, segment };
            let mut visited = self.store.empty(name)?;
            visited[(block - first) * self.words] = 1;
            let present = self.store.present_records(name, &visited);
            self.store.put(name, visited, present, 0);
        }
        Ok(())
    }

    pub(crate) fn find_live(&mut self) {
        for class in 0..2 {
            let slots = self.segments.classes[class].slots.iter();
            let any =
                |slots: &Range<usize>| self.ones[class][slots.clone()].iter().any(|&ones| ones > 0);
            self.live[class] = slots.map(any).collect();
        }
    }

    pub(crate) fn load_counts(&mut self) -> Result<(), GenError> {
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
    pub(crate) fn check_counts(&self) -> Result<(), WorkError> {
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
                if self.store.contains(name) != is_live {
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
            self.checkpoint.counts = Some(WorkFile::write(&path, pieces, None)?.0);
        }
        self.checkpoint.save(self.folder, self.store.files())?;
        self.store.remove_stale()
    }

    /// Steps 1 to 3 for one level.
    pub(crate) fn advance(&mut self, level: u32) -> Result<(), GenError> {
        let before = self.checkpoint.state_count;
        let tally = self.sweep(level)?;
        self.store.flush()?;
        if tally.states == 0 {
            self.end();
            return self.save();
        }
        self.checkpoint.add_level(level, tally);
        self.work_bytes = self.work_bytes.max(self.store.file_bytes());
        self.save()?;
        let done = before + tally.states;
        self.monitor.event(Event::Level { level, done, total: self.total });
        Ok(())
    }

    /// All is searched: what is left is packing.
    pub(crate) fn end(&mut self) {
        while self.checkpoint.histogram.last() == Some(&0) {
            self.checkpoint.histogram.pop();
        }
        self.checkpoint.searched = true;
        self.store.forget_levels();
    }

    /// Steps 1 and 2 for the own segments of one level.
    pub(crate) fn sweep(&mut self, level: u32) -> Result<Tally, GenError> {
        if level >= COST_LIMIT {
            return Err(GenError::TooManyLevels { levels_max: COST_LIMIT });
        }
        let class = (level % 2) as usize;
        let mut tally = Tally::default();
        let before = self.checkpoint.state_count;
        // Step 4.
        let own = self.own[class].clone();
        let order: Vec<usize> = if level % 2 == 1 { own.rev().collect() } else { own.collect() };
        for (i, &segment) in order.iter().enumerate() {
            let part = self.advance_segment(level, class, segment, &order[i + 1..])?;
            if self.monitor.is_cancelled() {
                return Err(GenError::Interrupted);
            }
            self.live[class][segment] = part.states > 0;
            tally.states += part.states;
            tally.entries += part.entries;
            let (done, total) = (before + tally.states, self.total);
            self.monitor.event(Event::Segment { level, done, total });
        }
        // A rank may have no segment.
        if self.monitor.is_cancelled() { Err(GenError::Interrupted) } else { Ok(tally) }
    }

    /// The segments that moves into a segment come from, unless there is nothing new to reach.
    fn sources(&self, class: usize, segment: usize) -> Vec<Name> {
        let block_len = self.graph.index.block_len();
        let cut = &self.segments.classes[class];
        let reached = &self.reached[class][cut.slots[segment].clone()];
        if reached.iter().all(|&count| u64::from(count) == block_len) {
            return Vec::new();
        }
        let sources = cut.sources[segment].iter().map(|&source| usize::from(source));
        sources
            .filter(|&source| self.live[1 - class][source])
            .map(|source| Name { kind: Kind::Level, class: 1 - class, segment: source })
            .collect()
    }

    /// Buffers for what the next of some segments needs from elsewhere.
    fn ahead(&mut self, class: usize, later: &[usize]) -> Result<Vec<Part>, GenError> {
        if self.store.elsewhere.team.is_none() {
            return Ok(Vec::new());
        }
        let mut sources = later.iter().map(|&segment| self.sources(class, segment));
        match sources.find(|sources| !sources.is_empty()) {
            Some(sources) => self.store.reserve(&sources),
            None => Ok(Vec::new()),
        }
    }

    fn record_part(&mut self, kind: Kind, own: Name) -> Result<Part, GenError> {
        let name = Name { kind, ..own };
        let segment = match self.store.take(name)? {
            Some(segment) => segment,
            None => self.store.empty(name)?,
        };
        Ok((name, segment))
    }

    /// Steps 1 and 2 for one segment, while what `later` ones need is fetched.
    fn advance_segment(
        &mut self,
        level: u32,
        class: usize,
        segment: usize,
        later: &[usize],
    ) -> Result<Tally, GenError> {
        let own = Name { kind: Kind::Level, class, segment };
        let (segments, words) = (self.segments, self.words);
        let slots = segments.classes[class].slots[segment].clone();
        let sets = segments.classes[class].sets[segment].clone();
        let block_len = self.graph.index.block_len();
        let sources = self.sources(class, segment);
        if sources.is_empty() {
            if self.live[class][segment] {
                self.ones[class][slots].fill(0);
                self.store.forget(own);
            }
            return Ok(Tally::default());
        }
        let own_sources = self.own[1 - class].clone();
        self.effort.sources += sources.len() as u64;
        self.effort.own_sources +=
            sources.iter().filter(|name| own_sources.contains(&name.segment)).count() as u64;
        let begun = Instant::now();
        let fetched = self.store.fetch(&sources)?;
        self.effort.waiting += begun.elapsed();
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
        // All that is needed here has its buffer.
        let ahead = self.ahead(class, later)?;

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
        let batch = Batch {
            sets: sets.clone(),
            bits: &mut bits[..slots.len() * words],
            ones: &mut ones[slots.clone()],
            reached: &mut self.reached[class][slots.clone()],
            visited: visited.as_mut().map(|(_, visited)| &mut visited[..record_words]),
            planes: planes.iter_mut().map(|(_, plane)| &mut plane[..record_words]).collect(),
        };
        let parts = parts(sets, batch_sets);
        let queue = queue_of(batch.shared_out(shared.class, shared.mode, words, parts));
        let (thread_count, monitor, store) = (self.thread_count, self.monitor, &self.store);
        let (tally, ahead, waited) = thread::scope(|scope| {
            // Where no thread can be started, they are fetched when they are needed.
            let start =
                |ahead| thread::Builder::new().spawn_scoped(scope, || store.read_all(ahead)).ok();
            let reading = if ahead.is_empty() { None } else { start(ahead) };
            let tally = run_level(&shared, &queue, thread_count, monitor, &());
            let begun = Instant::now();
            let ahead = reading.map(|reading| reading.join().expect("it does not panic"));
            (tally, ahead, begun.elapsed())
        });
        drop(queue);
        self.effort.waiting += waited;
        if self.monitor.is_cancelled() {
            return Err(GenError::Interrupted);
        }
        drop(fetched);
        if let Some(ahead) = ahead {
            self.store.keep(ahead?);
        }

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
