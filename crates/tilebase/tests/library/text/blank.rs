//! Boards whose blank is named.

use tilebase::text::{BlankSign, BoardFormat, BoardReader, TextErrorKind, read_board};

use super::{found, in_short};

fn format(blank: &str) -> BoardFormat {
    BoardFormat { blank: Some(blank.parse().expect("a sign")), ..BoardFormat::default() }
}

#[track_caller]
fn reads(blank: &str, text: &str, expected: &str) {
    let board = read_board(text, format(blank)).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(board.to_string(), expected, "{text}");
}

#[test]
fn tiles_from_0_are_one_higher() {
    reads("15", "5 4 1 0 9 3 14 2 12 7 10 8 11 6 13 15", "6 5 2 1/10 4 15 3/13 8 11 9/12 7 14 0");
    reads("-1", "0 2 1/-1 3 4/6 5 7", "1 3 2/0 4 5/7 6 8");
    // The numbers beyond the blank stay.
    reads("4", "0 1 2/3 4 5/6 7 8", "1 2 3/4 0 5/6 7 8");
    reads("8", "00 01 02/03 04 05/06 07 08", "1 2 3/4 5 6/7 8 0");
    reads("f", "0123/4567/89ab/cdef", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0");
}

#[test]
fn tiles_from_1_stay() {
    reads("9", "1 2 3/4 5 6/7 8 9", "1 2 3/4 5 6/7 8 0");
    reads("-1", "1 2 3/4 5 6/7 8 -1", "1 2 3/4 5 6/7 8 0");
    reads("~", "1 2 3/4 5 6/7 8 ~", "1 2 3/4 5 6/7 8 0");
    reads("0", "1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 8 0");
}

#[test]
fn named_blank_is_the_only_one() {
    for (blank, text) in [
        ("8", "1 2 3/4 5 6/7 8 _"),
        ("8", "1 2 3/4 5 6/7 8 x"),
        ("8", "1,2,3,4,5,6,7,8,"),
        ("8", "[1,2,3,4,5,6,7,8,null]"),
        ("-1", "1 2 3/4 5 6/7 8 0"),
        ("-1", "1 2 3/4 5 6/7 8 9"),
        ("~", "1 2 3/4 5 6/7 8 0"),
        ("15", "1 2 3/4 5 6/7 8 0"),
        ("8", "0 1 2/3 4 5/8 7 8"),
        ("8", "0 1 2/3 4 5/6 8 9"),
        ("5", "1 2 3/4 5 6/7 8 9"),
        ("B", "1 2 3/4 5 6/7 8 b"),
    ] {
        let read = read_board(text, format(blank));
        assert!(read.is_err(), "{blank}: {text} is {read:?}");
        let found = found(BoardReader::new(format(blank)), text);
        assert!(found.iter().all(|found| found.board.is_err()), "{blank}: {text} is {found:?}");
    }
    let error = read_board("1 2 3/4 5 6/7 8 0", format("-1")).expect_err("no blank");
    assert_eq!(*error.kind(), TextErrorKind::NoBlank { blank: "-1".to_owned() });
}

#[test]
fn files_have_the_named_blank() {
    let text = "0 1 2/3 4 5/6 7 8\n0 1 2 3 4 5 6 8 7\n\n0 1 2\n3 4 5\n8 6 7\n";
    let shown: Vec<String> =
        found(BoardReader::new(format("8")), text).iter().map(in_short).collect();
    assert_eq!(shown, ["1: 1 2 3/4 5 6/7 8 0", "2: 1 2 3/4 5 6/7 0 8", "4-6: 1 2 3/4 5 6/0 7 8"]);
    // Without the named columns, this is no table: its blank would be 0.
    let table = "1 0 1 2 3 4 5 6 8 7 99 100\n2 0 1 2 3 4 5 8 6 7 99 100\n";
    let found = found(BoardReader::new(format("8")), table);
    assert!(found.iter().all(|found| found.board.is_err()), "{found:?}");
}

#[test]
fn signs_are_numbers_or_characters() {
    for (text, sign) in [("-1", BlankSign::Number(-1)), ("~", BlankSign::Char('~'))] {
        assert_eq!(text.parse(), Ok(sign));
        assert_eq!(sign.to_string(), text);
    }
    for text in ["", "#", "/", " ", "+1", "ab", "1.5"] {
        assert!(text.parse::<BlankSign>().is_err(), "{text:?}");
    }
}
