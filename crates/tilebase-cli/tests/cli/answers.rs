//! The values of moves, all solutions of a board, and checks of given moves.

use std::collections::BTreeSet;

use serde_json::Value;

use super::solve::HARD;
use super::{TestFolder, ended, records};

const NEAR: &str = "1 2 3/4 5 6/0 7 8";

/// Returns a folder with the tables for 3x3.
fn place() -> TestFolder {
    TestFolder::with_tables("8/whole")
}

#[test]
fn answers_page_shows_the_output() {
    let printed = place().run_page(include_str!("../../../../docs/answers.md"));
    assert_eq!(printed.len(), 11);
}

#[test]
fn moves_are_listed_by_distance() {
    let place = place();
    let found = place.run(&["moves", "1 2 3/4 5 6/7 8 0"]);
    let text = "this is the goal, blank-last\n  R  tile 8     1\n  D  tile 6     1\n";
    assert_eq!((found.code, &*found.stdout), (Some(0), text));
    assert!(found.stderr.ends_with("spec 8/whole, goal blank-last\n"), "{found:?}");
    let blank = place.run(&["moves", "-q", NEAR, "--moves", "blank"]);
    let text = "2 moves to blank-last\n  R  tile 7     1  optimal\n  U  tile 4     3\n";
    assert_eq!(blank, ended(0, text, ""));
}

#[test]
fn moves_records_of_one_or_many_boards() {
    let place = place();
    let found = place.run(&["moves", "--format", "ndjson", NEAR, HARD, "2 1 3/4 5 6/7 8 0"]);
    assert_eq!((found.code, found.stderr.as_str()), (Some(1), ""));
    let records = records(&found.stdout);
    let first = r#"{"board":"1 2 3/4 5 6/0 7 8","goal":"1 2 3/4 5 6/7 8 0","spec":"8/whole","status":"optimal","distance":2,"moves":[{"move":"L","tile":7,"distance":1,"optimal":true},{"move":"D","tile":4,"distance":3,"optimal":false}],"generated":"#;
    assert!(found.stdout.starts_with(first), "{}", found.stdout);
    assert_eq!(records[1]["distance"], 31);
    assert!(records[1]["moves"].as_array().unwrap().iter().all(|value| value["distance"] == 30));
    // An unsolvable board has moves, but none of them leads to the goal.
    assert_eq!(
        (&records[2]["status"], &records[2]["distance"]),
        (&"unsolvable".into(), &Value::Null)
    );
    assert_eq!(records[2]["moves"][0]["distance"], Value::Null);
}

#[test]
fn limit_leaves_distances_unknown() {
    let place = place();
    let text = "limit: stopped by the node limit, at least 21 moves are needed
  R  tile 3     ?
  D  tile 5     ?
  L  tile 1     ?
";
    let arguments = ["moves", "-q", HARD, "--spec", "manhattan", "--node-limit", "3"];
    assert_eq!(place.run(&arguments), ended(1, text, ""));
    // Enough nodes for the board, but not for its neighbours.
    let few = ["moves", "--spec", "manhattan", "--node-limit", "2", NEAR, "--threads", "1"];
    place.run(&few).prints(1, "limit: stopped by the node limit");
}

/// A board whose optimum takes hours to prove, and the options with which a solution is known soon.
const OPEN: [&str; 6] = [
    "17 1 20 9 16/2 22 19 14 5/15 21 0 3 24/23 18 13 12 7/10 8 6 4 11",
    "--spec",
    "manhattan",
    "-q",
    "--time-limit",
    "300ms",
];

/// Returns the length and the bound in the words of a solution that is not proved.
fn expect_unproved(text: &str) -> (u64, u64) {
    let (before, after) = text.split_once(" moves (not proved: at least ").expect(text);
    let (bound, _) = after.split_once(" are needed)").expect(text);
    let length = before.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap();
    let (length, bound) = (length.parse().unwrap(), bound.parse().unwrap());
    assert!(bound < length, "{text}");
    (length, bound)
}

#[test]
fn no_text_calls_a_solution_shortest_that_is_not_proved() {
    let place = place();
    let longer = "DURL".repeat(60);
    for command in [
        &["solve"][..],
        &["solve", "--format", "steps"],
        &["solve", "--progress", "-v"],
        &["solve", "--within", "200ms"],
        &["solve", "--search", "beam:10"],
        &["moves"],
        &["check", &longer],
        &["animate", "--out", "film.svg"],
    ] {
        let options = OPEN.iter().filter(|&&word| word != "-q");
        let mut arguments: Vec<&str> = command[..1].iter().chain(options).copied().collect();
        // The moves of `check` follow the board.
        arguments.splice(2..2, command[1..].iter().copied());
        let found = place.run(&arguments);
        let is_film = command[0] == "animate";
        if is_film {
            assert!(found.stderr.starts_with("note: the film shows "), "{found:?}");
            assert!(found.stderr.contains(" needed), stopped by the time limit; "), "{found:?}");
        }
        expect_unproved(if is_film { &found.stderr } else { &found.stdout });
        let film = std::fs::read_to_string(place.path("film.svg")).unwrap_or_default();
        let title = film.lines().find(|line| line.starts_with("<title>"));
        if is_film {
            expect_unproved(title.unwrap());
        }
        for text in [&found.stdout, &found.stderr, title.unwrap_or_default()] {
            let text = text.replace("not optimal", "");
            let claims = ["shortest", "optimal", "optimum", "fewest"];
            assert!(!claims.iter().any(|claim| text.contains(claim)), "{command:?}: {found:?}");
        }
    }
}

#[test]
fn limit_leaves_a_solution_that_is_not_proved() {
    let place = place();
    let found = place.run(&[&["moves"], &OPEN[..]].concat());
    let lines: Vec<&str> = found.stdout.lines().collect();
    assert_eq!((found.code, lines.len()), (Some(1), 6), "{found:?}");
    assert!(lines[0].starts_with("the best known solution has "), "{found:?}");
    expect_unproved(lines[0]);
    assert!(lines[1..5].iter().all(|line| line.ends_with('?')), "{found:?}");
    assert_eq!(lines[5], "limit: stopped by the time limit, before all distances were known");
    let found = place.run(&[&["moves", "--format", "ndjson"], &OPEN[..]].concat());
    let record = &records(&found.stdout)[0];
    assert_eq!((&record["status"], &record["limit"]), (&"solved".into(), &"time".into()));
    assert_eq!(record["distance"], Value::Null);
    assert!(record["lower_bound"].as_u64() < record["length"].as_u64());
    assert!(record["moves"].as_array().unwrap().iter().all(|of| of["optimal"] == Value::Null));
}

#[test]
fn check_compares_moves_with_what_is_known() {
    let place = place();
    let by_beam = ["solve", "--format", "ndjson", "--search", "beam:10"];
    let solved = place.run(&[&by_beam, &OPEN[..4]].concat());
    let record = &records(&solved.stdout)[0];
    let (moves, length) = (record["moves"].as_str().unwrap(), record["length"].as_u64().unwrap());
    let check = |moves: &str, format: &str, limit: [&str; 2]| {
        let arguments = [&["check", OPEN[0], moves, "--format", format], &OPEN[1..4], &limit];
        place.run(&arguments.concat())
    };
    // Too few nodes for a solution: the moves are only compared with the lower bound.
    let nodes = ["--node-limit", "1000"];
    let found = check(moves, "text", nodes);
    let lines: Vec<&str> = found.stdout.lines().collect();
    assert_eq!(found.code, Some(1));
    assert_eq!(lines[0], format!("solves: {length} moves lead to blank-last"));
    let words: Vec<&str> = lines[1].split(' ').collect();
    let (gap, bound): (u64, u64) = (words[2].parse().unwrap(), words[9].parse().unwrap());
    assert_eq!(gap + bound, length);
    let text = format!("at most {gap} moves above the optimum: at least {bound} moves are needed");
    assert_eq!(lines[1..], [&*text, "limit: stopped by the node limit, before all was known"]);
    let found = check(moves, "ndjson", nodes);
    let record = &records(&found.stdout)[0];
    assert_eq!((&record["status"], &record["lower_bound"]), (&"limit".into(), &bound.into()));
    assert_eq!((&record["optimum"], &record["optimal"]), (&Value::Null, &Value::Null));
    // A longer solution than the known one is not optimal.
    let longer = format!("{moves}{}", "RL".repeat(40));
    let found = check(&longer, "text", ["--time-limit", "1s"]);
    assert!(found.stdout.contains("\nnot optimal: the best known solution has "), "{found:?}");
    // Moves that meet the bound are optimal, although the search was stopped.
    let near = ["check", "-q", NEAR, "LL", "--spec", "manhattan", "--node-limit", "1"];
    let text = "solves: 2 moves lead to blank-last\noptimal: no solution has fewer than 2 moves\n";
    assert_eq!(place.run(&near), ended(0, text, ""));
}

#[test]
fn film_without_a_limit_takes_the_best_solution_of_a_moment() {
    let place = place();
    let board = place.run(&["scramble", "--size", "8x8", "--seed", "1"]).stdout;
    let found = place.run(&["animate", board.trim(), "--out", "film.svg"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    expect_unproved(&found.stderr);
    // A board that tables prove at once has a shortest solution, with the tables that it needs.
    let found = place.run(&["animate", HARD, "--out", "film.svg"]);
    assert!(found.stderr.contains(", 31 moves, ") && !found.stderr.contains("not proved"));
}

#[test]
fn all_lists_some_solutions_and_counts_the_others() {
    let place = place();
    let some = place.run(&["solve", "-q", "--all", "--list-max", "2", HARD]);
    let lines: Vec<&str> = some.stdout.lines().collect();
    assert_eq!((some.code, lines.len()), (Some(0), 3), "{some:?}");
    assert!(lines[..2].iter().all(|line| line.starts_with("31 moves: ")), "{some:?}");
    assert_eq!(lines[2], "40 solutions of 31 moves; 2 listed");
    let count = place.run(&["solve", "-q", "--count", HARD, NEAR]);
    let text = format!("{HARD}: 40 solutions of 31 moves\n{NEAR}: 1 solution of 2 moves\n");
    assert_eq!(count, ended(0, &text, ""));
}

#[test]
fn solution_records_end_with_the_count() {
    let place = place();
    let found = place.good(&["solve", "--all", "--format", "ndjson", "1 2 3/4 0 8/7 6 5"]);
    let records = records(&found.stdout);
    let (last, solutions) = records.split_last().unwrap();
    let length = last["length"].as_u64().unwrap();
    assert_eq!(last["status"], "optimal");
    assert_eq!(last["solution_count"], solutions.len().to_string());
    assert_eq!((&last["complete"], &last["listed"]), (&true.into(), &solutions.len().into()));
    let mut different = BTreeSet::new();
    for (number, solution) in (1..).zip(solutions) {
        assert_eq!((&solution["number"], &solution["length"]), (&number.into(), &length.into()));
        assert_eq!(solution["goal"], "1 2 3/4 5 6/7 8 0");
        different.insert(solution["moves"].as_str().unwrap());
    }
    assert_eq!(different.len(), solutions.len());
}

#[test]
fn best_finds_longer_solutions_within_the_slack() {
    let place = place();
    let best = place.run(&["solve", "-q", "--best", "3", NEAR]);
    let text = "2 moves: LL
12 moves: DLURDLURDLUL
12 moves: LDLURDLURDLU
1 solution of 2 moves, at least 2 solutions of 12 moves
";
    assert_eq!(best, ended(0, text, ""));
    let bounded = place.run(&["solve", "-q", "--best", "3", "--slack", "2", NEAR]);
    assert_eq!(bounded.stdout, "2 moves: LL\n1 solution of 2 moves\n");
}

#[test]
fn limited_count_reports_the_solutions_so_far() {
    let place = place();
    let arguments =
        ["solve", "-q", "--count", HARD, "--spec", "manhattan", "--threads", "1", "--node-limit"];
    let found = place.run(&[&arguments[..], &["10"]].concat());
    let text = "limit: stopped by the node limit, at least 23 moves are needed\n";
    assert_eq!(found, ended(1, text, ""));
    let whole = place.run(&[&arguments[..8], &["--format", "ndjson"]].concat());
    let generated = records(&whole.stdout)[0]["generated"].as_u64().unwrap();
    let short = (generated - 1).to_string();
    let found = place.run(&[&arguments[..], &[short.as_str()]].concat());
    let found = found.prints(1, " solutions of 31 moves; stopped by the node limit\n");
    assert!(found.stdout.starts_with("at least "), "{found:?}");
    let record = place.run(&[&arguments[..], &[short.as_str(), "--format", "ndjson"]].concat());
    let record = &records(&record.stdout)[0];
    assert_eq!((&record["status"], &record["limit"]), (&"optimal".into(), &"nodes".into()));
    assert_eq!(record["complete"], false);
}

#[test]
fn solutions_refuse_unsolvable_and_invalid_boards() {
    let place = place();
    place.run(&["solve", "-q", "--count", "2 1 3/4 5 6/7 8 0"]).prints(1, "unsolvable: ");
    let file = place.write("boards.txt", b"1 2 3/4 5 6/7 8 0\n1 2 3/4 5 6/7 7 0\n");
    let found = place.run(&["solve", "-q", "--count", &file]);
    let lines: Vec<&str> = found.stdout.lines().collect();
    assert_eq!((found.code, lines[0]), (Some(1), "1 2 3/4 5 6/7 8 0: 1 solution of 0 moves"));
    assert!(lines[1].contains("invalid"), "{found:?}");
    for (arguments, problem) in [
        (vec!["solve", "--all", "--count", NEAR], "cannot be used with"),
        (vec!["solve", "--best", "0", NEAR], "invalid value '0'"),
        (vec!["solve", "--list-max", "2", NEAR], "--all"),
        (vec!["solve", "--best", "5", "--list-max", "2", NEAR], "cannot be used with"),
        (vec!["solve", "--slack", "2", "--summary", "-", NEAR], "cannot be used with"),
        (
            vec!["solve", "--all", "--format", "steps", NEAR],
            "--format steps shows a single solution",
        ),
        (vec!["check", NEAR, "--size", "4x4", "LL"], "3x3"),
        (vec!["check", "random:2:1", "LL"], "expected one board, found several"),
        (vec!["solve", "--slack", "-2", NEAR], "unexpected argument"),
        (vec!["solve", "--count", "--checkpoint", "file", NEAR], "cannot be used with"),
    ] {
        place.run(&arguments).says(2, problem);
    }
}

#[test]
fn check_reports_legal_solving_and_optimal_moves() {
    let place = place();
    let solves =
        |count: usize, rest: &str| format!("solves: {count} moves lead to blank-last\n{rest}\n");
    let longer = |number: usize| {
        let rest = format!("not optimal: 2 moves suffice; move {number} leaves the optimum");
        solves(4, &rest)
    };
    let optimal = || solves(2, "optimal: no solution has fewer than 2 moves");
    for (moves, code, text) in [
        (&["LL"][..], 0, optimal()),
        (&["7", "8"], 0, optimal()),
        (&["L", "RLL"], 0, longer(2)),
        (&["DU", "L2"], 0, longer(1)),
        (&["LLRL"], 0, longer(3)),
        (&["L"], 1, "does not solve: 1 move leads to 1 2 3/4 5 6/7 0 8, not to blank-last\non the way: 2 moves suffice, and a shortest solution begins like this\n".to_owned()),
        (&["LU"], 1, "illegal: move 2 is impossible: there is no tile below the blank on 1 2 3/4 5 6/7 0 8, the board before it; the tiles that can move are 5, 7 and 8\nthe move before it is on a shortest way: 2 moves suffice\n".to_owned()),
    ] {
        let arguments = [&["check", "-q", NEAR][..], moves].concat();
        assert_eq!(place.run(&arguments), ended(code, &text, ""), "{moves:?}");
    }
    place.good(&["check", "-q", NEAR, "RR", "--moves", "blank"]);
    let nearer = place.run(&["check", "-q", "1 2 3/4 5 6/7 0 8", "D"]);
    assert!(nearer.stdout.contains(" 1 move suffices"), "{nearer:?}");
    let none = place.run(&["check", "-q", "1 2 3/4 5 6/7 8 0"]);
    assert!(none.stdout.starts_with("solves: 0 moves lead to blank-last"), "{none:?}");
}

#[test]
fn moves_of_the_blank_are_recognised() {
    let place = place();
    let hint = "as moves of the blank, they solve the board; read them so with --moves blank\n";
    let check = ["check", "-q", "1 2 3/4 5 6/0 7 8"];
    place.run(&[&check[..], &["Right", "Right"]].concat()).prints(1, hint);
    let read_so = [&check[..], &["--moves", "blank", "['Right', 'Right']"]].concat();
    assert!(place.good(&read_so).stdout.starts_with("solves: 2 moves lead to blank-last\n"));
    let reversed = place.run(&[&check[..], &["--moves", "blank", "← ←"]].concat());
    assert!(reversed.stdout.contains("as moves of tiles, they solve the board; leave out"));
    let record = [&check[..], &["--format", "json", "RR"]].concat();
    let record = &records(&place.run(&record).stdout)[0];
    assert_eq!(
        (&record["legal_reversed"], &record["solves_reversed"]),
        (&true.into(), &true.into())
    );
    let applied = ["apply", "1 2 3/4 5 6/0 7 8", "RR"];
    place.run(&applied).says(2, "read them so with --moves blank\n");
}

#[test]
fn check_writes_a_record() {
    let place = place();
    let found = place.run(&["check", "--format", "ndjson", NEAR, "7", "7", "7", "8"]);
    let text = r#"{"board":"1 2 3/4 5 6/0 7 8","goal":"1 2 3/4 5 6/7 8 0","spec":"8/whole","status":"optimal","moves":"LRLL","legal":true,"solves":true,"length":4,"optimum":2,"optimal":false,"leaves_optimum_at":2,"end":"1 2 3/4 5 6/7 8 0"}"#;
    assert_eq!(found, ended(0, &format!("{text}\n"), ""));
    let illegal = place.run(&["check", "--format", "json", NEAR, "7", "1"]);
    let record = &records(&illegal.stdout)[0];
    assert_eq!((illegal.code, &record["legal"]), (Some(1), &false.into()));
    assert_eq!((&record["length"], &record["solves"]), (&1.into(), &false.into()));
    assert!(record["illegal"].as_str().unwrap().starts_with("move 2 is impossible: tile 1"));
    let unsolvable = place.run(&["check", "--format", "json", "2 1 3/4 5 6/7 8 0", "R"]);
    let record = &records(&unsolvable.stdout)[0];
    assert_eq!((&record["status"], &record["optimum"]), (&"unsolvable".into(), &Value::Null));
    for (moves, problem) in
        [("XY", "character 1 of the moves is 'X'"), ("7 x", "word 2 of the moves")]
    {
        place.run(&["check", NEAR, moves]).says(2, problem);
    }
}

#[test]
fn apply_reads_letters_and_tiles() {
    let place = TestFolder::new();
    let goal = "1 2 3/4 5 6/7 8 0";
    for (arguments, end) in [
        (&[goal, "DDR"][..], "1 0 2/4 5 3/7 8 6\n"),
        (&[goal, "UUL", "--moves", "blank"], "1 0 2/4 5 3/7 8 6\n"),
        (&[goal], "1 2 3/4 5 6/7 8 0\n"),
        (&["blank-last", "→ ↓2 ← ↑"], "1 2 3 4/5 6 8 12/9 10 7 0/13 14 11 15\n"),
    ] {
        let applied = place.run(&[&["apply", "-q"], arguments].concat());
        assert_eq!(applied, ended(0, end, ""), "{arguments:?}");
    }
    let json = place.run(&["apply", goal, "DD", "--format", "json", "--moves", "tiles"]);
    let text = r#"{"board":"1 2 3/4 5 6/7 8 0","moves":"6 3","length":2,"slides":1,"end":"1 2 0/4 5 3/7 8 6"}"#;
    assert_eq!(json, ended(0, &format!("{text}\n"), ""));
    let wrong = place.run(&["apply", goal, "6", "5", "1"]);
    let problem = "error: move 3 is impossible: tile 1 is not beside the blank on 1 2 3/4 0 5/7 8 6, \
                   the board before it; the tiles that can move are 2, 4, 5 and 8\n";
    assert_eq!(wrong, ended(2, "", problem));
}

#[test]
fn progress_reports_each_bound() {
    let place = TestFolder::new();
    let arguments = ["solve", HARD, "--spec", "manhattan", "--threads", "1", "--mode", "latency"];
    let found = place.run(&[&arguments[..], &["--progress"]].concat());
    let lines: Vec<&str> = found.stderr.lines().collect();
    assert_eq!(lines.len(), 7, "{found:?}");
    for (line, bound) in lines[..6].iter().zip((21..).step_by(2)) {
        assert!(line.starts_with(&format!("bound {bound}: ")), "{line}");
        let is_whole = bound > 21 && bound < 31;
        assert_eq!(line.contains("times the previous bound"), is_whole, "{line}");
        assert_eq!(line.ends_with("the search ended within it"), bound == 31, "{line}");
    }
    let found = place.run(&[&arguments[..], &["--progress=ndjson", "--format", "ndjson"]].concat());
    let told: Vec<Value> = records(&found.stderr);
    let answer = &records(&found.stdout)[0];
    let sum: u64 = told.iter().map(|bound| bound["expanded"].as_u64().unwrap()).sum();
    assert_eq!(answer["expanded"], sum);
    assert!(told.iter().all(|bound| bound["board"] == HARD), "{told:?}");
    assert_eq!(told.iter().filter(|bound| bound["done"] == false).count(), 1);
    let packets = ["--progress=ndjson", "--format", "ndjson", "--checkpoint", "hard.ckpt"];
    let found = place.run(&[&arguments[..6], &packets].concat());
    let sum: u64 =
        records(&found.stderr).iter().map(|bound| bound["generated"].as_u64().unwrap()).sum();
    assert_eq!(records(&found.stdout)[0]["generated"], sum, "{found:?}");
    let many = place.run(&[&arguments[..], &["--progress", NEAR]].concat());
    assert!(many.stderr.contains(&format!("{HARD}: bound 23: ")), "{many:?}");
    // The option has an effect even with --quiet.
    let quiet = place.run(&[&arguments[..], &["--progress", "-q"]].concat());
    assert_eq!(quiet.stderr.lines().count(), 6);
    let count = place.run(&["solve", HARD, "--count", "--spec", "manhattan", "--progress", "-q"]);
    assert!(count.stderr.lines().last().unwrap().starts_with("bound 31: "), "{count:?}");
}

#[test]
fn bad_board_does_not_stop_the_others() {
    let place = place();
    let file = place.write("boards.txt", b"1 2 3/4 5 6/7 8 8\n1 2 3/4 5 6/7 8 0\n");
    for (command, good) in
        [(&["moves"][..], "distance"), (&["solve", "--count"], "complete"), (&["explain"], "space")]
    {
        let arguments = [command, &["-q", "--format", "ndjson", &file]].concat();
        let found = place.run(&arguments);
        let records = records(&found.stdout);
        assert_eq!((found.code, records.len()), (Some(1), 2), "{found:?}");
        assert_eq!(records[0]["status"], "invalid");
        assert!(records[0]["error"].as_str().unwrap().contains("tile 8 stands"), "{found:?}");
        assert!(records[1].get(good).is_some(), "{found:?}");
        let text = place.run(&[command, &["-q", &file]].concat());
        assert!(text.stdout.starts_with("1 2 3/4 5 6/7 8 8: invalid: "), "{text:?}");
    }
    for command in [&["moves"][..], &["solve", "--count"], &["solve"], &["explain"]] {
        let empty = place.write("empty.txt", b"# nothing\n");
        place.run(&[command, &[empty.as_str()]].concat()).says(2, "error: there is no board");
    }
    let single = place.run(&["moves", "1 2 3/4 5 6/7 8 8"]);
    assert_eq!((single.code, single.stdout.as_str()), (Some(2), ""));
}

#[test]
fn input_columns_select_the_board() {
    let place = place();
    let file = place.write("table.csv", b"number;board;moves\n17;8 6 7/2 5 4/3 0 1;31\n");
    for command in [&["moves"][..], &["explain"], &["solve"], &["solve", "--count"]] {
        let columns = ["-q", "--format", "ndjson", "--input-columns", "2", &file];
        let found = place.run(&[command, &columns].concat());
        let records = records(&found.stdout);
        assert_eq!((found.code, records.len()), (Some(0), 1), "{found:?}");
        assert_eq!(records[0]["board"], HARD);
    }
}

#[test]
fn generated_spec_shows_the_size_within_a_maximum() {
    let spec = "max(linear-conflict, generated/3x3/4-4)";
    let run = TestFolder::new().run(&["solve", "1 2 3/4 5 6/0 7 8", "--spec", spec, "-q"]);
    assert_eq!((run.code, &*run.stdout), (Some(0), "2 moves: LL\n"), "{run:?}");
}

#[test]
fn slides_of_several_tiles_count_as_one_move() {
    let place = TestFolder::new();
    let how = ["solve", "1 2 3/4 5 6/0 7 8", "--metric", "mtm"];
    let run = place.run(&how);
    assert_eq!((run.code, &*run.stdout), (Some(0), "1 slide: L2\n"), "{run:?}");
    let run = place.run(&[&how[..], &["--format", "ndjson"]].concat());
    let record = &records(&run.stdout)[0];
    assert_eq!((&record["metric"], &record["length"]), (&"mtm".into(), &1.into()));
    assert_eq!((&record["moves"], &record["status"]), (&"L2".into(), &"optimal".into()));
    place.run(&[&how[..], &["--summary", "summary.json"]].concat());
    let summary = std::fs::read(place.path("summary.json")).unwrap();
    assert!(summary.ends_with(b"\n"));
    let summary: Value = serde_json::from_slice(&summary).unwrap();
    assert_eq!((&summary["mean_length"], &summary["metric"]), (&1.0.into(), &"mtm".into()));
    let csv = place.run(&[&how[..], &["--format", "csv"]].concat()).stdout;
    assert!(csv.starts_with("board,") && csv.ends_with(",mtm\n"), "{csv}");
    // The hardest boards of the 8-puzzle in this metric are 24 slides from the goal.
    let run = place.run(&["solve", "8 6 7/2 5 4/3 0 1", "--metric", "mtm", "--format", "steps"]);
    assert!(run.stdout.contains(" slides\n") && run.stdout.contains("\n11 to 20: "), "{run:?}");
    // A checkpoint goes on in its metric alone.
    let checkpoint = ["--checkpoint", "c", "--spec", "manhattan"];
    assert!(place.run(&[&how[..], &checkpoint].concat()).stdout.starts_with("1 slide: L2\n"));
    assert!(std::fs::read_to_string(place.path("c")).unwrap().contains("\"metric\":\"mtm\""));
    let run = place.run(&[&how[..2], &checkpoint].concat());
    assert!(run.code != Some(0) && run.stderr.contains("the metric is mtm"), "{run:?}");
    place.run(&[&how[..], &["--search", "astar"]].concat()).says(2, "slides");
    let tables = place.tables();
    assert_eq!(tables, ["3x3-abcdecfg_.pdb"]);
    let table = place.db().join(&tables[0]).display().to_string();
    assert_eq!(place.run(&["verify", &table, "--level", "rebuild"]).code, Some(0));
    place.run(&["inspect", &table]).prints(0, "colours at home").prints(0, "A B C");
}

#[test]
fn every_command_with_a_metric_counts_slides() {
    let place = TestFolder::new();
    let hard = "8 6 7/2 5 4/3 0 1";
    let run = |args: &[&str]| place.run(&[args, &["--metric", "mtm", "-q"]].concat());
    let moves = "20 slides to blank-last
  D  tile 5    19  optimal
  D2 tile 6    19  optimal
  L  tile 1    20
  R  tile 3    21
";
    let illegal = "does not solve: 3 slides lead to 8 6 7/5 4 0/2 3 1, not to blank-last\n\
                   not optimal: 20 slides suffice; slide 1 leaves the optimum\n";
    let rows = "Along rows: 11 columns from home, at most 2 in a slide: 6 slides";
    // The counts are those of the search that the library's tests compare with trying all.
    let easy = "1 2 3/4 5 6/0 7 8";
    for (arguments, code, text) in [
        (&["moves", hard][..], 0, moves),
        (&["check", hard, "R D L2"], 1, illegal),
        (&["solve", easy, "--all", "--slack", "1"], 0, "1 slide: L2\n1 solution of 1 slide\n"),
    ] {
        assert_eq!(run(arguments), ended(code, text, ""), "{arguments:?}");
    }
    run(&["explain", hard]).prints(0, "No solution has fewer than 20 slides.").prints(0, rows);
    let best = run(&["solve", hard, "--best", "2"]);
    assert_eq!(best.stdout.matches("20 slides").count(), 3, "{best:?}");
    let record = &records(&run(&["check", hard, "R D L2", "--format", "ndjson"]).stdout)[0];
    assert_eq!((&record["length"], &record["optimum"]), (&3.into(), &20.into()));
    assert_eq!((&record["metric"], &record["moves"]), (&"mtm".into(), &"R D L2".into()));
    let found = run(&["scramble", "--size", "3x3", "--optimum", "24", "--seed", "1"]);
    run(&["solve", found.stdout.trim()]).prints(0, "24 slides: ");
    let within =
        ["solve", "random:1:1", "--size", "6x6", "--within", "200ms", "--format", "ndjson"];
    let record = &records(&run(&within).prints(0, "\"status\":\"solved\"").stdout)[0];
    assert!(record["lower_bound"].as_u64() < record["length"].as_u64(), "{record}");
}

#[test]
fn every_command_with_a_spec_takes_a_metric_or_refuses_it() {
    let place = TestFolder::new();
    let board = "1 2 3/4 5 6/0 7 8";
    for command in ["solve", "moves", "check", "explain", "scramble", "compare", "rate"] {
        let help = place.run(&[command, "--help"]).stdout;
        assert!(help.contains("--metric <stm|mtm>"), "{command}: {help}");
    }
    for command in [&["draw", "board"][..], &["animate"]] {
        let refusal = format!("{} counts moves of single tiles", command[0]);
        place.run(&[command, &[board, "--metric", "mtm"]].concat()).says(2, &refusal);
    }
    for command in ["model", "partition", "apply"] {
        place.run(&[command, "--metric", "mtm"]).says(2, "unexpected argument '--metric'");
    }
}
