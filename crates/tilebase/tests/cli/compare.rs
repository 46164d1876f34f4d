use std::fs;

use super::{Place, names};

/// Wrong usage exits with 2, says what is wrong and builds nothing.
fn refused(arguments: &[&str], problem: &str) {
    let place = Place::new();
    let run = place.run(&[&["compare"], arguments].concat());
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments:?}: {run:?}");
    assert!(run.stderr.contains(problem), "{arguments:?}: {run:?}");
    assert!(place.tables().is_empty());
}

#[test]
fn a_comparison_prints_a_table_and_writes_files_and_charts() {
    let place = Place::new();
    let run = place.run(&[
        "compare",
        "--size",
        "3x3",
        "--boards",
        "random:20:4",
        "--heuristics",
        "manhattan, 4-4, 4-4:unmirrored, max(walking-distance, 4-4), fringe",
        "--searches",
        "breadth-first,astar,ida,lanes,bidirectional",
        "--csv",
        "out.csv",
        "--json",
        "out.json",
        "--charts",
        "charts",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    // A header and its line; breadth-first search once, the others with each heuristic.
    assert_eq!(run.stdout.lines().count(), 2 + 1 + 5 * 4);
    assert!(run.stdout.lines().skip(2).all(|line| line.contains("20/20")), "{}", run.stdout);
    let csv = fs::read_to_string(place.path("out.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 1 + 5 * 4);
    assert!(csv.contains("\"max(walking-distance, 4-4)\",lanes,20,20,20,"), "{csv}");
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(place.path("out.json")).unwrap()).unwrap();
    let lengths = json["rows"].as_array().unwrap().iter().map(|row| &row["summary"]["length"]);
    assert!(lengths.into_iter().all(|length| *length == json["rows"][0]["summary"]["length"]));
    assert_eq!(json["rows"][20]["samples"].as_array().unwrap().len(), 20);
    let charts = ["estimates.svg", "nodes.svg", "tables.svg", "time.svg"];
    assert_eq!(names(&place.path("charts")), charts);
}

#[test]
fn weighted_searches_say_by_how_much_they_may_be_off() {
    let place = Place::new();
    let run = place.run(&[
        "compare",
        "--boards",
        "8 6 7/2 5 4/3 0 1",
        "--heuristics",
        "manhattan",
        "--searches",
        "weighted-ida,weighted-astar:81/19,greedy",
        "--weight",
        "3/2",
        "--quiet",
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.stdout.contains("weighted-ida:3/2") && run.stdout.contains("astar:81/19"));
    // The board takes 31 moves, which none of them proves.
    assert!(run.stdout.contains("greedy") && run.stdout.contains("0/1"), "{}", run.stdout);
}

#[test]
fn a_limit_is_a_bad_answer() {
    let place = Place::new();
    let run = place.run(&[
        "compare",
        "--boards",
        "korf100",
        "--node-limit",
        "100",
        "--heuristics",
        "manhattan",
    ]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("0/100"));
}

#[test]
fn an_unsolvable_board_is_a_bad_answer_that_is_explained() {
    let place = Place::new();
    let run = place.run(&["compare", "--boards", "1 2 3/4 5 6/8 7 0", "--heuristics", "manhattan"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("0/1"), "{run:?}");
    let reason = "1 of the boards cannot be solved: no moves lead to the goal 1 2 3/4 5 6/7 8 0";
    assert!(run.stderr.contains(reason), "{run:?}");
}

#[test]
fn names_boards_and_weights_that_are_none_are_refused() {
    refused(&["--heuristics", "manhatan"], "expected misplaced, gaschnig, manhattan");
    let known = "walking-inversion, 5-5-5, 5-5-5-collapsed, 6-6-3, 6-6-3-collapsed, 7-8, \
                 7-8-collapsed, 7-8-max, fringe, fringes, a spec file, or max(..) of several";
    refused(&["--heuristics", "7-9"], known);
    let known = "walking-inversion, 4-4, fringe, whole, a spec file";
    refused(&["--size", "3x3", "--heuristics", "5-5-5"], known);
    refused(&["--heuristics", "max(manhattan"], "is no list of names");
    refused(&["--heuristics", "nothing.toml"], "cannot read nothing.toml");
    refused(&["--searches", "astarr"], "expected one of breadth-first, greedy, astar");
    refused(&["--searches", "weighted-ida:1/2"], "1/2");
    refused(&["--weight", "0"], "'0' for '--weight <W>'");
    refused(&["--boards", "random:0:1"], "1 to 1000000 boards");
    refused(&["--boards", "random:10"], "expected random:N:SEED");
    refused(&["--boards", "random"], "expected random:N:SEED");
    refused(&["--boards", "randomly:10:1"], "cannot read randomly:10:1");
    refused(&["--boards", "missing.txt"], "cannot read missing.txt");
    refused(&["--boards", "/dev/zero"], "line 1 has more than 1048576 bytes");
    refused(&["--boards", "korf100", "--heuristics", "8/4-4"], "4x4");
}

#[test]
fn a_heuristic_of_the_comparison_solves_boards_too() {
    let place = Place::new();
    for spec in ["pairwise", "max(linear-conflict, 8/4-4)", "8/4-4:unmirrored"] {
        let run = place.run(&["solve", "--quiet", "--spec", spec, "8 6 7/2 5 4/3 0 1"]);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.contains("31 moves"), "{run:?}");
    }
    let run = place.run(&["solve", "--spec", "max(pairwise)", "8 6 7/2 5 4/3 0 1"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}
