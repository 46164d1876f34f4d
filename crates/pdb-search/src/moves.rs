//! Which moves a search tries, by where the blank is and by the moves before.
//!
//! Many sequences of moves lead to the same board: two tiles of a 2x2 square go around one way in
//! six moves, or the other way. A depth-first search that follows both searches everything behind
//! them twice. So the sequences that need not be followed are found beforehand, and a finite-state
//! machine recognises them on the way (L. A. Taylor and R. E. Korf, "Pruning duplicate nodes in
//! depth-first search", AAAI 1993). Its states are places: the blank's cell, and as many of the last
//! moves as may become such a sequence.
//!
//! 1. From each cell of the blank, a breadth-first search with all tiles told apart finds the
//!    boards within `depth` moves. Sequences of one length come in the order in which moves are
//!    tried. The first that reaches a board is kept; every later one is a *duplicate*, whether it is
//!    as long or longer. To take a move back is the duplicate of length 2.
//! 2. The duplicates that contain no shorter one make a trie for each cell they start from.
//! 3. The tries are linked as A. V. Aho and M. J. Corasick do ("Efficient string matching", 1975):
//!    each place knows the longest end of its moves that begins a duplicate from where it starts.
//!
//! No shortest solution is lost: of all shortest solutions take the one that is first in the order of
//! moves. If it held a duplicate, the sequence that was kept instead would give a shorter solution,
//! or one as long that is earlier in the order. This needs no property of the estimates, and the
//! legality of the kept sequence is that of its own search from the same cell.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use pdb_core::{CELLS_MAX, Cell, Direction, Shape};

/// The moves that are tried at one place, in order.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct Place {
    /// Where each move leads.
    next: [u16; 4],
    /// The cell of the tile that each move moves.
    from: [Cell; 4],
    count: u8,
}

impl Place {
    /// How many moves there are.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        usize::from(self.count)
    }

    /// The cell of the tile that move `i` moves, and the place where it leads.
    #[inline(always)]
    pub(crate) fn step(&self, i: usize) -> (Cell, u16) {
        (self.from[i & 3], self.next[i & 3])
    }
}

/// All places of a shape.
#[derive(Debug)]
pub(crate) struct Moves {
    places: Vec<Place>,
}

/// Sequences of up to so many moves are looked at: as many as pay, by measurement, and few enough
/// that all of it takes some milliseconds on the usual boards.
fn depth_for(shape: Shape) -> usize {
    match shape.cell_count() {
        ..=16 => 11,
        // A tenth of a second, which nearly all boards of that size are worth.
        17..=25 => 12,
        _ => 7,
    }
}

impl Moves {
    /// All moves but the one that takes the last one back.
    pub(crate) fn without_undoing(shape: Shape, order: [Direction; 4]) -> Self {
        Self::new(shape, order, 2)
    }

    /// All moves but those that end a sequence which another one replaces.
    pub(crate) fn without_duplicates(shape: Shape, order: [Direction; 4]) -> Self {
        Self::new(shape, order, depth_for(shape))
    }

    fn new(shape: Shape, order: [Direction; 4], depth: usize) -> Self {
        let cells = 0..shape.cell_count() as Cell;
        let mut tries = Tries::new(shape);
        let of_cell = |cell| match shape.cell_count() {
            ..=16 => duplicates::<u64>(shape, order, cell, depth),
            17..=25 => duplicates::<u128>(shape, order, cell, depth),
            _ => duplicates::<[u8; CELLS_MAX]>(shape, order, cell, depth),
        };
        let mut duplicates: Vec<_> = cells.flat_map(of_cell).collect();
        // Shorter ones first, so that what contains one is known when it comes.
        duplicates.sort_by_key(|(cell, moves)| (moves.len(), *cell));
        for (cell, moves) in &duplicates {
            tries.insert(*cell, moves);
        }
        Self { places: tries.link(order) }
    }

    /// The place of a search that starts with the blank on a cell.
    pub(crate) fn start(blank: Cell) -> u16 {
        u16::from(blank)
    }

    #[inline(always)]
    pub(crate) fn at(&self, place: u16) -> &Place {
        &self.places[usize::from(place)]
    }
}

/// The tiles of a board, all told apart, in a form that is quick to compare.
trait Arrangement: Copy + Eq + Hash {
    /// Tile `c` on cell `c`.
    fn sorted() -> Self;

    #[must_use]
    fn swapped(self, a: Cell, b: Cell) -> Self;
}

/// A nibble a cell, for up to 16 cells.
impl Arrangement for u64 {
    fn sorted() -> Self {
        0xfedc_ba98_7654_3210
    }

    fn swapped(self, a: Cell, b: Cell) -> Self {
        let difference = (self >> (4 * a) ^ self >> (4 * b)) & 15;
        self ^ difference << (4 * a) ^ difference << (4 * b)
    }
}

/// Five bits a cell, for up to 25 cells.
impl Arrangement for u128 {
    fn sorted() -> Self {
        (0..25).map(|cell| cell << (5 * cell)).sum()
    }

    fn swapped(self, a: Cell, b: Cell) -> Self {
        let difference = (self >> (5 * a) ^ self >> (5 * b)) & 31;
        self ^ difference << (5 * a) ^ difference << (5 * b)
    }
}

impl Arrangement for [u8; CELLS_MAX] {
    fn sorted() -> Self {
        std::array::from_fn(|cell| cell as u8)
    }

    fn swapped(mut self, a: Cell, b: Cell) -> Self {
        self.swap(usize::from(a), usize::from(b));
        self
    }
}

/// Step 1: the duplicates that start with the blank on a cell.
fn duplicates<A: Arrangement>(
    shape: Shape,
    order: [Direction; 4],
    start: Cell,
    depth: usize,
) -> Vec<(Cell, Vec<Direction>)> {
    struct Reached<A> {
        tiles: A,
        blank: Cell,
        parent: usize,
        last: Option<Direction>,
    }
    let tiles = A::sorted();
    let mut known: HashSet<_, BuildHasherDefault<WordHasher>> = HashSet::default();
    known.insert(tiles);
    let mut reached = vec![Reached { tiles, blank: start, parent: 0, last: None }];
    let mut found = Vec::new();
    let mut level = 0..1;
    for _ in 0..depth {
        for parent in level.clone() {
            for direction in order {
                let Reached { tiles, blank, parent: before, last } = reached[parent];
                let Some(from) = direction.tile_cell(shape, blank) else { continue };
                if let Some(last) = last.filter(|last| last.opposite() == direction) {
                    // Deeper ones contain one of these.
                    if before == 0 {
                        found.push((start, vec![last, direction]));
                    }
                    continue;
                }
                let tiles = tiles.swapped(blank, from);
                if known.insert(tiles) {
                    reached.push(Reached { tiles, blank: from, parent, last: Some(direction) });
                    continue;
                }
                let mut moves = vec![direction];
                let mut at = &reached[parent];
                while let Some(last) = at.last {
                    moves.push(last);
                    at = &reached[at.parent];
                }
                moves.reverse();
                found.push((start, moves));
            }
        }
        level = level.end..reached.len();
    }
    found
}

/// A quick hash of fixed-size keys, a word at a time.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A node of a trie; the first ones are the roots, one for each cell that a sequence starts from.
#[derive(Clone, Debug)]
struct TrieNode {
    blank: Cell,
    children: [Option<usize>; 4],
    /// A duplicate ends here.
    is_end: bool,
}

#[derive(Debug)]
struct Tries {
    shape: Shape,
    nodes: Vec<TrieNode>,
}

impl Tries {
    fn new(shape: Shape) -> Self {
        let root = |blank| TrieNode { blank, children: [None; 4], is_end: false };
        Self { shape, nodes: (0..shape.cell_count() as Cell).map(root).collect() }
    }

    /// Step 2. Of the duplicates that come, none is shorter than those before.
    fn insert(&mut self, start: Cell, moves: &[Direction]) {
        // One that contains another would never be finished.
        let mut blank = start;
        for first in 0..moves.len() {
            if self.contains_start(blank, &moves[first..]) {
                return;
            }
            blank = self.step(blank, moves[first]);
        }
        let mut node = usize::from(start);
        for &direction in moves {
            node = self.nodes[node].children[direction as usize].unwrap_or_else(|| {
                let blank = self.step(self.nodes[node].blank, direction);
                self.nodes.push(TrieNode { blank, children: [None; 4], is_end: false });
                let new = self.nodes.len() - 1;
                self.nodes[node].children[direction as usize] = Some(new);
                new
            });
        }
        self.nodes[node].is_end = true;
    }

    fn step(&self, blank: Cell, direction: Direction) -> Cell {
        direction.tile_cell(self.shape, blank).expect("a duplicate was made of possible moves")
    }

    /// Whether a duplicate is the beginning of `moves`.
    fn contains_start(&self, blank: Cell, moves: &[Direction]) -> bool {
        let mut node = usize::from(blank);
        for &direction in moves {
            match self.nodes[node].children[direction as usize] {
                Some(child) if self.nodes[child].is_end => return true,
                Some(child) => node = child,
                None => return false,
            }
        }
        false
    }

    /// Step 3.
    fn link(&self, order: [Direction; 4]) -> Vec<Place> {
        // Only nodes where no duplicate ends are places; the roots come first.
        let mut places = vec![0; self.nodes.len()];
        let mut queue: Vec<usize> = (0..self.shape.cell_count()).collect();
        // The longest proper end of a node's moves that is a node too; a root has none.
        let mut shorter = vec![None; self.nodes.len()];
        let mut next = 0;
        while next < queue.len() {
            let node = queue[next];
            places[node] = next as u16;
            next += 1;
            for direction in order {
                let Some(child) = self.nodes[node].children[direction as usize] else { continue };
                shorter[child] = Some(match shorter[node] {
                    None => usize::from(self.nodes[child].blank),
                    Some(end) => self.follow(&shorter, end, direction),
                });
                if !self.nodes[child].is_end {
                    queue.push(child);
                }
            }
        }
        assert!(u16::try_from(queue.len()).is_ok(), "places are numbered in 16 bits");
        let place = |&node: &usize| {
            let blank = self.nodes[node].blank;
            let mut place = Place { next: [0; 4], from: [0; 4], count: 0 };
            for direction in order {
                let Some(from) = direction.tile_cell(self.shape, blank) else { continue };
                let to = self.follow(&shorter, node, direction);
                if !self.nodes[to].is_end {
                    place.next[usize::from(place.count)] = places[to];
                    place.from[usize::from(place.count)] = from;
                    place.count += 1;
                }
            }
            place
        };
        queue.iter().map(place).collect()
    }

    /// The node of the longest end of a node's moves and one more.
    fn follow(&self, shorter: &[Option<usize>], mut node: usize, direction: Direction) -> usize {
        loop {
            if let Some(child) = self.nodes[node].children[direction as usize] {
                return child;
            }
            match shorter[node] {
                Some(end) => node = end,
                None => return usize::from(self.step(self.nodes[node].blank, direction)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{KORF_BLANK_FIRST, KORF_BLANK_LAST};
    use pdb_core::Board;

    /// Every board within so many moves of one, by the places, with the number of ways.
    fn reach(shape: Shape, moves: &Moves, board: Board, depth: usize) -> HashMap<Board, usize> {
        let mut found = HashMap::from([(board, 0)]);
        let mut level = vec![(board, Moves::start(board.blank()))];
        for length in 1..=depth {
            let mut next = Vec::new();
            for (board, place) in level {
                let at = moves.at(place);
                for (from, to) in (0..at.count()).map(|i| at.step(i)) {
                    let mut child = board;
                    child.slide(from, board.blank());
                    found.entry(child).or_insert(length);
                    next.push((child, to));
                }
            }
            level = next;
        }
        assert_eq!(shape, board.shape());
        found
    }

    #[test]
    fn no_board_is_lost_and_none_comes_later() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (2, 5), (5, 5), (3, 9)] {
            let shape = Shape::new(rows, cols).unwrap();
            for order in [KORF_BLANK_FIRST, KORF_BLANK_LAST] {
                let all = Moves::without_undoing(shape, order);
                let fewer = Moves::without_duplicates(shape, order);
                for blank in shape.all_cells().iter() {
                    let mut tiles: Vec<u8> = (1..shape.cell_count() as u8).collect();
                    tiles.insert(usize::from(blank), 0);
                    let board = Board::new(shape, &tiles).unwrap();
                    let depth = if shape.cell_count() > 9 { 12 } else { 17 };
                    let expected = reach(shape, &all, board, depth);
                    assert_eq!(reach(shape, &fewer, board, depth), expected, "{shape} {blank}");
                }
            }
        }
    }

    #[test]
    fn duplicates_are_left_out() {
        let shape = Shape::new(4, 4).unwrap();
        let count = |moves: &Moves, depth| {
            let mut ways = vec![0u64; moves.places.len()];
            ways[usize::from(Moves::start(15))] = 1;
            for _ in 0..depth {
                let mut next = vec![0; ways.len()];
                for (place, &ways) in moves.places.iter().zip(&ways) {
                    (0..place.count()).for_each(|i| next[usize::from(place.step(i).1)] += ways);
                }
                ways = next;
            }
            ways.iter().sum::<u64>()
        };
        let all = Moves::without_undoing(shape, KORF_BLANK_LAST);
        let fewer = Moves::without_duplicates(shape, KORF_BLANK_LAST);
        assert_eq!((all.places.len(), fewer.places.len()), (16 + 48, 6396));
        // Of all sequences without duplicates of up to 11 moves, each leads to another board.
        assert_eq!((count(&all, 2), count(&fewer, 2)), (4, 4));
        assert_eq!((count(&all, 6), count(&fewer, 6)), (108, 107));
        let boards: [u64; 12] = [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938];
        for (depth, boards) in boards.into_iter().enumerate() {
            assert_eq!(count(&fewer, depth), boards, "{depth} moves");
        }
        let share = count(&fewer, 40) as f64 / count(&all, 40) as f64;
        assert!((0.21..0.2104).contains(&share), "{share}");
    }
}
