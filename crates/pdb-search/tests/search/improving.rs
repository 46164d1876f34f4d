//! Solutions that become shorter beside the proof, compared with breadth-first search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pdb_core::{Board, Direction, Goal, Heuristic};
use pdb_oracle::{Random, are_long};
use pdb_search::{
    Account, Boards, Improvement, KORF_BLANK_FIRST, KORF_BLANK_LAST, LazyOrder, LearnedOrder,
    LimitKind, Limits, Manhattan, Next, Outcome, SearchError, Sharing, Solver, Status, Work,
};

use crate::common::{Distances, distances, goals, inconsistent, sample, shape};
use crate::order::network;

/// Improvement from the first node on.
const AT_ONCE: Improvement = Improvement { after: Duration::ZERO, share: 0.5, memory: 1 << 26 };

/// Boards one after another, with all that the search says of them.
#[derive(Default)]
struct Heard {
    boards: Vec<Board>,
    next: Mutex<usize>,
    answers: Mutex<Vec<(usize, Result<Outcome, SearchError>)>>,
    better: Mutex<Vec<(usize, Vec<Direction>, u32)>>,
    /// Set after the first better solution of a board.
    stop: Option<AtomicBool>,
}

impl Boards for Heard {
    fn next(&self) -> Next {
        let mut next = self.next.lock().unwrap();
        let Some(board) = self.boards.get(*next) else { return Next::End };
        *next += 1;
        Next::Board(*board, *next as u64 - 1)
    }

    fn answer(&self, ticket: u64, answer: Result<Outcome, SearchError>) {
        self.answers.lock().unwrap().push((ticket as usize, answer));
    }

    fn improved(&self, ticket: u64, moves: &[Direction], lower_bound: u32, _: Duration) {
        // A solution that comes together with the end of a search may be told after the answer.
        let answers = self.answers.lock().unwrap();
        if answers.iter().any(|(place, _)| *place == ticket as usize) {
            return;
        }
        self.better.lock().unwrap().push((ticket as usize, moves.to_vec(), lower_bound));
        if let Some(stop) = &self.stop {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

fn solver<'a>(heuristic: impl Heuristic + Send + 'a, goal: &Goal) -> Solver<'a> {
    Solver::new(heuristic, goal, KORF_BLANK_LAST).unwrap()
}

/// Solves boards in one way, and checks every statement about them.
fn check(
    solver: &Solver<'_>,
    goal: &Goal,
    known: &Distances,
    boards: &[Board],
    (limits, thread_count): (Limits<'_>, usize),
    stop: Option<AtomicBool>,
) -> usize {
    let heard = Heard { boards: boards.to_vec(), stop, ..Heard::default() };
    let limits = Limits { stop: heard.stop.as_ref().or(limits.stop), ..limits };
    let sharing = Sharing { boards_at_once: Some(1), ..Sharing::default() };
    let improvement = Some(AT_ONCE);
    let work = Work { limits, sharing, thread_count, improvement, ..Work::default() };
    solver.solve_all(&heard, &work);
    let distance = |place: usize| known[boards[place].tiles()] as u32;
    let is_solution =
        |place: usize, moves: &[Direction]| boards[place].after(moves).as_ref() == Ok(goal.board());
    let better = heard.better.into_inner().unwrap();
    for (i, (place, moves, lower_bound)) in better.iter().enumerate() {
        assert!(is_solution(*place, moves));
        assert!(moves.len() as u32 >= distance(*place));
        assert!(*lower_bound <= distance(*place));
        let before = better[..i].iter().rev().find(|(other, ..)| other == place);
        assert!(before.is_none_or(|(_, before, _)| moves.len() < before.len()));
    }
    let answers = heard.answers.into_inner().unwrap();
    assert_eq!(answers.len(), boards.len());
    let mut unproved = 0;
    for (place, answer) in answers {
        let outcome = answer.unwrap();
        let distance = distance(place);
        let best = better.iter().rev().find(|(other, ..)| *other == place);
        match &outcome.status {
            Status::Optimal { moves } => {
                assert!(is_solution(place, moves));
                assert_eq!(moves.len() as u32, distance);
            }
            Status::Solved { moves, lower_bound, limit } => {
                assert!(is_solution(place, moves) && limit.is_some());
                assert!(*lower_bound <= distance && distance <= moves.len() as u32);
                assert!(*lower_bound < moves.len() as u32);
                let is_kept = best.is_none_or(|(_, best, _)| best.len() >= moves.len());
                assert!(is_kept, "nothing is lost");
                unproved += 1;
            }
            Status::Limit { lower_bound, .. } => {
                assert!(*lower_bound <= distance && best.is_none());
            }
            other => panic!("{other:?}"),
        }
    }
    unproved
}

#[test]
fn solutions_beside_the_proof_are_solutions_and_bounds_are_bounds() {
    let mut unproved = 0;
    let shapes = [shape(2, 3), shape(3, 3), shape(2, 4)];
    for goal in shapes.into_iter().flat_map(goals) {
        let known = distances(&goal);
        let sampled = sample(&goal, if are_long() { 101 } else { 3001 }).into_iter();
        let boards: Vec<Board> = sampled.map(|(board, _)| board).collect();
        let stopped = AtomicBool::new(true);
        let limits = [
            Limits::default(),
            Limits { nodes: Some(300), ..Limits::default() },
            Limits { time: Some(Duration::from_micros(300)), ..Limits::default() },
            Limits { stop: Some(&stopped), ..Limits::default() },
        ];
        for (limits, threads) in limits.into_iter().flat_map(|l| [1, 2, 3].map(|n| (l, n))) {
            let solver = solver(Manhattan::new(&goal), &goal);
            unproved += check(&solver, &goal, known, &boards, (limits, threads), None);
            let network = network(goal.shape(), &mut Random::default());
            let order = LazyOrder::new(Box::new(move || LearnedOrder::new(&network, &goal)));
            let solver = solver.with_order(Arc::new(order));
            check(&solver, &goal, known, &boards, (limits, threads), None);
        }
        let wild = solver(inconsistent(&goal), &goal);
        check(&wild, &goal, known, &boards, (Limits::default(), 2), None);
    }
    assert!(unproved > 0, "some limits come after the first solution");
}

#[test]
fn an_interrupt_keeps_the_best_solution() {
    let goal = Goal::blank_last(shape(3, 3));
    let known = distances(&goal);
    for (board, _) in sample(&goal, 1).into_iter().filter(|&(_, distance)| distance == 31) {
        for threads in [1, 2] {
            let stop = Some(AtomicBool::new(false));
            let solver = solver(Manhattan::new(&goal), &goal);
            check(&solver, &goal, known, &[board], (Limits::default(), threads), stop);
        }
    }
}

#[test]
fn bounds_that_meet_end_the_search_before_its_last_bound() {
    let board: Board = "6 14 10 5/15 8 7 1/3 4 2 0/12 9 11 13".parse().unwrap();
    let goal = Goal::blank_first(board.shape());
    let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_FIRST).unwrap();
    // The only thread proves nothing before the improvement has ended.
    let improvement = Some(Improvement { share: 1.0, memory: 1 << 23, ..AT_ONCE });
    let outcome = solver.solve(&board, &Work { improvement, ..Work::default() }).unwrap();
    assert!(matches!(&outcome.status, Status::Optimal { moves } if moves.len() == 49));
    let last = outcome.bounds.last().unwrap();
    assert!(last.bound == 49 && last.generated < 1000, "{last:?}");
    assert!(outcome.bounds.iter().map(|bound| bound.generated).sum::<u64>() < outcome.generated);
}

/// Returns a board that takes 31 moves, and a solver for it.
fn farthest() -> (Board, Solver<'static>) {
    let goal = Goal::blank_last(shape(3, 3));
    ("8 6 7/2 5 4/3 0 1".parse().unwrap(), solver(Manhattan::new(&goal), &goal))
}

#[test]
fn searches_of_a_board_share_what_is_known() {
    let (board, solver) = farthest();
    let account = Arc::new(Account::new());
    let work = Work { account: Some(&account), ..Work::default() };
    let search = || solver.solve(&board, &work).unwrap();
    account.interrupt();
    let interrupted = Status::Limit { kind: LimitKind::Interrupted, lower_bound: 21 };
    assert_eq!([search().status, search().status], [interrupted.clone(), interrupted]);
    account.resume();
    account.raise(27);
    let whole = search();
    // Bounds that are proved are not searched again, but for the last two.
    let bounds: Vec<_> = whole.bounds.iter().map(|count| count.bound).collect();
    assert_eq!(bounds, [23, 25, 27, 29, 31]);
    let Status::Optimal { moves } = &whole.status else { panic!("{whole:?}") };
    account.offer(moves, 31);
    account.raise(31);
    let again = search();
    assert_eq!((&again.status, again.generated), (&whole.status, 1));
    assert!(matches!(solver.solve(solver.goal().board(), &work), Err(SearchError::Account)));
}

#[test]
fn a_proof_waits_in_a_pause_that_limits_end() {
    let (board, solver) = farthest();
    let account = Arc::new(Account::new());
    account.pause(true);
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    let work = Work { limits, account: Some(&account), thread_count: 2, ..Work::default() };
    let outcome = solver.solve(&board, &work).unwrap();
    assert_eq!((outcome.status.limit(), outcome.generated), (Some(LimitKind::Time), 1));
    account.pause(false);
    let rest = solver.solve(&board, &Work { account: Some(&account), ..Work::default() }).unwrap();
    assert_eq!(rest.status.moves().map(<[_]>::len), Some(31));
}
