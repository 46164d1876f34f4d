//! Values of moves, numbers of shortest solutions and all shortest solutions of small boards,
//! compared with a breadth-first search.

use std::collections::BTreeSet;

use pdb_core::notation::letters;
use pdb_oracle::shortest_solution_counts;
use pdb_tests::are_long;
use pdb_tests::tables::on_all_cores;
use tilebase::moves::SolutionOptions;
use tilebase::names::GoalChoice;
use tilebase::text::WrittenMoves;
use tilebase::{Board, Direction, Goal, Search, Shape, Tilebase};

fn tables(goal: &Goal, spec: Option<&str>, folder: &std::path::Path) -> Tilebase {
    let search = Search { thread_count: 1, ..Search::default() };
    let builder = Tilebase::builder().goal(GoalChoice::Drawn(*goal)).folder(folder).search(search);
    let builder = match spec {
        Some(spec) => builder.spec(spec),
        None => builder,
    };
    builder.ensure().expect("the tables are built")
}

/// Compares the moves and the solutions of each board with the oracle.
fn check_all(shape: (usize, usize), spec: Option<&str>) {
    let (rows, cols) = shape;
    let folder = tempfile::tempdir().expect("a folder");
    for preset in [Goal::blank_last, Goal::blank_first] {
        let goal = preset(Shape::new(rows, cols).expect("a small shape"));
        let tables = tables(&goal, spec, folder.path());
        let known = shortest_solution_counts(rows, cols, goal.board().tiles());
        // One board in 11 of 2x4 and one in 97 of 3x3; all boards in long tests.
        let step = match rows * cols {
            8 if !are_long() => 11,
            9 if !are_long() => 97,
            _ => 1,
        };
        let boards: Vec<_> = known.iter().step_by(step).collect();
        on_all_cores(&boards, |&(tiles, &(distance, count))| {
            let board = Board::new(goal.shape(), tiles).expect("the oracle has boards");
            let values = tables.moves(board).expect("the board can be solved");
            assert_eq!(values.answer.length(), Some(distance as usize), "{board}");
            let mut last = None;
            for value in &values.moves {
                let (expected, _) = known[value.board.tiles()];
                assert_eq!(value.distance, Some(expected), "{board}: {value:?}");
                assert_eq!(value.is_optimal, Some(expected < distance), "{board}");
                assert_eq!(board.moved(value.direction), Some(value.board));
                let place = Direction::ALL.iter().position(|d| *d == value.direction);
                assert!(last < Some((expected, place)), "{board}: {values:?}");
                last = Some((expected, place));
            }
            let neighbours = goal.shape().neighbours(board.blank()).len();
            assert_eq!(values.moves.len(), neighbours);
            let counted = tables.solutions(board, &SolutionOptions::count(), &mut |_, _| true);
            let counted = counted.expect("the board can be solved");
            assert_eq!((counted.count(), counted.is_complete), (count, true), "{board}");
            let mut found = Vec::new();
            let set = tables.solutions(board, &SolutionOptions::all(), &mut |_, moves| {
                assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
                assert_eq!(moves.len(), distance as usize);
                found.push(letters(moves));
                true
            });
            let set = set.expect("the board can be solved");
            assert_eq!((set.count(), set.listed as usize), (count, found.len()), "{board}");
            assert!(set.is_complete);
            let different: BTreeSet<_> = found.iter().collect();
            assert_eq!(different.len() as u128, count, "{board}");
        });
    }
}

#[test]
fn boards_of_up_to_8_cells_have_the_moves_and_solutions_of_the_oracle() {
    check_all((2, 2), None);
    check_all((2, 3), None);
    check_all((3, 2), None);
    check_all((2, 4), None);
}

#[test]
fn boards_of_3x3_have_the_moves_and_solutions_of_the_oracle() {
    check_all((3, 3), Some("8/whole"));
}

#[test]
fn check_finds_the_move_that_leaves_the_shortest_solutions() {
    let goal = Goal::blank_last(Shape::new(3, 3).expect("a small shape"));
    let folder = tempfile::tempdir().expect("a folder");
    let tables = tables(&goal, Some("8/whole"), folder.path());
    let known = pdb_oracle::distances(3, 3, goal.board().tiles());
    let mut solved_count = 0;
    for (number, (tiles, &distance)) in known.iter().enumerate().step_by(997) {
        let board = Board::new(goal.shape(), tiles).expect("the oracle has boards");
        // The start of a shortest solution, then random moves.
        let mut moves = Vec::new();
        let mut at = board;
        let mut random = number as u64;
        let turn = number % 9;
        for step in 0..number % 40 {
            let nearer = |direction: &Direction| {
                let there = at.moved(*direction);
                there.is_some_and(|board| known[board.tiles()] < known[at.tiles()])
            };
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let any = Direction::ALL[(random >> 60) as usize % 4];
            let best = Direction::ALL.into_iter().find(nearer).filter(|_| step != turn);
            let direction = best.unwrap_or(any);
            if let Some(next) = at.moved(direction) {
                moves.push(direction);
                at = next;
            }
        }
        let checked = tables.check(board, &WrittenMoves::from(moves.as_slice()));
        let checked = checked.expect("the board can be solved");
        assert_eq!((checked.end, checked.illegal.as_ref()), (at, None));
        assert_eq!(checked.solves, at == *goal.board());
        assert_eq!(checked.optimum(), Some(distance));
        let leaves = (1..=moves.len()).find(|&count| {
            let there = board.after(&moves[..count]).expect("these moves are legal");
            known[there.tiles()] as usize + count != distance as usize
        });
        assert_eq!(checked.leaves_optimum_at, leaves, "{board}: {moves:?}");
        let is_optimal = checked.solves && moves.len() == distance as usize;
        assert_eq!(checked.is_optimal(), Some(is_optimal));
        solved_count += usize::from(checked.solves);
    }
    assert!(solved_count > 10, "{solved_count}");
}
