//! Tables of small patterns in memory: half of the moves by which the tiles of each state exceed
//! their Manhattan distance, if moves of all other tiles are free.

use pdb_core::region::RegionFinder;
use pdb_core::{Cell, CellSet, Shape};

/// Largest number of tiles that fit a word together with the blank.
pub(crate) const TILES_MAX: usize = 9;
const CELL_BITS: u32 = 6;
/// Largest number of tiles of a table.
pub(crate) const PART_TILE_COUNT: usize = 3;
/// Entry of an arrangement whose value depends on the blank's cell.
const DEPENDS: u8 = u8::MAX;

/// Excess of all states of up to three tiles.
#[derive(Clone, Debug)]
pub(crate) struct ExcessTable {
    cell_count: usize,
    /// Excess by the tiles' cells; [`DEPENDS`] if it depends on the blank's region.
    excess: Vec<u8>,
    /// Excess by the tiles' cells and the blank's, for these entries, in ascending order.
    trapped: Vec<(u32, u8)>,
}

impl ExcessTable {
    /// Creates the table of the tiles with these homes, for a blank with its home at `blank`.
    pub(crate) fn new(shape: Shape, homes: &[Cell], blank: Cell) -> Self {
        let cell_count = shape.cell_count();
        let finder = RegionFinder::new(shape);
        let all = shape.all_cells();
        let neighbours: Vec<CellSet> = all.iter().map(|cell| shape.neighbours(cell)).collect();
        let index = |cells: &[Cell]| cells.iter().fold(0, |i, &c| i * cell_count + usize::from(c));
        // Levels by the tiles' cells and the blank's.
        let mut levels = vec![DEPENDS; cell_count.pow(homes.len() as u32 + 1)];
        let mut level = vec![packed(homes, blank)];
        let mut number = 0;
        while !level.is_empty() {
            let mut next = Vec::new();
            for state in level {
                let (mut cells, blank) = unpacked(state, homes.len());
                let cells = &mut cells[..homes.len()];
                let levels = &mut levels[index(cells) * cell_count..][..cell_count];
                if levels[usize::from(blank)] != DEPENDS {
                    continue;
                }
                // Moves of other tiles are free, so the blank can be anywhere in its region.
                let free = all.without(cells.iter().copied().collect());
                let region = finder.region_of(free, blank);
                region.iter().for_each(|cell| levels[usize::from(cell)] = number);
                for tile in 0..cells.len() {
                    let from = cells[tile];
                    for to in CellSet(neighbours[usize::from(from)].0 & region.0).iter() {
                        cells[tile] = to;
                        next.push(packed(cells, from));
                    }
                    cells[tile] = from;
                }
            }
            level = next;
            number += 1;
        }
        let arrangements = levels.chunks_exact(cell_count);
        let mut part =
            Self { cell_count, excess: vec![0; arrangements.len()], trapped: Vec::new() };
        for (at, levels) in arrangements.enumerate() {
            let mut reached = levels.iter().filter(|level| **level != DEPENDS);
            let Some(&least) = reached.next() else { continue };
            let (mut cells, mut rest) = ([0; PART_TILE_COUNT], at);
            for cell in cells[..homes.len()].iter_mut().rev() {
                *cell = (rest % cell_count) as Cell;
                rest /= cell_count;
            }
            let cells = &cells[..homes.len()];
            let distance: u32 = cells.iter().zip(homes).map(|(&a, &b)| shape.distance(a, b)).sum();
            let excess = |level: u8| ((u32::from(level) - distance) / 2) as u8;
            if reached.all(|level| *level == least) {
                part.excess[at] = excess(least);
                continue;
            }
            part.excess[at] = DEPENDS;
            for (blank, &level) in levels.iter().enumerate().filter(|(_, level)| **level != DEPENDS)
            {
                part.trapped.push(((at * cell_count + blank) as u32, excess(level)));
            }
        }
        part
    }

    /// Returns half of the moves beyond Manhattan distance, by the cells of the tiles and the
    /// blank's.
    #[inline]
    pub(crate) fn excess(&self, cells: impl Iterator<Item = Cell>, blank: Cell) -> u8 {
        let index = |at: usize, cell: Cell| at * self.cell_count + usize::from(cell);
        let arrangement = cells.fold(0, index);
        match self.excess[arrangement] {
            DEPENDS => {
                let state = (arrangement * self.cell_count + usize::from(blank)) as u32;
                let found = self.trapped.binary_search_by_key(&state, |&(state, _)| state);
                // The value of a state that no board projects to does not matter.
                found.map_or(0, |place| self.trapped[place].1)
            }
            excess => excess,
        }
    }
}

#[inline]
pub(crate) fn packed(cells: &[Cell], blank: Cell) -> u64 {
    cells.iter().fold(u64::from(blank), |word, &cell| word << CELL_BITS | u64::from(cell))
}

#[inline]
pub(crate) fn unpacked(mut word: u64, tile_count: usize) -> ([Cell; TILES_MAX], Cell) {
    let mut cells = [0; TILES_MAX];
    for cell in cells[..tile_count].iter_mut().rev() {
        *cell = (word & ((1 << CELL_BITS) - 1)) as Cell;
        word >>= CELL_BITS;
    }
    (cells, word as Cell)
}
