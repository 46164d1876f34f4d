use std::fs;

use super::{TestFolder, ended, names, words};

fn refused(arguments: &[&str], problem: &str) {
    super::refused(&[&["compare"], arguments].concat(), problem);
}

#[test]
fn comparison_prints_a_table_and_writes_files() {
    let place = TestFolder::new();
    let run = place.good(&words(
        r#"compare --size 3x3 --boards random:20:4 --heuristics
        "manhattan, 4-4, 4-4:unmirrored, max(walking-distance, 4-4), fringe" --searches
        breadth-first,astar,ida,lanes,bidirectional --csv boards.csv
        --json out.json --report report.html --charts charts"#,
    ));
    // A header and its line; breadth-first search once, the others with each heuristic.
    assert_eq!(run.stdout.lines().count(), 2 + 1 + 5 * 4);
    assert!(run.stdout.lines().skip(2).all(|line| line.contains("20/20")), "{}", run.stdout);
    let csv = fs::read_to_string(place.path("boards.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 20 * (1 + 5 * 4));
    let json = place.json("out.json");
    let lengths = json["rows"].as_array().unwrap().iter().map(|row| &row["summary"]["length"]);
    assert!(lengths.into_iter().all(|length| *length == json["rows"][0]["summary"]["length"]));
    assert_eq!(json["rows"][20]["samples"].as_array().unwrap().len(), 20);
    let charts = words("estimates.svg nodes.svg tables.svg time.svg");
    assert_eq!(names(&place.path("charts")), charts);
    let report = fs::read_to_string(place.path("report.html")).unwrap();
    assert!(report.contains("random:20:4 (20 boards of 3x3, goal blank-last)"), "{report}");
    assert!(report.contains("<dd>tilebase compare --size 3x3 --boards random:20:4 "));
    assert_eq!(report.matches("<figure>").count(), charts.len());
    // A time is of use only beside its program, machine and day.
    let version = concat!("<dt>version</dt><dd>tilebase ", env!("CARGO_PKG_VERSION"), "</dd>");
    for fact in [version, "<dt>date</dt><dd>", " GMT</dd>", "<dt>processor</dt>", "<dt>memory</dt>"]
    {
        assert!(report.contains(fact), "{fact}: {report}");
    }
    assert!(!report.contains(" us<") && !report.contains("nodes a board"), "{report}");
}

#[test]
fn sets_have_own_rows_and_baseline_gives_ratios() {
    let place = TestFolder::new();
    let how = ["compare", "-q", "--size", "3x3", "--heuristics", "misplaced,manhattan"];
    let sets = ["--boards", "random:3:1", "--boards", "8 6 7/2 5 4/3 0 1"];
    let rest =
        ["--searches", "greedy,astar", "--baseline", "misplaced+astar", "--json", "out.json"];
    let run = place.run(&[&how[..], &sets, &rest].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let (means, ratios) = run.stdout.split_once("\n\n").unwrap();
    assert_eq!(means.lines().count(), 2 + 2 * 4, "{means}");
    assert_eq!(means.matches("| random:3:1        | ").count(), 4, "{means}");
    assert_eq!(means.matches("| 8 6 7/2 5 4/3 0 1 | ").count(), 4, "{means}");
    assert!(ratios.starts_with("Ratios to misplaced+astar over the boards that both solved"));
    // Three other pairs in each set, each with four numbers.
    assert_eq!(ratios.lines().count(), 2 + 2 + 2 * 3 * 4, "{ratios}");
    let json = place.json("out.json");
    assert_eq!(json["rows"][7]["set"], "8 6 7/2 5 4/3 0 1");
    assert_eq!(json["rows"][7]["goal"], "1 2 3/4 5 6/7 8 0");
    assert_eq!(json["sets"][1]["optima"], serde_json::json!([31]));
}

#[test]
fn sets_of_other_goals_and_shapes_are_compared() {
    let place = TestFolder::new();
    let sets =
        ["--boards", "1 2 0/4 5 3/7 8 6", "--boards", "1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15"];
    let how = ["compare", "--heuristics", "walking-distance", "--csv", "-"];
    let run = place.good(&[&how[..], &sets].concat());
    let ends: Vec<_> =
        run.stdout.lines().skip(1).map(|line| line.contains(",optimal,2,2,0,2,0,2,")).collect();
    assert_eq!(ends, [true, true], "{run:?}");
    assert!(run.stderr.contains("boards of 1 2 0/4 5 3/7 8 6: 1, goal: blank-last\n"), "{run:?}");
}

#[test]
fn each_weight_makes_a_pair() {
    let place = TestFolder::new();
    let how =
        ["compare", "-q", "--size", "3x3", "--boards", "random:5:1", "--heuristics", "manhattan"];
    let searches = ["--searches", "astar,weighted-astar,weighted-astar:5,ida,weighted-ida"];
    let run =
        place.good(&[&how[..], &searches, &["--weights", "1.5,2,5", "--charts", "."]].concat());
    let names: Vec<_> =
        run.stdout.lines().skip(2).map(|line| line.split('|').nth(2).unwrap().trim()).collect();
    let all = words(
        "astar weighted-astar:3/2 weighted-astar:2 weighted-astar:5 ida weighted-ida:3/2 \
        weighted-ida:2 weighted-ida:5",
    );
    assert_eq!(names, all);
    let chart = fs::read_to_string(place.path("weights.svg")).unwrap();
    assert!(chart.contains(">3/2</text>") && chart.contains("manhattan, weighted-ida"), "{chart}");
    refused(&["--weights", "1,2", "--searches", "astar,ida"], "no search that takes one");
    refused(&["--weights", "1,1/2"], "'1/2' for '--weight <W>'");
}

#[test]
fn result_on_standard_output_is_the_only_output() {
    let place = TestFolder::new();
    let how = ["compare", "-q", "--boards", "1 2 3/4 5 6/7 0 8", "--heuristics", "manhattan"];
    for name in ["-", "/dev/stdout"] {
        let run = place.command(&[&how[..], &["--json", name]].concat()).output().unwrap();
        assert_eq!((run.status.code(), &run.stderr[..]), (Some(0), &b""[..]), "{run:?}");
        let json: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(json["rows"][0]["samples"].as_array().unwrap().len(), 1);
        assert!(run.stdout.ends_with(b"\n"));
    }
    let run = place.run(&[&how[..], &["--csv", "-", "--json", "out.json"]].concat());
    assert_eq!((run.code, run.stdout.lines().count()), (Some(0), 2), "{run:?}");
    let line = run.stdout.lines().nth(1).unwrap();
    assert!(line.contains("1 2 3/4 5 6/7 0 8,manhattan,ida,optimal,1,1,0,1,0,1,"), "{run:?}");
    assert_eq!(names(place.folder.path()), ["out.json"]);
    refused(&["--csv", "-", "--json", "-"], "name another file");
    let problem = "--csv and --report both name standard output";
    refused(&["--report", "/dev/stdout", "--csv", "-"], problem);
    refused(&["--csv", "a", "--report", "a"], "--csv and --report both name a, which takes");
    let run = place.run(&[&how[..], &["--report", "-"]].concat());
    assert!(run.stdout.starts_with("<!DOCTYPE html>") && run.stdout.ends_with("</html>\n"));
}

#[test]
fn unwritable_result_is_refused_before_the_search() {
    let place = TestFolder::new();
    place.write("file", b"");
    for option in ["--csv", "--json", "--report"] {
        // The search of these boards would take a day.
        let how = ["compare", "--boards", "korf100", "--heuristics", "misplaced"];
        place
            .run(&[&how[..], &[option, "file/out"]].concat())
            .says(1, "error: cannot write file/out: Not a directory");
    }
    let run = place.run(&["compare", "--boards", "korf100", "--json", "."]);
    let problem = "error: cannot write a result to .: expected a file, found a folder; name a file, or \
        - for standard output\n";
    assert_eq!(run, ended(2, "", problem));
}

#[test]
fn limit_or_unsolvable_board_exits_1() {
    let place = TestFolder::new();
    let run = place.run(&words("compare --boards korf100 --node-limit 100 --heuristics manhattan"));
    run.prints(1, "0/100");
    let run = place.run(&["compare", "--boards", "1 2 3/4 5 6/8 7 0", "--heuristics", "manhattan"]);
    let reason = "1 of the boards cannot be solved: no moves lead to the goal 1 2 3/4 5 6/7 8 0";
    assert!(run.prints(1, "0/1").stderr.contains(reason));
}

#[test]
fn unknown_names_boards_and_weights_are_refused() {
    refused(&["--heuristics", "manhatan"], "expected misplaced, gaschnig, manhattan");
    let known = "walking-inversion, 5-5-5, 5-5-5-collapsed, 6-6-3, 6-6-3-collapsed, 7-8, \
                 7-8-collapsed, 7-8-dual, 7-8-max, coloured, coloured-max, coloured-max-5, fringe, \
                 fringes, a spec file, or max(..) of several";
    refused(&["--heuristics", "7-9"], known);
    let known = "walking-inversion, 4-4, fringe, whole, a spec file";
    refused(&["--size", "3x3", "--heuristics", "5-5-5"], known);
    refused(&["--heuristics", "max(manhattan"], "all brackets closed");
    refused(&["--heuristics", "nothing.toml"], "cannot read nothing.toml");
    refused(&["--searches", "astarr"], "expected one of breadth-first, greedy, astar");
    refused(&["--searches", "weighted-ida:1/2"], "1/2");
    refused(&["--weight", "0"], "'0' for '--weight <W>'");
    refused(&["--baseline", "misplaced+ida"], "no pair of heuristic and search is called");
    refused(&["--boards", "random:0:1"], "1 to 1000000 boards");
    refused(&["--boards", "random"], "walk:STEPS:N:SEED, optimum:LO..HI:N:SEED, hardest, korf100");
    refused(
        &["--boards", "randomly:10:1"],
        "nor is there a file or a set of boards with this name; sets are random:N:SEED, walk",
    );
    refused(&["--boards", "missing.txt"], "cannot read missing.txt");
    refused(&["--boards", "/dev/zero"], "line 1 has more than 1048576 bytes");
    refused(&["--boards", "korf100", "--heuristics", "8/4-4"], "4x4");
}

/// The tests of `tilebase-compare` have such names in reports and charts.
#[test]
fn names_cannot_control_the_terminal_or_break_the_table() {
    let place = TestFolder::new();
    let spec = "title = \"t\"\ngoal = \"1 2 3/4 5 6/7 8 0\"\npartition = \"A A A/A B B/B B .\"\n";
    let name = "a\u{1b}[2J|<b>.toml";
    place.write(name, spec.as_bytes());
    let run = place.run(&["compare", "--boards", "8 6 7/2 5 4/3 0 1", "--heuristics", name]);
    let run = run.prints(0, "| a\u{fffd}[2J\\|<b>.toml | ida");
    assert!(run.stderr.contains("boards: 1, goal: blank-last\n"), "{run:?}");
    assert!(!(run.stdout + &run.stderr).contains('\u{1b}'));
}

/// Returns the cells of a line of a table, or the line itself.
fn cells(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

#[test]
fn comparing_page_shows_the_output() {
    let page = include_str!("../../../../docs/comparing.md");
    let (_, section) = page.split_once("\n## One command\n").unwrap();
    let (_, rest) = section.split_once("```sh\ntilebase ").unwrap();
    let (command, rest) = rest.split_once("\n```\n").unwrap();
    let (_, rest) = rest.split_once("```text\n").unwrap();
    let (shown, _) = rest.split_once("```\n").unwrap();
    let place = TestFolder::new();
    let command = command.replace("\\\n", "");
    let run = place.good(&command.split_whitespace().collect::<Vec<_>>());
    // Columns are wider where times are; the page omits the times.
    let is_rule = |line: &&str| !line.is_empty() && !line.starts_with("| ---");
    let mut printed = run.stdout.lines();
    let mut count = 0;
    for line in shown.lines().filter(is_rule) {
        assert!(printed.any(|other| cells(other) == cells(line)), "{line}\n\n{}", run.stdout);
        count += 1;
    }
    assert!(count > 15, "{count}");
    assert_eq!(names(place.folder.path()), ["boards.csv", "report.html"]);
}

#[test]
fn comparing_page_shows_the_branching_factors() {
    let page = include_str!("../../../../docs/comparing.md");
    let (_, section) = page.split_once("\n## Two branching factors\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let lines: Vec<_> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let lines: Vec<Vec<&str>> = lines.into_iter().map(cells).collect();
    let searches: Vec<&str> = lines.iter().map(|line| line[1]).collect();
    assert!(searches.len() >= 7 && searches.contains(&"ida"), "{searches:?}");
    let place = TestFolder::new();
    let how = ["compare", "-q", "--boards", "15 0 14 13/1 3 2 4/7 8 6 5/11 9 10 12"];
    let rest =
        ["--heuristics", "manhattan", "--searches", &searches.join(","), "--json", "out.json"];
    place.good(&[&how[..], &rest].concat());
    let json = place.json("out.json");
    for (row, line) in json["rows"].as_array().unwrap().iter().zip(&lines) {
        let number = |key: &str| row["summary"][key].as_f64().unwrap();
        let shown = |place: usize| line[place].replace(',', "").parse::<f64>().unwrap();
        assert_eq!(row["search"], line[1]);
        for (place, key) in [(2, "length"), (3, "generated"), (5, "expanded")] {
            assert!((number(key) - shown(place)).abs() < 0.5, "{key}: {line:?}");
        }
        for (place, key) in [(4, "branching"), (6, "branching_expanded")] {
            assert!((number(key) - shown(place)).abs() <= 0.000_05, "{key}: {line:?}");
        }
    }
    assert_eq!(json["optima"], serde_json::json!([51]));
}

#[test]
fn comparison_by_slides_has_lengths_and_estimates_in_slides() {
    let place = TestFolder::new();
    let specs = ["manhattan", "generated/3x3/coloured-1-3-4"];
    let how =
        ["compare", "-q", "--metric", "MTM", "--size", "3x3", "--boards", "8 6 7/2 5 4/3 0 1"];
    let rest = ["--heuristics", &specs.join(","), "--json", "out.json", "--report", "report.html"];
    let run = place.good(&[&how[..], &rest].concat());
    assert!(!run.stdout.contains("above best"), "{run:?}");
    let json = place.json("out.json");
    for (row, spec) in json["rows"].as_array().unwrap().iter().zip(specs) {
        assert_eq!((&row["heuristic"], &row["metric"]), (&spec.into(), &"mtm".into()));
        let sample = &row["samples"][0];
        assert_eq!((&sample["length"], &sample["end"]), (&20.into(), &"optimal".into()));
        assert!(sample["estimate"].as_u64().unwrap() <= 20, "{sample}");
    }
    let report = fs::read_to_string(place.path("report.html")).unwrap();
    assert!(report.contains("a slide of several tiles is one move"), "{report}");
    // Without a list, the first spec of the shape.
    let run = place.run(&["compare", "-q", "--metric", "mtm", "--size", "2x3"]);
    run.prints(0, "| generated/2x3/coloured-1-1-1-2 | ida");
}

#[test]
fn heuristics_and_searches_that_count_no_slides_are_refused_before_a_build() {
    let place = TestFolder::new();
    for (arguments, problem) in [
        (
            &["compare", "--heuristics", "coloured,7-8"][..],
            "7-8 does not bound slides of several tiles: expected tables of coloured tiles, such as \
             15/coloured, or manhattan",
        ),
        (
            &["solve", "--spec", "max(15/coloured, pairwise)", "random:1:1"],
            "pairwise does not bound slides of several tiles",
        ),
        (&["rate", "15/5-5-5", "--sample"], "15/5-5-5 does not bound slides of several tiles"),
        (
            &["compare", "--heuristics", "coloured", "--searches", "ida,astar"],
            "astar counts moves of single tiles",
        ),
    ] {
        place.run(&[arguments, &["--metric", "mtm"]].concat()).says(2, problem);
        assert!(!place.db().exists() || names(&place.db()).is_empty(), "{arguments:?}");
    }
}

#[test]
fn rated_boards_of_a_file_give_the_shape_and_the_goal() {
    let place = TestFolder::new();
    let boards = place.write("g.csv", b"board,goal\n103824765,snail\n123084765,snail\n");
    let rate = ["rate", "manhattan", "--boards", &boards];
    place.run(&rate).prints(0, "(2 boards)");
    assert_eq!(place.run(&[&rate[..], &["--size", "4x4"]].concat()).code, Some(2));
}
