//! Texts that are refused: the exact error and the marked place.

use pdb_core::BoardError;
use tilebase::text::{TEXT_BYTES_MAX, TextErrorKind, read_board};

use super::{parse, parse_as, shape};

#[track_caller]
fn refused(text: &str, message: &str) {
    assert_eq!(parse(text).expect_err(text).to_string(), message, "{text:?}");
}

/// Expects an error with this text and these marks.
#[track_caller]
fn drawn(text: &str, expected: &str) {
    let error = read_board(text, None).expect_err(text);
    assert_eq!(error.drawing(), expected, "\n{}\n", error.drawing());
    assert!(expected.starts_with(&error.to_string()));
    assert_eq!(parse(text), Err(error.kind().clone()));
}

#[test]
fn error_has_the_position_in_bytes() {
    for (text, position) in [
        ("1 2 3/4 5 6/7 q 0", Some(14)),
        ("\u{feff}1 2 3/4 5 6/7 q 0", Some(17)),
        ("é 2/3 0", Some(0)),
        ("1 2 3/4 5 6/7 5 0", Some(14)),
        ("1 2 3\n4 5 99\n7 8 0", Some(10)),
        ("[[1,2],[3.5,0]]", Some(8)),
        ("[[1,2],[3,0]", None),
        ("1 2 3 4 5", None),
        ("", None),
    ] {
        let error = read_board(text, None).expect_err(text);
        assert_eq!(error.position(), position, "{text:?}: {error}");
    }
}

#[test]
fn text_without_tiles_is_empty() {
    for text in ["", " ", "\n\n", "/", ", ; /", "[]", "[[],[]]", "( )", "+---+", "\u{feff}"] {
        refused(
            text,
            "the board is empty: write its tiles row by row, such as \"1 2 3/4 5 6/7 8 0\"",
        );
    }
}

#[test]
fn bad_word_is_shown_with_row_and_column() {
    for (text, word, row, col, place) in [
        ("1 2/q 0", "q", 2, 1, 3),
        ("1 -2/3 0", "-2", 1, 2, 2),
        ("+1 2/3 0", "+1", 1, 1, 1),
        ("1 2/3 0.", "0.", 2, 2, 4),
        ("1 2/3 __", "__", 2, 2, 4),
        ("1 ٢/3 0", "٢", 1, 2, 2),
        ("1 2/3 🦔", "🦔", 2, 2, 4),
        ("0x1 2/3 0", "0x1", 1, 1, 1),
        // Without rows the board's count, if it is certain, and else the text's.
        ("1 2 3 4 five 6 7 8 0", "five", 2, 2, 5),
        ("1 2 3 4 five 6", "five", 1, 5, 5),
        ("1 2 3/4 5 6 7/8 ? 0", "?", 3, 2, 9),
        ("12?456780", "?", 1, 3, 3),
        ("[[1,2],[3.5,0]]", "3.5", 2, 1, 3),
        ("| 1 | ? |\n| 3 | 0 |", "?", 1, 2, 2),
        ("1|?|3\n4|5|", "?", 1, 2, 2),
    ] {
        let error = parse(text).expect_err(text);
        let word_error = BoardError::Word { word: word.to_owned(), row, col, place };
        assert_eq!(error, word_error.into(), "{text}");
        refused(
            text,
            &format!(
                "row {row}, column {col} holds \"{word}\": expected a tile's number, or 0, . or _ \
                 for the blank"
            ),
        );
    }
}

#[test]
fn long_word_is_cut_between_characters() {
    let TextErrorKind::Board(BoardError::Word { word, row: 1, col: 1, place: 1 }) =
        parse(&"é".repeat(500)).unwrap_err()
    else {
        panic!("not a word");
    };
    assert_eq!(word, format!("{}...", "é".repeat(20)));
}

#[test]
fn errors_contain_no_control_characters() {
    for (text, shown) in [
        ("1 \u{1b}2J/3 0", "\u{fffd}2J"),
        ("1 \u{7}\u{8}/3 0", "\u{fffd}\u{fffd}"),
        ("1 \u{202e}2/3 0", "\u{fffd}2"),
        ("1 \u{200b}2/3 0", "\u{fffd}2"),
        ("1 a\\\"'/3 0", "a\\\"'"),
    ] {
        let error = read_board(text, None).expect_err(text);
        assert!(error.to_string().contains(&format!("holds \"{shown}\"")), "{error}");
        assert!(error.drawing().contains(shown));
        assert!(!error.drawing().contains(|c| "\u{1b}\u{7}\u{8}\u{202e}\u{200b}".contains(c)));
    }
}

#[test]
fn ragged_row_is_counted_and_marked() {
    drawn(
        "1 2 3/4 5/6 7 0",
        "row 2 has 2 cells where the first row has 3: give every row as many cells
  1 2 3/4 5/6 7 0
        ^ ^",
    );
    drawn(
        "+--+--+\n|10| 2|\n+--+--+\n|30|\n+--+--+",
        "row 2 has 1 cell where the first row has 2: give every row as many cells
  |30|
   ^^",
    );
    drawn(
        "123\n45\n670",
        "row 2 has 2 cells where the first row has 3: give every row as many cells
  45
  ^^",
    );
    drawn(
        "[[1,2],[4]]",
        "row 2 has 1 cell where the first row has 2: give every row as many cells
  [[1,2],[4]]
          ^",
    );
}

#[test]
fn cells_that_make_several_shapes_need_rows_or_a_size() {
    for (text, message) in [
        ("1 2 3 4 5 0", "6 cells make 2x3 or 3x2: separate the rows with / or give the size"),
        (
            "1 2 3 4 5 6 7 8 9 10 11 0",
            "12 cells make 2x6, 3x4, 4x3 or 6x2: separate the rows with / or give the size",
        ),
        (
            "123456789ab0",
            "12 cells make 2x6, 3x4, 4x3 or 6x2: separate the rows with / or give the size",
        ),
        ("[1,2,3,4,5,0]", "6 cells make 2x3 or 3x2: separate the rows with / or give the size"),
        ("1,2,3,4,5,", "6 cells make 2x3 or 3x2: separate the rows with / or give the size"),
        (
            "1 2 4",
            "3 cells make no board of at least 2 rows and 2 columns: for a board of one line, 1x3 or \
             3x1, give the size",
        ),
        (
            "1 2 3",
            "a cell is missing: write 0 for the blank, because a 2x2 board has 4 cells and 3 were \
             given",
        ),
    ] {
        refused(text, message);
    }
    let numbers: Vec<String> = (0..67).map(|n| n.to_string()).collect();
    refused(&numbers.join(" "), "67 cells make no board: it has at most 64 cells");
}

#[test]
fn board_of_unsupported_size_is_refused() {
    refused("0", "a board of 1x1 is not supported: a board has at least 2 cells and at most 64");
    let numbers: Vec<String> = (0..81).map(|n| n.to_string()).collect();
    let nine = BoardError::Shape { rows: 9, cols: 9 }.into();
    assert_eq!(parse(&numbers.join(" ")), Err(nine));
    let column = BoardError::Shape { rows: 81, cols: 1 }.into();
    assert_eq!(parse(&numbers.join("/")), Err(column));
}

#[test]
fn board_of_another_size_is_refused() {
    let expected = shape(4, 4);
    for text in
        ["1 2 3/4 5 6/7 8 0", "123/456/780", "[[1,2,3],[4,5,6],[7,8,0]]", "1|2|3\n4|5|6\n7|8|0"]
    {
        let error = parse_as(text, Some(expected)).unwrap_err();
        assert_eq!(error, BoardError::OtherShape { expected, found: shape(3, 3) }.into(), "{text}");
        assert_eq!(error.to_string(), "expected a 4x4 board, found one of 3x3");
    }
    for text in ["1 2 3 4 5 6 7 8 0", "123456780", "[1,2,3,4,5,6,7,8,0]", "1|2|3|4|5|6|7|8|0"] {
        let error = parse_as(text, Some(expected)).unwrap_err();
        assert_eq!(error, BoardError::CellCount { shape: expected, found: 9 }.into(), "{text}");
        assert_eq!(error.to_string(), "a 4x4 board has 16 cells, but 9 were given");
    }
    // The tiles of a larger board are out of range, too, but the error is about their number.
    let error = parse_as("0 1 2 3 4 5 6 7 8", Some(shape(2, 2))).unwrap_err();
    assert_eq!(error, BoardError::CellCount { shape: shape(2, 2), found: 9 }.into());
}

#[test]
fn tile_out_of_range_is_refused() {
    for (text, tile) in [
        ("1 2/4 0", 4),
        ("1 2/259 0", 259),
        ("1 2/18446744073709551615 0", u64::MAX),
        ("1 2/99999999999999999999999999 0", u64::MAX),
        ("[[1,2],[4,0]]", 4),
        ("1240", 4),
    ] {
        let error = BoardError::OutOfRange { tile, shape: shape(2, 2), cell: 2 }.into();
        assert_eq!(parse(text), Err(error));
        refused(
            text,
            &format!(
                "row 2, column 1 holds tile {tile}: a 2x2 board has tiles 1 to 3 and the blank, 0"
            ),
        );
    }
    drawn(
        "fe169b4c0a73d85z",
        "row 4, column 4 holds tile 35: a 4x4 board has tiles 1 to 15 and the blank, 0
  fe169b4c0a73d85z
                 ^",
    );
}

#[test]
fn repeated_tile_is_marked_twice() {
    drawn(
        "1 2 2/4 5 0",
        "tile 2 stands at row 1, column 2 and again at row 1, column 3, and tile 3 is missing
  1 2 2/4 5 0
    ^ ^",
    );
    drawn(
        "1 2 .\n_ 5 3",
        "the blank stands at row 1, column 3 and again at row 2, column 1, and tile 4 is missing
  1 2 .
      ^
  _ 5 3
  ^",
    );
    drawn(
        "1 2 3/4 5 1",
        "tile 1 stands at row 1, column 1 and again at row 2, column 3, and the blank is missing
  1 2 3/4 5 1
  ^         ^",
    );
    drawn(
        "| 1 |  |\n|   | 3 |",
        "the blank stands at row 1, column 2 and again at row 2, column 1, and tile 2 is missing
  | 1 |  |
        ^
  |   | 3 |
    ^",
    );
    drawn(
        "1 2 3/4 5 6/7 7 9",
        "tile 7 stands at row 3, column 1 and again at row 3, column 2, and tile 8 is missing
  1 2 3/4 5 6/7 7 9
              ^ ^",
    );
    drawn(
        "AABC",
        "tile 1 stands at row 1, column 1 and again at row 1, column 2, and the blank is missing
  AABC
  ^^",
    );
}

#[test]
fn words_without_digits_are_not_taken_for_numbers() {
    let place = |row, col, word: &str| format!("row {row}, column {col} holds \"{word}\"");
    let error = parse("Thanks!").unwrap_err().to_string();
    assert_eq!(error, place(1, 7, "!") + ": expected a tile's number, or 0, . or _ for the blank");
    let error = parse("1 2 3/4 5 l").unwrap_err().to_string();
    assert_eq!(error, place(2, 3, "l") + ": did you mean 1?");
}

#[test]
fn drawing_of_a_long_line_fits_the_terminal() {
    let spaces = " ".repeat(100);
    drawn(
        &format!("1 2{spaces}/{spaces}? 0{spaces}/{spaces}4 5"),
        &format!(
            "row 2, column 1 holds \"?\": expected a tile's number, or 0, . or _ for the blank
  ...{}? 0{}...
     {}^",
            " ".repeat(40),
            " ".repeat(27),
            " ".repeat(40)
        ),
    );
    drawn(
        "1\t2\t/\t?\t0",
        "row 2, column 1 holds \"?\": expected a tile's number, or 0, . or _ for the blank
  1 2 / ? 0
        ^",
    );
}

#[test]
fn array_of_other_values_is_refused() {
    let stray =
        "is out of place in an array: write rows of cells, such as [[1,2,3],[4,5,6],[7,8,0]]";
    for (text, found, marks) in [
        ("[[1,2],3]", "3", "       ^"),
        ("[1,[2,3,0]]", "[", "   ^"),
        ("[[1,2),[3,0]]", ")", "     ^"),
        ("[[1,2],[3,0]]]", "]", "             ^"),
        ("[[1,2],[3,0]] 5", "5", "              ^"),
        ("[1,,3,0]", ",", "   ^"),
        ("[,1,2,3]", ",", " ^"),
        ("[[[[1,2],[3,0]]]]", "[", "   ^"),
        ("{\"board\": [1,2,3,0]}", "{", "^"),
    ] {
        drawn(text, &format!("\"{found}\" {stray}\n  {text}\n  {marks}"));
    }
    drawn("[[1,2],[3,0]", "the array has no end: a ] is missing");
    drawn("((1,2),(3,0)", "the array has no end: a ) is missing");
    drawn(
        "[1,2,\"3,0]",
        "the array has no end: a \" is missing
  [1,2,\"3,0]
       ^^",
    );
    for text in ["[[[1,2],[3,0]],[[1,2],[3,0]]]", "[1,2,3,0][1,2,3,0]", "1 2/3 0\n0 1/2 3"] {
        drawn(text, "the text holds 2 boards, where one is expected");
    }
}

#[test]
fn too_long_text_is_refused_unread() {
    let message = "the text has more than 65536 bytes: no board is that long";
    let board = "1 2/3 0";
    let most = format!("{board}{}", " ".repeat(TEXT_BYTES_MAX - board.len()));
    assert_eq!(parse(&most), parse(board));
    refused(&(most + " "), message);
}
