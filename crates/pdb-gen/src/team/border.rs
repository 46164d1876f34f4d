//! Border of a share: the blocks that moves connect to blocks of other ranks.

use std::mem;
use std::sync::Mutex;

use crossbeam::queue::SegQueue;

use super::messages;
use super::ranks::Team;
use super::shares::TeamContext;
use crate::search::{
    BlockBatch, BorderObserver, SearchSpace, SearchState, SetRange, SourceBlocks, batch_sets, parts,
};
use crate::threads::lock;

/// Approximate size of a message with blocks, in bytes.
pub(super) const MESSAGE_BYTES: usize = 1 << 19;

/// The ranks that need each block of a share. Moves go both ways, so these are the ranks whose
/// blocks the share needs.
#[derive(Debug)]
pub(super) struct Border {
    /// The ranks with which this one exchanges blocks.
    pub(super) neighbours: Vec<usize>,
    /// Start of the readers of each slot of the share.
    first: [Vec<u32>; 2],
    /// Readers, as indices of `neighbours`.
    readers: [Vec<u16>; 2],
    /// All sets of the share, in their order.
    pub(super) ranges: [Vec<SetRange>; 2],
}

impl Border {
    pub(super) fn new(context: &TeamContext<'_>) -> Self {
        let TeamContext { team, space, shares, .. } = *context;
        let (rank, owners) = (team.rank(), shares.owners(space));
        let mut this = Self {
            neighbours: Vec::new(),
            first: [vec![0], vec![0]],
            readers: Default::default(),
            ranges: Default::default(),
        };
        for (number, sets) in context.share().sets.iter().enumerate() {
            let class = &space.graph.classes[number];
            let mut is_border = Vec::new();
            for set in &class.sets[sets.clone()] {
                let before = this.readers[number].len();
                for slot in set.first_slot..set.first_slot + set.block_count {
                    let sources = class.pulls(slot).iter().map(|pull| pull.source as usize);
                    let mut ranks: Vec<u16> =
                        sources.map(|source| owners[1 - number][source]).collect();
                    ranks.sort_unstable();
                    ranks.dedup();
                    ranks.retain(|&other| usize::from(other) != rank);
                    this.readers[number].extend(ranks);
                    this.first[number].push(this.readers[number].len() as u32);
                }
                is_border.push(this.readers[number].len() > before);
            }
            let most = batch_sets(space, number, sets.len());
            let mut start = sets.start;
            for run in is_border.chunk_by(|a, b| a == b) {
                let run_sets = start..start + run.len();
                start = run_sets.end;
                let ranges = parts(run_sets, most).map(|sets| SetRange { sets, is_border: run[0] });
                this.ranges[number].extend(ranges);
            }
        }
        let mut ranks: Vec<u16> = this.readers.iter().flatten().copied().collect();
        ranks.sort_unstable();
        ranks.dedup();
        for reader in this.readers.iter_mut().flatten() {
            *reader = ranks.binary_search(reader).expect("all are there") as u16;
        }
        this.neighbours = ranks.into_iter().map(usize::from).collect();
        this
    }
}

/// Buffers of messages that were read, for reuse: allocating memory costs as much as a copy.
pub(super) type SpareBuffers = SegQueue<Vec<u8>>;

/// Sender of border blocks.
pub(super) struct BorderSender<'a> {
    team: &'a dyn Team,
    border: &'a Border,
    class: usize,
    level: u32,
    /// The first slot of the share.
    start: usize,
    /// The message to each neighbour that is being filled.
    messages: Vec<Mutex<Vec<u8>>>,
    spare: &'a SpareBuffers,
}

impl<'a> BorderSender<'a> {
    pub(super) fn new(
        team: &'a dyn Team,
        border: &'a Border,
        spare: &'a SpareBuffers,
        state: &SearchState,
        level: u32,
    ) -> Self {
        let class = (level % 2) as usize;
        let messages = border.neighbours.iter().map(|_| Mutex::default()).collect();
        Self { team, border, class, level, start: state.slots[class].start, messages, spare }
    }

    /// Adds a block to the messages to its readers, and sends those that are full.
    pub(super) fn add(&self, slot: usize, ones: u32, block: &[u64]) {
        let first = &self.border.first[self.class][slot - self.start..];
        let readers = &self.border.readers[self.class][first[0] as usize..first[1] as usize];
        for &reader in readers {
            let mut message = lock(&self.messages[usize::from(reader)]);
            if message.is_empty() {
                *message = self.spare.pop().unwrap_or_default();
                message.clear();
                message.reserve(MESSAGE_BYTES + size_of_val(block) + 64);
                message.extend(messages::head(messages::BLOCKS, false, self.level));
            }
            message.extend((slot as u32).to_le_bytes());
            message.extend(ones.to_le_bytes());
            if is_sparse(ones, block.len()) {
                put_sparse(&mut message, block);
            } else {
                message.extend_from_slice(bytemuck::cast_slice(block));
            }
            if message.len() >= MESSAGE_BYTES {
                let message = mem::take(&mut *message);
                self.team.send(self.border.neighbours[usize::from(reader)], message);
            }
        }
    }
}

impl BorderObserver for BorderSender<'_> {
    fn batch_done(&self, batch: &BlockBatch<'_>, first_slot: usize) {
        let words = batch.bits.len() / batch.ones.len();
        let blocks = batch.bits.chunks_exact(words).zip(&*batch.ones);
        for (nth, (block, &ones)) in blocks.enumerate().filter(|(_, (_, ones))| **ones > 0) {
            self.add(first_slot + nth, ones, block);
        }
    }

    fn border_done(&self) {
        for (message, &to) in self.messages.iter().zip(&self.border.neighbours) {
            let mut message = mem::take(&mut *lock(message));
            let head = messages::head(messages::BLOCKS, true, self.level);
            if message.is_empty() {
                message.reserve(64);
                message.extend(head);
            } else {
                message[..head.len()].copy_from_slice(&head);
            }
            self.team.send(to, message);
        }
    }
}

/// Number of words that a mask describes.
const MASKED: usize = u64::BITS as usize;

/// Returns whether a block with some states is sent without its zero words, which are most of it.
fn is_sparse(ones: u32, words: usize) -> bool {
    (ones as usize) < words
}

/// Appends a block: masks of its nonzero words, and these words.
fn put_sparse(message: &mut Vec<u8>, block: &[u64]) {
    let start = message.len();
    message.resize(start + size_of::<u64>() * block.len().div_ceil(MASKED), 0);
    for (nth, words) in block.chunks(MASKED).enumerate() {
        let mut mask = 0u64;
        for (bit, word) in words.iter().enumerate().filter(|(_, word)| **word != 0) {
            mask |= 1 << bit;
            message.extend(word.to_ne_bytes());
        }
        message[start + size_of::<u64>() * nth..][..size_of::<u64>()]
            .copy_from_slice(&mask.to_le_bytes());
    }
}

/// Reads the masks and words of a block into zeroed words, and returns the words after them; `None`
/// if they are malformed.
fn take_sparse<'a>(words: &'a [[u8; 8]], block: &mut [u64]) -> Option<&'a [[u8; 8]]> {
    let (masks, mut rest) = words.split_at_checked(block.len().div_ceil(MASKED))?;
    for (&mask, words) in masks.iter().zip(block.chunks_mut(MASKED)) {
        let mut mask = u64::from_le_bytes(mask);
        while mask != 0 {
            let (&word, others) = rest.split_first()?;
            *words.get_mut(mask.trailing_zeros() as usize)? = bytemuck::cast(word);
            mask &= mask - 1;
            rest = others;
        }
    }
    Some(rest)
}

/// The last level of the neighbours' borders.
#[derive(Debug)]
pub(super) struct NeighbourBlocks {
    words: usize,
    /// The blocks with states, in the order of their arrival.
    blocks: Vec<u64>,
    /// Number of each slot's block, if it has states.
    places: Vec<u32>,
}

impl SourceBlocks for NeighbourBlocks {
    fn block(&self, slot: usize) -> &[u64] {
        &self.blocks[self.places[slot] as usize * self.words..][..self.words]
    }
}

impl NeighbourBlocks {
    pub(super) fn new(space: &SearchSpace) -> Self {
        let slots = space.graph.classes.iter().map(|class| class.slot_count).max().unwrap_or(0);
        Self { words: space.words(), blocks: Vec::new(), places: vec![0; slots] }
    }

    /// Drops all blocks, and keeps their memory.
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
    }

    /// Takes the blocks of a message, and calls `note` with the slot and the count of each. Returns
    /// `None` if the message is malformed, or `note` refuses a slot.
    pub(super) fn take(
        &mut self,
        message: &[u8],
        mut note: impl FnMut(usize, u32) -> bool,
    ) -> Option<()> {
        let mut words = messages::words(message)?;
        while let Some((&head, rest)) = words.split_first() {
            let head = u64::from_le_bytes(head);
            let (slot, ones) = ((head as u32) as usize, (head >> 32) as u32);
            if slot >= self.places.len() || ones == 0 || !note(slot, ones) {
                return None;
            }
            let start = self.blocks.len();
            self.places[slot] = (start / self.words) as u32;
            if is_sparse(ones, self.words) {
                self.blocks.resize(start + self.words, 0);
                words = take_sparse(rest, &mut self.blocks[start..])?;
            } else {
                let block;
                (block, words) = rest.split_at_checked(self.words)?;
                self.blocks.extend(block.iter().copied().map(bytemuck::cast::<_, u64>));
            }
        }
        Some(())
    }
}
