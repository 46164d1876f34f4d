//! Boards and moves as text.

use pdb_core::notation::{MoveStyle, format_moves, parse_moves};
use pdb_core::{Board, BoardError, CELLS_MAX, Direction, MoveError};
use proptest::prelude::{Strategy, any, proptest};

use crate::plain::{any_board, any_shape, shape};

fn parse(text: &str) -> Result<Board, BoardError> {
    text.parse()
}

#[track_caller]
fn refused(text: &str, expected: &BoardError, message: &str) {
    let error = parse(text).expect_err(text);
    assert_eq!((&error, error.to_string().as_str()), (expected, message));
}

#[test]
fn the_same_board_can_be_written_in_many_ways() {
    let board = Board::new(shape(3, 3), &[1, 2, 3, 4, 5, 6, 7, 8, 0]).unwrap();
    for text in [
        "1 2 3/4 5 6/7 8 0",
        "1 2 3 4 5 6 7 8 0",
        "1,2,3,4,5,6,7,8,0",
        "1, 2, 3; 4, 5, 6; 7, 8, .",
        "1 2 3\n4 5 6\n7 8 _\n",
        "1 2 3\r\n4 5 6\r\n7 8 0\r\n",
        "  1\t2   3 /\n 4 5 6 /\n 7 8 0 / ",
        "/;\n1 2 3//4 5 6;;7 8 0",
        "01 002 3/4 5 6/7 8 00",
        "1\u{a0}2\u{2003}3/4 5 6/7 8 0",
    ] {
        assert_eq!(parse(text), Ok(board), "{text:?}");
    }
    assert_eq!(board.to_string(), "1 2 3/4 5 6/7 8 0");
}

#[test]
fn rows_give_a_board_its_shape_and_so_does_the_caller() {
    let wide = parse("1 2 3/4 5 0").unwrap();
    assert_eq!(wide.shape(), shape(2, 3));
    assert_eq!(parse("1 2/3 4/5 0").unwrap().shape(), shape(3, 2));
    assert_eq!(Board::parse("1 2 3 4 5 0", Some(shape(2, 3))), Ok(wide));
    assert_eq!(Board::parse("1 2 3/4 5 0", Some(shape(2, 3))), Ok(wide));
}

#[test]
fn a_text_without_tiles_is_empty() {
    for text in ["", " ", "\n\n", "/", ", ; /"] {
        refused(
            text,
            &BoardError::Empty,
            "the board is empty: write its tiles row by row, such as \"1 2 3/4 5 6/7 8 0\"",
        );
    }
}

#[test]
fn a_word_that_is_no_number_is_shown_with_its_place() {
    for (text, word, place) in [
        ("1 2/x 0", "x", 3),
        ("1 -2/3 0", "-2", 2),
        ("+1 2/3 0", "+1", 1),
        ("1 2/3 0.", "0.", 4),
        ("1 2/3 __", "__", 4),
        ("1 2|3 0", "2|3", 2),
        ("1 ٢/3 0", "٢", 2),
        ("1 ２/3 0", "２", 2),
        ("1 2/3 🦔", "🦔", 4),
        ("0x1 2/3 0", "0x1", 1),
    ] {
        refused(
            text,
            &BoardError::Word { word: word.to_owned(), place },
            &format!(
                "place {place} holds \"{word}\": expected a number, or 0, . or _ for the blank"
            ),
        );
    }
}

#[test]
fn a_long_word_is_cut_between_characters() {
    let BoardError::Word { word, place } = parse(&"é".repeat(500)).unwrap_err() else {
        panic!("not a word");
    };
    assert_eq!((word, place), (format!("{}...", "é".repeat(20)), 1));
}

#[test]
fn a_ragged_row_is_counted() {
    refused(
        "1 2 3/4 5/6 7 0",
        &BoardError::Ragged { row: 2, expected: 3, found: 2 },
        "row 2 has 2 cells where the first row has 3: give every row as many cells",
    );
}

#[test]
fn numbers_that_make_no_square_need_rows() {
    refused(
        "1 2 3 4 5 0",
        &BoardError::NotSquare { found: 6 },
        "6 cells make no square board: separate the rows with / or give the size",
    );
}

#[test]
fn a_board_too_small_or_too_large_is_refused() {
    refused(
        "0",
        &BoardError::Shape { rows: 1, cols: 1 },
        "a board of 1x1 is not supported: each side needs at least 2 cells and the board at most 36",
    );
    let numbers: Vec<String> = (0..49).map(|n| n.to_string()).collect();
    let seven = BoardError::Shape { rows: 7, cols: 7 };
    assert_eq!(parse(&numbers.join(" ")), Err(seven));
    let column = BoardError::Shape { rows: 49, cols: 1 };
    assert_eq!(parse(&numbers.join("/")), Err(column));
}

#[test]
fn a_board_of_another_size_than_asked_for_is_refused() {
    let expected = shape(4, 4);
    let error = Board::parse("1 2 3/4 5 6/7 8 0", Some(expected)).unwrap_err();
    assert_eq!(error, BoardError::OtherShape { expected, found: shape(3, 3) });
    assert_eq!(error.to_string(), "expected a 4x4 board, found one of 3x3");

    let error = Board::parse("1 2 3 4 5 6 7 8 0", Some(expected)).unwrap_err();
    assert_eq!(error, BoardError::CellCount { shape: expected, found: 9 });
    assert_eq!(error.to_string(), "a 4x4 board has 16 cells, but 9 were given");

    // The tiles of a larger board are out of range too, but their number is what is wrong.
    let error = Board::parse("0 1 2 3 4 5 6 7 8", Some(shape(2, 2))).unwrap_err();
    assert_eq!(error, BoardError::CellCount { shape: shape(2, 2), found: 9 });
}

#[test]
fn a_tile_that_the_board_does_not_have_is_out_of_range() {
    for (text, tile) in [
        ("1 2/4 0", 4),
        ("1 2/259 0", 259),
        ("1 2/18446744073709551615 0", u64::MAX),
        ("1 2/99999999999999999999999999 0", u64::MAX),
    ] {
        refused(
            text,
            &BoardError::OutOfRange { tile, max: 3, cell: 2 },
            &format!("place 3 holds tile {tile}: this board has tiles 1 to 3 and the blank, 0"),
        );
    }
}

#[test]
fn a_tile_that_stands_twice_is_shown_with_the_one_that_is_missing() {
    refused(
        "1 2 2/4 5 0",
        &BoardError::Repeated { tile: 2, first: 1, second: 2, missing: 3 },
        "tile 2 stands at place 2 and again at place 3, and tile 3 is missing",
    );
    refused(
        "1 2 ./_ 5 3",
        &BoardError::Repeated { tile: 0, first: 2, second: 3, missing: 4 },
        "the blank stands at place 3 and again at place 4, and tile 4 is missing",
    );
    refused(
        "1 2 3/4 5 1",
        &BoardError::Repeated { tile: 1, first: 0, second: 5, missing: 0 },
        "tile 1 stands at place 1 and again at place 6, and the blank is missing",
    );
}

#[test]
fn moves_are_written_plainly_counted_or_as_the_blanks() {
    use Direction::{Down, Left, Right, Up};
    let moves = [Up, Up, Right, Down, Left, Left, Left];
    let style = |of_blank, counted| MoveStyle { of_blank, counted };
    assert_eq!(format_moves(&moves, style(false, false)), "UURDLLL");
    assert_eq!(format_moves(&moves, style(false, true)), "U2 R D L3");
    assert_eq!(format_moves(&moves, style(true, false)), "DDLURRR");
    assert_eq!(format_moves(&moves, style(true, true)), "D2 L U R3");
    assert_eq!(format_moves(&[], style(false, true)), "");
    assert_eq!(MoveStyle::default(), style(false, false));
}

#[test]
fn moves_are_read_with_any_spacing_case_and_count() {
    let expected = parse_moves("UURDLLL", false).unwrap();
    for text in ["u2rdl3", "U2, R, D, L3", "U1U1R1D01L3", " uu r\nd\tlll "] {
        assert_eq!(parse_moves(text, false).as_ref(), Ok(&expected), "{text:?}");
    }
    assert_eq!(parse_moves("", false), Ok(Vec::new()));
    assert_eq!(parse_moves("L36", true), Ok(vec![Direction::Right; CELLS_MAX]));
}

#[test]
fn a_character_that_is_no_move_is_shown_with_its_place() {
    for (text, found, place) in [
        ("UX", 'X', 2),
        ("2U", '2', 1),
        ("U 2R", '2', 3),
        ("U-2", '-', 2),
        ("é", 'é', 1),
        ("ddÜl", 'Ü', 3),
        ("RU٢", '٢', 3),
        ("LU37", 'U', 2),
        ("LU99999999999999999999999999", 'U', 2),
    ] {
        let error = parse_moves(text, false).unwrap_err();
        assert_eq!(error, MoveError::Letter { found, place }, "{text}");
        assert_eq!(
            error.to_string(),
            format!(
                "character {place} of the moves is '{found}': expected U, R, D or L, \
                 each with an optional count such as U2"
            )
        );
    }
}

fn any_moves() -> impl Strategy<Value = Vec<Direction>> {
    // Even all in one direction they are no longer than the largest count that is read.
    let runs = proptest::collection::vec((0..4usize, 1..6usize), 0..8);
    runs.prop_map(|runs| {
        let run = |(direction, len)| std::iter::repeat_n(Direction::ALL[direction], len);
        runs.into_iter().flat_map(run).collect()
    })
}

proptest! {
    #[test]
    fn a_printed_board_reads_back(board in any_shape().prop_flat_map(any_board)) {
        assert_eq!(parse(&board.to_string()), Ok(board));
        let plain = board.to_string().replace('/', ",");
        assert_eq!(Board::parse(&plain, Some(board.shape())), Ok(board));
    }

    #[test]
    fn any_text_is_a_board_or_an_error(text in ".*") {
        if let Ok(board) = parse(&text) {
            assert_eq!(parse(&board.to_string()), Ok(board));
        }
        let _ = parse_moves(&text, true);
    }

    #[test]
    fn any_numbers_are_a_board_or_an_error(
        text in "[0-9]{1,3}([ ,/;\n]{1,2}[0-9._]{1,3}){0,40}",
        shape in proptest::option::of(any_shape()),
    ) {
        if let Ok(board) = Board::parse(&text, shape) {
            assert_eq!(parse(&board.to_string()), Ok(board));
            assert!(board.shape().cell_count() <= CELLS_MAX);
        }
    }

    #[test]
    fn written_moves_read_back(
        moves in any_moves(),
        of_blank in any::<bool>(),
        counted in any::<bool>(),
    ) {
        let text = format_moves(&moves, MoveStyle { of_blank, counted });
        assert_eq!(parse_moves(&text, of_blank), Ok(moves.clone()));
        assert_eq!(parse_moves(&text.to_lowercase().replace(' ', ""), of_blank), Ok(moves));
    }
}
