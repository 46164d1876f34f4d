//! Gurobi.

use std::process::Command;

use super::super::SolveError;
use super::program::{LogState, ProgramInput, SOLUTION, SolutionFile, SolverProgram, number_after};
use super::solution::{ReportedSolution, SolutionReader, SolverVerdict};
use crate::files::write_lp;

pub(super) const PROGRAM: SolverProgram = SolverProgram {
    name: "gurobi_cl",
    install: "take it from gurobi.com; it asks for a licence",
    write: write_lp,
    model_file: "model.lp",
    add_arguments,
    line,
    read,
    solution_file: SolutionFile::Values,
};

fn add_arguments(command: &mut Command, job: &ProgramInput<'_>) {
    if let Some(seconds) = job.seconds() {
        command.arg(format!("TimeLimit={seconds}"));
    }
    if job.limits.first {
        command.arg("SolutionLimit=1");
    }
    // Standard output is the log already.
    command.args(job.options).args(["LogFile=", &format!("ResultFile={SOLUTION}"), job.model]);
}

fn line(line: &str, state: &mut LogState) {
    let progress = &mut state.progress;
    if line.starts_with("Optimal solution found") {
        state.verdict = Some(SolverVerdict::Optimal);
    } else if line.starts_with("Model is infeasible") || line.starts_with("Infeasible model") {
        state.verdict = Some(SolverVerdict::Infeasible);
    } else if line.starts_with("Solution limit reached") {
        state.verdict = Some(SolverVerdict::Feasible);
    } else if line.starts_with("Time limit reached") || line.starts_with("Interrupt request") {
        state.verdict = Some(SolverVerdict::Stopped);
    } else if let Some(nodes) = number_after(line, "Explored ") {
        progress.nodes = Some(nodes as u64);
    } else if let Some(best) = number_after(line, "Best objective ") {
        progress.best = Some(best);
        progress.bound = number_after(line, "best bound ");
        progress.gap = number_after(line, "gap ").map(|percent| percent / 100.0);
    }
}

/// Reads comments, then the name and the value of each variable. The log alone has the status.
fn read(mut file: SolutionReader<'_>) -> Result<ReportedSolution, SolveError> {
    while let Some(line) = file.next() {
        if !line.starts_with('#') {
            file.set_named(line)?;
        }
    }
    file.answer(SolverVerdict::Feasible)
}
