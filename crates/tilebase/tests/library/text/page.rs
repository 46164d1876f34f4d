//! The examples on the page about notations are correct.

use tilebase::text::{BoardFormat, BoardReader, read_board};

use super::{found, in_short};

const PAGE: &str = include_str!("../../../../../docs/boards.md");

/// Headings and fenced blocks: the kind of a block, and its text.
fn blocks() -> Vec<(&'static str, String)> {
    let mut blocks: Vec<(&str, String)> = Vec::new();
    let mut is_inside = false;
    for line in PAGE.lines() {
        match line.strip_prefix("```") {
            Some(kind) if !is_inside => {
                blocks.push((kind, String::new()));
                is_inside = true;
            }
            Some(_) => is_inside = false,
            None if is_inside => {
                let (_, text) = blocks.last_mut().expect("a block was begun");
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    assert!(!is_inside);
    blocks
}

#[test]
fn boards_of_the_page_are_read_as_shown() {
    let (three, four) = ("8 2 0/4 6 1/3 7 5", "15 14 1 6/9 11 4 12/0 10 7 3/13 8 5 2");
    let goal = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
    let mut counts = [0; 3];
    for (kind, text) in blocks() {
        if let Some(option) = kind.strip_prefix("board").filter(|option| *option != "s") {
            let blank = option.strip_prefix(" --blank ");
            let blank = blank.map(|sign| sign.parse().expect("the sign of a blank"));
            let format = BoardFormat { blank, ..BoardFormat::default() };
            let board = read_board(&text, format).unwrap_or_else(|error| panic!("{text}{error}"));
            let expected = [three, four, goal];
            let which = expected.iter().position(|expected| **expected == board.to_string());
            counts[which.unwrap_or_else(|| panic!("{text} is {board}"))] += 1;
        }
    }
    assert_eq!(counts, [22, 2, 1]);
}

#[test]
fn files_of_the_page_are_read_as_shown() {
    let blocks = blocks();
    let mut count = 0;
    for pair in blocks.windows(2).filter(|pair| pair[0].0 == "boards") {
        assert_eq!(pair[1].0, "found");
        let found = found(BoardReader::new(None), &pair[0].1);
        let shown: Vec<String> = found.iter().map(in_short).collect();
        assert_eq!(shown.join("\n") + "\n", pair[1].1, "\n{}", pair[0].1);
        count += 1;
    }
    assert_eq!(count, 11);
}

#[test]
fn refused_texts_of_the_page_have_the_shown_errors() {
    let mut count = 0;
    for (_, block) in blocks().iter().filter(|(kind, _)| *kind == "refused") {
        let (text, expected) = block.split_once("=> ").expect("an error after =>");
        let error = read_board(text, None).expect_err(text);
        assert_eq!(error.drawing() + "\n", expected);
        count += 1;
    }
    assert_eq!(count, 7);
}
