//! Backward breadth-first search from the goal, whole blocks at a time.
//!
//! 1. Level 0 is the goal's block with the arrangement in which every tile is at home.
//! 2. A state of level L is a neighbour of one of level L - 1. The graph is undirected and the
//!    parity of a state's level is that of its class, so every neighbour of level L - 1 lies in
//!    level L - 2 or L: what a block holds from two levels ago is all that must be left out, and no
//!    set of visited states is needed.
//! 3. So one bitset a class is enough. Level L reads the bitset of the other class, which holds
//!    level L - 1, and replaces its own, which holds level L - 2.
//! 4. Each new state is recorded: bits of the level in planes, a plane a bit of the level number.
//!
//! A thread writes only the blocks of the batch it took, so the result does not depend on how many
//! threads there are.

use std::ops::Range;

use crossbeam::queue::SegQueue;
use pdb_core::{BlankMode, PatternKey};

use crate::graph::{BlockGraph, Class};
use crate::monitor::{Event, Monitor};
use crate::rotation::{BlockLayout, RotationScratch, Rotations, or};
use crate::words::Words;
use crate::{COST_LIMIT, GenError};

/// One bitset a class, in slots (or sets) of the block layout.
type ClassBits = [Words; 2];

/// The levels of all states, as far as the packing needs them.
///
/// In a blank-collapsed table a record belongs to a cell set, in others to a slot.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) mode: BlankMode,
    /// States that have a level; missing where every state has one and nothing else needs it.
    pub(crate) visited: Option<ClassBits>,
    /// `planes[i]` holds bit `i + 1` of the level; bit 0 is the class.
    pub(crate) planes: Vec<ClassBits>,
}

/// What a search found.
#[derive(Debug)]
pub(crate) struct Levels {
    pub(crate) graph: BlockGraph,
    pub(crate) layout: BlockLayout,
    pub(crate) record: Record,
    /// Entries of each level.
    pub(crate) histogram: Vec<u64>,
}

impl Record {
    fn new(key: &PatternKey, graph: &BlockGraph, layout: &BlockLayout) -> Result<Self, GenError> {
        let bits = || -> Result<ClassBits, GenError> {
            let blocks = graph.classes.each_ref().map(|class| match key.mode {
                BlankMode::Aware | BlankMode::Plain => class.slot_count,
                BlankMode::Collapsed => class.sets.len(),
            });
            zeroed(blocks, layout)
        };
        // The parity of the excess needs bit 1 of the level alone; the excess itself needs all.
        let plane_count = match key.mode {
            BlankMode::Aware | BlankMode::Plain => 1,
            BlankMode::Collapsed => (COST_LIMIT - 1).ilog2() as usize,
        };
        let needs_visited = key.mode == BlankMode::Collapsed || key.is_half_reachable();
        let visited = if needs_visited { Some(bits()?) } else { None };
        // The planes of levels that the search never reaches are never touched.
        let planes = (0..plane_count).map(|_| bits()).collect::<Result<_, _>>()?;
        Ok(Self { mode: key.mode, visited, planes })
    }
}

/// Empty blocks of each class.
fn zeroed(blocks: [usize; 2], layout: &BlockLayout) -> Result<ClassBits, GenError> {
    let [even, odd] = blocks.map(|count| Words::zeroed(count * layout.word_count));
    Ok([even?, odd?])
}

/// The share of all mutable state that belongs to some sets of one class.
struct Batch<'a> {
    sets: Range<usize>,
    slots: Range<usize>,
    bits: &'a mut [u64],
    ones: &'a mut [u32],
    reached: &'a mut [u32],
    visited: Option<&'a mut [u64]>,
    /// Planes of the bits that are set in this level's number.
    planes: Vec<&'a mut [u64]>,
}

/// What a batch added.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    states: u64,
    entries: u64,
}

/// The part of the search that all threads read.
struct Shared<'a> {
    class: &'a Class,
    rotations: &'a Rotations,
    mode: BlankMode,
    block_len: u64,
    source_bits: &'a [u64],
    source_ones: &'a [u32],
}

struct Scratch {
    block: Vec<u64>,
    union: Vec<u64>,
    rotation: RotationScratch,
}

impl Shared<'_> {
    /// Steps 2 to 4 for one batch.
    #[inline(always)]
    fn advance(&self, batch: &mut Batch<'_>, scratch: &mut Scratch) -> Tally {
        let words = self.rotations.layout().word_count;
        let mut tally = Tally::default();
        let first_slot = batch.slots.start;
        for (nth_set, set) in self.class.sets[batch.sets.clone()].iter().enumerate() {
            let mut any = false;
            for slot in set.first_slot..set.first_slot + set.block_count {
                let local = slot - first_slot;
                let new = self.advance_block(batch, slot, local, scratch);
                tally.states += u64::from(new);
                if new == 0 {
                    continue;
                }
                let fresh = &batch.bits[local * words..][..words];
                match self.mode {
                    BlankMode::Aware | BlankMode::Plain => {
                        tally.entries += u64::from(new);
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
                tally.entries += u64::from(fresh);
                if fresh > 0 {
                    let union = &scratch.union;
                    record(batch.visited.as_deref_mut(), &mut batch.planes, union, nth_set);
                }
            }
        }
        tally
    }

    /// Replaces the states of two levels ago by the new ones; returns how many there are.
    #[inline(always)]
    fn advance_block(
        &self,
        batch: &mut Batch<'_>,
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
            let bits = &self.source_bits[source * words..][..words];
            let rotation = &mut scratch.rotation;
            self.rotations.apply_or(&mut scratch.block, bits, pull.rotation, ones, rotation);
        }
        if !touched {
            return 0;
        }
        let bits = &mut batch.bits[local * words..][..words];
        // A block without ones is empty whatever its words still hold.
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

/// Step 4 for one block of the record.
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

fn cut<T>(part: Option<&mut [T]>) -> &mut [T] {
    part.expect("the arrays hold every set of the class")
}

/// Ranges of sets, small enough that the threads end a level together.
fn set_ranges(class: &Class) -> Vec<Range<usize>> {
    const BATCHES: usize = 1024;
    let len = class.sets.len().div_ceil(BATCHES).max(1);
    (0..class.sets.len()).step_by(len).map(|s| s..(s + len).min(class.sets.len())).collect()
}

/// The largest pattern that is built: the arrangements of one more tile are not counted in 32 bits.
const TILES_MAX: usize = 12;

/// Searches the whole pattern space.
///
/// # Errors
/// [`GenError::Index`] when the pattern is too large, [`GenError::Interrupted`] when cancelled.
pub(crate) fn search(
    key: &PatternKey,
    thread_count: usize,
    monitor: &Monitor<'_>,
) -> Result<Levels, GenError> {
    if key.tile_count() > TILES_MAX {
        return Err(GenError::TooManyTiles { found: key.tile_count(), max: TILES_MAX });
    }
    let graph = BlockGraph::new(key)?;
    let layout = BlockLayout::new(key.tile_count());
    let words = layout.word_count;
    let mut record = Record::new(key, &graph, &layout)?;
    let slot_counts = graph.classes.each_ref().map(|class| class.slot_count);
    let mut bits = zeroed(slot_counts, &layout)?;
    // After the large arrays, which fail cleanly where memory is short.
    let rotations = Rotations::new(key.tile_count(), key.shape.cols() - 1);
    let mut ones = slot_counts.map(|count| vec![0u32; count]);
    let mut reached = ones.clone();
    let ranges = graph.classes.each_ref().map(set_ranges);
    let total = graph.index.entry_count() / if key.is_half_reachable() { 2 } else { 1 };

    // Step 1.
    let goal_record = match key.mode {
        BlankMode::Aware | BlankMode::Plain => graph.goal_slot,
        BlankMode::Collapsed => graph.places[graph.index.set_rank(key.homes)].set,
    };
    bits[0][graph.goal_slot * words] = 1;
    ones[0][graph.goal_slot] = 1;
    reached[0][graph.goal_slot] = 1;
    if let Some(visited) = &mut record.visited {
        visited[0][goal_record * words] = 1;
    }
    let mut histogram = vec![1];
    let mut done = 1;

    for level in 1.. {
        if level >= COST_LIMIT {
            return Err(GenError::TooManyLevels { levels_max: COST_LIMIT });
        }
        let parity = (level % 2) as usize;
        let class = &graph.classes[parity];
        let [bits_even, bits_odd] = &mut bits;
        let [ones_even, ones_odd] = &mut ones;
        let ((mut bits_rest, source_bits), (mut ones_rest, source_ones)) = if parity == 0 {
            ((&mut bits_even[..], &*bits_odd), (&mut ones_even[..], &*ones_odd))
        } else {
            ((&mut bits_odd[..], &*bits_even), (&mut ones_odd[..], &*ones_even))
        };
        let mut reached_rest = &mut reached[parity][..];
        let mut visited_rest = record.visited.as_mut().map(|v| &mut v[parity][..]);
        let level_planes = record.planes.iter_mut().enumerate();
        let mut planes_rest: Vec<&mut [u64]> = level_planes
            .filter(|(i, _)| level >> (i + 1) & 1 == 1)
            .map(|(_, plane)| &mut plane[parity][..])
            .collect();
        let queue = SegQueue::new();
        // The ranges of sets cover a class, so what is cut off for one of them is always there.
        for sets in &ranges[parity] {
            let slots = class.slots(sets);
            let blocks = match key.mode {
                BlankMode::Aware | BlankMode::Plain => slots.len(),
                BlankMode::Collapsed => sets.len(),
            };
            queue.push(Batch {
                bits: cut(bits_rest.split_off_mut(..slots.len() * words)),
                ones: cut(ones_rest.split_off_mut(..slots.len())),
                reached: cut(reached_rest.split_off_mut(..slots.len())),
                visited: visited_rest
                    .as_mut()
                    .map(|rest| cut(rest.split_off_mut(..blocks * words))),
                planes: planes_rest
                    .iter_mut()
                    .map(|rest| cut(rest.split_off_mut(..blocks * words)))
                    .collect(),
                sets: sets.clone(),
                slots,
            });
        }
        let shared = Shared {
            class,
            rotations: &rotations,
            mode: key.mode,
            block_len: graph.index.block_len(),
            source_bits,
            source_ones,
        };
        let tally = run_level(&shared, &queue, thread_count, monitor);
        if monitor.is_cancelled() {
            return Err(GenError::Interrupted);
        }
        if tally.states == 0 {
            break;
        }
        // A level may reach no new entry of a blank-collapsed table and yet new states.
        histogram.push(tally.entries);
        done += tally.states;
        monitor.event(Event::Level { level, done, total });
    }
    while histogram.last() == Some(&0) {
        histogram.pop();
    }
    Ok(Levels { graph, layout, record, histogram })
}

fn run_level(
    shared: &Shared<'_>,
    queue: &SegQueue<Batch<'_>>,
    thread_count: usize,
    monitor: &Monitor<'_>,
) -> Tally {
    let work = || {
        let layout = shared.rotations.layout();
        let mut scratch = Scratch {
            block: vec![0; layout.word_count],
            union: vec![0; layout.word_count],
            rotation: RotationScratch::new(layout),
        };
        let mut tally = Tally::default();
        while let Some(mut batch) = queue.pop() {
            if monitor.is_cancelled() {
                break;
            }
            // Compiled once for each kind of vector registers, chosen by the processor at hand.
            let part = pulp::Arch::new().dispatch(
                #[inline(always)]
                || shared.advance(&mut batch, &mut scratch),
            );
            tally.states += part.states;
            tally.entries += part.entries;
        }
        tally
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..thread_count).map(|_| scope.spawn(work)).collect();
        others.into_iter().fold(work(), |sum, other| {
            let part = other.join().expect("a searching thread does not panic");
            Tally { states: sum.states + part.states, entries: sum.entries + part.entries }
        })
    })
}
