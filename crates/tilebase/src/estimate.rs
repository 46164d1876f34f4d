//! Estimates of boards without a search.

use std::sync::atomic::{AtomicBool, Ordering};

use pdb_core::Board;
use pdb_search::SearchError;

use crate::error::Error;
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::search::Search;
use crate::shelf::{confirm, confirmed};
use crate::sync::each_place;

/// Number of boards that a thread estimates before it takes the next ones. For fewer boards,
/// starting a thread is not worthwhile.
const BLOCK_BOARDS: usize = 4096;

impl Tilebase {
    /// Estimates a board's distance to the goal. The estimate is a lower bound, unless the
    /// heuristic is learned.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn estimate(&self, board: impl IntoBoard) -> Result<u32, Error> {
        self.estimate_with(board, self.search())
    }

    /// Estimates a board, like [`estimate`](Self::estimate). `search` has the threads that build
    /// missing tables, and the flag that stops them.
    ///
    /// # Errors
    /// As [`estimate`](Self::estimate).
    pub fn estimate_with(&self, board: impl IntoBoard, search: &Search) -> Result<u32, Error> {
        let board = board.into_board(self.shape())?;
        let goal = self.goal(board.shape())?;
        goal.check(&board).map_err(SearchError::from)?;
        let engine = self.engine_with(&goal, search)?;
        confirmed([&*engine], engine.estimate(&board))
    }

    /// Returns the [estimates](Self::estimate) of many boards, in their order. It uses the threads
    /// of `search`.
    ///
    /// # Errors
    /// [`Error::OfMany`] for the first wrong board, such as one without a solution;
    /// [`Error::Interrupted`] when `search` is cancelled; those of [`engine`](Self::engine).
    pub fn estimate_all(&self, boards: &[Board], search: &Search) -> Result<Vec<u32>, Error> {
        let of_shape = boards.chunk_by(|a, b| a.shape() == b.shape());
        let blocks: Vec<&[Board]> = of_shape.flat_map(|part| part.chunks(BLOCK_BOARDS)).collect();
        let has_failed = AtomicBool::new(false);
        let results = each_place(blocks.len(), self.threads(search), &|number, (): &mut ()| {
            if search.cancel.is_cancelled() || has_failed.load(Ordering::Relaxed) {
                return None;
            }
            let result = self.estimate_block(blocks[number], search);
            has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
            Some(result)
        });
        let mut estimates = Vec::with_capacity(boards.len());
        for (_, result) in results {
            let of_block = result.map_err(|error| match error {
                Error::OfMany { place, problem } => {
                    Error::OfMany { place: estimates.len() + place, problem }
                }
                other => other,
            })?;
            estimates.extend(of_block);
        }
        if estimates.len() < boards.len() {
            return Err(Error::Interrupted);
        }
        Ok(estimates)
    }

    /// Estimates boards of one shape.
    fn estimate_block(&self, boards: &[Board], search: &Search) -> Result<Vec<u32>, Error> {
        let wrong = |place, problem| Error::OfMany { place, problem: Box::new(problem) };
        let goal = self.goal(boards[0].shape()).map_err(|error| wrong(0, error.into()))?;
        for (place, board) in boards.iter().enumerate() {
            let checked = goal.check(board).map_err(SearchError::from);
            checked.map_err(|reason| wrong(place, reason.into()))?;
        }
        let engine = self.engine_with(&goal, search)?;
        let estimates = engine.estimate_all(boards);
        // A damaged table would explain any error, so it is reported first.
        confirm(&engine)?;
        estimates.map_err(|(place, problem)| wrong(place, SearchError::from(problem).into()))
    }
}
