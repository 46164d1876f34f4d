//! Groups of boards of one layer of a beam, and how far each board is from a solution.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use pdb_core::{Board, Goal};
use tilebase::sets::Dice;

/// Boards of a group. The first one has a class of at most [`GOOD`].
pub(super) const GROUP: usize = 4;

/// Class of boards on a detour of at most two moves. A class is half of the detour, in moves: the
/// depth of the board and its distance from the goal, less the smallest such sum of its layer.
pub(super) const GOOD: u8 = 1;
/// Class of boards on a longer detour, or without a known one.
const FAR: u8 = 6;
/// Class of boards that the beam did not keep.
const CUT: u8 = 7;

/// Boards that are kept of those that a layer leaves out.
const CUT_MAX: usize = 64;

/// The boards of a beam that found a solution.
#[derive(Debug, Default)]
pub(super) struct Trace {
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    kept: Vec<Board>,
    /// Some of the boards that were left out.
    cut: Vec<Board>,
}

impl Trace {
    /// Adds a layer. If the beam has begun again, its layers so far are removed: no layer except
    /// the first one has a neighbour of the first board.
    pub(super) fn push(&mut self, first: &Board, kept: &[Board], cut: &[Board]) {
        let is_first = |board: &Board| first.legal_moves().any(|(_, next)| next == *board);
        if kept.first().is_some_and(is_first) {
            self.layers.clear();
        }
        let cut = cut.iter().step_by(cut.len().div_ceil(CUT_MAX).max(1)).copied().collect();
        self.layers.push(Layer { kept: kept.to_vec(), cut });
    }

    /// Returns the length of the solution, in moves: the last layer has the goal and is no part of
    /// the trace.
    pub(super) fn length(&self) -> usize {
        self.layers.len() + 1
    }
}

/// Draws of another board, while those drawn are no farther than the first board of the group.
const REDRAWS: usize = 8;

/// Boards that are ranked, group by group.
#[derive(Debug)]
pub(super) struct Groups {
    cell_count: usize,
    /// `tile * cell_count + cell` for each cell of each board.
    pairs: Vec<u16>,
    /// Manhattan distances of the boards.
    distances: Vec<u16>,
    classes: Vec<u8>,
}

impl Groups {
    pub(super) fn new(goal: &Goal) -> Self {
        let cell_count = goal.shape().cell_count();
        Self { cell_count, pairs: Vec::new(), distances: Vec::new(), classes: Vec::new() }
    }

    /// Returns the number of groups.
    pub(super) fn len(&self) -> usize {
        self.classes.len() / GROUP
    }

    /// Returns the pairs of a board of a group, its Manhattan distance and its class.
    pub(super) fn board(&self, group: usize, place: usize) -> (&[u16], u16, u8) {
        let board = group * GROUP + place;
        let pairs = &self.pairs[board * self.cell_count..][..self.cell_count];
        (pairs, self.distances[board], self.classes[board])
    }

    /// Removes the first groups.
    pub(super) fn forget(&mut self, count: usize) {
        self.pairs.drain(..count * GROUP * self.cell_count);
        self.distances.drain(..count * GROUP);
        self.classes.drain(..count * GROUP);
    }

    fn push(&mut self, goal: &Goal, board: &Board, class: u8) {
        let pairs = board.tiles().iter().enumerate();
        let pair = |(cell, &tile): (usize, &u8)| usize::from(tile) * self.cell_count + cell;
        self.pairs.extend(pairs.map(|pair_of| pair(pair_of) as u16));
        self.distances.push(goal.manhattan_distance(board) as u16);
        self.classes.push(class);
    }

    /// Draws groups from the layers of a beam, `count` from each that has more than half of the
    /// beam's width.
    pub(super) fn draw(
        &mut self,
        goal: &Goal,
        trace: &Trace,
        width: usize,
        count: usize,
        dice: &mut Dice,
    ) {
        for (layer, classes) in trace.layers.iter().zip(classes(goal, trace)) {
            let is_good = |&board: &usize| classes[board] <= GOOD;
            let good: Vec<usize> = (0..classes.len()).filter(is_good).collect();
            if good.is_empty() || 2 * classes.len() < width {
                continue;
            }
            for _ in 0..count {
                let first = good[dice.below(good.len())];
                self.push(goal, &layer.kept[first], classes[first]);
                let has_cut = !layer.cut.is_empty() && dice.below(2) == 0;
                if has_cut {
                    self.push(goal, &layer.cut[dice.below(layer.cut.len())], CUT);
                }
                for _ in 1 + usize::from(has_cut)..GROUP {
                    let mut other = dice.below(classes.len());
                    for _ in 0..REDRAWS {
                        if classes[other] > classes[first] {
                            break;
                        }
                        other = dice.below(classes.len());
                    }
                    self.push(goal, &layer.kept[other], classes[other]);
                }
            }
        }
    }
}

/// Returns the classes of the boards that each layer of a beam kept. Their distances are those
/// within these boards: a breadth-first search from the goal moves among them only.
pub(super) fn classes(goal: &Goal, trace: &Trace) -> Vec<Vec<u8>> {
    let count = trace.layers.iter().map(|layer| layer.kept.len()).sum();
    let mut places = HashMap::with_capacity_and_hasher(count, Keys::default());
    for (layer, boards) in trace.layers.iter().enumerate() {
        for (place, board) in boards.kept.iter().enumerate() {
            places.entry(key(board)).or_insert((layer, place));
        }
    }
    // Lengths of the shortest solutions by way of each board.
    let mut lengths: Vec<Vec<usize>> =
        trace.layers.iter().map(|layer| vec![usize::MAX; layer.kept.len()]).collect();
    let mut level = vec![*goal.board()];
    for distance in 1.. {
        let mut next = Vec::new();
        for board in level.iter().flat_map(|board| board.legal_moves().map(|(_, board)| board)) {
            // A board is met once, as its place is taken out.
            let Some((layer, place)) = places.remove(&key(&board)) else { continue };
            lengths[layer][place] = layer + 1 + distance;
            // The neighbours of a board hardly have a shorter solution.
            if layer + 1 + distance < trace.length() + 2 * usize::from(FAR) {
                next.push(board);
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    let of_layer = |lengths: Vec<usize>| {
        let shortest = lengths.iter().copied().min().unwrap_or(0);
        let class = |length: usize| ((length - shortest) / 2).min(FAR.into()) as u8;
        // Without a known solution, all boards of the layer are far.
        let is_known = shortest < usize::MAX;
        lengths.into_iter().map(|length| if is_known { class(length) } else { FAR }).collect()
    };
    lengths.into_iter().map(of_layer).collect()
}

/// A map's hash of a key, which is mixed already.
type Keys = BuildHasherDefault<KeyHasher>;

#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers of 64 bits");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Returns a number for a board that hardly another one has.
fn key(board: &Board) -> u64 {
    board.tiles().chunks(8).fold(0, |key: u64, tiles| {
        let word = tiles.iter().fold(0, |word, &tile| word << 8 | u64::from(tile));
        (key ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    })
}
