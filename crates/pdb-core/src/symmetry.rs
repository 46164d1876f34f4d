//! Symmetries of the board: reflections and rotations as maps of cells.

use crate::{CELLS_MAX, Cell, CellSet, Shape};

/// Bijection between the cells of two boards that preserves neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    from: Shape,
    to: Shape,
    cells: [Cell; CELLS_MAX],
}

impl Symmetry {
    /// Returns the symmetry that leaves every cell where it is.
    pub fn identity(shape: Shape) -> Self {
        Self::build(shape, false, false, false)
    }

    /// Returns all eight symmetries: four onto the same shape, four onto the transposed one.
    pub fn all(shape: Shape) -> impl Iterator<Item = Self> {
        (0..8).map(move |code| Self::build(shape, code & 1 != 0, code & 2 != 0, code & 4 != 0))
    }

    fn build(from: Shape, flip_rows: bool, flip_cols: bool, transpose: bool) -> Self {
        let to = if transpose { from.transposed() } else { from };
        let mut cells = [0; CELLS_MAX];
        for cell in 0..from.cell_count() as Cell {
            let (mut row, mut col) = from.row_col(cell);
            if flip_rows {
                row = from.rows() - 1 - row;
            }
            if flip_cols {
                col = from.cols() - 1 - col;
            }
            cells[usize::from(cell)] =
                if transpose { to.cell(col, row) } else { to.cell(row, col) };
        }
        Self { from, to, cells }
    }

    /// Returns the largest of the images under all symmetries of a shape, by a key, and the
    /// symmetry that leads to it: the first of several.
    pub(crate) fn to_largest<I, K: Ord>(
        shape: Shape,
        image: impl Fn(&Self) -> I,
        key: impl Fn(&I) -> K,
    ) -> (I, Self) {
        let images: Vec<_> =
            Self::all(shape).map(|symmetry| (image(&symmetry), symmetry)).collect();
        // Of equal ones, the last is the maximum.
        let largest = images.into_iter().rev().max_by_key(|(image, _)| key(image));
        largest.expect("there are eight symmetries")
    }

    /// Returns the shape of the board it maps from.
    pub fn from_shape(&self) -> Shape {
        self.from
    }

    /// Returns the shape of the board it maps to.
    pub fn to_shape(&self) -> Shape {
        self.to
    }

    /// Returns the image of a cell.
    #[inline]
    pub fn cell(&self, cell: Cell) -> Cell {
        self.cells[usize::from(cell)]
    }

    /// Returns whether rows become columns.
    pub fn swaps_axes(&self) -> bool {
        let [first, right] = [self.cell(0), self.cell(1)].map(|cell| self.to.row_col(cell));
        first.0 != right.0
    }

    /// Returns the image of a set of cells.
    pub fn set(&self, set: CellSet) -> CellSet {
        set.iter().map(|cell| self.cell(cell)).collect()
    }

    /// Composes this symmetry with `next`, which comes second.
    ///
    /// # Panics
    /// When `next` does not start from the shape that this symmetry ends in.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        assert_eq!(self.to, next.from, "symmetries follow each other on one shape");
        let mut cells = [0; CELLS_MAX];
        for (cell, image) in cells.iter_mut().enumerate().take(self.from.cell_count()) {
            *image = next.cell(self.cells[cell]);
        }
        Self { from: self.from, to: next.to, cells }
    }

    /// Returns the symmetry that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut cells = [0; CELLS_MAX];
        for cell in 0..self.from.cell_count() {
            cells[usize::from(self.cells[cell])] = cell as Cell;
        }
        Self { from: self.to, to: self.from, cells }
    }
}
