//! Solutions that become shorter: beams of growing width, and stretches of the solution solved
//! again.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Board, Direction, Dual, Goal, Metric};

use crate::beam::{Beam, BeamEnd, LENGTH, OrderNodes};
use crate::lane::AnyHeuristics;
use crate::limits::Meter;
use crate::lines::solve_by_lines;
use crate::order::LazyOrder;
use crate::pool::Account;
use crate::rules::Rules;
use crate::{LimitKind, Limits};

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
const GROWTH: f64 = 4.0;
/// The share of the remaining time that a beam may take.
const SHARE: f64 = 0.6;

/// The width of a stretch's beam for each board of the width of the whole beam.
const STRETCH_SHARE: f64 = 0.3;

/// The share of the time of all threads where the proof is out of reach.
const WITHOUT_PROOF: f64 = 0.75;
/// The share of a thread from which on the known solution matters as much as the proof.
const HALF: f64 = 0.5;

/// Receiver of each better solution, the proved lower bound, and the time since the start.
pub(crate) type Improved<'a> = dyn Fn(&[Direction], u32, Duration) + 'a;

/// Function that finds any solution of a board, as moves of single tiles, within limits.
pub type AnySolution<'a> =
    Box<dyn Fn(&Board, Limits<'_>) -> Option<Vec<Direction>> + Send + Sync + 'a>;

/// The settings of an improver, and the heuristics that it uses.
#[derive(Clone, Copy)]
pub(crate) struct ImproverSettings<'a> {
    /// The goals and their heuristics; the first is that of the boards.
    pub(crate) goals: &'a [Goal],
    pub(crate) heuristics: &'a dyn AnyHeuristics,
    /// A learned order for the first goal.
    pub(crate) order: Option<&'a LazyOrder>,
    /// Finds the solution to begin with.
    pub(crate) any_solution: Option<&'a AnySolution<'a>>,
    /// Returns a shortest solution by slides for any goal, if few nodes find it.
    pub(crate) shortest: fn(&Goal, &Board) -> Option<Vec<Direction>>,
    pub(crate) rules: Rules,
    pub(crate) improvement: Improvement,
    /// The limits of the search beside which it improves.
    pub(crate) limits: Limits<'a>,
    /// The threads of that search.
    pub(crate) thread_count: usize,
}

/// Improves the known solution of one board, in rounds with pauses between them.
pub(crate) struct Improver<'a> {
    settings: ImproverSettings<'a>,
    board: Board,
    account: Arc<Account>,
    /// The beams of the solver's goals.
    beams: Vec<Option<Beam<'a>>>,
    /// The width of the next beam.
    width: f64,
    /// Whether no further beam can find a shorter solution.
    is_done: bool,
    /// The time of all rounds so far.
    spent: Duration,
}

impl<'a> Improver<'a> {
    /// Goes on after the beams of earlier improvers of the board.
    pub(crate) fn new(
        settings: ImproverSettings<'a>,
        board: &Board,
        account: &Arc<Account>,
    ) -> Self {
        let width = account.width.load(Ordering::Relaxed).max(WIDTH_MIN).into();
        Self {
            settings,
            board: *board,
            account: Arc::clone(account),
            beams: settings.goals.iter().map(|_| None).collect(),
            width,
            is_done: false,
            spent: Duration::ZERO,
        }
    }

    /// Runs the next round, and calls `tell` with each better solution. Returns the pause before
    /// the next round, or `None` if there is none.
    pub(crate) fn run(&mut self, tell: &Improved<'_>) -> Option<Duration> {
        let ImproverSettings { improvement, limits, thread_count, .. } = self.settings;
        let account = Arc::clone(&self.account);
        let elapsed = account.elapsed();
        let time = limits.time.map(|time| time.saturating_sub(elapsed));
        let of_round = Limits { time, nodes: None, progress: None, ..limits };
        let mut meter = Meter::beside(of_round, account.over());
        self.round(of_round, &mut meter, &|| {
            if let Some(moves) = account.moves() {
                tell(&moves, account.lower_bound(), account.elapsed());
            }
        });
        account.count_improved(meter.generated());
        if !self.is_done {
            account.width.store(self.width as u32, Ordering::Relaxed);
        }
        let taken = account.elapsed().saturating_sub(elapsed);
        self.spent += taken;
        let is_far = account.is_proof_far(&limits);
        let share = if is_far { WITHOUT_PROOF } else { 0.0 }.max(improvement.share);
        let share = share * thread_count as f64;
        let pause = if share < HALF {
            // The proof matters more: the share pays for the next round before it begins.
            let paid = (self.spent + taken.mul_f64(GROWTH)).div_f64(share);
            paid.saturating_sub(account.elapsed())
        } else {
            taken.mul_f64((1.0 / share - 1.0).max(0.0))
        };
        (!self.is_done && !account.is_over()).then_some(pause)
    }

    /// Searches with one width, and calls `tell` after each improvement.
    fn round(&mut self, limits: Limits<'_>, meter: &mut Meter<'_>, tell: &dyn Fn()) {
        let ImproverSettings { goals, any_solution, improvement, .. } = self.settings;
        if self.account.length() == u32::MAX {
            // The first beam may take long on a large board, or where threads wait for processors.
            let limits = Limits { stop: Some(self.account.over()), ..limits };
            let found = any_solution.and_then(|any_solution| any_solution(&self.board, limits));
            let found = found.or_else(|| solve_by_lines(&self.board, &goals[0]).ok());
            if found.is_some_and(|moves| self.offer(&moves)) {
                tell();
            }
        }
        let started = Instant::now();
        let (board, width) = (self.board, self.width);
        let found = self.beam(0, &board, width, self.account.length(), meter);
        let taken = started.elapsed();
        match found {
            Ok(BeamEnd::Goal(moves)) => {
                if self.offer(&moves) {
                    tell();
                }
            }
            Ok(BeamEnd::Empty { is_complete: false }) => {}
            Ok(BeamEnd::Empty { is_complete: true }) | Err(_) => {
                self.is_done = true;
                return;
            }
        }
        self.shorten(taken / 4, meter, tell);
        let left = limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let growth = left.map_or(GROWTH, |left| fitting_growth(taken, left));
        self.width *= growth;
        // Each further goal may have a beam for stretches.
        let beam_count = 1.0 + STRETCH_SHARE * (goals.len() - 1) as f64;
        let memory = (improvement.memory as f64 / beam_count) as u64;
        let length = self.account.length();
        let width_max = |beam: &Beam<'_>| beam.width_within(memory, length.min(LENGTH));
        let width_max = self.beams[0].as_ref().map_or(0, width_max);
        if growth < 1.2 || self.width > f64::from(width_max) {
            self.is_done = true;
        }
    }

    /// Solves stretches of the known solution again, short ones first, for some time.
    fn shorten(&mut self, time: Duration, meter: &mut Meter<'_>, tell: &dyn Fn()) {
        let started = Instant::now();
        let Some(mut moves) = self.account.moves() else { return };
        let rules = self.settings.rules;
        let Rules { stretches: [shortest, longest, step], hop, .. } = rules;
        let width = (self.width * STRETCH_SHARE).max(f64::from(WIDTH_MIN));
        let mut length = shortest;
        while length <= longest && length < rules.count(&moves) as usize {
            let mut from = 0;
            let mut is_shorter = false;
            while from + length <= rules.count(&moves) as usize {
                if started.elapsed() > time || meter.look().is_err() {
                    return;
                }
                let place = |count: usize| -> usize {
                    rules.metric.moves(&moves).take(count).map(<[_]>::len).sum()
                };
                let (start, end) = (place(from), place(from + length));
                match self.stretch(&moves, (start, end), width, meter) {
                    Ok(BeamEnd::Goal(shorter)) => {
                        moves.splice(start..end, shorter);
                        moves = without_cycles(&self.board, &moves);
                        if !self.offer(&moves) {
                            return;
                        }
                        tell();
                        is_shorter = true;
                    }
                    Ok(BeamEnd::Empty { .. }) => from += hop,
                    Err(_) => return,
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
    ) -> Result<BeamEnd, LimitKind> {
        let nothing = Ok(BeamEnd::Empty { is_complete: false });
        let ends = [from, to].map(|place| self.board.after(&moves[..place]));
        let [Ok(start), Ok(end)] = ends else { return nothing };
        let ImproverSettings { goals, shortest, rules, .. } = self.settings;
        let length = rules.count(&moves[from..to]);
        if rules.metric == Metric::MultiTile {
            let found = shortest(&Goal::new(end), &start);
            let found = found.filter(|found| rules.count(found) < length);
            return found.map_or(nothing, |moves| Ok(BeamEnd::Goal(moves)));
        }
        for (index, goal) in goals.iter().enumerate() {
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
            let Ok(BeamEnd::Goal(found)) = found else { return found };
            let Some(mut found) = dual.solution(&found) else { return nothing };
            if is_reversed {
                found = found.into_iter().rev().map(Direction::opposite).collect();
            }
            return Ok(BeamEnd::Goal(found));
        }
        nothing
    }

    /// Searches a solution with fewer moves than `length` to one of the solver's goals.
    fn beam(
        &mut self,
        index: usize,
        board: &Board,
        width: f64,
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<BeamEnd, LimitKind> {
        let ImproverSettings { goals, heuristics, order, rules, .. } = self.settings;
        let order = order.filter(|_| index == 0).and_then(|order| order.as_ref());
        let make = || {
            let nodes = match order {
                Some(order) => {
                    assert_eq!(order.goal(), &goals[0], "the order is for the solver's goal");
                    Box::new(OrderNodes::new(order))
                }
                None => heuristics.nodes(index),
            };
            Beam::new(&goals[index], nodes, rules.metric)
        };
        let beam = self.beams[index].get_or_insert_with(make);
        let width = NonZeroU32::new(width as u32).unwrap_or(NonZeroU32::MIN);
        // A damaged table ends the search for the proof, too, which reports it.
        beam.search(board, width, length, meter).unwrap_or(Err(LimitKind::Interrupted))
    }

    /// Replays a solution and keeps it. Returns whether it was a solution.
    fn offer(&self, moves: &[Direction]) -> bool {
        let ImproverSettings { goals, rules, .. } = self.settings;
        let is_solution = self.board.after(moves).as_ref() == Ok(goals[0].board());
        debug_assert!(is_solution, "moves of a beam lead to the goal");
        if is_solution {
            self.account.offer(moves, rules.count(moves));
        }
        is_solution
    }
}

/// Leaves out moves that lead back to a board that was there before. Two stretches of a solution
/// may end and begin with them.
fn without_cycles(board: &Board, moves: &[Direction]) -> Vec<Direction> {
    let (mut boards, mut kept) = (vec![*board], Vec::new());
    for &direction in moves {
        let Some(next) = boards[kept.len()].moved(direction) else { return moves.to_vec() };
        if let Some(place) = boards.iter().position(|known| *known == next) {
            boards.truncate(place + 1);
            kept.truncate(place);
        } else {
            boards.push(next);
            kept.push(direction);
        }
    }
    kept
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
