//! What is asked of many boards at once and needs no search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use pdb_core::{Board, Direction, Goal};
use pdb_search::SearchError;

use crate::tilebase::confirm;
use crate::{Cancel, Error, Search, Tilebase};

/// A thread is worth its start for so many boards.
const BOARDS_OF_THREAD: usize = 4096;
/// All boards of so many cells are listed: a byte for each of 12! arrangements.
const LISTED_CELLS_MAX: usize = 12;
/// The distance of boards from which no moves lead to the goal.
pub const NO_DISTANCE: u8 = u8::MAX;

impl Tilebase {
    /// The [estimates](Self::estimate) of many boards, in their order, on the threads of `search`.
    ///
    /// # Errors
    /// [`Error::OfMany`] for the first board with something wrong, such as one that cannot be solved;
    /// [`Error::Interrupted`] when `search` is cancelled; those of [`engine`](Self::engine).
    pub fn estimate_all(&self, boards: &[Board], search: &Search) -> Result<Vec<u32>, Error> {
        let threads = boards.len().div_ceil(BOARDS_OF_THREAD).clamp(1, search.thread_count.max(1));
        let part = boards.len().div_ceil(threads).max(1);
        let mut estimates = vec![0; boards.len()];
        let has_failed = AtomicBool::new(false);
        let parts = boards.chunks(part).zip(estimates.chunks_mut(part)).enumerate();
        let mut results = Vec::new();
        thread::scope(|scope| {
            let mut work = parts.map(|(nth, (boards, estimates))| {
                let has_failed = &has_failed;
                move || {
                    let given_up =
                        || search.cancel.is_cancelled() || has_failed.load(Ordering::Relaxed);
                    let result = self.estimate_part(
                        (nth * part, boards),
                        estimates,
                        &search.cancel,
                        &given_up,
                    );
                    has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
                    result
                }
            });
            let first = work.next();
            let mut handles = Vec::new();
            for work in work {
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(handle) => handles.push(handle),
                    Err(source) => {
                        has_failed.store(true, Ordering::Relaxed);
                        results.push(Err(Error::Threads { source }));
                        break;
                    }
                }
            }
            results.extend(first.map(|mut work| work()));
            for handle in handles {
                results
                    .push(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
        });
        // What was given up because of another part is no news.
        let mut problem = None;
        for result in results {
            match (result, &problem) {
                (Ok(()), _) | (Err(Error::Interrupted), Some(_)) => (),
                (Err(error), None | Some(Error::Interrupted)) => problem = Some(error),
                (Err(_), Some(_)) => (),
            }
        }
        problem.map_or(Ok(estimates), Err)
    }

    /// Estimates boards, the first of which has a place among more.
    fn estimate_part(
        &self,
        (first, boards): (usize, &[Board]),
        mut estimates: &mut [u32],
        cancel: &Cancel,
        given_up: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let of_many = |place, problem| Error::OfMany { place, problem: Box::new(problem) };
        let mut place = first;
        for boards in boards.chunk_by(|a, b| a.shape() == b.shape()) {
            let goal = self.goal(boards[0].shape());
            let goal = goal.map_err(|error| of_many(place, error.into()))?;
            for boards in boards.chunks(BOARDS_OF_THREAD) {
                if given_up() {
                    return Err(Error::Interrupted);
                }
                for (nth, board) in boards.iter().enumerate() {
                    let solvable = goal.check_solvable(board).map_err(SearchError::Unsolvable);
                    solvable.map_err(|reason| of_many(place + nth, reason.into()))?;
                }
                let engine = self.engine_with(&goal, cancel)?;
                let found = engine.estimate_all(boards);
                // A table that is damaged explains whatever came of it.
                confirm(&engine)?;
                let found = found.map_err(|(nth, problem)| {
                    of_many(place + nth, SearchError::from(problem).into())
                })?;
                let (these, others) = estimates.split_at_mut(boards.len());
                these.copy_from_slice(&found);
                estimates = others;
                place += boards.len();
            }
        }
        Ok(())
    }
}

/// The distances of all boards of a small shape from a goal, in moves, in the order of their
/// [ranks](Board::rank); [`NO_DISTANCE`] where no moves lead to the goal, which is so for half of them.
///
/// It takes a byte for each arrangement, and for 3x4 and 2x6, which have 479 million, about a minute.
///
/// # Errors
/// [`Error::TooManyBoards`] for shapes of more than 12 cells; [`Error::Interrupted`] when it is cancelled.
pub fn distances(goal: &Goal, cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let shape = goal.shape();
    let count = shape.rank_count().filter(|_| shape.cell_count() <= LISTED_CELLS_MAX);
    let cells_max = LISTED_CELLS_MAX;
    let count = count.ok_or(Error::TooManyBoards { shape, cells_max })?;
    let rank = |board: &Board| board.rank().expect("the shape has ranks") as u32;
    let mut distances = vec![NO_DISTANCE; count as usize];
    let mut level = vec![rank(goal.board())];
    distances[level[0] as usize] = 0;
    let mut distance = 0;
    while !level.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for (nth, &of) in level.iter().enumerate() {
            if nth % BOARDS_OF_THREAD == 0 && cancel.is_cancelled() {
                return Err(Error::Interrupted);
            }
            let board = Board::of_rank(shape, of.into()).expect("it was a board's rank");
            for neighbour in Direction::ALL.into_iter().filter_map(|d| board.moved(d)) {
                let rank = rank(&neighbour);
                let known = &mut distances[rank as usize];
                if *known == NO_DISTANCE {
                    *known = distance;
                    next.push(rank);
                }
            }
        }
        level = next;
    }
    Ok(distances)
}
