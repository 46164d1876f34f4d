//! The multi-tile metric against the oracle.

use pdb_core::{Board, Goal, Metric, Shape};
use pdb_oracle::{Random, slide_distances};
use tilebase::{Answer, Status, Tilebase};

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
fn weak_and_exact_tables_agree_on_larger_boards() {
    let folder = tempfile::tempdir().unwrap();
    let shape = Shape::new(3, 3).unwrap();
    let goal = Goal::blank_last(shape);
    let specs = [
        "generated/3x3/coloured-8",
        "generated/3x3/coloured-1-3-4",
        "generated/3x3/coloured-1-1-1-1-1-1-2",
    ];
    let handles = specs.map(|spec| handle(folder.path(), Some(spec)));
    let mut random = Random::new(7);
    for _ in 0..40 {
        let mut board = *goal.board();
        for _ in 0..14 {
            let moves: Vec<_> = board.legal_moves().collect();
            board = moves[random.below(moves.len())].1;
        }
        let found = handles.each_ref().map(|tables| slides(&tables.solve(board).unwrap()));
        assert!(found.iter().all(|length| *length == found[0]), "{board}: {found:?}");
    }
}

#[test]
fn limits_leave_a_bound_in_slides_and_other_searches_refuse() {
    let folder = tempfile::tempdir().unwrap();
    let tables = handle(folder.path(), Some("generated/3x3/coloured-8"));
    let search = tilebase::Search { nodes: Some(2000), ..tables.search().clone() };
    let answer = tables.solve_with("8 6 7/2 5 4/3 0 1", &search).unwrap();
    let Status::Limit { lower_bound, .. } = answer.status else { panic!("{answer:?}") };
    assert!((4..24).contains(&lower_bound) && answer.generated <= 2000, "{answer:?}");
    assert_eq!(answer.to_string(), format!("at least {lower_bound} moves"));
    let left = tilebase::text::WrittenMoves::parse("L", false).unwrap();
    for error in [
        tables.moves("1 2 3/4 5 6/7 0 8").map(drop).unwrap_err(),
        tables.check("1 2 3/4 5 6/7 0 8", &left).map(drop).unwrap_err(),
    ] {
        assert!(error.to_string().contains("counts moves of single tiles"), "{error}");
    }
    let wrong = Tilebase::builder().folder(folder.path()).metric(Metric::MultiTile).spec("8/4-4");
    let error = wrong.lazy().unwrap().solve("1 2 3/4 5 6/7 0 8").unwrap_err();
    assert!(error.to_string().contains("expected a heuristic for slides"), "{error}");
}
