//! `tilebase explain`: the page shows its output, and errors have a reason.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{TestFolder, records};

const PAGE: &str = include_str!("../../../../docs/explain.md");

const SHUT: &str = "1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4";

fn explain(place: &TestFolder, arguments: &[&str]) -> super::RunResult {
    place.run(&[&["explain", "-q"], arguments].concat())
}

fn json(place: &TestFolder, arguments: &[&str]) -> Value {
    let run = explain(place, &[&["--format", "json"], arguments].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn explain_page_shows_the_output() {
    let place = TestFolder::new();
    let printed = place.run_page(PAGE);
    // The lines fit a terminal.
    let mut lines = printed.iter().flat_map(|text| text.lines());
    assert!(lines.all(|line| line.chars().count() <= 80));
    assert_eq!(printed.len(), 2);
}

/// Returns the names of all fields of an object, including those of nested objects.
fn fields(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                found.insert(name.clone());
                fields(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| fields(value, found)),
        _ => (),
    }
}

#[test]
fn explain_page_lists_exactly_the_fields() {
    let place = TestFolder::new();
    let mut found = BTreeSet::new();
    let hard = "6 2 3 4/5 11 7 8/9 10 1 12/14 13 15 0";
    for arguments in [
        &[SHUT][..],
        &["8 6 7/2 5 4/3 0 1", "--spec", "max(8/4-4, 8/fringe)"],
        &["1 2 3/4 5 6/8 7 0"],
        &["1x5: 1 2 0 3 4"],
        &[hard],
        &["6 2 3 4/5 11 7 8/9 10 1 12/13 14 15 0"],
        &[hard, "--metric", "mtm"],
    ] {
        fields(&json(&place, arguments), &mut found);
    }
    let (_, part) = PAGE.split_once("\n## For programs\n").unwrap();
    let rows = part.lines().filter(|line| line.starts_with("| `"));
    let named: BTreeSet<String> = rows
        .flat_map(|row| {
            let cell = row.trim_matches('|').split('|').next().unwrap().to_owned();
            cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    // Only trusted tables give this field, and this command has no option to trust tables.
    found.insert("tables_checked".to_owned());
    assert_eq!(named, found);
}

#[test]
fn boards_are_explained_in_order_despite_bad_ones() {
    let place = TestFolder::new();
    let file =
        place.write("boards.txt", b"1 2 3/4 5 6/7 0 8\nnonsense\n1 2 3/4 5 6/8 7 0\n1 2/0 3\n");
    let run = explain(&place, &[&file, "--format", "ndjson"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    let lines = records(&run.stdout);
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["lower_bound"], 1);
    assert_eq!((&lines[1]["board"], &lines[1]["status"]), (&"nonsense".into(), &"invalid".into()));
    assert_eq!(lines[2]["solvable"]["exchange"]["tiles"], Value::from(vec![7, 8]));
    assert_eq!((&lines[2]["lower_bound"], &lines[3]["lower_bound"]), (&Value::Null, &1.into()));
    let run = explain(&place, &[&file, "--spec", "4-4", "--format", "ndjson"]);
    let last = &records(&run.stdout)[3];
    assert_eq!((&last["board"], &last["status"]), (&"1 2/0 3".into(), &"failed".into()), "{run:?}");
    let run = explain(&place, &[&file]).prints(1, "\nnonsense: invalid: ");
    assert_eq!(run.stdout.matches("Can it be solved?").count(), 3, "{run:?}");
}

#[test]
fn wrong_usage_is_refused() {
    let place = TestFolder::new();
    let nothing = place.write("none.txt", b"# nothing\n");
    for (arguments, problem) in [
        (&[][..], "required arguments were not provided"),
        (&[&*nothing], "there is no board"),
        (&["1 2 3/4 5 6/7 8 8"], "8"),
        (&["1 2 3/4 5 6/7 8 0", "--spec", "no-such-spec"], "no-such-spec"),
        (&["1 2 3/4 5 6/7 8 0", "--goal", "1 2/3 0"], "2x2"),
        (&["1 2 3/4 5 6/7 8 0", "--spec", "8/whole", "--size", "2x4"], "--size is 2x4"),
        (&["1 2 3 4 5 6 7/8 9 10 11 12 13 0", "--spec", "pairwise"], "lines of 7 cells"),
    ] {
        explain(&place, arguments).says(2, problem);
    }
}

#[test]
fn built_tables_or_those_of_the_spec_are_explained() {
    let place = TestFolder::new();
    let board = "8 6 7/2 5 4/3 0 1";
    let names = |arguments: &[&str]| {
        let object = json(&place, arguments);
        let heuristics = object["heuristics"].as_array().unwrap();
        heuristics.iter().map(|h| h["name"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let first = names(&[board]);
    assert!(first.len() == 10 && first.contains("walking-distance"), "{first:?}");
    // An unsolvable board needs no table.
    let untouched = TestFolder::new();
    assert_eq!(explain(&untouched, &["1 2 3/4 5 6/8 7 0"]).code, Some(1));
    assert_eq!(untouched.tables(), [""; 0]);
    let named = names(&[board, "--spec", "8/whole"]);
    assert_eq!(named.difference(&first).collect::<Vec<_>>(), ["8/whole"]);
    // The tables are now built.
    assert_eq!(names(&[board]), named);
    assert_eq!(names(&[board, "--spec", "manhattan"]), first);
    assert_eq!(
        names(&[board, "--spec", "8/4-4"]).difference(&first).collect::<Vec<_>>(),
        ["8/4-4"]
    );
    assert_eq!(names(&[board]).len(), 12);
}

#[test]
fn read_only_folder_leaves_walking_distance_out() {
    let place = TestFolder::new();
    place.write("file", b"");
    let object = json(&place, &["8 6 7/2 5 4/3 0 1", "--db", "file/db"]);
    assert_eq!(object["heuristics"].as_array().unwrap().len(), 8);
    assert_eq!(object["left_out"][0]["name"], "walking-distance");
    assert!(object["left_out"][0]["reason"].as_str().unwrap().contains("file/db"), "{object}");
}
