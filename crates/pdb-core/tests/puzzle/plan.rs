//! The tables that a partition needs, and how a board is looked up in them.

use std::collections::{BTreeMap, BTreeSet};

use pdb_core::plan::{AxisView, View};
use pdb_core::{
    BlankMode, Board, CellSet, Goal, IndexError, PatternKey, Plan, PlanError, PlanKind, Shape,
    Symmetry, TableKey, WalkingKey,
};

use crate::plain::shape;

use BlankMode::{Aware, Collapsed, Plain};

fn cells(cells: &[u8]) -> CellSet {
    cells.iter().copied().collect()
}

fn key(shape: Shape, homes: CellSet, blank: u8, mode: BlankMode) -> PatternKey {
    PatternKey::new(shape, homes, blank, mode).expect("the pattern can be indexed")
}

/// Returns every pattern of a small board with every home of the blank.
fn all_keys(shape: Shape, mode: BlankMode) -> impl Iterator<Item = (PatternKey, u8)> {
    let full = shape.all_cells();
    let homes = (1..full.0).map(CellSet);
    homes.flat_map(move |homes| {
        let blanks: Vec<u8> = full.without(homes).iter().collect();
        let keys = blanks.into_iter();
        keys.map(move |blank| (key(shape, homes, blank, mode), blank))
    })
}

fn partitions(plan: &Plan) -> &[Vec<View>] {
    match plan.kind() {
        PlanKind::Additive { partitions } => partitions,
        other => panic!("not additive: {other:?}"),
    }
}

fn pattern_keys(plan: &Plan) -> Vec<PatternKey> {
    let keys = plan.tables().iter().map(|table| match table {
        TableKey::Pattern(key) => *key,
        other => panic!("not a pattern: {other:?}"),
    });
    keys.collect()
}

#[test]
fn a_key_has_the_region_of_the_blank_at_the_goal() {
    // The blank is enclosed by its two neighbours, or is outside.
    let shape = shape(3, 3);
    let inside = key(shape, cells(&[1, 3]), 0, Aware);
    assert_eq!((inside.goal_region, inside.goal_cells()), (0, cells(&[0])));
    let outside = key(shape, cells(&[1, 3]), 8, Aware);
    assert_eq!(outside.goal_region, 2);
    assert_eq!(outside.goal_cells(), cells(&[2, 4, 5, 6, 7, 8]));
    assert_eq!(outside, key(shape, cells(&[1, 3]), 4, Aware));
    assert_ne!(outside, key(shape, cells(&[1, 3]), 4, Collapsed));
    assert_eq!(outside.tile_count(), 2);
}

#[test]
fn all_images_of_a_pattern_have_one_canonical_key() {
    for shape in [shape(2, 2), shape(2, 3), shape(3, 2), shape(3, 3)] {
        for (key, blank) in all_keys(shape, Aware).chain(all_keys(shape, Plain)) {
            let (canonical, _) = key.canonical();
            assert_eq!(canonical.canonical(), (canonical, Symmetry::identity(canonical.shape)));
            for image in Symmetry::all(shape) {
                let moved = PatternKey::new(
                    image.to_shape(),
                    image.set(key.homes),
                    image.cell(blank),
                    key.mode,
                )
                .unwrap();
                let (found, to_canonical) = moved.canonical();
                assert_eq!(found, canonical, "{key:?}");
                assert_eq!(to_canonical.from_shape(), moved.shape);
                assert_eq!(to_canonical.to_shape(), canonical.shape);
                assert_eq!(to_canonical.set(moved.homes), canonical.homes);
                assert_eq!(to_canonical.set(moved.goal_cells()), canonical.goal_cells());
                assert_eq!(moved.mode, canonical.mode);
            }
        }
    }
}

/// Blank mode, homes, and cells of the blank at the goal.
type Image = (BlankMode, u64, u64);

#[test]
fn patterns_that_no_symmetry_relates_have_different_keys_and_file_names() {
    // Two keys must be equal exactly if a symmetry maps the homes and the region of one to those of
    // the other.
    let shape = shape(3, 3);
    let mut orbits: BTreeMap<String, BTreeSet<Vec<Image>>> = BTreeMap::new();
    for (key, _) in all_keys(shape, Aware).chain(all_keys(shape, Plain)) {
        let image = |s: Symmetry| (key.mode, s.set(key.homes).0, s.set(key.goal_cells()).0);
        let mut orbit: Vec<_> = Symmetry::all(shape).map(image).collect();
        orbit.sort_unstable();
        let name = TableKey::Pattern(key.canonical().0).file_name();
        orbits.entry(name).or_default().insert(orbit);
    }
    assert!(orbits.values().all(|orbits| orbits.len() == 1));
    let different: BTreeSet<_> = orbits.values().flatten().collect();
    assert_eq!(different.len(), orbits.len());
}

#[test]
fn file_names_and_descriptions_contain_the_key() {
    let pattern = TableKey::Pattern(key(shape(4, 4), CellSet(0x00FF), 15, Aware));
    assert_eq!(pattern.file_name(), "4x4-00ff-r8-aware.pdb");
    assert_eq!(pattern.describe(), "8 tiles on 4x4, blank-aware");
    assert_eq!(pattern.entry_count_min(), 518_918_400);

    let pattern = TableKey::Pattern(key(shape(2, 3), CellSet(0b1_1000), 5, Collapsed));
    assert_eq!(pattern.file_name(), "2x3-18-r0-collapsed.pdb");
    assert_eq!(pattern.describe(), "2 tiles on 2x3, blank-collapsed");
    assert_eq!(pattern.entry_count_min(), 30);

    let walking = TableKey::Walking(WalkingKey { lines: 3, line_len: 4, blank_line: 2 });
    assert_eq!(walking.file_name(), "wd-3x4-b2.pdb");
    assert_eq!(walking.describe(), "walking distance, 3 lines of 4");
    assert!(walking.entry_count_min() <= 255);
}

/// Returns tiles from `first` to `last`.
fn run(first: u8, last: u8) -> Vec<u8> {
    (first..=last).collect()
}

#[test]
fn a_mirror_image_with_the_same_values_is_dropped() {
    // The corners and the edges around a blank in the centre look the same from all sides.
    let centre: Board = "1 2 3/8 0 4/7 6 5".parse().unwrap();
    let goal = Goal::new(centre);
    for (partition, different) in [
        (vec![vec![1, 3, 5, 7], vec![2, 4, 6, 8]], 1),
        (vec![run(1, 8)], 1),
        (vec![run(1, 4), run(5, 8)], 4),
        (vec![run(1, 3), run(4, 8)], 4),
        (vec![run(1, 2), run(3, 8)], 8),
    ] {
        let plan = Plan::additive(&goal, &[partition], Aware, true).unwrap();
        let keys = pattern_keys(&plan);
        let images: BTreeSet<Vec<CellSet>> = partitions(&plan)
            .iter()
            .map(|views| {
                let homes = |view: &View| view.symmetry.inverse().set(keys[view.table].homes);
                let mut image: Vec<_> = views.iter().map(homes).collect();
                image.sort_unstable();
                image
            })
            .collect();
        assert_eq!((images.len(), partitions(&plan).len()), (different, different));
        assert!(keys.len() <= 2);
    }

    // Two partitions that are mirror images of each other, and a partition that is given twice.
    let goal = Goal::blank_last(shape(4, 4));
    let upright = vec![vec![1, 2, 5, 6, 9, 10, 13, 14], vec![3, 4, 7, 8, 11, 12, 15]];
    let flat = vec![run(1, 8), run(9, 15)];
    let plan = Plan::additive(&goal, &[flat.clone(), upright, flat], Aware, true).unwrap();
    assert_eq!((partitions(&plan).len(), plan.tables().len()), (2, 2));
}

#[test]
fn more_partitions_than_are_supported_are_refused_even_if_they_are_equal() {
    let goal = Goal::blank_last(shape(4, 4));
    let equal = |count| vec![vec![run(1, 8), run(9, 15)]; count];
    assert!(Plan::additive(&goal, &equal(8), Aware, true).is_ok());
    assert_eq!(
        refused(&goal, &equal(9), false),
        PlanError::TooMany { what: "partitions", found: 9, max: 8 }
    );
}

fn refused(goal: &Goal, given: &[Vec<Vec<u8>>], reflect: bool) -> PlanError {
    Plan::additive(goal, given, Aware, reflect).expect_err("the partition is bad")
}

#[test]
fn errors_name_the_tiles_that_make_no_partition() {
    let goal = Goal::blank_last(shape(2, 3));
    for (patterns, message) in [
        ([run(1, 3), run(4, 6)], "6 is not a tile of this goal"),
        ([run(0, 2), run(3, 5)], "0 is not a tile of this goal"),
        ([run(1, 2), run(4, 5)], "tile 3 is in no pattern: a partition covers every tile once"),
        ([run(1, 4), run(4, 5)], "tile 4 is in 2 patterns: a partition covers every tile once"),
    ] {
        let found = refused(&goal, &[patterns.into()], false);
        assert_eq!(found.to_string(), message);
    }
    assert_eq!(refused(&goal, &[], false), PlanError::Empty);
    // The second partition is checked too.
    let given = [vec![run(1, 5)], vec![run(1, 4)]];
    let error = PlanError::NotDisjoint { tile: 5, found: 0 };
    assert_eq!(refused(&goal, &given, false), error);
}

#[test]
fn a_pattern_that_cannot_be_indexed_is_refused_with_the_reason() {
    let shape = shape(4, 5);
    let goal = Goal::blank_last(shape);
    for (partition, found) in
        [(vec![run(1, 16), run(17, 19)], 16), (vec![run(1, 9), vec![], run(10, 19)], 0)]
    {
        let error = refused(&goal, &[partition], false);
        let reason = IndexError::TileCount { shape, found };
        assert_eq!(error, PlanError::Index(reason.clone()));
        assert_eq!(error.to_string(), reason.to_string());
    }
}

fn plain_views(plan: &Plan) -> &[View] {
    match plan.kind() {
        PlanKind::Plain { views } => views,
        other => panic!("not plain: {other:?}"),
    }
}

#[test]
fn plain_patterns_may_overlap_and_leave_tiles_out() {
    let goal = Goal::blank_last(shape(4, 4));
    let fringe = vec![1, 2, 3, 4, 5, 9, 13];
    let plan = Plan::plain(&goal, &[fringe.clone(), run(1, 4), vec![15]], false).unwrap();
    let names: Vec<String> = plan.tables().iter().map(TableKey::file_name).collect();
    let expected = ["4x4-111f-r15-plain.pdb", "4x4-1111-r15-plain.pdb", "4x4-4000-r15-plain.pdb"];
    assert_eq!(names, expected);
    assert_eq!(plan.tables()[0].describe(), "7 tiles on 4x4, plain");
    assert_eq!(plan.tables()[0].entry_count_min(), 518_918_400);
    assert_eq!(plain_views(&plan).len(), 3);

    // The fringe is its own mirror image, and a pattern that is given twice adds no value.
    let plan = Plan::plain(&goal, &[fringe.clone(), fringe.clone()], true).unwrap();
    assert_eq!(plain_views(&plan), [View { table: 0, symmetry: Symmetry::identity(shape(4, 4)) }]);
    // The mirror image of the top row is the left column, in the same table. The drawn column is
    // the same pattern.
    let plan = Plan::plain(&goal, &[run(1, 4)], true).unwrap();
    assert_eq!((plan.tables().len(), plain_views(&plan).len()), (1, 2));
    let both = Plan::plain(&goal, &[run(1, 4), vec![1, 5, 9, 13]], true).unwrap();
    assert_eq!((both.tables(), plain_views(&both).len()), (plan.tables(), 2));
}

#[test]
fn errors_name_the_tiles_that_make_no_plain_pattern() {
    let goal = Goal::blank_last(shape(2, 3));
    let refused = |patterns: &[Vec<u8>]| Plan::plain(&goal, patterns, false).unwrap_err();
    assert_eq!(refused(&[]), PlanError::Empty);
    assert_eq!(refused(&[vec![1, 6]]), PlanError::NotATile { tile: 6 });
    assert_eq!(refused(&[vec![1], vec![0]]), PlanError::NotATile { tile: 0 });
    assert_eq!(refused(&[vec![255]]), PlanError::NotATile { tile: 255 });
    let error = refused(&[vec![1, 2, 1]]);
    assert_eq!(error, PlanError::Repeated { tile: 1 });
    let text = "tile 1 is named twice in a pattern: name each tile once";
    assert_eq!(error.to_string(), text);
    let reason = IndexError::TileCount { shape: shape(2, 3), found: 0 };
    assert_eq!(refused(&[vec![1], vec![]]), PlanError::Index(reason));
    let error = Plan::plain(&goal, &[vec![1]], true).unwrap_err();
    assert_eq!(error, PlanError::NoReflection { shape: shape(2, 3) });
}

#[test]
fn walking_distance_needs_a_table_for_each_different_axis() {
    let table =
        |lines, line_len, blank_line| TableKey::Walking(WalkingKey { lines, line_len, blank_line });
    let view = |table, flipped| AxisView { table, flipped };
    let middle: Board = "1 2 3 4/5 0 6 7/8 9 10 11".parse().unwrap();
    for (goal, tables, vertical, horizontal) in [
        (Goal::blank_last(shape(4, 4)), vec![table(4, 4, 3)], view(0, false), view(0, false)),
        (Goal::blank_first(shape(4, 4)), vec![table(4, 4, 3)], view(0, true), view(0, true)),
        (
            Goal::blank_last(shape(3, 4)),
            vec![table(3, 4, 2), table(4, 3, 3)],
            view(0, false),
            view(1, false),
        ),
        (Goal::new(middle), vec![table(3, 4, 1), table(4, 3, 2)], view(0, false), view(1, true)),
    ] {
        let plan = Plan::walking(&goal);
        assert_eq!(plan.tables(), tables);
        let kind = PlanKind::Walking { vertical, horizontal };
        assert_eq!(*plan.kind(), kind);
    }
}
