//! The tables that a partition needs, and how a board is looked up in them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::error::Error;

use pdb_core::plan::{AxisView, View};
use pdb_core::{
    BLANK, BlankMode, Board, CellSet, Goal, IndexError, PatternIndex, PatternKey, Plan, PlanError,
    PlanKind, Shape, Symmetry, TableKey, WalkingKey,
};
use pdb_oracle::{
    PatternDistances, WalkingState, additive_pattern_distances, are_long, collapsed,
    plain_pattern_distances,
};

use crate::plain::{any_boards, shape};

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
fn a_pattern_is_neither_empty_nor_too_large() {
    let of = |shape: Shape, homes: u64| PatternKey::new(shape, CellSet(homes), 0, Aware);
    let error = |shape, found| Err(IndexError::TileCount { shape, found });
    assert_eq!(of(shape(3, 3), 0), error(shape(3, 3), 0));
    assert_eq!(of(shape(5, 5), 0x1_FFFE), error(shape(5, 5), 16));
    assert!(of(shape(5, 5), 0xFFFE).is_ok());
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
fn the_7_8_partition_with_its_mirror_image_needs_two_tables() {
    let goal = Goal::blank_last(shape(4, 4));
    let partition = vec![run(1, 8), run(9, 15)];
    for mode in [Aware, Collapsed] {
        let plan = Plan::additive(&goal, std::slice::from_ref(&partition), mode, true).unwrap();
        let homes: Vec<u64> = pattern_keys(&plan).iter().map(|key| key.homes.0).collect();
        assert_eq!(homes, [0x00FF, 0x7F00]);
        assert_eq!(partitions(&plan).len(), 2);
        assert!(partitions(&plan).iter().all(|views| views.len() == 2));
        assert_eq!(*plan.goal(), goal);

        let alone = Plan::additive(&goal, std::slice::from_ref(&partition), mode, false).unwrap();
        assert_eq!(alone.tables(), plan.tables());
        assert_eq!(partitions(&alone), &partitions(&plan)[..1]);
    }
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
    assert_eq!(refused(&goal, &equal(9), false), PlanError::TooManyPartitions { found: 9 });
}

fn refused(goal: &Goal, given: &[Vec<Vec<u8>>], reflect: bool) -> PlanError {
    Plan::additive(goal, given, Aware, reflect).expect_err("the partition is bad")
}

#[test]
fn errors_name_the_tiles_that_make_no_partition() {
    let goal = Goal::blank_last(shape(2, 3));
    for (partition, error, message) in [
        (
            vec![run(1, 3), run(4, 6)],
            PlanError::NotATile { tile: 6 },
            "6 is not a tile of this goal",
        ),
        (
            vec![run(0, 2), run(3, 5)],
            PlanError::NotATile { tile: 0 },
            "0 is not a tile of this goal",
        ),
        (
            vec![run(1, 2), run(4, 5)],
            PlanError::NotDisjoint { tile: 3, found: 0 },
            "tile 3 is in no pattern: a partition covers every tile once",
        ),
        (
            vec![run(1, 4), run(4, 5)],
            PlanError::NotDisjoint { tile: 4, found: 2 },
            "tile 4 is in 2 patterns: a partition covers every tile once",
        ),
    ] {
        let found = refused(&goal, &[partition], false);
        assert_eq!((&found, found.to_string().as_str()), (&error, message));
        assert!(found.source().is_none());
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
        assert_eq!(error.source().map(ToString::to_string), Some(reason.to_string()));
    }
}

#[test]
fn a_board_without_a_reflection_cannot_be_reflected() {
    let wide = Goal::blank_last(shape(3, 4));
    let off_centre: Board = "1 0 2 3/4 5 6 7/8 9 10 11/12 13 14 15".parse().unwrap();
    for (goal, tile_count) in [(wide, 11), (Goal::new(off_centre), 15)] {
        let halves = [vec![run(1, 6), run(7, tile_count)]];
        let error = refused(&goal, &halves, true);
        let shape = goal.shape();
        assert_eq!(error, PlanError::NoReflection { shape });
        assert_eq!(
            error.to_string(),
            format!(
                "no reflection of a {shape} board leaves the blank's home in place: \
                 set reflect = false"
            )
        );
        assert!(Plan::additive(&goal, &halves, Aware, false).is_ok());
    }
    // On a rectangle a blank in the middle row has one.
    let middle: Board = "1 2/0 3/4 5".parse().unwrap();
    let plan = Plan::additive(&Goal::new(middle), &[vec![run(1, 2), run(3, 5)]], Aware, true);
    assert_eq!(partitions(&plan.unwrap()).len(), 2);
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
fn the_views_of_any_partition_cover_every_home_once() {
    let mut plan_count = 0;
    for (number, (board, mut random)) in any_boards().enumerate() {
        let (goal, reflect) = (Goal::new(board), number.is_multiple_of(2));
        let mut patterns = vec![Vec::new(); 5];
        for tile in 1..goal.shape().cell_count() as u8 {
            patterns[random.below(5)].push(tile);
        }
        patterns.retain(|pattern| !pattern.is_empty());
        let (shape, blank) = (goal.shape(), goal.home(BLANK));
        let plan = match Plan::additive(&goal, &[patterns], Aware, reflect) {
            // Eight images of five patterns are too many.
            Err(PlanError::NoReflection { .. } | PlanError::TooManyPatterns { .. }) => {
                assert!(reflect);
                continue;
            }
            // Of large boards.
            Err(PlanError::Index(IndexError::TileCount { .. })) => continue,
            plan => plan.unwrap(),
        };
        plan_count += 1;
        let keys = pattern_keys(&plan);
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        let mut used = HashSet::new();
        for views in partitions(&plan) {
            let mut covered = CellSet::single(blank);
            for view in views {
                let key = keys[view.table];
                used.insert(view.table);
                assert_eq!(view.symmetry.from_shape(), shape);
                assert_eq!(view.symmetry.to_shape(), key.shape);
                assert!(key.goal_cells().contains(view.symmetry.cell(blank)));
                let homes = view.symmetry.inverse().set(key.homes);
                assert_eq!(homes.without(covered), homes);
                covered = CellSet(covered.0 | homes.0);
            }
            assert_eq!(covered, shape.all_cells());
        }
        assert_eq!(used.len(), keys.len());
    }
    assert!(plan_count > 100, "{plan_count}");
}

fn homes_of(set: CellSet) -> Vec<usize> {
    set.iter().map(usize::from).collect()
}

fn costs(shape: Shape, homes: CellSet, blank: u8, mode: BlankMode) -> PatternDistances {
    let (rows, cols, blank) = (shape.rows(), shape.cols(), usize::from(blank));
    match mode {
        Aware | Collapsed => additive_pattern_distances(rows, cols, &homes_of(homes), blank),
        Plain => plain_pattern_distances(rows, cols, &homes_of(homes), blank),
    }
}

/// Looks up every state of a view's own tiles in the costs of the table's tiles, and compares the
/// costs. Both are from the oracle.
fn check_view(shape: Shape, blank: u8, key: &PatternKey, symmetry: &Symmetry) {
    let homes = symmetry.inverse().set(key.homes);
    let table = costs(key.shape, key.homes, key.goal_region, key.mode);
    let inside = costs(shape, homes, blank, key.mode);
    assert_eq!(inside.len(), table.len());
    for ((tiles, blank), cost) in inside {
        // The tile with home h on cell c is the table's tile with home s(h) on cell s(c).
        let mut moved: Vec<(u8, u8)> = homes
            .iter()
            .zip(tiles)
            .map(|(home, cell)| (symmetry.cell(home), symmetry.cell(cell)))
            .collect();
        moved.sort_unstable();
        let moved = moved.into_iter().map(|(_, cell)| cell).collect();
        assert_eq!(table.get(&(moved, symmetry.cell(blank))), Some(&cost));
    }
}

#[test]
fn every_view_finds_the_costs_of_its_own_tiles() {
    let corner = Goal::blank_last(shape(3, 3));
    let centre = Goal::snail(shape(3, 3));
    let edge = Goal::new("1 2 3/0 4 5/6 7 8".parse().unwrap());
    let tall = Goal::new("5 3/0 1/2 4".parse().unwrap());
    let wide = Goal::blank_first(shape(2, 4));
    for (goal, partition, plain, reflect) in [
        (corner, vec![run(1, 4), run(5, 8)], vec![run(1, 4), vec![6, 7]], true),
        (centre, vec![vec![1, 2, 4], vec![3, 6], vec![5, 7, 8]], vec![vec![2, 3, 6]], true),
        (edge, vec![vec![1, 4, 6], vec![2, 3, 5, 7, 8]], vec![vec![1, 4, 6]], true),
        (tall, vec![vec![1, 2], vec![3, 4, 5]], vec![vec![2, 5], vec![1, 2, 3, 4]], true),
        (wide, vec![vec![1, 4], vec![2, 3, 5, 6, 7]], vec![vec![2, 5, 7], vec![1]], false),
    ] {
        let additive = Plan::additive(&goal, &[partition], Aware, reflect).unwrap();
        let plain = Plan::plain(&goal, &plain, reflect).unwrap();
        let views = partitions(&additive).iter().flatten().map(|view| (&additive, view));
        for (plan, view) in views.chain(plain_views(&plain).iter().map(|view| (&plain, view))) {
            let key = pattern_keys(plan)[view.table];
            check_view(goal.shape(), goal.home(BLANK), &key, &view.symmetry);
        }
    }
}

#[test]
fn parity_excludes_half_of_the_boards_if_at_most_one_tile_is_left_out() {
    // Long tests try 3x3 too.
    let shapes = [shape(2, 2), shape(2, 3), shape(4, 2), shape(3, 3)];
    for shape in shapes.into_iter().take(if are_long() { 4 } else { 3 }) {
        let blank = shape.cell_count() as u8 - 1;
        for tile_count in 1..shape.cell_count() {
            let homes = CellSet((1 << tile_count) - 1);
            let key = key(shape, homes, blank, Aware);
            let aware = PatternIndex::new(shape, tile_count, Aware).unwrap();
            let costs = costs(shape, homes, blank, Aware);
            let reached: HashSet<u64> = costs
                .keys()
                .map(|(tiles, blank)| {
                    let state = aware.state(homes, |home| tiles[usize::from(home)]);
                    aware.entry(state, *blank)
                })
                .collect();
            let share = if key.is_half_reachable() { 2 } else { 1 };
            assert_eq!(reached.len() as u64 * share, aware.entry_count());

            // Without regions, an entry is unreached only if it is unreached for all cells of the
            // blank.
            let table = PatternIndex::new(shape, tile_count, Collapsed).unwrap();
            let unreached = table.entry_count() - collapsed(&costs).len() as u64;
            let half = table.entry_count() / 2;
            match shape.cell_count() - tile_count {
                1 => assert_eq!(unreached, half),
                2 => assert!(0 < unreached && unreached < half),
                _ => assert_eq!(unreached, 0),
            }
        }
    }
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

#[test]
fn lines_counted_from_the_other_side_have_the_canonical_tables_distances() {
    for (lines, line_len) in [(2, 3), (3, 2), (3, 3), (4, 2)] {
        for blank_line in 0..lines {
            let key = WalkingKey { lines, line_len, blank_line };
            let (canonical, flipped) = key.canonical();
            assert!(2 * canonical.blank_line >= lines - 1);
            assert_eq!(canonical.canonical(), (canonical, false));
            let turned = |(mut counts, blank): WalkingState| {
                if !flipped {
                    return (counts, blank);
                }
                counts.reverse();
                for homes in &mut counts {
                    homes.reverse();
                }
                (counts, lines - 1 - blank)
            };
            let own = pdb_oracle::walking_distances(lines, line_len, blank_line);
            let table = pdb_oracle::walking_distances(lines, line_len, canonical.blank_line);
            assert_eq!(own.len(), table.len());
            for (state, distance) in own {
                assert_eq!(table.get(&turned(state)), Some(&distance));
            }
        }
    }
}
