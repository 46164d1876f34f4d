//! Plain patterns as a heuristic: any number of them, updated correctly along walks. Their values
//! and damaged payloads are tested with those of the other tables.

use pdb_core::plan::{LOOKUPS_MAX, PlanError};
use pdb_core::{Goal, Plan, Shape};

use crate::runtime::check_walk;

#[test]
fn estimates_kept_along_a_walk_equal_those_from_nothing() {
    // One, two, four and eight look-ups of a square, and two to four of other boards.
    for (rows, cols, patterns, reflect) in [
        (3, 3, vec![vec![1, 2, 3, 4, 7]], true),
        (3, 3, vec![vec![1, 2, 3]], true),
        (3, 3, vec![vec![1, 2, 3], vec![6, 7, 8]], true),
        (3, 3, (1..=8).map(|tile| vec![tile]).collect(), true),
        (3, 4, vec![vec![1, 2, 3, 4], vec![4, 5, 9], vec![11]], false),
        (4, 3, vec![vec![1, 4, 7, 10], vec![2, 3]], false),
        (4, 4, vec![vec![1, 2, 5, 6, 9], vec![11, 12]], true),
        (5, 5, vec![vec![1, 2, 6, 7], vec![19, 23, 24]], true),
    ] {
        let shape = Shape::new(rows, cols).unwrap();
        for goal in [Goal::blank_last(shape), Goal::blank_first(shape)] {
            check_walk(&goal, &Plan::plain(&goal, &patterns, reflect).unwrap(), 1000);
        }
    }
}

#[test]
fn looks_up_the_largest_number_of_patterns() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let pairs = (1..=8).flat_map(|a| (a + 1..=8).map(move |b| vec![a, b]));
    let patterns: Vec<Vec<u8>> = pairs.chain((1..=8).map(|tile| vec![tile])).collect();
    let error = Plan::plain(&goal, &patterns, false).unwrap_err();
    assert_eq!(error, PlanError::TooMany { what: "patterns", found: 36, max: 32 });
    check_walk(&goal, &Plan::plain(&goal, &patterns[..LOOKUPS_MAX], false).unwrap(), 500);
}
