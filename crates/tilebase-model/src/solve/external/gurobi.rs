//! Gurobi.

use super::super::SolveError;
use super::program::{LogState, Program, ProgramInput, SOLUTION, SolutionFile, number_after};
use super::solution::{Answer, SolutionReader, Verdict};
use crate::files::write_lp;

pub(super) const PROGRAM: Program = Program {
    name: "gurobi_cl",
    install: "take it from gurobi.com; it asks for a licence",
    write: write_lp,
    model_file: "model.lp",
    arguments,
    line,
    read,
    solution_file: SolutionFile::Values,
};

fn arguments(job: &ProgramInput<'_>) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(seconds) = job.seconds() {
        words.push(format!("TimeLimit={seconds}"));
    }
    if job.limits.first {
        words.push("SolutionLimit=1".to_owned());
    }
    words.extend(job.options.iter().cloned());
    // Standard output is the log already.
    words.push("LogFile=".to_owned());
    words.push(format!("ResultFile={SOLUTION}"));
    words.push(job.model.to_owned());
    words
}

fn line(line: &str, state: &mut LogState) {
    let progress = &mut state.progress;
    if line.starts_with("Optimal solution found") {
        state.verdict = Some(Verdict::Optimal);
    } else if line.starts_with("Model is infeasible") || line.starts_with("Infeasible model") {
        state.verdict = Some(Verdict::Infeasible);
    } else if line.starts_with("Solution limit reached") {
        state.verdict = Some(Verdict::Feasible);
    } else if line.starts_with("Time limit reached") || line.starts_with("Interrupt request") {
        state.verdict = Some(Verdict::Stopped);
    } else if let Some(nodes) = number_after(line, "Explored ") {
        progress.nodes = Some(nodes as u64);
    } else if let Some(best) = number_after(line, "Best objective ") {
        progress.best = Some(best);
        progress.bound = number_after(line, "best bound ");
        progress.gap = number_after(line, "gap ").map(|percent| percent / 100.0);
    }
}

/// Reads comments, then the name and the value of each variable. The log alone has the status.
fn read(mut file: SolutionReader<'_>) -> Result<Answer, SolveError> {
    while let Some(line) = file.next() {
        if !line.starts_with('#') {
            file.set_named(line)?;
        }
    }
    file.answer(Verdict::Feasible)
}
