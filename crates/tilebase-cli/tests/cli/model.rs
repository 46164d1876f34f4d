//! `tilebase model`: boards as files for solvers, and refused requests.

use std::fs;

use tilebase::{Board, Goal};
use tilebase_model::pddl;

use super::{TestFolder, ended, records};

pub(crate) const BOARD: &str = "5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12";

#[test]
fn file_name_chooses_the_format() {
    let place = TestFolder::new();
    for (name, format, begins) in [
        ("board.lp", "lp", "\\ The sliding-tile puzzle"),
        ("board.mps", "mps", "* The sliding-tile puzzle"),
        ("board.gms", "gams", "* The sliding-tile puzzle"),
        ("board.json", "json", "{\"format\":\"tilebase-model\",\"version\":1,"),
    ] {
        let run = place.run(&["model", BOARD, "--horizon", "11", "--out", name]);
        assert!(run.stderr.starts_with(&format!("{name}: ")), "{run:?}");
        assert!(run.stderr.ends_with("B, 242 variables, 672 rows\n"), "{run:?}");
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
        let text = fs::read_to_string(place.path(name)).unwrap();
        assert!(text.starts_with(begins), "{name}");
        // Standard output gets the same text.
        let printed = place.run(&["model", BOARD, "--horizon", "11", "--format", format]);
        assert_eq!(printed, ended(0, &text, ""));
    }
    place
        .run(&["model", BOARD, "--horizon", "11", "--out", "board.txt"])
        .says(2, "expected a name that ends in .lp, .mps, .gms, .json or .pddl");
    assert!(!place.path("board.txt").exists());
    place.good(&["model", BOARD, "--horizon", "11", "--out", "board.txt", "--format", "lp"]);
}

#[test]
fn planners_get_a_domain_and_a_problem() {
    let place = TestFolder::new();
    let board: Board = BOARD.parse().unwrap();
    let problem = pddl::problem(&board, &Goal::blank_last(board.shape())).unwrap();
    assert_eq!(place.run(&["model", BOARD, "--format", "pddl"]), ended(0, &problem, ""));
    let domain = ["model", BOARD, "--format", "pddl-domain"];
    assert_eq!(place.run(&domain), ended(0, pddl::DOMAIN, ""));
    let run = place.run(&["model", BOARD, "--out", "problem.pddl"]);
    assert!(run.stderr.starts_with("problem.pddl: ") && run.stderr.ends_with(" kB\n"), "{run:?}");
    assert_eq!(fs::read_to_string(place.path("problem.pddl")).unwrap(), problem);
    place.good(&[&domain[..], &["--out", "domain.pddl"]].concat());
    assert_eq!(fs::read_to_string(place.path("domain.pddl")).unwrap(), pddl::DOMAIN);
    for words in [["--horizon", "11"], ["--form", "neos"]] {
        let run = place.run(&[&["model", BOARD, "--out", "other.pddl"], &words[..]].concat());
        run.says(2, "--form and --horizon are for integer programs: omit them");
    }
    place.run(&["model", "2 1 3/4 5 6/7 8 0", "--out", "other.pddl"]).says(1, "is odd");
    assert!(!place.path("other.pddl").exists());
}

#[test]
fn default_horizon_is_the_manhattan_distance() {
    let place = TestFolder::new();
    let named = place.run(&["model", BOARD, "--horizon", "11"]);
    let auto = place.run(&["model", BOARD]);
    assert_eq!(auto.stdout, named.stdout);
    assert_eq!(
        auto.stderr,
        "note: the horizon is 11, the Manhattan distance, which is a lower bound; if a solver finds \
         no solution, solutions have 13 moves or more\n"
    );
    let none =
        "note: this model has no solution: solutions of this board may have 11, 13, 15 .. moves\n";
    for (form, horizon, note) in
        [("flow", "0", none), ("flow", "12", none), ("flow", "13", ""), ("neos", "12", "")]
    {
        let run = place.run(&["model", BOARD, "--form", form, "--horizon", horizon]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), note), "{form} {horizon}");
        assert!(run.stdout.contains("Subject To\n") && run.stdout.ends_with("End\n"));
    }
    // A solved board has no message.
    let run = place.run(&["model", "1 2 3/4 5 6/7 8 0"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn impossible_model_is_refused_with_the_reason() {
    let place = TestFolder::new();
    let unsolvable = ["model", "1 2 3/4 5 6/8 7 0", "--out", "a.lp", "--horizon", "31"];
    place.run(&unsolvable).says(1, "the permutation of tiles and blank is odd");
    assert!(!place.path("a.lp").exists());
    for (arguments, told) in [
        (&["--horizon", "1000000"][..], "use a horizon of at most 1983"),
        (&["--horizon", "1000000", "--form", "neos"], "use a horizon of at most 52631"),
        (&["--horizon", "many"], "expected a number of moves, or auto"),
        (&["--form", "sat"], "[possible values: flow, neos]"),
        (&["--goal", "1 2/3 0"], "expected a 2x2 board, found one of 4x4"),
        (&["--format", "cnf"], "possible values: lp, mps, gams, json, pddl, pddl-domain"),
    ] {
        place.run(&[&["model", BOARD, "--out", "a.lp"], arguments].concat()).says(2, told);
        assert!(!place.path("a.lp").exists());
    }
}

#[test]
fn built_in_solver_proves_a_shortest_solution() {
    let place = TestFolder::new();
    let answer = "4 moves: RULL\noptimal: no solution has fewer moves than the Manhattan distance\n\
                  solver microlp, form flow, ";
    let run = place.run(&["model", "1 2 3/5 0 6/4 7 8", "--solve"]).prints(0, answer);
    assert!(run.stdout.ends_with("\nsearch: the optimum is 4 moves, which agrees\n"), "{run:?}");
    // The solution has more moves than the Manhattan distance, so the proof is that shorter
    // horizons have no solution.
    let run = place.good(&["model", "3 1 2/4 5 0", "--goal", "1 2 3/4 5 0", "--solve", "--quiet"]);
    assert!(run.stdout.contains("moves, and none has fewer\n"), "{run:?}");
    assert!(run.stdout.contains(", which agrees\n"), "{run:?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn solver_answer_is_written_as_a_record() {
    let place = TestFolder::new();
    let how = ["model", BOARD, "--solve", "--format", "json", "--horizon", "9", "--quiet"];
    let record = &records(&place.run(&how).prints(1, "").stdout)[0];
    assert_eq!((&record["status"], &record["proved"]), (&"infeasible".into(), &false.into()));
    assert_eq!((&record["agrees_with_search"], &record["lower_bound"]), (&true.into(), &11.into()));
    let horizon = &record["horizons"][0];
    assert_eq!((&horizon["status"], &horizon["variables"]), (&"infeasible".into(), &2400.into()));
}
