//! The part of the language GAMS that is written: scalar variables and equations, one model, one
//! solve.
//!
//! ```text
//! file       = statement*                       lines that begin with * are comments
//! statement  = ( "free" "variable" name
//!              | ( "binary" | "integer" ) "variables" list
//!              | name "." ( "lo" | "up" ) "=" number
//!              | "equations" list
//!              | name ".." sum ( "=e=" | "=l=" | "=g=" ) number
//!              | "option" "optcr" "=" "0"
//!              | "model" name "/" "all" "/"
//!              | "solve" name "using" "mip" "minimizing" name ) ";"
//! list       = name ( "," name )*
//! sum        = [ "-" ] term ( ( "+" | "-" ) term )*
//! term       = [ number "*" ] name
//! ```

use std::collections::BTreeSet;

use super::{Program, is_name, sum};

/// The variable that is minimised.
const COST: &str = "cost";

/// Reads a file of GAMS.
pub(crate) fn gams(text: &str) -> Program {
    let mut program = Program::default();
    let mut equations = BTreeSet::new();
    let mut is_free = false;
    let mut model = None;
    let mut is_solved = false;
    let lines = text.lines().filter(|line| !line.starts_with('*'));
    let lines: Vec<&str> = lines.collect();
    assert!(lines.iter().all(|line| line.len() < 80_000), "GAMS reads no longer lines");
    let (statements, rest) = {
        let text = lines.join("\n");
        let (all, rest) = text.rsplit_once(';').unwrap();
        (all.split(';').map(str::to_owned).collect::<Vec<_>>(), rest.to_owned())
    };
    assert!(rest.trim().is_empty());
    for statement in &statements {
        assert!(!is_solved, "{statement} after all is solved");
        let words: Vec<&str> = statement.split_whitespace().collect();
        match &words[..] {
            ["free", "variable", COST] => is_free = true,
            [kind @ ("binary" | "integer"), "variables", names @ ..] => {
                // The default range of integers depends on the version of GAMS.
                let high = if *kind == "binary" { 1 } else { i64::MAX };
                for name in list(names) {
                    program.add_variable(&name, (0, high));
                }
            }
            ["equations", names @ ..] => {
                for name in list(names) {
                    assert!(equations.insert(name.clone()), "{name} is there twice");
                }
            }
            [bound, "=", number] if bound.contains('.') => {
                let (name, which) = bound.split_once('.').unwrap();
                let variable = program.variables.get_mut(name).unwrap();
                let end = match which {
                    "lo" => &mut variable.0,
                    "up" => &mut variable.1,
                    _ => panic!("{statement}"),
                };
                *end = number.parse().unwrap();
            }
            ["option", "optcr", "=", "0"] => (),
            ["model", name, "/", "all", "/"] => model = Some((*name).to_owned()),
            ["solve", name, "using", "mip", "minimizing", COST] => {
                assert_eq!(model.as_deref(), Some(*name));
                is_solved = true;
            }
            ["cost_is..", COST, "=e=", words @ ..] => {
                assert!(equations.remove("cost_is"));
                let nothing = [&"0"];
                if !words.iter().eq(nothing) {
                    program.objective = sum(words.iter().copied());
                }
            }
            [name, words @ .., sense, right] if name.ends_with("..") => {
                let name = name.trim_end_matches('.');
                assert!(equations.remove(name), "{name} is not declared");
                let sense = match *sense {
                    "=e=" => "=",
                    "=l=" => "<=",
                    "=g=" => ">=",
                    _ => panic!("{statement}"),
                };
                let left = sum(words.iter().copied());
                program.add_row(name, (left, sense.to_owned(), right.parse().unwrap()));
            }
            _ => panic!("{statement}"),
        }
    }
    assert!(is_free && is_solved && equations.is_empty(), "{equations:?}");
    program.checked()
}

/// Names with commas between them.
fn list(words: &[&str]) -> Vec<String> {
    let (last, others) = words.split_last().unwrap();
    let names = others.iter().map(|word| word.strip_suffix(',').unwrap()).chain([*last]);
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.iter().all(|name| is_name(name) && name.len() <= 63), "{names:?}");
    names
}
