//! Dimensions of a packed table.

use std::ops::Range;

use pdb_core::BlankMode;
use pdb_format::Packing;

use super::transpose::{Matrix, copy_bits};
use crate::search::SearchSpace;

/// The table as a matrix: blocks are rows, arrangements are columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dimensions {
    pub(crate) rows: usize,
    columns: usize,
    pub(crate) packing: Packing,
}

impl Dimensions {
    pub(crate) fn new(space: &SearchSpace, packing: Packing) -> Self {
        let index = &space.graph.index;
        let rows = match space.key.mode {
            BlankMode::Aware | BlankMode::Plain => index.block_count(),
            BlankMode::Collapsed => index.set_count(),
        };
        let columns = index.block_len() as usize;
        Self { rows, columns, packing }
    }

    pub(crate) fn entry_count(self) -> u64 {
        self.rows as u64 * self.columns as u64
    }

    /// Returns the number of bits of an entry.
    pub(crate) fn entry_bits(self) -> usize {
        self.packing.bits().expect("a pattern packing has a fixed width") as usize
    }

    pub(crate) fn row_bits(self) -> usize {
        self.columns * self.entry_bits()
    }

    /// Returns the number of words that a row would fill by itself.
    pub(crate) fn row_words(self) -> usize {
        self.row_bits().div_ceil(64)
    }

    /// Returns the number of words that rows without gaps between them fill.
    pub(crate) fn words(self, rows: usize) -> usize {
        (rows * self.row_bits()).div_ceil(64)
    }

    /// Copies some words of each row from rows without gaps between them.
    pub(crate) fn cut(self, packed: &[u64], of_row: &Range<usize>, out: &mut [u64]) {
        for (row, out) in out.chunks_exact_mut(of_row.len()).enumerate() {
            copy_bits(packed, row * self.row_bits() + 64 * of_row.start, out);
        }
    }

    /// Returns the whole matrix, its rows one after another without gaps.
    pub(crate) fn matrix(self, words: &[u64]) -> Matrix<'_> {
        let Self { rows, columns, .. } = self;
        let entry_bits = self.entry_bits();
        Matrix { words, rows, columns, row_bits: self.row_bits(), entry_bits }
    }

    /// Returns the matrix of some words of each row.
    pub(crate) fn slab<'a>(self, of_row: &Range<usize>, words: &'a [u64]) -> Matrix<'a> {
        let (rows, entry_bits) = (self.rows, self.entry_bits());
        let entries = 64 / entry_bits;
        let columns = (of_row.end * entries).min(self.columns) - of_row.start * entries;
        Matrix { words, rows, columns, row_bits: 64 * of_row.len(), entry_bits }
    }
}
