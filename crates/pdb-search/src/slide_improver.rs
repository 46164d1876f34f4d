//! Solutions by slides that become shorter beside the proof: beams of growing width, and stretches
//! of the solution solved again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Board, Direction, Goal, Metric};

use crate::beam::SlideBeam;
use crate::incumbent::Incumbent;
use crate::limits::Meter;
use crate::lines::solve_by_lines;
use crate::{Improvement, Limits};

/// The width of the first beam, and the growth from one beam to the next.
const WIDTH_MIN: usize = 100;
const GROWTH: usize = 4;

/// The slides of the shortest stretches that are solved again, those of the longest ones, and the
/// nodes that a stretch may take.
const STRETCH_MIN: usize = 5;
const STRETCH_MAX: usize = 14;
pub(crate) const STRETCH_NODES: u64 = 50_000;

/// Time between two looks at the proof while the improvement pauses.
const LOOK: Duration = Duration::from_millis(10);

/// Knowledge that a proof and an improvement share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) incumbent: Incumbent,
    pub(crate) is_over: AtomicBool,
}

/// Function that finds any solution of a board, as moves of single tiles, within limits.
pub type AnySolution<'a> = dyn Fn(&Board, Limits<'_>) -> Option<Vec<Direction>> + Sync + 'a;

/// Function that returns a shortest solution of a board for another goal, if it is soon found.
pub(crate) type SolveAgain = fn(&Goal, &Board) -> Option<Vec<Direction>>;

/// Improver of a board's solution.
pub(crate) struct SlideImprover<'a> {
    pub(crate) beam: SlideBeam<'a>,
    pub(crate) goal: &'a Goal,
    pub(crate) improvement: Improvement,
    pub(crate) limits: Limits<'a>,
    pub(crate) shared: &'a Shared,
    pub(crate) started: Instant,
    pub(crate) any_solution: &'a AnySolution<'a>,
    pub(crate) solve_again: SolveAgain,
}

impl SlideImprover<'_> {
    /// Improves the known solution until the proof is over.
    pub(crate) fn run(mut self, board: &Board) {
        let Self { goal, improvement, limits, shared, started, .. } = self;
        let limits = Limits { nodes: None, ..limits };
        let mut meter = Meter::beside(Limits { progress: None, ..limits }, &shared.is_over);
        let mut width = WIDTH_MIN;
        let offer = |moves: &[Direction]| {
            let moves = &without_cycles(board, moves)[..];
            let Shared { incumbent, is_over } = shared;
            debug_assert_eq!(board.after(moves).as_ref(), Ok(goal.board()), "a solution");
            let length = Metric::MultiTile.count(moves) as u32;
            if length >= incumbent.length() || board.after(moves).as_ref() != Ok(goal.board()) {
                return;
            }
            incumbent.offer(moves, length);
            if let Some(progress) = limits.progress {
                progress.improved(moves, incumbent.lower_bound(), started.elapsed());
            }
            if incumbent.is_met() {
                is_over.store(true, Ordering::Relaxed);
            }
        };
        if let Ok(found) = solve_by_lines(board, goal) {
            offer(&found);
        }
        // Narrow beams of slides go astray on large boards.
        let stop = Some(&shared.is_over);
        if let Some(found) = (self.any_solution)(board, Limits { stop, progress: None, ..limits }) {
            offer(&found);
        }
        while self.beam.bytes(width) <= improvement.memory {
            let begun = Instant::now();
            // A damaged table ends the proof, too, which reports it.
            let length = shared.incumbent.length();
            let Ok(Ok(found)) = self.beam.search(board, width, length, &mut meter) else { return };
            if let Some(found) = found {
                offer(&found);
            }
            if let Some(known) = shared.incumbent.moves() {
                shorten(board, known, self.solve_again, &meter, &offer);
            }
            width *= GROWTH;
            let pause = begun.elapsed().mul_f64((1.0 / improvement.share - 1.0).max(0.0));
            let until = Instant::now() + pause;
            while Instant::now() < until {
                if meter.look().is_err() {
                    return;
                }
                std::thread::sleep(LOOK);
            }
        }
    }
}

/// Solves stretches of a solution again, short ones first, and offers each shorter solution.
fn shorten(
    board: &Board,
    mut moves: Vec<Direction>,
    solve_again: SolveAgain,
    meter: &Meter<'_>,
    offer: &dyn Fn(&[Direction]),
) {
    let metric = Metric::MultiTile;
    for stretch in STRETCH_MIN..=STRETCH_MAX {
        let mut from = 0;
        while from + stretch <= metric.count(&moves) {
            if meter.look().is_err() {
                return;
            }
            let length: usize = metric.moves(&moves).skip(from).take(stretch).map(<[_]>::len).sum();
            let start: usize = metric.moves(&moves).take(from).map(<[_]>::len).sum();
            let ends = [start, start + length].map(|place| board.after(&moves[..place]));
            let [Ok(from_board), Ok(to_board)] = ends else { return };
            let shorter = solve_again(&Goal::new(to_board), &from_board).map(|found| {
                let mut shorter = moves.clone();
                shorter.splice(start..start + length, found);
                without_cycles(board, &shorter)
            });
            match shorter.filter(|other| metric.count(other) < metric.count(&moves)) {
                Some(shorter) => {
                    moves = shorter;
                    offer(&moves);
                }
                None => from += 1,
            }
        }
    }
}

/// Leaves out moves that lead back to a board that was there before. Two stretches of a solution
/// may end and begin with them.
fn without_cycles(board: &Board, moves: &[Direction]) -> Vec<Direction> {
    let (mut boards, mut kept) = (vec![*board], Vec::new());
    let mut places = HashMap::from([(*board, 0)]);
    for &direction in moves {
        let Some(next) = boards[kept.len()].moved(direction) else { return moves.to_vec() };
        if let Some(&place) = places.get(&next) {
            kept.truncate(place);
            for left_out in boards.drain(place + 1..) {
                places.remove(&left_out);
            }
        } else {
            kept.push(direction);
            places.insert(next, kept.len());
            boards.push(next);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

    use pdb_core::Direction::{Down, Left, Right, Up};

    use super::*;

    #[test]
    fn moves_that_lead_back_are_left_out() {
        let board: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let there_and_back = [Right, Right, Left, Down, Up];
        assert_eq!(without_cycles(&board, &there_and_back), [Right]);
        let around = [[Right, Down, Left, Up]; 3].concat();
        assert_eq!(without_cycles(&board, &around), []);
        let straight = [Right, Down, Left, Down, Right];
        assert_eq!(without_cycles(&board, &straight), straight);
    }
}
