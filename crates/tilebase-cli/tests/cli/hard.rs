//! Checkpoints, shards and merging with the real binary.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::TestFolder;

/// The goal has the blank first. The board takes 55 moves, and Manhattan distance some ten million
/// nodes.
const HARD: &str = "13 5 4 10/9 12 8 14/2 3 7 1/0 15 11 6";
const HOW: [&str; 9] = [
    "--quiet",
    "solve",
    HARD,
    "--spec",
    "manhattan",
    "--goal",
    "blank-first",
    "--format",
    "ndjson",
];

fn solve<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&HOW[..], more].concat()
}

/// Returns the lines of a checkpoint with the nodes of each bound.
fn bounds(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| line.contains("bound_done")).map(str::to_owned).collect()
}

/// Returns the bounds of a search that was not interrupted.
fn expected(place: &TestFolder) -> Vec<String> {
    let run = place.good(&solve(&["--checkpoint", "whole", "--packets", "200"]));
    assert!(run.stdout.contains("\"status\":\"optimal\",\"length\":55"), "{run:?}");
    let again = place.run(&solve(&["--checkpoint", "whole"]));
    assert_eq!((again.code, again.stdout), (Some(0), run.stdout), "a solved board stays solved");
    bounds(&place.path("whole"))
}

#[test]
fn killed_search_resumes_from_its_checkpoint() {
    let place = TestFolder::new();
    let expected = expected(&place);
    let begun = Instant::now();
    for milliseconds in (20..).step_by(30) {
        let mut child = place.start(&solve(&["--checkpoint", "c", "--packets", "200"]));
        sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        if child.code() == Some(0) || begun.elapsed() > Duration::from_secs(20) {
            break;
        }
    }
    let run = place.run(&solve(&["--checkpoint", "c"]));
    assert!(run.stdout.contains("\"status\":\"optimal\",\"length\":55"), "{run:?}");
    assert_eq!(bounds(&place.path("c")), expected);
}

/// The first of Korf's 24-puzzles, which takes 95 moves.
const HARDER: &str = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";

/// Returns the moves of the best known solution in a checkpoint.
fn known(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let (_, rest) = text.split_once("\"known\":\"")?;
    Some(rest.split_once('"').expect("a string ends").0.to_owned())
}

#[test]
fn ended_search_resumes_with_its_best_solution() {
    let place = TestFolder::new();
    let mut how = solve(&["--checkpoint", "c", "--time-limit", "1s"]);
    how[2] = HARDER;
    assert_eq!(place.run(&how).code, Some(1));
    let kept = known(&place.path("c")).expect("the file has a solution");
    // The limit leaves no time for another solution.
    *how.last_mut().unwrap() = "1ms";
    let run = place.run(&how).prints(1, "\"status\":\"solved\"");
    run.prints(1, &format!("\"length\":{},", kept.len())).prints(1, &format!("\"{kept}\""));
    assert_eq!(known(&place.path("c")), Some(kept.clone()));
    let best = format!("best known solution, {} moves (not proved: at least ", kept.len());
    let run = place.run(&["merge", "c", "--into", "d", "--incomplete"]).prints(0, &best);
    run.prints(0, &format!(" are needed): {kept}\n"));
    assert_eq!(known(&place.path("d")), Some(kept));
}

#[test]
fn merged_shards_have_the_counts_of_one_search() {
    let place = TestFolder::new();
    let expected = expected(&place);
    let shards = ["1/3", "2/3", "3/3"];
    for round in 0.. {
        assert!(round < 20);
        let mut merge = vec!["--quiet", "merge", "--into", "all"];
        for (shard, file) in shards.into_iter().zip(["a", "b", "c"]) {
            if round > 0 {
                fs::copy(place.path("all"), place.path(file)).unwrap();
            }
            let share = ["--checkpoint", file, "--packets", "20", "--shard", shard];
            let run = place.good(&solve(&share));
            if run.stdout.contains("\"status\":\"shard\"") && file != "a" {
                let too_few = place.run(&["--quiet", "merge", file, "--into", "few"]);
                too_few.says(1, "search the shards that hold them");
                assert!(!place.path("few").exists());
            }
            fs::copy(place.path(file), place.path(&format!("{file}{round}"))).unwrap();
            merge.push(file);
        }
        let run = place.good(&merge);
        // Merging again, or merging only a part, changes nothing.
        let merged = fs::read(place.path("all")).unwrap();
        assert_eq!(place.run(&merge).code, Some(0));
        let part = ["--quiet", "merge", "--incomplete", "b", "--into", "all"];
        assert_eq!(place.run(&part).code, Some(0));
        assert!(fs::read(place.path("all")).unwrap() == merged, "it was changed");
        if run.stdout.starts_with("55 moves: ") {
            break;
        }
        assert!(run.stdout.starts_with("bound "), "{run:?}");
    }
    assert_eq!(bounds(&place.path("all")), expected);
    // Shards of an earlier bound do not restart it.
    let merged = fs::read(place.path("all")).unwrap();
    for stale in [&["a0", "b0", "c0"][..], &["--incomplete", "a0"]] {
        let problem = "error: all: it holds the solution, at bound 55, further on than bound ";
        place.run(&[&["merge", "--into", "all"], stale].concat()).says(1, problem);
        assert!(fs::read(place.path("all")).unwrap() == merged, "it was changed");
    }
    let run = place.run(&solve(&["--checkpoint", "all"]));
    assert!(run.stdout.contains("\"status\":\"optimal\",\"length\":55"), "{run:?}");
}

#[test]
fn foreign_checkpoint_is_refused_and_kept() {
    let place = TestFolder::new();
    let limit = ["--checkpoint", "c", "--packets", "50", "--node-limit", "3000000"];
    assert_eq!(place.run(&solve(&limit)).code, Some(1));
    let good = fs::read(place.path("c")).unwrap();
    // The tests of the library damage it in other ways.
    for (bytes, problem) in
        [(&b""[..], "it is no checkpoint"), (&good[..good.len() - 1], "it is cut short or damaged")]
    {
        let path = place.write("bad", bytes);
        for command in [solve(&["--checkpoint", &path]), vec!["merge", &path, "--into", "merged"]] {
            let run = place.run(&command).says(1, "PLACE/bad: it cannot be resumed: ");
            run.says(1, problem);
        }
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    for (arguments, problem) in [
        (["1 0 2/3 4 5/6 7 8", "manhattan", "blank-first", "50"], "the board is "),
        ([HARD, "linear-conflict", "blank-first", "50"], "the heuristic is manhattan"),
        ([HARD, "manhattan", "blank-first", "51"], "the number of packets to a bound is 50"),
    ] {
        let [board, spec, goal, packets] = arguments;
        let line = format!(
            r#"solve "{board}" --spec {spec} --goal {goal} --packets {packets} --checkpoint c"#
        );
        let run = place.run(&super::words(&line)).says(1, "c is a checkpoint of another search: ");
        run.says(1, problem).says(1, "; the file was not changed; name another file");
        assert_eq!(fs::read(place.path("c")).unwrap(), good);
    }
}

#[test]
fn checkpoint_takes_one_board_and_shard_needs_checkpoint() {
    let place = TestFolder::new();
    for (arguments, problem) in [
        (
            &["1 0/3 2", "0 1/3 2", "--checkpoint", "c"][..],
            "a checkpoint holds the search of one board",
        ),
        (&["1 0/3 2", "--shard", "1/2"], "--checkpoint <FILE>"),
        (&["1 0/3 2", "--checkpoint", "c", "--shard", "0/2"], "such as 1/4 to 4/4"),
        (&["1 0/3 2", "--checkpoint", "c", "--shard", "3/2"], "such as 1/4 to 4/4"),
        (
            &["1 0/3 2", "--checkpoint", "c", "--packets", "0"],
            "expected a whole number from 1 to 1000000",
        ),
        (&["1 0/3 2", "--checkpoint", "c", "--mode", "plain"], "cannot be used with"),
    ] {
        place.run(&[&["solve"], arguments].concat()).says(2, problem);
        assert!(!place.path("c").exists());
    }
    // No folder is created for a checkpoint.
    place.good(&["solve", "1 0/3 2", "--checkpoint", "whole"]);
    for nowhere in ["no/c", "no/no/c"] {
        for command in [&["solve", "1 0/3 2", "--checkpoint"][..], &["merge", "whole", "--into"]] {
            let run = place.run(&[command, &[nowhere]].concat());
            let problem = "choose another place with --";
            assert!(run.code != Some(0) && run.stderr.contains(problem), "{run:?}");
            assert!(!place.path("no").exists());
        }
    }
    place.run(&["solve", "2 1 3/4 5 6/7 8 0", "--checkpoint", "c"]).prints(1, "unsolvable: ");
    assert!(!place.path("c").exists());
}
