//! Border of a share: the blocks that moves connect to blocks of other ranks.

use std::mem;
use std::sync::Mutex;

use crossbeam::queue::SegQueue;

use super::messages::{self, WordMessage};
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
/// Place of a block in [`NeighbourBlocks::expanded`].
const EXPANDED: u32 = u32::MAX;

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

/// Reads the masks and words of a block into zeroed words, and returns the number of words that
/// were read; `None` if they are malformed.
fn take_sparse(message: &[u64], block: &mut [u64]) -> Option<usize> {
    let (masks, mut rest) = message.split_at_checked(block.len().div_ceil(MASKED))?;
    for (&mask, words) in masks.iter().zip(block.chunks_mut(MASKED)) {
        let mut mask = mask.to_le();
        while mask != 0 {
            let (&word, others) = rest.split_first()?;
            *words.get_mut(mask.trailing_zeros() as usize)? = word;
            mask &= mask - 1;
            rest = others;
        }
    }
    Some(message.len() - rest.len())
}

/// The last level of the neighbours' borders, in the messages that contained it.
#[derive(Debug)]
pub(super) struct NeighbourBlocks {
    words: usize,
    messages: Vec<WordMessage>,
    /// The blocks that were sent without zero words.
    expanded: Vec<u64>,
    /// Position of each slot's block, if it has states: a message and a word in it, or
    /// [`EXPANDED`] and a number there.
    places: Vec<(u32, u32)>,
}

impl SourceBlocks for NeighbourBlocks {
    fn block(&self, slot: usize) -> &[u64] {
        let (message, at) = self.places[slot];
        if message == EXPANDED {
            return &self.expanded[at as usize * self.words..][..self.words];
        }
        &self.messages[message as usize].words()[at as usize..][..self.words]
    }
}

impl NeighbourBlocks {
    pub(super) fn new(space: &SearchSpace) -> Self {
        let slots = space.graph.classes.iter().map(|class| class.slot_count).max().unwrap_or(0);
        let (messages, expanded) = (Vec::new(), Vec::new());
        Self { words: space.words(), messages, expanded, places: vec![(0, 0); slots] }
    }

    /// Drops all blocks, and keeps the memory of large messages.
    pub(super) fn clear(&mut self, spare: &SpareBuffers) {
        self.expanded.clear();
        for message in self.messages.drain(..) {
            let bytes = message.into_bytes();
            if bytes.len() >= MESSAGE_BYTES {
                spare.push(bytes);
            }
        }
    }

    /// Takes the blocks of a message, and calls `note` with the slot and the count of each. Returns
    /// `None` if the message is malformed, or `note` refuses a slot.
    pub(super) fn take(
        &mut self,
        message: Vec<u8>,
        mut note: impl FnMut(usize, u32) -> bool,
    ) -> Option<()> {
        let message = WordMessage::new(message)?;
        let number = self.messages.len() as u32;
        let words = message.words();
        let mut at = 1;
        while at < words.len() {
            let head = words[at].to_le();
            let (slot, ones) = ((head as u32) as usize, (head >> 32) as u32);
            at += 1;
            if slot >= self.places.len() || ones == 0 || !note(slot, ones) {
                return None;
            }
            if is_sparse(ones, self.words) {
                let start = self.expanded.len();
                self.expanded.resize(start + self.words, 0);
                at += take_sparse(&words[at..], &mut self.expanded[start..])?;
                self.places[slot] = (EXPANDED, (start / self.words) as u32);
            } else {
                self.places[slot] = (number, at as u32);
                at += self.words;
            }
        }
        if at > words.len() {
            return None;
        }
        self.messages.push(message);
        Some(())
    }
}
