//! Boards of one line against the oracle.

use std::path::Path;

use pdb_core::{BLANK, Board, Goal, Metric, Shape};
use tilebase::moves::SolutionOptions;
use tilebase::names::GoalChoice;
use tilebase::sets::{BoardSet, NO_DISTANCE, distances};
use tilebase::text::read_board;
use tilebase::{Builder, Cancel, Error, Status, Tilebase};

use crate::shape;

const SHAPES: [(usize, usize); 6] = [(1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (6, 1)];

fn tables(metric: Metric, spec: Option<&str>) -> Tilebase {
    let builder = Tilebase::builder().folder(Path::new("does-not-exist")).metric(metric);
    spec.into_iter().fold(builder, Builder::spec).lazy().unwrap()
}

#[test]
fn every_board_of_short_lines_is_solved_or_unsolvable_in_both_metrics() {
    for metric in Metric::ALL {
        let tables = tables(metric, None);
        for shape in SHAPES.map(|(rows, cols)| shape(rows, cols)) {
            let goal = Goal::blank_last(shape);
            let known = pdb_oracle::distances(shape.rows(), shape.cols(), goal.board().tiles());
            let expected = |board: &Board| match (known.get(board.tiles()), metric) {
                (Some(&distance), Metric::MultiTile) => Some(distance.min(1)),
                (distance, _) => distance.copied(),
            };
            let listed = distances(&goal, metric, &Cancel::new()).unwrap();
            for rank in 0..shape.rank_count().unwrap() {
                let board = Board::of_rank(shape, rank).unwrap();
                let answer = tables.solve(board).unwrap();
                let distance = expected(&board);
                match &answer.status {
                    Status::Optimal { moves } => {
                        assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
                        assert_eq!(Some(metric.count(moves) as u32), distance, "{board}");
                    }
                    Status::Unsolvable(_) => assert_eq!(distance, None, "{board}"),
                    other => panic!("{board}: {other:?}"),
                }
                let listed = listed[rank as usize];
                assert_eq!((listed != NO_DISTANCE).then_some(listed.into()), distance, "{board}");
                let explained = tables.explain(board).unwrap();
                assert_eq!(explained.lower_bound, distance, "{board}");
                assert_eq!(explained.solvable.is_in_order, Some(distance.is_some()));
                assert_eq!(explained.solvable.exchange, None);
                assert_eq!(explained.heuristics.len(), 1);
                assert_eq!(read_board(&board.to_string(), None), Ok(board));
            }
        }
    }
}

#[test]
fn long_lines_have_one_solution_and_its_first_move() {
    for shape in [shape(1, 64), shape(64, 1), shape(1, 40)] {
        let goal = Goal::in_order(shape, 5);
        let tables = Tilebase::builder()
            .folder(Path::new("does-not-exist"))
            .goal(GoalChoice::Drawn(goal))
            .lazy()
            .unwrap();
        let board = *Goal::blank_last(shape).board();
        let distance = shape.cell_count() - 6;
        let solutions =
            tables.solutions(board, &SolutionOptions::count(), &mut |_, _| true).unwrap();
        assert_eq!((solutions.count(), solutions.is_complete), (1, true));
        assert_eq!(tables.moves(board).unwrap().moves[0].distance, Some(distance as u32 - 1));
    }
}

#[test]
fn boards_of_sets_are_solvable_and_each_cell_of_the_blank_is_drawn() {
    for shape in [shape(1, 2), shape(1, 7), shape(7, 1), shape(1, 64)] {
        let goal = Goal::in_order(shape, 1);
        let cells = shape.cell_count();
        let random = BoardSet::random(&goal, 400 * cells, 1).boards;
        let mut counts = vec![0; cells];
        for board in &random {
            assert_eq!(goal.check_solvable(board), Ok(()), "{board}");
            counts[usize::from(board.blank())] += 1;
        }
        assert!(counts.iter().all(|count| (300..500).contains(count)), "{shape} {counts:?}");
        // A walk turns back only at the ends.
        let walks = BoardSet::walks(&goal, 2 * cells, 3, 1).boards;
        assert!(walks.iter().all(|board| goal.check_solvable(board).is_ok()));
        let (greatest, hardest) = BoardSet::hardest(&goal, Metric::SingleTile).unwrap();
        let farthest = |board: &Board| shape.distance(board.blank(), goal.home(BLANK));
        assert!(hardest.boards.iter().all(|board| farthest(board) == greatest));
        assert_eq!(greatest as usize, (cells - 2).max(1));
    }
    let tables = tables(Metric::SingleTile, None);
    let goal = Goal::blank_last(shape(1, 64));
    let window = |name| BoardSet::named(name, &goal, &tables);
    assert_eq!(window("optimum:60..60:1:1").unwrap().boards[0].blank(), 3);
    assert!(matches!(window("optimum:64..64:1:1"), Err(Error::Window { greatest: 63, .. })));
}

#[test]
fn tables_and_other_heuristics_are_refused() {
    let board: Board = "1x5: 1 0 2 3 4".parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    for (spec, expected) in [
        ("walking-distance", "not made for a board of one line, 1x5: expected manhattan"),
        ("linear-conflict", "not made for a board of one line, 1x5: expected manhattan"),
        ("max(manhattan, pairwise)", "not made for a board of one line, 1x5: expected manhattan"),
        ("generated/1x5/2-2", "there are no tables for 1x5 boards"),
        ("generated/1x5/coloured-2-2", "there are no tables for 1x5 boards"),
        ("7-8", "there are no tables for 1x5 boards"),
    ] {
        let found = Tilebase::builder().folder(Path::new("does-not-exist")).spec(spec).lazy();
        let error = found.and_then(|tables| tables.solve(board)).unwrap_err().to_string();
        assert!(error.contains(expected), "{spec}: {error}");
    }
    for metric in Metric::ALL {
        assert_eq!(pdb_spec::specs_for(&goal, metric).count(), 0);
        #[cfg(feature = "build")]
        assert_eq!(tables(metric, None).to_build(&goal).unwrap(), None);
        assert_eq!(tables(metric, Some("manhattan")).solve(board).unwrap().gap(), Some(0));
    }
}

#[test]
fn a_line_is_read_only_with_its_size() {
    let line = Shape::new(1, 4).unwrap();
    let expected = Board::new(line, &[1, 2, 0, 3]);
    for text in ["1 2 0 3", "1,2,0,3", "[[1,2,0,3]]", "1\n2\n0\n3"] {
        assert_eq!(read_board(text, Some(line)).ok(), expected.clone().ok(), "{text}");
        let named = format!("1x4\n{text}");
        assert_eq!(read_board(&named, None).ok(), expected.clone().ok(), "{named}");
    }
    // Without the size, these are other boards, or none.
    let square = Board::new(shape(2, 2), &[1, 2, 0, 3]);
    for text in ["1 2 0 3", "[[1,2,0,3]]", "1\n2\n0\n3"] {
        assert_eq!(read_board(text, None).ok(), square.clone().ok(), "{text}");
    }
    for text in ["1 0 2", "1/0/2", "[[1,0,2]]", "[[1],[0],[2]]", "1 3\n1 0 2", "1/2/0/3"] {
        assert!(read_board(text, None).is_err(), "{text}");
    }
    let column = read_board("4x1: 1/2/0/3", None).unwrap();
    assert_eq!(column.to_string(), "4x1: 1/2/0/3");
    assert!(read_board("1/2/0/3", Some(line)).is_err());
}
