//! Moves that a search tries, by the blank's cell and the previous moves: the pruning of
//! duplicates.
//!
//! Many sequences of moves lead to the same board: two tiles of a 2x2 square go around one way in
//! six moves, or the other way. A depth-first search that follows both searches the subtree below
//! them twice. So the sequences that need not be followed are found beforehand, and a finite-state
//! machine recognises them during the search (L. A. Taylor and R. E. Korf, "Pruning duplicate nodes
//! in depth-first search", AAAI 1993). Its states are places: the blank's cell, and as many of the
//! last moves as may become such a sequence.
//!
//! 1. A *loop* is a sequence of moves that leads back to the board it starts at. The one half of a
//!    loop and the other half backwards lead to the same board. So the half that comes later in the
//!    order of moves need not be followed: it is a *duplicate*. So is a half and one move more,
//!    which is longer than the rest. Loops depend neither on the board nor on the cell they start
//!    at; [`LOOPS`] lists them.
//! 2. The duplicates that contain no shorter one make a trie for each cell they start from, where
//!    both sequences stay on the board.
//! 3. The tries are linked as A. V. Aho and M. J. Corasick do ("Efficient string matching", 1975):
//!    each place knows the longest end of its moves that begins a duplicate from where it starts.
//!
//! Step 1 finds all duplicates that contain no shorter one. Take such a sequence, and of all
//! sequences that lead to the same board the shortest, of these the first. They differ in the first
//! move and in the last, else a part of the duplicate would be one. So they make a loop in which no
//! move takes back the one before, around its end as well. Assume that the duplicate were longer by
//! four moves or more. Without its last move, it would still be longer than the other sequence with
//! that move taken back, and contain a duplicate.
//!
//! No shortest solution is lost: of all shortest solutions take the one that is first in the order
//! of moves. If it held a duplicate, the sequence that was kept instead would give a shorter
//! solution, or one as long that is earlier in the order. This needs no property of the estimates,
//! and the kept sequence stays on the board too.

use pdb_core::{Cell, Direction, Shape, Slide};

/// The moves that are tried in one state of the automaton, in order.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct StateMoves {
    /// The place after each move.
    next: [u16; 4],
    /// The cell of the tile that each move moves.
    from: [Cell; 4],
    count: u8,
}

impl StateMoves {
    /// Returns the number of moves.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        usize::from(self.count)
    }

    /// Returns the cell of the tile that move `i` moves, and the place after it.
    #[inline(always)]
    pub(crate) fn step(&self, i: usize) -> (Cell, u16) {
        (self.from[i & 3], self.next[i & 3])
    }
}

/// All places of a shape.
#[derive(Debug)]
pub(crate) struct Moves {
    places: Vec<StateMoves>,
}

/// Returns the length of the longest sequences that are considered. Measurements show that longer
/// ones save nothing; these take some milliseconds on the usual boards.
fn depth_for(shape: Shape) -> usize {
    match shape.cell_count() {
        ..=16 => 11,
        17..=25 => 12,
        _ => 7,
    }
}

impl Moves {
    /// Makes an automaton of all moves but the one that takes the last one back.
    pub(crate) fn without_undoing(shape: Shape, order: [Direction; 4]) -> Self {
        Self::new(shape, order, 2)
    }

    /// Makes an automaton of all moves but those that end a sequence which another one replaces.
    pub(crate) fn without_duplicates(shape: Shape, order: [Direction; 4]) -> Self {
        Self::new(shape, order, depth_for(shape))
    }

    /// Makes an automaton without moves, for slides of several tiles, whose axes alternate.
    pub(crate) fn none() -> Self {
        Self { places: Vec::new() }
    }

    fn new(shape: Shape, order: [Direction; 4], depth: usize) -> Self {
        Self { places: Tries::of_duplicates(shape, order, depth).link(order) }
    }

    /// Returns the place of a search that starts with the blank on a cell.
    pub(crate) fn start(blank: Cell) -> u16 {
        u16::from(blank)
    }

    #[inline(always)]
    pub(crate) fn at(&self, place: u16) -> &StateMoves {
        &self.places[usize::from(place)]
    }

    /// Returns the number of moves that come after those of a path, in the order of each place.
    pub(crate) fn later_siblings(&self, mut place: u16, path: &[Slide]) -> u64 {
        let mut after = 0;
        for slide in path {
            let moves = self.at(place);
            let is_made = |&i: &usize| moves.step(i).0 == slide.from;
            let made = (0..moves.count()).find(is_made).expect("the path has moves of its places");
            after += moves.count() - 1 - made;
            place = moves.step(made).1;
        }
        after as u64
    }
}

/// All loops of up to 24 moves in which no move takes back the one before, around the end as well;
/// and the loop of two moves. Among loops that differ only by their start, their direction, a
/// rotation or a reflection, the first in the order `URDL` is listed.
const LOOPS: &str = "\
    UD URDLURDLURDL UURDLDLURRULDLDR UUURDDLDLURRUULDDLDR UUURDLDDRULURULDDRDL \
    UUURDLDDLURURULDDLDR UURDLURDLDLURURDLLDR UURDLURDLURDDLURDLURDL UUUURDDDLDLURRUUULDDDLDR \
    UUUURDDLDDRULURUULDDDRDL UUUURDDLDDLUURRUULDDLDDR UUUURDDLDDLURURUULDDDLDR \
    UUUURDLDDDRULUURULDDDRDL UUUURDLDDDLURUURULDDDLDR UUURRDDLLDLURRRUULLDDLDR \
    UUURRDLDLDLURRURULLDDLDR UUURRDLLDDRULURRULLDDRDL UUURRDLLDDLUURRRULLDLDDR \
    UUURRDLLDDLURURRULLDDLDR UUURDRDLLDLURRRULULDDLDR UUURDDLLDRURUULDDLDRULDR \
    UUURDDLLDRULDRURUULDDLDR UUURDLURDLDDRULUURDLDRDL UUURDLURDLDDLURUURDLDLDR \
    UUURDLDRDLURDLUURULDDRDL UUURDLDDRULLURRULDLDRRDL UUURDLDDLURUURDLURDLDLDR \
    UURURDLDLDLURRURULDLDLDR UURURDLLDDRULURRULDLDRDL UURURDLLDDRRULURULDDRDLL \
    UURURDLLDDLURURRULDLDLDR UURURDLLDDLURRURULDDLLDR UURULDRDLDLURRULURDLDLDR \
    UURULDLDRDRULLURURDLDRDL UURULLDRDDRULULURRDLDRDL UURDDRULULDRRDLLURDLURDL \
    UURDLURDLURDLLDRULDRULDR UURDLURDLDLURRULDRULDLDR UURDLURDLLDRUURDLLDRULDR \
    UURDLLDRUURDLLDRUURDLLDR URURDLURDLURDLDLURDLURDL URURDLURDLDLURURDLDLURDL \
    URURDLDLURURDLDLURURDLDL URULDRULDRULDRDLURDLURDL URDLURDLURDLURDLURDLURDL";

/// A sequence of moves, and the [`reach`] of it and of the sequence that replaces it.
type Duplicate = (Vec<Direction>, [usize; 4]);

/// Returns the duplicates of up to `depth` moves that fit the shape, shorter ones first (step 1).
/// Among them are all that contain no shorter one.
fn duplicates(shape: Shape, order: [Direction; 4], depth: usize) -> Vec<Duplicate> {
    let mut ranks = [0; 4];
    order.iter().zip(0..).for_each(|(&direction, rank)| ranks[direction as usize] = rank);
    let rank = |direction: Direction| ranks[direction as usize];
    let mut found = Vec::new();
    for text in LOOPS.split(' ').filter(|text| text.len() <= 2 * depth) {
        let half = text.len() / 2;
        let directions = text.chars().map(Direction::from_letter);
        let moves: Vec<Direction> = directions.map(|d| d.expect("loops are moves")).collect();
        for symmetry in 0..8 {
            let mut there = image(&moves, symmetry);
            let [up, right, down, left] = reach(&there);
            if up + down >= shape.rows() || right + left >= shape.cols() {
                continue;
            }
            let mut back: Vec<_> = there.iter().rev().map(|move_| move_.opposite()).collect();
            for _ in 0..there.len() {
                let reach = reach(&there);
                for (one, other) in [(&there, &back), (&back, &there)] {
                    // The first moves differ.
                    let is_later = rank(one[0]) > rank(other[0]);
                    let lengths = if is_later { half..half + 2 } else { half + 1..half + 2 };
                    for length in lengths.filter(|&length| length <= depth) {
                        found.push((one[..length].to_vec(), reach));
                    }
                }
                there.rotate_left(1);
                back.rotate_right(1);
            }
        }
    }
    found.sort_by_key(|(moves, _)| moves.len());
    found
}

/// Returns one of the eight rotations and reflections of a sequence of moves.
fn image(moves: &[Direction], symmetry: usize) -> Vec<Direction> {
    let turned = |&direction: &Direction| {
        let direction = direction as usize;
        let reflected = if symmetry < 4 { direction } else { 4 - direction };
        Direction::ALL[(reflected + symmetry) % 4]
    };
    moves.iter().map(turned).collect()
}

/// Returns the most moves of a sequence in each direction, less those in the opposite one.
fn reach(moves: &[Direction]) -> [usize; 4] {
    let (mut reach, mut at) = ([0; 4], [0_isize; 4]);
    for direction in moves {
        at[*direction as usize] += 1;
        at[direction.opposite() as usize] -= 1;
        let farthest = &mut reach[*direction as usize];
        *farthest = at[*direction as usize].max(*farthest);
    }
    reach.map(|farthest| farthest as usize)
}

/// Number that stands for no node.
const NONE: u32 = u32::MAX;

/// A node of a trie; the first ones are the roots, one for each cell that a sequence starts from.
#[derive(Clone, Copy, Debug)]
struct TrieNode {
    /// The node after each move.
    next: [u32; 4],
    blank: Cell,
    /// A duplicate ends here.
    is_end: bool,
}

#[derive(Debug)]
struct Tries {
    /// For each cell of the blank, the cell of the tile that each move moves.
    cells: Vec<[Option<Cell>; 4]>,
    nodes: Vec<TrieNode>,
}

impl Tries {
    fn new(shape: Shape) -> Self {
        let cells = Direction::tile_cells(shape)[..shape.cell_count()].to_vec();
        let mut tries = Self { cells, nodes: Vec::new() };
        shape.all_cells().iter().for_each(|blank| _ = tries.add(blank));
        tries
    }

    fn add(&mut self, blank: Cell) -> u32 {
        self.nodes.push(TrieNode { next: [NONE; 4], blank, is_end: false });
        self.nodes.len() as u32 - 1
    }

    /// Makes the tries of all duplicates (step 2).
    fn of_duplicates(shape: Shape, order: [Direction; 4], depth: usize) -> Self {
        let mut tries = Self::new(shape);
        for (moves, [up, right, down, left]) in duplicates(shape, order, depth) {
            // The blank goes the opposite way of the tiles.
            for row in down..shape.rows() - up {
                for col in right..shape.cols() - left {
                    tries.insert(shape.cell(row, col), &moves);
                }
            }
        }
        tries
    }

    /// Inserts a duplicate unless it contains another. It must not be shorter than those before.
    fn insert(&mut self, start: Cell, moves: &[Direction]) {
        // One that contains another would never be finished.
        let mut blank = start;
        for first in 0..moves.len() {
            if self.contains_start(blank, &moves[first..]) {
                return;
            }
            blank = self.step(blank, moves[first]);
        }
        let mut node = u32::from(start) as usize;
        for &direction in moves {
            let TrieNode { next, blank, .. } = self.nodes[node];
            let mut child = next[direction as usize];
            if child == NONE {
                child = self.add(self.step(blank, direction));
                self.nodes[node].next[direction as usize] = child;
            }
            node = child as usize;
        }
        self.nodes[node].is_end = true;
    }

    fn step(&self, blank: Cell, direction: Direction) -> Cell {
        let from = self.cells[usize::from(blank)][direction as usize];
        from.expect("a duplicate stays on the board")
    }

    /// Returns whether a duplicate is the beginning of `moves`.
    fn contains_start(&self, blank: Cell, moves: &[Direction]) -> bool {
        let mut node = &self.nodes[usize::from(blank)];
        for &direction in moves {
            match node.next[direction as usize] {
                NONE => return false,
                child => node = &self.nodes[child as usize],
            }
            if node.is_end {
                return true;
            }
        }
        false
    }

    /// Links the tries to places (step 3).
    fn link(mut self, order: [Direction; 4]) -> Vec<StateMoves> {
        // Only nodes where no duplicate ends are places; the roots come first.
        let mut places = vec![0; self.nodes.len()];
        let mut queue: Vec<u32> = (0..self.cells.len() as u32).collect();
        // The longest proper end of a node's moves that is a node too; a root has none. It comes
        // before the node, so that all moves from there lead to a node by then.
        let mut shorter = vec![NONE; self.nodes.len()];
        let mut next = 0;
        while next < queue.len() {
            let node = queue[next] as usize;
            places[node] = next as u16;
            next += 1;
            let cells = self.cells[usize::from(self.nodes[node].blank)];
            for direction in order {
                let Some(from) = cells[direction as usize] else { continue };
                let end = match shorter[node] {
                    NONE => u32::from(from),
                    end => self.nodes[end as usize].next[direction as usize],
                };
                let child = &mut self.nodes[node].next[direction as usize];
                if *child == NONE {
                    *child = end;
                    continue;
                }
                let child = *child;
                shorter[child as usize] = end;
                if !self.nodes[child as usize].is_end {
                    queue.push(child);
                }
            }
        }
        assert!(u16::try_from(queue.len()).is_ok(), "places are numbered in 16 bits");
        let place = |&node: &u32| {
            let TrieNode { next, blank, .. } = self.nodes[node as usize];
            let mut place = StateMoves { next: [0; 4], from: [0; 4], count: 0 };
            for direction in order {
                let Some(from) = self.cells[usize::from(blank)][direction as usize] else {
                    continue;
                };
                let to = next[direction as usize] as usize;
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
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{KORF_BLANK_FIRST, KORF_BLANK_LAST};
    use pdb_core::{Board, Goal};

    /// Returns every board within `depth` moves of one, by the places, with its distance. No board
    /// is reached twice in the first `unique` moves.
    fn reach(moves: &Moves, board: Board, depth: usize, unique: usize) -> HashMap<Board, usize> {
        let mut found = HashMap::from([(board, 0)]);
        let mut level = vec![(board, Moves::start(board.blank()))];
        for length in 1..=depth {
            let mut next = Vec::new();
            for (board, place) in level {
                let at = moves.at(place);
                for (from, to) in (0..at.count()).map(|i| at.step(i)) {
                    let mut child = board;
                    child.slide(from, board.blank());
                    let is_known = found.contains_key(&child);
                    assert!(!is_known || length > unique, "{child} again after {length} moves");
                    found.entry(child).or_insert(length);
                    next.push((child, to));
                }
            }
            level = next;
        }
        found
    }

    #[test]
    fn no_board_is_lost_or_comes_later_or_is_reached_twice() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (2, 5), (5, 5), (3, 9)] {
            let shape = Shape::new(rows, cols).unwrap();
            for order in [KORF_BLANK_FIRST, KORF_BLANK_LAST] {
                let all = Moves::without_undoing(shape, order);
                let fewer = Moves::without_duplicates(shape, order);
                // Larger shapes are tried from every fifth start, and from all in long tests.
                let step = if pdb_oracle::are_long() || shape.cell_count() <= 10 { 1 } else { 5 };
                for blank in shape.all_cells().iter().step_by(step) {
                    let board = *Goal::in_order(shape, blank).board();
                    let depth = if shape.cell_count() > 9 { 12 } else { 17 };
                    let expected = reach(&all, board, depth, 0);
                    let found = reach(&fewer, board, depth, depth_for(shape));
                    assert_eq!(found, expected, "{shape} {blank}");
                }
            }
        }
    }
}
