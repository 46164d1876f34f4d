//! Construction of models, and the meaning of their variables.

use std::fmt;

use pdb_core::{BLANK, Board, Cell, Direction};

use crate::{Family, Model, Row, Sense, Term, Variable};

/// Meaning of a variable. A time is the number of moves made, from 0; moves are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Cell of a piece at a time, from 1.
    Position { tile: u8, time: u32 },
    /// Column of the blank at a time, from 1.
    Column { time: u32 },
    /// Row of the blank at a time, from 0.
    Row { time: u32 },
    /// Whether a piece moves in a move; for the blank, whether there is a move.
    Moves { tile: u8, number: u32 },
    /// Whether a tile moves in this direction in a move.
    Goes { direction: Direction, number: u32 },
    /// Whether a tile is on a cell at a time.
    At { tile: u8, cell: Cell, time: u32 },
    /// Whether a move takes the blank from one cell to another.
    Arc { from: Cell, to: Cell, number: u32 },
    /// Whether a move slides a tile from one cell to another.
    Slide { tile: u8, from: Cell, to: Cell, number: u32 },
}

impl Meaning {
    /// Returns the value for a sequence of boards, one for each time. The last boards may be equal.
    pub(crate) fn value(self, boards: &[Board]) -> i64 {
        let cell = |tile, time| boards[time as usize].cells_by_tile()[usize::from(tile)];
        let blank = |time: u32| cell(BLANK, time);
        let is = |condition| i64::from(condition);
        match self {
            Self::Position { tile, time } => i64::from(cell(tile, time)) + 1,
            Self::Column { time } => boards[0].shape().row_col(blank(time)).1 as i64 + 1,
            Self::Row { time } => boards[0].shape().row_col(blank(time)).0 as i64,
            Self::Moves { tile, number } => is(cell(tile, number - 1) != cell(tile, number)),
            Self::Goes { direction, number } => {
                let (before, after) = (blank(number - 1), blank(number));
                is(before != after && direction.tile_cell(boards[0].shape(), before) == Some(after))
            }
            Self::At { tile, cell, time } => is(boards[time as usize].tile(cell) == tile),
            Self::Arc { from, to, number } => is(blank(number - 1) == from && blank(number) == to),
            Self::Slide { tile, from, to, number } => {
                is(cell(tile, number - 1) == from && cell(tile, number) == to)
            }
        }
    }
}

/// A model under construction.
pub(crate) struct Builder {
    pub(crate) model: Model,
    pub(crate) meanings: Vec<Meaning>,
    /// Whether a row without variables is violated.
    pub(crate) is_ruled_out: bool,
    /// The family of the next rows. It is part of the model from its first row on.
    family: Family,
}

impl Builder {
    pub(crate) fn new(name: String, comments: Vec<String>) -> Self {
        let model = Model {
            name,
            comments,
            variables: Vec::new(),
            rows: Vec::new(),
            families: Vec::new(),
            objective: Vec::new(),
        };
        let family = Family { name: String::new(), meaning: String::new() };
        Self { model, meanings: Vec::new(), is_ruled_out: false, family }
    }

    /// Adds a variable and returns its index.
    pub(crate) fn variable(
        &mut self,
        name: impl fmt::Display,
        bounds: (i64, i64),
        meaning: Meaning,
    ) -> usize {
        let (low, high) = bounds;
        self.model.variables.push(Variable { name: name.to_string(), low, high });
        self.meanings.push(meaning);
        self.meanings.len() - 1
    }

    /// Starts a family: the next rows belong to it.
    pub(crate) fn family(&mut self, name: &str, meaning: &str) {
        self.family = Family { name: name.to_owned(), meaning: meaning.to_owned() };
    }

    /// Adds a row to the last family. `index` is the end of its name.
    pub(crate) fn row(
        &mut self,
        index: impl fmt::Display,
        terms: impl IntoIterator<Item = (i64, usize)>,
        sense: Sense,
        right: i64,
    ) {
        let mut terms: Vec<Term> =
            terms.into_iter().map(|(factor, variable)| Term { factor, variable }).collect();
        // For people; programs accept any order.
        terms.sort_unstable_by_key(|term| term.variable);
        debug_assert!(terms.windows(2).all(|pair| pair[0].variable < pair[1].variable));
        let families = &mut self.model.families;
        if !terms.is_empty() && families.last() != Some(&self.family) {
            families.push(self.family.clone());
        }
        let family = families.len().saturating_sub(1);
        let name = format!("{}_{index}", self.family.name);
        let row = Row { name, family, terms, sense, right };
        if !row.terms.is_empty() {
            self.model.rows.push(row);
        } else if !row.holds(&[]) {
            self.is_ruled_out = true;
        }
    }
}
