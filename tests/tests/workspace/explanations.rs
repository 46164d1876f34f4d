//! The estimates in explanations equal those of the engines, and their parts add up.

use std::collections::BTreeSet;

use pdb_core::{Board, Goal, Metric, Plan, Shape};
use pdb_lab::heuristics::LINE_LEN_MAX;
use pdb_lab::{Engine, HeuristicName};
use pdb_tests::are_long;
use pdb_tests::tables::on_all_cores;
use tempfile::TempDir;
use tilebase::explain::{Explanation, HeuristicParts, Part, Value};
use tilebase::names::{GoalChoice, heuristic};
use tilebase::sets::BoardSet;
use tilebase::shelf::Shelf;
use tilebase::{Search, Tilebase};

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

/// Returns whether the tables of Walking Distance are small enough to be built without a request.
fn has_walking(shape: Shape) -> bool {
    shape.cell_count() <= 16 && shape.rows().max(shape.cols()) <= 5
}

/// Checks that the larger of several values counts, and no other.
fn check_largest(values: &[(u32, bool)]) {
    let counting: Vec<_> = values.iter().filter(|(_, counts)| *counts).collect();
    assert_eq!(counting.len(), 1, "{values:?}");
    assert_eq!(Some(counting[0].0), values.iter().map(|&(value, _)| value).max());
}

/// Checks that an estimate is the sum of its parts, and the parts that say which of them count. The
/// estimate is compared with an engine's.
fn check_counting(heuristic: &HeuristicParts) {
    let HeuristicParts { estimate, parts, .. } = heuristic;
    assert_eq!(*estimate, parts.moves());
    for partition in parts.list("partitions") {
        let sum = partition.list("patterns").iter().map(|pattern| pattern.moves()).sum::<u32>();
        assert_eq!(partition.get("moves"), Some(&sum.into()));
    }
    for key in ["partitions", "patterns"].into_iter().filter(|key| parts.get(key).is_some()) {
        let counts = |part: &Part| part.get("counts") == Some(&true.into());
        let values: Vec<_> =
            parts.list(key).iter().map(|part| (part.moves(), counts(part))).collect();
        check_largest(&values);
        assert!(values.contains(&(*estimate, true)), "{heuristic:?}");
    }
    if let Some(Value::List(heuristics)) = parts.get("heuristics") {
        let mut largest = 0;
        for heuristic in heuristics {
            let Value::Heuristic(heuristic) = heuristic else { panic!("{heuristic:?}") };
            check_counting(heuristic);
            largest = largest.max(heuristic.estimate);
        }
        assert_eq!(*estimate, largest);
    }
}

/// A handle that explains, and an engine for each heuristic by its name.
struct Explainers {
    goal: Goal,
    tables: Tilebase,
    engines: Vec<(String, Engine)>,
}

impl Explainers {
    fn new(folder: &TempDir, goal: &Goal, spec: &str) -> Self {
        let builder = || Tilebase::builder().folder(folder.path()).goal(GoalChoice::Drawn(*goal));
        let tables = builder().spec(spec).lazy().unwrap();
        let mut names: BTreeSet<&str> =
            HeuristicName::known(Metric::SingleTile).into_iter().collect();
        if !has_walking(goal.shape()) {
            names.retain(|name| !name.starts_with("walking"));
        }
        names.insert(spec);
        let mut shelf = Shelf::new(folder.path());
        shelf.may_build = true;
        let search = Search::default();
        let open = &mut |name: &str, plan: &Plan| shelf.database(name, plan, &search);
        let engine = |name: &str| {
            let parsed = heuristic(name, goal).unwrap();
            Some((name.to_owned(), Engine::open::<tilebase::Error>(&parsed, goal, open).ok()?))
        };
        let engines = names.into_iter().filter_map(engine).collect();
        Self { goal: *goal, tables, engines }
    }

    fn check(&self, board: &Board) -> Explanation {
        let explanation = self.tables.explain(board).unwrap();
        let names: BTreeSet<&str> =
            explanation.heuristics.iter().map(|heuristic| heuristic.name.as_str()).collect();
        assert_eq!(names, self.engines.iter().map(|(name, _)| name.as_str()).collect());
        for heuristic in &explanation.heuristics {
            let HeuristicParts { name, estimate, tables_checked, .. } = heuristic;
            let (_, engine) = self.engines.iter().find(|(known, _)| known == name).unwrap();
            let what = || format!("{name} of {board} to {}", self.goal.board());
            assert_eq!(*estimate, engine.estimate(board).unwrap(), "{}", what());
            check_counting(heuristic);
            assert_eq!(*tables_checked, None);
        }
        let estimates = explanation.heuristics.iter().map(|heuristic| heuristic.estimate);
        assert!(estimates.clone().is_sorted());
        let largest = estimates.max().unwrap();
        let bound = explanation.lower_bound.unwrap();
        assert!(bound == largest || bound == largest + 1, "{board}");
        assert!(explanation.solvable.is_solvable && explanation.solvable.exchange.is_none());
        explanation
    }
}

#[test]
fn explanations_of_small_boards_equal_the_estimates_of_engines() {
    for (rows, cols, step) in
        [(2, 2, 1), (2, 3, 3), (2, 4, 41), (3, 3, if are_long() { 1 } else { 499 })]
    {
        for goal in [Goal::blank_last(shape(rows, cols)), Goal::blank_first(shape(rows, cols))] {
            let folder = TempDir::new().unwrap();
            let whole = format!("{}/whole", rows * cols - 1);
            let mut specs = vec![format!("max(pairwise, {whole})"), whole];
            if rows * cols == 9 {
                specs.extend(["8/fringe", "8/4-4:unmirrored"].map(str::to_owned));
            }
            let known = pdb_oracle::distances(rows, cols, goal.board().tiles());
            let boards: Vec<(Board, u32)> = known
                .iter()
                .step_by(step)
                .map(|(tiles, &distance)| (Board::new(goal.shape(), tiles).unwrap(), distance))
                .collect();
            for spec in specs {
                let explained = Explainers::new(&folder, &goal, &spec);
                on_all_cores(&boards, |(board, distance)| {
                    let explanation = explained.check(board);
                    let bound = explanation.lower_bound.unwrap();
                    assert!(bound <= *distance && (distance - bound).is_multiple_of(2), "{board}");
                });
            }
        }
    }
}

#[test]
fn explanations_of_larger_boards_equal_the_estimates_of_engines() {
    for (rows, cols, spec, count) in [
        (3, 5, "14/7-7", 20),
        (4, 4, "15/5-5-5-collapsed", 20),
        (5, 5, "pairwise", 20),
        (2, 7, "manhattan", 20),
    ] {
        for goal in [Goal::blank_last(shape(rows, cols)), Goal::blank_first(shape(rows, cols))] {
            let folder = TempDir::new().unwrap();
            // The tables of 3x5 take long to build.
            let spec = if spec == "14/7-7" && !are_long() { "generated/3x5/5-5-4" } else { spec };
            let explained = Explainers::new(&folder, &goal, spec);
            for board in BoardSet::random(&goal, count, 1).boards {
                let explanation = explained.check(&board);
                let left_out: Vec<&str> =
                    explanation.left_out.iter().map(|left_out| left_out.name.as_str()).collect();
                let mut expected = Vec::new();
                if cols > LINE_LEN_MAX {
                    expected.push("pairwise");
                }
                if !has_walking(goal.shape()) {
                    expected.extend(["walking-distance", "walking-inversion"]);
                }
                assert_eq!(left_out, expected);
            }
            explained.check(goal.board());
        }
    }
}

#[test]
fn explanations_of_unsolvable_boards_have_an_exchange_that_solves_them() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 2)] {
        for goal in [Goal::blank_last(shape(rows, cols)), Goal::snail(shape(rows, cols))] {
            let folder = TempDir::new().unwrap();
            let builder = Tilebase::builder().folder(folder.path());
            let tables = builder.goal(GoalChoice::Drawn(goal)).lazy().unwrap();
            let mut count = 0;
            // If a board reaches the goal with two tiles exchanged, it does not reach the goal
            // itself.
            for tiles in pdb_oracle::distances(rows, cols, goal.board().tiles()).into_keys() {
                let exchanged = |&tile: &u8| match tile {
                    1 => 2,
                    2 => 1,
                    other => other,
                };
                let swapped: Vec<u8> = tiles.iter().map(exchanged).collect();
                let board = Board::new(goal.shape(), &swapped).unwrap();
                let explanation = tables.explain(board).unwrap();
                let solvable = explanation.solvable;
                assert!(!solvable.is_solvable && explanation.lower_bound.is_none());
                // Tables have a spec, such as 5/whole.
                let names: Vec<&str> =
                    explanation.heuristics.iter().map(|parts| parts.name.as_str()).collect();
                assert!(names.contains(&"manhattan"), "{board}: {names:?}");
                assert!(!names.iter().any(|name| name.contains('/')), "{board}: {names:?}");
                let is_odd = solvable.permutation == "odd";
                assert_eq!(is_odd, solvable.transpositions % 2 == 1);
                assert_ne!(is_odd, solvable.blank_distance % 2 == 1);
                let exchange = solvable.exchange.unwrap();
                assert!(goal.check_solvable(&exchange.board).is_ok(), "{board}");
                let changed: Vec<u8> = (0..)
                    .zip(board.tiles())
                    .filter(|&(cell, &tile)| exchange.board.tile(cell) != tile)
                    .map(|(_, &tile)| tile)
                    .collect();
                assert_eq!(BTreeSet::from_iter(changed), BTreeSet::from(exchange.tiles), "{board}");
                count += 1;
            }
            assert_eq!(count, if rows * cols == 4 { 12 } else { 360 });
            // No table was needed.
            assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        }
    }
}
