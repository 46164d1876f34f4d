//! The console of a command: its results, notes and progress.

use std::fmt::Display;
use std::io::{self, Write};

use tilebase::sets::InputBoards;
use tilebase::{Board, Error};

use crate::failure::Verdict;
use crate::interrupt;
use crate::output::Output;
use crate::progress::ProgressDisplay;
use crate::record::{self, RecordStyle};

/// Standard output, and progress on standard error. Results are written to the console itself.
#[derive(Debug)]
pub(crate) struct Console {
    pub(crate) output: Output,
    pub(crate) progress: ProgressDisplay,
}

impl Console {
    /// Prints a line on standard error, unless the program is quiet.
    pub(crate) fn note(&self, text: impl Display) {
        self.progress.note(text);
    }

    /// Returns whether the reader of the results has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.output.get_ref().is_closed
    }

    /// Returns whether nothing more needs to be written, because the reader has gone or there was
    /// an interrupt.
    pub(crate) fn is_done(&self) -> bool {
        self.is_closed() || interrupt::is_set()
    }

    /// Answers boards one after another until [`is_done`](Self::is_done): `answer` finds the answer
    /// of a board and `write` prints it. For a board without an answer, a record of the error is
    /// printed. `gap` is written between answers.
    pub(crate) fn answer_each<T>(
        &mut self,
        boards: InputBoards,
        style: RecordStyle,
        gap: &str,
        mut answer: impl FnMut(&mut Self, &Board) -> Result<T, Error>,
        mut write: impl FnMut(&mut Self, T) -> anyhow::Result<Verdict>,
    ) -> anyhow::Result<Verdict> {
        let mut verdict = Verdict::Good;
        let mut is_first = true;
        for given in boards {
            if !is_first {
                write!(self, "{gap}")?;
            }
            is_first = false;
            let answered = match given {
                Ok(given) => answer(self, &given.board).map_err(|error| (Some(given.board), error)),
                Err(error) => Err((None, error)),
            };
            let of_board = match answered {
                Ok(answer) => write(self, answer)?,
                Err((board, error)) => {
                    let record = record::of_problem(board, error, style.is_single)?;
                    record::write_failure(self, &record, style)?;
                    Verdict::Bad
                }
            };
            verdict = verdict.max(of_board);
            self.flush()?;
            if self.is_done() {
                break;
            }
        }
        if is_first && !interrupt::is_set() {
            return Err(record::no_board());
        }
        Ok(verdict)
    }
}

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
