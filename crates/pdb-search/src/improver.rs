//! Solutions that become shorter: beams of growing width, and stretches of the solution solved
//! again.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Board, Direction, Dual, Goal, Metric};

use crate::Limits;
use crate::beam::{Beam, BeamEnd, LENGTH, OrderNodes};
use crate::incumbent::Incumbent;
use crate::lane::AnyHeuristics;
use crate::limits::Meter;
use crate::lines::solve_by_lines;
use crate::order::LazyOrder;
use crate::rules::Rules;

/// Improvement of the known solution beside the proof that no solution is shorter.
#[derive(Clone, Copy, Debug)]
pub struct Improvement {
    /// The time from the start of a board's search to the first solution's. A board that is solved
    /// before takes no longer than without it.
    pub after: Duration,
    /// The share of the time of all threads that it takes, at most one thread at a time; three
    /// quarters where the growth of the bounds shows that the proof is out of reach.
    pub share: f64,
    /// Memory limit of the boards that it keeps, in bytes.
    pub memory: u64,
}

impl Improvement {
    /// The default beside a proof: an eighth of the time, after a quarter of a second.
    pub const BESIDE_PROOF: Self =
        Self { after: Duration::from_millis(250), share: 0.125, memory: MEMORY };

    /// Improvement for the best solution within a time: after a twentieth of it, if that is sooner.
    pub fn within(time: Duration) -> Self {
        let after = (time / 20).min(Self::BESIDE_PROOF.after);
        Self { after, ..Self::BESIDE_PROOF }
    }
}

/// Default memory limit of the boards that an improvement keeps, in bytes.
const MEMORY: u64 = 1 << 30;

/// The width of the first beam, which has a solution within milliseconds.
const WIDTH_MIN: u32 = 100;
/// Growth of the width from one beam to the next.
pub(crate) const GROWTH: f64 = 4.0;
/// The share of the remaining time that a beam may take.
const SHARE: f64 = 0.6;

/// The width of a stretch's beam for each board of the width of the whole beam.
const STRETCH_SHARE: f64 = 0.3;

/// Improves the known solution of one board.
pub(crate) struct Improver<'a> {
    /// The goals and their heuristics; the first is the board's.
    goals: &'a [Goal],
    heuristics: &'a dyn AnyHeuristics,
    /// A learned order for the first goal.
    order: Option<&'a LazyOrder>,
    rules: Rules,
    board: Board,
    memory: u64,
    /// The beams of the solver's goals.
    beams: Vec<Option<Beam<'a>>>,
    width: f64,
    /// Whether no further beam can find a shorter solution.
    is_done: bool,
}

impl<'a> Improver<'a> {
    pub(crate) fn new(
        goals: &'a [Goal],
        (heuristics, order): (&'a dyn AnyHeuristics, Option<&'a LazyOrder>),
        rules: Rules,
        board: &Board,
        memory: u64,
    ) -> Self {
        let beams = goals.iter().map(|_| None).collect();
        let (board, width) = (*board, f64::from(WIDTH_MIN));
        Self { goals, heuristics, order, rules, board, memory, beams, width, is_done: false }
    }

    /// Returns the width of the next beam.
    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    /// Goes on after beams of smaller widths.
    pub(crate) fn widen(&mut self, width: f64) {
        self.width = self.width.max(width);
    }

    /// Returns whether it has ended.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Searches with one width, and calls `tell` after each improvement.
    ///
    /// Returns the number of nodes that it generated.
    pub(crate) fn round(
        &mut self,
        incumbent: &Incumbent,
        limits: Limits<'_>,
        is_over: &AtomicBool,
        tell: &dyn Fn(),
    ) -> u64 {
        let mut meter = Meter::beside(limits, is_over);
        if incumbent.length() == u32::MAX {
            // The first beam may take long on a large board, or where threads wait for processors.
            let limits = Limits { stop: Some(is_over), ..limits };
            let found = self.heuristics.any_solution(&self.board, limits);
            let found = found.or_else(|| solve_by_lines(&self.board, &self.goals[0]).ok());
            if found.is_some_and(|moves| self.offer(&moves, incumbent)) {
                tell();
            }
        }
        self.improve(incumbent, limits.time, &mut meter, tell);
        meter.generated()
    }

    fn improve(
        &mut self,
        incumbent: &Incumbent,
        time: Option<Duration>,
        meter: &mut Meter<'_>,
        tell: &dyn Fn(),
    ) {
        let started = Instant::now();
        let (board, width) = (self.board, self.width);
        let found = self.beam(0, &board, width, incumbent.length(), meter);
        let taken = started.elapsed();
        match found {
            Found::Moves(moves) => {
                if self.offer(&moves, incumbent) {
                    tell();
                }
            }
            Found::Nothing => {}
            Found::All | Found::Limit => {
                self.is_done = true;
                return;
            }
        }
        self.shorten(incumbent, taken / 4, meter, tell);
        let left = time.map(|time| time.saturating_sub(started.elapsed()));
        let growth = left.map_or(GROWTH, |left| fitting_growth(taken, left));
        self.width *= growth;
        // Each further goal may have a beam for stretches.
        let beam_count = 1.0 + STRETCH_SHARE * (self.goals.len() - 1) as f64;
        let (memory, length) = ((self.memory as f64 / beam_count) as u64, incumbent.length());
        let width_max = |beam: &Beam<'_>| beam.width_within(memory, length.min(LENGTH));
        let width_max = self.beams[0].as_ref().map_or(0, width_max);
        if growth < 1.2 || self.width > f64::from(width_max) {
            self.is_done = true;
        }
    }

    /// Solves stretches of the known solution again, short ones first, for some time.
    fn shorten(
        &mut self,
        incumbent: &Incumbent,
        time: Duration,
        meter: &mut Meter<'_>,
        tell: &dyn Fn(),
    ) {
        let started = Instant::now();
        let Some(mut moves) = incumbent.moves() else { return };
        let Rules { stretches: [shortest, longest, step], hop, .. } = self.rules;
        let width = (self.width * STRETCH_SHARE).max(f64::from(WIDTH_MIN));
        let mut length = shortest;
        while length <= longest && length < self.rules.count(&moves) as usize {
            let mut from = 0;
            let mut is_shorter = false;
            while from + length <= self.rules.count(&moves) as usize {
                if started.elapsed() > time || meter.look().is_err() {
                    return;
                }
                let place = |count: usize| -> usize {
                    self.rules.metric.moves(&moves).take(count).map(<[_]>::len).sum()
                };
                let (start, end) = (place(from), place(from + length));
                match self.stretch(&moves, (start, end), width, meter) {
                    Found::Moves(shorter) => {
                        moves.splice(start..end, shorter);
                        moves = without_cycles(&self.board, &moves);
                        if !self.offer(&moves, incumbent) {
                            return;
                        }
                        tell();
                        is_shorter = true;
                    }
                    Found::Nothing | Found::All => from += hop,
                    Found::Limit => return,
                }
            }
            if !is_shorter {
                length += step;
            }
        }
    }

    /// Solves a stretch again, with fewer moves.
    fn stretch(
        &mut self,
        moves: &[Direction],
        (from, to): (usize, usize),
        width: f64,
        meter: &mut Meter<'_>,
    ) -> Found {
        let ends = [from, to].map(|place| self.board.after(&moves[..place]));
        let [Ok(start), Ok(end)] = ends else { return Found::Nothing };
        let length = self.rules.count(&moves[from..to]);
        if self.rules.metric == Metric::MultiTile {
            let found = self.heuristics.shortest(&Goal::new(end), &start);
            let found = found.filter(|found| self.rules.count(found) < length);
            return found.map_or(Found::Nothing, Found::Moves);
        }
        for (index, goal) in self.goals.iter().enumerate() {
            // Forwards, the dual is the stretch from its end; backwards, from its start.
            let forwards = Dual::new(&Goal::new(end), &start, goal);
            let (dual, is_reversed) = match forwards {
                Some(dual) => (dual, false),
                None => match Dual::new(&Goal::new(start), &end, goal) {
                    Some(dual) => (dual, true),
                    None => continue,
                },
            };
            let found = self.beam(index, dual.board(), width, length, meter);
            let Found::Moves(found) = found else { return found };
            let Some(mut found) = dual.solution(&found) else { return Found::Nothing };
            if is_reversed {
                found = found.into_iter().rev().map(Direction::opposite).collect();
            }
            return Found::Moves(found);
        }
        Found::Nothing
    }

    /// Searches a solution with fewer moves than `length` to one of the solver's goals.
    fn beam(
        &mut self,
        index: usize,
        board: &Board,
        width: f64,
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Found {
        let (goals, heuristics) = (self.goals, self.heuristics);
        let order = self.order.filter(|_| index == 0).and_then(|order| order.as_ref());
        let make = || {
            let nodes = match order {
                Some(order) => {
                    assert_eq!(order.goal(), &goals[0], "the order is for the solver's goal");
                    Box::new(OrderNodes::new(order))
                }
                None => heuristics.nodes(index),
            };
            Beam::new(&goals[index], nodes, self.rules.metric)
        };
        let beam = self.beams[index].get_or_insert_with(make);
        let width = NonZeroU32::new(width as u32).unwrap_or(NonZeroU32::MIN);
        // A damaged table ends the search for the proof, too, which reports it.
        match beam.search(board, width, length, meter) {
            Ok(Ok(BeamEnd::Goal(moves))) => Found::Moves(moves),
            Ok(Ok(BeamEnd::Empty { is_complete: false })) => Found::Nothing,
            Ok(Ok(BeamEnd::Empty { is_complete: true })) => Found::All,
            Ok(Err(_)) | Err(_) => Found::Limit,
        }
    }

    /// Replays a solution and keeps it. Returns whether it was a solution.
    fn offer(&self, moves: &[Direction], incumbent: &Incumbent) -> bool {
        let is_solution = self.board.after(moves).as_ref() == Ok(self.goals[0].board());
        debug_assert!(is_solution, "moves of a beam lead to the goal");
        if is_solution {
            incumbent.offer(moves, self.rules.count(moves));
        }
        is_solution
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

/// The result of a beam.
enum Found {
    Moves(Vec<Direction>),
    /// Nothing, and a wider beam may find more.
    Nothing,
    /// Nothing, although no board was left out.
    All,
    /// A limit ended the search.
    Limit,
}

/// Returns the growth of the width with which a beam takes its share of the time that is left,
/// where the last one took `taken`.
fn fitting_growth(taken: Duration, left: Duration) -> f64 {
    let fitting = SHARE * left.as_secs_f64() / taken.as_secs_f64().max(1e-6);
    // The next but one would have less than half of the time.
    if fitting < 2.0 * GROWTH { fitting.min(GROWTH) } else { GROWTH }
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
