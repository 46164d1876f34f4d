//! The LP format of CPLEX, which all solvers read.

use std::fmt::Write;

use super::text::{head, sum, write_words};
use crate::Model;

/// Writes the model in the LP format of CPLEX, which `highs`, `cbc`, `glpsol --lp`,
/// SCIP, Gurobi and CPLEX read.
///
/// The sections `Binaries` and `Generals` list all variables. The objective of a model without one
/// is 0 times its first variable, because some readers require an objective.
pub fn write_lp(model: &Model) -> String {
    let mut text = String::new();
    write(&mut text, model).expect("a string takes all that is written");
    text
}

fn write(text: &mut String, model: &Model) -> std::fmt::Result {
    for line in head(model) {
        writeln!(text, "\\ {line}")?;
    }
    text.push_str("Minimize\n cost:");
    match (&model.objective[..], model.variables.first()) {
        ([], Some(first)) => write!(text, " 0 {}", first.name)?,
        (objective, _) => write_words(text, sum(model, objective, " ")),
    }
    text.push_str("\nSubject To\n");
    for row in &model.rows {
        write!(text, " {}:", row.name)?;
        let side = format!("{} {}", row.sense, row.right);
        write_words(text, sum(model, &row.terms, " ").chain([side]));
        text.push('\n');
    }
    let (binaries, generals): (Vec<_>, Vec<_>) =
        model.variables.iter().partition(|variable| variable.is_binary());
    if !generals.is_empty() {
        text.push_str("Bounds\n");
        for variable in &generals {
            writeln!(text, " {} <= {} <= {}", variable.low, variable.name, variable.high)?;
        }
    }
    for (section, variables) in [("Binaries", binaries), ("Generals", generals)] {
        if !variables.is_empty() {
            writeln!(text, "{section}")?;
            write_words(text, variables.iter().map(|variable| variable.name.clone()));
            text.push('\n');
        }
    }
    text.push_str("End\n");
    Ok(())
}
