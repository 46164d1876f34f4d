//! Backward breadth-first search from the goal, whole blocks at a time.
//!
//! 1. Level 0 is the goal's block with the arrangement in which every tile is at home.
//! 2. A state of level L is a neighbour of one of level L - 1. The graph is undirected and the
//! 2. A state of level L is a neighbour of a state of level L - 1. The graph is undirected and the
//!    parity of a state's level is that of its class, so every neighbour of level L - 1 is in level
//!    L - 2 or L. So only the states of two levels ago have to be excluded, and no set of visited
//!    states is needed.
//! 3. So one bitset per class is enough. Level L reads the bitset of the other class, which
//!    contains level L - 1, and replaces its own, which contains level L - 2.
//! 4. Each new state is recorded: the bits of the level in planes, one plane per bit of the level
//!    number.
//!
//! A thread writes only the blocks of its batch, so the result does not depend on the number of
//! threads.

use std::ops::Range;

use pdb_core::{BlankMode, PatternKey};

use super::graph::{BlockGraph, Class};
use super::record::{COST_LIMIT, Record, has_plane, record_blocks, zeroed};
use super::rotation::{BlockLayout, RotationScratch, Rotations, or};
use crate::GenError;
use crate::monitor::{Event, Monitor};
use crate::threads::{Queue, on_threads};
use crate::wide::with_wide_registers;
use crate::words::Words;

/// The result of a search: the levels of all states.
#[derive(Debug)]
pub(crate) struct Levels {
    pub(crate) graph: BlockGraph,
    pub(crate) record: Record,
    /// Number of entries of each level.
    pub(crate) histogram: Vec<u64>,
}

/// The part of all mutable state that belongs to some sets of one class.
pub(crate) struct BlockBatch<'a> {
    pub(crate) sets: Range<usize>,
    pub(crate) bits: &'a mut [u64],
    pub(crate) ones: &'a mut [u32],
    pub(crate) reached: &'a mut [u32],
    pub(crate) visited: Option<&'a mut [u64]>,
    /// The planes of the set bits of this level's number.
    pub(crate) planes: Vec<&'a mut [u64]>,
}

/// Divides sets into parts of at most `most`.
pub(crate) fn parts(sets: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let (most, end) = (most.max(1), sets.end);
    sets.step_by(most).map(move |start| start..(start + most).min(end))
}

impl<'a> BlockBatch<'a> {
    /// Divides the batch into smaller ones of consecutive sets, which threads take one after
    /// another.
    pub(crate) fn split(
        mut self,
        class: &Class,
        mode: BlankMode,
        words: usize,
        parts: impl Iterator<Item = Range<usize>>,
    ) -> impl Iterator<Item = BlockBatch<'a>> {
        parts.map(move |sets| {
            let slots = class.slots(&sets).len();
            let blocks = record_blocks(mode, slots, &sets);
            let planes = self.planes.iter_mut();
            BlockBatch {
                bits: cut(self.bits.split_off_mut(..slots * words)),
                ones: cut(self.ones.split_off_mut(..slots)),
                reached: cut(self.reached.split_off_mut(..slots)),
                visited: self.visited.as_mut().map(|v| cut(v.split_off_mut(..blocks * words))),
                planes: planes.map(|p| cut(p.split_off_mut(..blocks * words))).collect(),
                sets,
            }
        })
    }
}

fn cut<T>(part: Option<&mut [T]>) -> &mut [T] {
    part.expect("the arrays hold every set of the batch")
}

/// Number of new states and entries of a level, or of a part of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LevelCount {
    pub(crate) states: u64,
    pub(crate) entries: u64,
}

impl LevelCount {
    pub(crate) fn add(&mut self, other: Self) {
        self.states += other.states;
        self.entries += other.entries;
    }
}

/// Access to the last level's bitset of the other class.
pub(crate) trait SourceBlocks: Sync {
    /// Returns the block of a slot with set bits.
    fn block(&self, slot: usize) -> &[u64];
}

/// Blocks of some consecutive slots in memory; all others come from `beyond`.
struct LocalBlocks<'a> {
    slots: Range<usize>,
    bits: &'a [u64],
    words: usize,
    beyond: &'a dyn SourceBlocks,
}

impl SourceBlocks for LocalBlocks<'_> {
    #[inline(always)]
    fn block(&self, slot: usize) -> &[u64] {
        if !self.slots.contains(&slot) {
            return self.beyond.block(slot);
        }
        &self.bits[(slot - self.slots.start) * self.words..][..self.words]
    }
}

/// Source of other blocks for a search of all sets, which needs none.
struct NoOtherBlocks;

impl SourceBlocks for NoOtherBlocks {
    fn block(&self, _: usize) -> &[u64] {
        unreachable!("a search of all sets needs no block of others")
    }
}

/// The part of a level's state that all threads read.
pub(crate) struct LevelInput<'a> {
    pub(crate) class: &'a Class,
    pub(crate) rotations: &'a Rotations,
    pub(crate) mode: BlankMode,
    pub(crate) block_len: u64,
    pub(crate) sources: &'a dyn SourceBlocks,
    pub(crate) source_ones: &'a [u32],
}

struct Scratch {
    block: Vec<u64>,
    union: Vec<u64>,
    rotation: RotationScratch,
}

impl LevelInput<'_> {
    /// Steps 2 to 4 for one batch.
    #[inline(always)]
    fn advance(&self, batch: &mut BlockBatch<'_>, scratch: &mut Scratch) -> LevelCount {
        let words = self.rotations.layout().word_count;
        let mut count = LevelCount::default();
        let first_slot = self.class.slots(&batch.sets).start;
        for (nth_set, set) in self.class.sets[batch.sets.clone()].iter().enumerate() {
            let mut any = false;
            for slot in set.first_slot..set.first_slot + set.block_count {
                let local = slot - first_slot;
                let new = self.advance_block(batch, slot, local, scratch);
                count.states += u64::from(new);
                if new == 0 {
                    continue;
                }
                let fresh = &batch.bits[local * words..][..words];
                match self.mode {
                    BlankMode::Aware | BlankMode::Plain => {
                        count.entries += u64::from(new);
                        record(batch.visited.as_deref_mut(), &mut batch.planes, fresh, local);
                    }
                    BlankMode::Collapsed => {
                        if any {
                            or(&mut scratch.union, fresh);
                        } else {
                            scratch.union.copy_from_slice(fresh);
                        }
                        any = true;
                    }
                }
            }
            if any {
                let visited = batch.visited.as_deref().expect("a collapsed record has it");
                let mut fresh = 0;
                for (word, &seen) in scratch.union.iter_mut().zip(&visited[nth_set * words..]) {
                    *word &= !seen;
                    fresh += word.count_ones();
                }
                count.entries += u64::from(fresh);
                if fresh > 0 {
                    let union = &scratch.union;
                    record(batch.visited.as_deref_mut(), &mut batch.planes, union, nth_set);
                }
            }
        }
        count
    }

    /// Replaces the states of two levels ago by the new ones, and returns the number of the latter.
    #[inline(always)]
    fn advance_block(
        &self,
        batch: &mut BlockBatch<'_>,
        slot: usize,
        local: usize,
        scratch: &mut Scratch,
    ) -> u32 {
        let words = self.rotations.layout().word_count;
        let old_ones = std::mem::take(&mut batch.ones[local]);
        if u64::from(batch.reached[local]) == self.block_len {
            return 0;
        }
        let mut touched = false;
        for pull in self.class.pulls(slot) {
            let source = pull.source as usize;
            let ones = self.source_ones[source];
            if ones == 0 {
                continue;
            }
            if !touched {
                scratch.block.fill(0);
                touched = true;
            }
            let bits = self.sources.block(source);
            let rotation = &mut scratch.rotation;
            self.rotations.apply_or(&mut scratch.block, bits, pull.rotation, ones, rotation);
        }
        if !touched {
            return 0;
        }
        let bits = &mut batch.bits[local * words..][..words];
        // A block whose count is zero is empty, whatever its words contain.
        let keep = if old_ones == 0 { 0 } else { u64::MAX };
        let mut new = 0;
        for (word, &found) in bits.iter_mut().zip(&scratch.block) {
            *word = found & !(*word & keep);
            new += word.count_ones();
        }
        batch.ones[local] = new;
        batch.reached[local] += new;
        new
    }
}

/// Records the new states of a block: step 4.
#[inline(always)]
fn record(visited: Option<&mut [u64]>, planes: &mut [&mut [u64]], fresh: &[u64], block: usize) {
    let range = block * fresh.len()..(block + 1) * fresh.len();
    if let Some(visited) = visited {
        or(&mut visited[range.clone()], fresh);
    }
    for plane in planes {
        or(&mut plane[range.clone()], fresh);
    }
}

/// Number of batches of a class: enough that all threads finish a level at about the same time.
pub(crate) const BATCHES: usize = 1024;

/// Largest number of tiles of a pattern that can be built: the arrangements of one more tile cannot
/// be counted in 32 bits.
const TILES_MAX: usize = 12;

/// Returns the graph of a pattern, if the pattern is small enough to search.
pub(crate) fn graph_of(key: &PatternKey) -> Result<BlockGraph, GenError> {
    if key.tile_count() > TILES_MAX {
        return Err(GenError::TooManyTiles { found: key.tile_count(), max: TILES_MAX });
    }
    Ok(BlockGraph::new(key)?)
}

/// Returns the number of states that the search of a graph reaches.
pub(crate) fn state_count(key: &PatternKey, graph: &BlockGraph) -> u64 {
    graph.index.entry_count() / if key.is_half_reachable() { 2 } else { 1 }
}

/// State of a search in memory: the last levels and the record of some sets of both classes.
#[derive(Debug)]
pub(crate) struct SearchState {
    /// The sets of each class.
    pub(crate) sets: [Range<usize>; 2],
    /// Their slots.
    pub(crate) slots: [Range<usize>; 2],
    /// The last level of each class in these slots. A block whose count is zero may contain
    /// anything.
    pub(crate) bits: [Words; 2],
    /// Number of states of the class's last level in each slot of the graph.
    pub(crate) ones: [Vec<u32>; 2],
    /// Number of states with a level in each of these slots.
    pub(crate) reached: [Vec<u32>; 2],
    pub(crate) record: Record,
}

/// Sets that one thread advances together.
#[derive(Clone, Debug)]
pub(crate) struct SetRange {
    pub(crate) sets: Range<usize>,
    /// Whether other ranks wait for their blocks.
    pub(crate) is_border: bool,
}

/// Inputs of every level besides the blocks.
pub(crate) struct LevelContext<'a> {
    pub(crate) graph: &'a BlockGraph,
    pub(crate) rotations: &'a Rotations,
    pub(crate) mode: BlankMode,
    pub(crate) thread_count: usize,
    pub(crate) monitor: &'a Monitor<'a>,
}

/// Receiver of the blocks of a level that other ranks wait for. Any thread may call it.
pub(crate) trait BorderObserver: Sync {
    /// Receives an advanced batch, with its first slot in the class.
    fn batch_done(&self, batch: &BlockBatch<'_>, first_slot: usize);
    /// Notes that all border blocks of the level are advanced.
    fn border_done(&self);
}

/// Observer for searches without other ranks.
impl BorderObserver for () {
    fn batch_done(&self, _: &BlockBatch<'_>, _: usize) {}
    fn border_done(&self) {}
}

impl SearchState {
    /// Creates the state of some sets of each class, without a level.
    pub(crate) fn new(
        key: &PatternKey,
        graph: &BlockGraph,
        layout: &BlockLayout,
        sets: [Range<usize>; 2],
    ) -> Result<Self, GenError> {
        let record = Record::new(key, graph, layout, &sets)?;
        let slots = [0, 1].map(|class| graph.classes[class].slots(&sets[class]));
        let bits = zeroed(slots.each_ref().map(Range::len), layout)?;
        let ones = graph.classes.each_ref().map(|class| vec![0; class.slot_count]);
        let reached = slots.each_ref().map(|slots| vec![0; slots.len()]);
        Ok(Self { sets, slots, bits, ones, reached, record })
    }

    /// Makes level 0 (step 1), if the goal is in one of the sets.
    pub(crate) fn begin(&mut self, key: &PatternKey, graph: &BlockGraph) {
        let Some(nth) = graph.goal_slot.checked_sub(self.slots[0].start) else { return };
        let Some(reached) = self.reached[0].get_mut(nth) else { return };
        *reached = 1;
        self.ones[0][graph.goal_slot] = 1;
        self.bits[0][nth * self.record.words()] = 1;
        self.record.put_goal(key, graph);
    }

    /// Advances all sets of one level's class (steps 2 to 4), the border first. `ranges` are all
    /// sets in their order; blocks of other sets come from `beyond`.
    pub(crate) fn advance(
        &mut self,
        context: &LevelContext<'_>,
        level: u32,
        ranges: &[SetRange],
        beyond: &dyn SourceBlocks,
        observer: &dyn BorderObserver,
    ) -> LevelCount {
        let LevelContext { graph, rotations, mode, thread_count, monitor } = *context;
        let parity = (level % 2) as usize;
        let class = &graph.classes[parity];
        let words = self.record.words();
        let [bits_even, bits_odd] = &mut self.bits;
        let [ones_even, ones_odd] = &mut self.ones;
        let ((bits, source_bits), (ones, source_ones)) = if parity == 0 {
            ((&mut bits_even[..], &*bits_odd), (&mut ones_even[..], &*ones_odd))
        } else {
            ((&mut bits_odd[..], &*bits_even), (&mut ones_odd[..], &*ones_even))
        };
        let Record { visited, planes, .. } = &mut self.record;
        let planes = planes.iter_mut().enumerate().filter(|&(plane, _)| has_plane(level, plane));
        let batch = BlockBatch {
            sets: self.sets[parity].clone(),
            bits,
            ones: &mut ones[self.slots[parity].clone()],
            reached: &mut self.reached[parity],
            visited: visited.as_mut().map(|bits| &mut bits[parity][..]),
            planes: planes.map(|(_, plane)| &mut plane[parity][..]).collect(),
        };
        let parts = ranges.iter().map(|range| range.sets.clone());
        let batches = batch.split(class, mode, words, parts).zip(ranges);
        let (border, rest): (Vec<_>, Vec<_>) = batches.partition(|(_, range)| range.is_border);
        let [border, rest] =
            [border, rest].map(|part| Queue::new(part.into_iter().map(|(batch, _)| batch)));
        let sources =
            LocalBlocks { slots: self.slots[1 - parity].clone(), bits: source_bits, words, beyond };
        let input = LevelInput {
            class,
            rotations,
            mode,
            block_len: graph.index.block_len(),
            sources: &sources,
            source_ones,
        };
        let mut count = run_level(&input, &border, thread_count, monitor, observer);
        observer.border_done();
        count.add(run_level(&input, &rest, thread_count, monitor, &()));
        count
    }
}

/// Searches the whole pattern space.
///
/// # Errors
/// [`GenError::Index`] when the pattern is too large, [`GenError::Interrupted`] when cancelled.
pub(crate) fn search(
    key: &PatternKey,
    thread_count: usize,
    monitor: &Monitor<'_>,
) -> Result<Levels, GenError> {
    let graph = graph_of(key)?;
    let layout = BlockLayout::new(key.tile_count());
    let all = graph.classes.each_ref().map(|class| 0..class.sets.len());
    let mut state = SearchState::new(key, &graph, &layout, all)?;
    // Allocated after the large arrays, whose allocation reports a lack of memory cleanly.
    let rotations = Rotations::new(key.tile_count(), key.shape.cols() - 1);
    let total = state_count(key, &graph);
    let ranges = state.sets.each_ref().map(|sets| -> Vec<SetRange> {
        let parts = parts(sets.clone(), sets.len().div_ceil(BATCHES));
        parts.map(|sets| SetRange { sets, is_border: false }).collect()
    });

    // Step 1.
    state.begin(key, &graph);
    let mut histogram = vec![1];
    let mut done = 1;

    let rotations = &rotations;
    let context = LevelContext { graph: &graph, rotations, mode: key.mode, thread_count, monitor };
    for level in 1.. {
        if level >= COST_LIMIT {
            return Err(GenError::TooManyLevels { levels_max: COST_LIMIT });
        }
        let ranges = &ranges[(level % 2) as usize];
        let count = state.advance(&context, level, ranges, &NoOtherBlocks, &());
        if monitor.is_cancelled() {
            return Err(GenError::Interrupted);
        }
        if count.states == 0 {
            break;
        }
        // A level may reach new states but no new entry of a blank-collapsed table.
        histogram.push(count.entries);
        done += count.states;
        monitor.event(Event::Level { level, done, total });
    }
    while histogram.last() == Some(&0) {
        histogram.pop();
    }
    Ok(Levels { graph, record: state.record, histogram })
}

/// Advances all batches (steps 2 to 4) on `thread_count` threads.
pub(crate) fn run_level(
    input: &LevelInput<'_>,
    queue: &Queue<BlockBatch<'_>>,
    thread_count: usize,
    monitor: &Monitor<'_>,
    observer: &dyn BorderObserver,
) -> LevelCount {
    let work = || {
        let layout = input.rotations.layout();
        let mut scratch = Scratch {
            block: vec![0; layout.word_count],
            union: vec![0; layout.word_count],
            rotation: RotationScratch::new(layout),
        };
        let mut count = LevelCount::default();
        while let Some(mut batch) = queue.pop() {
            if monitor.is_cancelled() {
                break;
            }
            let part = with_wide_registers(
                #[inline(always)]
                || input.advance(&mut batch, &mut scratch),
            );
            count.add(part);
            observer.batch_done(&batch, input.class.slots(&batch.sets).start);
        }
        count
    };
    let mut sum = LevelCount::default();
    for part in on_threads(thread_count, work) {
        sum.add(part);
    }
    sum
}
