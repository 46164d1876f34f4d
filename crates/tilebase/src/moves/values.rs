//! Values of the moves of a board.

use std::iter::successors;
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Axis, BLANK, Board, Direction, Metric};
use pdb_lab::Engine;
use pdb_search::{Claim, LimitKind, Limits, Status, Verdict, Work};

use crate::answer::Answer;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::search::Search;
use crate::shelf::confirmed;

/// A legal move, with the distance to the goal after it. Where slides count, it is a slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveValue {
    /// The direction in which the tiles move.
    pub direction: Direction,
    /// The tile, in a slide the one that is farthest from the blank.
    pub tile: u8,
    /// Number of tiles that move at once: 1, or more in a slide.
    pub tile_count: usize,
    /// The board after the move.
    pub board: Board,
    /// Distance from there to the goal; `None` if a limit stopped the search before it was known.
    pub distance: Option<u32>,
    /// Whether a shortest solution begins with the move; `None` if a limit stopped the search
    /// before that was known.
    pub is_optimal: Option<bool>,
}

impl MoveValue {
    /// Returns the move as moves of single tiles.
    pub fn directions(&self) -> Vec<Direction> {
        vec![self.direction; self.tile_count]
    }
}

/// All moves of a board, the best ones first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveValues {
    /// The answer to the board itself.
    pub answer: Answer,
    /// The legal moves in ascending order of their distances, equally good ones in the order `U`,
    /// `R`, `D`, `L`, short slides before long ones, and those with unknown distances last. The
    /// moves of a board that is unsolvable, or whose distance is not proved, have no distances.
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
    /// bound of the search decides for each of the others. After a slide, the distance may also be
    /// the same, which takes a second bound if no slide of its line is optimal.
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
        let (answer, engine) = self.solve_for(board, search, Some("the value of moves"))?;
        let board = answer.board;
        let tile_count_max = match answer.metric {
            Metric::SingleTile => 1,
            Metric::MultiTile => usize::MAX,
        };
        let slides = |direction: Direction| {
            let next = move |before: &MoveValue| {
                let from = direction.tile_cell(board.shape(), before.board.blank())?;
                let (tile, tile_count) = (before.board.tile(from), before.tile_count + 1);
                let board = before.board.moved(direction)?;
                Some(MoveValue { tile, tile_count, board, ..*before })
            };
            let (distance, is_optimal) = (None, None);
            let none =
                MoveValue { direction, tile: BLANK, tile_count: 0, board, distance, is_optimal };
            successors(next(&none), next).take(tile_count_max)
        };
        let moves: Vec<MoveValue> = Direction::ALL.into_iter().flat_map(slides).collect();
        let generated = answer.generated;
        let mut values =
            MoveValues { answer, moves, limit: None, generated, elapsed: Duration::ZERO };
        match &values.answer.status {
            Status::Optimal { moves } => {
                let first = values.answer.metric.moves(moves).next().map(<[Direction]>::to_vec);
                let engine = engine.expect("a solved board was searched");
                self.weigh(&mut values, (&engine, first.as_deref()), started, search)?;
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
        (engine, first): (&Engine, Option<&[Direction]>),
        started: Instant,
        search: &Search,
    ) -> Result<(), Error> {
        let MoveValues { answer, moves, limit, generated, .. } = values;
        let distance = answer.length().expect("the board is solved") as u32;
        let Some(first) = first else {
            // Every move at the goal leads away from it.
            for value in moves {
                (value.is_optimal, value.distance) = (Some(false), Some(1));
            }
            return Ok(());
        };
        // Searches one after another, each on all threads, so that the limits hold for all
        // together.
        let mut is_at = |value: &MoveValue, distance| -> Result<Option<bool>, Error> {
            let claim = Claim { board: value.board, distance, after: Some(value.direction) };
            let limits = rest_of(search, started, *generated);
            let (verdict, more) = self.try_claim(engine, &claim, limits, search)?;
            *generated += more;
            Ok(match verdict {
                Verdict::True(_) => Some(true),
                Verdict::False => Some(false),
                Verdict::Open(kind) => {
                    *limit = Some(kind);
                    None
                }
            })
        };
        for value in moves.iter_mut() {
            value.is_optimal =
                if value.directions() == first { Some(true) } else { is_at(value, distance - 1)? };
            value.distance = match (value.is_optimal, answer.metric) {
                (Some(true), _) => Some(distance - 1),
                (Some(false), Metric::SingleTile) => Some(distance + 1),
                _ => None,
            };
        }
        if answer.metric == Metric::MultiTile {
            let line = |value: &MoveValue| Axis::of(value.direction);
            let optimal = moves.iter().filter(|value| value.is_optimal == Some(true));
            let optimal_lines: Vec<Axis> = optimal.map(line).collect();
            for value in moves.iter_mut().filter(|value| value.is_optimal == Some(false)) {
                // Another slide of the line leads to the board after an optimal one. If there is
                // none, a solution of as many slides as the board has begins along the other axis.
                let is_same = if optimal_lines.contains(&line(value)) {
                    Some(true)
                } else {
                    is_at(value, distance)?
                };
                value.distance = is_same.map(|is_same| distance + u32::from(!is_same));
            }
        }
        Ok(())
    }

    /// Tests a claim about a board of an engine's goal. Also returns the number of generated nodes.
    pub(crate) fn try_claim(
        &self,
        engine: &Engine,
        claim: &Claim,
        limits: Limits<'_>,
        search: &Search,
    ) -> Result<(Verdict, u64), Error> {
        let found = engine.try_claims(&[*claim], &Work { limits, ..self.work(search) });
        let (mut verdicts, generated) = confirmed([engine], found)?;
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
