//! Answers.

use std::fmt;
use std::time::Duration;

use pdb_core::notation::{MoveStyle, format_moves};
use pdb_core::{Board, Direction, Goal, Metric, Unsolvable};
use pdb_lab::Engine;
use pdb_search::{BoundCount, LimitKind, Outcome, Status};

use crate::known_length::KnownLength;

/// A board that was read.
pub(crate) enum GivenBoard {
    /// The board needs a search.
    Open(Board, Goal),
    /// Parity excludes a solution. No table is opened or built for such a board.
    Unsolvable(Answer),
}

/// Answer to a board: its status, and the cost of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The board.
    pub board: Board,
    /// The goal.
    pub goal: Goal,
    /// Metric of lengths and bounds.
    pub metric: Metric,
    /// The spec or heuristic of the search; `None` where no search was needed.
    pub spec: Option<String>,
    /// The result.
    pub status: Status,
    /// `false` if the answer rests on [trusted](crate::Builder::trust_tables) tables, whose digests
    /// were not checked.
    pub is_checked: bool,
    /// Number of moves of a shortest solution, for a search with a learned heuristic, which proves
    /// nothing itself. `None` for other searches, or if existing tables did not prove the number
    /// within the rest of the limits.
    pub optimum: Option<u32>,
    /// The heuristic's estimate for the board.
    pub initial_estimate: Option<u32>,
    /// Nodes generated: those whose estimate was computed, pruned or not.
    pub generated: u64,
    /// Nodes expanded: those whose children were generated.
    pub expanded: u64,
    /// Look-ups into tables, without those of the root.
    pub lookups: u64,
    /// Nodes within each bound, in order.
    pub bounds: Vec<BoundCount>,
    /// Time of the search, without the proof of the [optimum](Self::optimum).
    pub elapsed: Duration,
}

impl Answer {
    pub(crate) fn new(board: &Board, engine: &Engine, outcome: Outcome) -> Self {
        Self {
            board: *board,
            goal: *engine.goal(),
            metric: engine.metric(),
            spec: Some(engine.name().to_owned()),
            status: outcome.status,
            is_checked: !engine.is_trusted(),
            optimum: None,
            initial_estimate: outcome.initial_estimate,
            generated: outcome.generated,
            expanded: outcome.expanded,
            lookups: outcome.lookups,
            bounds: outcome.bounds,
            elapsed: outcome.elapsed,
        }
    }

    /// Makes the answer of a board that parity excludes. It takes no time worth a measurement.
    pub(crate) fn unsolvable(
        board: &Board,
        goal: &Goal,
        metric: Metric,
        reason: Unsolvable,
    ) -> Self {
        Self { metric, ..Self::of_status(*board, *goal, Status::Unsolvable(reason)) }
    }

    /// Creates the answer of a status without a search, such as a test needs. It has no spec and no
    /// costs; all fields are public.
    ///
    /// ```
    /// use tilebase::{Answer, Board, Direction, Goal, Status};
    ///
    /// let board: Board = "1 2 3/4 5 6/7 0 8".parse()?;
    /// let status = Status::Optimal { moves: vec![Direction::Left] };
    /// let answer = Answer::of_status(board, Goal::blank_last(board.shape()), status);
    /// assert_eq!(answer.to_string(), "1 move: L");
    /// # Ok::<(), tilebase::pdb_core::BoardError>(())
    /// ```
    pub fn of_status(board: Board, goal: Goal, status: Status) -> Self {
        Self {
            board,
            goal,
            metric: Metric::default(),
            spec: None,
            status,
            is_checked: true,
            optimum: None,
            initial_estimate: None,
            generated: 0,
            expanded: 0,
            lookups: 0,
            bounds: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }

    /// Returns the solution, as directions of the tiles.
    pub fn moves(&self) -> Option<&[Direction]> {
        self.status.moves()
    }

    /// Returns the number of moves of the solution, by the [metric](Self::metric).
    pub fn length(&self) -> Option<usize> {
        self.moves().map(|moves| self.metric.count(moves))
    }

    /// Returns the proved lower bound of all solutions; `None` for a board without a solution.
    pub fn lower_bound(&self) -> Option<u32> {
        self.status.lower_bound_in(self.metric)
    }

    /// Returns what is known of the length of a shortest solution, for words about it. It is not
    /// meant for a board without a solution.
    pub fn known_length(&self) -> KnownLength {
        let length = self.length().map(|length| length as u32);
        let lower_bound = self.lower_bound().unwrap_or(0);
        let Self { metric, optimum, .. } = *self;
        KnownLength { metric, length, lower_bound, optimum }
    }

    /// Returns the number of moves by which the solution may exceed a shortest one: its length
    /// minus the lower bound. 0 if it is proved to be a shortest one; `None` without a solution.
    pub fn gap(&self) -> Option<u32> {
        Some((self.length()? as u32).saturating_sub(self.lower_bound()?))
    }

    /// Returns the limit that ended the search.
    pub fn limit(&self) -> Option<LimitKind> {
        self.status.limit()
    }

    /// Returns whether the search ended as it was asked to: with a solution and no limit before its
    /// proof, or with a finished shard.
    pub fn is_good(&self) -> bool {
        !matches!(self.status, Status::Unsolvable(_)) && self.limit().is_none()
    }
}

/// The result in one line: the moves, the bound that is proved, or the reason why there is no
/// solution.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Status::Unsolvable(reason) = &self.status {
            return reason.fmt(f);
        }
        self.known_length().fmt(f)?;
        match self.moves() {
            Some(moves) if !moves.is_empty() => {
                let style = MoveStyle::default().in_metric(self.metric);
                write!(f, ": {}", format_moves(&self.board, moves, style))
            }
            _ => Ok(()),
        }
    }
}
