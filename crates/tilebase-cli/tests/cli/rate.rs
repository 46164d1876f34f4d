//! `tilebase rate` and `tilebase partition`: the page shows their output, and errors have a reason.

use std::fs;

use serde_json::Value;

use super::{TestFolder, records, words};

const PAGE: &str = include_str!("../../../../docs/partitions.md");

#[test]
fn partitions_page_shows_the_output() {
    let place = TestFolder::new();
    let printed = place.run_page(PAGE);
    assert_eq!(printed.len(), 2);
}

#[test]
fn each_heuristic_and_their_maximum_have_a_record() {
    let place = TestFolder::new();
    let arguments = words("rate 8/4-4 manhattan --boards random:200:7 --sample --together --quiet");
    let run = place.run(&[&arguments[..], &["--format", "ndjson"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let records = records(&run.stdout);
    let names: Vec<&Value> = records.iter().map(|record| &record["name"]).collect();
    assert_eq!(names, ["8/4-4", "manhattan", "together"]);
    for record in &records {
        assert_eq!(record["boards"], "random:200:7");
        assert_eq!(record["goal"], "blank-last");
    }
    assert_eq!(records[0]["estimate"], records[2]["estimate"]);
    // Both rate the same boards, so the difference is known better than either mean.
    let width = |interval: &Value| {
        let end = |name: &str| interval[name].as_f64().unwrap();
        end("high") - end("low")
    };
    let (first, second) = (&records[0]["estimate"], &records[1]["estimate"]);
    let difference = &records[1]["difference"];
    let expected = second["mean"].as_f64().unwrap() - first["mean"].as_f64().unwrap();
    assert!((difference["mean"].as_f64().unwrap() - expected).abs() < 1e-9, "{difference}");
    assert!(width(difference) < width(first).min(width(second)), "{difference}");
    assert!(width(&records[2]["difference"]) <= 0.0, "{}", records[2]);
    assert!(records[0].get("difference").is_none());
    // Nothing was built for it.
    let text = place.run(&[&arguments[..], &["--long"]].concat());
    assert!(text.stdout.starts_with("8/4-4: without tables\n"), "{text:?}");
    assert!(text.stdout.contains("\n  estimate   boards      share    at most\n"), "{text:?}");
    let differences = text.stdout.lines().filter(|line| line.starts_with("  difference "));
    let is_named = |line: &str| line.ends_with(", from 8/4-4 on the same boards");
    assert_eq!(differences.filter(|line| is_named(line)).count(), 2, "{text:?}");
}

#[test]
fn estimates_of_slides_are_rated() {
    let place = TestFolder::new();
    let exact = "generated/3x3/coloured-1-1-1-1-1-1-2";
    let arguments = ["rate", exact, "manhattan", "--metric", "mtm", "-q", "--boards", "500"];
    let text = place.run(&arguments).prints(0, "manhattan: needs no tables, estimates in slides\n");
    assert!(!text.stdout.contains("all boards"), "{text:?}");
    let found = records(&place.good(&[&arguments[..], &["--format", "ndjson"]].concat()).stdout);
    let mean = |record: &Value| record["estimate"]["mean"].as_f64().unwrap();
    assert!(found.iter().all(|record| record["metric"] == "mtm" && record["controlled"].is_null()));
    // The mean distance of all boards is 16.554 slides.
    assert!((16.3..16.8).contains(&mean(&found[0])), "{found:?}");
    assert!(mean(&found[1]) < 10.0, "{found:?}");
    assert!(found[0]["greatest"].as_u64().unwrap() <= 24, "{found:?}");
}

#[test]
fn missing_tables_are_built_and_given_boards_rated() {
    let place = TestFolder::new();
    place.write("boards.txt", b"8 6 7/2 5 4/3 0 1\n1 2 3/4 5 6/0 7 8\n");
    let run = place.good(&["rate", "8/4-4", "--boards", "boards.txt"]);
    assert!(run.stderr.contains("building the tables of "), "{run:?}");
    assert!(run.stdout.contains("  boards         boards.txt (2 boards)\n"), "{run:?}");
}

#[test]
fn unratable_names_are_wrong_usage() {
    let place = TestFolder::new();
    for (arguments, expected) in [
        (&["rate"][..], "<SPEC>"),
        (&["rate", "8/nope"], "8/"),
        (&["rate", "manhattan", "--boards", "1"], "a sample has 2 to 10000000 boards, found 1"),
        (&["rate", "8/4-4", "--size", "4x4"], "--size is 4x4"),
        (&["rate", "8/4-4", "--boards", "korf100"], "3x3"),
        (&["rate", "15/fringe", "--sample"], "only additive patterns are"),
        (&["partition"], "--sizes <LIST>"),
        (&["partition", "--sizes", "5,5"], "15"),
        (&["partition", "--sizes", "10,5"], "at most 9"),
        (&["partition", "--sizes", "5,5,5", "--boards", "3"], "from 250 to 1000000"),
        (&["partition", "--sizes", "5,5,5", "--out", "mine.txt"], "ends in .toml"),
        (
            &["partition", "--size", "3x3", "--goal", "1 2/3 0", "--sizes", "4,4"],
            "expected a 3x3 board, found one of 2x2",
        ),
    ] {
        place.run(arguments).says(2, expected);
    }
}

#[test]
fn found_partition_is_a_spec_for_solve() {
    let place = TestFolder::new();
    let run = place.good(&words("partition --size 3x3 --sizes 4,4 --out my.toml --boards 300"));
    let written = fs::read_to_string(place.path("my.toml")).unwrap();
    assert!(run.stdout.ends_with(&written), "{run:?}");
    // With the comments before it, it is still a spec.
    place.write("shown.toml", run.stdout.as_bytes());
    for spec in ["my.toml", "shown.toml"] {
        let run = place.good(&["solve", "8 6 7/2 5 4/3 0 1", "--spec", spec]);
        assert!(run.stdout.contains("31"), "{run:?}");
    }
    let run = place.run(&words("partition --size 3x3 --sizes 4,4 --format ndjson --no-mirror"));
    let records = records(&run.stdout);
    assert_eq!(records.len(), 1);
    assert!(records[0]["toml"].as_str().unwrap().contains("reflect = false"), "{run:?}");
    assert_eq!(records[0]["estimate"], records[0]["single"]);
}

#[test]
fn found_partitions_are_one_spec_for_solve() {
    let place = TestFolder::new();
    let line = "partition --size 3x3 --sizes 4,4 --boards 300";
    let how = [&words(line)[..], &["--partitions", "2"]].concat();
    let run = place.run(&[&how[..], &["--out", "my.toml"]].concat());
    run.prints(0, "the maximum of 2 4-4 partitions, found").prints(0, "# each partition alone ");
    place.run(&["solve", "8 6 7/2 5 4/3 0 1", "--spec", "my.toml"]).prints(0, "31");
    let run = place.run(&[&how[..], &["--format", "ndjson"]].concat());
    let record = &records(&run.stdout)[0];
    let lists = ["alone", "sizes"].map(|name| record[name].as_array().unwrap().len());
    assert_eq!(lists, [2, 2]);
    let too_little = [&words(line)[..], &["--memory", "1k"]].concat();
    let run = place.run(&too_little);
    assert!(run.code == Some(1) && run.stderr.contains("raise --memory"), "{run:?}");
}
