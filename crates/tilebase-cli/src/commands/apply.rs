//! `tilebase apply`: the board after moves.

use std::io::Write;

use serde::Serialize;
use tilebase::Shape;
use tilebase::sets::NamedBoards;
use tilebase::text::{WrittenMoves, format_moves};

use crate::args::{self, MovesArg};
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
    /// The board, in any usual notation and in quotes; or a file with one, - for standard input
    #[arg(value_name = "BOARD", help_heading = help::BOARDS)]
    board: String,
    /// The moves: letters, which name the tile's direction unless --moves says otherwise, or the
    /// numbers of the tiles that move
    #[arg(value_name = "MOVES", help_heading = help::BOARDS)]
    sequence: Vec<String>,
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
        let words = std::slice::from_ref(&self.board);
        let board = record::only_board(NamedBoards::of_words(words, self.size)?)?;
        let moves = WrittenMoves::parse(&self.sequence.join(" "), self.moves.are_of_blank())
            .map_err(usage)?;
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
