//! CBC, the branch and cut of COIN-OR.

use std::process::Command;

use super::super::SolveError;
use super::program::{
    LogState, ProgramInput, SOLUTION, SolutionFile, SolverProgram, number, number_after,
};
use super::solution::{ReportedSolution, SolutionReader, SolverVerdict};
use crate::files::write_mps;

pub(super) const PROGRAM: SolverProgram = SolverProgram {
    name: "cbc",
    install: "apt install coinor-cbc",
    write: write_mps,
    model_file: "model.mps",
    add_arguments,
    line,
    read,
    solution_file: SolutionFile::All,
};

fn add_arguments(command: &mut Command, job: &ProgramInput<'_>) {
    command.arg(job.model);
    if let Some(seconds) = job.seconds() {
        command.args(["-timeMode", "elapsed", "-seconds", &seconds.to_string()]);
    }
    if job.limits.first {
        command.args(["-maxSolutions", "1"]);
    }
    // Writes all values, so that a missing one is noticed.
    command.args(["-printingOptions", "all"]).args(job.options);
    command.args(["-solve", "-solution", SOLUTION]);
}

fn line(line: &str, state: &mut LogState) {
    let progress = &mut state.progress;
    if let Some(result) = line.strip_prefix("Result - ") {
        state.verdict = Some(match result.trim() {
            "Optimal solution found" => SolverVerdict::Optimal,
            "Optimal solution found (within gap tolerance)" => SolverVerdict::Feasible,
            "Problem proven infeasible" | "Linear relaxation infeasible" => {
                SolverVerdict::Infeasible
            }
            _ => SolverVerdict::Stopped,
        });
        // The bound that cbc printed before is that of the root. A better bound follows this line.
        progress.bound = None;
    } else if line.starts_with("Problem is infeasible")
        // All variables have bounds, so the model is not unbounded.
        || line.starts_with("Pre-processing says infeasible or unbounded")
    {
        state.verdict = Some(SolverVerdict::Infeasible);
    } else if line.starts_with("Cbc0010I After ") {
        progress.nodes = number_after(line, "After ").map(|nodes| nodes as u64);
        progress.bound = number_after(line, "best possible ");
        let best = line.split_once(" on tree, ").and_then(|(_, rest)| rest.split(' ').next());
        progress.best = best.and_then(number);
    } else if let Some(nodes) = number_after(line, "Enumerated nodes:") {
        progress.nodes = Some(nodes as u64);
    } else if let Some(bound) = number_after(line, "Lower bound:") {
        progress.bound = Some(bound);
    } else if let Some(best) = number_after(line, "Objective value:") {
        progress.best = Some(best);
    } else if let Some(gap) = number_after(line, "Gap:") {
        progress.gap = Some(gap);
    } else if let Some(bound) = number_after(line, "Continuous objective value is ") {
        progress.bound = Some(bound);
    }
}

/// Reads the status and the objective, then a line for each row and each variable: number, name,
/// value and an unused column. Lines of violated bounds begin with `**`.
fn read(mut file: SolutionReader<'_>) -> Result<ReportedSolution, SolveError> {
    let first = file.expect("a status")?;
    let Some((status, _)) = first.split_once(" - objective value ") else {
        return Err(file.error("a status, and an objective value", first));
    };
    let verdict = match status {
        "Optimal" => SolverVerdict::Optimal,
        "Infeasible" | "Integer infeasible" => SolverVerdict::Infeasible,
        _ if status.contains("no integer solution") => SolverVerdict::Stopped,
        _ if status.starts_with("Stopped on ") => SolverVerdict::Feasible,
        _ => return Err(file.error("a known status", status)),
    };
    if !verdict.has_solution() {
        return file.answer(verdict);
    }
    let model = file.model;
    for (section, count) in [("row", model.rows.len()), ("variable", model.variables.len())] {
        for place in 0..count {
            let expected = format!("{section} {place} with its name and value");
            let line = file.expect(&expected)?;
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                [number, name, value, _] if number == place.to_string() => {
                    if section == "variable" {
                        file.set(name, value)?;
                    }
                }
                _ => return Err(file.error(expected, line)),
            }
        }
    }
    if let Some(line) = file.next() {
        return Err(file.error("the end", line));
    }
    file.answer(verdict)
}
