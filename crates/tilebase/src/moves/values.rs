//! The value of each move of a board.

use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Board, Direction};
use pdb_search::{Claim, LimitKind, Limits, Verdict, Work};

use crate::answer::{Answer, Status};
use crate::error::Error;
use crate::handle::Tilebase;
use crate::search::Search;
use crate::shelf::confirm;
use crate::text::IntoBoard;

/// A move, and how far it is to the goal after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveValue {
    /// The direction in which the tile moves.
    pub direction: Direction,
    /// The tile.
    pub tile: u8,
    /// The board after the move.
    pub board: Board,
    /// The fewest moves from there to the goal; nothing if a limit came before it was known.
    pub distance: Option<u32>,
    /// Whether a shortest solution begins with the move; nothing if a limit came before it was
    /// known.
    pub is_optimal: Option<bool>,
}

/// All moves of a board, the best ones first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveValues {
    /// The answer to the board itself.
    pub answer: Answer,
    /// The legal moves by their distance, those that are as good in the order `U`, `R`, `D`, `L`;
    /// those whose distance is not known come last. A board without a solution has moves of no
    /// distance.
    pub moves: Vec<MoveValue>,
    /// Which limit ended the work before all distances were known, if one did.
    pub limit: Option<LimitKind>,
    /// Nodes generated for the board and for its neighbours.
    pub generated: u64,
    /// How long all of it took.
    pub elapsed: Duration,
}

impl Tilebase {
    /// The distance after each legal move of a board, and whether it stays on a shortest solution.
    ///
    /// The board is solved once. A neighbour is one move nearer or one farther, so that for each of
    /// the others a single bound of the search tells which.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn moves(&self, board: impl IntoBoard) -> Result<MoveValues, Error> {
        self.moves_with(board, self.search())
    }

    /// The same with limits and threads of its own; the limits are for the board and its neighbours
    /// together.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn moves_with(&self, board: impl IntoBoard, search: &Search) -> Result<MoveValues, Error> {
        let started = Instant::now();
        let answer = self.solve_proving(board, search, "the value of moves")?;
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
            Status::Limit { kind, .. } => values.limit = Some(*kind),
            _ => {}
        }
        // Unknown distances come last.
        values.moves.sort_by_key(|value| value.distance.unwrap_or(u32::MAX));
        values.elapsed = started.elapsed();
        Ok(values)
    }

    /// Finds the distance after each move of a board that is solved; `first` is known to be
    /// optimal.
    fn weigh(
        &self,
        values: &mut MoveValues,
        first: Option<Direction>,
        started: Instant,
        search: &Search,
    ) -> Result<(), Error> {
        let MoveValues { answer, moves, limit, generated, .. } = values;
        let distance = answer.length().expect("the board is solved") as u32;
        // One after another, each on all threads, so that the limits are those of all together.
        for value in moves {
            let is_optimal = match first {
                // All that can be done at the goal is to leave it.
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

    /// Tries a claim about a board that leads where the answer's board does; gives the nodes that
    /// were generated, too.
    pub(crate) fn try_claim(
        &self,
        answer: &Answer,
        claim: &Claim,
        limits: Limits<'_>,
        search: &Search,
    ) -> Result<(Verdict, u64), Error> {
        let engine = self.engine_with(&answer.goal, &search.cancel)?;
        let found = engine.try_claims(&[*claim], &Work { limits, ..search.work() });
        // A table that is damaged explains whatever came of the search.
        confirm(&engine)?;
        let (mut verdicts, generated) = found?;
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
