//! `tilebase apply`: the board after moves.

use std::io::Write;

use serde::Serialize;
use tilebase::Shape;
use tilebase::sets::NamedBoards;
use tilebase::text::format_moves;

use crate::args::{self, BoardAndMoves, MovesArg};
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::record;

/// Arguments of `tilebase apply`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("the board after five moves", r#"tilebase apply "1 2 3/4 5 6/7 8 0" DDRRU"#),
    ("after the moves of these tiles", r#"tilebase apply "1 2 3/4 5 6/7 8 0" 6 3 2"#),
]))]
pub(crate) struct Args {
    #[command(flatten)]
    given: BoardAndMoves,
    /// Rows and columns of a board without row separators [default: square]
    #[arg(long, value_name = "RxC", value_parser = args::shape, help_heading = help::BOARDS)]
    size: Option<Shape>,
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
    end: String,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let words = std::slice::from_ref(&self.given.board);
        let board = record::only_board(NamedBoards::of_words(words, self.size)?)?;
        let moves = self.given.moves(self.moves)?;
        let replay = moves.replay(&board);
        if let Some(problem) = replay.illegal {
            return Err(usage(problem));
        }
        match self.format {
            Format::Ndjson => {
                let applied = ApplyRecord {
                    board: board.to_string(),
                    moves: format_moves(&board, &replay.moves, self.moves.style()),
                    end: replay.board.to_string(),
                };
                record::write_json(console, &applied)?;
            }
            _ => writeln!(console, "{}", replay.board)?,
        }
        Ok(Verdict::Good)
    }
}
