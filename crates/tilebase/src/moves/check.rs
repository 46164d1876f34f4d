//! Check of given moves against the board and a shortest solution.

use std::time::Instant;

use pdb_core::{Board, Direction, IllegalMove};
use pdb_search::{Claim, LimitKind, Verdict};

use crate::answer::{Answer, Status};
use crate::error::Error;
use crate::handle::Tilebase;
use crate::moves::values::rest_of;
use crate::search::Search;
use crate::text::IntoBoard;
use crate::text::{Replay, WrittenMoves};

/// The check of moves from a board on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveCheck {
    /// The answer to the board itself: its shortest solution, or that it has none.
    pub answer: Answer,
    /// The moves up to the first that is impossible.
    pub moves: Vec<Direction>,
    /// The first impossible move, with the board before it.
    pub illegal: Option<IllegalMove>,
    /// The board after the moves.
    pub end: Board,
    /// Whether all moves are legal and end at the goal.
    pub solves: bool,
    /// The first move after which the goal is farther than a shortest solution would have it,
    /// counted from 1; nothing if there is none, or it is not known.
    pub leaves_optimum_at: Option<usize>,
    /// Which limit came before all of this was known, if one did.
    pub limit: Option<LimitKind>,
}

impl MoveCheck {
    /// The length of a shortest solution, if it is known.
    pub fn optimum(&self) -> Option<u32> {
        match &self.answer.status {
            Status::Optimal { moves } => Some(moves.len() as u32),
            _ => None,
        }
    }

    /// Whether the moves are a shortest solution; nothing if a limit came before that was known.
    pub fn is_optimal(&self) -> Option<bool> {
        if !self.solves {
            return Some(false);
        }
        self.optimum().map(|optimum| self.moves.len() == optimum as usize)
    }
}

impl Tilebase {
    /// Tries moves on a board: whether each is legal, whether they solve it, how long a shortest
    /// solution is, and with which move they leave every shortest one.
    ///
    /// # Errors
    /// As [`solve`](Self::solve). Moves that are impossible are no error: [`MoveCheck::illegal`]
    /// has them.
    pub fn check(&self, board: impl IntoBoard, moves: &WrittenMoves) -> Result<MoveCheck, Error> {
        self.check_with(board, moves, self.search())
    }

    /// The same with limits and threads of its own.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn check_with(
        &self,
        board: impl IntoBoard,
        moves: &WrittenMoves,
        search: &Search,
    ) -> Result<MoveCheck, Error> {
        let started = Instant::now();
        let answer = self.solve_proving(board, search, "a check of moves")?;
        let Replay { moves, board: end, illegal } = moves.replay(&answer.board);
        let solves = illegal.is_none() && end == *answer.goal.board();
        let limit = answer.limit();
        let leaves_optimum_at = None;
        let mut checked =
            MoveCheck { answer, moves, illegal, end, solves, leaves_optimum_at, limit };
        if let Some(optimum) = checked.optimum() {
            match self.leave(&checked, optimum as usize, started, search)? {
                Departure::Never => {}
                Departure::At(number) => checked.leaves_optimum_at = Some(number),
                Departure::Open(kind) => checked.limit = Some(kind),
            }
        }
        Ok(checked)
    }

    /// Where the moves leave every shortest solution. As long as they have not, the board after i
    /// of them is i moves nearer; once they have, they never come back. So halving finds the place.
    fn leave(
        &self,
        checked: &MoveCheck,
        optimum: usize,
        started: Instant,
        search: &Search,
    ) -> Result<Departure, Error> {
        let MoveCheck { answer, moves, .. } = checked;
        let mut generated = answer.generated;
        let mut is_near = |count: usize| -> Result<Result<bool, LimitKind>, Error> {
            let board = answer.board.after(&moves[..count]).expect("these moves are legal");
            let distance = (optimum - count) as u32;
            let claim = Claim { board, distance, after: Some(moves[count - 1]) };
            let limits = rest_of(search, started, generated);
            let (verdict, more) = self.try_claim(answer, &claim, limits, search)?;
            generated += more;
            Ok(match verdict {
                Verdict::True(_) => Ok(true),
                Verdict::False => Ok(false),
                Verdict::Open(kind) => Err(kind),
            })
        };
        // The first `on` moves are on a shortest solution, the first `off` are not.
        let (mut on, mut off) = (0, moves.len().min(optimum) + 1);
        while off - on > 1 {
            // All of them are the likeliest answer.
            let middle =
                if off == moves.len().min(optimum) + 1 { off - 1 } else { on.midpoint(off) };
            match is_near(middle)? {
                Ok(true) => on = middle,
                Ok(false) => off = middle,
                Err(kind) => return Ok(Departure::Open(kind)),
            }
        }
        Ok(if on == moves.len() { Departure::Never } else { Departure::At(on + 1) })
    }
}

/// Move at which moves leave the shortest solutions.
enum Departure {
    Never,
    At(usize),
    Open(LimitKind),
}
