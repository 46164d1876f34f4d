//! Generated specs: partitions for every board and every goal.

use pdb_core::plan::View;
use pdb_core::region::region_of;
use pdb_core::{BLANK, CELLS_MAX, CellSet, Goal, Metric, PlanKind, Shape, TableKey};
use pdb_oracle::are_long;
use pdb_spec::{
    Spec, SpecError, builtin, builtin_names, defaults_for, generated, generated_within,
    larger_specs_for, spec_for, specs_for,
};

/// Returns the shapes of up to 12 cells, the squares, and every ninth of the others; all of them in
/// long tests. Each has its number.
fn some_shapes() -> impl Iterator<Item = (usize, Shape)> {
    let sides = (2..=32).flat_map(|rows| (2..=32).map(move |cols| (rows, cols)));
    let shapes = sides.filter_map(|(rows, cols)| Shape::new(rows, cols).ok());
    shapes.enumerate().filter(|&(place, shape)| {
        let is_square = shape.rows() == shape.cols();
        are_long() || is_square || shape.cell_count() <= 12 || place % 9 == 0
    })
}

fn partitions(spec: &Spec) -> &[Vec<View>] {
    let PlanKind::Additive { partitions } = spec.plan.kind() else { panic!("{}", spec.name) };
    partitions
}

/// Returns the home cells of each pattern of the first partition.
fn homes(spec: &Spec) -> Vec<CellSet> {
    let home = |view: &View| {
        let TableKey::Pattern(table) = spec.plan.tables()[view.table] else {
            panic!("{} has pattern tables", spec.name)
        };
        view.symmetry.inverse().set(table.homes)
    };
    partitions(spec)[0].iter().map(home).collect()
}

/// Returns whether the spec agrees with its name, and reads back after writing.
fn check(spec: &Spec, goal: &Goal) {
    let shape = goal.shape();
    let name = &spec.name;
    let homes = homes(spec);
    let mut covered = CellSet::single(goal.home(BLANK));
    for &homes in &homes {
        let first = homes.first().expect("a pattern has a tile");
        assert_eq!(region_of(shape, homes, first), homes, "{name}:\n{}", spec.toml);
        assert_eq!(covered.0 & homes.0, 0, "{name}");
        covered.0 |= homes.0;
    }
    assert_eq!(covered, shape.all_cells(), "{name}");
    let mut sizes: Vec<usize> = homes.iter().map(|homes| homes.len()).collect();
    sizes.sort_unstable();
    sizes.reverse();
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    assert_eq!(*name, format!("generated/{shape}/{}", sizes.join("-")));
    assert_eq!(spec.goal, *goal);
    assert_eq!(spec.for_goal(goal).as_ref(), Ok(&spec.plan), "{name}");
    assert_eq!(spec_for(name, goal).expect("it has a name").plan, spec.plan);
}

/// Returns the number of entries of the tables, as estimated by their keys, which count one region
/// of the blank per state.
fn entry_count_min(spec: &Spec) -> u64 {
    spec.plan.tables().iter().map(TableKey::entry_count_min).sum()
}

#[test]
fn every_shape_and_home_of_the_blank_has_a_partition_within_every_limit() {
    for (place, shape) in some_shapes() {
        let least = if shape.cell_count() > 36 { 3 } else { 2 };
        let cells = shape.all_cells().iter();
        let goals = [Goal::snail(shape)].into_iter();
        let goals = goals.chain(cells.map(|blank| Goal::in_order(shape, blank)));
        // One home of the blank in turn; more in long tests, and all of them in small shapes.
        let (first, step) = match shape.cell_count() {
            count if !are_long() => (place % (count + 1), CELLS_MAX + 1),
            0..=16 => (0, 1),
            _ => (0, 11),
        };
        for goal in goals.skip(first).step_by(step) {
            for bits in [31, 24, 17] {
                let spec = generated_within(&goal, 1 << bits);
                check(&spec, &goal);
                let is_least = homes(&spec).iter().all(|homes| homes.len() <= least);
                assert!(is_least || entry_count_min(&spec) <= 1 << bits, "{}", spec.name);
            }
        }
    }
}

#[test]
fn a_generated_spec_is_a_drawn_one() {
    let goal = Goal::new("0 5 4 3/6 1 2 11/7 8 9 10".parse().unwrap());
    let spec = generated(&goal, &[5, 6]).unwrap();
    let expected = r#"title = "11-puzzle of 3x4, 6-5 partition, generated"
goal = """
 .  5  4  3
 6  1  2 11
 7  8  9 10
"""
partition = """
. A B B
A A B B
A A B B
"""
blank = "aware"
"#;
    assert_eq!(spec.toml, expected);
    check(&spec, &goal);
    assert_eq!(spec.title, "11-puzzle of 3x4, 6-5 partition, generated");
}

#[test]
fn generated_specs_reflect_unless_there_are_too_many_look_ups() {
    for (rows, cols, blank, sizes, expected) in [
        (4, 4, 15, &[5; 3][..], 2),
        (4, 5, 19, &[7, 6, 6], 1),
        (3, 5, 9, &[7, 7], 2),
        // Four patterns in up to eight images reach the limit of look-ups, five exceed it.
        (5, 5, 12, &[6; 4], 4),
        (5, 5, 12, &[5, 5, 5, 5, 4], 1),
    ] {
        let goal = Goal::in_order(Shape::new(rows, cols).unwrap(), blank);
        let spec = generated(&goal, sizes).unwrap();
        // A partition that is its own image is looked up once.
        let found = partitions(&spec).len();
        assert!(found <= expected && (found > 1) == (expected > 1), "{}: {found}", spec.name);
    }
}

#[test]
fn sizes_that_are_no_partition_are_refused() {
    let goal = Goal::in_order(Shape::new(3, 3).unwrap(), 8);
    let text = |sizes: &[usize]| generated(&goal, sizes).unwrap_err().to_string();
    assert_eq!(
        text(&[4, 3]),
        "patterns of 4-3 tiles have 7 tiles in all, but a 3x3 board has 8: give at most 26 sizes of at \
         least 1 with the sum 8"
    );
    for sizes in [&[][..], &[8, 0], &[usize::MAX, 9], &[9]] {
        assert!(matches!(generated(&goal, sizes), Err(SpecError::Sizes { .. })), "{sizes:?}");
    }
    let large = Goal::in_order(Shape::new(3, 6).unwrap(), 17);
    let error = generated(&large, &[17]).unwrap_err().to_string();
    assert!(error.starts_with("a pattern on a 3x6 board has 1 to 15 tiles, but this one has 17"));
    let many = Goal::in_order(Shape::new(6, 6).unwrap(), 35);
    assert!(matches!(generated(&many, &[1; 35]), Err(SpecError::Sizes { .. })));
}

#[test]
fn there_are_specs_for_every_shape_and_goal() {
    for (place, shape) in some_shapes() {
        let cell_count = shape.cell_count();
        let blanks = [0, 1, cell_count / 2, cell_count - 1].map(|blank| blank as u8);
        // One home of the blank in turn; all of them in long tests.
        let some = if are_long() { &blanks[..] } else { &blanks[place % 4..=place % 4] };
        for &blank in some {
            let goal = Goal::in_order(shape, blank);
            let specs: Vec<Spec> = specs_for(&goal, Metric::SingleTile).collect();
            let (made, shipped): (Vec<&Spec>, Vec<&Spec>) =
                specs.iter().partition(|spec| spec.name.starts_with("generated/"));
            assert!(!made.is_empty(), "{shape}");
            let counts: Vec<u64> = made.iter().map(|spec| entry_count_min(spec)).collect();
            assert!(counts.is_sorted_by(|a, b| a > b), "{shape}: {counts:?}");
            // Shipped specs come first, in their order.
            let suits = |name: &&&str| builtin(name).unwrap().for_goal(&goal).is_ok();
            let expected: Vec<_> = defaults_for(shape).iter().filter(suits).collect();
            let names: Vec<_> = specs[..shipped.len()].iter().map(|spec| &*spec.name).collect();
            assert_eq!(names.iter().collect::<Vec<_>>(), expected);
            for spec in &specs {
                assert_eq!(spec.for_goal(&goal).unwrap().goal(), &goal);
            }
        }
    }
}

#[test]
fn every_shipped_spec_has_the_same_tables_for_a_blank_first_goal() {
    for name in builtin_names() {
        let spec = builtin(name).unwrap();
        let image = Goal::blank_first(spec.goal.shape());
        let plan = spec.for_goal(&image).unwrap();
        assert_eq!((plan.tables(), plan.goal()), (spec.plan.tables(), &image), "{name}");
    }
}

#[test]
fn coloured_specs_fit_their_limit_and_are_named() {
    for (rows, cols) in [(2, 2), (3, 3), (4, 4), (5, 5), (6, 7), (8, 8)] {
        let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
        for spec in specs_for(&goal, Metric::MultiTile) {
            assert!(matches!(spec.plan.kind(), PlanKind::Coloured { .. }), "{spec:?}");
            assert!(spec.plan.tables()[0].entry_count_min() <= 256 << 20, "{}", spec.name);
            let again = spec_for(&spec.name, &goal).unwrap();
            assert_eq!(again.plan, spec.plan, "{}", spec.name);
        }
    }
    let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
    let names = |specs: Vec<Spec>| specs.into_iter().map(|spec| spec.name).collect::<Vec<_>>();
    let larger = names(larger_specs_for(&goal, Metric::MultiTile).collect());
    assert_eq!(larger, ["15/coloured-max-5", "15/coloured-max"]);
    assert_eq!(names(specs_for(&goal, Metric::MultiTile).collect())[0], "15/coloured");
    assert_eq!(names(larger_specs_for(&goal, Metric::SingleTile).collect()), ["15/7-8-max"]);
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    assert_eq!(larger_specs_for(&goal, Metric::MultiTile).count(), 0);
    let names = names(specs_for(&goal, Metric::MultiTile).collect());
    assert_eq!(names[0], "generated/3x3/coloured-1-1-1-1-1-1-2");
    assert!(spec_for("generated/3x3/coloured-2-2", &goal).is_err());
    assert!(spec_for("generated/3x3/coloured-1-1-1-1-1-1-1-1", &goal).is_err());
    assert!(spec_for("generated/4x4/coloured-7-8", &goal).is_err());
}
