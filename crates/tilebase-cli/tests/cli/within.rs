//! Solutions within a time, limits with a solution, and batches that are resumed.

use serde_json::Value;

use super::{TestFolder, records};

/// With Manhattan distance, its proof takes hours.
const HARD: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
const NEAR: [&str; 3] = ["1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/0 7 8", "1 2 3/0 5 6/4 7 8"];

fn solve<'a>(how: &[&'a str]) -> Vec<&'a str> {
    [&["solve", HARD, "--spec", "manhattan"], how].concat()
}

#[test]
fn best_solution_within_a_time_is_good_and_a_limit_of_the_proof_is_not() {
    let place = TestFolder::new();
    for how in [&["--within", "200ms"][..], &["--quick", "--time-limit", "2m"]] {
        let run = place.run(&solve(how)).prints(0, " moves (not proved: at least ");
        assert!(!run.stderr.contains("limit"), "{run:?}");
    }
    let run = place.run(&solve(&["--time-limit", "300ms"]));
    let run = run.prints(1, " moves (not proved: at least ");
    assert!(run.stderr.ends_with("note: the time limit ended the search for a proof\n"), "{run:?}");
    let run = place.run(&solve(&["--node-limit", "1000"]));
    let run = run.prints(1, "limit: stopped by the node limit, at least ");
    assert!(run.stderr.contains("--within 10s takes the best one"), "{run:?}");
}

#[test]
fn no_time_is_too_short_for_a_solution() {
    let place = TestFolder::new();
    let how = ["solve", "--spec", "manhattan", "--format", "ndjson", "--within"];
    for (size, metric) in [("4x4", "stm"), ("8x8", "stm"), ("2x32", "mtm"), ("2x32", "stm")] {
        let board = place.run(&["scramble", "--size", size, "--seed", "3"]).stdout;
        let run = place.run(&[&how[..], &["1ms", "--metric", metric, board.trim()]].concat());
        assert_eq!(records(&run.stdout)[0]["status"], "solved", "{run:?}");
    }
    // Each board of a batch has its own time.
    let run = place.run(&[&how[..], &["300ms", "--threads", "2", HARD, HARD, HARD]].concat());
    let answers = records(&run.prints(0, "").stdout);
    let solved = answers.iter().filter(|answer| answer["status"] == "solved");
    assert_eq!(solved.count(), 3, "{answers:?}");
}

#[test]
fn records_and_events_have_both_bounds() {
    let place = TestFolder::new();
    let run = place.run(&solve(&["--within", "500ms", "--format", "ndjson", "--progress=ndjson"]));
    let record = &records(&run.stdout)[0];
    assert_eq!(record["status"], "solved");
    assert_eq!(record.get("limit"), None);
    let number = |value: &Value| value.as_u64().unwrap();
    let (length, bound) = (number(&record["length"]), number(&record["lower_bound"]));
    assert!(bound < length && record["moves"].as_str().unwrap().len() as u64 == length);
    let events = records(&run.stderr);
    let better: Vec<_> = events.iter().filter(|event| event["event"] == "solution").collect();
    let lengths: Vec<u64> = better.iter().map(|event| number(&event["length"])).collect();
    assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
    assert_eq!(lengths.last(), Some(&length));
    assert!(better.iter().all(|event| number(&event["lower_bound"]) <= bound));
}

#[test]
fn batch_goes_on_after_the_boards_that_have_records() {
    let place = TestFolder::new();
    let boards = place.write("boards", format!("{}\n", NEAR.join("\nno board\n")).as_bytes());
    let how = ["solve", &boards, "--spec", "manhattan", "--format", "ndjson"];
    // The test's own output has a letter for each time.
    let records_of = |how: &[&str]| place.run(how).stdout.replace(":T", ":0");
    let whole = records_of(&how);
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!(lines.len(), 5);
    for done in 0..=5 {
        let text = [lines[..done].join("\n"), "\n".repeat(usize::from(done > 0))].concat();
        let out = place.write("out", text.as_bytes());
        let rest = records_of(&[&how[..], &["--resume", &out]].concat());
        assert!(rest.lines().eq(lines[done..].iter().copied()), "{rest}");
    }
    for (text, problem) in [
        (format!("{}\n{}\n", lines[0], lines[0]), "line 2 of "),
        (lines[0].to_owned(), "ends within a record"),
        ("1 move\n".to_owned(), "line 1 of "),
        (format!("{whole}{}\n", lines[0]), "has more records than there are boards"),
    ] {
        let out = place.write("out", text.as_bytes());
        place.run(&[&how[..], &["--resume", &out]].concat()).says(2, problem);
    }
    // Records are read below a mark and with blank lines, too.
    for text in [format!("\u{feff}{}\n\n", whole.replace('\n', "\n\n")), whole] {
        let out = place.write("out", text.as_bytes());
        let resume = [&how[..], &["--resume", &out]].concat();
        place.run(&resume).says(0, "answers all boards already");
        let goal = ["--goal", "snail"];
        place.run(&[&resume[..], &goal].concat()).says(2, "with the same goal and metric");
    }
}

#[test]
fn batch_is_resumed_in_its_metric_without_its_interrupted_answer() {
    let place = TestFolder::new();
    let boards = place.write("boards", format!("{}\n", NEAR.join("\n")).as_bytes());
    let base = ["solve", &boards, "--spec", "manhattan", "--format", "ndjson"];
    let slides = place.run(&[&base[..], &["--metric", "mtm"]].concat()).stdout.replace(":T", ":0");
    let out = place.write("out", slides.as_bytes());
    place.run(&[&base[..], &["--resume", &out]].concat()).says(2, "the same goal and metric");
    let own = ["--metric", "mtm", "--resume", &out];
    place.run(&[&base[..], &own].concat()).says(0, "answers all boards already");
    // An interrupted search is no answer: its board is searched again.
    let whole = place.run(&base).stdout.replace(":T", ":0");
    let interrupted = whole.lines().next().unwrap().replace("optimal", "solved");
    let interrupted = interrupted.replace("\"length\"", "\"limit\":\"interrupt\",\"length\"");
    let out = place.write("out", format!("{interrupted}\n").as_bytes());
    let rest = place.run(&[&base[..], &["--resume", &out]].concat()).stdout;
    let boards_of = |text: &str| -> Vec<Value> {
        records(&text.replace(":T", ":0")).iter().map(|record| record["board"].clone()).collect()
    };
    assert_eq!(boards_of(&rest), boards_of(&whole));
    let out = place.write("out", format!("{interrupted}\n{whole}").as_bytes());
    place.run(&[&base[..], &["--resume", &out]].concat()).says(0, "answers all boards already");
    for list in [&["--all"][..], &["--best", "2"]] {
        let run = place.run(&[&base[..], list, &["--resume", "nowhere"]].concat());
        run.says(2, "cannot be used with");
    }
}

#[test]
fn batch_of_records_is_resumed_with_their_goal() {
    let place = TestFolder::new();
    let goal = "0 1 2/3 4 5/6 7 8";
    let record =
        |board: &str, goal: &str| format!("{{\"board\":\"{board}\",\"goal\":\"{goal}\"}}\n");
    let boards = ["1 0 2/3 4 5/6 7 8", "1 2 0/3 4 5/6 7 8"].map(|board| record(board, goal));
    let boards = place.write("boards", boards.concat().as_bytes());
    let how = ["solve", &boards, "--spec", "manhattan", "--format", "ndjson"];
    let whole = place.run(&how).stdout.replace(":T", ":0");
    let first = format!("{}\n", whole.lines().next().unwrap());
    assert_eq!(records(&first)[0]["goal"], goal);
    let out = place.write("out", first.as_bytes());
    let run = place.run(&[&how[..], &["--resume", &out]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(first + &run.stdout.replace(":T", ":0"), whole);
    let other = whole.replace(goal, "1 2 3/4 5 6/7 8 0");
    let out = place.write("out", other.as_bytes());
    let resume = [&how[..], &["--resume", &out]].concat();
    place.run(&resume).says(2, "with the same goal and metric");
}
