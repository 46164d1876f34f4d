//! The runtime gives the same answers from a map and from memory, updates its estimates correctly
//! along any walk, and returns errors for invalid bytes.

use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use pdb_core::{
    AsHeuristic, BlankMode, Board, Direction, Goal, Heuristic, Plan, RootError, Shape, TableKey,
};
use pdb_format::FormatError;
use pdb_gen::Build;
use pdb_rt::{Database, OpenError, Residence, Table, Visitor};
use pdb_search::{KORF_BLANK_LAST, Options, SearchError, Solver};
use tempfile::TempDir;

use crate::{Roots, WalkEstimates, bytes_of, carried, estimate, from_memory, opened, roots, walk};

fn goals() -> Vec<Goal> {
    let shape = |rows, cols| Shape::new(rows, cols).unwrap();
    vec![
        Goal::blank_last(shape(3, 3)),
        Goal::blank_first(shape(3, 4)),
        Goal::snail(shape(3, 3)),
        Goal::blank_last(shape(4, 3)),
    ]
}

/// Returns plans of every kind and packing for a goal.
pub(crate) fn plans(goal: &Goal) -> Vec<Plan> {
    let tile_count = goal.shape().cell_count() as u8 - 1;
    let middle = tile_count / 2;
    let halves = vec![(1..=middle).collect(), (middle + 1..=tile_count).collect()];
    let reflect = goal.shape().rows() == goal.shape().cols();
    let additive =
        |mode| Plan::additive(goal, std::slice::from_ref(&halves), mode, reflect).unwrap();
    let other = vec![(1..=tile_count).step_by(2).collect(), (2..=tile_count).step_by(2).collect()];
    let third =
        vec![(1..=2).collect(), (3..=middle).collect(), (middle + 1..=tile_count).collect()];
    let three = Plan::additive(goal, &[halves.clone(), other, third], BlankMode::Aware, false);
    vec![
        additive(BlankMode::Aware),
        additive(BlankMode::Collapsed),
        Plan::walking(goal),
        three.unwrap(),
        Plan::plain(goal, &halves, reflect).unwrap(),
    ]
}

/// Writes the tables of a plan into a new folder.
pub(crate) fn folder_of(plan: &Plan) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (key, bytes) in plan.tables().iter().zip(bytes_of(plan)) {
        pdb_gen::write_file(&folder.path().join(key.file_name()), &bytes).unwrap();
    }
    folder
}

/// Asserts that estimates updated along a walk equal those that are computed from scratch.
pub(crate) fn check_walk(goal: &Goal, plan: &Plan, moves: usize) {
    let (database, boards) = (from_memory(plan), walk(goal, moves));
    let estimates = roots(&database, &boards);
    assert_eq!(estimates[0], 0);
    assert_eq!(carried(&database, &boards), estimates, "{plan:?}");
}

#[test]
fn estimates_kept_along_a_walk_equal_those_from_nothing() {
    for goal in goals() {
        for plan in plans(&goal) {
            check_walk(&goal, &plan, 2000);
        }
    }
    // Eleven patterns each do not fit the bits of one register.
    let goal = Goal::blank_last(Shape::new(3, 4).unwrap());
    let singles: Vec<Vec<u8>> = (1..=11).map(|tile| vec![tile]).collect();
    let mut other = singles[2..8].to_vec();
    other.extend([vec![1, 2], vec![9, 10, 11]]);
    let plan = Plan::additive(&goal, &[singles, other], BlankMode::Aware, false).unwrap();
    check_walk(&goal, &plan, 1000);
}

#[test]
fn the_tables_of_another_plan_are_refused() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let plan = &plans(&goal)[0];
    let mut tables = opened(bytes_of(plan));
    tables.swap(0, 1);
    let error = Database::of_tables(plan, tables).unwrap_err();
    assert!(matches!(error, OpenError::Format { source: FormatError::OtherTable { .. }, .. }));
    let error = Database::of_tables(plan, opened(vec![bytes_of(plan).remove(0)])).unwrap_err();
    assert!(matches!(error, OpenError::TableCount { expected: 2, found: 1 }));
}

pub(crate) const RESIDENCES: [Residence; 4] =
    [Residence::Mapped, Residence::Prefaulted, Residence::Locked, Residence::Copied];

#[test]
fn a_table_is_the_same_in_every_residence_and_after_its_file_is_replaced_or_removed() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let boards = walk(&goal, 500);
    for plan in plans(&goal) {
        let expected = roots(&from_memory(&plan), &boards);
        for residence in RESIDENCES {
            let folder = folder_of(&plan);
            let tables = match Database::open_as(&plan, folder.path(), residence) {
                Ok(tables) => tables,
                // The system may limit locked memory to less than a table.
                Err(error) => {
                    assert_eq!(residence, Residence::Locked, "{error}");
                    assert!(matches!(error, OpenError::Io { .. }), "{error}");
                    let text = error.to_string();
                    let says_so = ["memory", "permitted", "temporarily"];
                    assert!(says_so.iter().any(|word| text.contains(word)), "{text}");
                    continue;
                }
            };
            let database = tables.check(2).unwrap();
            let check = || {
                assert_eq!(roots(&database, &boards), expected, "{residence:?}");
                database.tables().iter().for_each(|table| table.check_payload().unwrap());
            };
            check();
            // Another file replaces it atomically, as every writer of tables here does.
            for key in plan.tables() {
                pdb_gen::write_file(&folder.path().join(key.file_name()), b"no table").unwrap();
            }
            check();
            assert!(Database::open_as(&plan, folder.path(), residence).is_err());
            // The same table replaces it.
            for key in plan.tables() {
                Build { replace: true, ..Build::new(folder.path()) }.in_memory(key).unwrap();
            }
            check();
            let again = Database::open(&plan, folder.path()).unwrap().check(2).unwrap();
            assert_eq!(roots(&again, &boards), expected);
            drop(folder);
            check();
        }
    }
}

#[test]
fn errors_name_missing_empty_and_irregular_files() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pdb");
    File::options().write(true).create_new(true).open(&empty).unwrap();
    let mut irregular = vec![folder.path().to_owned()];
    if cfg!(unix) {
        let pipe = folder.path().join("pipe.pdb");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        irregular.extend([pipe, "/dev/zero".into()]);
    }
    for residence in RESIDENCES {
        let open = |path: &Path| Table::open_as(path, residence).unwrap_err();
        let error = open(&folder.path().join("none.pdb"));
        assert!(error.to_string().contains("none.pdb: there is no such table"), "{error}");
        for path in &irregular {
            let error = open(path);
            assert!(error.to_string().contains("expected a regular file"), "{error}");
        }
        let error = open(&empty);
        assert!(matches!(error, OpenError::Format { .. }), "{residence:?}: {error}");
        assert!(error.to_string().contains("empty.pdb"), "{error}");
    }
}

#[test]
fn boards_of_sixteen_cells_keep_their_estimates_along_a_walk() {
    // Small patterns give small tables; three partitions, with or without mirror images.
    for (rows, cols) in [(2, 8), (8, 2), (4, 4)] {
        for goal in [
            Goal::blank_last(Shape::new(rows, cols).unwrap()),
            Goal::blank_first(Shape::new(rows, cols).unwrap()),
        ] {
            let parts = |starts: &[u8]| -> Vec<Vec<u8>> {
                let ends = starts.iter().skip(1).copied().chain([16]);
                starts.iter().zip(ends).map(|(&start, end)| (start..end).collect()).collect()
            };
            let drawn = [parts(&[1, 5, 9, 13]), parts(&[1, 3, 7, 11, 12])];
            let plan = |drawn: &[_], reflect| {
                Plan::additive(&goal, drawn, BlankMode::Aware, reflect).unwrap()
            };
            let plan = if rows == cols { plan(&drawn[..1], true) } else { plan(&drawn, false) };
            check_walk(&goal, &plan, 1000);
        }
    }
}

fn is_damage(error: &OpenError) -> bool {
    let OpenError::Format { source, .. } = error else { return false };
    matches!(source, FormatError::ChunkDigest { .. })
}

/// Every method of checking finds the damage. An unchecked payload may contain anything. Then an
/// answer may be wrong or an error, but every look-up ends and stays inside the table.
#[test]
fn any_payload_ends_in_a_number_or_an_error() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let boards = walk(&goal, 300);
    for plan in plans(&goal) {
        let mut damaged = 0;
        for fill in [0x00, 0x55, 0xaa, 0xff] {
            let tables = bytes_of(&plan).into_iter().map(|mut bytes| {
                let payload = Table::from_bytes("t", bytes.clone())?.header().payload_offset();
                bytes[payload as usize..].fill(fill);
                let table = Table::from_bytes("t", bytes)?;
                assert!(table.check_payload().is_err());
                Ok(table)
            });
            // Invalid links are refused when a table is opened.
            let Ok(tables) = tables.collect::<Result<Vec<_>, OpenError>>() else {
                damaged += 1;
                continue;
            };
            let unchecked = || Database::of_tables(&plan, tables.clone()).unwrap();
            for thread_count in [0, 2] {
                assert!(is_damage(&unchecked().check(thread_count).unwrap_err()));
            }
            let database = unchecked().check_beside(2, |_| ());
            for _ in 0..3 {
                assert!(is_damage(&database.confirm().unwrap_err()) && database.is_spoilt());
            }
            let database = unchecked().trust();
            damaged += boards.iter().filter(|b| estimate(&database, b).is_err()).count();
            // A walk from the goal starts at an undamaged entry, and then reads all damage on its
            // way.
            if let Ok(estimates) =
                database.visit(WalkEstimates { boards: &boards, is_damaged: true })
            {
                assert_eq!(estimates.len(), boards.len());
            }
        }
        let packing = plan.tables()[0].describe();
        assert!(damaged > 0 || packing.contains("collapsed"), "{packing}");
    }
}

/// The estimates of boards by the heuristic of each dual goal, in the order of the plan.
struct ByDuals<'a>(&'a [Vec<Board>]);

impl<'h> Visitor<'h> for ByDuals<'_> {
    type Output = Vec<Vec<u32>>;

    fn visit<H: Heuristic + Send + 'h>(self, heuristics: Vec<H>) -> Self::Output {
        let estimates = |(heuristic, boards): (&H, &Vec<Board>)| {
            let estimate =
                |board| heuristic.estimate(&heuristic.root(board).expect("the tables are good").1);
            boards.iter().map(estimate).collect()
        };
        heuristics[1..].iter().zip(self.0).map(estimates).collect()
    }
}

#[test]
fn duals_are_looked_up_as_boards_with_tables_of_their_own() {
    let shape = Shape::new(3, 4).unwrap();
    let goal = Goal::blank_last(shape);
    let dual_goals: Vec<Goal> = ["1 0 2 3/4 5 6 7/8 9 10 11", "1 2 3 4/5 0 6 7/8 9 10 11"]
        .map(|text| Goal::new(text.parse().unwrap()))
        .into();
    for mode in [BlankMode::Aware, BlankMode::Collapsed] {
        let plan_of = |goal: &Goal| {
            let halves = vec![vec![1, 2, 3, 4, 5], vec![6, 7, 8, 9, 10, 11]];
            let columns = vec![vec![1, 2, 5, 6, 9, 10], vec![3, 4, 7, 8, 11]];
            Plan::additive(goal, &[halves, columns], mode, false).unwrap()
        };
        let plan = dual_goals
            .iter()
            .fold(plan_of(&goal), |plan, goal| plan.with_dual(&plan_of(goal)).unwrap());
        let boards: Vec<Vec<Board>> = dual_goals.iter().map(|goal| walk(goal, 300)).collect();
        let database = from_memory(&plan);
        let found = database.visit(ByDuals(&boards));
        assert_eq!(found.len(), 2);
        let goals = database.goals();
        assert_eq!(goals[1..], dual_goals);
        for ((goal, estimates), boards) in goals[1..].iter().zip(found).zip(&boards) {
            let alone = from_memory(&plan_of(goal));
            for (board, expected) in boards.iter().zip(estimates) {
                assert_eq!(estimate(&alone, board), Ok(expected), "{board} to {goal:?}");
            }
        }
        // These boards do not need duals.
        let board = &walk(&goal, 300)[300];
        let alone = estimate(&from_memory(&plan_of(&goal)), board);
        assert_eq!(estimate(&database, board), alone);
    }
}

/// Returns the tables of a plan, where the lowest bit of the goal's first entry is flipped.
fn with_wrong_goal(plan: &Plan) -> Database {
    let mut tables = bytes_of(plan);
    let table = opened(tables.clone()).remove(0);
    let TableKey::Pattern(key) = table.header().key else { unreachable!("a pattern table") };
    let index = table.index().unwrap();
    let entry = index.entry(index.state(key.homes, |home| home), key.goal_region) as usize;
    let bit = entry * table.header().packing.bits().unwrap() as usize;
    tables[0][table.header().payload_offset() as usize + bit / 8] ^= 1 << (bit % 8);
    Database::of_tables(plan, opened(tables)).unwrap().trust()
}

#[test]
fn a_damaged_goal_entry_is_an_error() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let plain = Plan::plain(&goal, &[vec![1, 2, 3]], false).unwrap();
    let roots = with_wrong_goal(&plain).visit(Roots(&walk(&goal, 5)));
    assert!(roots.iter().all(Result::is_err), "{roots:?}");
    // The goal's excess becomes 1, and its estimate 2.
    let database = with_wrong_goal(&plans(&goal)[1]);
    let board = goal.board().moved(Direction::Right).unwrap();
    let heuristic = AsHeuristic::new(database.estimator().into());
    let solver = Solver::new(heuristic, &goal, KORF_BLANK_LAST).unwrap();
    let error = solver.ida_star(&board, &Options::default()).unwrap_err();
    assert!(matches!(error, SearchError::NotLowerBound { length: 1, .. }), "{error}");
}

#[test]
fn each_good_table_is_reported_once_and_known_ones_are_skipped() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let plan = &plans(&goal)[0];
    for (threads, known) in [(0, 0), (1, 0), (8, 0), (2, 1), (2, 2)] {
        let tables = opened(bytes_of(plan));
        let keys: Vec<_> = tables.iter().map(|table| table.header().key).collect();
        let found = Arc::new(Mutex::new(Vec::new()));
        let sender = Arc::clone(&found);
        let tables = Database::of_tables(plan, tables).unwrap();
        let database = tables.except(|table| keys[..known].contains(&table.header().key));
        let database = database.check_beside(threads, move |table| {
            sender.lock().unwrap().push(table.header().key);
        });
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| database.confirm().unwrap());
            }
        });
        let mut found = found.lock().unwrap().clone();
        found.sort_by_key(|key| keys.iter().position(|known| known == key));
        assert_eq!(found, keys[known..], "{threads} threads");
        assert!(!database.is_trusted() && !database.is_spoilt());
    }
}

#[test]
fn a_board_of_another_shape_or_without_a_solution_is_no_damage_of_the_tables() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let whole = vec![(1..=8).collect()];
    let whole = Plan::additive(&goal, &[whole], BlankMode::Aware, false).unwrap();
    for plan in plans(&goal).into_iter().chain([whole]) {
        let database = from_memory(&plan);
        let estimator = database.estimator();
        let estimate_of = |board: &Board| estimator.root(board).map(|memo| memo.estimate);
        let parts = |board: &Board| -> Option<RootError> {
            match (database.walking(), database.additive(), database.plain()) {
                (Some(axes), ..) => axes.iter().find_map(|axis| axis.parts(board).err()),
                (_, Some(sum), _) => sum.parts(board).err(),
                (.., plain) => plain.unwrap().parts(board).err(),
            }
        };
        for text in ["1 2 3/4 5 0", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"] {
            let board: Board = text.parse().unwrap();
            let shapes = goal.check_shape(&board).unwrap_err();
            let other = RootError::Board(shapes.clone());
            assert_eq!(other.to_string(), shapes.to_string());
            assert_eq!(estimate_of(&board), Err(other.clone()), "{text}");
            assert_eq!(estimate(&database, &board), Err(other.clone()), "{text}");
            assert_eq!(parts(&board), Some(other), "{text}");
        }
        let board: Board = "1 2 3/4 5 6/8 7 0".parse().unwrap();
        let unsolvable = RootError::Unsolvable(goal.check_solvable(&board).unwrap_err());
        assert_eq!(estimate_of(&board), Err(unsolvable.clone()));
        assert_eq!(estimate(&database, &board), Err(unsolvable.clone()));
        // Parts that add up to no number of moves may still be shown.
        assert!(parts(&board).is_none_or(|error| error == unsolvable));
    }
}
