//! Boards as people have them: every notation, from every place.

use super::solve::{HARD, HARD_ANSWER};
use super::{Place, ended};

/// The same board in other words.
const WRITINGS: [&str; 17] = [
    "8 6 7|2 5 4|3 0 1",
    "8 6 7;2 5 4;3 0 1",
    "867254301",
    "867/254/301",
    "8672543.1",
    "[[8,6,7],[2,5,4],[3,0,1]]",
    "[[8, 6, 7], [2, 5, 4], [3, null, 1]]",
    "[8,6,7,2,5,4,3,0,1]",
    "((8,6,7),(2,5,4),(3,0,1))",
    "8 6 7/2 5 4/3 x 1",
    "8 6 7/2 5 4/3 - 1",
    "8 6 7/2 5 4/3 9 1",
    "8,6,7;2,5,4;3,,1",
    "HFGBEDC.A",
    "8\t6\t7\n2\t5\t4\n3\t0\t1",
    "| 8 | 6 | 7 |\n| 2 | 5 | 4 |\n| 3 |   | 1 |",
    "+---+---+---+\n| 8 | 6 | 7 |\n+---+---+---+\n| 2 | 5 | 4 |\n+---+---+---+\n| 3 |   | 1 |\n\
     +---+---+---+",
];

#[test]
fn a_board_in_any_notation_is_an_argument_or_comes_from_a_file_or_standard_input() {
    let place = Place::new();
    assert_eq!(place.run(&["build", "8/whole"]).code, Some(0));
    let answer = ended(0, &format!("{HARD}: {HARD_ANSWER}"), "");
    for writing in WRITINGS {
        assert_eq!(place.run(&["solve", "-q", writing]), ended(0, HARD_ANSWER, ""), "{writing}");
        let file = place.write("board.txt", writing.as_bytes());
        assert_eq!(place.run(&["solve", "-q", &file]), answer, "{writing}");
        assert_eq!(place.run_with_input(&["solve", "-q"], writing.as_bytes()), answer, "{writing}");
        assert_eq!(place.run_with_input(&["solve", "-q", "-"], writing.as_bytes()), answer);
    }
}

#[test]
fn letters_and_digits_are_a_15_puzzle() {
    let place = Place::new();
    let solve = |board: &str| place.run(&["solve", "-q", "--spec", "manhattan", board]);
    let expected = "1 move: L\n";
    for board in ["123456789abcde0f", "123456789ABCDE.F", "ABCDEFGHIJKLMN_O"] {
        assert_eq!(solve(board), ended(0, expected, ""), "{board}");
    }
    assert_eq!(solve("1 2 3 4/5 6 7 8/9 10 11 12/13 14 16 15"), ended(0, expected, ""));
}

#[test]
fn grids_in_a_file_have_a_blank_line_between_them() {
    let place = Place::new();
    let grids = "# two boards\n1 2 3\n4 5 6\n7 0 8\n\n1 2 3\n4 5 6\n0 7 8\n";
    let solved = place.run_with_input(&["solve", "-q", "--spec", "manhattan"], grids.as_bytes());
    let expected = "1 2 3/4 5 6/7 0 8: 1 move: L\n1 2 3/4 5 6/0 7 8: 2 moves: LL\n";
    assert_eq!(solved, ended(0, expected, ""));
}

#[test]
fn what_could_be_read_in_two_ways_is_an_error_that_shows_both() {
    let place = Place::new();
    let refused = |board: &str, parts: &[&str]| {
        let run = place.run(&["solve", board]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        for part in parts {
            assert!(run.stderr.contains(part), "{part}: {run:?}");
        }
    };
    refused("1 2 3 4 5 6 7 8 9 10 0 11", &["12 cells", "2x6", "3x4", "4x3", "6x2", "size"]);
    refused("1 2|3 4\n5 6|7 0", &["1 2/3 4/5 6/7 0", "1 2 3 4/5 6 7 0"]);
    let sized = place.run(&["solve", "-q", "--size", "3X4", "1 2 3 4 5 6 7 8 9 10 0 11"]);
    assert_eq!((sized.code, sized.stdout.as_str()), (Some(0), "1 move: L\n"));
}

#[test]
fn a_goal_may_be_drawn_in_the_argument() {
    let place = Place::new();
    let goal = ["--goal", "8 7 6/5 4 3/2 1 0"];
    let solved = place.run(&[&["solve", "-q", "8 7 6/5 4 0/2 1 3"][..], &goal].concat());
    assert_eq!(
        (solved.code, solved.stdout.as_str()),
        (Some(0), "1 move to 8 7 6/5 4 3/2 1 0: U\n")
    );
}

#[test]
fn sets_of_boards_are_solved_by_their_names() {
    let place = Place::new();
    let arguments = ["solve", "-q", "--spec", "8/whole", "random:5:1"];
    let random = place.run(&arguments);
    assert_eq!((random.code, random.stdout.lines().count()), (Some(0), 5), "{random:?}");
    // Korf's boards have the blank first at the goal.
    let korf = place.run(&["solve", "-q", "--spec", "manhattan", "--node-limit", "9", "korf100"]);
    assert_eq!((korf.code, korf.stdout.lines().count()), (Some(1), 100), "{korf:?}");
    assert!(korf.stdout.lines().all(|line| line.contains("stopped by the node limit")));
    let solved = place.run(&["solve", "-q", "--spec", "7-8", "--format", "ndjson", "random:1:1"]);
    assert!(solved.stdout.contains("\"spec\":\"15/7-8\",\"status\":\"optimal\""), "{solved:?}");
}

#[test]
fn steps_show_the_boards_on_the_way() {
    let place = Place::new();
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
fn verbose_says_what_each_bound_took() {
    let place = Place::new();
    let solved = place.run(&["solve", "-v", "--spec", "manhattan", "1 2 3/4 5 6/0 7 8"]);
    let expected = "bound 2: 5 generated, 2 expanded
initial estimate 2, 5 generated, 2 expanded, T s, spec manhattan, goal blank-last
";
    assert_eq!(solved, ended(0, "2 moves: LL\n", expected));
}
