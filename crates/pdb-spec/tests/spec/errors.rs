//! The exact text and marks of errors. Another test checks the messages on `docs/specs.md`.

use pdb_spec::{Golden, Spec, builtin};

const GOOD: &str = r#"title = "halves"
goal = """
1 2 3
4 5 6
7 8 .
"""
partition = """
A A A
A B B
B B .
"""
"#;

const PLAIN: &str = r#"title = "fringe"
kind = "plain"
goal = """
1 2 3
4 5 6
7 8 .
"""
pattern = """
A A A
A - -
A - .
"""
"#;

/// Expects the whole error of a wrong text.
#[track_caller]
fn check_text(text: &str, expected: &str) {
    let error = Spec::parse("my.toml", text).expect_err("the text is wrong");
    let error = error.to_string();
    assert_eq!(error, expected.trim(), "\n{error}\n");
}

#[test]
fn the_unchanged_texts_are_accepted() {
    for text in [GOOD, PLAIN] {
        Spec::parse("my.toml", text).unwrap();
    }
}

/// Parts of a good text, their replacements, the expected message, and the marked row, column and
/// number of characters.
type Faults = &'static [(&'static str, &'static str, &'static str, [usize; 3])];

const FAULTS: Faults = &[
    ("\"halves\"", "\"halves", "invalid basic string, expected `\"`", [1, 16, 1]),
    (
        "partition =",
        "mirror = true\npartition =",
        "unknown field `mirror`, expected one of `title`, `goal`, `kind`, `partition`, `partitions`, \
         `pattern`, `patterns`, `colouring`, `colourings`, `blank`, `reflect`, `dual`",
        [7, 1, 6],
    ),
    (
        "goal",
        "kind = \"walking-distance\"\ngoal",
        "a spec of the kind walking-distance has no key `partition`, expected one of `title`, `goal`, \
         `kind`",
        [8, 13, 3],
    ),
    (
        "4 5 6",
        "4 five 6",
        "row 2, column 2 holds \"five\": expected a tile's number, or 0, . or _ for the blank",
        [4, 3, 4],
    ),
    (
        "4 5 6",
        " 4 5 ",
        "row 2 has 2 cells where the first row has 3: give every row as many cells",
        [4, 2, 3],
    ),
    (
        "4 5 6",
        r"4 5 \u0035",
        "tile 5 stands at row 2, column 2 and again at row 2, column 3, and tile 6 is missing",
        [2, 8, 3],
    ),
];

const FAULTS_OF_PLAIN: Faults = &[
    (
        "A A A\nA - -\nA - .",
        "- - -\n- - -\n- - .",
        "no tile has a letter here: draw at least one tile of the pattern as A",
        [8, 11, 3],
    ),
    (
        "A - -",
        "A - x",
        "a pattern is named by one letter from A to Z, and - is a tile in none, found \"x\"",
        [10, 5, 1],
    ),
    (
        "pattern =",
        "blank = 'aware'\npattern =",
        "a spec of the kind plain has no key `blank`, expected one of `title`, `goal`, `kind`, \
         `pattern`, `patterns`, `reflect`",
        [8, 9, 7],
    ),
];

const FAULTY_TEXTS: [(&str, &str, [usize; 3]); 4] = [
    (
        "title = ''\ngoal = '1 2/3 .'\npartition = '''\n \n'''",
        "nothing is drawn here: write the board's cells row by row",
        [3, 13, 3],
    ),
    (
        "title = ''\n\
         goal = '1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 .'\n\
         partition = 'A A A A A A/A A A A A A/A A A A A .'",
        "a pattern on a 3x6 board has 1 to 15 tiles, but this one has 17",
        [3, 44, 1],
    ),
    (
        "title = ''\ngoal = '1 2 3/4 5 .'\npartition = 'A A A/A A .'\nreflect = true",
        "no reflection of a 2x3 board leaves the blank's home in place: set reflect = false",
        [4, 11, 4],
    ),
    (
        "title = ''\ngoal = '1 2/3 .'\npartitions = [\n  'A B/A .',\n  'A B/. B',\n]",
        "expected the letter of a pattern, found a blank: the goal has tile 3 here",
        [5, 8, 1],
    ),
];

/// Expects an error with its message above the marked line.
fn check_marked(text: &str, message: &str, [row, col, width]: [usize; 3]) {
    let line = text.lines().nth(row - 1).expect("the text has this line").trim_end();
    let margin = " ".repeat(row.to_string().len());
    let carets = " ".repeat(col - 1) + &"^".repeat(width);
    let place = format!("{margin}--> my.toml:{row}:{col}");
    check_text(
        text,
        &format!("{message}\n{place}\n{margin} |\n{row} | {line}\n{margin} | {carets}"),
    );
}

#[test]
fn faults_are_named_and_marked() {
    for (good, faults) in [(GOOD, FAULTS), (PLAIN, FAULTS_OF_PLAIN)] {
        for (from, to, message, mark) in faults {
            check_marked(&good.replacen(from, to, 1), message, *mark);
        }
    }
    for (text, message, mark) in FAULTY_TEXTS {
        check_marked(text, message, mark);
    }
    for wrong in ["b", "AB", "7", "\u{e9}", "-"] {
        let message = format!("a pattern is named by one letter from A to Z, found \"{wrong}\"");
        let text = GOOD.replace("A B B", &format!("A {wrong} B"));
        check_marked(&text, &message, [9, 3, wrong.chars().count()]);
    }
}

#[test]
fn a_title_is_one_line_of_text_in_every_kind() {
    for title in ["'''a\nb'''", "'a\tb'", r#""\u0085""#] {
        for kind in ["", "kind = 'walking-distance'\n", "kind = 'plain'\n"] {
            let text = format!("title = {title}\n{kind}goal = '1 2/3 .'");
            let error = Spec::parse("my.toml", &text).unwrap_err().to_string();
            let (fault, place) = error.split_once('\n').unwrap();
            assert!(fault.starts_with("a title is one line without control characters"), "{error}");
            assert!(place.starts_with(" --> my.toml:1:9"), "{error}");
        }
    }
}

#[test]
fn error_names_the_missing_key() {
    let untitled = GOOD.replace("title = \"halves\"", "");
    check_text(&untitled, "missing field `title`\n --> my.toml");
    for (good, key, expected) in [
        (
            GOOD,
            "partition",
            "no partition is drawn: add the key `partition`, with a letter for each of its tiles",
        ),
        (
            PLAIN,
            "pattern",
            "no pattern is drawn: add the key `pattern`, with a letter for each of its tiles",
        ),
    ] {
        let goal = &good[..good.find(key).unwrap()];
        let expected = format!("{expected}\n --> my.toml");
        check_text(goal, &expected);
        check_text(&format!("{goal}{key}s = []"), &expected);
    }
}

#[test]
fn every_way_to_write_a_string_keeps_its_places() {
    let expected = "
tile 5 stands at row 2, column 2 and again at row 2, column 3, and tile 6 is missing
 --> my.toml:4:5
  |
4 | 4 5 5
  |     ^";
    let text = GOOD.replace("4 5 6", "4 5 5");
    check_text(&text.replace("\"\"\"", "'''"), expected);
    check_text(&text.replace('\n', "\r\n"), expected);
    check_text(&text.replace("4 5 5", "4\t5\t5"), expected);
    let kept_newline = text.replace("goal = \"\"\"\n", "goal = \"\"\"");
    check_text(&kept_newline, &expected.replace("4:5", "3:5").replace("4 |", "3 |"));
}

#[test]
fn error_of_a_golden_names_the_unknown_key() {
    let error = Golden::parse("15/7-8.golden", "[[table]]\nfiles = 'x'").unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown field `files`, expected one of `file`, `entry_count`, `unreached_count`, \
         `histogram`, `digest`, `payload_digest`
 --> 15/7-8.golden:2:1
  |
2 | files = 'x'
  | ^^^^^"
    );
}

#[test]
fn error_of_an_unknown_name_suggests_a_shipped_one() {
    let rest = "expected a .toml file or a shipped spec";
    for (name, hint) in [
        ("7-8", " (did you mean 15/7-8?)"),
        ("15/walking", " (did you mean 15/walking-distance?)"),
        ("korf", ""),
    ] {
        assert_eq!(
            builtin(name).unwrap_err().to_string(),
            format!("no spec is named \"{name}\"{hint}: {rest}")
        );
    }
}

/// A format of more than 65,535 columns panics.
#[test]
fn errors_in_long_lines_and_below_many_lines_are_short() {
    let texts: [fn(usize) -> String; 5] = [
        |len| "a".repeat(len),
        |len| format!("title = \"{}\" b", "t".repeat(len)),
        |len| GOOD.replace("A B B", &format!("A B{} B", " B".repeat(len))),
        |len| GOOD.replace("\"halves\"", &format!("\"halves\"{}b", " ".repeat(len))),
        |len| format!("{}b", "#\n".repeat(len)),
    ];
    for (text, len) in
        texts.iter().flat_map(|text| [1, 65_534, 65_535, 65_536, 200_000].map(|len| (text, len)))
    {
        let error = Spec::parse("my.toml", &text(len)).expect_err("the text is wrong").to_string();
        assert!(error.chars().count() < 1_000, "{len}: {error:.2000}");
        assert!(error.contains("my.toml:") && error.contains('^'), "{error}");
    }
}
