//! Every notation of a board.

use pdb_core::{Board, BoardError};
use pdb_oracle::Random;
use tilebase::text::TextErrorKind;

use super::{any_board, any_shape, board, cases, parse, parse_as, shape};

#[track_caller]
fn all_are(expected: &str, texts: &[&str]) {
    let expected = board(expected);
    for text in texts {
        assert_eq!(parse(text), Ok(expected), "{text:?}");
        assert_eq!(parse_as(text, Some(expected.shape())), Ok(expected), "{text:?}");
    }
}

const EIGHT: &str = "1 2 3/4 5 6/7 8 0";
const GAP: &str = "1 0 2/3 4 5/6 7 8";

#[test]
fn rows_of_numbers_are_read() {
    all_are(
        EIGHT,
        &[
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
            "\u{feff}1 2 3/4 5 6/7 8 0",
            "1,2,3,\n4,5,6,\n7,8,0,\n",
            "1,2,3,4,5,6,7,8,0,",
        ],
    );
    assert_eq!(board(EIGHT).to_string(), EIGHT);
}

#[test]
fn shape_comes_from_rows_or_the_caller() {
    let wide = parse("1 2 3/4 5 0").unwrap();
    assert_eq!(wide.shape(), shape(2, 3));
    assert_eq!(parse("1 2/3 4/5 0").unwrap().shape(), shape(3, 2));
    for text in ["1 2 3 4 5 0", "1 2 3/4 5 0", "123450", "[1,2,3,4,5,0]", "1|2|3|4|5|0"] {
        assert_eq!(parse_as(text, Some(shape(2, 3))), Ok(wide), "{text}");
    }
}

#[test]
fn reshaped_arrays_have_the_shape_of_the_code() {
    let text =
        |call: &str| format!("board = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0]){call}");
    for (call, rows, cols) in
        [(".reshape(3, 4)", 3, 4), (".reshape((2,6));", 2, 6), (".reshape([ 4, 3 ])", 4, 3)]
    {
        assert_eq!(parse(&text(call)).map(|board| board.shape()), Ok(shape(rows, cols)), "{call}");
    }
    for call in [".reshape(3, 3)", ".reshape(12)", ".reshape(0, 12)", ".reshape(2, 2, 3)", ".T"] {
        assert!(parse(&text(call)).is_err(), "{call}");
    }
}

#[test]
fn drawn_tables_are_read() {
    all_are(
        EIGHT,
        &[
            "+---+---+---+\n| 1 | 2 | 3 |\n+---+---+---+\n| 4 | 5 | 6 |\n+---+---+---+\n\
             | 7 | 8 |   |\n+---+---+---+",
            "| 1 | 2 | 3 |\n|---|---|---|\n| 4 | 5 | 6 |\n| 7 | 8 |  |",
            "|1|2|3|\n|:-:|:-:|:-:|\n|4|5|6|\n|7|8|0|",
            "|1|2|3|\n|-|-|-|\n|4|5|6|\n|-|-|-|\n|7|8|-|",
            "1|2|3\n4|5|6\n7|8|0",
            "1|2|3\n4|5|6\n7|8|",
            "1|2|3|4|5|6|7|8|0",
            "| 1 2 3 |\n| 4 5 6 |\n| 7 8 0 |",
            "┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │ 5 │ 6 │\n├───┼───┼───┤\n\
             │ 7 │ 8 │   │\n└───┴───┴───┘",
            "╔═══╦═══╦═══╗\n║ 1 ║ 2 ║ 3 ║\n║ 4 ║ 5 ║ 6 ║\n║ 7 ║ 8 ║ □ ║\n╚═══╩═══╩═══╝",
            "┃1┃2┃3┃\n┃4┃5┃6┃\n┃7┃8┃.┃",
            "1 2 3\n=====\n4 5 6\n-----\n7 8 0",
            "___________\n 1 | 2 | 3\n___|___|___\n 4 | 5 | 6\n___|___|___\n 7 | 8 |",
        ],
    );
    all_are("0 1/2 3", &["| | 1 |\n| 2 | 3 |", " | 1\n2 | 3", "| | 1 | 2 | 3 |"]);
    all_are("1 2/3 0", &["1|2\n3|", "1|2|3|", "|1|2|\n|3||"]);
}

#[test]
fn rows_on_one_line_are_separated_by_signs() {
    all_are(
        EIGHT,
        &[
            "1 2 3|4 5 6|7 8 0",
            "1 2 3 | 4 5 6 | 7 8 .",
            "|1 2 3|4 5 6|7 8 0|",
            "1 2 3;4 5 6;7 8 0",
            "1,2,3|4,5,6|7,8,0",
            "1,2,3|4,5,6|7,8,",
            "123|456|780",
        ],
    );
    all_are("1 2 3/4 5 0", &["1 2 3|4 5 0", "123|450"]);
}

#[test]
fn digits_and_letters_without_spaces_are_read() {
    all_are("8 2 0/4 6 1/3 7 5", &["820461375", "820/461/375", "82.461375", "82_/461/375"]);
    all_are("8 2 0/4 6 1/3 7 5", &["820\n461\n375\n", "820 461 375"]);
    all_are("1 2/3 0", &["12/30", "1230", "123x", "12\n3*", "12/3□", "12/3-", "12;3X"]);
    all_are(
        "15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2",
        &[
            "fe169b4c0a73d852",
            "FE169B4C0A73D852",
            "fe16/9b4c/.a73/d852",
            "fe16 9b4c 0a73 d852",
            "FE16\n9B4C\n_A73\nD852",
            "f e 1 6/9 b 4 c/0 a 7 3/d 8 5 2",
            "f,e,1,6\n9,b,4,c\n,a,7,3\nd,8,5,2",
        ],
    );
    all_are(
        "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0",
        &[
            "ABCDEFGHIJKLMNO.",
            "abcdefghijklmnox",
            "ABCD/EFGH/IJKL/MNO_",
            "A B C D\nE F G H\nI J K L\nM N O .",
            "123456789abcdefg",
        ],
    );
}

#[test]
fn letter_x_is_a_tile_on_large_boards() {
    let digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    let numbers: Vec<String> = (0..36).map(|n| n.to_string()).collect();
    assert_eq!(parse(digits), parse(&numbers.join(" ")));
    let numbers: Vec<String> = (1..25).map(|n| n.to_string()).collect();
    assert_eq!(parse("ABCDEFGHIJKLMNOPQRSTUVWX."), parse(&(numbers.join(" ") + " 0")));
}

#[test]
fn arrays_hold_rows_or_cells() {
    all_are(
        EIGHT,
        &[
            "[[1,2,3],[4,5,6],[7,8,0]]",
            "[1,2,3,4,5,6,7,8,0]",
            " [ [1, 2, 3],\n  [4, 5, 6],\n  [7, 8, null] ] ",
            "[[1,2,3],[4,5,6],[7,8,\"\"]],",
            "((1,2,3),(4,5,6),(7,8,0))",
            "[(1, 2, 3), (4, 5, 6), (7, 8, None)]",
            "(1, 2, 3, 4, 5, 6, 7, 8, 9)",
            "[[1,2,3,],[4,5,6,],[7,8,0,],]",
            "[[1 2 3]\n [4 5 6]\n [7 8 0]]",
            "[[\"1\",\"2\",\"3\"],[\"4\",\"5\",\"6\"],[\"7\",\"8\",\" \"]]",
            "[['1','2','3'],['4','5','6'],['7','8','_']]",
            "[\"123\",\"456\",\"780\"]",
            "[[[1,2,3],[4,5,6],[7,8,0]]]",
            "[[1,2,3,4,5,6,7,8,0]]",
        ],
    );
}

#[test]
fn every_sign_of_the_blank_is_read() {
    for sign in ["0", "00", ".", "_", "x", "X", "-", "*", "□"] {
        all_are(GAP, &[&format!("1 {sign} 2/3 4 5/6 7 8")]);
    }
    all_are(GAP, &["1,,2,3,4,5,6,7,8", "1,,2\n3,4,5\n6,7,8", "1, ,2/3,4,5/6,7,8"]);
    all_are(GAP, &["1\t\t2\n3\t4\t5\n6\t7\t8", "1,,2,\n3,4,5,\n6,7,8,"]);
    all_are("0 1/2 3", &[",1,2,3", ",1\n2,3", "\t1\n2\t3"]);
    all_are("1 2/3 0", &["1,2,3,", "1,2\n3,", "1\t2\n3\t"]);
}

#[test]
fn number_of_cells_is_the_blank_without_another() {
    all_are(EIGHT, &["1 2 3/4 5 6/7 8 9", "123456789", "[1,2,3,4,5,6,7,8,9]", "ABCDEFGHI"]);
    all_are("0 1 2/3 4 5", &["6 1 2/3 4 5"]);
    assert!(matches!(
        parse("0 2 3/4 5 6/7 8 9"),
        Err(TextErrorKind::Board(BoardError::OutOfRange { tile: 9, .. }))
    ));
}

#[test]
fn ambiguous_text_is_refused_unless_the_size_decides() {
    // Bars that only align the numbers, or that separate rows.
    let text = "1 2|3 4\n5 6|7 0";
    let wide = board("1 2 3 4/5 6 7 0");
    let tall = board("1 2/3 4/5 6/7 0");
    let error = parse(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this can be read as 1 2/3 4/5 6/7 0 and as 1 2 3 4/5 6 7 0: give the size, or separate \
         the cells with spaces and the rows with /"
    );
    let ambiguous = TextErrorKind::Ambiguous { first: Box::new(tall), second: Box::new(wide) };
    assert_eq!(error, ambiguous);
    assert_eq!(parse_as(text, Some(shape(2, 4))), Ok(wide));
    assert_eq!(parse_as(text, Some(shape(4, 2))), Ok(tall));

    // Spaces that separate rows, or that only align the letters.
    let text = "fe169b4c 0a73d852";
    assert!(matches!(parse(text), Err(TextErrorKind::Ambiguous { .. })));
    for size in [shape(2, 8), shape(4, 4)] {
        assert_eq!(parse_as(text, Some(size)).unwrap().shape(), size);
    }
}

/// Returns a board in every notation that allows this sign for the blank, each with whether the
/// text determines the shape.
fn notations(board: Board, sign: &str) -> Vec<(String, bool)> {
    let n = board.shape().cell_count();
    let cols = board.shape().cols();
    let mut texts = Vec::new();
    // Cells, then rows.
    let mut add = |cells: &[String], between_cells: &str, between_rows: &str| {
        let rows: Vec<String> = cells.chunks(cols).map(|row| row.join(between_cells)).collect();
        texts.push((rows.join(between_rows), between_cells != between_rows));
    };
    let cells = |tile_text: &dyn Fn(u8) -> String| -> Vec<String> {
        let text = |&tile: &u8| if tile == 0 { sign.to_owned() } else { tile_text(tile) };
        board.tiles().iter().map(text).collect()
    };
    let numbers = cells(&|tile| tile.to_string());
    for (between_cells, between_rows) in
        [(",", "\n"), (", ", ";"), ("|", "\n"), (",", ","), ("|", "|"), (",", "|"), (" | ", " \n ")]
    {
        add(&numbers, between_cells, between_rows);
    }
    if !sign.is_empty() {
        for (between_cells, between_rows) in
            [(" ", "/"), (" ", "\n"), ("  ", " | "), ("\t", "\r\n"), (", ", ",\n"), (" ", " ")]
        {
            add(&numbers, between_cells, between_rows);
        }
    }
    let digit = |tile: u8| char::from_digit(tile.into(), 36).map(String::from).unwrap_or_default();
    let letter = |tile: u8| char::from(b'A' + tile - 1).to_string();
    let is_short = sign.chars().count() == 1 && sign.parse::<usize>() != Ok(n);
    let mut compact = Vec::new();
    if is_short {
        compact.push(cells(&digit));
        compact.push(cells(&digit).iter().map(|cell| cell.to_uppercase()).collect());
        if n <= 27 {
            compact.push(cells(&letter));
        }
    }
    // An x is the blank or a tile, but not both.
    let is_x = |cell: &String| cell.eq_ignore_ascii_case("x");
    compact.retain(|cells: &Vec<String>| cells.iter().filter(|cell| is_x(cell)).count() < 2);
    for cells in &compact {
        for (between_cells, between_rows) in
            [("", ""), ("", "/"), ("", "\n"), (" ", "/"), (",", ";"), ("|", "\n")]
        {
            add(cells, between_cells, between_rows);
        }
        // Two digits between spaces are a number.
        if cols > 2 {
            add(cells, "", " ");
        }
    }
    let quoted = match sign {
        "" => "null".to_owned(),
        _ if sign.parse::<u8>().is_ok() => sign.to_owned(),
        _ => format!("\"{sign}\""),
    };
    let mut elements = numbers;
    elements[usize::from(board.blank())] = quoted;
    texts.push((format!("[{}]", elements.join(",")), false));
    for [open, close] in ["[]", "()"].map(|pair| [&pair[..1], &pair[1..]]) {
        let row = |row: &[String]| format!("{open}{}{close}", row.join(", "));
        let rows: Vec<String> = elements.chunks(cols).map(row).collect();
        texts.push((format!("{open}{}{close}", rows.join(",\n ")), true));
    }
    let mut boxed = elements;
    sign.clone_into(&mut boxed[usize::from(board.blank())]);
    for [left, bar, between] in [["+", "|", "-"], ["├", "│", "─"]] {
        let ruler = format!("{left}{}", format!("{}{left}", between.repeat(4)).repeat(cols));
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| format!(" {cell:>2} {bar}")).collect();
            format!("{bar}{}\n{ruler}\n", cells.concat())
        };
        let lines: String = boxed.chunks(cols).map(line).collect();
        texts.push((format!("{ruler}\n{lines}"), true));
    }
    texts
}

#[test]
fn board_reads_back_from_every_notation() {
    let mut random = Random::default();
    for _ in 0..cases(256) {
        let shape = any_shape(&mut random);
        let board = any_board(&mut random, shape);
        assert_eq!(parse(&board.to_string()), Ok(board));
        let last = shape.cell_count().to_string();
        for sign in ["0", ".", "_", "x", "X", "-", "*", "□", "", last.as_str()] {
            for (text, has_shape) in notations(board, sign) {
                assert_eq!(parse_as(&text, Some(shape)), Ok(board), "{text:?}");
                match parse(&text) {
                    Ok(found) if has_shape => assert_eq!(found, board, "{text:?}"),
                    // Without rows the board is a square.
                    Ok(found) => assert_eq!(found.tiles(), board.tiles(), "{text:?}"),
                    Err(TextErrorKind::Ambiguous { .. }) => {
                        assert!(text.contains(' '), "{text:?}");
                    }
                    Err(error) => {
                        let found = shape.cell_count();
                        assert!(!has_shape, "{text:?} {error}");
                        assert_eq!(error, TextErrorKind::NotSquare { found }, "{text:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn lists_in_braces_are_boards_but_not_objects() {
    let expected = parse("8 2 0/4 6 1/3 7 5");
    for text in ["{{8,2,0},{4,6,1},{3,7,5}}", "{8, 2, 0, 4, 6, 1, 3, 7, 5}", "{{820},{461},{375}}"]
    {
        assert_eq!(parse(text), expected, "{text}");
    }
    let board = parse("{{1,2},{3,0}}");
    assert_eq!(board, parse("1 2/3 0"));
    for bad in
        ["{}", "{", "}", "{\"a\":1}", "[1,2,3,0}", "{1,2,3,0]", "{1:2}", "{{1,2},{3,0}", "{a}"]
    {
        assert!(parse(bad).is_err(), "{bad}");
    }
    assert_eq!(parse("{\"a\":1}"), Err(TextErrorKind::Stray { found: '{' }));
    assert_eq!(parse("{1,2,3,0"), Err(TextErrorKind::Unclosed { expected: '}' }));
}
