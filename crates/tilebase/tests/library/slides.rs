//! The multi-tile metric against the oracle.

use std::collections::BTreeSet;
use std::time::Duration;

use pdb_core::{Axis, Board, Cell, Direction, Goal, Metric, RootError, Shape, SlideHeuristic};
use pdb_oracle::{Random, SlideDistances, slide_distances};
use tilebase::moves::{LengthCount, SolutionOptions};
use tilebase::pdb_lab::SearchName;
use tilebase::pdb_search::{KORF_BLANK_LAST, Limits, Sharing, SlideManhattan, Solver, Work};
use tilebase::sets::{BoardSet, NO_DISTANCE, distances};
use tilebase::text::WrittenMoves;
use tilebase::{Answer, Cancel, ErrorKind, Mode, Search, Status, Tilebase};

fn handle(folder: &std::path::Path, spec: Option<&str>) -> Tilebase {
    let builder = Tilebase::builder().folder(folder).metric(Metric::MultiTile).threads(1);
    let builder = match spec {
        Some(spec) => builder.spec(spec),
        None => builder,
    };
    builder.lazy().unwrap()
}

/// Checks that a solution leads to the goal, and returns its number of slides.
fn slides(answer: &Answer) -> u32 {
    let moves = answer.moves().unwrap();
    assert_eq!(answer.board.after(moves).as_ref(), Ok(answer.goal.board()));
    assert!(matches!(answer.status, Status::Optimal { .. }), "{answer:?}");
    assert_eq!((answer.metric, answer.gap()), (Metric::MultiTile, Some(0)));
    answer.length().unwrap() as u32
}

#[test]
fn search_of_single_tiles_is_refused_before_tables_are_built() {
    let folder = tempfile::tempdir().unwrap();
    let tables = handle(folder.path(), Some("generated/3x3/coloured-1-3-4"));
    let board = "8 6 7/2 5 4/3 0 1";
    for name in SearchName::all().filter(|name| name.expect_metric(Metric::MultiTile).is_err()) {
        let search = Search { mode: Mode::By(name), ..Search::default() };
        let errors = [
            tables.solve_with(board, &search).unwrap_err(),
            tables.moves_with(board, &search).unwrap_err(),
            tables.engine_with(&Goal::blank_last(Shape::new(3, 3).unwrap()), &search).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), ErrorKind::Argument, "{error}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn boards_of_small_shapes_are_solved_by_the_fewest_slides() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, cols, step) in [(2, 2, 1), (2, 3, 1), (3, 2, 1), (2, 4, 7), (4, 2, 13), (3, 3, 499)]
    {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::blank_last(shape);
        let tables = handle(folder.path(), None);
        let all = slide_distances(rows, cols, goal.board().tiles());
        for (tiles, [horizontal, vertical]) in all.iter().step_by(step) {
            let answer = tables.solve(Board::new(shape, tiles).unwrap()).unwrap();
            assert_eq!(slides(&answer), *horizontal.min(vertical), "{tiles:?}");
        }
    }
}

#[test]
fn limits_leave_a_bound_in_slides_and_other_tables_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tables = handle(folder.path(), Some("generated/3x3/coloured-8"));
    let search = Search { nodes: Some(2000), ..tables.search().clone() };
    let answer = tables.solve_with("8 6 7/2 5 4/3 0 1", &search).unwrap();
    let Status::Limit { lower_bound, .. } = answer.status else { panic!("{answer:?}") };
    assert!((4..24).contains(&lower_bound) && answer.generated <= 2000, "{answer:?}");
    assert_eq!(answer.to_string(), format!("at least {lower_bound} slides are needed"));
    let wrong = Tilebase::builder().folder(folder.path()).metric(Metric::MultiTile).spec("8/4-4");
    let error = wrong.lazy().unwrap().solve("1 2 3/4 5 6/7 0 8").unwrap_err();
    assert!(error.to_string().contains("expected tables of coloured tiles"), "{error}");
}

/// Returns the distance of a board, by breadth-first search.
fn distance(all: &SlideDistances, board: &Board) -> u32 {
    *all[board.tiles()].iter().min().unwrap()
}

/// Returns a random board of the 8-puzzle.
fn random_board(all: &SlideDistances, random: &mut Random) -> Board {
    let tiles = all.keys().nth(random.below(all.len())).unwrap();
    Board::new(Shape::new(3, 3).unwrap(), tiles).unwrap()
}

#[test]
fn slides_have_the_distances_of_the_boards_after_them() {
    let folder = tempfile::tempdir().unwrap();
    let tables = handle(folder.path(), Some("generated/3x3/coloured-1-3-4"));
    let all = slide_distances(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
    let mut random = Random::new(3);
    let mut boards: Vec<Board> = (0..40).map(|_| random_board(&all, &mut random)).collect();
    boards.push("1 2 3/4 5 6/7 8 0".parse().unwrap());
    for board in boards {
        let values = tables.moves(board).unwrap();
        assert_eq!((values.moves.len(), values.limit), (4, None), "two slides on each axis");
        assert!(values.moves.is_sorted_by_key(|value| value.distance));
        for value in &values.moves {
            assert_eq!(board.after(&value.directions()), Ok(value.board));
            // The named tile is now beside the blank, on its side of the start.
            let beside = value.direction.opposite().tile_cell(board.shape(), value.board.blank());
            assert_eq!(value.board.tile(beside.unwrap()), value.tile);
            let after = distance(&all, &value.board);
            assert_eq!(value.distance, Some(after), "{board} {value:?}");
            assert_eq!(value.is_optimal, Some(after < distance(&all, &board)), "{board} {value:?}");
        }
    }
}

#[test]
fn moves_are_checked_by_their_slides() {
    let folder = tempfile::tempdir().unwrap();
    let tables = handle(folder.path(), Some("generated/3x3/coloured-1-3-4"));
    let all = slide_distances(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
    let mut random = Random::new(5);
    let check = |board: &Board, moves: &[Direction]| {
        let checked = tables.check(*board, &WrittenMoves::from(moves)).unwrap();
        assert_eq!((&checked.moves[..], checked.illegal.is_none()), (moves, true));
        checked
    };
    for _ in 0..40 {
        let board = random_board(&all, &mut random);
        let optimum = distance(&all, &board);
        // A shortest solution up to some slide, other slides, and a shortest solution from there.
        let mut moves = tables.solve(board).unwrap().moves().unwrap().to_vec();
        assert_eq!(check(&board, &moves).is_optimal(), Some(true));
        moves.truncate(random.below(moves.len() + 1));
        for _ in 0..random.below(4) {
            let end = board.after(&moves).unwrap();
            let legal: Vec<Direction> = end.legal_moves().map(|(direction, _)| direction).collect();
            moves.push(legal[random.below(legal.len())]);
        }
        let end = board.after(&moves).unwrap();
        if random.below(2) == 0 {
            moves.extend(tables.solve(end).unwrap().moves().unwrap());
        }
        let checked = check(&board, &moves);
        let slides: Vec<&[Direction]> = Metric::MultiTile.moves(&moves).collect();
        assert_eq!((checked.length(), checked.optimum()), (slides.len(), Some(optimum)));
        let is_near = |&count: &usize| {
            let after = board.after(&slides[..count].concat()).unwrap();
            distance(&all, &after) + count as u32 == optimum
        };
        let leaves = (1..=slides.len()).find(|count| !is_near(count));
        assert_eq!(checked.leaves_optimum_at, leaves, "{board} {moves:?}");
        let is_optimal = checked.solves && slides.len() == optimum as usize;
        assert_eq!(checked.is_optimal(), Some(is_optimal), "{board} {moves:?}");
        let gap = checked.solves.then(|| slides.len() as u32 - optimum);
        assert_eq!(checked.gap(), gap);
    }
}

/// Returns all solutions of a number of slides, by trying all: those that end at the goal, do not
/// reach it before, and whose axes alternate.
fn all_solutions(
    board: &Board,
    goal: &Board,
    left: u32,
    last: &[Direction],
) -> Vec<Vec<Direction>> {
    if left == 0 || board == goal {
        let is_solution = left == 0 && board == goal;
        return if is_solution { vec![Vec::new()] } else { Vec::new() };
    }
    let mut found = Vec::new();
    for direction in Direction::ALL.into_iter().filter(|next| !last.contains(next)) {
        let (mut after, mut slide) = (*board, Vec::new());
        while let Some(moved) = after.moved(direction) {
            after = moved;
            slide.push(direction);
            let line = [direction, direction.opposite()];
            let rests = all_solutions(&after, goal, left - 1, &line);
            found.extend(rests.into_iter().map(|rest| [&slide[..], &rest].concat()));
        }
    }
    found
}

#[test]
fn solutions_by_slides_are_listed_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(11);
    for (spec, goal) in [
        ("manhattan", Goal::blank_last(Shape::new(2, 3).unwrap())),
        ("generated/3x3/coloured-1-3-4", Goal::blank_last(Shape::new(3, 3).unwrap())),
        ("generated/3x3/coloured-8", Goal::blank_last(Shape::new(3, 3).unwrap())),
    ] {
        let tables = handle(folder.path(), Some(spec));
        for _ in 0..8 {
            let mut board = *goal.board();
            for _ in 0..7 {
                let moves: Vec<_> = board.legal_moves().collect();
                board = moves[random.below(moves.len())].1;
            }
            let shortest = tables.solve(board).unwrap().length().unwrap() as u32;
            let mut listed = Vec::new();
            let list = &mut |_: &Answer, moves: &[Direction]| {
                listed.push(moves.to_vec());
                true
            };
            let set = tables.solutions(board, &SolutionOptions::all().slack(2), list).unwrap();
            assert!(set.is_complete, "{board} {set:?}");
            let by_length = (shortest..=shortest + 2)
                .map(|length| all_solutions(&board, goal.board(), length, &[]));
            let expected: Vec<Vec<Vec<Direction>>> = by_length.collect();
            let counts: Vec<u128> = expected.iter().map(|of| of.len() as u128).collect();
            let found: Vec<u128> = set.lengths.iter().map(|of: &LengthCount| of.count).collect();
            assert_eq!(found, counts[..found.len()], "{board}");
            assert!(shortest == 0 || found.len() == 3, "{board} {found:?}");
            assert_eq!(listed, expected[..found.len()].concat(), "{board}");
            let count = SolutionOptions::count().slack(2);
            let counted = tables.solutions(board, &count, &mut |_, _| true).unwrap();
            assert_eq!(counted.lengths, set.lengths);
        }
    }
}

#[test]
fn solutions_are_known_soon_and_become_shorter() {
    let folder = tempfile::tempdir().unwrap();
    let within = |seconds| Search {
        within: Some(Duration::from_secs_f64(seconds)),
        thread_count: 1,
        ..Search::default()
    };
    for (rows, cols, seed) in [(4, 4, 1), (5, 5, 2), (3, 7, 3), (6, 6, 4)] {
        let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
        let board = BoardSet::random(&goal, 1, seed).boards[0];
        let tables = handle(folder.path(), Some("manhattan"));
        let answer = tables.solve_with(board, &within(0.2)).unwrap();
        assert!(answer.moves().is_some(), "{answer:?}");
        let (moves, length) = (answer.moves().unwrap(), answer.length().unwrap() as u32);
        assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
        assert_eq!((answer.limit(), length), (None, Metric::MultiTile.count(moves) as u32));
        let bound = answer.lower_bound().unwrap();
        let estimate = tables.estimate(board).unwrap();
        assert!(estimate <= bound && bound < length, "{answer:?}");
        assert!(length < 10 * bound, "{rows}x{cols}: {length} slides, at least {bound}");
    }
    // A proof that takes longer than the first look goes on beside the improvement.
    let tables = handle(folder.path(), Some("manhattan"));
    let all = slide_distances(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let answer = tables.solve_with(board, &within(0.02)).unwrap();
    let bound = answer.lower_bound().unwrap();
    assert!(bound <= distance(&all, &board), "{answer:?}");
    assert!(answer.length().is_none_or(|length| length as u32 >= distance(&all, &board)));
    let answer = tables.solve_with(board, &within(60.0)).unwrap();
    assert_eq!(slides(&answer), distance(&all, &board));
}

#[test]
fn manhattan_distance_in_slides_is_a_lower_bound() {
    let folder = tempfile::tempdir().unwrap();
    let tables = handle(folder.path(), Some("manhattan"));
    for (rows, cols) in [(2, 3), (3, 2), (3, 3), (2, 4)] {
        let shape = Shape::new(rows, cols).unwrap();
        let all = slide_distances(rows, cols, Goal::blank_last(shape).board().tiles());
        let mut largest = (0, *Goal::blank_last(shape).board());
        for (tiles, [horizontal, vertical]) in &all {
            let board = Board::new(shape, tiles).unwrap();
            let estimate = tables.estimate(board).unwrap();
            assert!(estimate <= *horizontal.min(vertical), "{board}");
            if estimate > largest.0 {
                largest = (estimate, board);
            }
        }
        let (estimate, board) = largest;
        let explained = tables.explain(board).unwrap();
        let [manhattan] = &explained.heuristics[..] else { panic!("{explained:?}") };
        assert_eq!((manhattan.estimate, explained.lower_bound), (estimate, Some(estimate)));
    }
}

#[test]
fn scrambles_need_the_given_number_of_slides() {
    let folder = tempfile::tempdir().unwrap();
    let tables = handle(folder.path(), None);
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let all = slide_distances(3, 3, goal.board().tiles());
    let set = |name: &str| BoardSet::named(name, &goal, &tables).unwrap().boards;
    for (name, lengths) in [("optimum:9..11:40:1", 9..=11), ("optimum:24:3:2", 24..=24)] {
        let boards = set(name);
        assert!(boards.iter().all(|board| lengths.contains(&distance(&all, board))), "{name}");
    }
    let hardest: BTreeSet<String> = set("hardest").iter().map(ToString::to_string).collect();
    let far = all.iter().filter(|(_, distances)| *distances.iter().min().unwrap() == 24);
    let far = far.map(|(tiles, _)| Board::new(goal.shape(), tiles).unwrap().to_string());
    assert_eq!(hardest, far.collect());
    let error = BoardSet::named("optimum:25:1:1", &goal, &tables).unwrap_err();
    assert!(error.to_string().starts_with("no board needs 25 slides to "), "{error}");
    let large = Goal::blank_last(Shape::new(3, 4).unwrap());
    let error = BoardSet::hardest(&large, Metric::MultiTile).unwrap_err();
    assert!(error.to_string().ends_with("they are known for up to 10 cells"), "{error}");
    // Above 12 cells the length is found by solving: a lengthy walk to a number of slides.
    let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
    let weak = handle(folder.path(), Some("manhattan"));
    let boards = BoardSet::named("optimum:9:3:5", &goal, &weak).unwrap().boards;
    assert!(boards.iter().all(|board| weak.solve(*board).unwrap().length() == Some(9)));
}

#[test]
fn distances_of_all_boards_count_slides() {
    let goal = Goal::snail(Shape::new(2, 4).unwrap());
    let found = distances(&goal, Metric::MultiTile, &Cancel::new()).unwrap();
    let all = slide_distances(2, 4, goal.board().tiles());
    for (tiles, [horizontal, vertical]) in &all {
        let rank = Board::new(goal.shape(), tiles).unwrap().rank().unwrap();
        assert_eq!(u32::from(found[rank as usize]), *horizontal.min(vertical), "{tiles:?}");
    }
    assert_eq!(found.iter().filter(|&&distance| distance != NO_DISTANCE).count(), all.len());
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let found = distances(&goal, Metric::MultiTile, &Cancel::new()).unwrap();
    // The published numbers of boards at each distance.
    let counts = [
        1, 4, 8, 16, 32, 64, 127, 244, 454, 856, 1576, 2854, 5117, 8588, 13466, 19739, 26558,
        31485, 30985, 23494, 11751, 3390, 589, 41, 1,
    ];
    let mut seen = [0; 25];
    for &distance in found.iter().filter(|&&distance| distance != NO_DISTANCE) {
        seen[usize::from(distance)] += 1;
    }
    assert_eq!(seen, counts);
}

#[test]
fn maximum_of_bounds_solves_by_the_fewest_slides() {
    let folder = tempfile::tempdir().unwrap();
    let shape = Shape::new(3, 3).unwrap();
    let goal = Goal::blank_last(shape);
    let names = ["generated/3x3/coloured-1-3-4", "generated/3x3/coloured-4-4", "manhattan"];
    let [one, other, manhattan] = names.map(|name| handle(folder.path(), Some(name)));
    let all = handle(folder.path(), Some(&format!("max({})", names.join(", "))));
    let (mut is_larger, mut far) = ([false; 3], 0);
    let distances = slide_distances(3, 3, goal.board().tiles());
    for (tiles, [horizontal, vertical]) in distances.iter().step_by(997) {
        let board = Board::new(shape, tiles).unwrap();
        let (answer, estimate) = (all.solve(board).unwrap(), all.estimate(board).unwrap());
        assert_eq!(slides(&answer), *horizontal.min(vertical), "{board}");
        assert_eq!(answer.initial_estimate, Some(estimate));
        let of_parts = [&one, &other, &manhattan].map(|part| part.estimate(board).unwrap());
        assert!(of_parts.iter().all(|part| *part <= estimate), "{board}: {of_parts:?} {estimate}");
        for (is_larger, part) in is_larger.iter_mut().zip(of_parts) {
            *is_larger |= part < estimate;
        }
        far = far.max(estimate);
        let explained = all.explain(board).unwrap();
        let whole = explained.heuristics.iter().find(|found| found.name.starts_with("max("));
        assert_eq!(whole.unwrap().estimate, estimate, "{board}");
        let count = all.solutions(board, &SolutionOptions::count(), &mut |_, _| true).unwrap();
        let same = one.solutions(board, &SolutionOptions::count(), &mut |_, _| true).unwrap();
        assert_eq!(count.lengths, same.lengths, "{board}");
    }
    assert_eq!((is_larger, far > 10), ([true; 3], true));
}

/// Bounds that prune nothing.
struct Blind(SlideManhattan);

impl SlideHeuristic for Blind {
    type State = <SlideManhattan as SlideHeuristic>::State;

    fn root(&self, board: &Board) -> Result<Self::State, RootError> {
        self.0.root(board)
    }

    fn blank(&self, state: &Self::State) -> Cell {
        self.0.blank(state)
    }

    fn slide(
        &self,
        state: &Self::State,
        run: &[Cell],
        axis: Axis,
        _: u32,
        children: &mut Vec<Self::State>,
    ) {
        self.0.slide(state, run, axis, u32::MAX, children);
    }

    fn bound(&self, _: usize, _: &Self::State, _: Axis) -> u32 {
        0
    }

    fn bounds(&self, _: &Self::State) -> [u32; 2] {
        [0, 0]
    }
}

#[test]
fn explained_growth_is_that_of_the_levels_of_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let tables = handle(folder.path(), Some("manhattan"));
    for (rows, cols) in [(3, 3), (2, 4), (4, 2), (3, 5)] {
        let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
        let board = BoardSet::random(&goal, 1, 3).boards[0];
        let branching = tables.explain(board).unwrap().branching;
        assert_eq!((branching.moves, branching.mean), (rows + cols - 2, (rows + cols - 2) as f64));
        let [along_rows, along_columns] = branching.tree_levels;
        assert!((branching.tree.powi(2) - along_rows * along_columns).abs() < 1e-4);
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let blind = Blind(SlideManhattan::new(&goal));
        let solver = Solver::of_slides(blind, &goal, KORF_BLANK_LAST, None).unwrap();
        // Without subtrees, each bound generates all nodes above the last level.
        let work = Work { limits, sharing: Sharing::PLAIN, ..Work::default() };
        let mut bounds = solver.solve(&board, &work).unwrap().bounds;
        // The root.
        bounds[0].generated -= 1;
        assert!(bounds.len() > 6, "{bounds:?}");
        // The slides of the two first axes of a level.
        let mut level = [along_rows, along_columns];
        // No slide leads from the board to itself, and the last bound is not complete.
        for (number, pair) in bounds[..bounds.len() - 1].windows(2).enumerate() {
            let generated = (pair[1].generated - pair[0].generated) as f64;
            assert!((generated - level[0] - level[1]).abs() < 0.5, "{rows}x{cols} {number}");
            let next = if number % 2 == 0 {
                [along_columns, along_rows]
            } else {
                [along_rows, along_columns]
            };
            level = [level[0] * next[0], level[1] * next[1]];
        }
    }
}
