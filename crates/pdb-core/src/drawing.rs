//! Patterns as they are drawn: read from a drawing, and those of a plan, with their mirror images.

use core::fmt;
use std::collections::BTreeMap;
use std::error::Error;

use crate::notation::rows;
use crate::plan::{PlanKind, View};
use crate::{BLANK, BoardError, CellSet, Goal, Plan, Symmetry, TableKey};

/// Failure of a text to be a drawing of patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawingError {
    /// The drawing has other cells than the goal.
    Shape(BoardError),
    /// A cell has no letter where a tile has its home, or something else than a blank.
    Cell {
        /// The tile, 0 for the blank.
        tile: u8,
        /// Its row, counted from 1.
        row: usize,
        /// Its column, counted from 1.
        col: usize,
        /// The drawn word.
        found: String,
    },
}

impl fmt::Display for DrawingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(error) => error.fmt(f),
            Self::Cell { tile, row, col, found } => {
                write!(f, "row {row}, column {col} holds {found:?}: expected ")?;
                match *tile {
                    BLANK => f.write_str("0, . or _ for the home of the blank"),
                    tile => write!(f, "the letter A to Z of the pattern with tile {tile}"),
                }
            }
        }
    }
}

impl Error for DrawingError {}

impl Plan {
    /// Returns the patterns that are looked up, as goal cells: those of each partition, each plain
    /// pattern, or the classes of each colouring. Mirror images follow their originals. Walking
    /// Distance has none.
    pub fn drawn_patterns(&self) -> Vec<Vec<CellSet>> {
        let drawn = |view: &View| -> Vec<CellSet> {
            let sets: &[CellSet] = match &self.tables()[view.table] {
                TableKey::Pattern(key) => &[key.homes],
                TableKey::Coloured(key) => key.classes(),
                TableKey::Walking(_) => &[],
            };
            sets.iter().map(|&homes| view.symmetry.inverse().set(homes)).collect()
        };
        match self.kind() {
            PlanKind::Additive { partitions } => {
                partitions.iter().map(|views| views.iter().flat_map(drawn).collect()).collect()
            }
            PlanKind::Plain { views } | PlanKind::Coloured { views } => {
                views.iter().map(drawn).collect()
            }
            PlanKind::Walking { .. } => Vec::new(),
        }
    }
}

impl Goal {
    /// Reads a drawing of this goal with the letter of a pattern for each tile, and returns the
    /// tiles of each pattern, in the order of the letters. Rows end at `/`, `;` or a line end.
    ///
    /// # Errors
    /// A [`DrawingError`] that names the cell.
    ///
    /// ```
    /// use pdb_core::{BlankMode, Goal, Plan, Shape};
    ///
    /// let goal = Goal::blank_last(Shape::new(3, 3)?);
    /// let patterns = goal.read_patterns("A A B/A A B/B B .")?;
    /// assert_eq!(patterns, [[1, 2, 4, 5], [3, 6, 7, 8]]);
    /// let plan = Plan::additive(&goal, &[patterns], BlankMode::Aware, false)?;
    /// assert_eq!(plan.tables().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_patterns(&self, drawing: &str) -> Result<Vec<Vec<u8>>, DrawingError> {
        let (shape, cols) = (self.shape(), self.shape().cols());
        let rows = rows(drawing);
        if let Some(row) = rows.iter().position(|row| row.len() != cols) {
            let found = rows[row].len();
            return Err(DrawingError::Shape(BoardError::Ragged {
                row: row + 1,
                expected: cols,
                found,
            }));
        }
        if rows.len() != shape.rows() {
            let found = rows.len() * cols;
            return Err(DrawingError::Shape(BoardError::CellCount { shape, found }));
        }
        let mut patterns = BTreeMap::<u8, Vec<u8>>::new();
        for (cell, (word, &tile)) in rows.iter().flatten().zip(self.board().tiles()).enumerate() {
            match word.as_bytes() {
                [letter @ b'A'..=b'Z'] if tile != BLANK => {
                    patterns.entry(*letter).or_default().push(tile);
                }
                b"0" | b"." | b"_" if tile == BLANK => {}
                _ => {
                    let (row, col, found) = (cell / cols + 1, cell % cols + 1, word.to_string());
                    return Err(DrawingError::Cell { tile, row, col, found });
                }
            }
        }
        Ok(patterns.into_values().collect())
    }

    /// Returns for each drawing the earlier one whose mirror image it is, if there is one.
    pub fn mirrored(&self, drawings: &[Vec<CellSet>]) -> Vec<Option<usize>> {
        let mirrors: Vec<Symmetry> = self.mirrors().collect();
        let sorted = |mut sets: Vec<CellSet>| {
            sets.sort_unstable();
            sets
        };
        let is_image = |of: &[CellSet], drawing: &[CellSet]| {
            let image = |mirror: &Symmetry| sorted(of.iter().map(|set| mirror.set(*set)).collect());
            mirrors.iter().any(|mirror| image(mirror) == sorted(drawing.to_vec()))
        };
        let of = |nth: usize| (0..nth).find(|&before| is_image(&drawings[before], &drawings[nth]));
        (0..drawings.len()).map(of).collect()
    }
}
