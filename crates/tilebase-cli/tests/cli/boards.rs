//! Boards in every notation, from every source.

use super::solve::{HARD, HARD_ANSWER};
use super::{TestFolder, ended};

/// The board drawn; the tests of the library read all notations.
const DRAWN: &str = "+---+---+---+\n| 8 | 6 | 7 |\n+---+---+---+\n| 2 | 5 | 4 |\n+---+---+---+\n| 3 |   | 1 |\n\
     +---+---+---+";

#[test]
fn boards_are_read_from_argument_file_and_input() {
    let place = TestFolder::with_tables("8/whole");
    let answer = ended(0, &format!("{HARD}: {HARD_ANSWER}"), "");
    assert_eq!(place.run(&["solve", "-q", DRAWN]), ended(0, HARD_ANSWER, ""));
    let file = place.write("board.txt", DRAWN.as_bytes());
    assert_eq!(place.run(&["solve", "-q", &file]), answer);
    let cells = ["solve", "-q", "8", "6", "7/2", "5", "4/3", "_", "1"];
    assert_eq!(place.run(&cells), ended(0, HARD_ANSWER, ""));
    for arguments in [&["solve", "-q"][..], &["solve", "-q", "-"]] {
        assert_eq!(place.run_with_input(arguments, DRAWN.as_bytes()), answer);
    }
}

#[test]
fn ambiguous_board_is_refused_unless_the_size_decides() {
    let place = TestFolder::new();
    let board = "1 2 3 4 5 6 7 8 9 10 0 11";
    place.run(&["solve", board]).says(2, "12 cells").says(2, "2x6").says(2, "size");
    place.run(&["solve", "1 2|3 4\n5 6|7 0"]).says(2, "1 2/3 4/5 6/7 0").says(2, "1 2 3 4/5 6 7 0");
    let sized = place.run(&["solve", "-q", "--spec", "manhattan", "--size", "3X4", board]);
    assert_eq!(sized, ended(0, "1 move: L\n", ""));
}

#[test]
fn named_sets_are_solved() {
    let place = TestFolder::new();
    // Korf's boards have a goal with the blank first.
    let korf = place.run(&["solve", "-q", "--spec", "manhattan", "--node-limit", "9", "korf100"]);
    assert_eq!(korf.prints(1, "").stdout.matches("stopped by the node limit").count(), 100);
    // The boards have the shape of the spec with this short name.
    let how = ["solve", "-q", "--spec", "5-5-5", "--node-limit", "9", "--format", "ndjson"];
    let run = place.run(&[&how[..], &["random:1:1"]].concat());
    run.prints(1, "\"spec\":\"15/5-5-5\",\"status\":\"limit\"");
}

#[test]
fn steps_format_shows_each_board() {
    let place = TestFolder::new();
    let board = "1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15";
    let solved = place.run(&["solve", "-q", "--spec", "manhattan", "--format", "steps", board]);
    let expected = "3 moves

   1  2  3  4
   5  6  7  8
   9 10 11 12
   . 13 14 15

1 to 3: LLL

   1  2  3  4
   5  6  7  8
   9 10 11 12
  13 14 15  .
";
    assert_eq!(solved, ended(0, expected, ""));
}

#[test]
fn verbose_reports_each_bound() {
    let place = TestFolder::new();
    let solved = place.run(&["solve", "-v", "--spec", "manhattan", "1 2 3/4 5 6/0 7 8"]);
    let expected = "bound 2: 5 generated, 2 expanded
initial estimate 2, 5 generated, 2 expanded, T s, spec manhattan, goal blank-last
";
    assert_eq!(solved, ended(0, "2 moves: LL\n", expected));
}
