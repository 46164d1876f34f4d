//! Instances as other programs write them in `.tile` files: the size, a line, the cell of each
//! tile, a line, and the cell of each tile at the goal.

use pdb_core::{Board, Shape};

use super::found::FoundBoard;
use super::frame;
use super::grid;
use crate::text::error::BoardTextError;
use crate::text::error_kind::TextErrorKind;
use crate::text::format::BoardFormat;

/// Start of the line above the cells.
const CELLS: &str = "starting positions";
/// Start of the line above the cells at the goal.
const GOAL: &str = "goal positions";

/// Instance that is read line by line.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    /// The first and the last line.
    lines: (u64, u64),
    shape: Option<Shape>,
    /// The cells of all tiles, at the start and at the goal.
    cells: [Vec<u64>; 2],
    is_at_goal: bool,
    /// Whether a line is no number.
    is_wrong: bool,
}

impl Instance {
    /// Returns whether the second line of a file is that above the cells.
    pub(super) fn begins(line: &str) -> bool {
        let line = line.trim_start();
        line.get(..CELLS.len()).is_some_and(|start| start.eq_ignore_ascii_case(CELLS))
    }

    /// Begins an instance with the line of its size.
    pub(super) fn new(line: u64, size: &str, format: BoardFormat) -> Self {
        // Programs differ in which of two different sides stands first.
        let is_certain = |shape: &Shape| shape.rows() == shape.cols() || format.shape.is_some();
        let shape = format.shape.or(frame::size(size)).filter(is_certain);
        let cells = [Vec::new(), Vec::new()];
        Self { lines: (line, line), shape, cells, is_at_goal: false, is_wrong: false }
    }

    pub(super) fn push(&mut self, line: u64, text: &str) {
        self.lines.1 = line;
        let text = text.trim();
        if text.get(..GOAL.len()).is_some_and(|start| start.eq_ignore_ascii_case(GOAL)) {
            self.is_wrong |= self.is_at_goal;
            self.is_at_goal = true;
            return;
        }
        let cells = &mut self.cells[usize::from(self.is_at_goal)];
        for word in text.split_whitespace() {
            match grid::number(word).filter(|_| cells.len() < pdb_core::CELLS_MAX) {
                Some(cell) => cells.push(cell),
                None => self.is_wrong = true,
            }
        }
    }

    /// Returns the board and its goal.
    pub(super) fn end(&self) -> FoundBoard {
        let boards = [&self.cells[0], &self.cells[1]].map(|cells| self.board(cells));
        let [board, goal] = boards;
        let (board, goal) = match goal {
            Ok(goal) => (board, Some(goal.to_string())),
            Err(error) => (board.and(Err(error)), None),
        };
        let text = CELLS.to_owned();
        FoundBoard { first_line: self.lines.0, last_line: self.lines.1, board, goal, text }
    }

    fn board(&self, cells: &[u64]) -> Result<Board, BoardTextError> {
        let fault = || BoardTextError::from(TextErrorKind::Instance);
        let shape = self
            .shape
            .filter(|shape| !self.is_wrong && self.is_at_goal && shape.cell_count() == cells.len());
        let shape = shape.ok_or_else(fault)?;
        let mut tiles = vec![u8::MAX; cells.len()];
        for (tile, cell) in (0..).zip(cells) {
            let place = usize::try_from(*cell).ok().and_then(|cell| tiles.get_mut(cell));
            *place.ok_or_else(fault)? = tile;
        }
        Board::new(shape, &tiles).map_err(|_| fault())
    }
}
