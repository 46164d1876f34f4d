//! Check of given moves against the board and a shortest solution.

use pdb_clock::Instant;
use pdb_core::{Board, Direction, IllegalMove};
use pdb_lab::Engine;
use pdb_search::{Claim, LimitKind, Status, Verdict};

use crate::answer::Answer;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::moves::values::rest_of;
use crate::search::Search;
use crate::text::{Replay, WrittenMoves};

/// Result of checking moves on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveCheck {
    /// The answer to the board itself: its shortest solution, or that it has none.
    pub answer: Answer,
    /// The moves before the first illegal one.
    pub moves: Vec<Direction>,
    /// The first illegal move, with the board before it.
    pub illegal: Option<IllegalMove>,
    /// The board after the moves.
    pub end: Board,
    /// Whether all moves are legal and end at the goal.
    pub solves: bool,
    /// Whether all moves are legal if each letter names the opposite direction: the blank's instead
    /// of the tile's, or the other way round. False if they are legal as they are.
    pub legal_reversed: bool,
    /// Whether the moves solve the board if each letter names the opposite direction.
    pub solves_reversed: bool,
    /// Number (from 1) of the first move that is on no shortest solution, in the
    /// [metric](Answer::metric) of the answer; `None` if there is no such move, or it is unknown.
    pub leaves_optimum_at: Option<usize>,
    /// The limit that stopped the check before all of this was known.
    pub limit: Option<LimitKind>,
}

impl MoveCheck {
    /// Returns the number of the legal moves, in the [metric](Answer::metric) of the answer.
    pub fn length(&self) -> usize {
        self.answer.metric.count(&self.moves)
    }

    /// Returns the length of a shortest solution, if it is known: from the search, or because the
    /// moves are a solution that meets the lower bound.
    pub fn optimum(&self) -> Option<u32> {
        match &self.answer.status {
            Status::Optimal { .. } => self.answer.lower_bound(),
            status => status.lower_bound().filter(|_| self.gap() == Some(0)),
        }
    }

    /// Returns whether the moves are a shortest solution; `None` if a limit stopped the check
    /// before that was known.
    pub fn is_optimal(&self) -> Option<bool> {
        let length = self.length();
        let is_longer = || self.answer.length().filter(|&known| known < length).map(|_| false);
        match self.optimum() {
            _ if !self.solves => Some(false),
            Some(optimum) => Some(length == optimum as usize),
            None => is_longer(),
        }
    }

    /// Returns the number of moves by which the moves may exceed a shortest solution: their number
    /// minus the lower bound. `None` if they do not solve the board.
    pub fn gap(&self) -> Option<u32> {
        let lower_bound = self.answer.lower_bound().filter(|_| self.solves)?;
        Some((self.length() as u32).saturating_sub(lower_bound))
    }
}

impl Tilebase {
    /// Checks moves on a board: whether each is legal, whether they solve the board, how long a
    /// shortest solution is, and at which move they leave all shortest solutions.
    ///
    /// # Errors
    /// As [`solve`](Self::solve). Illegal moves are not an error; [`MoveCheck::illegal`] has the
    /// first one.
    pub fn check(&self, board: impl IntoBoard, moves: &WrittenMoves) -> Result<MoveCheck, Error> {
        self.check_with(board, moves, self.search())
    }

    /// Checks moves on a board, like [`check`](Self::check), with the given limits and threads.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn check_with(
        &self,
        board: impl IntoBoard,
        written: &WrittenMoves,
        search: &Search,
    ) -> Result<MoveCheck, Error> {
        let started = Instant::now();
        let (answer, engine) = self.solve_for(board, search, Some("a check of moves"))?;
        let Replay { moves, board: end, illegal } = written.replay(&answer.board);
        let solves = illegal.is_none() && end == *answer.goal.board();
        let reversed = written.reversed().map(|other| other.replay(&answer.board));
        let reversed = reversed.filter(|replay| !solves && replay.illegal.is_none());
        let legal_reversed = reversed.is_some() && illegal.is_some();
        let solves_reversed = reversed.is_some_and(|replay| replay.board == *answer.goal.board());
        let limit = answer.limit();
        let leaves_optimum_at = None;
        let mut checked = MoveCheck {
            answer,
            moves,
            illegal,
            end,
            solves,
            legal_reversed,
            solves_reversed,
            leaves_optimum_at,
            limit,
        };
        if checked.is_optimal() == Some(true) {
            // A solution that meets the bound needs no search for a departure.
            checked.limit = None;
        } else if let (Status::Optimal { .. }, Some(optimum)) =
            (&checked.answer.status, checked.answer.length())
        {
            let engine = engine.expect("a solved board was searched");
            match self.departure((&checked, &engine), optimum, started, search)? {
                Ok(number) => checked.leaves_optimum_at = number,
                Err(kind) => checked.limit = Some(kind),
            }
        }
        Ok(checked)
    }

    /// Returns the number, from 1, of the first move that is on no shortest solution, or `None` if
    /// there is none; or the limit that stopped the search.
    ///
    /// This is a binary search over the boards on the way. Before that move, the board after `i`
    /// moves is `i` moves nearer to the goal. After it, every board is nearer by less.
    fn departure(
        &self,
        (checked, engine): (&MoveCheck, &Engine),
        optimum: usize,
        started: Instant,
        search: &Search,
    ) -> Result<Result<Option<usize>, LimitKind>, Error> {
        let MoveCheck { answer, moves, .. } = checked;
        // The number of single tiles that the first moves move.
        let tiles = |sum: &mut usize, each: &[Direction]| {
            *sum += each.len();
            Some(*sum)
        };
        let ends: Vec<usize> = answer.metric.moves(moves).scan(0, tiles).collect();
        let mut generated = answer.generated;
        let mut is_near = |count: usize| -> Result<Result<bool, LimitKind>, Error> {
            let begun = &moves[..ends[count - 1]];
            let board = answer.board.after(begun).expect("these moves are legal");
            let distance = (optimum - count) as u32;
            let claim = Claim { board, distance, after: begun.last().copied() };
            let limits = rest_of(search, started, generated);
            let (verdict, more) = self.try_claim(engine, &claim, limits, search)?;
            generated += more;
            Ok(match verdict {
                Verdict::True(_) => Ok(true),
                Verdict::False => Ok(false),
                Verdict::Open(kind) => Err(kind),
            })
        };
        // The first `on` moves begin a shortest solution, the first `off` do not.
        let first_off = ends.len().min(optimum) + 1;
        let (mut on, mut off) = (0, first_off);
        while off - on > 1 {
            // The most likely answer is that all moves do.
            let middle = if off == first_off { off - 1 } else { on.midpoint(off) };
            match is_near(middle)? {
                Ok(true) => on = middle,
                Ok(false) => off = middle,
                Err(kind) => return Ok(Err(kind)),
            }
        }
        Ok(Ok((on < ends.len()).then_some(on + 1)))
    }
}
