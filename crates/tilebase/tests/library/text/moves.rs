//! Moves as letters.

use pdb_core::notation::{MoveNaming, MoveStyle, format_moves};
use pdb_core::{Attempt, Board, CELLS_MAX, Direction, Goal, IllegalMove};
use pdb_oracle::Random;
use tilebase::Error;
use tilebase::Remedy;
use tilebase::text::{MOVES_MAX, MoveTextError, Replay, WrittenMoves, parse_moves};

#[test]
fn moves_are_written_plain_counted_or_as_the_blanks() {
    use Direction::{Down, Left, Right, Up};
    let moves = [Up, Up, Right, Down, Left, Left, Left];
    let board: Board = "4 1 2 3/5 0 6 7/8 9 10 11/12 13 14 15".parse().unwrap();
    let text = |naming, counted| format_moves(&board, &moves, MoveStyle { naming, counted });
    assert_eq!(text(MoveNaming::Tile, false), "UURDLLL");
    assert_eq!(text(MoveNaming::Tile, true), "U2 R D L3");
    assert_eq!(text(MoveNaming::Blank, false), "DDLURRR");
    assert_eq!(text(MoveNaming::Blank, true), "D2 L U R3");
    for counted in [false, true] {
        assert_eq!(text(MoveNaming::Tiles, counted), "9 13 12 8 13 10 11");
    }
    for naming in [MoveNaming::Tile, MoveNaming::Blank, MoveNaming::Tiles] {
        assert_eq!(format_moves(&board, &[], MoveStyle { naming, counted: true }), "");
    }
    assert_eq!(MoveStyle::default(), MoveStyle { naming: MoveNaming::Tile, counted: false });
}

#[test]
fn moves_are_read_with_any_spacing_case_and_count() {
    let expected = parse_moves("UURDLLL", false).unwrap();
    for text in ["u2rdl3", "U2, R, D, L3", "U1U1R1D01L3", " uu r\nd\tlll "] {
        assert_eq!(parse_moves(text, false).as_ref(), Ok(&expected), "{text:?}");
    }
    assert_eq!(parse_moves("", false), Ok(Vec::new()));
    assert_eq!(parse_moves("L64", true), Ok(vec![Direction::Right; CELLS_MAX]));
}

#[test]
fn unknown_letter_is_shown_with_its_place() {
    for (text, found, place) in [
        ("UX", 'X', 2),
        ("2U", '2', 1),
        ("U 2R", '2', 3),
        ("U-2", '2', 3),
        ("U -2", '-', 3),
        ("R U R' U'", '\'', 6),
        ("(RU)3", '3', 5),
        ("'U", '\'', 1),
        ("Upp", 'p', 3),
        ("é", 'é', 1),
        ("ddÜl", 'Ü', 3),
        ("RU٢", '٢', 3),
    ] {
        let error = parse_moves(text, false).unwrap_err();
        assert_eq!(error, MoveTextError::Letter { found, place }, "{text}");
        assert_eq!(
            error.to_string(),
            format!(
                "character {place} of the moves is '{}': expected U, R, D or L, a word such as Up, \
                 or an arrow, each with an optional count such as U2",
                found.escape_debug()
            )
        );
    }
}

#[test]
fn words_and_arrows_are_read_in_any_wrapping() {
    let expected = parse_moves("ULLDR", false);
    for text in [
        "Up Left Left Down Right",
        "up, left2, down, right",
        "UPLEFTLEFTDOWNRIGHT",
        "['Up', 'Left', 'Left', 'Down', 'Right']",
        r#"["U", "L", "L", "D", "R"]"#,
        "(Up) -> (Left) -> (Left) -> (Down) -> (Right)",
        "U-L-L-D-R",
        "U | L2 | D | R",
        "\"U L L D R\"",
        "↑←←↓→",
        "⬆️ ⬅️2 ⬇️ ➡️",
        "^<<v>",
        "[↑, ←, ←, ↓, →]",
    ] {
        assert_eq!(parse_moves(text, false), expected, "{text}");
    }
}

#[test]
fn arrows_among_letters_are_refused() {
    for (text, found, place) in [("U → L", '→', 3), ("↑L", 'L', 2), ("UvL", 'v', 2)] {
        let error = parse_moves(text, false);
        assert_eq!(error, Err(MoveTextError::Mixed { found, place }), "{text}");
    }
}

#[test]
fn large_count_is_shown_itself() {
    for (text, found, place) in
        [("LU65", "65", 3), ("D100000", "100000", 2), ("Up2 D9999999999", "9999999999", 6)]
    {
        let error = parse_moves(text, false).unwrap_err();
        assert_eq!(error, MoveTextError::Count { found: found.to_owned(), place }, "{text}");
        assert!(error.to_string().contains("expected at most 64"), "{error}");
    }
}

#[test]
fn impossible_letters_that_the_other_meaning_allows_say_so() {
    let board: Board = "1 2 3/4 5 0/6 7 8".parse().unwrap();
    for (of_blank, text, naming, other) in [
        (false, "dllurdrulldrr", MoveNaming::Blank, "blank"),
        (true, "urrdluldrrull", MoveNaming::Tile, "tile"),
    ] {
        let error = WrittenMoves::parse(text, of_blank).unwrap().make(&board).unwrap_err();
        assert_eq!(Error::from(error.clone()).remedy(), Some(Remedy::NameMoves(naming)), "{error}");
        assert!(error.to_string().contains(&format!("letters name the {other}'s")), "{error}");
    }
    for text in ["LLL", "1"] {
        let error = WrittenMoves::parse(text, false).unwrap().make(&board).unwrap_err();
        assert_eq!(Error::from(error.clone()).remedy(), None, "{text}: {error}");
    }
}

#[test]
fn numbers_are_the_tiles_that_move_and_letters_are_directions() {
    let board: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
    let replay = |text: &str, of_blank| {
        let written = WrittenMoves::parse(text, of_blank).expect("these are moves");
        written.replay(&board)
    };
    let expected = Replay {
        moves: parse_moves("DRUL", false).unwrap(),
        board: "1 2 3/4 8 5/7 6 0".parse().unwrap(),
        illegal: None,
    };
    let texts = [
        ("6 5 8 6", false),
        (" 6,5,  8,6\n", false),
        ("[6, 5, 8 ,6]", false),
        ("6-5-8-6", false),
        ("('6', '5', '8', '6')", false),
        ("6 -> 5 -> 8 -> 6", false),
        ("drul", false),
        ("U L D R", true),
        ("Up Left Down Right", true),
    ];
    for (text, of_blank) in texts {
        assert_eq!(replay(text, of_blank), expected, "{text}");
    }
    assert!(WrittenMoves::parse(" ", true).expect("no moves").is_empty());
    assert_eq!(WrittenMoves::parse("D2 R", false).expect("three moves").len(), 3);
}

#[test]
fn illegal_move_names_its_number_and_board() {
    let board: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
    let before: Board = "1 2 3/4 5 0/7 8 6".parse().unwrap();
    for (text, attempt, reason) in [
        ("6 4 5", Attempt::Tile(4), "tile 4 is not beside the blank"),
        ("6 0", Attempt::Tile(0), "tile 0 is not beside the blank"),
        ("6 999", Attempt::Tile(999), "tile 999 is not beside the blank"),
        ("DL", Attempt::Direction(Direction::Left), "there is no tile to the right of the blank"),
    ] {
        let replay = WrittenMoves::parse(text, false).expect("these are moves").replay(&board);
        assert_eq!((replay.moves.len(), replay.board), (1, before), "{text}");
        let illegal = replay.illegal.expect("the second move is impossible");
        assert_eq!(illegal, IllegalMove { number: 2, attempt, board: before });
        assert_eq!(
            illegal.to_string(),
            format!(
                "move 2 is impossible: {reason} on {before}, the board before it; the tiles that \
                 can move are 3, 5 and 6"
            )
        );
    }
}

#[test]
fn wrong_words_and_too_many_moves_are_refused() {
    for (text, number) in [("6 5 x", 3), ("6 -5", 2), ("12345", 1), ("6 5u", 2), ("\u{664} 6", 1)] {
        assert_eq!(
            WrittenMoves::parse(text, false),
            Err(MoveTextError::Number { number }),
            "{text}"
        );
    }
    let many = "U64".repeat(MOVES_MAX / 64 + 1);
    assert_eq!(WrittenMoves::parse(&many, false), Err(MoveTextError::TooMany));
    assert_eq!(
        WrittenMoves::parse(&"6 ".repeat(MOVES_MAX + 1), false),
        Err(MoveTextError::TooMany)
    );
}

#[test]
fn written_moves_read_back() {
    let board = *Goal::blank_last("4x4".parse().unwrap()).board();
    let mut random = Random::default();
    for naming in [MoveNaming::Tile, MoveNaming::Blank].repeat(64) {
        let of_blank = naming == MoveNaming::Blank;
        let mut moves = Vec::new();
        // Even if all have one direction, they are not more than the largest count that is read.
        for _ in 0..random.below(8) {
            moves.extend(vec![Direction::ALL[random.below(4)]; 1 + random.below(5)]);
        }
        for counted in [false, true] {
            let text = format_moves(&board, &moves, MoveStyle { naming, counted });
            assert_eq!(parse_moves(&text, of_blank).as_ref(), Ok(&moves));
            let dense = text.to_lowercase().replace(' ', "");
            assert_eq!(parse_moves(&dense, of_blank).as_ref(), Ok(&moves));
        }
    }
}
