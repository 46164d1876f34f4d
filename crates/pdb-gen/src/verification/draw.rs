//! Small drawings of states for messages: one line, with rows separated by `/`.

use std::fmt::Display;

use pdb_core::region::region_of;
use pdb_core::{
    BlankMode, Cell, CellSet, ColourKey, ColourState, PatternIndex, PatternKey, PatternState,
    WalkingKey,
};
use pdb_format::walking;

fn rows<T: Display>(rows: usize, cols: usize, cell: impl Fn(usize, usize) -> T) -> String {
    let row = |r| (0..cols).map(|c| cell(r, c).to_string()).collect::<Vec<_>>().join(" ");
    (0..rows).map(row).collect::<Vec<_>>().join("/")
}

/// Draws a pattern state: a pattern tile as the number of its home cell, counted from 1; `_` where
/// the blank can be; `.` on the other free cells. For a blank-collapsed table the blank's cells are
/// unknown.
pub(super) fn pattern_state(
    key: &PatternKey,
    index: &PatternIndex,
    state: PatternState,
    blank: Cell,
) -> String {
    let shape = key.shape;
    let region = match key.mode {
        BlankMode::Aware => region_of(shape, shape.all_cells().without(state.cells), blank),
        BlankMode::Collapsed => CellSet::EMPTY,
        BlankMode::Plain => CellSet::single(blank),
    };
    rows(shape.rows(), shape.cols(), |row, col| {
        let cell = shape.cell(row, col);
        if state.cells.contains(cell) {
            let home = key.homes.iter().nth(index.label_at(state, cell));
            home.map_or_else(|| "?".to_owned(), |home| (home + 1).to_string())
        } else if region.contains(cell) {
            "_".to_owned()
        } else {
            ".".to_owned()
        }
    })
}

/// Writes the number of tiles of each home line, for each line; then the blank's line, counted from
/// 1.
pub(super) fn walking_state(key: &WalkingKey, state: u128) -> String {
    let counts =
        rows(key.lines, key.lines, |line, home| walking::count(state, key.lines, line, home));
    format!("{counts}, blank in line {}", walking::blank_line(state) + 1)
}

/// Draws a coloured state: a letter for each class, in the order of the key, and `_` for the blank.
pub(super) fn coloured_state(key: &ColourKey, state: &ColourState) -> String {
    let shape = key.shape;
    rows(shape.rows(), shape.cols(), |row, col| {
        let cell = shape.cell(row, col);
        if cell == state.blank {
            return '_';
        }
        let last = key.classes().len() - 1;
        let class = state.classes[..last].iter().position(|&class| class >> cell & 1 == 1);
        char::from(b'a' + class.unwrap_or(last) as u8)
    })
}
