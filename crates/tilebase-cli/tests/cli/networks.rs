use super::{TestFolder, words};

const HARDEST: &str = "8 6 7/2 5 4/3 0 1";

#[test]
fn network_solution_is_not_called_optimal() {
    let place = TestFolder::new();
    let run = place.good(&["solve", "--spec", "net:8", "--format", "ndjson", HARDEST]);
    let has = |line: &str, parts: &[&str]| parts.iter().all(|part| line.contains(part));
    assert!(has(&run.stdout, &["\"status\":\"solved\"", "\"lower_bound\":21"]), "{run:?}");
    assert!(!run.stdout.contains("optimum") && !run.stdout.contains("optimal"), "{run:?}");
    let run = place.run(&["solve", "--spec", "net:8", HARDEST]);
    run.prints(0, "31 moves (not proved: at least 21 are needed): ");
    // Nothing is built for it. Existing tables give the optimum.
    assert!(place.tables().is_empty());
    assert_eq!(place.run(&["build", "8/whole"]).code, Some(0));
    let run = place.run(&["solve", "--spec", "net:8", HARDEST]);
    assert!(run.stdout.starts_with("31 moves: "), "{run:?}");
    let line = format!(r#"solve --spec net:8 --format ndjson "{HARDEST}" "1 2 3/4 5 6/7 0 8""#);
    let run = place.run(&words(&line));
    for (line, optimum) in run.stdout.lines().zip([31, 1]) {
        let proved = [format!("\"lower_bound\":{optimum},"), format!("\"optimum\":{optimum}}}")];
        assert!(has(line, &["\"status\":\"solved\"", &proved[0], &proved[1]]), "{line}");
    }
}

#[test]
fn named_search_takes_any_heuristic() {
    let place = TestFolder::new();
    for (spec, search, status) in [
        ("net:8", "batch-astar:50:3/2", "solved"),
        ("manhattan", "batch-astar:50", "optimal"),
        ("manhattan", "batch-astar:50:7", "solved"),
        ("manhattan", "lanes", "optimal"),
    ] {
        let how = ["solve", HARDEST, "--format", "ndjson", "--spec", spec, "--search", search];
        place.run(&how).prints(0, &format!("\"status\":\"{status}\""));
    }
    for (how, problem) in [
        (&["--search", "batch-astar:0"][..], "1 to 1000000"),
        (&["--search", "dijkstra"], "expected one of breadth-first"),
        (&["--search", "astar", "--mode", "plain"], "cannot be used with"),
        (&["--search", "astar", "--all"], "cannot be used with"),
    ] {
        place.run(&[&["solve", HARDEST, "--spec", "manhattan"][..], how].concat()).says(2, problem);
    }
    // The memory of a search has a limit.
    let line = format!(r#"solve "{HARDEST}" --spec manhattan --search astar --memory 100K"#);
    place.run(&words(&line)).prints(1, "memory");
}

#[test]
fn commands_with_proofs_refuse_networks() {
    let place = TestFolder::new();
    for command in [
        &["moves", HARDEST][..],
        &["solve", "--count", HARDEST],
        &["solve", "--mode", "plain", HARDEST],
        &["check", HARDEST, "U"],
    ] {
        let run = place.run(&[command, &["--spec", "net:8"]].concat());
        assert_ne!(run.code, Some(0), "{run:?}");
        assert!(run.stderr.contains("a learned one may be"), "{run:?}");
    }
}

#[test]
fn files_without_a_network_are_refused() {
    let place = TestFolder::new();
    place.write("bad.safetensors", b"");
    for (name, problem) in [
        ("net:bad.safetensors", "is no safetensors file"),
        ("net:nothing", "expected net:FILE"),
        ("net:15", "trained for this goal"),
    ] {
        place.run(&["solve", "--spec", name, HARDEST]).says(2, problem);
    }
}

#[test]
fn comparison_with_networks_leaves_proofs_out() {
    let place = TestFolder::new();
    let compare = |searches: &str, heuristics: &str| {
        let boards = ["--size", "3x3", "--boards", "random:20:4"];
        let what = ["--searches", searches, "--heuristics", heuristics];
        place.run(&[&["compare"][..], &boards, &what].concat())
    };
    let run = compare("astar,greedy,lanes", "manhattan, net:8, max(net:8, linear-conflict)");
    assert_eq!(run.code, Some(0), "{run:?}");
    // A header and its line; three searches with Manhattan distance, two with each network.
    assert_eq!(run.stdout.lines().count(), 2 + 3 + 2 * 2, "{run:?}");
    assert!(run.stderr.contains("lanes cannot prove anything by it"), "{run:?}");
    let run = compare("lanes,ida", "net:8");
    assert!(run.code == Some(2) && run.stderr.contains("net:8 is learned"), "{run:?}");
}
