//! All searches compared with breadth-first search, with heuristics of every kind.

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::common::{
    ByBoard, InTwoSteps, all_boards, distances, goals, sample, shape, too_much_for,
};
use pdb_core::{Board, BoardError, Direction, Estimator, Goal, Plan, RootError};
use pdb_lab::searches::{Ranking, best_first, bidirectional, breadth_first};
use pdb_lab::{Engine, EngineError, HeuristicName, Param, SearchName};
use pdb_oracle::{Random, are_long};
use pdb_search::{
    KORF_BLANK_LAST, LimitKind, Limits, Manhattan, Options, Outcome, SearchError, Solver, Status,
    Weight, weighted_ida_star,
};

const ONE: NonZeroU32 = NonZeroU32::MIN;

fn weights() -> [Weight; 4] {
    ["1", "81/19", "1.5", "7"].map(|text| text.parse().expect("these are weights"))
}

/// Returns all searches, those with parameters several times.
fn searches() -> Vec<SearchName> {
    let several = |search: SearchName| -> Vec<SearchName> {
        let name = search.name();
        let is_sized = search.row().params.iter().any(|param| matches!(param, Param::Size { .. }));
        match (is_sized, search.takes_weight()) {
            (false, false) => vec![search],
            (false, true) => weights().map(|weight| search.with_weight(weight)).into(),
            (true, is_weighted) => [(7, "1"), (2, "3/2"), (70, "3/2"), (1000, "7")]
                .map(|(size, weight)| {
                    let weight = if is_weighted { format!(":{weight}") } else { String::new() };
                    format!("{name}:{size}{weight}").parse().unwrap()
                })
                .into(),
        }
    };
    SearchName::all().flat_map(several).collect()
}

/// Returns all searches with a heuristic that is made for each goal.
fn engine<E: Estimator + 'static>(
    goal: &Goal,
    make: impl Fn(&Goal) -> E + Send + Sync + 'static,
) -> Engine {
    let name = HeuristicName::own("of a test", move |goal| Arc::new(make(goal)));
    let open = &mut |_: &str, _: &Plan| -> Result<_, EngineError> { unreachable!("no tables") };
    Engine::open(&name, goal, open).unwrap()
}

fn run(engine: &Engine, search: SearchName, board: &Board) -> Result<Outcome, SearchError> {
    engine.search(search, board, Weight::ONE, Limits::default())
}

/// Checks everything that an outcome says about a board of known distance.
fn check(search: SearchName, goal: &Goal, board: &Board, outcome: &Outcome, distance: usize) {
    let (moves, lower_bound) = match &outcome.status {
        Status::Optimal { moves } => {
            assert_eq!(moves.len(), distance, "{search}: {board:?} to {goal:?}");
            (moves, distance)
        }
        Status::Solved { moves, lower_bound, .. } => (moves, *lower_bound as usize),
        other => panic!("{search}: expected a solution of {board:?}, found {other:?}"),
    };
    assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
    assert!(lower_bound <= distance && distance <= moves.len(), "{search}: {board:?}");
    assert_eq!(lower_bound == moves.len(), matches!(outcome.status, Status::Optimal { .. }));
    assert_eq!(lower_bound % 2, distance % 2);
    if let Some(weight) = search.factor(Weight::ONE) {
        let most = distance * weight.numerator() as usize / weight.denominator() as usize;
        assert!(moves.len() <= most, "{search}: {board:?}: {} moves", moves.len());
    }
    assert_eq!(outcome.memory_bytes > 0, search.keeps_boards() && distance > 0);
    assert_eq!(outcome.initial_estimate.is_some(), search.is_informed());
    if distance == 0 {
        assert_eq!((outcome.generated, outcome.expanded), (1, 0), "{search}");
    } else {
        assert!(outcome.generated > 1 && outcome.expanded > 0, "{search}");
    }
}

/// Checks all searches of a board of known distance; of a deep board, those that keep boards.
fn check_all(engine: &Engine, board: &Board, distance: usize, is_deep: bool) {
    for search in searches().into_iter().filter(|search| !is_deep || search.keeps_boards()) {
        let outcome = run(engine, search, board).expect("board and goal fit together");
        check(search, engine.goal(), board, &outcome, distance);
    }
}

fn zero() -> ByBoard<'static> {
    ByBoard::new(|_| Ok(0))
}

/// Returns a heuristic that knows all distances to a goal.
fn perfect(goal: &Goal) -> ByBoard<'static> {
    let known = distances(goal);
    ByBoard::new(move |board: &Board| Ok(known[board.tiles()] as u32))
}

/// Returns a heuristic that is admissible, but neither consistent nor of the distance's parity.
fn wild(goal: &Goal) -> ByBoard<'static> {
    let known = distances(goal);
    ByBoard::new(move |board: &Board| {
        let mix = |hash: u32, &tile: &u8| {
            (hash.rotate_left(5) ^ u32::from(tile)).wrapping_mul(0x9e37_79b9)
        };
        let hash = board.tiles().iter().fold(7, mix);
        Ok(known[board.tiles()] as u32 * (hash >> 29) / 7)
    })
}

/// Returns the stride of a sample of boards: `long` in long tests, and four times that in others.
fn stride(long: usize) -> usize {
    if are_long() { long } else { 4 * long }
}

/// Checks all searches with all heuristics of this file, on a board of known distance.
fn check_with_every_heuristic(goal: &Goal, board: &Board, distance: usize, is_deep: bool) {
    check_all(&engine(goal, Manhattan::new), board, distance, false);
    check_all(&engine(goal, |_| zero()), board, distance, is_deep);
    check_all(&engine(goal, perfect), board, distance, false);
    check_all(&engine(goal, wild), board, distance, is_deep);
}

#[test]
fn every_board_of_2x2_and_2x3_and_3x2_is_solved_or_unsolvable() {
    for shape in [shape(2, 2), shape(2, 3), shape(3, 2)] {
        for goal in goals(shape) {
            let known = distances(&goal);
            // One board in eleven of six cells; all boards in long tests.
            let step = if are_long() || shape.cell_count() < 6 { 1 } else { 11 };
            for board in all_boards(shape).step_by(step) {
                if let Some(&distance) = known.get(board.tiles()) {
                    check_with_every_heuristic(&goal, &board, distance, false);
                    continue;
                }
                let reason = goal.check_solvable(&board).unwrap_err();
                for search in searches() {
                    let outcome = run(&engine(&goal, |_| zero()), search, &board).unwrap();
                    assert_eq!(outcome.status, Status::Unsolvable(reason));
                    assert_eq!((outcome.generated, outcome.memory_bytes), (0, 0));
                }
            }
        }
    }
}

#[test]
fn boards_of_2x4_and_3x3_are_solved_with_every_heuristic() {
    // Two boards of each goal of 2x4, and one of one goal of 3x3, which takes a second.
    for (rows, cols, goal_count, board_count) in [(2, 4, 3, 2), (3, 3, 1, 1)] {
        let [goal_count, board_count] = if are_long() { [3, 6] } else { [goal_count, board_count] };
        for goal in goals(shape(rows, cols)).into_iter().take(goal_count) {
            let farthest = sample(&goal, 1).into_iter().max_by_key(|&(_, distance)| distance);
            let some = sample(&goal, distances(&goal).len() / 4 + 1);
            for (board, distance) in farthest.into_iter().chain(some).take(board_count) {
                check_with_every_heuristic(&goal, &board, distance, true);
            }
        }
    }
}

/// Returns a board some moves away from a goal. No move undoes the one before.
fn scrambled(goal: &Goal, moves: usize) -> Board {
    let (mut board, mut last) = (*goal.board(), None);
    let mut random = Random::default();
    let mut made = 0;
    while made < moves {
        let direction = Direction::ALL[random.below(4)];
        if last.map(Direction::opposite) == Some(direction) {
            continue;
        }
        if let Some(next) = board.moved(direction) {
            (board, last, made) = (next, Some(direction), made + 1);
        }
    }
    board
}

#[test]
fn boards_of_other_shapes_take_as_many_moves_as_by_ida_star() {
    let cases =
        [(3, 4, 30), (4, 4, 28), (2, 8, 24), (4, 5, 20), (5, 5, 18), (5, 6, 14), (6, 6, 12)];
    // Boards that an uninformed search takes seconds for are left to long tests.
    let uninformed_max = if are_long() { 20 } else { 14 };
    for (place, (rows, cols, moves)) in cases.into_iter().enumerate() {
        // One of the goals, in turn, and each of them in long tests.
        let goals = goals(shape(rows, cols));
        let some = if are_long() { &goals[..] } else { &goals[place % 3..=place % 3] };
        for &goal in some {
            let board = scrambled(&goal, moves);
            let manhattan = engine(&goal, Manhattan::new);
            let optimal = run(&manhattan, SearchName::IDA, &board).unwrap();
            let distance = crate::common::moves(&optimal).len();
            assert!(distance > 8, "{rows}x{cols}: {distance} moves");
            for search in searches() {
                if search.is_informed() || distance <= uninformed_max {
                    let outcome = run(&manhattan, search, &board).unwrap();
                    check(search, &goal, &board, &outcome, distance);
                }
            }
        }
    }
}

#[test]
fn greedy_search_takes_boards_in_batches() {
    let goal = Goal::blank_last(shape(3, 3));
    let (batch, options) = (NonZeroU32::new(10).unwrap(), Options::default());
    for (board, distance) in sample(&goal, stride(9001)) {
        let outcome = best_first(&wild(&goal), &goal, &board, Ranking::Greedy, batch, &options);
        check("greedy".parse().unwrap(), &goal, &board, &outcome.unwrap(), distance);
    }
}

#[test]
fn a_star_with_a_perfect_heuristic_expands_its_path_only() {
    let goal = Goal::blank_last(shape(3, 3));
    let perfect = engine(&goal, perfect);
    for (board, distance) in sample(&goal, 977) {
        let outcome = run(&perfect, SearchName::ASTAR, &board).unwrap();
        assert_eq!(crate::common::moves(&outcome).len(), distance);
        assert_eq!(outcome.expanded, distance as u64);
    }
}

#[test]
fn a_star_expands_no_board_that_is_not_within_the_shortest_length() {
    let goal = Goal::blank_last(shape(3, 3));
    let manhattan = engine(&goal, Manhattan::new);
    for (board, distance) in sample(&goal, stride(20_001)) {
        let outcome = run(&manhattan, SearchName::ASTAR, &board).unwrap();
        // With a consistent heuristic, no board is expanded twice, and the goal is not expanded.
        let (mut below, mut within) = (0, 0);
        for (other, moves) in sample(&Goal::new(board), 1) {
            if other != *goal.board() {
                let total = moves + goal.manhattan_distance(&other) as usize;
                below += u64::from(total < distance);
                within += u64::from(total <= distance);
            }
        }
        assert!((below..=within).contains(&outcome.expanded), "{board:?}: {}", outcome.expanded);
    }
}

#[test]
fn weight_one_searches_as_ida_star_does() {
    let goal = Goal::snail(shape(3, 3));
    let (manhattan, options) = (Manhattan::new(&goal), Options::default());
    let solver = Solver::new(manhattan.clone(), &goal, options.order).unwrap();
    for (board, _) in sample(&goal, 3001) {
        let plain = solver.ida_star(&board, &options).unwrap();
        let found = weighted_ida_star(&manhattan, &goal, &board, Weight::ONE, &options).unwrap();
        assert_eq!(found.status, plain.status);
        assert_eq!((found.generated, found.expanded), (plain.generated, plain.expanded));
        assert_eq!((found.bounds, found.lookups), (plain.bounds, plain.lookups));
    }
}

#[test]
fn a_larger_weight_makes_a_search_shorter() {
    let board: Board = "3 14 9 11/5 4 8 2/13 12 6 7/10 1 15 0".parse().unwrap();
    let goal = Goal::blank_first(board.shape());
    let manhattan = engine(&goal, Manhattan::new);
    for search in [SearchName::WEIGHTED_IDA, SearchName::WEIGHTED_ASTAR] {
        let mut before = u64::MAX;
        for weight in ["1", "3/2", "3"] {
            let search = search.with_weight(weight.parse().unwrap());
            let outcome = run(&manhattan, search, &board).unwrap();
            check(search, &goal, &board, &outcome, 46);
            assert!(outcome.generated < before, "{search}");
            before = outcome.generated;
        }
    }
}

#[test]
fn estimates_in_two_steps_equal_those_in_one() {
    let goal = Goal::blank_first(shape(3, 3));
    let [in_two, in_one] = [engine(&goal, InTwoSteps::new), engine(&goal, Manhattan::new)];
    for (board, distance) in sample(&goal, stride(5003)) {
        for search in searches() {
            let outcome = run(&in_two, search, &board).unwrap();
            check(search, &goal, &board, &outcome, distance);
            if search.keeps_boards() {
                let whole = run(&in_one, search, &board).unwrap();
                assert_eq!((outcome.status, outcome.generated), (whole.status, whole.generated));
                // A beam leaves children that it has met before at the first go.
                let is_whole = outcome.lookups.is_multiple_of(8);
                assert!(is_whole || search.name() == "beam", "every child in both goes");
                let is_informed = search.is_informed() && distance > 0;
                assert_eq!(outcome.lookups > 0, is_informed);
            }
        }
    }
}

#[test]
fn memory_limits_are_never_exceeded_and_prove_a_bound() {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    let wild = engine(&goal, wild);
    for search in searches().into_iter().filter(|search| search.keeps_boards()) {
        let run = |memory| {
            let limits = Limits { memory: Some(memory), ..Limits::default() };
            wild.search(search, &board, Weight::ONE, limits).unwrap()
        };
        let whole = run(u64::MAX);
        check(search, &goal, &board, &whole, 31);
        let enough = run(whole.memory_bytes);
        assert_eq!(Outcome { elapsed: whole.elapsed, ..enough }, whole);
        let mut bound = 0;
        let sizes = (0..5).map(|i| whole.memory_bytes * i / 5).chain([whole.memory_bytes - 1]);
        for memory in sizes {
            let outcome = run(memory);
            let Status::Limit { kind: LimitKind::Memory, lower_bound } = outcome.status else {
                panic!("{search}: {memory} bytes are too few: {:?}", outcome.status);
            };
            assert!(outcome.memory_bytes <= memory);
            assert!(bound <= lower_bound && lower_bound <= 31, "{search}: {lower_bound}");
            bound = lower_bound;
        }
        // With nearly enough memory, a search for shortest solutions has proved a high bound.
        let is_shortest = search.factor(Weight::ONE) == Some(Weight::ONE);
        assert!(bound > 23 || !is_shortest, "{search}: {bound}");
    }
}

#[test]
fn breadth_first_search_is_stopped_with_the_depth_that_it_completed() {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    let behind = distances(&Goal::new(board));
    for nodes in [1, 2, 50, 1000, 77_777, 200_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let outcome = breadth_first(&goal, &board, &options).unwrap();
        let Status::Limit { lower_bound, .. } = outcome.status else { panic!("{nodes} nodes") };
        let nearer = |moves| behind.values().filter(|&&distance| distance < moves).count() as u64;
        let depth = (1..32).find(|&depth| outcome.expanded <= nearer(depth)).unwrap();
        assert_eq!(lower_bound as usize, depth + (depth + 1) % 2, "{nodes} nodes");
    }
}

#[test]
fn rejects_input_that_does_not_fit_together() {
    let goal = Goal::blank_last(shape(4, 4));
    let (expected, found) = (shape(4, 4), shape(3, 3));
    let board = *Goal::blank_last(found).board();
    let other = SearchError::Root(RootError::Board(BoardError::OtherShape { expected, found }));
    let damage = RootError::Damaged { table: "a.pdb".to_owned() };
    let error = damage.clone();
    let damaged = engine(&goal, move |_| {
        let error = error.clone();
        ByBoard::new(move |_: &Board| Err(error.clone()))
    });
    for search in searches() {
        let found = run(&engine(&goal, |_| zero()), search, &board);
        assert_eq!(found, Err(other.clone()));
        if search.is_informed() {
            let found = run(&damaged, search, goal.board());
            assert_eq!(found, Err(SearchError::Root(damage.clone())), "{search}");
        }
    }
    let order = [Direction::Up, Direction::Left, Direction::Up, Direction::Down];
    let options = Options { order, ..Options::default() };
    let board = goal.board();
    for found in [
        breadth_first(&goal, board, &options),
        best_first(&zero(), &goal, board, Ranking::AStar, ONE, &options),
        bidirectional(&zero(), &zero(), &goal, board, &options),
        Solver::new(zero(), &goal, KORF_BLANK_LAST).unwrap().ida_star(board, &options),
        weighted_ida_star(&zero(), &goal, board, Weight::ONE, &options),
    ] {
        assert_eq!(found, Err(SearchError::Order { order, missing: Direction::Right }));
    }
}

#[test]
fn heuristics_that_overestimate_are_detected() {
    let goal = Goal::blank_last(shape(3, 3));
    let board: Board = "1 2 3/4 5 6/0 7 8".parse().unwrap();
    // The backward search ends at the board, so it never asks for the board's estimate.
    let too_much = engine(&goal, move |goal| too_much_for(goal, board));
    for search in searches().into_iter().filter(|search| search.is_informed()) {
        let expected = SearchError::NotLowerBound { bound: 4, length: 2 };
        assert_eq!(run(&too_much, search, &board), Err(expected), "{search}");
    }
}
