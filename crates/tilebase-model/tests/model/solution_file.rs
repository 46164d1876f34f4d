//! Correct and wrong solution files of other programs.

use std::ops::ControlFlow;

use pdb_core::notation::parse_letters;
use pdb_core::{Board, Goal};
use tilebase_model::solve::{Question, SolutionFile, SolveError, Status, solve};
use tilebase_model::{Form, Model, encode};

fn board() -> Board {
    "1 2/0 3".parse().unwrap()
}

/// Returns the model with three periods, and the values of its solution by one move.
fn model_and_values() -> (Model, Vec<i64>) {
    let board = board();
    let board_model = encode(Form::Neos, &board, &Goal::blank_last(board.shape()), 3).unwrap();
    let values = board_model.values_of(&parse_letters("L").unwrap()).unwrap();
    (board_model.model, values)
}

/// Returns the solution files that solvers write for these values, with the solvers' names.
fn files(model: &Model, values: &[i64]) -> [(&'static str, String); 5] {
    let lines = |line: &dyn Fn(usize, &str, i64) -> String| -> String {
        let variables = model.variables.iter().zip(values).enumerate();
        variables.map(|(i, (variable, &value))| line(i, &variable.name, value)).collect()
    };
    let rows: Vec<_> = model.rows.iter().map(|row| format!("{} 1\n", row.name)).collect();
    let rows = rows.concat();
    let non_zero = |line: String, value| if value == 0 { String::new() } else { line };
    [
        ("cbc", {
            let line = |i, name: &str, value| {
                non_zero(format!("{i:>7} {name:<20} {value:>10} {:>10}\n", 0), value)
            };
            format!("Optimal - objective value 1.00000000\n{}", lines(&line))
        }),
        ("glpsol", {
            let line = |i, name: &str, value| {
                let end = if name.len() > 12 { "\n                    " } else { "" };
                format!("{:>6} {name:<12}{end} * {value:>13} {:>13} {:>13}\n", i + 1, 0, 1)
            };
            format!("Problem:    neos\n{rows}   No. Column name  Activity\n{}", lines(&line))
        }),
        ("HiGHS", {
            let line = |_, name: &str, value| format!("{name} {value}\n");
            format!("Model status\nOptimal\n\n# Columns 9\n{}# Rows 9\n{rows}", lines(&line))
        }),
        ("SCIP", {
            let line = |_, name: &str, value| {
                non_zero(format!("{name:<32} {value:>20} \t(obj:0)\n"), value)
            };
            format!("solution status: optimal solution found\n{}", lines(&line))
        }),
        ("Gurobi", lines(&|_, name, value| format!("{name} {value}\n"))),
    ]
}

/// Replays a solution file.
fn replay(text: &str) -> Result<Status, SolveError> {
    let board = board();
    let question = Question {
        board: &board,
        goal: &Goal::blank_last(board.shape()),
        form: Form::Neos,
        horizon: Some(3),
        first: false,
        time: None,
    };
    let file = SolutionFile::new("board.sol".to_owned(), text.to_owned());
    solve(question, &file, &mut |_| ControlFlow::Continue(())).map(|outcome| outcome.status)
}

fn solved() -> Status {
    Status::Optimal(parse_letters("L").unwrap())
}

#[test]
fn files_of_five_solvers_are_replayed() {
    let (model, values) = model_and_values();
    for (solver, text) in files(&model, &values) {
        assert_eq!(replay(&text).unwrap(), solved(), "{solver}: {text}");
    }
}

#[test]
fn truncated_file_is_refused_or_solves_the_board() {
    let (model, values) = model_and_values();
    for (solver, text) in files(&model, &values) {
        for end in (0..text.len()).step_by(crate::forms::step()) {
            // Values may miss at the end: they are 0.
            if let Ok(status) = replay(&text[..end]) {
                assert_eq!(status, solved(), "{solver}: {end} bytes");
            }
        }
    }
}

#[test]
fn changed_value_is_refused_or_solves_the_board() {
    let (model, values) = model_and_values();
    for place in 0..values.len() {
        let mut wrong = values.clone();
        wrong[place] += 1;
        for (solver, text) in files(&model, &wrong) {
            match replay(&text) {
                // Other moves may solve the board, too.
                Ok(Status::Optimal(_) | Status::Found(_)) | Err(SolveError::NoSolution { .. }) => {}
                other => panic!("{solver} {place}: {other:?}"),
            }
        }
    }
}

#[test]
fn values_that_are_not_whole_are_refused() {
    let (model, values) = model_and_values();
    let [.., (_, text)] = files(&model, &values);
    let name = &model.variables[values.iter().position(|&value| value == 1).unwrap()].name;
    let line = format!("{name} 1\n");
    for nearly in ["0.9999999", "1.0000001", "1.0e+00"] {
        let text = text.replace(&line, &format!("{name} {nearly}\n"));
        assert_eq!(replay(&text).unwrap(), solved(), "{nearly}");
    }
    for bad in ["0.5", "nan", "inf", "1e300", "one", "1,0", "0x1"] {
        let error = replay(&text.replace(&line, &format!("{name} {bad}\n"))).unwrap_err();
        let is_refused = matches!(error, SolveError::NotWhole { .. } | SolveError::Solution { .. });
        assert!(is_refused, "{bad}: {error:?}");
    }
}

#[test]
fn other_text_is_refused_with_its_line() {
    let (model, values) = model_and_values();
    let [.., (_, text)] = files(&model, &values);
    let first = &model.variables[0].name;
    for (text, says) in [
        (
            String::new(),
            format!(
                "line 1: expected variables of this model and their values, such as {first} 1, found nothing"
            ),
        ),
        ("Infeasible\n\u{1b}[2J".to_owned(), format!("such as {first} 1, found `Infeasible`")),
        (format!("\u{1b}[2J {}", "x ".repeat(100)), "found `".to_owned()),
        (
            format!("{text}{first} 0\n"),
            format!("line {}: expected each variable once", values.len() + 1),
        ),
        (
            format!("Optimal\n{first}"),
            format!("line 2: expected the value of {first}, found nothing"),
        ),
    ] {
        let error = replay(&text).unwrap_err().to_string();
        assert!(error.contains(&says) && error.len() < 300, "{error}");
        assert!(!error.chars().any(char::is_control), "{error:?}");
    }
}
