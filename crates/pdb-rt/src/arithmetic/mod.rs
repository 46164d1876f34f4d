//! Arithmetic from a pattern's state to an entry of its table.
//!
//! There are three forms, with equal results. [`Nibbles`] keeps a pattern in one word, one nibble
//! per cell. So a move is two exclusive ors, and an index is two gatherings of bits and five small
//! tables. It supports boards of up to 16 cells and patterns of up to 8 tiles. [`Packed`] has the
//! cell set and the labels in one word, for boards of up to 26 cells and patterns of up to 8 tiles.
//! [`Labels`] keeps them apart, for all others.
//!
//! A form depends on the index of a table alone.

mod labels;
mod nibbles;
#[cfg(target_arch = "x86_64")]
mod packed;

use std::fmt::Debug;

use pdb_core::{BlankMode, Cell, IndexError, PatternIndex, PatternState, Shape};

pub(crate) use self::labels::Labels;
pub(crate) use self::nibbles::{NibbleTables, Nibbles};
#[cfg(target_arch = "x86_64")]
pub(crate) use self::packed::{Packed, PackedTables};

/// Representation of pattern states from which entries are computed.
pub trait Arithmetic: Copy + Debug + Send + Sync + 'static {
    /// State of a pattern, in cells of the table.
    type State: Copy + Default + Debug + Send + Sync + 'static;
    /// Tables that entries are computed with.
    type Tables: Debug + Send + Sync + 'static;

    /// Returns the tables of an index, if this form supports it.
    fn tables(self, index: &TableIndex) -> Option<&Self::Tables>;

    /// Converts a state to this form.
    fn state(self, tables: &Self::Tables, state: PatternState) -> Self::State;

    /// Returns the state after the tile `label` moved from one cell to another.
    fn moved(
        self,
        tables: &Self::Tables,
        state: Self::State,
        label: u8,
        from: Cell,
        to: Cell,
    ) -> Self::State;

    /// Returns the entry of a state with the blank on the free cell `blank`.
    fn entry(self, tables: &Self::Tables, state: Self::State, blank: Cell) -> u64;

    /// Runs work where the instructions of this form may be used.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;
}

/// Index of a table, with the tables of all forms that support it.
#[derive(Debug)]
pub struct TableIndex {
    pub(crate) index: PatternIndex,
    nibbles: Option<Box<NibbleTables>>,
    #[cfg(target_arch = "x86_64")]
    packed: Option<Box<PackedTables>>,
}

/// Everything that an index depends on: shape, number of tiles, blank mode.
pub(crate) type IndexSize = (Shape, usize, BlankMode);

impl TableIndex {
    pub(crate) fn new((shape, tile_count, mode): IndexSize) -> Result<Self, IndexError> {
        let index = PatternIndex::new(shape, tile_count, mode)?;
        Ok(Self {
            nibbles: NibbleTables::new(&index),
            #[cfg(target_arch = "x86_64")]
            packed: PackedTables::new(&index).map(Box::new),
            index,
        })
    }

    pub(crate) fn size(&self) -> IndexSize {
        (self.index.shape(), self.index.tile_count(), self.index.mode())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Portable;

    /// Compares a form with the index itself, along random walks of one pattern's tiles.
    fn check<A: Arithmetic>(arithmetic: A, table: &TableIndex) {
        let index = &table.index;
        let tables = arithmetic.tables(table).expect("this way serves the index");
        let shape = index.shape();
        let mut random = pdb_oracle::Random::default();
        let (mut state, _) = index.unrank(0);
        let mut kept = arithmetic.state(tables, state);
        let step_count = if pdb_oracle::are_long() { 200_000 } else { 40_000 };
        for _ in 0..step_count {
            let cells: Vec<Cell> = state.cells.iter().collect();
            let from = cells[random.below(cells.len())];
            let free = shape.all_cells().without(state.cells);
            let targets: Vec<Cell> =
                shape.neighbours(from).iter().filter(|&cell| free.contains(cell)).collect();
            if targets.is_empty() {
                continue;
            }
            let to = targets[random.below(targets.len())];
            let label = index.label_at(state, from) as u8;
            let after = arithmetic.moved(tables, kept, label, from, to);
            let back = arithmetic.moved(tables, after, label, to, from);
            assert_eq!(format!("{back:?}"), format!("{kept:?}"));
            state = state.moved(from, to, index.label_bits());
            kept = after;
            for blank in shape.all_cells().without(state.cells).iter() {
                assert_eq!(arithmetic.entry(tables, kept, blank), index.entry(state, blank));
            }
        }
    }

    #[test]
    fn all_methods_compute_the_entries_of_the_index() {
        let small = [(4, 4, 8), (4, 4, 7), (4, 4, 3), (2, 3, 5), (3, 5, 6)];
        let large = [(5, 5, 6), (5, 5, 1), (4, 5, 8), (2, 13, 5)];
        for (rows, cols, tile_count) in small.into_iter().chain(large) {
            let shape = Shape::new(rows, cols).unwrap();
            for mode in [BlankMode::Aware, BlankMode::Collapsed] {
                let index = TableIndex::new((shape, tile_count, mode)).unwrap();
                let is_small = shape.cell_count() <= 16;
                check(Labels, &index);
                if is_small {
                    check(Nibbles(Portable), &index);
                }
                #[cfg(target_arch = "x86_64")]
                match crate::bits::Avx2::detect() {
                    Some(fast) if is_small => check(Nibbles(fast), &index),
                    Some(fast) => check(Packed(fast), &index),
                    None => (),
                }
            }
        }
    }

    #[test]
    fn patterns_that_fit_no_word_need_labels() {
        for (rows, cols, tile_count) in [(4, 4, 9), (5, 5, 9), (5, 6, 4)] {
            let shape = Shape::new(rows, cols).unwrap();
            let index = TableIndex::new((shape, tile_count, BlankMode::Collapsed)).unwrap();
            assert!(Nibbles(Portable).tables(&index).is_none());
            #[cfg(target_arch = "x86_64")]
            assert!(index.packed.is_none());
            assert!(Labels.tables(&index).is_some());
        }
    }
}
