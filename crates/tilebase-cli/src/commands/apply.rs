//! `tilebase apply`: the board after moves.

use std::io::Write;
use std::slice;

use serde::Serialize;
use tilebase::names::GoalChoice;
use tilebase::sets::NamedBoards;
use tilebase::text::{BoardFormat, format_moves};
use tilebase::{Board, Error, Goal, Metric, Shape};

use crate::args::{BlankArg, MovesArg, Sequence};
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::Verdict;
use crate::help;
use crate::record;

/// Arguments of `tilebase apply`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("the board after five moves", r#"tilebase apply "1 2 3/4 5 6/7 8 0" DDRRU"#),
    ("after the moves of these tiles", r#"tilebase apply "1 2 3/4 5 6/7 8 0" 6 3 2"#),
    ("the board of a scramble", r#"tilebase apply goal "R D2 L U" --size 4x4"#),
]))]
pub(crate) struct Args {
    /// The board, in any usual notation and in quotes; a file with one, - for standard input; or
    /// goal, blank-last, blank-first or snail for that goal
    #[arg(value_name = "BOARD|GOAL", help_heading = help::BOARDS)]
    board: String,
    #[command(flatten)]
    sequence: Sequence,
    /// Rows and columns of a board without row separators [default: square; 4x4 for a goal]
    #[arg(long, value_name = "RxC", help_heading = help::BOARDS)]
    size: Option<Shape>,
    #[command(flatten)]
    blank: BlankArg,
    /// Output format
    #[arg(long, value_parser = one_of(TEXT_NDJSON), default_value = "text", help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    moves: MovesArg,
}

/// Record of the board after moves.
#[derive(Debug, Serialize)]
struct ApplyRecord {
    board: String,
    moves: String,
    /// Number of moves of single tiles.
    length: usize,
    /// Number of slides of one or more tiles of a line.
    slides: usize,
    end: String,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let board = self.start()?;
        let (moves, end) = self.sequence.moves(self.moves)?.make(&board).map_err(Error::from)?;
        match self.format {
            Format::Ndjson => {
                let applied = ApplyRecord {
                    board: board.to_string(),
                    moves: format_moves(&board, &moves, self.moves.style()),
                    length: moves.len(),
                    slides: Metric::MultiTile.count(&moves),
                    end: end.to_string(),
                };
                record::write_json(console, &applied)?;
            }
            _ => writeln!(console, "{end}")?,
        }
        Ok(Verdict::Good)
    }

    /// Returns the board before the moves.
    fn start(&self) -> anyhow::Result<Board> {
        let shape = self.size.unwrap_or_default();
        if self.board == "goal" {
            return Ok(*Goal::blank_last(shape).board());
        }
        if let Ok(GoalChoice::Preset(preset)) = GoalChoice::read(&self.board, None) {
            return Ok(*preset(shape).board());
        }
        let format = BoardFormat { shape: self.size, blank: self.blank.blank };
        record::only_board(NamedBoards::of_words(slice::from_ref(&self.board), format)?)
    }
}
