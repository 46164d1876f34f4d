use std::fs;

use serde_json::Value;

use super::{TestFolder, ended, records};

pub(crate) const HARD: &str = "8 6 7/2 5 4/3 0 1";
pub(crate) const HARD_ANSWER: &str = "31 moves: LDRRULLDDRURDLURULLDRULDDRRUULL\n";
const HARD_COST: &str =
    "initial estimate 31, 55 generated, 31 expanded, T s, spec 8/whole, goal blank-last\n";
const ODD: &str = "no sequence of moves leads to the goal: the permutation of tiles and blank is odd, \
    but the blank is 0 moves from its home, which is even; every move changes both parities, so they \
    must agree";
const FAR_15: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

#[test]
fn first_solve_builds_the_table_and_second_uses_it() {
    let place = TestFolder::new();
    let notes = "building the tables of 8/whole in PLACE/db: 53.55 kB\n";
    let first = place.run(&["solve", HARD]);
    assert_eq!(first, ended(0, HARD_ANSWER, &format!("{notes}{HARD_COST}")));
    assert_eq!(place.tables(), ["3x3-0ff-r8-aware.pdb"]);
    assert_eq!(place.run(&["solve", HARD]), ended(0, HARD_ANSWER, HARD_COST));
    assert_eq!(place.run(&["solve", "-q", HARD]), ended(0, HARD_ANSWER, ""));
}

#[test]
fn better_tables_that_take_a_moment_are_built_before_worse_ones_are_used() {
    let place = TestFolder::new();
    assert_eq!(place.run(&["build", "8/4-4"]).code, Some(0));
    let solved = place.run(&["solve", HARD]);
    assert!(solved.stderr.starts_with("building the tables of 8/whole"), "{solved:?}");
    assert!(solved.stderr.ends_with("spec 8/whole, goal blank-last\n"), "{solved:?}");
}

#[test]
fn tables_are_in_the_folder_of_flag_environment_or_data_directory() {
    let place = TestFolder::new();
    let board = "1 2 3/4 5 6/7 8 0";
    let flag = place.path("flag");
    assert_eq!(place.run(&["solve", board, "--db", flag.to_str().unwrap()]).code, Some(0));
    assert!(flag.join("3x3-0ff-r8-aware.pdb").exists());
    assert!(place.tables().is_empty());

    let mut command = place.command(&["solve", board]);
    command.env("TILEBASE_DB", "").env("HOME", place.path("home"));
    assert!(command.env("XDG_DATA_HOME", place.path("data")).status().unwrap().success());
    assert!(place.path("data/tilebase/3x3-0ff-r8-aware.pdb").exists());

    let mut command = place.command(&["solve", board]);
    command.env_remove("TILEBASE_DB").env("HOME", place.path("home"));
    assert!(command.status().unwrap().success());
    assert!(place.path("home/.local/share/tilebase/3x3-0ff-r8-aware.pdb").exists());
}

#[test]
fn moves_are_of_the_blank_or_counted_on_request() {
    let place = TestFolder::new();
    for (option, moves) in [
        (&["--moves", "blank"][..], "RULLDRRUULDLURDLDRRULDRUULLDDRR"),
        (&["--counted-moves"], "L D R2 U L2 D2 R U R D L U R U L2 D R U L D2 R2 U2 L2"),
    ] {
        let run = place.run(&[&["solve", "-q", HARD], option].concat());
        assert_eq!(run, ended(0, &format!("31 moves: {moves}\n"), ""));
    }
}

#[test]
fn batch_answers_every_line_in_order() {
    let place = TestFolder::new();
    let input = format!(
        "# boards\n{HARD}\n\n1 2 3/4 5 6/8 7 0\n1 2 3 5\n1 2 y/4 5 6/7 8 0\r\n  1 2 3/4 5 6/7 8 0"
    );
    let file = place.write("boards.txt", input.as_bytes());
    let expected = format!(
        r#"{{"board":"8 6 7/2 5 4/3 0 1","goal":"1 2 3/4 5 6/7 8 0","spec":"8/whole","status":"optimal","length":31,"moves":"LDRRULLDDRURDLURULLDRULDDRRUULL","initial_estimate":31,"generated":55,"expanded":31,"seconds":T}}
{{"board":"1 2 3/4 5 6/8 7 0","goal":"1 2 3/4 5 6/7 8 0","spec":null,"status":"unsolvable","length":null,"moves":null,"initial_estimate":null,"generated":0,"expanded":0,"seconds":T,"reason":"{ODD}","solvable_with":["snail"]}}
{{"board":"1 2 3 5","goal":null,"spec":null,"status":"invalid","length":null,"moves":null,"initial_estimate":null,"generated":null,"expanded":null,"seconds":null,"error":"line 5: row 2, column 2 holds tile 5: a 2x2 board has tiles 1 to 3 and the blank, 0"}}
{{"board":"1 2 y/4 5 6/7 8 0","goal":null,"spec":null,"status":"invalid","length":null,"moves":null,"initial_estimate":null,"generated":null,"expanded":null,"seconds":null,"error":"line 6: row 1, column 3 holds \"y\": expected a tile's number, or 0, . or _ for the blank"}}
{{"board":"1 2 3/4 5 6/7 8 0","goal":"1 2 3/4 5 6/7 8 0","spec":"8/whole","status":"optimal","length":0,"moves":"","initial_estimate":0,"generated":1,"expanded":0,"seconds":T}}
"#
    );
    let arguments = ["solve", "-q", "--format", "ndjson", "--input"];
    assert_eq!(place.run(&[&arguments[..], &[&file]].concat()), ended(1, &expected, ""));
    let from_stdin = place.run_with_input(&[&arguments[..], &["-"]].concat(), input.as_bytes());
    assert_eq!(from_stdin, ended(1, &expected, ""));
}

#[test]
fn unsolvable_board_builds_no_table() {
    let place = TestFolder::new();
    let solved = place.run(&["solve", "1 2 3/4 5 6/8 7 0"]);
    assert_eq!(solved, ended(1, &format!("unsolvable: {ODD}; solvable with --goal snail\n"), ""));
    assert!(place.tables().is_empty());
}

#[test]
fn shipped_specs_solve_to_the_usual_goal() {
    let place = TestFolder::with_tables("24/6-6-6-6");
    // The spec draws the blank first, and a rotation by 180 degrees maps one goal to the other.
    let board = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 0 24";
    let solve = ["solve", "--spec", "24/6-6-6-6", "--node-limit", "1000000", board];
    let run = place.run(&solve);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "1 move: L\n"), "{run:?}");
    assert!(run.stderr.ends_with("spec 24/6-6-6-6, goal blank-last\n"), "{run:?}");
    // If no symmetry maps the goals, the spec's own goal is used, and a note says so.
    let drawn =
        "title = \"a snail\"\ngoal = \"1 2 3/8 0 4/7 6 5\"\npartition = \"A A A/B . A/B B B\"\n";
    // A path may have the signs of heuristics; on Windows, it has those of a drive.
    let file = place.write("a snail (1), drawn.toml", drawn.as_bytes());
    let run = place.run(&["solve", "--spec", &file, "1 2 3/8 4 0/7 6 5"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "1 move to snail: R\n"), "{run:?}");
    assert!(run.stderr.starts_with("note: the goal is snail, which "), "{run:?}");
    assert!(run.stderr.ends_with("spec PLACE/a snail (1), drawn.toml, goal snail\n"), "{run:?}");
}

#[test]
fn goal_is_read_from_the_argument_or_a_file() {
    let place = TestFolder::new();
    let goal = place.write("goal.txt", b"8 7 6\n5 4 3\n2 1 .\n");
    for goal in [&goal, "8 7 6/5 4 3/2 1 0"] {
        let solved = place.run(&["solve", "-q", "--goal", goal, "8 7 6/5 4 0/2 1 3"]);
        assert_eq!(solved, ended(0, "1 move to 8 7 6/5 4 3/2 1 0: U\n", ""));
    }
    let other = place.run(&["solve", "--goal", &goal, "1 2/3 0"]);
    assert_eq!(other, ended(2, "", "error: expected a 3x3 board, found one of 2x2\n"));
}

#[test]
fn too_little_memory_or_disk_falls_back_to_manhattan() {
    let place = TestFolder::new();
    for (option, value, reason) in [
        ("--memory", "1k", "the memory"),
        // The system makes no folders there, and reports no free space.
        ("--db", "/proc/nowhere", "the disk of /proc/nowhere, which has 0 B free"),
    ] {
        let solved = place.run(&["solve", option, value, "1 2 3/4 5 6/7 0 8"]);
        let notes = format!(
            "note: no tables for 3x3 boards fit {reason}: using Manhattan distance
initial estimate 1, 4 generated, 1 expanded, T s, spec manhattan, goal blank-last
"
        );
        assert_eq!(solved, ended(0, "1 move: L\n", &notes));
    }
    assert!(place.tables().is_empty());
}

#[test]
fn shape_without_a_spec_gets_a_generated_partition() {
    let place = TestFolder::new();
    let memory = ["--memory", "30M"];
    let board = "1 2 3 4 5 6 7 8 9/10 11 12 13 14 15 16 0 17";
    let solved = place.run(&[&["solve", board][..], &memory].concat());
    assert_eq!((solved.code, solved.stdout.as_str()), (Some(0), "1 move: L\n"));
    assert!(solved.stderr.contains("building the tables of generated/2x9/"), "{solved:?}");
}

#[test]
fn node_limit_gives_the_proved_lower_bound() {
    let place = TestFolder::new();
    let arguments =
        ["solve", "--mode", "plain", "--spec", "manhattan", "--node-limit", "1000", FAR_15];
    let answer = "limit: stopped by the node limit, at least 62 moves are needed\n";
    let cost = "initial estimate 58, 1,000 generated, 589 expanded, T s, spec manhattan, \
        goal blank-last\n";
    let solved = place.run(&arguments);
    assert_eq!(solved, ended(1, answer, cost));
    let record = r#"{"board":"0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1","goal":"1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0","spec":"manhattan","status":"limit","length":null,"moves":null,"initial_estimate":58,"generated":1000,"expanded":589,"seconds":T,"lower_bound":62,"limit":"nodes"}
"#;
    let solved = place.run(&[&arguments[..], &["--format", "ndjson"]].concat());
    assert_eq!(solved, ended(1, record, ""));
}

#[test]
fn lines_of_any_bytes_are_answered() {
    let place = TestFolder::new();
    let mut input = vec![b'x'; 1_000_000];
    input.extend(b"\n\xff\xfe\n\x00\n1 2 3/4 5 6/7 0 8\n99999999999999999999 1 2 3\n#");
    input.extend(vec![b' '; 100_000]);
    let solved = place.run_with_input(&["solve", "-q", "--input", "-"], &input);
    let shown = "x".repeat(80);
    let expected = format!(
        "{shown}...: invalid: line 1: the text has more than 65536 bytes: no board is that long
\u{fffd}\u{fffd}: invalid: line 2: row 1, column 1 holds \"\u{fffd}\u{fffd}\": expected a tile's \
         number, or 0, . or _ for the blank
\u{fffd}: invalid: line 3: row 1, column 1 holds \"\u{fffd}\": expected a tile's number, or 0, . or _ for \
         the blank
1 2 3/4 5 6/7 0 8: 1 move: L
99999999999999999999 1 2 3: invalid: line 5: row 1, column 1 holds tile 18446744073709551615: a 2x2 \
         board has tiles 1 to 3 and the blank, 0
"
    );
    assert_eq!(solved, ended(1, &expected, ""));
}

#[test]
fn endless_line_ends_the_batch_after_earlier_answers() {
    let place = TestFolder::new();
    let problem = "line 2 has more than 1048576 bytes: write one board a line";
    let answered = "1 2 3/4 5 6/7 0 8: 1 move: L\n";
    let long = [&b"1 2 3/4 5 6/7 0 8\n"[..], &vec![b'x'; (1 << 20) + 1]].concat();
    let input = place.write("long.txt", &long);
    let expected = format!("error: cannot read {input}: {problem}\n");
    let expected = expected.replace(place.folder.path().to_str().unwrap(), "PLACE");
    let solved = place.run(&["solve", "-q", "--input", &input]);
    assert_eq!(solved, ended(1, answered, &expected));
}

#[test]
fn closed_pipe_ends_a_batch_with_open_input() {
    let place = TestFolder::new();
    let arguments = ["solve", "-q", "--spec", "8/4-4", "--input", "-"];
    let mut child = place.start(&arguments);
    // More answers than a pipe holds.
    child.write(&format!("{HARD}\n").repeat(3000));
    child.line();
    drop(child.stdout.take());
    let stdin = child.stdin.take();
    assert_eq!(child.rest(), ended(0, "", ""));
    drop(stdin);
}

#[test]
fn answer_is_written_before_the_next_board_is_read() {
    let place = TestFolder::new();
    let arguments = ["solve", "-q", "--spec", "8/4-4", "--input", "-"];
    let mut child = place.start(&arguments);
    for _ in 0..3 {
        child.write("1 2 3/4 5 6/7 0 8\n");
        assert_eq!(child.line(), "1 2 3/4 5 6/7 0 8: 1 move: L\n");
    }
    assert_eq!(child.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn full_device_is_an_error() {
    let place = TestFolder::new();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = place.command(&["solve", "-q", "1 2 3/4 5 6/7 0 8"]);
    let run = place.ended(command.stdout(full).output().unwrap());
    let problem = "error: cannot write the results: No space left on device (os error 28)\n";
    assert_eq!(run, ended(1, "", problem));
}

/// Returns the lines of a batch without the costs of the searches.
fn lengths(place: &TestFolder, arguments: &[&str]) -> Vec<String> {
    let run = place.run(&[&["solve", "-q", "--format", "ndjson"], arguments].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{arguments:?}");
    let part = |record: &Value| {
        ["board", "status", "length"].map(|name| record[name].to_string()).join(" ")
    };
    records(&run.stdout).iter().map(part).collect()
}

#[test]
fn every_mode_gives_the_same_lengths_in_order() {
    let place = TestFolder::new();
    let lines =
        [HARD, "4 5 0/1 2 3", "1 2 3/4 5 6/8 7 0", "no board", "1 2 3/4 0 5", "1 2 3/4 5 0"];
    let input: Vec<&str> = lines.into_iter().cycle().take(60).collect();
    let file = place.write("boards.txt", input.join("\n").as_bytes());
    let expected = [
        r#""8 6 7/2 5 4/3 0 1" "optimal" 31"#,
        r#""4 5 0/1 2 3" "optimal" 21"#,
        r#""1 2 3/4 5 6/8 7 0" "unsolvable" null"#,
        r#""no board" "invalid" null"#,
        r#""1 2 3/4 0 5" "optimal" 1"#,
        r#""1 2 3/4 5 0" "optimal" 0"#,
    ];
    let expected: Vec<&str> = expected.into_iter().cycle().take(60).collect();
    for mode in ["auto", "latency", "throughput", "plain"] {
        for spec in [&["--spec", "manhattan"][..], &[]] {
            for threads in ["1", "4"] {
                let arguments = ["--mode", mode, "--threads", threads, "--input", &file];
                assert_eq!(lengths(&place, &[&arguments, spec].concat()), expected, "{mode}");
            }
        }
    }
}

#[test]
fn unwritable_summary_is_refused_before_the_search() {
    let place = TestFolder::new();
    place.write("file", b"");
    fs::create_dir(place.path("folder")).unwrap();
    for (summary, code) in [("file/summary.json", 1), ("folder", 2), ("missing/out", 1)] {
        place.run(&["solve", "--summary", summary, HARD]).says(code, "error: cannot ");
        assert!(place.tables().is_empty());
    }
}

#[test]
fn tables_give_equal_answers_in_every_residence() {
    let place = TestFolder::new();
    place.run(&["build", "8/4-4"]);
    let run = |how| place.run(&["solve", "--spec", "8/4-4", "--tables", how, HARD]);
    let expected = run("mapped").prints(0, "31 moves: ");
    for how in ["prefaulted", "copied"] {
        assert_eq!(run(how), expected, "{how}");
    }
    // The system may refuse to lock memory, which is reported.
    let locked = run("locked");
    let is_refused = locked.code == Some(1) && locked.stderr.starts_with("error: cannot read ");
    assert!(locked == expected || is_refused, "{locked:?}");
}

#[test]
fn limit_ends_only_its_board() {
    let place = TestFolder::new();
    let near = "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15";
    let file = place.write("boards.txt", format!("{near}\n{FAR_15}\n{near}\n").as_bytes());
    for mode in ["latency", "throughput", "plain"] {
        for (flag, value, kind) in
            [("--node-limit", "100000", "node"), ("--time-limit", "50ms", "time")]
        {
            let how = ["solve", "--spec", "manhattan", "--mode", mode, flag, value];
            let run = place.run(&[&how[..], &["--threads", "4", "--input", &file]].concat());
            let lines: Vec<&str> = run.stdout.lines().collect();
            assert_eq!((run.code, lines.len()), (Some(1), 3), "{run:?}");
            let solved = format!("{near}: 3 moves: LLL");
            assert_eq!([lines[0], lines[2]], [&solved; 2]);
            let (stopped, bound) = lines[1].split_once("at least ").expect(lines[1]);
            assert!(stopped.starts_with(&format!("{FAR_15}: ")), "{stopped}");
            // A time is enough for a solution, if the search is not only for the proof.
            let is_solved = kind == "time" && mode != "plain";
            let is_limit = stopped.ends_with(&format!(": limit: stopped by the {kind} limit, "));
            assert_eq!([is_solved, !is_solved], [stopped.contains(" moves ("), is_limit]);
            let bound: u32 = bound.split(' ').next().unwrap().parse().unwrap();
            assert!((60..=80).contains(&bound) && bound.is_multiple_of(2), "{bound}");
        }
    }
}

#[test]
fn maximum_with_a_spec_file_has_the_goal_of_the_file() {
    let place = TestFolder::new();
    let spec =
        "title = \"snail\"\ngoal = \"1 2 3/8 . 4/7 6 5\"\npartition = \"A A A/B . A/B B B\"\n";
    let file = place.write("snail.toml", spec.as_bytes());
    for name in [file.clone(), format!("max({file}, manhattan)"), format!("max(manhattan,{file})")]
    {
        let run = place.good(&["solve", "1 2 3/8 4 ./7 6 5", "--spec", &name]);
        assert_eq!(run.stdout, "1 move to snail: R\n", "{name}");
    }
}
