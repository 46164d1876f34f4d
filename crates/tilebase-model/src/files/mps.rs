//! The MPS format, with names of any length.

use std::fmt::Write;

use super::text::head;
use crate::{Model, Sense};

/// Writes the model in the free MPS format, which every solver reads (glpsol with `--freemps`).
///
/// The fixed format limits names to 8 characters. The free format separates fields by spaces. All
/// variables stand between the markers of integers, each with both bounds.
pub fn write_mps(model: &Model) -> String {
    let mut text = String::new();
    write(&mut text, model).expect("a string takes all that is written");
    text
}

/// Name of the objective's row.
const OBJECTIVE: &str = "cost";

fn write(text: &mut String, model: &Model) -> std::fmt::Result {
    for line in head(model) {
        writeln!(text, "* {line}")?;
    }
    writeln!(text, "NAME {}", model.name)?;
    writeln!(text, "ROWS\n N {OBJECTIVE}")?;
    for row in &model.rows {
        let sense = match row.sense {
            Sense::AtMost => 'L',
            Sense::AtLeast => 'G',
            Sense::Equal => 'E',
        };
        writeln!(text, " {sense} {}", row.name)?;
    }

    // 1. The file lists columns, the model lists rows.
    let mut columns: Vec<Vec<(&str, i64)>> = vec![Vec::new(); model.variables.len()];
    for term in &model.objective {
        columns[term.variable].push((OBJECTIVE, term.factor));
    }
    for row in &model.rows {
        for term in &row.terms {
            columns[term.variable].push((&row.name, term.factor));
        }
    }
    writeln!(text, "COLUMNS\n MARKER 'MARKER' 'INTORG'")?;
    for (variable, column) in model.variables.iter().zip(&columns) {
        // A variable in no row must still be declared.
        if column.is_empty() {
            writeln!(text, " {} {OBJECTIVE} 0", variable.name)?;
        }
        for (row, factor) in column {
            writeln!(text, " {} {row} {factor}", variable.name)?;
        }
    }
    writeln!(text, " MARKER 'MARKER' 'INTEND'")?;

    // 2. Right sides that are not 0.
    writeln!(text, "RHS")?;
    for row in model.rows.iter().filter(|row| row.right != 0) {
        writeln!(text, " RHS {} {}", row.name, row.right)?;
    }
    writeln!(text, "BOUNDS")?;
    for variable in &model.variables {
        if variable.is_binary() {
            writeln!(text, " BV BOUND {}", variable.name)?;
        } else {
            writeln!(text, " LO BOUND {} {}", variable.name, variable.low)?;
            writeln!(text, " UP BOUND {} {}", variable.name, variable.high)?;
        }
    }
    writeln!(text, "ENDATA")
}
