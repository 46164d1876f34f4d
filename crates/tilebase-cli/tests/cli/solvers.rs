//! `tilebase model --solve` and `--solution`: refused requests, proofs, and an interrupt.

use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use tilebase::text::parse_moves;
use tilebase::{Board, Goal};
use tilebase_model::{Form, encode};

use super::model::BOARD;
use super::{TestFolder, records};

#[test]
fn unsupported_request_is_refused_with_advice() {
    let place = TestFolder::new();
    for (words, code, says) in [
        (&["--solution", "board.sol"][..], 2, "cannot be used with"),
        (&["--first"], 2, "needs a horizon"),
        (&["--horizon", "1000000"], 2, "use a horizon of at most 1983"),
        (&["--format", "lp"], 2, "expected --format text or json"),
        (&["--out", "board.lp"], 2, "cannot be used with"),
    ] {
        place.run(&[&["model", BOARD, "--solve"], words].concat()).says(code, says);
    }
    place.run(&["model", BOARD, "--no-search"]).says(2, "<--solve|--solution <FILE>>");
    // Parity decides before any solver runs.
    let unsolvable = ["model", "2 1 3/4 5 6/7 8 0", "--solve"];
    place.run(&unsolvable).prints(1, "unsolvable: no sequence of moves leads to the goal");
}

#[test]
fn interrupted_solver_ends_and_writes_its_bound() {
    let place = TestFolder::new();
    // The solver would take a day.
    let hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let child = place.start(&["model", hard, "--solve", "--form", "neos"]);
    // After a second or a line of progress, the model is made and the solver runs.
    thread::sleep(Duration::from_secs(1));
    child.send(Signal::INT);
    let run = child.rest();
    let limit = "limit: stopped by the interrupt, at least 58 moves are needed\n";
    assert_eq!((run.code, run.stdout.starts_with(limit)), (Some(130), true), "{run:?}");
}

#[test]
fn impossible_horizon_is_reported() {
    let place = TestFolder::new();
    let board = "1 2 3/0 5 6/4 7 8";
    let lengths = "solutions of this board may have 3, 5, 7 .. moves";
    let first = ["model", board, "--solve", "--first", "--horizon", "80"];
    place.run(&first).says(2, &format!("error: this model has no solution: {lengths}"));
    for (words, code) in [
        (&["--horizon", "4"][..], 1),
        (&["--horizon", "1", "--form", "neos"], 1),
        (&["--horizon", "3"], 0),
    ] {
        let run = place.run(&[&["model", board, "--solve", "--no-search"], words].concat());
        let note = format!("note: this model has no solution: {lengths}\n");
        assert_eq!((run.code, run.stderr.contains(&note)), (Some(code), code == 1), "{run:?}");
    }
}

#[test]
fn solution_of_another_solver_is_replayed() {
    let place = TestFolder::new();
    let board: Board = BOARD.parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    let write = |name, form, horizon, moves| {
        let encoded = encode(form, &board, &goal, horizon).unwrap();
        let values = encoded.values_of(&parse_moves(moves, false).unwrap()).unwrap();
        let lines = encoded.model.variables.iter().zip(values);
        let lines: Vec<_> = lines.map(|(v, value)| format!("{} {value}\n", v.name)).collect();
        place.write(name, lines.concat().as_bytes())
    };
    let shortest = write("shortest.sol", Form::Flow, 11, "RRDDDLLLUUU");
    let longer = write("longer.sol", Form::Neos, 14, "RRDDDLLLUUUDU");
    let wrong = place.write("wrong.sol", b"Infeasible - objective value 0\n");
    // The horizon is that of a file that was written without one.
    let run = place.good(&["model", BOARD, "--solution", &shortest]);
    let best =
        "11 moves: RRDDDLLLUUU\noptimal: no solution has fewer moves than the Manhattan distance\n";
    assert!(run.stdout.starts_with(best), "{run:?}");
    assert!(run.stdout.ends_with("\nsearch: the optimum is 11 moves, which agrees\n"), "{run:?}");
    let neos = ["model", BOARD, "--form", "neos", "--horizon", "14", "--solution"];
    let run = place.good(&[&neos[..], &[&longer, "--no-search"]].concat());
    assert!(run.stdout.contains("\nfound, not proved: at least 11 moves are needed\n"), "{run:?}");
    let run = place.good(&["model", BOARD, "--solution", &shortest, "--format", "json", "-q"]);
    assert_eq!(records(&run.stdout)[0]["length"], 11);
    let advice = "; choose --form and --horizon of the file that the solver has read";
    for (file, words, says) in [
        (&wrong, &[][..], "wrong.sol: line 1: expected variables of this model and their values"),
        (&shortest, &["--horizon", "13"], "shortest.sol is wrong, so it does not count: row"),
        (&longer, &[], "longer.sol: line 1: expected variables"),
    ] {
        let run = place.run(&[&["model", BOARD, "--solution", file], words].concat());
        run.says(1, says).says(1, advice);
    }
    place.run(&["model", BOARD, "--solution", "absent.sol"]).says(1, "cannot read absent.sol");
}

#[test]
fn proof_states_what_was_proved() {
    let place = TestFolder::new();
    // The Manhattan distance is 4.
    let far = ["model", "2 4 3/1 5 0", "--solve", "--form", "neos", "--horizon", "6"];
    let proved = "optimal: the solver has proved that no solution has fewer moves\n";
    place.run(&far).prints(0, proved).prints(0, ", which agrees\n");
    let least = "1 move: L\noptimal: no solution has fewer moves than the Manhattan distance\n";
    let near = ["model", "1 2/0 3", "--solve", "--form", "neos", "--horizon", "3"];
    place.run(&near).prints(0, least);
    let first = ["model", "1 2 3/4 5 6/7 0 8", "--solve", "--first", "--horizon", "13"];
    place.run(&first).prints(0, "\nfound, not proved: at least 1 move is needed\n");
}
