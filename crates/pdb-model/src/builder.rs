//! How a model is put together, and what its variables stand for.

use std::fmt;

use pdb_core::{BLANK, Board, Cell, Direction};

use crate::{Family, Model, Row, Sense, Term, Variable};

/// What a variable stands for. Times count moves that were made, from 0; moves are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Where a piece is at a time: 1 for the first cell.
    Position { tile: u8, time: u32 },
    /// The blank's column at a time, from 1.
    Column { time: u32 },
    /// The blank's row at a time, from 0.
    Row { time: u32 },
    /// Whether a piece moves in a move; the blank, whether there is a move.
    Moves { tile: u8, number: u32 },
    /// Whether a tile moves that way in a move.
    Goes { direction: Direction, number: u32 },
    /// Whether a tile is on a cell at a time.
    At { tile: u8, cell: Cell, time: u32 },
    /// Whether the blank goes from one cell to another in a move.
    Arc { from: Cell, to: Cell, number: u32 },
    /// Whether a tile slides from one cell to another in a move.
    Slide { tile: u8, from: Cell, to: Cell, number: u32 },
}

impl Meaning {
    /// The value in a sequence of boards, one for each time; boards at the end may be alike.
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

/// A model in the making.
pub(crate) struct Builder {
    pub(crate) model: Model,
    pub(crate) meanings: Vec<Meaning>,
    /// Whether a row without variables does not hold.
    pub(crate) is_ruled_out: bool,
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
        Self { model, meanings: Vec::new(), is_ruled_out: false }
    }

    /// Adds a variable, and says its place.
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

    /// Begins a family: the rows that follow belong to it.
    pub(crate) fn family(&mut self, name: &str, meaning: &str) {
        self.model.families.push(Family { name: name.to_owned(), meaning: meaning.to_owned() });
    }

    /// Adds a row to the last family. `index` ends its name.
    pub(crate) fn row(
        &mut self,
        index: impl fmt::Display,
        terms: impl IntoIterator<Item = (i64, usize)>,
        sense: Sense,
        right: i64,
    ) {
        let mut terms: Vec<Term> =
            terms.into_iter().map(|(factor, variable)| Term { factor, variable }).collect();
        // Readers of files expect the order of the variables nowhere, but people do.
        terms.sort_unstable_by_key(|term| term.variable);
        debug_assert!(terms.windows(2).all(|pair| pair[0].variable < pair[1].variable));
        let family = self.model.families.len() - 1;
        let name = format!("{}_{index}", self.model.families[family].name);
        let row = Row { name, family, terms, sense, right };
        if !row.terms.is_empty() {
            self.model.rows.push(row);
        } else if !row.holds(&[]) {
            self.is_ruled_out = true;
        }
    }

    /// Forgets families that have no rows.
    pub(crate) fn finish(mut self) -> (Model, Vec<Meaning>) {
        let mut is_used = vec![false; self.model.families.len()];
        for row in &self.model.rows {
            is_used[row.family] = true;
        }
        let mut places = Vec::with_capacity(is_used.len());
        let mut next = 0;
        for &used in &is_used {
            places.push(next);
            next += usize::from(used);
        }
        for row in &mut self.model.rows {
            row.family = places[row.family];
        }
        let mut used = is_used.iter();
        self.model.families.retain(|_| *used.next().expect("there is one flag for each family"));
        (self.model, self.meanings)
    }
}
