//! Pairwise distances, combined for each board.

use pdb_core::{BLANK, Board, CellSet, Estimator, Goal, Memo, RootError, Slide};
use pdb_search::Manhattan;
use thiserror::Error;

use crate::excess::ExcessTable;
use crate::parts::{Explain, Part, counted};

/// Dynamic additive pairs: Manhattan distance, plus the largest sum of excesses of disjoint pairs
/// of tiles.
///
/// For each two tiles, a breadth-first search over their cells and the region of the blank finds
/// the fewest moves of the two that bring them home. All other tiles are ignored. That is at least
/// their Manhattan distance. Pairs without a common tile may be summed, and they are chosen for
/// each board. The pairs that exceed Manhattan distance make a weighted graph of tiles, and a
/// matching of maximum weight is the best choice. A tile without a partner counts its Manhattan
/// distance.
///
/// It is admissible, consistent, never below Manhattan distance, and of the distance's parity: a
/// move changes any choice of pairs by exactly 1. Source: R. E. Korf and L. A. Taylor, "Finding
/// optimal solutions to the twenty-four puzzle", AAAI 1996; A. Felner, R. E. Korf and S. Hanan,
/// "Additive pattern database heuristics", JAIR 22, 2004; R. Gasser, 1995.
///
/// All distances are computed when the heuristic is made, in milliseconds. They take a byte for
/// each two tiles on each two cells: 27 KB for 16 cells, 0.8 MB for 36. Few pairs exceed Manhattan
/// distance at the same time, so the graph has small components.
#[derive(Clone, Debug)]
pub struct Pairwise {
    cell_count: usize,
    manhattan: Manhattan,
    /// The tables of each two tiles, by the smaller one, then the larger one.
    tables: Vec<ExcessTable>,
}

/// Longest row or column for [`Pairwise`], in cells.
pub const LINE_LEN_MAX: usize = 6;
/// Largest number of cells of a board for [`Pairwise`].
const CELLS: usize = LINE_LEN_MAX * LINE_LEN_MAX;

/// Error: a board is too long for [`Pairwise`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the board has lines of {found} cells: pairwise distances are for lines of at most {max}, choose \
     another heuristic"
)]
pub struct LineTooLong {
    /// Number of cells of the longest line.
    pub found: usize,
    /// Largest number of cells.
    pub max: usize,
}

/// The pairs of a board that exceed Manhattan distance: a graph of tiles with weights.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// For each tile, the set of tiles with which it has an excess.
    partners: [u64; CELLS],
    weights: [[u8; CELLS]; CELLS],
}

impl Pairwise {
    /// Makes the heuristic for a goal with up to [`LINE_LEN_MAX`] cells in each line.
    ///
    /// # Errors
    /// [`LineTooLong`] for longer lines: too many of their tiles can have conflicts with each
    /// other, and the best choice of pairs would take too long to find.
    pub fn new(goal: &Goal) -> Result<Self, LineTooLong> {
        let shape = goal.shape();
        let found = shape.rows().max(shape.cols());
        if found > LINE_LEN_MAX {
            return Err(LineTooLong { found, max: LINE_LEN_MAX });
        }
        let cell_count = shape.cell_count();
        let tiles = 1..cell_count as u8;
        let pairs = tiles.flat_map(|i| (i + 1..cell_count as u8).map(move |j| [i, j]));
        let table = |pair: [u8; 2]| {
            ExcessTable::new(shape, &pair.map(|tile| goal.home(tile)), goal.home(BLANK))
        };
        let tables = pairs.map(table).collect();
        Ok(Self { cell_count, manhattan: Manhattan::new(goal), tables })
    }

    /// Returns a best choice of pairs for a board, the pair of the smallest tile first, with the
    /// moves of both tiles beyond their Manhattan distance.
    fn matching(&self, board: &Board) -> Vec<([u8; 2], u32)> {
        let pairs = self.pairs(board);
        let mut rest = pairs.paired();
        let mut weight = pairs.best(rest);
        let mut matching = Vec::new();
        while let Some(tile) = CellSet(rest).first() {
            rest &= !(1 << tile);
            let without = pairs.best(rest);
            if without == weight {
                continue;
            }
            // Some partner of the tile makes up for the loss.
            let partners = CellSet(pairs.partners[usize::from(tile)] & rest);
            let (partner, gain) = partners
                .iter()
                .map(|other| (other, pairs.weights[usize::from(tile)][usize::from(other)]))
                .find(|&(other, gain)| u32::from(gain) + pairs.best(rest & !(1 << other)) == weight)
                .expect("a tile that belongs to every best choice has a partner in it");
            rest &= !(1 << partner);
            weight -= u32::from(gain);
            matching.push(([tile, partner], 2 * u32::from(gain)));
        }
        matching
    }

    /// Returns the pairs of a board.
    pub fn pairs(&self, board: &Board) -> Pairs {
        let mut pairs = Pairs { partners: [0; CELLS], weights: [[0; CELLS]; CELLS] };
        let (cells, blank) = (board.cells_by_tile(), board.blank());
        let mut tables = self.tables.iter();
        for i in 1..self.cell_count {
            for (j, table) in (i + 1..self.cell_count).zip(&mut tables) {
                let weight = table.excess([cells[i], cells[j]].into_iter(), blank);
                if weight != 0 {
                    (pairs.weights[i][j], pairs.weights[j][i]) = (weight, weight);
                    pairs.partners[i] |= 1 << j;
                    pairs.partners[j] |= 1 << i;
                }
            }
        }
        pairs
    }

    fn memo(&self, board: &Board, manhattan: u32) -> Memo {
        let pairs = self.pairs(board);
        Memo::new(manhattan + 2 * pairs.best(pairs.paired()), &[manhattan as i16])
    }

    /// Returns the Manhattan distance after a move.
    fn manhattan_after(&self, parent: &Memo, slide: Slide) -> u32 {
        self.manhattan.after(parent.notes[0] as u32, slide)
    }
}

impl Pairs {
    /// Returns the largest weight of disjoint pairs among some tiles.
    fn best(&self, tiles: u64) -> u32 {
        let mut rest = tiles;
        let mut sum = 0;
        while let Some(tile) = CellSet(rest).first() {
            // Each component of the graph is matched by itself.
            let mut component = 1 << tile;
            let mut grown = component;
            while grown != 0 {
                let reached = CellSet(grown).iter();
                let around = reached.fold(0, |set, tile| set | self.partners[usize::from(tile)]);
                grown = around & rest & !component;
                component |= grown;
            }
            rest &= !component;
            if !component.is_power_of_two() {
                sum += self.best_of_component(component);
            }
        }
        sum
    }

    /// Does the same among the tiles of one component, which are two or more.
    fn best_of_component(&self, component: u64) -> u32 {
        let partners = |tile: u8| self.partners[usize::from(tile)] & component;
        let largest = |tile: u8| {
            let weights = &self.weights[usize::from(tile)];
            let of_partners =
                CellSet(partners(tile)).iter().map(|other| weights[usize::from(other)]);
            u32::from(of_partners.max().unwrap_or(0))
        };
        // The tile with the fewest partners is alone or with one of them.
        let fewest = CellSet(component).iter().min_by_key(|&tile| partners(tile).count_ones());
        let tile = fewest.expect("a component has tiles");
        let weights = &self.weights[usize::from(tile)];
        let others = component & !(1 << tile);
        if let Some(only) = CellSet(partners(tile)).first()
            && partners(tile).is_power_of_two()
            && u32::from(weights[usize::from(only)]) == largest(only)
        {
            // No other match of the only partner gains more than this.
            return u32::from(weights[usize::from(only)]) + self.best(others & !(1 << only));
        }
        // Each pair is counted by both of its tiles.
        let bound = CellSet(component).iter().map(largest).sum::<u32>() / 2;
        let mut best = 0;
        for partner in CellSet(partners(tile)).iter() {
            let weight = u32::from(weights[usize::from(partner)]);
            best = best.max(weight + self.best(others & !(1 << partner)));
            if best == bound {
                return best;
            }
        }
        best.max(self.best(others))
    }

    /// Returns half of the moves by which two tiles exceed their Manhattan distance, by tile and
    /// tile.
    pub fn weights(&self) -> &[[u8; CELLS]; CELLS] {
        &self.weights
    }

    /// Returns the tiles that have a partner.
    fn paired(&self) -> u64 {
        let tiles = self.partners.iter().enumerate().filter(|(_, partners)| **partners != 0);
        tiles.fold(0, |set, (tile, _)| set | 1 << tile)
    }
}

impl Estimator for Pairwise {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(board, self.manhattan.of(board)))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        self.memo(board, self.manhattan_after(parent, slide))
    }

    fn glance(&self, _: &Board, parent: &Memo, slide: Slide) -> Option<u32> {
        // A move lowers the estimate by at most 1.
        Some(self.manhattan_after(parent, slide).max(parent.estimate.saturating_sub(1)))
    }

    fn note_count(&self) -> usize {
        1
    }

    fn lookups(&self) -> [u32; 2] {
        [0, self.cell_count as u32 - 2]
    }
}

/// The estimate is the sum of Manhattan distance and of the moves of `pairs`.
impl Explain for Pairwise {
    fn parts(&self, _: &Goal, board: &Board) -> Result<Part, RootError> {
        let part = |(tiles, moves): ([u8; 2], u32)| {
            let text = format!("{} and {}: {}", tiles[0], tiles[1], counted(moves, "move"));
            Part::default().text(text).field("tiles", tiles).plus("moves", moves)
        };
        let pairs: Vec<Part> = self.matching(board).into_iter().map(part).collect();
        let text = match &pairs[..] {
            [] => "No two tiles are in each other's way.",
            _ => "Manhattan distance, and for pairs in each other's way:",
        };
        let whole = Part::of("pairwise").text(text).plus("manhattan", self.manhattan.of(board));
        Ok(whole.plus("pairs", pairs))
    }
}
