//! The runtime gives the same answers from a map and from memory, updates its estimates correctly
//! along any walk, and returns errors for invalid bytes.

use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use pdb_core::{AsHeuristic, BlankMode, Board, Direction, Goal, Heuristic, Plan, RootError, Shape};
use pdb_format::FormatError;
use pdb_gen::Build;
use pdb_rt::{Database, OpenError, Residence, Table, Visitor};
use pdb_search::{KORF_BLANK_LAST, Options, SearchError, Solver};
use tempfile::TempDir;

use crate::{WalkEstimates, bytes_of, carried, estimate, from_memory, roots, walk};

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

#[test]
fn estimates_kept_along_a_walk_equal_those_from_nothing_and_those_of_a_map() {
    for goal in goals() {
        for plan in plans(&goal) {
            let boards = walk(&goal, 2000);
            let in_memory = from_memory(&plan);
            let estimates = roots(&in_memory, &boards);
            assert_eq!(estimates[0], 0);
            assert_eq!(carried(&in_memory, &boards), estimates, "{plan:?}");

            let folder = folder_of(&plan);
            let mapped = Database::open(&plan, folder.path()).unwrap().check(2).unwrap();
            // A mapping outlives its file.
            drop(folder);
            assert_eq!(carried(&mapped, &boards), estimates);
            for table in mapped.tables() {
                table.check_payload().unwrap();
            }
        }
    }
}

#[test]
fn the_tables_of_another_plan_are_refused() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let plans = plans(&goal);
    let table = |plan: &Plan, i: usize| Table::from_bytes("t", bytes_of(plan).remove(i)).unwrap();
    let swapped = vec![table(&plans[0], 1), table(&plans[0], 0)];
    let error = Database::of_tables(&plans[0], swapped).unwrap_err();
    assert!(matches!(error, OpenError::Format { source: FormatError::OtherTable { .. }, .. }));
    let error = Database::of_tables(&plans[0], vec![table(&plans[0], 0)]).unwrap_err();
    assert!(matches!(error, OpenError::TableCount { expected: 2, found: 1 }));
}

pub(crate) const RESIDENCES: [Residence; 5] = [
    Residence::Auto,
    Residence::Mapped,
    Residence::Prefaulted,
    Residence::Locked,
    Residence::Copied,
];

#[test]
fn a_table_has_the_same_values_in_every_residence() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let boards = walk(&goal, 500);
    for plan in plans(&goal) {
        let folder = folder_of(&plan);
        let expected = roots(&from_memory(&plan), &boards);
        for residence in RESIDENCES {
            match Database::open_as(&plan, folder.path(), residence) {
                Ok(tables) => {
                    let database = tables.check(2).unwrap();
                    assert_eq!(roots(&database, &boards), expected, "{residence:?}");
                    database.tables().iter().for_each(|table| table.check_payload().unwrap());
                }
                // The system may limit locked memory to less than a table.
                Err(error) => {
                    assert_eq!(residence, Residence::Locked, "{error}");
                    assert!(matches!(error, OpenError::Io { .. }), "{error}");
                    let text = error.to_string();
                    let says_so = ["memory", "permitted", "temporarily"];
                    assert!(says_so.iter().any(|word| text.contains(word)), "{text}");
                }
            }
        }
    }
}

#[test]
fn an_open_table_is_unchanged_after_its_file_is_replaced_or_removed() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let boards = walk(&goal, 500);
    for plan in plans(&goal) {
        let expected = roots(&from_memory(&plan), &boards);
        for residence in [Residence::Mapped, Residence::Prefaulted, Residence::Copied] {
            let folder = folder_of(&plan);
            let tables = Database::open_as(&plan, folder.path(), residence).unwrap();
            let database = tables.check(2).unwrap();
            let check = || {
                assert_eq!(roots(&database, &boards), expected, "{residence:?}");
                database.tables().iter().for_each(|table| table.check_payload().unwrap());
            };
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
            let again = Database::open_as(&plan, folder.path(), residence).unwrap();
            let again = again.check(2).unwrap();
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
            let boards = walk(&goal, 1000);
            let database = from_memory(&plan);
            assert_eq!(carried(&database, &boards), roots(&database, &boards), "{plan:?}");
        }
    }
}

#[test]
fn any_number_of_patterns_is_looked_up() {
    // Eleven patterns each do not fit the bits of one register.
    let goal = Goal::blank_last(Shape::new(3, 4).unwrap());
    let singles: Vec<Vec<u8>> = (1..=11).map(|tile| vec![tile]).collect();
    let other =
        vec![vec![1, 2], vec![3], vec![4], vec![5], vec![6], vec![7], vec![8], vec![9, 10, 11]];
    let plan = Plan::additive(&goal, &[singles, other], BlankMode::Aware, false).unwrap();
    let boards = walk(&goal, 1000);
    let database = from_memory(&plan);
    assert_eq!(carried(&database, &boards), roots(&database, &boards));
}

/// An unchecked payload may contain anything. Then an answer may be wrong or an error, but every
/// look-up ends and stays inside the table.
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
            let database = Database::of_tables(&plan, tables).unwrap().trust();
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

#[test]
fn a_damaged_goal_entry_ends_a_search_with_an_error() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let plan = &plans(&goal)[1];
    let mut tables = bytes_of(plan);
    let table = Table::from_bytes("good", tables[0].clone()).unwrap();
    let pdb_core::TableKey::Pattern(key) = table.header().key else { unreachable!() };
    let index = table.index().unwrap();
    let entry = index.entry(index.state(key.homes, |home| home), key.goal_region) as usize;
    // The goal's excess becomes 1, and its estimate 2.
    let at = table.header().payload_offset() as usize + entry / 2;
    tables[0][at] ^= 1 << (entry % 2 * 4);
    let tables = tables.into_iter().map(|bytes| Table::from_bytes("bad", bytes).unwrap());
    let database = Database::of_tables(plan, tables.collect()).unwrap().trust();
    let board = goal.board().moved(Direction::Right).unwrap();
    let heuristic = AsHeuristic::new(database.estimator().into());
    let solver = Solver::new(heuristic, &goal, KORF_BLANK_LAST).unwrap();
    let error = solver.ida_star(&board, &Options::default()).unwrap_err();
    assert!(matches!(error, SearchError::NotLowerBound { length: 1, .. }), "{error}");
}

/// Flips bits of the payloads of all kinds of tables; every method of checking must find them.
#[test]
fn every_flipped_bit_of_a_payload_is_found() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    for (number, plan) in plans(&goal).into_iter().enumerate() {
        let good = bytes_of(&plan);
        let table_of = |bytes: &Vec<u8>| Table::from_bytes("t", bytes.clone());
        for place in 0..good.len() {
            let first = table_of(&good[place]).unwrap().header().payload_offset() as usize;
            for bit in (8 * first..8 * good[place].len()).step_by(397) {
                let mut bytes = good.clone();
                bytes[place][bit / 8] ^= 1 << (bit % 8);
                // An invalid link is refused when the table is opened.
                let Ok(tables) = bytes.iter().map(table_of).collect::<Result<Vec<_>, _>>() else {
                    continue;
                };
                let tables = Database::of_tables(&plan, tables).unwrap();
                let is_damage = |error: &OpenError| {
                    let OpenError::Format { source, .. } = error else { return false };
                    matches!(source, FormatError::ChunkDigest { .. })
                };
                if bit % 2 == 0 {
                    assert!(is_damage(&tables.check(bit % 3).unwrap_err()), "{number} {bit}");
                    continue;
                }
                let database = tables.check_beside(bit % 3, |_| ());
                for _ in 0..3 {
                    assert!(is_damage(&database.confirm().unwrap_err()), "{number} {bit}");
                    assert!(database.is_spoilt());
                }
            }
        }
    }
}

#[test]
fn each_good_table_is_reported_once_and_known_ones_are_skipped() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let plan = &plans(&goal)[0];
    for (threads, known) in [(0, 0), (1, 0), (8, 0), (2, 1), (2, 2)] {
        let tables: Vec<Table> =
            bytes_of(plan).into_iter().map(|b| Table::from_bytes("t", b).unwrap()).collect();
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
    let partition = |patterns: &[Vec<u8>], mode| {
        Plan::additive(&goal, &[patterns.to_vec()], mode, false).unwrap()
    };
    let halves = [vec![1, 2, 3, 4], vec![5, 6, 7, 8]];
    let plans = [
        Plan::walking(&goal),
        Plan::plain(&goal, &halves, false).unwrap(),
        partition(&halves, BlankMode::Aware),
        partition(&halves, BlankMode::Collapsed),
        partition(&[(1..=8).collect()], BlankMode::Aware),
    ];
    for plan in plans {
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
        for text in ["1 2/3 0", "1 2 3/4 5 0", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"] {
            let board: Board = text.parse().unwrap();
            let other = RootError::Board(goal.check_shape(&board).unwrap_err());
            assert_eq!(other.to_string(), goal.check_shape(&board).unwrap_err().to_string());
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

#[test]
fn debug_output_has_no_tables() {
    for plan in plans(&Goal::blank_last(Shape::new(3, 3).unwrap())) {
        let tables = bytes_of(&plan).into_iter().map(|b| Table::from_bytes("a", b).unwrap());
        let unchecked = Database::of_tables(&plan, tables.collect()).unwrap();
        let before = format!("{unchecked:?}");
        let database = unchecked.trust();
        let estimator = database.estimator();
        let text = format!("{before} {database:?} {:?} {estimator:?}", database.tables());
        assert!(text.len() < 800 && text.contains("Goal(1 2 3/4 5 6/7 8 0)"), "{text}");
    }
}
