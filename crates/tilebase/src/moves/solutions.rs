//! Counts and lists of all solutions of a board.

use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::Direction;
use pdb_lab::Engine;
use pdb_lab::searches::{Enumeration, Further, SolutionQuery, Tell};
use pdb_search::{LimitKind, Limits, Status};

use crate::answer::Answer;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::moves::values::rest_of;
use crate::search::Search;
use crate::shelf::confirm;

/// Default share of the memory for the counts of boards: a quarter. Tables need the rest.
const MEMORY_SHARE: u64 = 4;

/// Options of a search for all solutions of a board.
///
/// ```
/// use tilebase::Tilebase;
/// use tilebase::moves::SolutionOptions;
///
/// # let folder = tempfile::tempdir()?;
/// let tables = Tilebase::builder().spec("8/whole").folder(folder.path()).ensure()?;
/// let set = tables.solutions("8 6 7/2 5 4/3 0 1", &SolutionOptions::count(), &mut |_, _| true)?;
/// assert_eq!((set.answer.length(), set.count()), (Some(31), 40));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolutionOptions {
    /// Number of moves that a solution may have beyond a shortest one. `None`: any number, until
    /// the list is full.
    pub slack: Option<u32>,
    /// Largest number of solutions in the list.
    pub list_max: u64,
    /// Whether solutions beyond the list are counted.
    pub counts_rest: bool,
    /// Memory limit for the counts of boards, in bytes. Default: a quarter of the handle's memory.
    pub memory_bytes: Option<u64>,
    /// Options of the search; the limits hold for all of it together. Default: those of the handle.
    pub search: Option<Search>,
}

impl SolutionOptions {
    /// Counts the shortest solutions, and lists none.
    pub fn count() -> Self {
        let (memory_bytes, search) = (None, None);
        Self { slack: Some(0), list_max: 0, counts_rest: true, memory_bytes, search }
    }

    /// Lists all shortest solutions.
    pub fn all() -> Self {
        Self { list_max: u64::MAX, ..Self::count() }
    }

    /// Lists `count` of the shortest solutions; if there are fewer, longer ones too.
    pub fn best(count: u64) -> Self {
        Self { slack: None, list_max: count, counts_rest: false, ..Self::count() }
    }

    /// Includes solutions with up to `slack` more moves.
    #[must_use]
    pub fn slack(self, slack: u32) -> Self {
        Self { slack: Some(slack), ..self }
    }
}

/// Number of solutions of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LengthCount {
    /// The length, in moves.
    pub length: u32,
    /// Number of solutions found.
    pub count: u128,
    /// Whether these are all solutions of that length.
    pub is_complete: bool,
}

/// Result of a search for all solutions of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolutionSet {
    /// The answer to the board itself.
    pub answer: Answer,
    /// The counts of each length, the shortest first.
    pub lengths: Vec<LengthCount>,
    /// Number of listed solutions.
    pub listed: u64,
    /// Whether nothing requested is missing: all counts, and the whole list.
    pub is_complete: bool,
    /// The limit that stopped the search before it was complete.
    pub limit: Option<LimitKind>,
    /// Nodes generated for the board and for its solutions.
    pub generated: u64,
    /// Nodes expanded for both.
    pub expanded: u64,
    /// Nodes whose solutions were known from another path to the same board.
    pub merged: u64,
    /// Peak of the memory for the counts of boards, in bytes.
    pub memory_bytes: u64,
    /// Total time.
    pub elapsed: Duration,
}

impl SolutionSet {
    /// Returns the number of solutions found, of all lengths together.
    pub fn count(&self) -> u128 {
        self.lengths.iter().fold(0, |sum, of_length| sum.saturating_add(of_length.count))
    }
}

impl Tilebase {
    /// Finds the solutions of a board: their number, a list of them, or both.
    ///
    /// A solution ends at the goal, does not reach it before, and has no move that takes back the
    /// one before. Where slides count, they are along rows and along columns in turn. `list`
    /// receives the board's answer and each solution as directions of the tiles, in ascending
    /// length, and within a length in the order `U`, `R`, `D`, `L` of their moves. It returns
    /// whether to continue.
    ///
    /// Every listed solution leads to the goal, even if tables are damaged. Once this returns, it
    /// is certain that none is missing.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solutions(
        &self,
        board: impl IntoBoard,
        wanted: &SolutionOptions,
        list: &mut dyn FnMut(&Answer, &[Direction]) -> bool,
    ) -> Result<SolutionSet, Error> {
        let started = Instant::now();
        let search = wanted.search.as_ref().unwrap_or(self.search());
        let (answer, engine) = self.solve_for(board, search, Some("a search of all solutions"))?;
        let mut set = SolutionSet {
            lengths: Vec::new(),
            listed: 0,
            is_complete: false,
            limit: None,
            generated: answer.generated,
            expanded: answer.expanded,
            merged: 0,
            memory_bytes: 0,
            elapsed: Duration::ZERO,
            answer,
        };
        match &set.answer.status {
            Status::Optimal { moves } => {
                let shortest = set.answer.metric.count(moves) as u32;
                let engine = engine.expect("a solved board was searched");
                self.enumerate(&mut set, (shortest, &engine), started, (wanted, search), list)?;
            }
            // An unsolvable board has no solutions, so nothing is missing.
            Status::Unsolvable(_) => set.is_complete = true,
            // A solution in the time for the best one is no answer here.
            Status::Solved { limit: None, .. } => set.limit = Some(LimitKind::Time),
            _ => set.limit = set.answer.limit(),
        }
        set.elapsed = started.elapsed();
        Ok(set)
    }

    fn enumerate(
        &self,
        set: &mut SolutionSet,
        (shortest, engine): (u32, &Engine),
        started: Instant,
        (wanted, search): (&SolutionOptions, &Search),
        list: &mut dyn FnMut(&Answer, &[Direction]) -> bool,
    ) -> Result<(), Error> {
        let of_handle = || self.shelf().memory.bytes() / MEMORY_SHARE;
        let memory = Some(wanted.memory_bytes.unwrap_or_else(of_handle));
        let longest = wanted.slack.map_or(u32::MAX, |slack| shortest.saturating_add(slack));
        let mut is_wanted = wanted.list_max > 0 || wanted.counts_rest;
        let mut length = shortest;
        let mut is_all = true;
        while is_wanted && length <= longest {
            let limits = Limits { memory, ..rest_of(search, started, set.generated) };
            let is_listing = set.listed < wanted.list_max;
            let SolutionSet { answer, listed, .. } = &mut *set;
            let further = |listed: u64, goes_on: bool| match (goes_on, wanted.counts_rest) {
                (true, _) if listed < wanted.list_max => Further::Tell,
                (true, true) => Further::Count,
                _ => Further::Stop,
            };
            let mut goes_on = true;
            let mut tell = |moves: &[Direction]| {
                *listed += 1;
                goes_on = list(answer, moves);
                further(*listed, goes_on)
            };
            let tell: Option<&mut Tell<'_>> = if is_listing { Some(&mut tell) } else { None };
            let of_length = SolutionQuery { length, is_shortest: length == shortest };
            let found = engine.solutions(&answer.board, of_length, limits, tell)?;
            let Enumeration { count, is_complete, limit, has_longer, .. } = found;
            // An interrupted search may have missed the solution that the board was solved with.
            let known = u128::from(length == shortest && wanted.counts_rest);
            set.lengths.push(LengthCount { length, count: count.max(known), is_complete });
            set.generated += found.generated;
            set.expanded += found.expanded;
            set.merged += found.merged;
            set.memory_bytes = set.memory_bytes.max(found.memory_bytes);
            set.limit = limit;
            // A full list is complete if solutions beyond it are not counted.
            let is_listed = !wanted.counts_rest && set.listed >= wanted.list_max;
            is_all &= is_complete || is_listed;
            is_wanted = goes_on && is_complete && has_longer && !is_listed;
            length += engine.metric().step();
        }
        // A damaged table may have hidden solutions.
        confirm(engine)?;
        let is_list_whole =
            wanted.list_max == 0 || !wanted.counts_rest || u128::from(set.listed) == set.count();
        set.is_complete = is_all && is_list_whole;
        Ok(())
    }
}
