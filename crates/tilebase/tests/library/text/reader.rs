//! Many boards, line by line.

use pdb_core::{Board, Shape};
use pdb_oracle::Random;
use tilebase::text::{
    BoardReader, FoundBoard, ROWS_MAX, TEXT_BYTES_MAX, TextErrorKind, read_board,
};

use super::{any_board, any_shape, board, found, in_short, shape};

/// Returns the boards that a reader returns for each line and at the end.
fn steps(text: &str, shape: Option<Shape>) -> Vec<Vec<FoundBoard>> {
    let mut reader = BoardReader::new(shape);
    let mut steps: Vec<_> = text.split('\n').map(|line| reader.push(line)).collect();
    steps.push(reader.end());
    steps
}

#[track_caller]
fn reads(shape: Option<Shape>, text: &str, expected: &[&str]) {
    super::reads(BoardReader::new(shape), text, expected);
}

/// Expects that all items are found at these lines, counted from 1.
#[track_caller]
fn reads_at(shape: Option<Shape>, text: &str, expected: &[(usize, &str)]) {
    let steps = steps(text, shape);
    let found: Vec<(usize, String)> = (1..)
        .zip(&steps)
        .flat_map(|(step, found)| found.iter().map(move |found| (step, in_short(found))))
        .collect();
    let expected: Vec<_> = expected.iter().map(|&(at, text)| (at, text.to_owned())).collect();
    assert_eq!(found, expected, "{text}");
}

fn three() -> Option<Shape> {
    Shape::new(3, 3).ok()
}

#[test]
fn board_on_one_line_is_returned_at_once() {
    for size in [None, three()] {
        reads_at(
            size,
            "1 2 3/4 5 6/7 8 0\n1 2 3 4 5 6 7 0 8\n820461375\n[1,2,3,4,5,6,7,8,0]\n1 2 3|4 5 6|7 8 0",
            &[
                (1, "1: 1 2 3/4 5 6/7 8 0"),
                (2, "2: 1 2 3/4 5 6/7 0 8"),
                (3, "3: 8 2 0/4 6 1/3 7 5"),
                (4, "4: 1 2 3/4 5 6/7 8 0"),
                (5, "5: 1 2 3/4 5 6/7 8 0"),
            ],
        );
    }
}

#[test]
fn grid_is_returned_at_the_end_of_its_block() {
    let text = "1 2 3\n4 5 6\n7 8 0\n1 2 3\n4 5 6\n7 0 8\n";
    for size in [None, three()] {
        reads_at(size, text, &[(7, "1-3: 1 2 3/4 5 6/7 8 0"), (7, "4-6: 1 2 3/4 5 6/7 0 8")]);
    }
    reads_at(
        None,
        "1 2 3\n4 5 0\n\n1 2",
        &[
            (3, "1-2: 1 2 3/4 5 0"),
            (
                5,
                "4: 2 cells make no board of at least 2 rows and 2 columns: for a board of one line, 1x2 or \
                 2x1, give the size",
            ),
        ],
    );
}

#[test]
fn lines_of_four_cells_are_boards_or_rows() {
    // Two such lines cannot belong to one board, and neither can the following ones.
    reads_at(
        None,
        "1 2 3 0\n0 1 2 3\n3 2 1 0\n1 2 3 4",
        &[(5, "1: 1 2/3 0"), (5, "2: 0 1/2 3"), (5, "3: 3 2/1 0"), (5, "4: 1 2/3 0")],
    );
    reads_at(None, "1 2 3 0", &[(2, "1: 1 2/3 0")]);
    reads(None, "0 1 2 3\n4 5 6 7", &["1-2: 0 1 2 3/4 5 6 7"]);
    reads(None, "1 2 3 4\n5 6 7 0\n\n1 2 3 4", &["1-2: 1 2 3 4/5 6 7 0", "4: 1 2/3 0"]);
    reads(None, "0123\n4567\n89ab\ncdef", &["1-4: 0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15"]);
    reads(None, "1,2,3,\n4,5,6,\n7,8,0,", &["1-3: 1 2 3/4 5 6/7 8 0"]);
    reads(None, "| | 1 | 2 | 3 |\n| 4 | 5 | 6 | 7 |", &["1-2: 0 1 2 3/4 5 6 7"]);
    // With the size there is no ambiguity.
    reads_at(Some(shape(2, 2)), "1 2 3 0\n0 1 2 3", &[(1, "1: 1 2/3 0"), (2, "2: 0 1/2 3")]);
    reads_at(Some(shape(2, 4)), "0 1 2 3\n4 5 6 7", &[(3, "1-2: 0 1 2 3/4 5 6 7")]);
}

#[test]
fn bad_line_among_boards_is_one_error() {
    let good = "1 2 3/4 5 6/7 8 0";
    let nine = "1 2 3 4 5 6 7 8 0";
    for (bad, message) in [
        ("1 2 3/4 5 6/7 8 8", "tile 8 stands at..."),
        ("1 2 3 4 5 6 7 8 8", "tile 8 stands at..."),
        ("1 2 3 4 5 6 7 8 90", "row 3, column 3 holds tile 90..."),
        ("1 2 3 4 5 6 7 8", "..."),
        ("1 2 3 4 5 6 7 8 0 0", "..."),
        ("1 2 3", "..."),
        ("1 2 3/4 5 5", "..."),
        ("what is 8?", "row 1, column 1 holds \"what\"..."),
        ("[1,2]]", "..."),
        ("{}", "\"{\" is out of place..."),
        ("820461374", "tile 4 stands..."),
        ("\u{1b}", "row 1, column 1 holds \"\u{fffd}\"..."),
    ] {
        for size in [None, three()] {
            for good in [good, nine] {
                let text = format!("{good}\n{bad}\n{good}\n{good}");
                let found = found(BoardReader::new(size), &text);
                let lines: Vec<_> = found.iter().map(|f| (f.first_line, f.last_line)).collect();
                assert_eq!(lines, [(1, 1), (2, 2), (3, 3), (4, 4)], "{text}\n{found:#?}");
                let is_good: Vec<bool> = found.iter().map(|found| found.board.is_ok()).collect();
                assert_eq!(is_good, [true, false, true, true], "{text}");
                let error = found[1].board.as_ref().unwrap_err().to_string();
                if size.is_none() {
                    assert!(error.starts_with(message.trim_end_matches("...")), "{error}");
                }
            }
        }
    }
}

#[test]
fn consecutive_bad_lines_are_an_error_each() {
    let expected = ["1: tile 8...", "2: tile 8...", "3: 1 2 3/4 5 6/7 8 0"];
    reads(None, "1 2 3 4 5 6 7 8 8\n1 2 3 4 5 6 7 8 8\n1 2 3 4 5 6 7 8 0", &expected);
    let expected = ["1: a cell is missing...", "2: 7 cells make...", "3: 1 2 3/4 5 6/7 8 0"];
    reads(None, "1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7\n1 2 3 4 5 6 7 8 0", &expected);
    let expected = ["1: 1 2 3/4 5 6/7 8 0", "2: a cell is missing...", "3: 7 cells make..."];
    reads(None, "1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7", &expected);
    // Boards of four cells, by their numbers or by their neighbours.
    reads(None, "1 2 3 0\n1 2 3 3", &["1-2: tile 1..."]);
    reads(None, "1 2 3 0\n1 2 3 5\n3 2 1 0", &["1: 1 2/3 0", "2: row 2...", "3: 3 2/1 0"]);
}

#[test]
fn boards_without_a_shape_are_an_error_each() {
    let text = "1 2 3 4 5 0\n0 1 2 3 4 5\n5 4 3 2 1 6";
    let message = "6 cells make 2x3 or 3x2: separate the rows with / or give the size";
    reads_at(
        None,
        text,
        &[
            (4, &format!("1: {message}")),
            (4, &format!("2: {message}")),
            (4, &format!("3: {message}")),
        ],
    );
    reads(Some(shape(3, 2)), text, &["1: 1 2/3 4/5 0", "2: 0 1/2 3/4 5", "3: 5 4/3 2/1 0"]);
}

#[test]
fn row_of_letters_is_no_label() {
    let solved = "1-4: 1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    reads(None, "1 2 3 4\n5 6 7 8\n9 A B C\nD E F 0", &[solved]);
    reads(None, "Board 2\n1 2\n3 0\nTest case 12\n1 2\n0 3", &["2-3: 1 2/3 0", "5-6: 1 2/0 3"]);
}

#[test]
fn rows_with_a_sign_of_remarks_are_not_cut() {
    let sharp = "holds \"#\": expected a tile's number, or 0, . or _ for the blank";
    reads(None, "1 2 3 4/# 5 6 7", &[&format!("1: row 2, column 1 {sharp}")]);
    reads(None, "# 1 2/3 4 5/6 7 8", &[&format!("1: row 1, column 1 {sharp}")]);
    reads(None, "1 2 3 4\n# 5 6 7", &[&format!("1-2: row 2, column 1 {sharp}")]);
    reads(None, "ABC. // DEFG", &["1: 1 2 3 0/4 5 6 7"]);
    // Numbers in remarks, and boards that are remarks.
    reads(
        None,
        "1 2 3/4 5 0 # 31\n# 1 2/3 0\n// 1 2/3 0\n1 2/3 0",
        &["1: 1 2 3/4 5 0", "4: 1 2/3 0"],
    );
    reads(None, "1 2 # 1\n3 0 # 2", &["1-2: 1 2/3 0"]);
}

#[test]
fn line_of_words_above_a_board_is_its_title() {
    let first = "8 2 0\n4 6 1\n3 7 5";
    let second = "8 2 0\n4 6 1\n3 5 7";
    let [one, two] = [first, second].map(|rows| rows.replace('\n', "/"));
    for (title, other) in [
        ("Puzzle A", "Puzzle B"),
        ("Easy", "Hard"),
        ("Difficult", "Beginner"),
        ("15-puzzle", "8-puzzle (hard)"),
        ("A long, long title", "Hello, can you solve this?"),
        ("Größe drei", "Ein zweites"),
    ] {
        for size in [None, three()] {
            let boards = [format!("2-4: {one}"), format!("6-8: {two}")];
            let boards = [boards[0].as_str(), boards[1].as_str()];
            reads(size, &format!("{title}\n{first}\n{other}\n{second}"), &boards);
            let boards = [format!("3-5: {one}"), format!("8: {two}"), format!("10: {one}")];
            let boards = boards.each_ref().map(String::as_str);
            let text = format!("{title}\n\n{first}\n\n{other}\n{two}\n{title}\n{one}");
            reads(size, &text, &boards);
        }
        let whole = read_board(&format!("{title}\n{first}"), None);
        assert_eq!(whole, read_board(first, None), "{title}");
    }
    // The error below a title is that of the board.
    reads(None, "Easy\n8 2 0\n4 6 1\n3 7 7", &["2-4: tile 7 stands..."]);
}

#[test]
fn line_of_words_that_may_be_a_row_is_no_title() {
    // Rows of letters, and blanks.
    reads(None, "HARD\nBCA0", &["1-2: several tiles are \"A\"..."]);
    reads(None, "dead\nbef0", &["1-2: ..."]);
    reads(None, "null None null\n1 2 3\n4 5 6\n7 8 0", &["1-4: the blank stands at..."]);
    reads(None, "ABCDEFGZZ\n1 2/3 0", &["1: ...", "2: 1 2/3 0"]);
    // The board above is certain only if the one below is, without a blank line.
    let word = "row 3, column 1 holds \"Hard\"...";
    reads(None, "1 2 3\n4 5 0\nHard\n6 7 8\n9 10 11", &[&format!("1-5: {word}")]);
    reads(None, "1 2 3\n4 5 0\nHard\n\n1 2/3 0", &[&format!("1-3: {word}"), "5: 1 2/3 0"]);
    reads(None, "1 2 3\n4 5 0\nHard", &[&format!("1-3: {word}")]);
    reads(None, "1 2 3\n4 5 6\nHard\n1 2 3\n4 5 0", &[&format!("1-5: {word}")]);
    // A row may be missing here.
    let text = "Hard\n4 5 0\n1 2 3\n4 5 0\n1 2 3";
    reads(Some(shape(2, 3)), text, &["2-5: expected a 2x3 board..."]);
}

#[test]
fn board_that_is_called_a_goal_in_any_form_is_refused() {
    for name in [
        "goal = ",
        "goal_state = ",
        "endState: list = ",
        "int[][] targetBoard = ",
        "self.goal = np.array",
        "goal",
        "GOAL: ",
        "Zielzustand: ",
        "Ziel:\n",
        "solved: ",
        "final state = ",
        "private static final int[] GOAL = ",
        "## Goal\n",
        "**Goal state**\n",
        "<goal>\n",
        "--- Solved ---\n",
        "var goal []int = []int",
    ] {
        let text = format!("start = [[0,1],[2,3]]\n\n{name}([1,2,3,0])\n1 2/0 3");
        let last = 3 + name.matches('\n').count();
        let goal = format!("{last}: this is called a goal...");
        let next = format!("{}: 1 2/0 3", last + 1);
        reads(None, &text, &["1: 0 1/2 3", &goal, &next]);
    }
    let called = "this is called a goal...";
    // All boards of its array or its line are goals.
    reads(
        None,
        "goals = [[[1,2],[3,0]],\n[[1,2],\n[0,3]]]\n1 2/0 3",
        &[&format!("1: {called}"), &format!("2-3: {called}"), "4: 1 2/0 3"],
    );
    reads(None, "goals = [[1,2,3,0],[1,2,0,3],[0,1,2,3]]\n", &[format!("1: {called}").as_str(); 3]);
    reads(None, "start, goal = [0,1,2,3], [1,2,3,0]", &[format!("1: {called}").as_str(); 2]);
    // The rows above it are a board of their own.
    reads(
        None,
        "1 2 3\n4 5 0\ngoal = [[0,1,2],\n[3,4,5]]",
        &["1-2: 1 2 3/4 5 0", &format!("3-4: {called}")],
    );
    // No other name has one of these words.
    reads(None, "append([1,2,3,0])\nlegend = [1,2,0,3]", &["1: 1 2/3 0", "2: 1 2/0 3"]);
    // A keyword before a type is no name.
    for code in [
        "final int[][] board = {{1,2},{3,0}};",
        "private final int[][] tiles = new int[][]{{1,2},{3,0}};",
        "static final int[] START = {1,2,3,0};",
        "final val board: Array<IntArray> = arrayOf(intArrayOf(1, 2), intArrayOf(3, 0))",
    ] {
        reads(None, code, &["1: 1 2/3 0"]);
    }
}

#[test]
fn moves_are_no_board() {
    for name in [
        "moves: ",
        "Solution 1: ",
        "Scramble: ",
        "optimal_solution = ",
        "Lösung:\n",
        "best_moves_9 = ",
        "9 moves: ",
        "Scramble 1: ",
        "Moves: 9\n",
        "## Solution\n",
        "9 moves\n",
    ] {
        let last = 2 + name.matches('\n').count();
        let moves = format!("{last}: this is called moves, not a board...");
        let next = format!("{}: 1 2 3/4 5 0", last + 1);
        for written in ["1 4 5 2 3 6 7 8 0", "145236780", "[1,4,5,2,3,6,7,8,0]"] {
            let text = format!("8 6 7/2 5 4/3 0 1\n{name}{written}\n1 2 3/4 5 0");
            reads(None, &text, &["1: 8 6 7/2 5 4/3 0 1", &moves, &next]);
            let text = format!("8 6 7\n2 5 4\n3 0 1\n{name}{written}");
            assert_eq!(
                read_board(&text, None).map_err(|error| error.kind().clone()),
                Err(TextErrorKind::NotBoard { what: "called moves" }),
                "{text}"
            );
        }
    }
    // In a list of boards, words are a wrong line.
    reads(
        None,
        "1 2/3 0\nno board\n1 0/2 3\nFinal state\n1 2/0 3\nno board",
        &["1: 1 2/3 0", "2: row 1...", "3: 1 0/2 3", "5: this is...", "6: row 1..."],
    );
    reads(None, "1 2/3 0\nmoves: 3102\n1 2/0 3", &["1: 1 2/3 0", "2: this is...", "3: 1 2/0 3"]);
    // Rows below or beside a word and a number are a board.
    for title in ["31 moves", "Moves: 24", "Answer: 31", "Solution: 5", "Scramble 2", "24 moves:"] {
        reads(None, &format!("{title}\n1 2 3\n4 5 0"), &["2-3: 1 2 3/4 5 0"]);
        reads(None, &format!("{title}\n[[1,2],\n[3,0]]"), &["2-3: 1 2/3 0"]);
        reads(
            None,
            &format!("{title}\n1\n2\n3\n0"),
            &["2-5: this is called moves, not a board..."],
        );
    }
    reads(None, "Move 1: 1 2/3 0\nscramble 2\n1 2\n0 3", &["1: 1 2/3 0", "3-4: 1 2/0 3"]);
    reads(None, "removed = [1,2,3,0]", &["1: 1 2/3 0"]);
    // Longer words are others.
    for title in ["Endless", "pathfinder test", "Zugspitze", "Movement Lab:", "Scrambled"] {
        reads(None, &format!("{title}\n1 2 3\n4 5 0"), &["2-3: 1 2 3/4 5 0"]);
    }
}

#[test]
fn names_and_signs_around_boards_are_left_out() {
    let boards = ["2-3: 1 2/3 0", "6-7: 1 2/0 3"];
    reads(None, "START\n1 2\n3 0\nEND\nSTART\n1 2\n0 3\nEND", &boards);
    reads(None, "## Start\n1 2\n3 0\n</start>\n<start>\n1 2\n0 3\n**END**", &boards);
    reads(
        None,
        "# solution length 31\n1 2/3 0\n# the end of all\n1 2/0 3",
        &["2: 1 2/3 0", "4: 1 2/0 3"],
    );
    reads(
        None,
        "Initial state\n1 2\n3 0\nGoal state\n1 2\n0 3",
        &["2-3: 1 2/3 0", "5-6: this is called a goal..."],
    );
    assert_eq!(
        read_board("Initial state\n1 2\n3 0\nGoal state\n1 2\n0 3", None)
            .map_err(|error| error.kind().clone()),
        Err(TextErrorKind::CalledGoal)
    );
    // The sign of a list may also be the blank of a row.
    reads(None, "- 1 2/3 0\n* [1,2,3,0]", &["1: 1 2/3 0", "2: 1 2/3 0"]);
    reads(None, "- 1 2 3 4\n5 6 7 8 9", &["1-2: 0 1 2 3 4/5 6 7 8 9"]);
    // Tabs at the ends of rows are empty cells.
    reads(None, "1\t2\t3\n4\t5\t", &["1-2: 1 2 3/4 5 0"]);
}

#[test]
fn row_of_a_bad_board_is_no_board() {
    let bad = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 15";
    let good = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0";
    let solved = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    let tile = "tile 15 stands at...";
    reads(
        None,
        &format!("1 2/3 0\n{bad}\n1 2/3 0"),
        &["1: 1 2/3 0", &format!("2-5: {tile}"), "6: 1 2/3 0"],
    );
    reads(
        None,
        &format!("{good}\n{good}"),
        &[&format!("1-4: {solved}"), &format!("5-8: {solved}")],
    );
    reads(None, &format!("{good}\n{bad}"), &["1-8: tile 1 stands at..."]);
    reads(
        None,
        "4 5 6 7\n0 1 2 3\n0 1 2 3\n4 5 6 7",
        &["1-2: 4 5 6 7/0 1 2 3", "3-4: 0 1 2 3/4 5 6 7"],
    );
    reads(
        None,
        "1 2 3 4\nfive six seven eight\n9 10 11 12\n13 14 15 0",
        &["1-4: row 2, column 1 holds \"five\"..."],
    );
    reads(None, "0 1 2 3\n4567\n8 9 10 11\n12 13 14 15", &["1-4: row 2 has 1 cell..."]);
    reads(None, "[[1,2,3,4],[5,6,7,8],[9,10,11,12],[13,14,15,15]]", &[&format!("1: {tile}")]);
    // Two of three lines can only be boards.
    reads(None, "1 2 3 0\n?\n0 1 2 3", &["1: 1 2/3 0", "2: row...", "3: 0 1/2 3"]);
}

#[test]
fn bad_grid_is_one_error() {
    reads(
        None,
        "1 2 3\n4 5\n7 8 0\n\n1 2/3 0",
        &[
            "1-3: row 2 has 2 cells where the first row has 3: give every row as many cells",
            "5: 1 2/3 0",
        ],
    );
    reads(None, "1 2 3\n4 five 6\n7 8 0", &["1-3: row 2, column 2 holds \"five\"..."]);
    // A row that alone looks like a board is none.
    reads(None, "0 1 2 3\n4 5 6 6\n8 9 10 11\n12 13 14 15", &["1-4: tile 6 stands at..."]);
    reads(None, "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 15", &["1-4: tile 15 stands at..."]);
}

#[test]
fn rows_after_a_bad_grid_of_known_shape_are_skipped() {
    // The rows would form a board, but a wrong one.
    let text = "1 2 3\n4 5 6\n1 2 3\n4 5 6\n7 8 0\n1 2 3\n4 5 6\n7 8 0\n\n1 2 3\n4 5 6\n7 8 0";
    reads(three(), text, &["1-8: tile 1 stands at...", "10-12: 1 2 3/4 5 6/7 8 0"]);
    reads(
        three(),
        "1 2 3\n4 5 6\n1 2 3\n4 5 6\n1 2 3/4 5 6/7 8 0",
        &["1-4: tile 1 stands at...", "5: 1 2 3/4 5 6/7 8 0"],
    );
    reads(
        three(),
        "1 2 3\n4 5 6\n\n1 2 3\n4 5 6\n7 8 0",
        &["1-2: expected a 3x3 board, found one of 2x3", "4-6: 1 2 3/4 5 6/7 8 0"],
    );
}

#[test]
fn boards_above_a_wrong_one_are_read() {
    // The rows of 30 boards, more than wait for the end of their block.
    let board = |number: usize| format!("{}-{}: 1 2 3/4 5 6/7 8 0", number, number + 2);
    for (at, wrong) in [(23, "7 8 0 5"), (41, "7 8 0 5"), (20, "hello world"), (62, "7 8")] {
        let mut rows = ["1 2 3", "4 5 6", "7 8 0"].repeat(30);
        rows[at] = wrong;
        let complete = at / 3;
        for (given, above) in [(three(), 0), (None, 1)] {
            let mut text = ["3 3"][..above].to_vec();
            text.extend(&rows);
            let found = found(BoardReader::new(given), &text.join("\n"));
            let boards = found.iter().take_while(|found| found.board.is_ok()).map(in_short);
            let expected: Vec<String> =
                (0..complete).map(|number| board(3 * number + above + 1)).collect();
            assert_eq!(boards.collect::<Vec<_>>(), expected, "{wrong} in row {at}");
            let error = found[complete].board.as_ref().unwrap_err().to_string();
            assert!(!error.contains("unsure"), "{error}");
            assert!(found[complete..].iter().all(|found| found.board.is_err()));
        }
    }
}

#[test]
fn rows_of_two_boards_never_make_a_third() {
    let rest = "7 8 0\n1 2 3\n4 5 6";
    let unsure = "it is unsure where...";
    let one_by_one: &[&str] = &["1: 1 2 3/4 5 6/7 8 0", "2-7: tile 1..."];
    for (text, expected) in [
        ("1 2 3\nno row\n", &["1-5: row 2..."][..]),
        ("1 2 3\n456\n", &["1-5: row 2 has..."]),
        ("1 2 3\n1 2/3 0\n", &["1-5: row 2..."]),
        ("1 2 3\n[[1,2],[3,0]]\n", &["1: a 3x3...", "2: expected...", &format!("3-5: {unsure}")]),
        ("1 2 3/4 5 6/7 8 0\n1 2 3\n4 5 6\n1 2 3\n", one_by_one),
    ] {
        reads(three(), &format!("{text}{rest}"), expected);
    }
}

#[test]
fn rows_with_labels_are_one_error() {
    let error = "1: rows are read without labels...";
    let rows = |name: &str| format!("{name}1: 1 2 3\n{name}2: 4 5 6\n{name}3: 7 8 0");
    for name in ["Row ", "row #", "Row "] {
        reads(None, &rows(name), &[error]);
        reads(
            three(),
            &format!("{}\n\n1 2 3/4 5 6/7 8 0", rows(name)),
            &[error, "5: 1 2 3/4 5..."],
        );
    }
    reads(None, "Row A: 1 2 3 0\nRow B: 4 5 6 7", &[error]);
    reads(None, "Row 1\n1 2 3 0\nRow 2\n4 5 6 7", &[error, "2-4: it is unsure..."]);
    // Cells below a label may be any rows, and so may those above it.
    reads(None, "Row 1:\n1 2 3 0", &[error, "2: it is unsure where..."]);
    reads(None, "1 2 3 0\nRow 2: 4 5 6 7", &["1: it is unsure...", "2: rows are read..."]);
}

#[test]
fn rows_and_columns_of_a_spreadsheet_without_cells_are_left_out() {
    let boards = ["1-3: 8 6 7/2 5 4/3 0 1", "5-7: 1 2 3/4 5 6/7 0 8"];
    let text = "8,6,7\n2,5,4\n3,0,1\n,,\n1,2,3\n4,5,6\n7,,8";
    for beside in ["", ",,", ",,,"] {
        let text = text.split('\n').map(|row| format!("{row}{beside}")).collect::<Vec<_>>();
        for separator in [",", ";", "\t", " ; "] {
            reads(None, &text.join("\n").replace(',', separator), &boards);
            reads(three(), &text.join("\n").replace(',', separator), &boards);
        }
    }
    reads(None, "1,2\n3,0\n,\n1,2\n0,3", &["1-2: 1 2/3 0", "4-5: 1 2/0 3"]);
    reads(None, "8,6,7,2,5,4,3,0,1,,,", &["1: 8 6 7/2 5 4/3 0 1"]);
    // The blank may be the last cell.
    reads(None, "1,2,,\n3,,,\n", &["1-2: 1 2/3 0"]);
    reads(None, "1,2,3,,\n4,5,6,,\n7,8,,,\n", &["1-3: 1 2 3/4 5 6/7 8 0"]);
    // Neither rows nor columns within a board are left out.
    for text in ["1,2,3\n,,\n4,5,0", "1,,,2\n3,,,0", "8,6,7,,1\n2,5,4,,2\n3,0,1,,3"] {
        assert!(found(BoardReader::new(None), text).iter().all(|f| f.board.is_err()), "{text}");
    }
}

#[test]
fn lists_on_a_line_are_rows_or_boards() {
    let rows = "15 2 1 12/8 5 6 11/4 9 10 7/3 14 13 0";
    let board = format!("1: {rows}");
    for [open, between, close] in
        [["[", "], [", "]"], ["(", "),(", ")"], ["{", "} {", "}"], ["a = [", "],[", "];"]]
    {
        let line = format!("{open}{}{close}", rows.replace(' ', ",").replace('/', between));
        reads(None, &line, &[&board]);
        reads(None, &format!("{line}\n\n{line}"), &[&board, &format!("3: {rows}")]);
        assert_eq!(read_board(&line, None).map(|board| board.to_string()), Ok(rows.to_owned()));
    }
    reads(None, "[1,2,3,0], [0,1,2,3]", &["1: 1 2/3 0", "1: 0 1/2 3"]);
    reads(None, "[4,2,1,3], [4,2,1,3], [7,5,6,0]", &["1: tile 4 stands at row..."]);
    reads(None, "[1,2,3], [4,5,6], [7,8]", &["1: a cell is missing..."]);
    // After a comma, there are more rows, and a fault concerns all lists.
    reads(None, "[1,2,3], [4,5,6],\n[7,8,0]", &["1-2: 1 2 3/4 5 6/7 8 0"]);
    for text in [
        "[1,2,3], [4,5,6],\n[7,8]",
        "[1,2,3], [4,5,0],\n\n[7,8,6]",
        "[2,1,4,3], [7,6,5,0], 5",
        "[2,1,4,3], [7,5]]",
    ] {
        assert!(found(BoardReader::new(None), text).iter().all(|f| f.board.is_err()), "{text}");
    }
}

#[test]
fn copy_of_a_row_does_not_make_boards_of_rows() {
    for text in ["4 2 1 3\n4 2 1 3\n7 5 6 0", "7 5 6 0\n4 2 1 3\n4 2 1 3"] {
        reads(None, text, &["1-3: tile 4 stands at row..."]);
    }
    reads(None, "[[4,2,1,3],[4,2,1,3],[7,5,6,0]]", &["1: tile 4 stands at row..."]);
    reads(None, "[[4,2,1,3],[4,2,1,3]]", &["1: 0 2/1 3", "1: 0 2/1 3"]);
    // Nor does a cell too many below a wrong line of rows.
    reads(None, "0,5,6/8,7,1\n3,4,2,1", &["1-2: row 3 has 4 cells..."]);
    let tile = "3: row 1, column 1 holds tile 7: a 2x2 board...";
    reads(None, "4 2 1 3\n4 2 3 1\n7 5 6 0", &["1: 0 2/1 3", "2: 0 2/3 1", tile]);
    let many = "4 2 1 3\n".repeat(ROWS_MAX + 2);
    assert_eq!(found(BoardReader::new(None), &many).len(), ROWS_MAX + 2);
}

#[test]
fn rows_are_a_board_only_if_they_end_well() {
    let unended = "it is unsure where...";
    reads(
        None,
        "[1, 2, 3]\n[4, 5, 6]\n[, 7, 8]",
        &[&format!("1-2: {unended}"), "3: \",\" is out of place..."],
    );
    for first in ["7,6,9/11,4?,10", "8,7,11/0,10"] {
        reads(None, &format!("{first}\n2,3,1\n6,4,5"), &["1-3: row 2..."]);
    }
    let rows_below = ["1: \",\" is out of place...", "2-3: it is unsure where..."];
    reads(None, "[, 6, 7]\n[4, 1, 3]\n[0, 5, 2]", &rows_below);
    reads(None, "1,2,3,4\n5,6,7/8", &["1-2: row 2 has 3 cells..."]);
    reads(None, "'2'\n'1'\n'3'\n'4'\n''\n'5'", &["1-6: ..."]);
    reads(None, "0,5/0,5\n3,1\n2,4", &["1-3: ..."]);
    reads(None, "1 2/3 3\n1 2 3 0", &["1-2: row 3 has 4 cells..."]);
    reads(None, "1 2 3\n4 5 0\n[7", &[&format!("1-2: {unended}"), "3: the array has no end..."]);
    reads(None, "1 2 3\n4 5 0\n[[1,2],[3,0]]", &["1-2: 1 2 3/4 5 0", "3: 1 2/3 0"]);
    reads(None, "1 2 3\n4 5 0\n1 2/3 0", &["1-2: 1 2 3/4 5 0", "3: 1 2/3 0"]);
    reads(None, "[[1,2],[3,0]]]", &["1: \"]\" is out of place..."]);
    reads(None, "[1,2,3,0] 31", &["1: \"3\" is out of place..."]);
}

#[test]
fn board_below_a_size_is_returned_when_it_is_certain() {
    let rows = "1 2 3\n4 5 6\n7 8 0";
    reads(None, &format!("3 3\n{rows}\n9 10 11"), &["2-5: expected a 3x3 board, found..."]);
    reads(None, &format!("3 3\n{rows}\n1 2 3"), &["2-5: expected a 3x3 board, found..."]);
    reads_at(
        None,
        &format!("3 3\n{rows}\n{rows}\n\n{rows}\n0"),
        &[
            (8, "2-4: 1 2 3/4 5 6/7 8 0"),
            (8, "5-7: 1 2 3/4 5 6/7 8 0"),
            (13, "9-11: 1 2 3/4 5 6/7 8 0"),
        ],
    );
    // Rows after a wrong grid are a part of its error.
    reads(three(), "1\n2\n3\n4\n5\n1 2 3\n4 5 6\n7 8 0", &["1-8: row 6 has 3 cells..."]);
    reads(
        three(),
        "1 2 3\n4 5 6\n1 2 3\n4 5 6\n[[1,2],\n[3,0]]",
        &["1-4: tile 1 stands at...", "5-6: expected a 3x3 board..."],
    );
    // A zero is the first cell of a board or the end of all.
    reads(None, "2 2\n1\n2\n3\n0\n0\n1\n2\n3\n0", &["2-5: 1 2/3 0", "6-9: 0 1/2 3"]);
    reads(None, "2 2\n1\n2\n3\n4\n0", &["2-6: expected a 2x2 board..."]);
}

#[test]
fn line_of_a_larger_board_is_no_table() {
    // The first numbers are a 6x6 board, the others its tiles if the sides are 7.
    let mut cells: Vec<String> = (0..49).map(|tile| tile.to_string()).collect();
    cells[48] = "90".to_owned();
    assert!(found(BoardReader::new(None), &cells.join(" ")).iter().all(|f| f.board.is_err()));
    cells[48] = "47".to_owned();
    assert!(found(BoardReader::new(None), &cells.join(" ")).iter().all(|f| f.board.is_err()));
}

#[test]
fn ambiguous_text_shows_both_boards() {
    // The first line is a square, so the second one is a wrong line of a list.
    reads(
        None,
        "0 1 2 3 4 5 6 7 8\n9 10 11 12 13 14 15 16 17",
        &["1: 0 1 2/3 4 5/6 7 8", "2: row 1, column 2 holds tile 10..."],
    );
    reads(
        Some(shape(2, 9)),
        "0 1 2 3 4 5 6 7 8\n9 10 11 12 13 14 15 16 17",
        &["1-2: 0 1 2 3 4 5 6 7 8/9 10 11 12 13 14 15 16 17"],
    );
    // If the row has no blank, the reader waits for the next line.
    reads(
        None,
        "1 2 3 4 5 6 7 8 9\n10 11 12 13 14 15 16 17 0",
        &["1-2: 1 2 3 4 5 6 7 8 9/10 11 12 13 14 15 16 17 0"],
    );
    reads(None, "1 2|3 4\n5 6|7 0", &["1-2: this can be read as 1 2/3 4/5 6/7 0 and as..."]);
}

#[test]
fn array_of_many_boards_is_read() {
    reads_at(
        None,
        "[\n  [[1,2],[3,0]],\n  [[1,2],\n   [0,3]], [[0,1],[2,3]]\n]\n[[[1,2],[3,0]],[[1,0],[3,2]]]",
        &[
            (2, "2: 1 2/3 0"),
            (4, "3-4: 1 2/0 3"),
            (4, "4: 0 1/2 3"),
            (6, "6: 1 2/3 0"),
            (6, "6: 1 0/3 2"),
        ],
    );
    reads(None, "[[1,2,3,0],\n[0,1,2,3]]", &["1: 1 2/3 0", "2: 0 1/2 3"]);
    reads(None, "[[0,1,2,3],\n[4,5,6,7]]", &["1-2: 0 1 2 3/4 5 6 7"]);
    reads(three(), "[[1,2,3,4,5,6,7,8,0], [1,2,3,4,5,6,7,8,8]]", &["1: expected a 3x3 board..."]);
    reads(None, "[1,2,3,0], [0,1,2,3],\n(1,2,3,0)", &["1: 1 2/3 0", "1: 0 1/2 3", "2: 1 2/3 0"]);
    reads(None, "[[[1,2],[3,3]],\n[[1,2],[3,0]]]", &["1: tile 3 stands...", "2: 1 2/3 0"]);
}

#[test]
fn unclosed_array_does_not_swallow_the_rest() {
    let unclosed = "the array has no end: a ] is missing";
    for bad in ["[1,2,3,0", "[[1,2],[3,0]", "["] {
        let text = format!("{bad}\n\n1 2/3 0");
        reads(None, &text, &[&format!("1: {unclosed}"), "3: 1 2/3 0"]);
        // The next line is a part of it, and a fault ends it.
        let text = format!("{bad}\n1 2/3 0\n1 0/2 3");
        reads(None, &text, &["1-2: \"...", "3: 1 0/2 3"]);
    }
    reads(None, "[[1,2,3],\n[4,5,6,\n[7,8,0]]", &["1-3: \"[\" is out of place..."]);
    reads(None, "[[1,2],[3,0]] and\n1 2/3 0", &["1: \"a\" is out...", "2: 1 2/3 0"]);
}

#[test]
fn endless_lines_and_grids_are_refused() {
    let long = "1 ".repeat(TEXT_BYTES_MAX);
    let message = "the text has more than 65536 bytes: no board is that long";
    reads(
        None,
        &format!("1 2/3 0\n{long}\n1 2/3 0"),
        &["1: 1 2/3 0", &format!("2: {message}"), "3: 1 2/3 0"],
    );
    let rows = "1 2 3\n".repeat(3 * ROWS_MAX);
    reads(
        None,
        &format!("{rows}\n1 2\n3 0"),
        &[
            &format!("1-{}: it is unsure where...", ROWS_MAX + 1),
            &format!("{}-{}: it is unsure where...", ROWS_MAX + 2, 3 * ROWS_MAX),
            &format!("{}-{}: 1 2/3 0", 3 * ROWS_MAX + 2, 3 * ROWS_MAX + 3),
        ],
    );
    let array = "[1,2,3,4,5,6,7,8,9],\n".repeat(TEXT_BYTES_MAX / 10);
    let found = found(BoardReader::new(None), &format!("[\n{array}]\n1 2/3 0"));
    assert_eq!(found.len(), 3);
    assert!(found[0].board.as_ref().is_err_and(|error| error.to_string() == message));
    assert!(found[1].board.as_ref().is_err_and(|error| *error.kind() == TextErrorKind::Unsure));
    assert_eq!(found[2].board, Ok(board("1 2/3 0")));
}

#[test]
fn excerpt_of_a_board_is_short_and_printable() {
    let text = format!("1 2 3\n4 \u{1b}2J 6\n{} 8 0", "7".repeat(100));
    let found = found(BoardReader::new(None), &text);
    assert_eq!(found[0].text, format!("1 2 3/4 \u{fffd}2J 6/{}...", "7".repeat(66)));
    assert_eq!(
        found[0].board.as_ref().unwrap_err().drawing(),
        "row 2, column 2 holds \"\u{fffd}2J\": expected a tile's number, or 0, . or _ for the \
         blank\n  4 \u{fffd}2J 6\n    ^^^"
    );
}

#[test]
fn reader_can_be_reused() {
    let mut reader = BoardReader::new(None);
    for _ in 0..2 {
        assert_eq!(reader.push("\u{feff}1 2\n"), []);
        assert_eq!(reader.push("3 0\r\n"), []);
        assert_eq!(reader.end().iter().map(in_short).collect::<Vec<_>>(), ["1-2: 1 2/3 0"]);
        assert_eq!(reader.end(), []);
    }
}

/// Writes a board in the notations of the reader, on one line or several.
fn written(board: Board, how: usize) -> String {
    let text = board.to_string();
    match how {
        0 => text,
        1 => text.replace('/', "\n"),
        2 => format!("[[{}]]", text.replace(' ', ",").replace('/', "],[")),
        3 => format!("[[{}]]", text.replace(' ', ",").replace('/', "],\n [")),
        4 => format!("| {} |\n|---|", text.replace(' ', " | ").replace('/', " |\n|---|---|\n| ")),
        _ => text.replace('/', " ; "),
    }
}

#[test]
fn boards_between_blank_lines_read_back_and_those_of_one_shape_need_none() {
    let mut random = Random::default();
    for case in 0..256 {
        let size = any_shape(&mut random);
        let (given, between) = if case % 2 == 0 { (None, "\n\n") } else { (Some(size), "\n") };
        let (mut texts, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..random.below(5) {
            let size = given.unwrap_or_else(|| any_shape(&mut random));
            let board = any_board(&mut random, size);
            texts.push(written(board, random.below(6)));
            expected.push(board);
        }
        let text = texts.join(between);
        let found: Option<Vec<Board>> = found(BoardReader::new(given), &text)
            .into_iter()
            .map(|found| found.board.ok())
            .collect();
        assert_eq!(found, Some(expected), "{text}");
    }
}

#[test]
fn many_boards_below_titles_need_no_blank_lines() {
    let text = "Puzzle A\n1 2 3\n4 5 6\n7 8 0\n".repeat(100);
    let found = found(BoardReader::new(None), &text);
    assert_eq!(found.len(), 100);
    assert!(found.iter().all(|found| found.board.is_ok()));
}

#[test]
fn words_above_a_grid_are_its_title_unless_they_may_be_cells() {
    let grid = "1 2 3\n4 5 6\n7 0 8";
    for title in ["A", "Bob", "p1", "1.", "Level 1 - easy", "No. 3 from Ann"] {
        reads(None, &format!("{title}\n{grid}"), &["2-4: 1 2 3/4 5 6/7 0 8"]);
    }
    reads(None, "A\n1 2 3\n4 5 6\n7 x 8", &["2-4: 1 2 3/4 5 6/7 0 8"]);
    reads(
        None,
        "A\n\n1 2 3\n4 5 6\n7 0 8\n\np1\n123456780",
        &["3-5: 1 2 3/4 5 6/7 0 8", "8: 1 2 3/4 5 6/7 8 0"],
    );
    reads(
        None,
        "123456708\nA\n123456780",
        &["1: 1 2 3/4 5 6/7 0 8", "2: ...", "3: 1 2 3/4 5 6/7 8 0"],
    );
    // Boards, also wrong ones, and rows with a wrong cell are no titles.
    let lines = "820461375 hard|8 2 0 4 6 1 3 7 5 hard|8 2 0/4 6 1/3 7 5 hard|8 2 0 4 6 1 3 7 S|\
                 12S|AC_|9 1O|10 eleven 9|gap 7 8|l2|x|?";
    for line in lines.split('|') {
        let read = found(BoardReader::new(None), &format!("{line}\n{grid}"));
        assert!(read.iter().all(|found| found.board.is_err()), "{line}");
    }
    for line in ["12 13 I4 15", "13 14 15 space", "A A _ A"] {
        reads(None, &format!("{line}\n1 2 3 4\n5 6 7 8\n9 10 0 11"), &["1-4: ..."]);
    }
    // Without a written blank, the rows may be those below a first one.
    reads(None, "p1\n1 2 3\n4 5 6", &["1-3: ..."]);
    reads(None, "A\n1\n2\n3\n0", &["1-5: ..."]);
}

#[test]
fn letters_that_name_columns_are_no_board() {
    let large = "A,B,C,D\n1,2,3,4\n5,6,7,8\n9,10,11,12\n13,14,0,15";
    reads(None, large, &["2-5: 1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"]);
    reads(None, "A,B,C,D\n1,2,3,0\n2,1,0,3", &["2: 1 2/3 0", "3: 2 1/0 3"]);
    let lines = "A,B,C,D,E,F,G,H,I\n1,2,3,4,5,6,7,0,8\n1,2,3,4,5,6,0,7,8";
    reads(None, lines, &["2: 1 2 3/4 5 6/7 0 8", "3: 1 2 3/4 5 6/0 7 8"]);
    // Other letters are a board.
    reads(None, "B A C .\n1 2 3 0", &["1: 2 1/3 0", "2: 1 2/3 0"]);
    reads(None, "ABCDEFGHI\n123456780", &["1: 1 2 3/4 5 6/7 8 0", "2: 1 2 3/4 5 6/7 8 0"]);
    reads(None, "ABCDEFGHI\n1 2 3/4 5 6/7 0 8", &["1: 1 2 3/4 5 6/7 8 0", "2: 1 2 3/4 5 6/7 0 8"]);
}

#[test]
fn a_size_above_a_line_of_cells_is_that_of_its_board() {
    let cells = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";
    reads(None, &format!("2 8\n{cells}"), &["2: 1 2 3 4 5 6 7 8/9 10 11 12 13 14 0 15"]);
    let square = "2: 1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15";
    reads(None, &format!("4 4\n{cells}"), &[square]);
    reads(None, &format!("2x8 board:\n{cells}"), &["2: 1 2 3 4 5 6 7 8/9 10 11 12 13 14 0 15"]);
    reads(None, &format!("3 5\n{cells}"), &["1: 2 cells...", square]);
}

#[test]
fn a_row_with_a_value_behind_it_is_no_label() {
    for value in ["h=0", "Moves: 3", "Next:", "cost = 2"] {
        let grid = format!("1 2 3\n4 5 6\n7 8 0 {value}");
        let read = found(BoardReader::new(None), &grid);
        assert!(read.iter().all(|found| found.board.is_err()) && !read.is_empty(), "{value}");
        let read = found(BoardReader::new(None), &format!("820461375 {value}\n123456708"));
        let boards: Vec<bool> = read.iter().map(|found| found.board.is_ok()).collect();
        assert_eq!(boards, [false, true], "{value}");
    }
    reads(None, "9 moves:\n1 2 3\n4 5 6\n7 8 0", &["2-4: 1 2 3/4 5 6/7 8 0"]);
    // Nor are words for the blank.
    reads(None, "blank 5\n1 2\n3 4", &["1-3: 0 5/1 2/3 4"]);
    reads(None, "1 2\n3 4\nempty 5", &["1-3: 1 2/3 4/0 5"]);
}
