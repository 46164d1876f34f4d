//! Inputs that other commands wrote, outputs that would replace inputs, and wrong places.

use std::fs;

use serde_json::Value;

use super::{TestFolder, refused};

const BOARD: &str = "1 2 3/4 5 6/0 7 8";

#[test]
fn pairs_are_boards_and_their_goals() {
    let place = TestFolder::new();
    let (start, goal) = ("1 0 2/3 4 5/6 7 8", "0 1 2/3 4 5/6 7 8");
    let file = place.write("pairs.txt", format!("{start}\n{goal}\n{start}\n{goal}\n").as_bytes());
    let named = place.write("named.txt", format!("Start: {start}\nGoal: {goal}\n").as_bytes());
    let pasted = format!("{}\n\n{}", start.replace('/', "\n"), goal.replace('/', "\n"));
    for (arguments, count) in [(vec![&*file], 2), (vec![start, goal], 1), (vec![&*pasted], 1)] {
        let found = place.good(&[&["solve", "-q", "--pairs"], &arguments[..]].concat());
        assert_eq!(found.stdout.matches("1 move to blank-first: R").count(), count, "{found:?}");
    }
    let found = place.run(&["solve", "-q", &named]);
    assert!(found.stdout.contains("--pairs"), "{found:?}");
}

#[test]
fn argument_that_begins_with_a_dash_may_be_a_board() {
    let place = TestFolder::new();
    let board = "- 1 2/3 4 5/6 7 8";
    for arguments in [["--goal", board, board], ["--goal", "blank-first", "-12/345/678"]] {
        let found = place.good(&[&["solve", "-q"], &arguments[..]].concat());
        assert!(found.stdout.contains("0 moves"), "{found:?}");
    }
    refused(&["solve", "-x1"], "unexpected argument '-x'");
}

#[test]
fn records_are_boards() {
    let place = TestFolder::new();
    let records = place.good(&["scramble", "-q", "--size", "3x3", "-n", "3", "--format", "ndjson"]);
    let file = place.write("boards.ndjson", records.stdout.as_bytes());
    let arguments = ["solve", "-q", "--input", &file, "--format", "ndjson"];
    // The records as they are, with their times.
    let solved = place.command(&arguments).output().unwrap();
    assert_eq!(solved.status.code(), Some(0), "{solved:?}");
    let answers = place.write("answers.ndjson", &solved.stdout);
    let again = place.good(&["solve", "-q", &answers, "--moves", "blank"]);
    assert_eq!(again.stdout.lines().count(), 3);
    for format in ["ndjson", "csv"] {
        let snail = ["scramble", "-q", "--size", "3x3", "--goal", "snail", "-n", "2", "--format"];
        let made = place.good(&[&snail[..], &[format]].concat());
        let file = place.write("snail", made.stdout.as_bytes());
        let solved = place.good(&["solve", "-q", &file]);
        assert_eq!(solved.stdout.matches(" to snail").count(), 2, "{solved:?}");
        let other = place.run(&["solve", "-q", &file, "--goal", "blank-first"]);
        assert_eq!(other.prints(1, "").stdout.matches("its goal is snail").count(), 2);
    }
}

#[test]
fn goals_of_records_count_wherever_records_are_boards() {
    let place = TestFolder::new();
    let records = |name: &str, goal: &str, seed: &str| {
        let size = ["scramble", "-q", "--size", "3x3", "--format", "ndjson", "--goal", goal];
        let made = place.good(&[&size[..], &["--seed", seed]].concat());
        place.write(name, made.stdout.as_bytes())
    };
    let [first, second] = ["1", "2"].map(|seed| records(seed, "blank-first", seed));
    let last = records("last", "blank-last", "1");
    let plain = place.write("plain", format!("{BOARD}\n").as_bytes());
    let both = place.good(&["solve", "-q", &first, &second]);
    assert_eq!(both.stdout.matches(" to blank-first").count(), 2, "{both:?}");
    let usual = place.good(&["solve", "-q", &last, &plain, BOARD]);
    assert_eq!(usual.stdout.lines().count(), 3);
    for other in [&last, &plain, BOARD] {
        for command in ["solve", "moves", "explain"] {
            place.run(&[command, &first, other]).says(2, " has the 3x3 goal blank-first, but ");
            place.run(&[command, other, &first]).says(2, " has the usual goal, blank-last, but ");
        }
    }
    place.run(&["solve", "korf100", &plain]).says(2, "korf100 has the 4x4 goal blank-first, but ");
    // A goal that is named decides.
    let named = place.run(&["solve", "-q", &first, BOARD, "--goal", "blank-first"]);
    assert_eq!(named.stdout.matches(" to blank-first").count(), 2, "{named:?}");
    let how = ["compare", "--heuristics", "manhattan", "--boards", &first];
    let compared = place.good(&how);
    assert!(compared.stderr.contains("boards: 1, goal: blank-first"), "{compared:?}");
    let other = [&how[..], &["--goal", "blank-last"]].concat();
    place.run(&other).says(2, "its goal is blank-first, but the goal of the search is blank-last");
}

#[test]
fn record_whose_goal_has_another_shape_is_refused() {
    let place = TestFolder::new();
    let large = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    for goal in [large, "0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15", "1 2 3/4 5 0"] {
        let record = serde_json::json!({ "board": BOARD, "goal": goal });
        let near = serde_json::json!({ "board": BOARD });
        // Also where another board comes first.
        for boards in [format!("{record}\n"), format!("{near}\n{record}\n")] {
            let file = place.write("boards", boards.as_bytes());
            let run = place.run(&["solve", "--spec", "manhattan", &file]);
            assert_ne!(run.code, Some(0), "{run:?}");
            let output = run.stdout + &run.stderr;
            assert!(output.contains(goal) && output.contains("3x3"), "{output}");
        }
    }
}

#[test]
fn answers_are_written_for_spreadsheets() {
    let place = TestFolder::new();
    let file = place.write("boards.txt", b"1 2 3/4 5 6/0 7 8\n2 1 3/4 5 6/7 8 0\n=1+1\n");
    let run = place.run(&["solve", "-q", &file, "--format", "csv"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!((run.code, lines.len()), (Some(1), 4), "{run:?}");
    assert!(lines[0].starts_with("board,goal,status,length,moves,"), "{run:?}");
    assert!(lines[1].starts_with("1 2 3/4 5 6/0 7 8,1 2 3/4 5 6/7 8 0,optimal,2,LL,"), "{run:?}");
    assert!(lines[2].starts_with("2 1 3/4 5 6/7 8 0,1 2 3/4 5 6/7 8 0,unsolvable,,,"), "{run:?}");
    assert!(lines[3].starts_with("'=1+1,,invalid,,"), "{run:?}");
    let how = ["--size", "2x2", "--optimum", "6", "--metric", "mtm", "--seed", "1"];
    let made = place.good(&[&["scramble", "-q", "--format", "csv"], &how[..]].concat());
    let expected = "board,goal,metric,set,optimum\n0 3/2 1,1 2/3 0,mtm,optimum:6:1:1,6\n";
    assert_eq!(made.stdout, expected);
    refused(&["solve", BOARD, "--all", "--format", "csv"], "csv shows a single solution");
}

#[test]
fn outputs_replace_no_table() {
    let place = TestFolder::new();
    place.good(&["build", "-q", "8/4-4"]);
    let table = place.db().join(&place.tables()[0]);
    let before = fs::read(&table).unwrap();
    for option in ["--summary", "--checkpoint"] {
        let arguments = ["solve", BOARD, option, table.to_str().unwrap()];
        place.run(&arguments).says(2, "is a table, which a result would replace");
    }
    assert_eq!(fs::read(&table).unwrap(), before);
    // A file of its own may be there.
    place.write("summary.json", b"old");
    place.good(&["solve", BOARD, "--summary", "summary.json"]);
}

#[test]
fn sizes_agree_with_specs() {
    let problem = "--size is 5x5, but the boards of this goal or spec are 4x4";
    for command in [
        &["solve", "--spec", "15/7-8", BOARD][..],
        &["scramble", "--spec", "15/7-8"],
        &["rate", "15/7-8"],
        &["draw", "partition", "15/7-8"],
    ] {
        refused(&[command, &["--size", "5x5"]].concat(), problem);
    }
    let problem = "--spec is only for the picture of a board";
    refused(&["draw", "partition", "8/4-4", "--spec", "manhattan"], problem);
    refused(&["draw", "partition", "8/4-4", "--goal", "snail"], "no symmetry of the board maps");
}

#[test]
fn standard_output_takes_one_format() {
    let place = TestFolder::new();
    for format in ["ndjson", "csv"] {
        for stdout in ["-", "/dev/stdout"] {
            let how = ["solve", BOARD, "--format", format, "--summary", stdout];
            place.run(&how).says(2, "which takes one format: name a file with --summary");
        }
    }
    let text = place.good(&["solve", "-q", "--spec", "manhattan", BOARD, "--summary", "-"]).stdout;
    assert!(text.starts_with("2 moves: LL\n{\"boards\":1,"), "{text}");
}

#[test]
fn summaries_count_the_outcomes() {
    let place = TestFolder::new();
    let near = "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15";
    let far = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let odd = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0";
    let file = place.write(
        "boards.txt",
        format!("{near}\n{far}\n1 2/3 y\n{odd}\n{near}\n{odd}\n{odd}\n1 1\n").as_bytes(),
    );
    let how = ["solve", "--spec", "manhattan", "--summary", "summary.json", "--node-limit", "1000"];
    for mode in ["latency", "throughput", "plain"] {
        let rest = ["--threads", "2", "--mode", mode, "--format", "ndjson", &file];
        let run = place.run(&[&how[..], &rest].concat());
        assert_eq!(run.code, Some(1), "{run:?}");
        let summary = place.json("summary.json");
        let counts =
            ["solved", "unsolvable", "invalid", "failed", "limit"].map(|key| &summary[key]);
        assert_eq!(counts, [2, 3, 2, 0, 1].map(Value::from).each_ref(), "{mode}: {summary}");
        assert_eq!((&summary["boards"], &summary["threads"]), (&3.into(), &2.into()), "{mode}");
        let generated = |record: &Value| record["generated"].as_u64();
        let sum: u64 = super::records(&run.stdout).iter().filter_map(generated).sum();
        assert_eq!(summary["generated"], sum, "{mode}: {summary}");
        assert_eq!(summary["mean_length"], 3.0, "{mode}: {summary}");
        assert_eq!(summary.as_object().unwrap().len(), 12, "{mode}: {summary}");
    }
    let with_tables = ["solve", "-v", BOARD, "1 2 3/4 5 6/7 0 8", "--summary", "summary.json"];
    let run = place.run(&with_tables);
    assert!(run.stderr.contains("2 boards solved, 1.500 moves on average\n"), "{run:?}");
    let summary = place.json("summary.json");
    assert!(summary["lookups"].as_u64() > Some(0) && summary["seconds"].as_f64() > Some(0.0));
    place.run(&[&how[..5], &[odd]].concat());
    assert_eq!(place.json("summary.json")["mean_length"], Value::Null);
}

#[test]
fn spreadsheets_say_why_there_is_no_solution() {
    let place = TestFolder::new();
    let far = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let file = place.write("boards.txt", format!("2 1 3/4 5 6/7 8 0\n1 2/3 y\n{far}\n").as_bytes());
    let how = ["solve", "--spec", "manhattan", &file, "--mode", "plain", "--node-limit", "1"];
    let csv = place.run(&[&how[..], &["--format", "csv"]].concat()).stdout;
    let records = super::records(&place.run(&[&how[..], &["--format", "ndjson"]].concat()).stdout);
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].ends_with(",error,limit,reason,metric"), "{csv}");
    let text = |nth: usize, key: &str| records[nth][key].as_str().unwrap().to_owned();
    let reason = text(0, "reason");
    let plain = format!(",,,{reason},stm");
    let quoted = format!(",,,\"{reason}\",stm");
    assert!(lines[1].ends_with(&plain) || lines[1].ends_with(&quoted), "{csv}");
    assert!(
        lines[2].contains(&text(1, "error").replace('"', "\"\"")) && lines[2].ends_with(",,"),
        "{csv}"
    );
    assert!(lines[3].ends_with(&format!(",,{},,stm", text(2, "limit"))), "{csv}");
}

#[test]
fn arguments_in_wrong_places_get_a_tip() {
    let place = TestFolder::new();
    let drawing = place.write("my.toml", include_bytes!("../../../../pdb-specs/15/7-8.toml"));
    let commands = [
        &["solve"][..],
        &["moves"],
        &["explain"],
        &["draw", "board"],
        &["animate"],
        &["compare", "--boards"],
    ];
    for spec in [&drawing, "15/7-8", "7-8"] {
        let tip = format!("{spec} names tables, not boards: give it as the spec, and name a board");
        for command in commands {
            refused(&[command, &[spec]].concat(), &tip);
        }
        refused(&["check", spec, "U"], &tip);
    }
    refused(&["apply", "1 2 3 4 5 6 7 8"], "a cell is missing");
    refused(&["solve", BOARD, "--memory", "0"], "expected more than no memory");
    refused(&["solve", BOARD, "--memory", "0", "--spec", "manhattan"], "more than no memory");
}

#[test]
fn wrong_environments_are_harmless() {
    let place = TestFolder::new();
    let mut command = place.command(&["solve", "-q", BOARD, "--spec", "manhattan"]);
    for size in ["1", "-1", "x", "99999999999999999"] {
        let run = place.ended(command.env("RUST_MIN_STACK", size).output().unwrap());
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{size}: {run:?}");
    }
    let mut command = place.command(&["solve", BOARD]);
    let command = command.env_remove("TILEBASE_DB").env("HOME", "relative");
    place.ended(command.output().unwrap()).says(2, "the home directory is a relative path");
}
