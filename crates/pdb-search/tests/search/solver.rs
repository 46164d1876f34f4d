//! The solver compared with breadth-first search, with any number of threads and lanes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::{
    ByBoard, Distances, HARDEST, InTwoSteps, all_boards, check_optimal, distances, goals,
    inconsistent, moves, sample, shape, too_much_for,
};
use pdb_core::{Board, BoardError, Direction, Dual, Goal, Heuristic, RootError};
use pdb_oracle::are_long;
use pdb_search::{
    BoardList, Boards, KORF_BLANK_FIRST, KORF_BLANK_LAST, LimitKind, Limits, Manhattan, Next,
    Options, Outcome, SearchError, Sharing, Solver, Status, Work,
};

const EASY: &str = "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15";
/// Number 73 of Korf's hundred boards, 49 moves from a goal with the blank first.
const KORF_73: &str = "6 14 10 5/15 8 7 1/3 4 2 0/12 9 11 13";
const THROUGHPUT: Sharing = Sharing { lanes: Some(8), boards_at_once: None, subtrees: 2000 };
const LATENCY: Sharing = Sharing { lanes: Some(8), boards_at_once: Some(1), subtrees: 2000 };

type Answer = Result<Outcome, SearchError>;

/// Solves all boards, the default way or with limits.
fn solve_all<H: Heuristic + Clone + Send>(
    heuristic: &H,
    goal: &Goal,
    limits: Limits<'_>,
    sharing: Sharing,
    thread_count: usize,
    boards: &[Board],
) -> Vec<Answer> {
    let solver = Solver::new(heuristic.clone(), goal, KORF_BLANK_LAST).unwrap();
    let list = BoardList::new(boards);
    solver.solve_all(&list, &Work { limits, sharing, thread_count, ..Work::default() });
    list.into_answers()
}

/// Returns work without limits.
fn in_ways(sharing: Sharing, thread_count: usize) -> Work<'static> {
    Work { sharing, thread_count, ..Work::default() }
}

/// Ways to share the work, each with a number of threads; some only in long tests.
fn ways() -> impl Iterator<Item = (Sharing, usize)> {
    let is_tried = |&(lanes, threads): &(_, usize)| are_long() || lanes != 3 && threads != 2;
    let all = [1, 2, 4].into_iter().flat_map(|threads| [1, 3, 8].map(|lanes| (lanes, threads)));
    let all = all.filter(is_tried);
    all.flat_map(|(lanes, threads)| {
        [None, Some(1)].map(|boards_at_once| {
            (Sharing { lanes: Some(lanes), boards_at_once, subtrees: 2000 }, threads)
        })
    })
}

/// Solves boards in every way. Boards without a distance have no solution.
fn check_every_way<H: Heuristic + Clone + Send>(
    heuristic: &H,
    goal: &Goal,
    boards: &[Board],
    known: &Distances,
) {
    for (sharing, threads) in ways() {
        let answers = solve_all(heuristic, goal, Limits::default(), sharing, threads, boards);
        for (board, answer) in boards.iter().zip(answers) {
            let outcome = answer.unwrap();
            if let Some(&distance) = known.get(board.tiles()) {
                let estimate = heuristic.estimate(&heuristic.root(board).unwrap().1);
                check_optimal(goal, board, estimate, &outcome, distance);
            } else {
                let reason = goal.check_solvable(board).unwrap_err();
                assert_eq!(outcome.status, Status::Unsolvable(reason));
                assert_eq!((outcome.generated, outcome.initial_estimate), (0, None));
            }
        }
    }
}

fn by_manhattan(goal: &Goal) -> ByBoard<'_> {
    ByBoard::new(|board: &Board| Ok(goal.manhattan_distance(board)))
}

#[test]
fn every_board_of_small_shapes_is_solved_or_unsolvable() {
    let lines = [shape(1, 2), shape(1, 5), shape(5, 1)];
    for shape in [shape(2, 2), shape(2, 3), shape(3, 2)].into_iter().chain(lines) {
        let boards: Vec<_> = all_boards(shape).collect();
        for goal in goals(shape) {
            let known = distances(&goal);
            check_every_way(&Manhattan::new(&goal), &goal, &boards, known);
            check_every_way(&by_manhattan(&goal), &goal, &boards, known);
            check_every_way(&InTwoSteps::new(&goal), &goal, &boards, known);
        }
    }
}

/// Returns every `stride`th board, and the farthest boards.
fn sample_and_deepest(goal: &Goal, stride: usize) -> Vec<Board> {
    let deepest = *distances(goal).values().max().unwrap();
    let antipodes = sample(goal, 1).into_iter().filter(|&(_, distance)| distance == deepest);
    sample(goal, stride).into_iter().chain(antipodes).map(|(board, _)| board).collect()
}

#[test]
fn boards_take_as_many_moves_as_breadth_first_search_says() {
    // Boards of 2x5 take up to 55 moves, so their searches take seconds: in long tests only.
    let three = goals(shape(3, 3)).map(|goal| (goal, 9_001));
    let two = are_long().then(|| (Goal::snail(shape(2, 5)), 150_001));
    for (goal, stride) in three.into_iter().chain(two) {
        let known = distances(&goal);
        let stride = if are_long() { stride / 3 } else { stride };
        let boards = sample_and_deepest(&goal, stride);
        let few: Vec<Board> = boards.iter().step_by(8).copied().collect();
        check_every_way(&Manhattan::new(&goal), &goal, &boards, known);
        check_every_way(&by_manhattan(&goal), &goal, &few, known);
        check_every_way(&InTwoSteps::new(&goal), &goal, &few, known);
        check_every_way(&inconsistent(&goal), &goal, &few, known);
    }
}

/// Returns whether some reflection or rotation that keeps the blank's home maps a square board to
/// itself.
fn is_own_image(goal: &Goal, board: &Board) -> bool {
    goal.mirrors().skip(1).any(|image| {
        let moved = |cell| goal.home(board.tile(image.cell(cell)));
        board
            .shape()
            .all_cells()
            .iter()
            .all(|cell| moved(cell) == image.cell(goal.home(board.tile(cell))))
    })
}

#[test]
fn symmetric_boards_have_shortest_solutions() {
    let shape = shape(3, 3);
    let mut counts = Vec::new();
    for goal in [Goal::blank_last(shape), Goal::blank_first(shape), Goal::in_order(shape, 4)] {
        let mut images = sample(&goal, 1);
        images.retain(|(board, _)| is_own_image(&goal, board));
        counts.push(images.len());
        for order in [KORF_BLANK_LAST, KORF_BLANK_FIRST] {
            let in_two = Solver::new(InTwoSteps::new(&goal), &goal, order).unwrap();
            let in_one = Solver::new(Manhattan::new(&goal), &goal, order).unwrap();
            // One board in four, or all in long tests.
            for &(board, distance) in images.iter().step_by(if are_long() { 1 } else { 4 }) {
                let estimate = goal.manhattan_distance(&board);
                for (solver, sharing) in [(&in_two, THROUGHPUT), (&in_one, LATENCY)] {
                    let outcome = solver.solve(&board, &in_ways(sharing, 1)).unwrap();
                    check_optimal(&goal, &board, estimate, &outcome, distance);
                }
            }
        }
    }
    assert_eq!(counts, [144, 144, 736]);
}

#[test]
fn prunes_one_of_two_mirrored_first_moves() {
    let goal = Goal::blank_last(shape(3, 3));
    // The board is its own mirror image, with the blank in the corner.
    let board: Board = "1 4 3/2 5 8/7 6 0".parse().unwrap();
    assert!(is_own_image(&goal, &board));
    let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST).unwrap();
    let outcome = solver.solve(&board, &in_ways(LATENCY, 1)).unwrap();
    let plain = solver.ida_star(&board, &Options::default()).unwrap();
    assert_eq!(moves(&outcome).len(), moves(&plain).len());
    for (fewer, all) in outcome.bounds.iter().zip(&plain.bounds).take(plain.bounds.len() - 1) {
        assert!(2 * fewer.expanded <= all.expanded + 1, "{fewer:?} of {all:?}");
    }
}

/// Korf's boards 79, 12, 42, 55, 97 and 19, which Manhattan distance solves with the fewest nodes.
const CUT: [&str; 6] = [
    "0 1 9 7/11 13 5 3/14 12 4 2/8 6 10 15",
    "14 1 9 6/4 8 12 5/7 2 3 0/10 11 13 15",
    "4 5 7 2/9 14 12 13/0 3 6 11/8 1 15 10",
    "13 8 14 3/9 1 0 7/15 5 4 10/12 2 6 11",
    "9 14 5 7/8 15 1 2/10 4 13 6/12 0 11 3",
    "7 11 8 3/14 0 6 15/1 4 13 9/5 12 2 10",
];

#[test]
fn cut_trees_have_the_same_bounds_and_lengths_with_fewer_nodes() {
    let goal = Goal::blank_first(shape(4, 4));
    let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_FIRST).unwrap();
    let generated = |subtrees, threads| {
        let sharing = Sharing { subtrees, ..THROUGHPUT };
        let solve = |board: &&str| {
            let board: Board = board.parse().unwrap();
            solver.solve(&board, &in_ways(sharing, threads)).unwrap()
        };
        CUT.iter().map(solve).collect::<Vec<_>>()
    };
    let wholes = generated(1, 1);
    for (subtrees, threads) in [(2, 1), (50, 1), (2000, 1), (100_000, 1), (2000, 3)] {
        let cut = generated(subtrees, threads);
        for (cut, whole) in cut.iter().zip(&wholes) {
            assert_eq!(moves(cut).len(), moves(whole).len());
            assert_eq!(cut.bounds.len(), whole.bounds.len());
            let complete = cut.bounds.len() - 1;
            for (cut, whole) in cut.bounds.iter().zip(&whole.bounds).take(complete) {
                assert_eq!(cut.bound, whole.bound);
                // An earlier bound has generated the nodes above the subtrees.
                assert!(cut.generated <= whole.generated, "{cut:?} of {whole:?}");
                assert!(4 * cut.generated >= whole.generated, "{cut:?} of {whole:?}");
            }
        }
        let sum = |all: &[Outcome]| all.iter().map(|one| one.generated).sum::<u64>();
        // With two subtrees, either may have fewer nodes.
        let is_less = sum(&cut) < sum(&wholes);
        assert!(subtrees == 2 || is_less, "{subtrees} subtrees, {threads} threads");
        if threads == 1 {
            assert_eq!(generated(subtrees, 1).iter().map(|o| o.generated).sum::<u64>(), sum(&cut));
        }
    }
}

/// Returns boards of 3x3 that take long enough to be split, and short ones.
fn mixed_3x3() -> Vec<Board> {
    let boards = ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/0 7 8", "6 4 7/8 5 0/3 2 1"];
    boards.iter().cycle().take(30).map(|board| board.parse().unwrap()).collect()
}

#[test]
fn counts_each_read_child_as_generated() {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = mixed_3x3();
    for (sharing, threads) in ways() {
        let heuristic = InTwoSteps::new(&goal);
        let answers = solve_all(&heuristic, &goal, Limits::default(), sharing, threads, &boards);
        let sum = |number: fn(&Outcome) -> u64| -> u64 {
            answers.iter().map(|answer| number(answer.as_ref().unwrap())).sum()
        };
        let [located, read, entered] = heuristic.counts();
        let roots = boards.len() as u64;
        assert_eq!(sum(|outcome| outcome.generated) - roots, read, "{sharing:?} {threads}");
        let lookups = sum(|outcome| outcome.lookups);
        if sharing.lanes == Some(1) && threads == 1 {
            assert_eq!((located, lookups), (read, 3 * located + 5 * entered));
        } else {
            // If another thread solves the board first, a lane does not read what it has located.
            assert!(located >= read && lookups <= 3 * read + 5 * entered);
            assert!(lookups >= 3 * read + 5 * entered * 9 / 10, "{sharing:?} {threads}");
        }
    }
}

fn status(answer: &Answer) -> &Status {
    &answer.as_ref().unwrap().status
}

#[test]
fn limits_end_one_board_and_leave_the_others_alone() {
    let goal = Goal::blank_last(shape(4, 4));
    let manhattan = Manhattan::new(&goal);
    // The hardest board among easy ones, one of which is unsolvable.
    let odd = "2 1 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    let boards: [Board; 5] = [EASY, HARDEST, EASY, odd, EASY].map(|board| board.parse().unwrap());
    let nodes = Limits { nodes: Some(100_000), ..Limits::default() };
    let time = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    // In some of the ways, the time ends.
    for (limits, expected, step) in [(nodes, LimitKind::Nodes, 1), (time, LimitKind::Time, 3)] {
        for (sharing, threads) in ways().step_by(step) {
            let answers = solve_all(&manhattan, &goal, limits, sharing, threads, &boards);
            for place in [0, 2, 4] {
                let easy = status(&answers[place]);
                assert!(matches!(easy, Status::Optimal { moves } if moves.len() == 3));
            }
            assert!(matches!(status(&answers[3]), Status::Unsolvable(_)));
            let outcome = answers[1].as_ref().unwrap();
            let lower_bound = outcome.bounds.last().unwrap().bound;
            assert_eq!(outcome.status, Status::Limit { kind: expected, lower_bound });
            let estimate = goal.manhattan_distance(&boards[1]);
            assert!((estimate..=65).contains(&lower_bound) && lower_bound % 2 == 1);
            assert!(outcome.elapsed >= limits.time.unwrap_or_default());
        }
    }
}

#[test]
fn answers_other_boards_beside_one_with_an_error() {
    let goal = Goal::blank_last(shape(3, 3));
    let [good, too_much, damaged]: [Board; 3] =
        ["1 2 3/4 5 0/7 8 6", "1 2 3/4 5 6/0 7 8", "1 2 3/4 5 6/7 0 8"]
            .map(|board| board.parse().unwrap());
    let error = RootError::Damaged { table: "a.pdb".to_owned() };
    // The damaged board is found only as a root.
    let heuristic = ByBoard::new(|board: &Board| {
        if *board == damaged { Err(error.clone()) } else { Ok(goal.manhattan_distance(board)) }
    });
    let large = *Goal::blank_last(shape(4, 4)).board();
    let other_shape = BoardError::OtherShape { expected: shape(3, 3), found: shape(4, 4) };
    let over = too_much_for(&goal, too_much);
    for (sharing, threads) in ways() {
        let solve = |heuristic: &ByBoard<'_>, boards: &[Board]| {
            solve_all(heuristic, &goal, Limits::default(), sharing, threads, boards)
        };
        let answers = solve(&heuristic, &[good, large, damaged, good]);
        assert_eq!(answers[1], Err(RootError::Board(other_shape.clone()).into()));
        assert_eq!(answers[2], Err(SearchError::Root(error.clone())));
        for answer in [&answers[0], &answers[3]] {
            assert!(matches!(status(answer), Status::Optimal { moves } if moves.len() == 1));
        }
        let answers = solve(&over, &[good, too_much, good]);
        assert_eq!(answers[1], Err(SearchError::NotLowerBound { bound: 4, length: 2 }));
        assert!(answers[0].is_ok() && answers[2].is_ok());
    }
}

#[test]
fn rejects_an_order_that_leaves_out_a_direction() {
    let goal = Goal::blank_last(shape(3, 3));
    let order = [Direction::Up, Direction::Left, Direction::Up, Direction::Down];
    let found = Solver::new(Manhattan::new(&goal), &goal, order).unwrap_err();
    assert_eq!(found, SearchError::Order { order, missing: Direction::Right });
}

#[test]
fn panic_on_one_thread_ends_all() {
    let goal = Goal::blank_last(shape(4, 4));
    let boards = [HARDEST; 3].map(|board| board.parse().unwrap());
    for (sharing, threads) in ways() {
        let calls = AtomicU64::new(0);
        let heuristic = ByBoard::new(|board: &Board| {
            assert_ne!(calls.fetch_add(1, Ordering::Relaxed), 50_000, "one call fails");
            Ok(goal.manhattan_distance(board))
        });
        let list = BoardList::new(&boards);
        let solver = Solver::new(heuristic.clone(), &goal, KORF_BLANK_LAST).unwrap();
        let search = AssertUnwindSafe(|| solver.solve_all(&list, &in_ways(sharing, threads)));
        catch_unwind(search).expect_err("the panic goes through");
    }
}

/// Boards that arrive one by one, each some time after the answer to the board before.
struct OneByOne {
    boards: Vec<Board>,
    asked: AtomicUsize,
    given: AtomicUsize,
    answers: Mutex<Vec<(usize, Answer)>>,
}

impl Boards for OneByOne {
    fn next(&self) -> Next {
        let answers = self.answers.lock().unwrap();
        let given = self.given.load(Ordering::Relaxed);
        if answers.len() < given || self.asked.fetch_add(1, Ordering::Relaxed) % 5 < 4 {
            return Next::Later;
        }
        let Some(&board) = self.boards.get(given) else { return Next::End };
        self.given.store(given + 1, Ordering::Relaxed);
        Next::Board(board, given as u64)
    }

    fn answer(&self, ticket: u64, answer: Answer) {
        self.answers.lock().unwrap().push((ticket as usize, answer));
    }
}

#[test]
fn boards_that_come_after_the_answers_to_others_are_answered() {
    let goal = Goal::blank_last(shape(3, 3));
    let heuristic = by_manhattan(&goal);
    for (sharing, threads) in ways() {
        let boards = OneByOne {
            boards: mixed_3x3(),
            asked: AtomicUsize::new(0),
            given: AtomicUsize::new(0),
            answers: Mutex::default(),
        };
        let solver = Solver::new(heuristic.clone(), &goal, KORF_BLANK_LAST).unwrap();
        solver.solve_all(&boards, &in_ways(sharing, threads));
        let answers = boards.answers.into_inner().unwrap();
        assert_eq!(answers.len(), boards.boards.len());
        for (place, (ticket, answer)) in answers.iter().enumerate() {
            assert_eq!(*ticket, place);
            let expected = [31, 2, 31][place % 3];
            assert_eq!(moves(answer.as_ref().unwrap()).len(), expected);
        }
    }
}

/// Returns a solver that may search duals for any home of their blank.
fn with_duals<'h, H: Heuristic + Send + 'h>(
    goal: &Goal,
    heuristic: impl Fn(&Goal) -> H,
) -> Solver<'h> {
    let mut goals = vec![*goal];
    goals.extend(goal.shape().all_cells().iter().map(|blank| Goal::in_order(goal.shape(), blank)));
    let heuristics = goals.iter().map(heuristic).collect();
    Solver::with_duals(heuristics, goals, KORF_BLANK_LAST).unwrap()
}

#[test]
fn boards_that_may_be_searched_from_their_duals_have_shortest_solutions() {
    for shape in [shape(3, 3), shape(2, 4), shape(4, 2), shape(2, 2)] {
        for goal in goals(shape) {
            let stride = if are_long() { 3 } else { distances(&goal).len() / 30 + 1 };
            let (boards, lengths): (Vec<_>, Vec<_>) = sample(&goal, stride).into_iter().unzip();
            let solver = with_duals(&goal, |goal| inconsistent(goal).without_waits());
            for (sharing, threads) in ways() {
                let list = BoardList::new(&boards);
                solver.solve_all(&list, &in_ways(sharing, threads));
                let answers = list.into_answers().into_iter().zip(&boards);
                for ((answer, board), &distance) in answers.zip(&lengths) {
                    let outcome = answer.unwrap();
                    assert_eq!(moves(&outcome).len(), distance, "{board} to {goal:?}");
                    assert_eq!(board.after(moves(&outcome)).as_ref(), Ok(goal.board()));
                    let generated: u64 = outcome.bounds.iter().map(|bound| bound.generated).sum();
                    let expanded: u64 = outcome.bounds.iter().map(|bound| bound.expanded).sum();
                    assert_eq!((generated, expanded), (outcome.generated, outcome.expanded));
                }
            }
        }
    }
}

#[test]
fn duals_are_searched_where_their_trees_are_smaller() {
    let goal = Goal::blank_last(shape(3, 3));
    let plain = Solver::new(inconsistent(&goal).without_waits(), &goal, KORF_BLANK_LAST).unwrap();
    let both = with_duals(&goal, |goal| inconsistent(goal).without_waits());
    let mut larger_estimates = 0;
    let (mut alone, mut together) = (0, 0);
    for (board, _) in sample(&goal, 97).into_iter().filter(|&(_, distance)| distance > 24) {
        let straight = plain.solve(&board, &Work::default()).unwrap();
        let either = both.solve(&board, &Work::default()).unwrap();
        assert!(either.initial_estimate >= straight.initial_estimate, "{board}");
        larger_estimates += usize::from(either.initial_estimate > straight.initial_estimate);
        alone += straight.generated;
        together += either.generated;
    }
    assert!(larger_estimates > 10, "{larger_estimates} boards have duals with larger estimates");
    assert!(together < alone, "{together} nodes with duals, {alone} without");
}

#[test]
fn limits_hold_where_a_dual_is_searched_too() {
    let goal = Goal::blank_last(shape(3, 3));
    let solver = with_duals(&goal, |goal| inconsistent(goal).without_waits());
    for (board, distance) in sample(&goal, 5003).into_iter().filter(|&(_, distance)| distance > 24)
    {
        let whole = solver.solve(&board, &Work::default()).unwrap();
        for nodes in [0, 1, 2, 10, 50, whole.generated / 2, whole.generated - 1] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let outcome = solver.solve(&board, &Work { limits, ..Work::default() }).unwrap();
            assert!(outcome.generated <= nodes, "{board}: {} of {nodes} nodes", outcome.generated);
            let Status::Limit { kind, lower_bound } = outcome.status else {
                panic!("{board} is solved with {nodes} nodes: {outcome:?}")
            };
            assert_eq!(kind, LimitKind::Nodes);
            assert!(lower_bound <= distance as u32, "{board}");
            assert!(Some(lower_bound) >= whole.initial_estimate, "{board}");
        }
    }
}

/// Returns the bounds of a search with their generated nodes.
fn bounds(outcome: &Outcome) -> Vec<(u32, u64)> {
    outcome.bounds.iter().map(|count| (count.bound, count.generated)).collect()
}

#[test]
fn similar_trees_are_compared_again_in_a_large_bound() {
    let goal = Goal::blank_first(shape(4, 4));
    let board: Board = KORF_73.parse().unwrap();
    let solver = |goal: &Goal| Solver::new(Manhattan::new(goal), goal, KORF_BLANK_LAST).unwrap();
    let homes = goal.shape().all_cells().iter().map(|blank| Goal::in_order(goal.shape(), blank));
    let mut duals = homes.filter_map(|home| Some((home, Dual::new(&goal, &board, &home)?)));
    let (dual_goal, dual) = duals.next().unwrap();
    let straight = bounds(&solver(&goal).solve(&board, &Work::default()).unwrap());
    let other = bounds(&solver(&dual_goal).solve(dual.board(), &Work::default()).unwrap());
    // The board's tree is the smaller one until its bound of 100,000 nodes.
    let (first, again) = (1, 5);
    assert!(straight[first].1 < other[first].1 && straight[again - 1].1 < other[again - 1].1);
    assert!(straight[again].1 > 100_000 && straight[again].1 > other[again].1);

    let both = with_duals(&goal, Manhattan::new);
    for threads in [1, 2] {
        let work = Work { thread_count: threads, ..Work::default() };
        let outcome = both.solve(&board, &work).unwrap();
        assert_eq!(moves(&outcome).len(), 49);
        let found = bounds(&outcome);
        let sum = |at: usize| (straight[at].0, straight[at].1 + other[at].1);
        assert_eq!(found[..again], [&[sum(0), sum(1)], &straight[2..again]].concat());
        // The nodes above the leaves of the dual's tree are generated here, not in earlier bounds.
        let (bound, nodes) = sum(again);
        assert_eq!(found[again].0, bound);
        assert!((nodes..nodes + 2000).contains(&found[again].1), "{found:?}, not {nodes}");
    }
}

#[test]
fn an_estimate_of_another_shape_or_without_a_solution_is_an_error() {
    let goal = Goal::blank_last(shape(3, 3));
    let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST).unwrap();
    let board = *Goal::blank_last(shape(3, 4)).board();
    let other = BoardError::OtherShape { expected: shape(3, 3), found: shape(3, 4) };
    assert_eq!(solver.estimate(&board), Err(RootError::Board(other)));
    let board: Board = "1 2 3/4 5 6/8 7 0".parse().unwrap();
    let reason = goal.check_solvable(&board).unwrap_err();
    assert_eq!(solver.estimate(&board), Err(RootError::Unsolvable(reason)));
    assert_eq!(solver.estimate(goal.board()), Ok(0));
}
