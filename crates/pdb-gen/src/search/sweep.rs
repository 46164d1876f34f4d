//! Backward breadth-first search from the goal, whole blocks at a time.
//!
//! 1. Level 0 is the goal's block with the arrangement in which every tile is at home.
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

use pdb_core::BlankMode;
use pdb_core::processor::with_wide_registers;

use super::graph::Class;
use super::record::{COST_LIMIT, ClassBits, LevelRecord, has_plane, recorded, zeroed};
use super::rotation::{RotationQueues, Rotations, or};
use super::space::SearchSpace;
use crate::GenError;
use crate::monitor::{Event, Monitor};
use crate::threads::map_in_threads_with;

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
        input: &LevelInput<'_>,
        parts: impl Iterator<Item = Range<usize>>,
    ) -> impl Iterator<Item = BlockBatch<'a>> {
        let words = input.rotations.layout.word_count;
        parts.map(move |sets| {
            let slots = input.class.slots(&sets);
            let blocks = recorded(input.mode, &slots, &sets).len();
            let planes = self.planes.iter_mut();
            BlockBatch {
                bits: cut(self.bits.split_off_mut(..slots.len() * words)),
                ones: cut(self.ones.split_off_mut(..slots.len())),
                reached: cut(self.reached.split_off_mut(..slots.len())),
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
    #[must_use]
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { states: self.states + other.states, entries: self.entries + other.entries }
    }
}

/// Access to the last level's bitset of the other class.
pub(crate) trait SourceBlocks: Sync {
    /// Returns the block of a slot with set bits.
    fn block(&self, slot: usize) -> &[u64];

    /// Returns the first slot and the blocks of some consecutive slots, which may be looked up
    /// directly.
    fn near(&self) -> (usize, &[u64]) {
        (0, &[])
    }
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

    fn near(&self) -> (usize, &[u64]) {
        (self.slots.start, self.bits)
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
    /// Bits of the states that the moves reach: of one block, or of all blocks of a batch.
    found: Vec<u64>,
    union: Vec<u64>,
    /// A block for rotations.
    rotation: Vec<u64>,
    queues: RotationQueues,
}

/// Splits a pair with an element for each class: returns the element of `class` and the other one.
pub(crate) fn own_and_other<T>([even, odd]: &mut [T; 2], class: usize) -> (&mut T, &T) {
    if class == 0 { (even, odd) } else { (odd, even) }
}

impl<'a> LevelInput<'a> {
    pub(crate) fn new(
        space: &'a SearchSpace,
        class: usize,
        sources: &'a dyn SourceBlocks,
        source_ones: &'a [u32],
    ) -> Self {
        let SearchSpace { key, graph, .. } = space;
        let (class, block_len) = (&graph.classes[class], graph.index.block_len());
        let rotations = space.rotations();
        Self { class, rotations, mode: key.mode, block_len, sources, source_ones }
    }

    /// Steps 2 to 4 for one batch.
    #[inline(always)]
    fn advance(&self, batch: &mut BlockBatch<'_>, scratch: &mut Scratch) -> LevelCount {
        match self.rotations.layout.word_count {
            1 => self.advance_small::<1>(batch, scratch),
            2 => self.advance_small::<2>(batch, scratch),
            words => {
                let near = self.sources.near();
                self.advance_sets(
                    batch,
                    scratch,
                    words,
                    #[inline(always)]
                    |batch, slot, local, scratch| {
                        if self.pull_block(batch, slot, local, near, scratch) {
                            settle(batch, local, &scratch.found)
                        } else {
                            batch.ones[local] = 0;
                            0
                        }
                    },
                )
            }
        }
    }

    /// Advances a batch of blocks with `WORDS` words: first all moves into the batch, then its
    /// blocks.
    #[inline(always)]
    fn advance_small<const WORDS: usize>(
        &self,
        batch: &mut BlockBatch<'_>,
        scratch: &mut Scratch,
    ) -> LevelCount {
        scratch.found.clear();
        scratch.found.resize(batch.ones.len() * WORDS, 0);
        let (found, _) = scratch.found.as_chunks_mut::<WORDS>();
        let first_slot = self.class.slots(&batch.sets).start;
        let (first_near, near) = self.sources.near();
        let (near, _) = near.as_chunks::<WORDS>();
        for (local, &reached) in batch.reached.iter().enumerate() {
            if u64::from(reached) == self.block_len {
                continue;
            }
            for pull in self.class.pulls(first_slot + local) {
                let source = pull.source as usize;
                if self.source_ones[source] == 0 {
                    continue;
                }
                let block = match near.get(source.wrapping_sub(first_near)) {
                    Some(block) => block,
                    None => &self.sources.block(source).as_chunks::<WORDS>().0[0],
                };
                let queues = &mut scratch.queues;
                self.rotations.queue_or(found, local, block, pull.rotation, queues);
            }
        }
        self.rotations.end_queues(found, &mut scratch.queues);
        self.advance_sets(
            batch,
            scratch,
            WORDS,
            #[inline(always)]
            |batch, _, local, scratch| {
                settle(batch, local, &scratch.found[local * WORDS..][..WORDS])
            },
        )
    }

    /// Advances all blocks of a batch by `advance_block`, which returns the number of new states,
    /// and records them.
    #[inline(always)]
    fn advance_sets(
        &self,
        batch: &mut BlockBatch<'_>,
        scratch: &mut Scratch,
        words: usize,
        advance_block: impl Fn(&mut BlockBatch<'_>, usize, usize, &mut Scratch) -> u32,
    ) -> LevelCount {
        let mut count = LevelCount::default();
        let first_slot = self.class.slots(&batch.sets).start;
        for (nth_set, set) in self.class.sets[batch.sets.clone()].iter().enumerate() {
            let mut any = false;
            for slot in set.first_slot..set.first_slot + set.block_count {
                let local = slot - first_slot;
                let new = advance_block(batch, slot, local, scratch);
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

    /// Finds the states of a block to which moves lead. Returns whether there may be any that had
    /// not been reached.
    #[inline(always)]
    fn pull_block(
        &self,
        batch: &BlockBatch<'_>,
        slot: usize,
        local: usize,
        (first_near, near): (usize, &[u64]),
        scratch: &mut Scratch,
    ) -> bool {
        if u64::from(batch.reached[local]) == self.block_len {
            return false;
        }
        let mut touched = false;
        let words = scratch.found.len();
        for pull in self.class.pulls(slot) {
            let source = pull.source as usize;
            let ones = self.source_ones[source];
            if ones == 0 {
                continue;
            }
            if !touched {
                scratch.found.fill(0);
                touched = true;
            }
            let start = source.wrapping_sub(first_near).wrapping_mul(words);
            let bits = match near.get(start..start.wrapping_add(words)) {
                Some(bits) => bits,
                None => self.sources.block(source),
            };
            let rotation = &mut scratch.rotation;
            self.rotations.apply_or(&mut scratch.found, bits, pull.rotation, ones, rotation);
        }
        touched
    }
}

/// Replaces the states of two levels ago by those of `found` that are new, and returns the number
/// of the latter.
#[inline(always)]
fn settle(batch: &mut BlockBatch<'_>, local: usize, found: &[u64]) -> u32 {
    let bits = &mut batch.bits[local * found.len()..][..found.len()];
    // A block whose count is zero is empty, whatever its words contain.
    let keep = if batch.ones[local] == 0 { 0 } else { u64::MAX };
    let mut new = 0;
    for i in 0..found.len() {
        bits[i] = found[i] & !(bits[i] & keep);
        new += bits[i].count_ones();
    }
    batch.ones[local] = new;
    batch.reached[local] += new;
    new
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

/// Largest number of batches of a class: enough that all threads finish a level at about the same
/// time.
const BATCHES_MAX: usize = 1024;
/// Least number of words that moves lead to in a batch: enough to make its own costs small.
const BATCH_WORDS: usize = 1 << 15;

/// Least number of words that moves lead to in a level that several threads share: fewer take less
/// time than it takes to start a thread.
const SHARED_WORDS: usize = 1 << 17;

/// Returns the number of sets of a batch, of `set_count` sets of a class.
pub(crate) fn batch_sets(space: &SearchSpace, class: usize, set_count: usize) -> usize {
    let class = &space.graph.classes[class];
    let words = (class.pulls.len() * space.words()).max(1);
    set_count.div_ceil(BATCHES_MAX).max((class.sets.len() * BATCH_WORDS).div_ceil(words))
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
    pub(crate) bits: ClassBits,
    /// Number of states of the class's last level in each slot of the graph.
    pub(crate) ones: [Vec<u32>; 2],
    /// Number of states with a level in each of these slots.
    pub(crate) reached: [Vec<u32>; 2],
    pub(crate) record: LevelRecord,
}

/// Sets that one thread advances together.
#[derive(Clone, Debug)]
pub(crate) struct SetRange {
    pub(crate) sets: Range<usize>,
    /// Whether other ranks wait for their blocks.
    pub(crate) is_border: bool,
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
    pub(crate) fn new(space: &SearchSpace, sets: [Range<usize>; 2]) -> Result<Self, GenError> {
        let slots = [0, 1].map(|class| space.graph.classes[class].slots(&sets[class]));
        let record = LevelRecord::new(space, &sets, &slots)?;
        let bits = zeroed(&slots, &space.layout)?;
        let reached = slots.each_ref().map(|slots| vec![0; slots.len()]);
        Ok(Self { sets, slots, bits, ones: space.zero_counts(), reached, record })
    }

    /// Makes level 0 (step 1), if the goal is in one of the sets.
    pub(crate) fn begin(&mut self, space: &SearchSpace) {
        let goal_slot = space.graph.goal_slot;
        let Some(nth) = goal_slot.checked_sub(self.slots[0].start) else { return };
        let Some(reached) = self.reached[0].get_mut(nth) else { return };
        *reached = 1;
        self.ones[0][goal_slot] = 1;
        self.bits[0][nth * space.words()] = 1;
        self.record.put_goal(space);
    }

    /// Advances all sets of one level's class (steps 2 to 4), the border first. `ranges` are all
    /// sets in their order; blocks of other sets come from `beyond`.
    ///
    /// # Errors
    /// [`GenError::Interrupted`] when cancelled.
    pub(crate) fn advance(
        &mut self,
        space: &SearchSpace,
        level: u32,
        ranges: &[SetRange],
        beyond: &dyn SourceBlocks,
        monitor: &Monitor<'_>,
        observer: &dyn BorderObserver,
    ) -> Result<LevelCount, GenError> {
        let class = (level % 2) as usize;
        let (bits, source_bits) = own_and_other(&mut self.bits, class);
        let (ones, source_ones) = own_and_other(&mut self.ones, class);
        let LevelRecord { visited, planes, .. } = &mut self.record;
        let planes = planes.iter_mut().enumerate().filter(|&(plane, _)| has_plane(level, plane));
        let batch = BlockBatch {
            sets: self.sets[class].clone(),
            bits,
            ones: &mut ones[self.slots[class].clone()],
            reached: &mut self.reached[class],
            visited: visited.as_mut().map(|bits| &mut bits[class][..]),
            planes: planes.map(|(_, plane)| &mut plane[class][..]).collect(),
        };
        let sources = LocalBlocks {
            slots: self.slots[1 - class].clone(),
            bits: source_bits,
            words: space.words(),
            beyond,
        };
        let input = LevelInput::new(space, class, &sources, source_ones);
        let sources = source_ones.iter().filter(|&&ones| ones > 0).count();
        let moves_per_block = input.class.pulls.len() / input.class.slot_count.max(1);
        let is_shared = sources * moves_per_block * space.words() >= SHARED_WORDS;
        let thread_count = if is_shared { space.thread_count } else { 1 };
        let batches = batch.split(&input, ranges.iter().map(|range| range.sets.clone()));
        let (border, rest): (Vec<_>, Vec<_>) =
            batches.zip(ranges).partition(|(_, range)| range.is_border);
        let [border, rest] = [border, rest].map(|part| part.into_iter().map(|(batch, _)| batch));
        let count = run_level(&input, border, thread_count, monitor, observer)?;
        observer.border_done();
        Ok(count.plus(run_level(&input, rest, thread_count, monitor, &())?))
    }
}

/// Searches a whole pattern space. Returns the record, and the number of entries of each level.
///
/// # Errors
/// [`GenError::Interrupted`] when cancelled, or another one.
pub(crate) fn search(
    space: &SearchSpace,
    monitor: &Monitor<'_>,
) -> Result<(LevelRecord, Vec<u64>), GenError> {
    let all = space.graph.classes.each_ref().map(|class| 0..class.sets.len());
    let mut state = SearchState::new(space, all)?;
    let ranges = [0, 1].map(|class| -> Vec<SetRange> {
        let sets = state.sets[class].clone();
        let most = batch_sets(space, class, sets.len());
        let parts = parts(sets, most);
        parts.map(|sets| SetRange { sets, is_border: false }).collect()
    });

    // Step 1.
    state.begin(space);
    let (mut histogram, mut done) = (vec![1], 1);

    for level in 1.. {
        if level >= COST_LIMIT {
            return Err(GenError::TooManyLevels { levels_max: COST_LIMIT });
        }
        let ranges = &ranges[(level % 2) as usize];
        let count = state.advance(space, level, ranges, &NoOtherBlocks, monitor, &())?;
        if count.states == 0 {
            break;
        }
        // A level may reach new states but no new entry of a blank-collapsed table.
        histogram.push(count.entries);
        done += count.states;
        monitor.event(Event::Level { level, done, total: space.state_count });
    }
    while histogram.last() == Some(&0) {
        histogram.pop();
    }
    Ok((state.record, histogram))
}

/// Advances batches (steps 2 to 4) on `thread_count` threads.
///
/// # Errors
/// [`GenError::Interrupted`] when cancelled.
pub(crate) fn run_level<'a>(
    input: &LevelInput<'_>,
    batches: impl Iterator<Item = BlockBatch<'a>> + Send,
    thread_count: usize,
    monitor: &Monitor<'_>,
    observer: &dyn BorderObserver,
) -> Result<LevelCount, GenError> {
    let layout = &input.rotations.layout;
    let scratch = || Scratch {
        found: vec![0; layout.word_count],
        union: vec![0; layout.word_count],
        rotation: vec![0; layout.word_count],
        queues: RotationQueues::new(layout),
    };
    let counts = map_in_threads_with(thread_count, batches, scratch, |scratch, mut batch| {
        monitor.check_cancelled()?;
        let count = advance_batch(input, &mut batch, scratch);
        observer.batch_done(&batch, input.class.slots(&batch.sets).start);
        Ok::<_, GenError>(count)
    })?;
    Ok(counts.into_iter().fold(LevelCount::default(), LevelCount::plus))
}

/// Advances a batch (steps 2 to 4). It is compiled once, for all iterators of batches.
fn advance_batch(
    input: &LevelInput<'_>,
    batch: &mut BlockBatch<'_>,
    scratch: &mut Scratch,
) -> LevelCount {
    with_wide_registers(
        #[inline(always)]
        || input.advance(batch, scratch),
    )
}
