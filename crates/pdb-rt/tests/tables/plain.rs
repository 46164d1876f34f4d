//! Plain patterns as a heuristic: any number of them, updated correctly along walks. Their values
//! and damaged payloads are tested with those of the other tables.

use pdb_core::plan::{LOOKUPS_MAX, PlanError};
use pdb_core::{Goal, Plan, PlanKind, Shape, TableKey};
use pdb_rt::{Database, Table};

use crate::{Roots, bytes_of, carried, from_memory, roots, walk};

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

fn from_bytes(plan: &Plan, bytes: Vec<Vec<u8>>) -> Database {
    let tables = bytes.into_iter().map(|bytes| Table::from_bytes("memory", bytes).unwrap());
    Database::of_tables(plan, tables.collect()).unwrap().trust()
}

fn database(goal: &Goal, patterns: &[Vec<u8>], reflect: bool) -> Database {
    from_memory(&Plan::plain(goal, patterns, reflect).unwrap())
}

fn view_count(database: &Database) -> usize {
    match database.plan().kind() {
        PlanKind::Plain { views } => views.len(),
        other => panic!("not plain: {other:?}"),
    }
}

#[test]
fn estimates_kept_along_a_walk_equal_those_from_nothing() {
    for (rows, cols, patterns, reflect, views) in [
        (3, 3, vec![vec![1, 2, 3, 4, 7]], true, 1),
        (3, 3, vec![vec![1, 2, 3]], true, 2),
        (3, 3, vec![vec![1, 2, 3], vec![6, 7, 8]], true, 4),
        (3, 3, (1..=8).map(|tile| vec![tile]).collect(), true, 8),
        (3, 4, vec![vec![1, 2, 3, 4], vec![4, 5, 9], vec![11]], false, 3),
        (4, 3, vec![vec![1, 4, 7, 10], vec![2, 3]], false, 2),
        (4, 4, vec![vec![1, 2, 5, 6, 9], vec![11, 12]], true, 4),
        (5, 5, vec![vec![1, 2, 6, 7], vec![19, 23, 24]], true, 3),
    ] {
        for goal in [Goal::blank_last(shape(rows, cols)), Goal::blank_first(shape(rows, cols))] {
            let database = database(&goal, &patterns, reflect);
            if goal == Goal::blank_last(shape(rows, cols)) {
                assert_eq!(view_count(&database), views, "{patterns:?}");
            }
            let boards = walk(&goal, 1000);
            let carried = carried(&database, &boards);
            assert_eq!(carried, roots(&database, &boards), "{patterns:?}");
            assert_eq!(carried[0], 0);
        }
    }
}

#[test]
fn a_table_with_a_wrong_goal_entry_is_damaged() {
    let goal = Goal::blank_last(shape(3, 3));
    let plan = Plan::plain(&goal, &[vec![1, 2, 3]], false).unwrap();
    let mut bytes = bytes_of(&plan);
    let table = Table::from_bytes("good", bytes[0].clone()).unwrap();
    let index = table.index().unwrap();
    let TableKey::Pattern(key) = table.header().key else { unreachable!("a pattern table") };
    let entry = index.entry(index.state(key.homes, |home| home), key.goal_region) as usize;
    bytes[0][table.header().payload_offset() as usize + entry / 8] ^= 1 << (entry % 8);
    let roots = from_bytes(&plan, bytes).visit(Roots(&walk(&goal, 5)));
    assert!(roots.iter().all(Result::is_err), "{roots:?}");
}

#[test]
fn looks_up_the_largest_number_of_patterns() {
    let goal = Goal::blank_last(shape(3, 3));
    let pairs = (1..=8).flat_map(|a| (a + 1..=8).map(move |b| vec![a, b]));
    let patterns: Vec<Vec<u8>> = pairs.chain((1..=8).map(|tile| vec![tile])).collect();
    let error = Plan::plain(&goal, &patterns, false).unwrap_err();
    assert_eq!(error, PlanError::TooManyPatterns { found: 36 });
    let most = database(&goal, &patterns[..LOOKUPS_MAX], false);
    let boards = walk(&goal, 500);
    assert_eq!(carried(&most, &boards), roots(&most, &boards));
}
