//! Drawn boards: rows of cells with their places in the text.

use std::ops::Range;

use pdb_core::index::check_tile_count;
use pdb_core::notation::rows;
use pdb_core::plan::expect_tables;
use pdb_core::{
    BLANK, BoardError, Cell, CellSet, ColourIndex, ColourKey, Goal, PATTERN_TILES_MAX, PlanError,
    Shape,
};
use toml::Spanned;

use crate::source::SpecSource;
use crate::{Fault, SpecError};

/// Cells of a drawn board, as written.
struct Drawing<'a> {
    source: &'a SpecSource<'a>,
    value: &'a Spanned<String>,
    /// Rows of cells; all of one length once the shape is known.
    rows: Vec<Vec<&'a str>>,
}

impl<'a> Drawing<'a> {
    /// Splits a value into rows of cells, as reading a [`Board`](pdb_core::Board) does. Returns the
    /// drawing with its shape.
    fn read(
        source: &'a SpecSource<'a>,
        value: &'a Spanned<String>,
    ) -> Result<(Self, Shape), SpecError> {
        let drawing = Self { source, value, rows: rows(value.get_ref()) };
        let shape = drawing.shape()?;
        Ok((drawing, shape))
    }

    fn shape(&self) -> Result<Shape, SpecError> {
        let Some(first) = self.rows.first() else {
            return Err(self.error(&[], Fault::Empty));
        };
        let expected = first.len();
        if let Some(row) = self.rows.iter().position(|row| row.len() != expected) {
            let fault = BoardError::Ragged { row: row + 1, expected, found: self.rows[row].len() };
            return Err(self.error(&self.rows[row], fault.into()));
        }
        let shape = Shape::new(self.rows.len(), expected);
        let shape = shape.map_err(|error| self.error(&[], error.into()))?;
        expect_tables(shape).map_err(|error| self.error(&[], error.into()))?;
        Ok(shape)
    }

    /// Returns the cells in cell order.
    fn cells(&self) -> impl Iterator<Item = &'a str> {
        self.rows.iter().flatten().copied()
    }

    /// Returns the error of a fault at one cell, or in the drawing as a whole.
    fn error_at(&self, cell: Option<usize>, fault: Fault) -> SpecError {
        let cell = cell.and_then(|cell| self.cells().nth(cell));
        self.error(cell.as_slice(), fault)
    }

    /// Returns the error of a fault at a run of cells, or in the drawing as a whole for none.
    fn error(&self, cells: &[&str], fault: Fault) -> SpecError {
        let span = self.place(cells).unwrap_or(self.value.span());
        self.source.error(Some(span), fault)
    }

    /// Returns the range of a run of cells in the text.
    ///
    /// A string without escapes holds its value as written, so one offset maps all of its places.
    /// Other strings have no such offset.
    fn place(&self, cells: &[&str]) -> Option<Range<usize>> {
        let (first, last) = (cells.first()?, cells.last()?);
        let value = self.value.get_ref().as_str();
        let written = self.value.span();
        let offset = written.start + self.source.text[written].find(value)?;
        let place = |at: *const u8| offset + (at.addr() - value.as_ptr().addr());
        Some(place(first.as_ptr())..place(last.as_bytes().as_ptr_range().end))
    }
}

/// Reads a drawn goal.
pub(crate) fn read_goal(
    source: &SpecSource<'_>,
    value: &Spanned<String>,
) -> Result<Goal, SpecError> {
    let (drawing, _) = Drawing::read(source, value)?;
    let board = value.get_ref().parse().map_err(|error: BoardError| {
        let cell = match error {
            BoardError::Word { place, .. } => Some(place - 1),
            BoardError::OutOfRange { cell, .. } => Some(cell),
            BoardError::Repeated { second, .. } => Some(second),
            _ => None,
        };
        drawing.error_at(cell, error.into())
    })?;
    Ok(Goal::new(board))
}

/// The tiles that a drawing of patterns must give a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cover {
    /// All tiles: the patterns are a partition.
    All,
    /// Some tiles; the others are drawn as `-`.
    Some,
    /// All tiles, of which any number may have one letter: the classes of a colouring.
    Classes,
}

/// Reads drawn patterns of the goal's tiles: the home cells of each, in the order of letters.
pub(crate) fn read_patterns(
    source: &SpecSource<'_>,
    value: &Spanned<String>,
    goal: &Goal,
    cover: Cover,
) -> Result<Vec<CellSet>, SpecError> {
    let (drawing, found) = Drawing::read(source, value)?;
    let expected = goal.shape();
    if found != expected {
        return Err(drawing.error(&[], BoardError::OtherShape { expected, found }.into()));
    }
    let mut patterns = Vec::new();
    for (cell, (drawn, &tile)) in drawing.cells().zip(goal.board().tiles()).enumerate() {
        let pattern =
            read_letter(drawn, tile, cover).map_err(|fault| drawing.error(&[drawn], fault))?;
        if let Some(pattern) = pattern {
            patterns.resize(patterns.len().max(pattern + 1), CellSet::EMPTY);
            patterns[pattern].0 |= CellSet::single(cell as Cell).0;
        }
    }
    if patterns.is_empty() {
        return Err(drawing.error(&[], Fault::NoLetter));
    }
    if let Some(gap) = patterns.iter().position(|homes| homes.is_empty()) {
        // The last pattern has a tile: the vector reaches no further than the last letter.
        let (after, cell) = (gap..patterns.len())
            .find_map(|pattern| Some((pattern, patterns[pattern].first()?)))
            .expect("the last pattern is drawn");
        let fault = Fault::LetterGap { found: letter(after), missing: letter(gap) };
        return Err(drawing.error_at(Some(cell.into()), fault));
    }
    if cover == Cover::Classes {
        let key = ColourKey::new(expected, goal.home(BLANK), &patterns);
        let checked = key.and_then(|key| ColourIndex::check(&key));
        checked.map_err(|error| drawing.error(&[], PlanError::from(error).into()))?;
        return Ok(patterns);
    }
    for homes in &patterns {
        check_tile_count(expected, homes.len()).map_err(|error| {
            let first_too_many = homes.iter().nth(PATTERN_TILES_MAX).map(usize::from);
            drawing.error_at(first_too_many, PlanError::from(error).into())
        })?;
    }
    Ok(patterns)
}

/// Reads the pattern drawn for a tile of the goal; `None` for the blank or a tile in no pattern.
fn read_letter(drawn: &str, tile: u8, cover: Cover) -> Result<Option<usize>, Fault> {
    let is_blank = [".", "_", "0"].contains(&drawn);
    match drawn.as_bytes() {
        _ if is_blank && tile == BLANK => Ok(None),
        _ if is_blank => Err(Fault::NoPattern { tile }),
        _ if tile == BLANK => Err(Fault::NoBlank { found: drawn.to_owned() }),
        [letter @ b'A'..=b'Z'] => Ok(Some(usize::from(letter - b'A'))),
        b"-" if cover == Cover::Some => Ok(None),
        _ if cover == Cover::Some => Err(Fault::LetterOrDash { found: drawn.to_owned() }),
        _ => Err(Fault::Letter { found: drawn.to_owned() }),
    }
}

/// Returns the letter of a pattern.
pub(crate) fn letter(pattern: usize) -> char {
    char::from(b'A' + pattern as u8)
}
