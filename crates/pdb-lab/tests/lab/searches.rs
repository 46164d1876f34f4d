//! All searches compared with breadth-first search, with heuristics of every kind.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::common::{
    ByBoard, Distances, HARDEST, InTwoSteps, distances, goals, permutations, sample, shape,
    too_much_for,
};
use pdb_core::{Board, BoardError, Direction, Estimator, Goal, Heuristic, RootError};
use pdb_lab::searches::{Ranking, best_first, bidirectional, breadth_first};
use pdb_oracle::{Random, are_long};
use pdb_search::{
    LimitKind, Limits, Manhattan, Options, Outcome, SearchError, Status, Weight, ida_star,
    weighted_ida_star,
};

/// A search.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Search {
    BreadthFirst,
    BestFirst(Ranking, u32),
    Ida,
    WeightedIda(Weight),
    Bidirectional,
}

fn weights() -> [Weight; 4] {
    ["1", "81/19", "1.5", "7"].map(|text| text.parse().expect("these are weights"))
}

fn searches() -> Vec<Search> {
    let fixed = [
        Search::BreadthFirst,
        Search::Ida,
        Search::Bidirectional,
        Search::BestFirst(Ranking::AStar, 1),
        Search::BestFirst(Ranking::Greedy, 1),
    ];
    let weighted = weights().into_iter().flat_map(|weight| {
        [Search::BestFirst(Ranking::Weighted(weight), 1), Search::WeightedIda(weight)]
    });
    let [_, _, three_halves, seven] = weights();
    let batches = [
        Search::BestFirst(Ranking::AStar, 1000),
        Search::BestFirst(Ranking::Weighted(Weight::ONE), 7),
        Search::BestFirst(Ranking::Weighted(three_halves), 2),
        Search::BestFirst(Ranking::Weighted(three_halves), 70),
        Search::BestFirst(Ranking::Weighted(seven), 1000),
        Search::BestFirst(Ranking::Greedy, 10),
    ];
    fixed.into_iter().chain(weighted).chain(batches).collect()
}

impl Search {
    fn run<F: Heuristic + Estimator, B: Estimator>(
        self,
        (forward, backward): (&F, &B),
        goal: &Goal,
        board: &Board,
        options: &Options,
    ) -> Result<Outcome, SearchError> {
        match self {
            Self::BreadthFirst => breadth_first(goal, board, options),
            Self::BestFirst(ranking, batch) => {
                let batch = NonZeroU32::new(batch).unwrap();
                best_first(forward, goal, board, ranking, batch, options)
            }
            Self::Ida => ida_star(forward, goal, board, options),
            Self::WeightedIda(weight) => weighted_ida_star(forward, goal, board, weight, options),
            Self::Bidirectional => bidirectional(forward, backward, goal, board, options),
        }
    }

    /// Returns the factor by which its solutions may be longer than a shortest one, if there is
    /// one.
    fn weight(self) -> Option<Weight> {
        match self {
            Self::BestFirst(Ranking::Weighted(weight), _) | Self::WeightedIda(weight) => {
                Some(weight)
            }
            Self::BestFirst(Ranking::Greedy, _) => None,
            _ => Some(Weight::ONE),
        }
    }

    fn keeps_boards(self) -> bool {
        !matches!(self, Self::Ida | Self::WeightedIda(_))
    }

    /// Checks everything that an outcome says about a board of known distance.
    fn check(self, goal: &Goal, board: &Board, outcome: &Outcome, distance: usize) {
        let (moves, lower_bound) = match &outcome.status {
            Status::Optimal { moves } => {
                assert_eq!(moves.len(), distance, "{self:?}: {board:?} to {goal:?}");
                (moves, distance)
            }
            Status::Solved { moves, lower_bound } => (moves, *lower_bound as usize),
            other => panic!("{self:?}: expected a solution of {board:?}, found {other:?}"),
        };
        assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
        assert!(lower_bound <= distance && distance <= moves.len(), "{self:?}: {board:?}");
        assert_eq!(lower_bound == moves.len(), matches!(outcome.status, Status::Optimal { .. }));
        assert_eq!(lower_bound % 2, distance % 2);
        if let Some(weight) = self.weight() {
            let most = distance * weight.numerator() as usize / weight.denominator() as usize;
            assert!(moves.len() <= most, "{self:?}: {board:?}: {} moves", moves.len());
        }
        assert_eq!(outcome.memory_bytes > 0, self.keeps_boards() && distance > 0);
        assert_eq!(outcome.initial_estimate.is_none(), self == Self::BreadthFirst);
        assert_eq!(outcome.generated > 1, distance > 0);
        assert_eq!(outcome.expanded > 0, distance > 0);
    }
}

fn check_all(
    heuristics: (&(impl Heuristic + Estimator), &impl Estimator),
    goal: &Goal,
    board: &Board,
    distance: usize,
    is_deep: bool,
) {
    for search in searches() {
        if !is_deep || search.keeps_boards() {
            let outcome = search.run(heuristics, goal, board, &Options::default());
            let outcome = outcome.expect("board and goal fit together");
            search.check(goal, board, &outcome, distance);
        }
    }
}

fn to(known: &Distances) -> ByBoard<impl Fn(&Board) -> Result<u32, RootError> + Send + Sync + '_> {
    ByBoard(|board: &Board| Ok(known[board.tiles()] as u32))
}

/// Returns a heuristic that is admissible, but neither consistent nor of the distance's parity.
fn wild(
    known: &Distances,
) -> ByBoard<impl Fn(&Board) -> Result<u32, RootError> + Send + Sync + '_> {
    ByBoard(|board: &Board| {
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

type Estimate = fn(&Board) -> Result<u32, RootError>;

const ZERO: ByBoard<Estimate> = ByBoard(|_| Ok(0));

/// Checks a search with all heuristics of this file, on a board of known distance.
fn check_with_every_heuristic(
    goal: &Goal,
    board: &Board,
    distance: usize,
    known: &Distances,
    is_deep: bool,
) {
    let back = Goal::new(*board);
    let behind = distances(&back);
    let manhattan = (&Manhattan::new(goal), &Manhattan::new(&back));
    check_all(manhattan, goal, board, distance, false);
    check_all((&ZERO, &ZERO), goal, board, distance, is_deep);
    check_all((&to(known), &to(behind)), goal, board, distance, false);
    check_all((&wild(known), &wild(behind)), goal, board, distance, is_deep);
    check_all((&wild(known), manhattan.1), goal, board, distance, is_deep);
}

#[test]
fn every_board_of_2x2_and_2x3_and_3x2_is_solved_or_unsolvable() {
    for shape in [shape(2, 2), shape(2, 3), shape(3, 2)] {
        for goal in goals(shape) {
            let known = distances(&goal);
            // One board in eleven of six cells; all boards in long tests.
            let step = if are_long() || shape.cell_count() < 6 { 1 } else { 11 };
            for tiles in permutations(shape.cell_count() as u8).into_iter().step_by(step) {
                let board = Board::new(shape, &tiles).unwrap();
                if let Some(&distance) = known.get(&tiles) {
                    check_with_every_heuristic(&goal, &board, distance, known, false);
                    continue;
                }
                let reason = goal.check_solvable(&board).unwrap_err();
                for search in searches() {
                    let options = Options::default();
                    let outcome = search.run((&ZERO, &ZERO), &goal, &board, &options).unwrap();
                    assert_eq!(outcome.status, Status::Unsolvable(reason));
                    assert_eq!((outcome.generated, outcome.memory_bytes), (0, 0));
                }
            }
        }
    }
}

#[test]
fn boards_of_2x4_and_3x3_are_solved_with_every_heuristic() {
    // One board and one goal of 3x3, which takes a second, and two of each of 2x4; more in long
    // tests.
    let (small, large) = (goals(shape(2, 4)), goals(shape(3, 3)));
    let (large, most) = if are_long() { (&large[..], [6_usize; 2]) } else { (&large[..1], [2, 1]) };
    let small = small.iter().map(|goal| (goal, most[0]));
    for (goal, most) in small.chain(large.iter().map(|goal| (goal, most[1]))) {
        let known = distances(goal);
        let deepest = *known.values().max().unwrap();
        let antipodes = sample(known, 1).into_iter().filter(|&(_, d)| d == deepest);
        let some = sample(known, known.len() / 4 + 1);
        for (tiles, distance) in antipodes.take(most.div_ceil(3)).chain(some).take(most) {
            let board = Board::new(goal.shape(), tiles).unwrap();
            check_with_every_heuristic(goal, &board, distance, known, true);
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
        [(3, 4, 40), (4, 4, 28), (2, 8, 24), (4, 5, 20), (5, 5, 18), (5, 6, 14), (6, 6, 12)];
    for (place, (rows, cols, moves)) in cases.into_iter().enumerate() {
        // One of the goals, in turn, and each of them in long tests.
        let goals = goals(shape(rows, cols));
        let some = if are_long() { &goals[..] } else { &goals[place % 3..=place % 3] };
        for &goal in some {
            let board = scrambled(&goal, moves);
            let heuristics = (&Manhattan::new(&goal), &Manhattan::new(&Goal::new(board)));
            let optimal = ida_star(heuristics.0, &goal, &board, &Options::default()).unwrap();
            let distance = crate::common::moves(&optimal).len();
            assert!(distance > 8, "{rows}x{cols}: {distance} moves");
            for search in searches() {
                if search == Search::BreadthFirst && distance > 20 {
                    continue;
                }
                let outcome = search.run(heuristics, &goal, &board, &Options::default()).unwrap();
                search.check(&goal, &board, &outcome, distance);
            }
        }
    }
}

#[test]
fn the_goal_itself_is_one_node_and_no_move() {
    for shape in [shape(2, 2), shape(4, 4), shape(5, 5), shape(6, 6)] {
        for goal in goals(shape) {
            let manhattan = Manhattan::new(&goal);
            for search in searches() {
                let heuristics = (&manhattan, &manhattan);
                let outcome =
                    search.run(heuristics, &goal, goal.board(), &Options::default()).unwrap();
                search.check(&goal, goal.board(), &outcome, 0);
                assert_eq!((outcome.generated, outcome.expanded), (1, 0), "{search:?}");
            }
        }
    }
}

#[test]
fn a_star_with_a_perfect_heuristic_expands_its_path_only() {
    let shape = shape(3, 3);
    let goal = Goal::blank_last(shape);
    let known = distances(&goal);
    for (tiles, distance) in sample(known, 977) {
        let board = Board::new(shape, tiles).unwrap();
        let options = Options::default();
        let outcome =
            best_first(&to(known), &goal, &board, Ranking::AStar, NonZeroU32::MIN, &options)
                .unwrap();
        assert_eq!(crate::common::moves(&outcome).len(), distance);
        assert_eq!(outcome.expanded, distance as u64);
    }
}

#[test]
fn a_star_expands_no_board_that_is_not_within_the_shortest_length() {
    let shape = shape(3, 3);
    let goal = Goal::blank_last(shape);
    let known = distances(&goal);
    for (tiles, distance) in sample(known, stride(9001)) {
        let board = Board::new(shape, tiles).unwrap();
        let behind = distances(&Goal::new(board));
        let options = Options::default();
        let manhattan = Manhattan::new(&goal);
        let outcome =
            best_first(&manhattan, &goal, &board, Ranking::AStar, NonZeroU32::MIN, &options)
                .unwrap();
        // With a consistent heuristic, no board is expanded twice, and the goal is not expanded.
        let totals = behind.iter().filter(|(tiles, _)| tiles != &goal.board().tiles()).map(
            |(tiles, moves)| {
                let estimate = goal.manhattan_distance(&Board::new(shape, tiles).unwrap());
                moves + estimate as usize
            },
        );
        let (mut below, mut within) = (0, 0);
        for total in totals {
            below += u64::from(total < distance);
            within += u64::from(total <= distance);
        }
        assert!((below..=within).contains(&outcome.expanded), "{board:?}: {}", outcome.expanded);
    }
}

#[test]
fn weight_one_searches_as_ida_star_does() {
    let shape = shape(3, 3);
    let goal = Goal::snail(shape);
    let known = distances(&goal);
    for (tiles, _) in sample(known, 3001) {
        let board = Board::new(shape, tiles).unwrap();
        let options = Options::default();
        let manhattan = Manhattan::new(&goal);
        let plain = ida_star(&manhattan, &goal, &board, &options).unwrap();
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
    let manhattan = Manhattan::new(&goal);
    let options = Options::default();
    let mut before = None;
    for weight in ["1", "3/2", "3"].map(|text| text.parse().unwrap()) {
        let found = weighted_ida_star(&manhattan, &goal, &board, weight, &options).unwrap();
        Search::WeightedIda(weight).check(&goal, &board, &found, 46);
        let ranking = Ranking::Weighted(weight);
        let kept =
            best_first(&manhattan, &goal, &board, ranking, NonZeroU32::MIN, &options).unwrap();
        Search::BestFirst(ranking, 1).check(&goal, &board, &kept, 46);
        let generated = (found.generated, kept.generated);
        assert!(
            before
                .is_none_or(|before: (u64, u64)| generated.0 < before.0 && generated.1 < before.1)
        );
        before = Some(generated);
    }
}

#[test]
fn estimates_in_two_steps_equal_those_in_one() {
    let shape = shape(3, 3);
    let goal = Goal::blank_first(shape);
    let known = distances(&goal);
    for (tiles, distance) in sample(known, stride(5003)) {
        let board = Board::new(shape, tiles).unwrap();
        let ends = [goal, Goal::new(board)];
        let [forward, backward] = ends.map(|goal| InTwoSteps::new(&goal));
        let manhattan = ends.map(|goal| Manhattan::new(&goal));
        for search in searches() {
            let options = Options::default();
            let outcome = search.run((&forward, &backward), &goal, &board, &options).unwrap();
            search.check(&goal, &board, &outcome, distance);
            let whole =
                search.run((&manhattan[0], &manhattan[1]), &goal, &board, &options).unwrap();
            if search.keeps_boards() {
                assert_eq!(outcome.status, whole.status);
                assert_eq!(outcome.generated, whole.generated);
                assert_eq!(outcome.lookups % 8, 0, "every child in both goes");
                assert_eq!(outcome.lookups > 0, search != Search::BreadthFirst && distance > 0);
            }
        }
    }
}

fn with(limits: Limits) -> Options {
    Options { limits, ..Options::default() }
}

#[test]
fn node_limits_are_never_exceeded_and_prove_a_bound() {
    let shape = shape(3, 3);
    let goal = Goal::blank_last(shape);
    let known = distances(&goal);
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let behind = distances(&Goal::new(board));
    for search in searches() {
        let wild = (&wild(known), &wild(behind));
        let manhattan = (&Manhattan::new(&goal), &Manhattan::new(&Goal::new(board)));
        let run = |options: &Options| match search {
            Search::Ida | Search::WeightedIda(_) => {
                search.run(manhattan, &goal, &board, options).unwrap()
            }
            _ => search.run(wild, &goal, &board, options).unwrap(),
        };
        let whole = run(&Options::default());
        search.check(&goal, &board, &whole, 31);
        assert_eq!(Outcome { elapsed: whole.elapsed, ..run(&Options::default()) }, whole);
        let stride = (whole.generated / 5).max(1) as usize;
        let mut bound = 0;
        for nodes in (0..whole.generated).step_by(stride).chain([whole.generated - 1]) {
            let outcome = run(&with(Limits { nodes: Some(nodes), ..Limits::default() }));
            let Status::Limit { kind: LimitKind::Nodes, lower_bound } = outcome.status else {
                panic!("{search:?}: {nodes} nodes are too few: {:?}", outcome.status);
            };
            assert_eq!(outcome.generated, nodes);
            assert!(bound <= lower_bound && lower_bound <= 31, "{search:?}: {lower_bound}");
            assert_eq!(lower_bound % 2, 1);
            bound = lower_bound;
        }
        let enough = Limits { nodes: Some(whole.generated), ..Limits::default() };
        assert_eq!(run(&with(enough)).status, whole.status);
    }
}

#[test]
fn memory_limits_are_never_exceeded_and_prove_a_bound() {
    let shape = shape(3, 3);
    let goal = Goal::blank_last(shape);
    let known = distances(&goal);
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let behind = distances(&Goal::new(board));
    let heuristics = (&wild(known), &wild(behind));
    let manhattan = (&Manhattan::new(&goal), &Manhattan::new(&Goal::new(board)));
    for search in searches() {
        let run = |memory| {
            let options = with(Limits { memory: Some(memory), ..Limits::default() });
            match search {
                Search::Ida | Search::WeightedIda(_) => {
                    search.run(manhattan, &goal, &board, &options).unwrap()
                }
                _ => search.run(heuristics, &goal, &board, &options).unwrap(),
            }
        };
        if !search.keeps_boards() {
            search.check(&goal, &board, &run(0), 31);
            continue;
        }
        let whole = run(u64::MAX);
        let enough = run(whole.memory_bytes);
        assert_eq!(Outcome { elapsed: whole.elapsed, ..enough }, whole);
        let mut bound = 0;
        let sizes = (0..5).map(|i| whole.memory_bytes * i / 5).chain([whole.memory_bytes - 1]);
        for memory in sizes {
            let outcome = run(memory);
            let Status::Limit { kind: LimitKind::Memory, lower_bound } = outcome.status else {
                panic!("{search:?}: {memory} bytes are too few: {:?}", outcome.status);
            };
            assert!(outcome.memory_bytes <= memory);
            assert!(bound <= lower_bound && lower_bound <= 31, "{search:?}: {lower_bound}");
            bound = lower_bound;
        }
        // With nearly enough memory, a search for shortest solutions has proved a high bound.
        if search.weight() == Some(Weight::ONE) {
            assert!(bound > 23, "{search:?}: {bound}");
        }
    }
}

#[test]
fn breadth_first_search_is_stopped_with_the_depth_that_it_completed() {
    let shape = shape(3, 3);
    let goal = Goal::blank_last(shape);
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let behind = distances(&Goal::new(board));
    for nodes in [1, 2, 50, 1000, 77_777, 200_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome = breadth_first(&goal, &board, &with(limits)).unwrap();
        let Status::Limit { lower_bound, .. } = outcome.status else { panic!("{nodes} nodes") };
        let nearer = |moves| behind.values().filter(|&&distance| distance < moves).count() as u64;
        let depth = (1..32).find(|&depth| outcome.expanded <= nearer(depth)).unwrap();
        assert_eq!(lower_bound as usize, depth + (depth + 1) % 2, "{nodes} nodes");
    }
}

#[test]
fn time_limits_end_long_searches() {
    let board: Board = HARDEST.parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    let manhattan = (&Manhattan::new(&goal), &Manhattan::new(&Goal::new(board)));
    let limits = Limits { time: Some(Duration::from_millis(20)), ..Limits::default() };
    for search in searches().into_iter().filter(|search| search.weight() == Some(Weight::ONE)) {
        let outcome = search.run(manhattan, &goal, &board, &with(limits)).unwrap();
        let Status::Limit { kind: LimitKind::Time, lower_bound } = outcome.status else {
            panic!("{search:?}: {:?}", outcome.status);
        };
        assert!(lower_bound <= 65 && lower_bound % 2 == 1, "{search:?}: {lower_bound}");
    }
}

#[test]
fn rejects_input_that_does_not_fit_together() {
    let goal = Goal::blank_last(shape(4, 4));
    let board = *Goal::blank_last(shape(3, 3)).board();
    let other =
        SearchError::Board(BoardError::OtherShape { expected: shape(4, 4), found: shape(3, 3) });
    let order = [Direction::Up, Direction::Left, Direction::Up, Direction::Down];
    let options = Options { order, ..Options::default() };
    let damage = RootError::Damaged { table: "a.pdb".to_owned() };
    let damaged = ByBoard(|_: &Board| Err(damage.clone()));
    for search in searches() {
        let found = search.run((&ZERO, &ZERO), &goal, &board, &Options::default());
        assert_eq!(found, Err(other.clone()));
        let found = search.run((&ZERO, &ZERO), &goal, goal.board(), &options);
        assert_eq!(found, Err(SearchError::Order { order, missing: Direction::Right }));
        if search != Search::BreadthFirst {
            let found = search.run((&damaged, &ZERO), &goal, goal.board(), &Options::default());
            assert_eq!(found, Err(SearchError::Root(damage.clone())), "{search:?}");
        }
    }
    let found =
        Search::Bidirectional.run((&ZERO, &damaged), &goal, goal.board(), &Options::default());
    assert_eq!(found, Err(SearchError::Root(damage.clone())));
}

#[test]
fn heuristics_that_overestimate_are_detected() {
    let goal = Goal::blank_last(shape(3, 3));
    let board: Board = "1 2 3/4 5 6/0 7 8".parse().unwrap();
    let too_much = too_much_for(&goal, board);
    for search in searches().into_iter().filter(|&search| search != Search::BreadthFirst) {
        let found = search.run((&too_much, &ZERO), &goal, &board, &Options::default());
        let expected = SearchError::NotLowerBound { bound: 4, length: 2 };
        assert_eq!(found, Err(expected), "{search:?}");
    }
    let found = Search::Bidirectional.run((&ZERO, &too_much), &goal, &board, &Options::default());
    // The backward search ends at the board, so it never asks for the board's estimate.
    assert_eq!(crate::common::moves(&found.unwrap()).len(), 2);
}

/// Checks that the comparison with true distances notices a search that ends too early. No search
/// can notice an overestimate inside the tree, so its solution becomes too long.
#[test]
fn hidden_overestimate_makes_solutions_longer() {
    let shape = shape(3, 3);
    let goal = Goal::blank_last(shape);
    let known = distances(&goal);
    let mut wrong = 0;
    for (tiles, distance) in sample(known, stride(9001)) {
        let board = Board::new(shape, tiles).unwrap();
        let behind = distances(&Goal::new(board));
        let over = |known: &Distances, other: &Board| {
            let distance = known[other.tiles()] as u32;
            Ok(distance
                + 4 * u32::from((6..20).contains(&distance) && other.tile(4).is_multiple_of(2)))
        };
        let forward = ByBoard(|other: &Board| over(known, other));
        let backward = ByBoard(|other: &Board| over(behind, other));
        for search in [Search::Bidirectional, Search::BestFirst(Ranking::AStar, 1)] {
            match search.run((&forward, &backward), &goal, &board, &Options::default()) {
                Err(SearchError::NotLowerBound { .. }) => wrong += 1,
                Ok(outcome) => wrong += u32::from(crate::common::moves(&outcome).len() != distance),
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(wrong > 5, "{wrong}");
}
