//! Patterns on the boards of their tables.

use pdb_core::plan::View;
use pdb_core::{
    CELLS_MAX, Cell, Goal, PatternIndex, PatternKey, PatternState, RootError, TableKey,
};

use crate::Table;

/// Cells and tiles are below 64, so this mask changes no index. It spares a bounds check.
pub(crate) const MASK: usize = 63;

/// A pattern of a plan, and its place on the board of its table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement<'a> {
    pub(crate) table: &'a Table,
    pub(crate) index: &'a PatternIndex,
    pub(crate) key: PatternKey,
    /// The cell of the table for each cell of the board.
    pub(crate) cells: [Cell; MASK + 1],
    /// The tiles of the pattern, one bit each.
    pub(crate) tiles: u64,
    /// The tile with its home on each cell of the table.
    tile_at: [u8; MASK + 1],
}

impl<'a> Placement<'a> {
    pub(crate) fn new(goal: &Goal, view: &View, tables: &'a [Table]) -> Self {
        let table = &tables[view.table];
        let TableKey::Pattern(key) = table.header().key else {
            unreachable!("a plan's pattern looks into a pattern table")
        };
        let index = table.index().expect("a pattern table has an index");
        let (mut cells, mut tile_at, mut tiles) = ([0; MASK + 1], [0; MASK + 1], 0);
        for cell in goal.shape().all_cells().iter() {
            let image = view.symmetry.cell(cell);
            let tile = goal.board().tile(cell);
            cells[usize::from(cell)] = image;
            tile_at[usize::from(image)] = tile;
            tiles |= u64::from(key.homes.contains(image)) << tile;
        }
        Self { table, index, key, cells, tiles, tile_at }
    }

    /// Returns the state of the pattern, given the cell of each tile on the board.
    pub(crate) fn state(&self, cell_of: &[Cell; CELLS_MAX]) -> PatternState {
        let cell = |tile: u8| self.cells[usize::from(cell_of[usize::from(tile)])];
        self.index.state(self.key.homes, |home| cell(self.tile_at[usize::from(home)]))
    }

    /// Returns the tiles of the pattern in ascending order.
    pub(crate) fn tiles(&self) -> impl Iterator<Item = u8> {
        let tiles = self.tiles;
        (1..CELLS_MAX as u8).filter(move |tile| tiles >> tile & 1 == 1)
    }

    /// Returns the label of one of the pattern's tiles.
    pub(crate) fn label(&self, goal: &Goal, tile: u8) -> u8 {
        self.key.homes.position(self.cells[usize::from(goal.home(tile))]) as u8
    }

    pub(crate) fn damaged(&self) -> RootError {
        RootError::Damaged { table: self.table.name().to_owned() }
    }
}
