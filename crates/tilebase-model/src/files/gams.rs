//! The language GAMS.

use std::fmt::Write;

use super::text::{head, sum, write_words};
use crate::{Model, Sense};

/// Writes the model in the language GAMS, with a scalar variable for each variable and an equation
/// for each row.
///
/// Tests check the files with a reader of their own, because GAMS needs a licence.
pub fn write_gams(model: &Model) -> String {
    let mut text = String::new();
    write(&mut text, model).expect("a string takes all that is written");
    text
}

/// The variable that GAMS minimises, and the equation that defines it.
const OBJECTIVE: [&str; 2] = ["cost", "cost_is"];

fn write(text: &mut String, model: &Model) -> std::fmt::Result {
    let [objective, objective_row] = OBJECTIVE;
    for line in head(model) {
        writeln!(text, "* {line}")?;
    }
    writeln!(text, "\nfree variable {objective};")?;
    let (binaries, generals): (Vec<_>, Vec<_>) =
        model.variables.iter().partition(|variable| variable.is_binary());
    for (kind, variables) in [("binary", binaries), ("integer", generals)] {
        if variables.is_empty() {
            continue;
        }
        writeln!(text, "\n{kind} variables")?;
        write_words(text, listed(variables.iter().map(|variable| &variable.name[..])));
        text.push_str(";\n");
        for variable in variables.iter().filter(|variable| !variable.is_binary()) {
            let (name, low, high) = (&variable.name, variable.low, variable.high);
            writeln!(text, "{name}.lo = {low}; {name}.up = {high};")?;
        }
    }
    writeln!(text, "\nequations")?;
    let rows = model.rows.iter().map(|row| &row.name[..]);
    write_words(text, listed([objective_row].into_iter().chain(rows)));
    text.push_str(";\n\n");
    write!(text, "{objective_row}.. {objective} =e=")?;
    match &model.objective[..] {
        [] => text.push_str(" 0"),
        terms => write_words(text, sum(model, terms, "*")),
    }
    text.push_str(";\n");
    for row in &model.rows {
        write!(text, "{}..", row.name)?;
        let sense = match row.sense {
            Sense::AtMost => "=l=",
            Sense::AtLeast => "=g=",
            Sense::Equal => "=e=",
        };
        let side = format!("{sense} {}", row.right);
        write_words(text, sum(model, &row.terms, "*").chain([side]));
        text.push_str(";\n");
    }
    // By default, solvers stop within a tenth of the optimum.
    writeln!(text, "\noption optcr = 0;")?;
    writeln!(text, "model {} / all /;", model.name)?;
    writeln!(text, "solve {} using mip minimizing {objective};", model.name)
}

/// Separates names by commas.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> impl Iterator<Item = String> {
    let mut names = names.peekable();
    std::iter::from_fn(move || {
        let name = names.next()?;
        Some(if names.peek().is_some() { format!("{name},") } else { name.to_owned() })
    })
}
