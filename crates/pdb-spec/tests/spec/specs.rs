//! Reading of specs and goldens.

use std::fs;
use std::path::Path;

use pdb_core::{BlankMode, Goal, Plan, PlanKind, Shape};
use pdb_spec::{
    Golden, GoldenTable, Spec, SpecError, builtin, builtin_for, builtin_golden, builtin_names,
    defaults_for, spec_for,
};

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("a small board")
}

fn square(side: usize) -> Shape {
    shape(side, side)
}

#[test]
fn a_plain_drawing_leaves_tiles_out_and_may_overlap_another() {
    let text = "title = 'x'\nkind = 'plain'\ngoal = '1 2 3/4 5 6/7 8 .'\n\
                pattern = 'A A A/- B -/- B _'\npatterns = ['- - -/A A -/- - 0']\nreflect = true";
    let spec = Spec::parse("x", text).unwrap();
    let patterns = [vec![1, 2, 3], vec![5, 8], vec![4, 5]];
    assert_eq!(spec.plan, Plan::plain(&spec.goal, &patterns, true).unwrap());
    let PlanKind::Plain { views } = spec.plan.kind() else { panic!("the spec is plain") };
    assert_eq!(views.len(), 6);
    let first = Goal::blank_first(square(3));
    let turned = [vec![6, 7, 8], vec![1, 4], vec![4, 5]];
    let plan = spec.for_goal(&first).unwrap();
    assert_eq!(plan.tables(), Plan::plain(&first, &turned, true).unwrap().tables());
}

#[test]
fn defaults_are_shipped_specs_of_their_shape() {
    for (rows, cols, expected) in [
        (3, 3, &["8/whole", "8/4-4"][..]),
        (4, 4, &["15/7-8", "15/6-6-3", "15/5-5-5"]),
        (5, 5, &["24/6-6-6-6-dual", "24/6-6-6-6-max", "24/6-6-6-6"]),
        (6, 6, &["35/6-6-6-6-6-5", "35/5-5-5-5-5-5-5"]),
        (8, 2, &["15/8-7-2x8"]),
        (5, 4, &["19/7-6-6-max", "19/7-6-6"]),
        (2, 9, &[]),
    ] {
        assert_eq!(defaults_for(shape(rows, cols)), expected);
    }
    for (rows, cols) in (2..=8).flat_map(|rows| (2..=6).map(move |cols| (rows, cols))) {
        let shape = shape(rows, cols);
        for name in defaults_for(shape) {
            // A spec serves the transposed board, too.
            let spec = builtin(name).unwrap();
            assert!(spec.for_goal(&Goal::blank_last(shape)).is_ok(), "{name} on {shape}");
        }
        // The other shapes have generated specs.
        let is_none = [(7, 3), (8, 3), (7, 4), (8, 4), (7, 5), (8, 5), (7, 6), (8, 6)]
            .contains(&(rows, cols));
        assert_eq!(defaults_for(shape).is_empty(), is_none, "{shape}");
    }
}

#[test]
fn the_shipped_list_names_each_drawing_of_the_folder_in_order() {
    let mut files = Vec::new();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pdb-specs");
    for folder in fs::read_dir(shipped).unwrap().map(|entry| entry.unwrap().path()) {
        let tile_count = folder.file_name().unwrap().to_str().unwrap().parse::<u32>();
        let Ok(tile_count) = tile_count else { continue };
        for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "toml") {
                let stem = file.file_stem().unwrap().to_str().unwrap();
                files.push((tile_count, format!("{tile_count}/{stem}")));
            }
        }
    }
    files.sort_unstable();
    let names: Vec<_> = files.into_iter().map(|(_, name)| name).collect();
    assert_eq!(builtin_names(), names);
}

#[test]
fn shipped_specs_share_their_tables() {
    assert_eq!(builtin("24/6-6-6-6").unwrap().goal, Goal::blank_first(square(5)));
    for (name, tables, partitions) in [
        ("15/5-5-5", 3, 2),
        ("15/6-6-3", 3, 2),
        ("15/7-8", 2, 2),
        ("15/7-8-max", 4, 3),
        ("24/6-6-6-6", 2, 2),
        ("24/6-6-6-6-max", 6, 4),
        ("24/6-6-6-6-max4", 12, 8),
        ("24/7-7-7-3", 4, 2),
        ("24/7-7-7-3-max", 6, 4),
        ("24/8-8-8-max", 5, 4),
    ] {
        let plan = builtin(name).unwrap().plan;
        let PlanKind::Additive { partitions: found } = plan.kind() else { panic!("{name}") };
        assert_eq!((plan.tables().len(), found.len()), (tables, partitions), "{name}");
    }
}

#[test]
fn mirror_images_are_looked_up_wherever_the_board_has_them() {
    for (goal, partition, expected) in [
        ("1 2 3/4 5 6/7 8 .", "A A A/A B B/B B .", true),
        (". 1 2/3 4 5/6 7 8", ". A A/A A B/B B B", true),
        ("1 2 3/4 . 5/6 7 8", "A A A/A . B/B B B", true),
        ("1 2 3/4 5 ./6 7 8", "A A A/A B ./B B B", true),
        // The blank is in the middle of a side that is turned onto itself.
        ("1 2 3/4 . 5", "A A B/A . B", true),
        ("1 2 3/4 5 .", "A A B/A B .", false),
        ("1 . 2 3/4 5 6 7", "A . B B/A A B B", false),
    ] {
        let parse = |rest: &str| {
            let text = format!("title = ''\ngoal = '{goal}'\n{rest}");
            Spec::parse("x", &text).map(|spec| spec.plan)
        };
        let additive = format!("partition = '{partition}'");
        let plain = format!("kind = 'plain'\npattern = '{partition}'");
        for drawn in [additive, plain] {
            let written = |reflect: bool| parse(&format!("{drawn}\nreflect = {reflect}"));
            assert_eq!(written(true).is_ok(), expected, "{goal}");
            assert_eq!(parse(&drawn), written(expected), "{goal}");
            if expected {
                assert_ne!(parse(&drawn), written(false), "{goal}");
            }
        }
    }
}

#[test]
fn names_may_leave_out_the_number_of_tiles() {
    for (name, rows, cols, expected) in [
        ("7-8", 4, 4, "15/7-8"),
        ("15/7-8", 4, 4, "15/7-8"),
        ("7-6-6", 5, 4, "19/7-6-6"),
        ("whole", 3, 4, "11/whole"),
        ("whole", 6, 2, "11/whole-2x6"),
        ("whole-2x6", 2, 6, "11/whole-2x6"),
        ("8-7", 2, 8, "15/8-7-2x8"),
        // A full name may belong to a spec of another shape.
        ("8/4-4", 4, 4, "8/4-4"),
    ] {
        assert_eq!(builtin_for(name, shape(rows, cols)).unwrap().name, expected);
    }
    for (name, shape, expected) in [
        ("7-8", shape(4, 5), "near names are 15/7-8, 19/7-6-6, 19/7-6-6-max"),
        ("korf", shape(4, 7), "none is shipped for these boards, and no other name is near"),
    ] {
        let expected = format!("no spec for {shape} boards is named \"{name}\": {expected}");
        assert_eq!(builtin_for(name, shape).unwrap_err().to_string(), expected);
    }
}

#[test]
fn errors_of_names_say_which_board_they_are_for() {
    let goal = Goal::blank_last(shape(4, 7));
    assert_eq!(spec_for("7-8", &Goal::snail(square(4))).unwrap().name, "15/7-8");
    let text = |name: &str| spec_for(name, &goal).unwrap_err().to_string();
    assert_eq!(
        text("generated/4x4/8-7"),
        "spec generated/4x4/8-7 is not for 4x7 boards: name one for these, or leave the choice open"
    );
    assert!(
        text("generated/4x7/6-6")
            .starts_with("patterns of 6-6 tiles have 12 tiles in all, but a 4x7")
    );
    assert!(text("generated/4x7/six").starts_with("no spec for 4x7 boards is named"));
}

#[test]
fn several_partitions_make_one_plan() {
    let text = "title = 'two'\ngoal = '1 2 3/4 5 .'\n\
                partitions = ['A A A/B B .', 'A B B/A B .']\nblank = 'collapsed'";
    let spec = Spec::parse("two", text).unwrap();
    let partitions = [vec![vec![1, 2, 3], vec![4, 5]], vec![vec![1, 4], vec![2, 3, 5]]];
    let expected = Plan::additive(&spec.goal, &partitions, BlankMode::Collapsed, false).unwrap();
    assert_eq!(spec.plan, expected);
}

#[test]
fn the_tiles_names_do_not_matter_for_another_goal() {
    let spec = builtin("8/4-4").unwrap();
    let goal = Goal::new("8 7 6/5 4 3/2 1 0".parse().unwrap());
    let renamed = vec![vec![8, 7, 6, 5], vec![4, 3, 2, 1]];
    let expected = Plan::additive(&goal, &[renamed], BlankMode::Aware, true).unwrap();
    assert_eq!(spec.for_goal(&goal).unwrap(), expected);
}

#[test]
fn a_spec_has_its_defaults_and_serves_the_transposed_board() {
    let text = "title = 'six cells'\ngoal = '1 2 3/4 5 .'\npartition = 'A A B/A B .'";
    let spec = Spec::parse("small", text).unwrap();
    assert_eq!((&*spec.name, &*spec.title), ("small", "six cells"));
    let partition = [vec![vec![1, 2, 4], vec![3, 5]]];
    let drawn = |goal| Plan::additive(goal, &partition, BlankMode::Aware, false).unwrap();
    assert_eq!(spec.plan, drawn(&spec.goal));
    let goal = Goal::new("1 4/2 5/3 0".parse().unwrap());
    let plan = spec.for_goal(&goal).unwrap();
    assert_eq!(plan.tables(), spec.plan.tables());
    assert_eq!(plan, drawn(&goal));
}

#[test]
fn a_goal_that_no_symmetry_leads_to_is_refused() {
    let spec = builtin("15/7-8").unwrap();
    let snail = Goal::snail(spec.goal.shape());
    assert_eq!(
        spec.for_goal(&snail).unwrap_err().to_string(),
        "spec 15/7-8 is for a 4x4 goal with the blank in row 4, column 4, found a 4x4 goal with \
         the blank in row 3, column 2, and no symmetry of the board maps one blank to the other: \
         draw a spec for this goal"
    );
    let small = spec.for_goal(&Goal::blank_last(square(3)));
    assert!(matches!(small, Err(SpecError::OtherBlank { .. })));
}

/// Returns the goals of a plan's duals.
fn dual_goals(plan: &Plan) -> Vec<String> {
    plan.duals().iter().map(|dual| dual.goal.board().to_string()).collect()
}

#[test]
fn duals_are_drawn_for_other_homes_of_the_blank() {
    let text = "title = 'x'\ngoal = '1 2 3/4 5 .'\npartition = 'A A B/A B .'\n\
                [[dual]]\ngoal = '1 . 2/3 4 5'\npartition = 'A . B/A A B'\nreflect = false";
    let spec = Spec::parse("x", text).unwrap();
    assert_eq!(dual_goals(&spec.plan), ["1 0 2/3 4 5"]);
    let partition = vec![vec![1, 3, 4], vec![2, 5]];
    let goal = spec.plan.duals()[0].goal;
    let alone = Plan::additive(&goal, &[partition], BlankMode::Aware, false).unwrap();
    let PlanKind::Additive { partitions } = alone.kind() else { panic!("it is additive") };
    for (patterns, expected) in spec.plan.duals()[0].partitions.iter().zip(partitions) {
        for (view, other) in patterns.iter().zip(expected) {
            assert_eq!(spec.plan.tables()[view.table], alone.tables()[other.table]);
            assert_eq!(view.symmetry, other.symmetry);
        }
    }
    // The same symmetry maps the duals of the drawn goal to those of another goal.
    let first = spec.for_goal(&Goal::blank_first(spec.goal.shape())).unwrap();
    assert_eq!(dual_goals(&first), ["1 2 3/4 0 5"]);
    assert_eq!(first.tables(), spec.plan.tables());
    let transposed = spec.for_goal(&Goal::new("1 4/2 5/3 0".parse().unwrap())).unwrap();
    assert_eq!(dual_goals(&transposed), ["1 2/0 3/4 5"]);
    assert_eq!(transposed.tables(), spec.plan.tables());
    assert_eq!(dual_goals(&spec.for_goal_unmirrored(&spec.goal).unwrap()), [""; 0]);
}

#[test]
fn duals_that_are_looked_up_otherwise_than_boards_are_refused() {
    let text = |dual: &str| {
        let spec = "title = 'x'\ngoal = '1 2 3/4 5 .'\npartition = 'A A B/A B .'\n[[dual]]\n";
        Spec::parse("x", &format!("{spec}{dual}")).unwrap_err().to_string()
    };
    for (dual, message, place) in [
        (
            "goal = '1 . 2/3 4 5'\npartition = 'A . B/A A B'",
            "duals need as many partitions as boards, mirror images included: expected 1, found 2",
            "goal = '1 . 2/3 4 5'",
        ),
        (
            "goal = '1 2/3 4/5 .'\npartition = 'A A/A B/B .'",
            "expected a 2x3 board, found one of 3x2",
            " --> x:",
        ),
        ("partition = 'A . B/A A B'", "missing field `goal`", " --> x"),
        ("goal = '1 . 2/3 4 5'", "no partition is drawn", "x:5:8"),
        (
            "goal = '. 1 2/3 4 5'\npartition = '. A A/A B B'",
            "a symmetry of the board takes the blank's home",
            " --> x:",
        ),
        (
            "goal = '1 2 3/. 4 5'\npartition = 'A A B/. A B'\nreflect = true",
            "no reflection of a 2x3 board",
            "x:7:11",
        ),
    ] {
        let error = text(dual);
        assert!(error.starts_with(message) && error.contains(place), "{error}");
    }
    let corner = "goal = '. 1/2 3'\ntitle = 'x'\npartition = '. A/A A'\n[[dual]]\n";
    assert!(Spec::parse("x", &format!("{corner}goal = '1 2/3 .'\npartition = 'A A/A .'")).is_err());
}

#[test]
fn shipped_duals_serve_every_home_of_the_blank() {
    for name in builtin_names() {
        let spec = builtin(name).unwrap();
        if spec.plan.duals().is_empty() {
            continue;
        }
        let goals = || spec.plan.duals().iter().map(|dual| &dual.goal).chain([&spec.goal]);
        for cell in spec.goal.shape().all_cells().iter() {
            let leads = |goal: &&Goal| {
                let board = Goal::in_order(goal.shape(), cell);
                board.board().symmetries_to(goal.board()).next().is_some()
            };
            assert_eq!(goals().filter(leads).count(), 1, "{name}, cell {cell}");
        }
    }
}

const GOLDEN: &str = r#"[[table]]
file = "3x3-00f-r4-aware.pdb"
entry_count = 3024
unreached_count = 0
histogram = [1, 2, 3021]
digest = "0badc0de"
payload_digest = "feedface"

[[table]]
file = "wd-4x4-b3.pdb"
entry_count = 2
unreached_count = 1
histogram = [1]
digest = "00"
payload_digest = "ff"
"#;

#[test]
fn a_golden_reads_back() {
    let mut golden = Golden::parse("sample", GOLDEN).unwrap();
    assert_eq!(golden.tables.len(), 2);
    let GoldenTable { file, entry_count, unreached_count, histogram, .. } = &golden.tables[1];
    assert_eq!((&**file, *entry_count, *unreached_count), ("wd-4x4-b3.pdb", 2, 1));
    assert_eq!(*histogram, [1]);
    assert_eq!(golden.to_toml(), GOLDEN);
    golden.tables[0].entry_count = u64::MAX;
    assert_eq!(Golden::parse("sample", &golden.to_toml()), Ok(golden));
}

#[test]
fn a_spec_that_is_not_shipped_has_no_golden() {
    assert!(builtin_golden("15/8-7").is_none());
}

#[test]
fn lists_in_lists_do_not_exhaust_the_stack() {
    assert!(Spec::parse("x", &format!("title = {}", "[".repeat(1_000_000))).is_err());
}
