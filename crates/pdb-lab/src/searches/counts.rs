//! Transposition table of the search for all solutions: the number of solutions from a board.
//!
//! It is a cache of bounded size. It grows up to its limit; then entries of larger subtrees replace
//! those of smaller ones. A lost entry costs time but not exactness, because its solutions are
//! counted again.

use std::cmp::Ordering;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use pdb_core::{Board, Direction, Shape};

use super::store::{Packed, packed};

/// Number of consecutive places in which an entry may be.
const BUCKET: usize = 4;
/// Number of entries of a new table, if its limit allows.
const ENTRIES_FIRST: usize = 1 << 10;

/// The part of a key without the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountKey {
    /// The number of moves to the goal; not 0.
    pub(crate) left: u16,
    /// The last move, if the count depends on it.
    pub(crate) last: Option<Direction>,
}

/// The counts of boards of any shape.
pub(crate) trait Counts {
    /// Returns the number of solutions from a board, if it is known.
    fn get(&self, board: &Board, rest: CountKey) -> Option<u128>;

    /// Stores the number of solutions from a board.
    fn put(&mut self, board: &Board, rest: CountKey, count: u128);

    /// Returns the peak size of the table, in bytes.
    fn peak_bytes(&self) -> u64;
}

/// Makes a table for boards of a shape with at most `limit` bytes.
///
/// With `is_shortest`, only the shortest solutions of each board are counted. Then a board has one
/// entry, for the largest number of remaining moves, because with fewer moves it has no solution.
pub(crate) fn counts(shape: Shape, limit: u64, is_shortest: bool) -> Box<dyn Counts> {
    packed!(shape, P => Box::new(CountTable::<P>::new(limit, is_shortest)))
}

/// A board that was met; `rest.left` is 0 in an empty place.
#[derive(Clone, Copy)]
struct BoardEntry<P> {
    board: P,
    /// The halves, the lower one first: a 128-bit number would have to be aligned.
    count: [u64; 2],
    rest: CountKey,
}

struct CountTable<P> {
    /// Empty, or a power of two and at least [`BUCKET`] entries.
    entries: Vec<BoardEntry<P>>,
    used: usize,
    limit: u64,
    peak_bytes: u64,
    is_shortest: bool,
    hasher: FixedState,
}

impl<P: Packed + Default> CountTable<P> {
    const ENTRY_BYTES: u64 = size_of::<BoardEntry<P>>() as u64;

    fn new(limit: u64, is_shortest: bool) -> Self {
        let mut table = Self {
            entries: Vec::new(),
            used: 0,
            limit,
            peak_bytes: 0,
            is_shortest,
            hasher: FixedState::default(),
        };
        let room = (limit / Self::ENTRY_BYTES) as usize;
        // The largest power of two within the limit.
        let count = ENTRIES_FIRST.min((room + 1).next_power_of_two() / 2);
        if count >= BUCKET {
            table.entries = Self::empty(count);
            table.peak_bytes = count as u64 * Self::ENTRY_BYTES;
        }
        table
    }

    fn empty(count: usize) -> Vec<BoardEntry<P>> {
        let rest = CountKey { left: 0, last: None };
        vec![BoardEntry { board: P::default(), count: [0; 2], rest }; count]
    }

    /// Returns the first place of a board's entries.
    fn bucket(&self, board: P, CountKey { left, last }: CountKey) -> usize {
        let left = if self.is_shortest { 0 } else { left };
        let hash = self.hasher.hash_one((board, left, last.map(|last| last as u8)));
        hash as usize & (self.entries.len() - 1) & !(BUCKET - 1)
    }

    /// Returns whether one entry replaces the other.
    fn is_same(&self, a: &BoardEntry<P>, b: &BoardEntry<P>) -> bool {
        let is_same_left = self.is_shortest || a.rest.left == b.rest.left;
        a.board == b.board && a.rest.last == b.rest.last && is_same_left
    }

    /// Doubles the table, if old and new together stay within the limit.
    fn grow(&mut self) {
        let bytes = 3 * self.entries.len() as u64 * Self::ENTRY_BYTES;
        if bytes > self.limit {
            return;
        }
        self.peak_bytes = bytes;
        let larger = Self::empty(2 * self.entries.len());
        let entries = std::mem::replace(&mut self.entries, larger);
        self.used = 0;
        for entry in entries {
            if entry.rest.left > 0 {
                self.insert(entry);
            }
        }
    }

    fn insert(&mut self, entry: BoardEntry<P>) {
        let first = self.bucket(entry.board, entry.rest);
        let bucket = &self.entries[first..first + BUCKET];
        let is_free = |other: &BoardEntry<P>| other.rest.left == 0 || self.is_same(other, &entry);
        let place = bucket.iter().position(is_free).unwrap_or_else(|| {
            // The smallest subtree is the quickest to count again.
            let lefts = bucket.iter().enumerate().map(|(i, other)| (other.rest.left, i));
            lefts.min().map_or(0, |(_, i)| i)
        });
        self.used += usize::from(bucket[place].rest.left == 0);
        self.entries[first + place] = entry;
    }
}

impl<P: Packed + Default> Counts for CountTable<P> {
    fn get(&self, board: &Board, rest: CountKey) -> Option<u128> {
        if self.entries.is_empty() {
            return None;
        }
        let wanted = BoardEntry { board: P::pack(board), count: [0; 2], rest };
        let first = self.bucket(wanted.board, rest);
        let bucket = &self.entries[first..first + BUCKET];
        let found =
            bucket.iter().find(|entry| entry.rest.left > 0 && self.is_same(entry, &wanted))?;
        match found.rest.left.cmp(&rest.left) {
            Ordering::Equal => {
                let [low, high] = found.count.map(u128::from);
                Some(high << 64 | low)
            }
            // Its shortest solutions have more moves.
            Ordering::Greater => Some(0),
            Ordering::Less => None,
        }
    }

    fn put(&mut self, board: &Board, rest: CountKey, count: u128) {
        if self.entries.is_empty() {
            return;
        }
        if 2 * self.used >= self.entries.len() {
            self.grow();
        }
        let count = [count as u64, (count >> 64) as u64];
        self.insert(BoardEntry { board: P::pack(board), count, rest });
    }

    fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }
}
