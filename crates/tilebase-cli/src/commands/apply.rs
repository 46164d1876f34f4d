//! `tilebase apply`: the board after moves.

use std::io::Write;
use std::slice;

use serde::Serialize;
use tilebase::names::GoalChoice;
use tilebase::sets::NamedBoards;
use tilebase::text::{BoardFormat, WrittenMoves, format_moves, parse_moves};
use tilebase::{Board, Error, Goal, Metric, Shape};

use crate::args::{self, BlankArg, MovesArg, Sequence};
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::record;

/// Number of cells of the smallest board.
const CELLS_MIN: usize = 4;

/// Arguments of `tilebase apply`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("the board after five moves", r#"tilebase apply "1 2 3/4 5 6/7 8 0" DDRRU"#),
    ("after the moves of these tiles", r#"tilebase apply "1 2 3/4 5 6/7 8 0" 6 3 2"#),
    ("the board of a scramble", r#"tilebase apply goal "R D2 L U" --size 4x4"#),
]))]
pub(crate) struct Args {
    /// The board, in any usual notation and in quotes; a file with one, - for standard input; goal,
    /// blank-last, blank-first or snail for that goal; or a scramble: moves from the goal
    #[arg(value_name = "BOARD|GOAL|SCRAMBLE", help_heading = help::BOARDS)]
    board: String,
    #[command(flatten)]
    sequence: Sequence,
    /// Rows and columns of a board without row separators [default: square; 4x4 for a goal]
    #[arg(long, value_name = "RxC", value_parser = args::shape, help_heading = help::BOARDS)]
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
        let board = self.start(console)?;
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
    fn start(&self, console: &Console) -> anyhow::Result<Board> {
        let shape = self.size.unwrap_or_else(args::default_shape);
        let usual = Goal::blank_last(shape);
        if self.board == "goal" {
            return Ok(*usual.board());
        }
        if let Ok(GoalChoice::Preset(preset)) = GoalChoice::read(&self.board, None) {
            return Ok(*preset(shape).board());
        }
        let format = BoardFormat { shape: self.size, blank: self.blank.blank };
        let error = match NamedBoards::of_words(slice::from_ref(&self.board), format) {
            Ok(named) => return record::only_board(named),
            Err(error) => error,
        };
        let of_blank = self.moves.is_of_blank();
        // Numbers are cells, so a scramble is directions.
        let written = WrittenMoves::parse(&self.board, of_blank);
        if parse_moves(&self.board, of_blank).is_err() {
            let are_moves =
                |moves: WrittenMoves| moves.len() < CELLS_MIN || moves.make(usual.board()).is_ok();
            return Err(if written.is_ok_and(are_moves) {
                usage(format!(
                    "\"{0}\" are tiles, not a board: a scramble names directions, such as \"R D2 L U\"; \
                     `tilebase apply goal \"{0}\"` moves these tiles",
                    self.board
                ))
            } else {
                error.into()
            });
        }
        let scramble = written.map_err(usage)?;
        let (_, board) = scramble.make(usual.board()).map_err(Error::from)?;
        console
            .note(format_args!("the start is {board}, after these moves from {}", usual.board()));
        Ok(board)
    }
}
