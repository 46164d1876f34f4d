//! Data structures of searches that keep boards: the boards, their order, and the memory of both.
//!
//! 1. A board is [`Packed`] into as few bits as its shape allows.
//! 2. A [`Store`] keeps each board once, with its [`Arrival`] and its memo. A hash table of 32-bit
//!    numbers finds a board's entry.
//! 3. An [`OpenList`] contains the numbers of entries to expand, by key.
//! 4. A [`Side`] is a store and a heuristic: it generates the children of an entry.
//! 5. A [`StoreAccount`] must grant nodes and memory before any of these grows, and makes the
//!    outcome.
//!
//! Entries and open lists grow by chunks that never move; only the hash table is copied when it
//! grows. Nothing depends on the order of boards in the hash table, so neither answers nor counts
//! do.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;
use std::slice;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use pdb_core::{
    BLANK, Board, CELLS_MAX, Cell, Direction, Estimator, Expansion, Goal, Memo, Metric, Shape,
    Slide,
};

use pdb_search::checks::answer;
use pdb_search::limits::Meter;
use pdb_search::{LimitKind, Options, Outcome, SearchError, Status};

/// Largest size of a chunk, in bytes.
const CHUNK_BYTES: usize = 1 << 16;
/// Number that stands for no entry or block.
const NONE: u32 = u32::MAX;
/// Size of a bucket of an open list without its blocks, in bytes: its share of a node of the map.
const BUCKET_BYTES: u64 = 64;

/// The tiles of a board in few bits.
pub(crate) trait Packed: Copy + Eq + Hash + Send + Sync {
    fn pack(board: &Board) -> Self;

    fn tile(self, cell: Cell) -> u8;

    /// Returns the board with the tile at `from` moved to `to`, where the blank was.
    #[must_use]
    fn slid(self, from: Cell, to: Cell) -> Self;

    fn unpack(self, shape: Shape) -> Board {
        let mut tiles = [BLANK; CELLS_MAX];
        let tiles = &mut tiles[..shape.cell_count()];
        (0..).zip(&mut *tiles).for_each(|(cell, tile)| *tile = self.tile(cell));
        Board::new(shape, tiles).expect("what was packed is a board")
    }
}

/// Evaluates an expression with the type that packs boards of a shape. Each type is one more form
/// of the searches to compile, so there is one for all boards of more than 25 cells.
macro_rules! packed {
    ($shape:expr, $board:ident => $search:expr) => {
        match $shape.cell_count() {
            ..=16 => {
                type $board = u64;
                $search
            }
            17..=25 => {
                type $board = u128;
                $search
            }
            _ => {
                type $board = [u64; 7];
                $search
            }
        }
    };
}
pub(crate) use packed;

/// Packs boards into a word, with some bits for each cell.
macro_rules! packed_in {
    ($word:ty, $bits:literal) => {
        impl Packed for $word {
            fn pack(board: &Board) -> Self {
                board.tiles().iter().rev().fold(0, |word, &tile| word << $bits | Self::from(tile))
            }

            #[inline(always)]
            fn tile(self, cell: Cell) -> u8 {
                (self >> ($bits * cell) & ((1 << $bits) - 1)) as u8
            }

            #[inline(always)]
            fn slid(self, from: Cell, to: Cell) -> Self {
                let tile = Self::from(self.tile(from));
                self ^ tile << ($bits * from) ^ tile << ($bits * to)
            }
        }
    };
}

// For up to 16 cells, and for up to 25.
packed_in!(u64, 4);
packed_in!(u128, 5);

/// Six bits per cell, ten cells per word.
impl Packed for [u64; 7] {
    fn pack(board: &Board) -> Self {
        let mut words = [0; 7];
        for (word, tiles) in words.iter_mut().zip(board.tiles().chunks(10)) {
            *word = tiles.iter().rev().fold(0, |word, &tile| word << 6 | u64::from(tile));
        }
        words
    }

    #[inline(always)]
    fn tile(self, cell: Cell) -> u8 {
        (self[usize::from(cell / 10)] >> (6 * (cell % 10)) & 63) as u8
    }

    #[inline(always)]
    fn slid(mut self, from: Cell, to: Cell) -> Self {
        let tile = u64::from(self.tile(from));
        for cell in [from, to] {
            self[usize::from(cell / 10)] ^= tile << (6 * (cell % 10));
        }
        self
    }
}

/// Account of a search: its goal and board, the nodes that it has generated and the memory that it
/// uses, with their limits.
#[derive(Debug)]
pub(crate) struct StoreAccount<'a> {
    pub(crate) goal: &'a Goal,
    pub(crate) board: &'a Board,
    pub(crate) meter: Meter<'a>,
    /// Limit of the memory, the memory in use and its peak, in bytes.
    limit: u64,
    used: u64,
    peak: u64,
}

impl<'a> StoreAccount<'a> {
    pub(crate) fn new(
        goal: &'a Goal,
        board: &'a Board,
        meter: Meter<'a>,
        options: &Options<'_>,
    ) -> Self {
        let limit = options.limits.memory.unwrap_or(u64::MAX);
        Self { goal, board, meter, limit, used: 0, peak: 0 }
    }

    /// Returns the parity of the lengths of all solutions.
    pub(crate) fn parity(&self) -> u32 {
        self.goal.manhattan_distance(self.board) % 2
    }

    /// Makes the outcome of a search that found these moves or reached a limit, and has proved that
    /// every solution has at least `bound` moves. `sides` are its stores.
    pub(crate) fn outcome<P: Packed>(
        &self,
        found: Result<Vec<Direction>, LimitKind>,
        bound: u32,
        initial_estimate: Option<u32>,
        sides: &[&Side<'_, P>],
    ) -> Result<Outcome, SearchError> {
        let is_admissible = sides.iter().all(|side| side.heuristic.is_admissible());
        let status = match found {
            Ok(moves) => {
                answer(Metric::SingleTile, self.goal, self.board, moves, bound, is_admissible)?
            }
            Err(kind) => Status::Limit { kind, lower_bound: bound },
        };
        Ok(Outcome {
            initial_estimate,
            generated: self.meter.generated(),
            expanded: sides.iter().map(|side| side.expanded).sum(),
            lookups: sides.iter().map(|side| side.lookups()).sum(),
            memory_bytes: self.peak,
            ..Outcome::of(status, self.meter.elapsed())
        })
    }

    /// Reserves bytes before they are allocated.
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), LimitKind> {
        let used = self.used.saturating_add(bytes);
        if used > self.limit {
            return Err(LimitKind::Memory);
        }
        self.used = used;
        self.peak = self.peak.max(used);
        Ok(())
    }

    /// Returns memory to the account after it was freed.
    fn give(&mut self, bytes: u64) {
        self.used -= bytes;
    }
}

/// A vector that never moves its items.
struct Chunks<T> {
    chunks: Vec<Vec<T>>,
}

impl<T> Chunks<T> {
    /// Binary logarithm of a chunk's number of items.
    const SHIFT: u32 = (CHUNK_BYTES / size_of::<T>()).ilog2();
    const LEN: usize = 1 << Self::SHIFT;
    /// Size of the items, and of their chunk's places in the list of chunks: the old and the new
    /// list together have at most three places per chunk.
    const BYTES: u64 = (Self::LEN * size_of::<T>() + 3 * size_of::<Vec<T>>()) as u64;

    fn new() -> Self {
        Self { chunks: Vec::new() }
    }

    fn len(&self) -> usize {
        match self.chunks.last() {
            Some(last) => (self.chunks.len() - 1) * Self::LEN + last.len(),
            None => 0,
        }
    }

    fn push(&mut self, account: &mut StoreAccount<'_>, item: T) -> Result<u32, LimitKind> {
        let index = self.len();
        if index >= NONE as usize {
            return Err(LimitKind::Memory);
        }
        if index & (Self::LEN - 1) == 0 {
            account.take(Self::BYTES)?;
            self.chunks.push(Vec::with_capacity(Self::LEN));
        }
        self.chunks.last_mut().expect("there is a chunk with room").push(item);
        Ok(index as u32)
    }

    #[inline(always)]
    fn get(&self, index: u32) -> &T {
        &self.chunks[(index >> Self::SHIFT) as usize][index as usize & (Self::LEN - 1)]
    }

    #[inline(always)]
    fn get_mut(&mut self, index: u32) -> &mut T {
        &mut self.chunks[(index >> Self::SHIFT) as usize][index as usize & (Self::LEN - 1)]
    }
}

/// Way in which a board was reached: the number of moves, the last move, and whether the board is
/// open, which means that it waits to be expanded. Four bits for the latter two leave 28 for the
/// moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival(u32);

impl Arrival {
    const OPEN: u32 = 8;
    const NO_MOVE: u32 = 4;
    const MOVES_MAX: u32 = u32::MAX >> 4;

    /// Returns the arrival at the board at which a search begins.
    pub(crate) fn root() -> Self {
        Self(Self::OPEN | Self::NO_MOVE)
    }

    /// Returns the arrival at an open board.
    pub(crate) fn new(moves: u32, last: Direction) -> Self {
        Self(moves << 4 | Self::OPEN | last as u32)
    }

    #[inline(always)]
    pub(crate) fn moves(self) -> u32 {
        self.0 >> 4
    }

    #[inline(always)]
    pub(crate) fn is_open(self) -> bool {
        self.0 & Self::OPEN != 0
    }

    pub(crate) fn last(self) -> Option<Direction> {
        Direction::ALL.get((self.0 & 7) as usize).copied()
    }
}

/// A board with its arrival and its estimate.
///
/// Aligned to two bytes, so that there is no padding.
#[derive(Clone, Copy)]
#[repr(C, packed(2))]
struct NodeEntry<P> {
    board: P,
    arrival: Arrival,
    /// A larger estimate, which only a damaged table gives, is stored as the largest possible one.
    estimate: u16,
}

/// The notes of all entries, in their order: as many for each as the heuristic needs.
struct Notes {
    width: usize,
    /// Binary logarithm of the number of entries whose notes are in one chunk.
    shift: u32,
    chunks: Vec<Vec<i16>>,
}

impl Notes {
    fn new(width: usize) -> Self {
        let shift = (CHUNK_BYTES / size_of::<i16>() / width.max(1)).ilog2();
        Self { width, shift, chunks: Vec::new() }
    }

    /// Returns the number of an entry's chunk, and the range of its notes there.
    #[inline(always)]
    fn place(&self, index: u32) -> (usize, Range<usize>) {
        let first = (index as usize & ((1 << self.shift) - 1)) * self.width;
        ((index >> self.shift) as usize, first..first + self.width)
    }

    #[inline(always)]
    fn get(&self, index: u32) -> &[i16] {
        if self.width == 0 {
            return &[];
        }
        let (chunk, range) = self.place(index);
        &self.chunks[chunk][range]
    }

    /// Stores the notes of the next entry, or of an earlier one.
    fn set(
        &mut self,
        account: &mut StoreAccount<'_>,
        index: u32,
        notes: &[i16],
    ) -> Result<(), LimitKind> {
        if self.width == 0 {
            return Ok(());
        }
        let (chunk, range) = self.place(index);
        if chunk == self.chunks.len() {
            let len = self.width << self.shift;
            account.take((len * size_of::<i16>() + 3 * size_of::<Vec<i16>>()) as u64)?;
            self.chunks.push(vec![0; len]);
        }
        self.chunks[chunk][range].copy_from_slice(&notes[..self.width]);
        Ok(())
    }
}

/// Boards, each once.
pub(crate) struct Store<P> {
    entries: Chunks<NodeEntry<P>>,
    notes: Notes,
    numbers: HashTable<u32>,
}

impl<P: Packed> Store<P> {
    /// Makes a store for memos with `note_count` notes.
    fn new(note_count: usize) -> Self {
        Self { entries: Chunks::new(), notes: Notes::new(note_count), numbers: HashTable::new() }
    }

    /// Returns the hash of a board, which is the same in every store and every run.
    #[inline(always)]
    fn hash(board: &P) -> u64 {
        FixedState::with_seed(0).hash_one(board)
    }

    /// Returns the number of boards, which are numbered in the order in which they were added.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the entry of a board with this hash.
    #[inline(always)]
    pub(crate) fn find(&self, board: P, hash: u64) -> Option<u32> {
        let is_it = |&index: &u32| { self.entries.get(index).board } == board;
        self.numbers.find(hash, is_it).copied()
    }

    #[inline(always)]
    pub(crate) fn arrival(&self, index: u32) -> Arrival {
        self.entries.get(index).arrival
    }

    #[inline(always)]
    pub(crate) fn estimate(&self, index: u32) -> u32 {
        self.entries.get(index).estimate.into()
    }

    fn memo(&self, index: u32) -> Memo {
        Memo::new(self.estimate(index), self.notes.get(index))
    }

    pub(crate) fn set_memo(
        &mut self,
        account: &mut StoreAccount<'_>,
        index: u32,
        memo: &Memo,
    ) -> Result<(), LimitKind> {
        self.entries.get_mut(index).estimate = kept(memo.estimate);
        self.notes.set(account, index, &memo.notes)
    }

    pub(crate) fn set_arrival(&mut self, index: u32, arrival: Arrival) {
        self.entries.get_mut(index).arrival = arrival;
    }

    /// Marks an entry as expanded.
    pub(crate) fn close(&mut self, index: u32) {
        self.entries.get_mut(index).arrival.0 &= !Arrival::OPEN;
    }

    /// Adds a board, which must be new, with its hash.
    pub(crate) fn insert(
        &mut self,
        account: &mut StoreAccount<'_>,
        (board, hash): (P, u64),
        arrival: Arrival,
        memo: &Memo,
    ) -> Result<u32, LimitKind> {
        // A path of this length has as many boards, whose numbers run out at about the same time.
        if arrival.moves() >= Arrival::MOVES_MAX {
            return Err(LimitKind::Memory);
        }
        if self.numbers.len() == self.numbers.capacity() {
            self.grow(account)?;
        }
        let entry = NodeEntry { board, arrival, estimate: kept(memo.estimate) };
        let index = self.entries.push(account, entry)?;
        self.notes.set(account, index, &memo.notes)?;
        self.numbers.insert_unique(hash, index, |_| unreachable!("there is room for one more"));
        Ok(index)
    }

    /// Makes a hash table of twice the size from the entries in their own order, which is several
    /// times faster than the order of the old table. Meanwhile both take memory.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, account: &mut StoreAccount<'_>) -> Result<(), LimitKind> {
        let (before, buckets) = (self.numbers.allocation_size(), self.numbers.num_buckets());
        // One number and one control byte per bucket, and the control bytes of one more group.
        let after = (2 * buckets).max(8) * (size_of::<u32>() + 1) + 32;
        account.take(after as u64)?;
        let mut numbers = HashTable::with_capacity(self.numbers.capacity() + 1);
        for index in 0..self.entries.len() as u32 {
            account.meter.work()?;
            let hash = Self::hash(&{ self.entries.get(index).board });
            numbers.insert_unique(hash, index, |_| unreachable!("there is room for all"));
        }
        self.numbers = numbers;
        let exact = self.numbers.allocation_size();
        debug_assert!(exact <= after, "{exact} bytes for a hash table instead of {after}");
        account.give((before + after.saturating_sub(exact)) as u64);
        Ok(())
    }

    /// Returns the moves from the first board of the search to an entry's board.
    ///
    /// Only the last move is stored for each board. If a parent was reached by a shorter path since
    /// then, the result has fewer moves than the entry says, never more.
    pub(crate) fn moves_to(&self, index: u32, steps: &Steps) -> Vec<Direction> {
        let NodeEntry { mut board, mut arrival, .. } = *self.entries.get(index);
        let is_blank = |&cell: &Cell| board.tile(cell) == BLANK;
        let mut blank = (0..CELLS_MAX as Cell).find(is_blank).expect("a board has a blank");
        let mut moves = Vec::with_capacity(arrival.moves() as usize);
        while let Some(last) = arrival.last() {
            moves.push(last);
            let from = steps[usize::from(blank)][last.opposite() as usize];
            let from = from.expect("a move can be taken back");
            board = board.slid(from, blank);
            blank = from;
            let parent = self.find(board, Self::hash(&board)).expect("a parent is kept");
            arrival = self.arrival(parent);
        }
        moves.reverse();
        moves
    }
}

/// Returns an estimate as an entry stores it.
fn kept(estimate: u32) -> u16 {
    estimate.try_into().unwrap_or(u16::MAX)
}

/// The cell of the tile that each move moves, by the blank's cell: [`Direction::tile_cells`].
pub(crate) type Steps = [[Option<Cell>; 4]; CELLS_MAX];

/// Rank of an entry in an open list, the smallest first: a number, then another one.
pub(crate) type Key = (u64, u32);

/// Numbers of entries in a stack, with the number of the block below.
#[derive(Clone, Copy)]
struct Block {
    items: [u32; 31],
    below: u32,
}

/// The entries of one key; there is at least one.
#[derive(Clone, Copy)]
struct Bucket {
    top: u32,
    /// Number of items in the top block.
    len: u32,
}

/// Entries by key, the smallest key first, and within a key the last one first.
///
/// Entries are only removed at the front. A number may be stale when it is removed, which its entry
/// shows. Keys are few, so a map of them costs less than moving their entries in memory.
pub(crate) struct OpenList {
    buckets: BTreeMap<Key, Bucket>,
    blocks: Chunks<Block>,
    /// First of the free blocks.
    free: u32,
}

impl OpenList {
    pub(crate) fn new() -> Self {
        Self { buckets: BTreeMap::new(), blocks: Chunks::new(), free: NONE }
    }

    pub(crate) fn push(
        &mut self,
        account: &mut StoreAccount<'_>,
        key: Key,
        index: u32,
    ) -> Result<(), LimitKind> {
        let below = match self.buckets.get_mut(&key) {
            Some(bucket) if bucket.len < 31 => {
                self.blocks.get_mut(bucket.top).items[bucket.len as usize] = index;
                bucket.len += 1;
                return Ok(());
            }
            Some(bucket) => bucket.top,
            None => {
                account.take(BUCKET_BYTES)?;
                NONE
            }
        };
        let mut block = Block { items: [0; 31], below };
        block.items[0] = index;
        let top = if self.free == NONE {
            self.blocks.push(account, block)?
        } else {
            let top = self.free;
            let place = self.blocks.get_mut(top);
            self.free = place.below;
            *place = block;
            top
        };
        self.buckets.insert(key, Bucket { top, len: 1 });
        Ok(())
    }

    /// Returns the front without removing it.
    pub(crate) fn peek(&self) -> Option<(Key, u32)> {
        let (&key, bucket) = self.buckets.first_key_value()?;
        Some((key, self.blocks.get(bucket.top).items[bucket.len as usize - 1]))
    }

    /// Removes the front and returns it.
    pub(crate) fn pop(&mut self, account: &mut StoreAccount<'_>) -> Option<(Key, u32)> {
        let mut first = self.buckets.first_entry()?;
        let key = *first.key();
        let bucket = first.get_mut();
        let block = self.blocks.get_mut(bucket.top);
        bucket.len -= 1;
        let index = block.items[bucket.len as usize];
        if bucket.len == 0 {
            let emptied = bucket.top;
            let below = std::mem::replace(&mut block.below, self.free);
            self.free = emptied;
            if below == NONE {
                first.remove();
                account.give(BUCKET_BYTES);
            } else {
                *bucket = Bucket { top: below, len: 31 };
            }
        }
        Some((key, index))
    }
}

/// A move of an entry's board, with the board after it.
#[derive(Clone, Copy)]
pub(crate) struct Move<P> {
    pub(crate) slide: Slide,
    pub(crate) direction: Direction,
    pub(crate) board: P,
    pub(crate) hash: u64,
    /// The entry of that board, if it was met before.
    pub(crate) entry: Option<u32>,
}

/// The children of an entry in the order of moves, each with its memo if it is new.
pub(crate) type Children<P> = [Option<(Move<P>, Memo)>; 4];

/// A store with its heuristic.
pub(crate) struct Side<'a, P> {
    pub(crate) heuristic: &'a dyn Estimator,
    pub(crate) store: Store<P>,
    pub(crate) steps: Steps,
    /// Nodes expanded.
    pub(crate) expanded: u64,
    shape: Shape,
    order: [Direction; 4],
    /// Children whose estimate was computed.
    estimated: u64,
}

impl<'a, P: Packed> Side<'a, P> {
    pub(crate) fn new(heuristic: &'a dyn Estimator, shape: Shape, order: [Direction; 4]) -> Self {
        Self {
            heuristic,
            store: Store::new(heuristic.note_count()),
            steps: Direction::tile_cells(shape),
            expanded: 0,
            shape,
            order,
            estimated: 0,
        }
    }

    /// Adds the board at which the search begins, as entry 0.
    pub(crate) fn start(
        &mut self,
        account: &mut StoreAccount<'_>,
        board: &Board,
        root: &Memo,
    ) -> Result<(), LimitKind> {
        let board = P::pack(board);
        let root_board = (board, Store::<P>::hash(&board));
        self.store.insert(account, root_board, Arrival::root(), root)?;
        Ok(())
    }

    /// Returns the moves to a board in the store.
    pub(crate) fn moves_to(&self, board: P) -> Vec<Direction> {
        let hash = Store::<P>::hash(&board);
        let index = self.store.find(board, hash).expect("the board is in the store");
        self.store.moves_to(index, &self.steps)
    }

    /// Returns the look-ups into tables so far.
    fn lookups(&self) -> u64 {
        self.heuristic.lookups().map(u64::from).iter().sum::<u64>() * self.estimated
    }

    /// Returns whether an entry that was put into an open list with these moves is still waiting:
    /// it was neither expanded nor reached in fewer moves since.
    pub(crate) fn is_current(&self, index: u32, moves: u32) -> bool {
        let arrival = self.store.arrival(index);
        arrival.is_open() && arrival.moves() == moves
    }

    /// Closes an entry and generates all its children, except the one that undoes the last move,
    /// before the first one is checked.
    #[inline(always)]
    pub(crate) fn expand(
        &mut self,
        meter: &mut Meter,
        index: u32,
    ) -> Result<Children<P>, LimitKind> {
        let arrival = self.store.arrival(index);
        self.store.close(index);
        self.expanded += 1;
        let (board, mut expansion) = self.expansion(index);
        let blank = expansion.board.blank();
        let mut children = [None; 4];
        for (n, child) in children.iter_mut().enumerate() {
            let Some(next) = self.nth_move(n, board, blank, arrival) else { continue };
            meter.count()?;
            if next.entry.is_none() {
                expansion.ask(next.slide);
            }
            *child = Some((next, expansion.memo));
        }
        let mut memos = [expansion.memo; 4];
        let memos = &mut memos[..expansion.slides().len()];
        self.children(slice::from_ref(&expansion), memos);
        let new = children.iter_mut().flatten().filter(|(next, _)| next.entry.is_none());
        new.zip(memos).for_each(|((_, memo), found)| *memo = *found);
        Ok(children)
    }

    /// Returns the board of an entry, packed, and as an expansion without children.
    pub(crate) fn expansion(&self, index: u32) -> (P, Expansion) {
        let board = self.store.entries.get(index).board;
        (board, Expansion::new(board.unpack(self.shape), self.store.memo(index)))
    }

    /// Returns the move with this number in the order of moves, unless it does not exist or undoes
    /// the last one.
    #[inline(always)]
    pub(crate) fn nth_move(
        &self,
        n: usize,
        board: P,
        blank: Cell,
        arrival: Arrival,
    ) -> Option<Move<P>> {
        let direction = self.order[n];
        let from = self.steps[usize::from(blank)][direction as usize]?;
        if arrival.last().map(Direction::opposite) == Some(direction) {
            return None;
        }
        let slide = Slide { tile: board.tile(from), from, to: blank };
        let board = board.slid(from, blank);
        let hash = Store::<P>::hash(&board);
        Some(Move { slide, direction, board, hash, entry: self.store.find(board, hash) })
    }

    /// Computes the memos of all requested children of the expansions; `memos` has a place for
    /// each.
    pub(crate) fn children(&mut self, expansions: &[Expansion], memos: &mut [Memo]) {
        self.heuristic.children(expansions, memos);
        self.estimated += memos.len() as u64;
    }
}
