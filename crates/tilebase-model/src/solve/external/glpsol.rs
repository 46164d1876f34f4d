//! glpsol, the program of GLPK.

use std::process::Command;

use super::super::SolveError;
use super::program::{
    LogState, ProgramInput, SOLUTION, SolutionFile, SolverProgram, number, percentage,
};
use super::solution::{ReportedSolution, SolutionReader, SolverVerdict};
use crate::files::write_mps;

pub(super) const PROGRAM: SolverProgram = SolverProgram {
    name: "glpsol",
    install: "apt install glpk-utils",
    write: write_mps,
    model_file: "model.mps",
    add_arguments,
    line,
    read,
    solution_file: SolutionFile::NotInfeasible,
};

fn add_arguments(command: &mut Command, job: &ProgramInput<'_>) {
    command.args(["--freemps", job.model]);
    if let Some(seconds) = job.seconds() {
        // glpsol takes whole seconds, and 0 means no limit.
        command.args(["--tmlim", &seconds.ceil().max(1.0).to_string()]);
    }
    if job.limits.first {
        // Any solution is within this gap.
        command.args(["--mipgap", "1e9"]);
    }
    command.args(job.options).args(["--write", SOLUTION]);
}

/// Reads lines such as `+ 1234: mip = 1.3e+01 >= 1.1e+01 15.4% (5; 17)`: pivots, the best solution
/// or `not found yet`, the bound, the gap, open nodes and finished nodes.
fn line(line: &str, state: &mut LogState) {
    let progress = &mut state.progress;
    if line.contains("HAS NO PRIMAL FEASIBLE") || line.contains("HAS NO INTEGER FEASIBLE") {
        state.verdict = Some(SolverVerdict::Infeasible);
    } else if line.contains("INTEGER OPTIMAL SOLUTION FOUND") {
        state.verdict = Some(SolverVerdict::Optimal);
    } else if line.contains("RELATIVE MIP GAP TOLERANCE REACHED") {
        state.verdict = Some(SolverVerdict::Feasible);
    } else if line.contains("TIME LIMIT EXCEEDED") {
        state.verdict = Some(SolverVerdict::Stopped);
    } else if let Some((left, right)) = line.split_once(">=")
        && line.starts_with('+')
    {
        progress.best = left.split_whitespace().next_back().and_then(number);
        progress.bound = right.split_whitespace().next().and_then(number);
        let percent = right.split_whitespace().find(|word| word.ends_with('%'));
        progress.gap = percent.and_then(percentage);
        let done = right.rsplit_once(';').and_then(|(_, done)| number(done));
        progress.nodes = done.map(|nodes| nodes as u64);
    }
}

/// Reads comments `c`; `s mip ROWS COLUMNS STATUS OBJECTIVE`; `i ROW VALUE` and `j COLUMN VALUE`
/// with numbers from 1; `e o f`.
fn read(mut file: SolutionReader<'_>) -> Result<ReportedSolution, SolveError> {
    let line = loop {
        let line = file.expect("a status")?;
        if line != "c" && !line.starts_with("c ") {
            break line;
        }
    };
    let model = file.model;
    let [rows, columns] = [model.rows.len(), model.variables.len()];
    let expected = format!("s mip {rows} {columns} ");
    let status = line.strip_prefix(&expected).and_then(|rest| rest.split_whitespace().next());
    let verdict = match status {
        Some("o") => SolverVerdict::Optimal,
        Some("f") => SolverVerdict::Feasible,
        Some("n") => SolverVerdict::Infeasible,
        Some("u") => SolverVerdict::Stopped,
        _ => return Err(file.error(format!("`{expected}` and o, f, n or u"), line)),
    };
    for (letter, count) in [("i", rows), ("j", columns)] {
        for place in 0..count {
            let expected = format!("{letter} {} ", place + 1);
            let line = file.expect(&format!("`{expected}VALUE`"))?;
            let Some(value) = line.strip_prefix(&expected) else {
                return Err(file.error(format!("`{expected}VALUE`"), line));
            };
            if letter == "j" && verdict.has_solution() {
                file.set_at(place, value.trim())?;
            }
        }
    }
    file.expect_text("e o f")?;
    file.answer(verdict)
}
