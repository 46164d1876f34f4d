//! Files, read back by small readers. `tests/solvers/run` has three solvers read LP and MPS.
//!
//! The readers are strict: they accept only the part of each format that is written. The reader of
//! GAMS replaces GAMS itself, which needs a licence.

use pdb_core::{Board, Goal};
use tilebase_model::{Form, Model, encode, files};

use crate::readers::{Program, gams, json};

fn models() -> Vec<Model> {
    let mut models = Vec::new();
    for (board, horizons) in [
        ("1 2/3 0", 0..3),
        ("1 2 3/0 4 5", 1..4),
        ("5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12", 11..12),
        (
            "1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 18/19 20 21 22 23 24/25 26 27 28 29 30/31 32 33 34 \
          0 35",
            1..2,
        ),
    ] {
        let board: Board = board.parse().unwrap();
        let goal = Goal::blank_last(board.shape());
        for horizon in horizons {
            for form in Form::ALL {
                models.push(encode(form, &board, &goal, horizon).unwrap().model);
            }
        }
    }
    models
}

/// Checks that a file has the content of the model, in any order.
fn check(write: fn(&Model) -> String, read: fn(&str) -> Program) {
    for model in models() {
        let text = write(&model);
        assert_eq!(read(&text), Program::of(&model), "{}", model.name);
    }
}

#[test]
fn files_of_gams_and_json_contain_the_whole_model() {
    check(files::write_gams, gams);
    check(files::write_json, json);
}

#[test]
fn files_explain_the_model_in_comments() {
    for model in models() {
        let json = files::write_json(&model);
        assert!(json == files::write_json(&model) && json.is_ascii() && json.ends_with('\n'));
        for write in [files::write_lp, files::write_mps, files::write_gams] {
            let text = write(&model);
            assert_eq!(text, write(&model), "the same model gives the same bytes");
            assert!(text.is_ascii() && text.ends_with('\n'));
            let head: Vec<&str> = text.lines().take(30).collect();
            for comment in &model.comments {
                assert!(head.iter().any(|line| line.ends_with(&comment[..])), "{comment}");
            }
            for family in &model.families {
                let line = format!("Rows {}_: {}.", family.name, family.meaning);
                assert!(head.iter().any(|found| found.ends_with(&line)), "{line}");
            }
            let is_comment = |line: &&str| line.starts_with(['\\', '*']);
            let longest = text.lines().filter(|line| !is_comment(line)).map(str::len).max();
            assert!(longest <= Some(120), "{longest:?}");
        }
    }
}

#[test]
fn names_are_unique_and_valid_in_every_format() {
    // Words that some format does not accept as names.
    let reserved = ["free", "end", "st", "inf", "infinity", "bounds", "cost", "cost_is", "MARKER"];
    for model in models() {
        // Solution files have the names of both.
        let variables = model.variables.iter().map(|variable| &variable.name);
        let mut names: Vec<_> = variables.chain(model.rows.iter().map(|row| &row.name)).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{}", model.name);
        for name in names {
            assert!(name.len() <= 63 && !reserved.contains(&&name[..]), "{name}");
            let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(name.chars().all(is_part), "{name}");
            // In LP, e5 is a number.
            let mut letters = name.chars();
            assert!(letters.next().unwrap().is_ascii_lowercase());
            assert!(!name.starts_with('e') || !letters.next().unwrap().is_ascii_digit());
        }
    }
}
