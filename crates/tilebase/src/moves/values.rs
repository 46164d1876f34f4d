//! Values of the moves of a board.

use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Board, Direction};
use pdb_search::{Claim, LimitKind, Limits, Verdict, Work};

use pdb_search::Status;

use crate::answer::Answer;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::search::Search;
use crate::shelf::confirmed;

/// A legal move, with the distance to the goal after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveValue {
    /// The direction in which the tile moves.
    pub direction: Direction,
    /// The tile.
    pub tile: u8,
    /// The board after the move.
    pub board: Board,
    /// Distance from there to the goal; `None` if a limit stopped the search before it was known.
    pub distance: Option<u32>,
    /// Whether a shortest solution begins with the move; `None` if a limit stopped the search
    /// before that was known.
    pub is_optimal: Option<bool>,
}

/// All moves of a board, the best ones first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveValues {
    /// The answer to the board itself.
    pub answer: Answer,
    /// The legal moves in ascending order of their distances, equally good ones in the order `U`,
    /// `R`, `D`, `L`, and those with unknown distances last. The moves of a board that is
    /// unsolvable, or whose distance is not proved, have no distances.
    pub moves: Vec<MoveValue>,
    /// The limit that stopped the search before all distances were known.
    pub limit: Option<LimitKind>,
    /// Nodes generated for the board and for its neighbours.
    pub generated: u64,
    /// Total time.
    pub elapsed: Duration,
}

impl Tilebase {
    /// Finds the distance after each legal move of a board, and whether the move begins a shortest
    /// solution.
    ///
    /// The board is solved once. Each neighbour is one move nearer or one move farther, so a single
    /// bound of the search decides for each of the others.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn moves(&self, board: impl IntoBoard) -> Result<MoveValues, Error> {
        self.moves_with(board, self.search())
    }

    /// Finds the distance after each legal move, like [`moves`](Self::moves), with the given limits
    /// and threads. The limits hold for the board and its neighbours together.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn moves_with(&self, board: impl IntoBoard, search: &Search) -> Result<MoveValues, Error> {
        let started = Instant::now();
        let answer = self.solve_proving(board, search, search.work(), "the value of moves")?;
        let board = answer.board;
        let value = |direction: Direction| {
            let from = direction.tile_cell(board.shape(), board.blank())?;
            let (tile, after) = (board.tile(from), board.moved(direction)?);
            let (distance, is_optimal) = (None, None);
            Some(MoveValue { direction, tile, board: after, distance, is_optimal })
        };
        let moves: Vec<MoveValue> = Direction::ALL.into_iter().filter_map(value).collect();
        let generated = answer.generated;
        let mut values =
            MoveValues { answer, moves, limit: None, generated, elapsed: Duration::ZERO };
        match &values.answer.status {
            Status::Optimal { moves } => {
                let first = moves.first().copied();
                self.weigh(&mut values, first, started, search)?;
            }
            // A solution that is not proved leaves the distances open.
            _ => values.limit = values.answer.limit(),
        }
        // Unknown distances come last.
        values.moves.sort_by_key(|value| value.distance.unwrap_or(u32::MAX));
        values.elapsed = started.elapsed();
        Ok(values)
    }

    /// Finds the distance after each move of a solved board; `first` is known to be optimal.
    fn weigh(
        &self,
        values: &mut MoveValues,
        first: Option<Direction>,
        started: Instant,
        search: &Search,
    ) -> Result<(), Error> {
        let MoveValues { answer, moves, limit, generated, .. } = values;
        let distance = answer.length().expect("the board is solved") as u32;
        // Searches one after another, each on all threads, so that the limits hold for all
        // together.
        for value in moves {
            let is_optimal = match first {
                // Every move at the goal leads away from it.
                None => false,
                Some(first) if first == value.direction => true,
                Some(_) => {
                    let (board, after) = (value.board, Some(value.direction));
                    let claim = Claim { board, distance: distance - 1, after };
                    let limits = rest_of(search, started, *generated);
                    let (verdict, more) = self.try_claim(answer, &claim, limits, search)?;
                    *generated += more;
                    match verdict {
                        Verdict::True(_) => true,
                        Verdict::False => false,
                        Verdict::Open(kind) => {
                            *limit = Some(kind);
                            continue;
                        }
                    }
                }
            };
            value.is_optimal = Some(is_optimal);
            value.distance = Some(if is_optimal { distance - 1 } else { distance + 1 });
        }
        Ok(())
    }

    /// Tests a claim about a board with the same goal as the answer's board. Also returns the
    /// number of generated nodes.
    pub(crate) fn try_claim(
        &self,
        answer: &Answer,
        claim: &Claim,
        limits: Limits<'_>,
        search: &Search,
    ) -> Result<(Verdict, u64), Error> {
        let engine = self.engine_with(&answer.goal, search)?;
        let found = engine.try_claims(&[*claim], &Work { limits, ..search.work() });
        let (mut verdicts, generated) = confirmed([&*engine], found)?;
        Ok((verdicts.pop().expect("every claim is tried"), generated))
    }
}

/// Returns the rest of the limits after some time and nodes.
pub(crate) fn rest_of(search: &Search, started: Instant, generated: u64) -> Limits<'_> {
    let limits = search.limits();
    Limits {
        time: limits.time.map(|time| time.saturating_sub(started.elapsed())),
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(generated)),
        ..limits
    }
}
