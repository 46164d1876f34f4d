//! The solver `HiGHS`, as a program.

use std::process::Command;

use super::super::SolveError;
use super::program::{
    LogState, ProgramInput, SOLUTION, SolutionFile, SolverProgram, number, number_after, percentage,
};
use super::solution::{ReportedSolution, SolutionReader, SolverVerdict};
use crate::files::write_lp;

pub(in super::super) const PROGRAM: SolverProgram = SolverProgram {
    name: "highs",
    install: "take it from highs.dev, or from the package highsbox of the Python registry",
    write: write_lp,
    model_file: "model.lp",
    add_arguments,
    line,
    read,
    solution_file: SolutionFile::All,
};

fn add_arguments(command: &mut Command, job: &ProgramInput<'_>) {
    command.arg(job.model);
    if let Some(seconds) = job.seconds() {
        command.args(["--time_limit", &seconds.to_string()]);
    }
    // `HiGHS` accepts a single file of options.
    let has_options_file = job.options.iter().any(|word| word.starts_with("--options_file"));
    if job.limits.first && !has_options_file {
        command.args(["--options_file", FIRST.0]);
    }
    command.args(job.options).args(["--solution_file", SOLUTION]);
}

/// Name and content of the file of options that makes `HiGHS` stop at the first solution.
pub(super) const FIRST: (&str, &str) = ("options", "mip_max_improving_sols = 1\n");

/// Reads a row of the table: nodes done and open, leaves, explored share of the tree, bound, best,
/// gap, three counts of cuts, pivots, time. A letter before them names the source of a new
/// solution. Reads lines of the report, too.
fn line(line: &str, state: &mut LogState) {
    let progress = &mut state.progress;
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["Status", ref status @ ..] = words[..] {
        state.verdict = verdict(&status.join(" "));
    } else if let Some(bound) = number_after(line, "  Dual bound ") {
        progress.bound = Some(bound);
    } else if let Some(best) = number_after(line, "  Primal bound ") {
        progress.best = Some(best);
    } else if let Some(percent) = number_after(line, "  Gap ") {
        progress.gap = Some(percent / 100.0);
    } else if let Some(nodes) = number_after(line, "  Nodes ") {
        progress.nodes = Some(nodes as u64);
    } else {
        let row = match words[..] {
            [letter, ref row @ ..]
                if letter.len() == 1 && !letter.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                row
            }
            ref row => row,
        };
        if let [nodes, _, _, tree, bound, best, gap, .., time] = row
            && row.len() == 12
            && tree.ends_with('%')
            && time.ends_with('s')
            && let Some(nodes) = number(nodes)
        {
            progress.nodes = Some(nodes as u64);
            progress.bound = number(bound);
            progress.best = number(best);
            progress.gap = percentage(gap);
        }
    }
}

fn verdict(status: &str) -> Option<SolverVerdict> {
    Some(match status {
        "Optimal" => SolverVerdict::Optimal,
        "Infeasible" | "Primal infeasible or unbounded" => SolverVerdict::Infeasible,
        "Time limit reached" | "Interrupted by user" => SolverVerdict::Stopped,
        "Solution limit reached" => SolverVerdict::Feasible,
        _ => return None,
    })
}

/// Reads the status of the model, then whether there is a solution, then its columns and rows with
/// their counts.
fn read(mut file: SolutionReader<'_>) -> Result<ReportedSolution, SolveError> {
    file.expect_text("Model status")?;
    let status = file.expect("a status")?;
    let verdict = verdict(status).ok_or_else(|| file.error("a known status", status))?;
    file.expect_text("")?;
    file.expect_text("# Primal solution values")?;
    let verdict = match file.expect("`Feasible` or `None`")? {
        // The time limit was reached after a solution was found.
        "Feasible" if verdict == SolverVerdict::Stopped => SolverVerdict::Feasible,
        "Feasible" if verdict.has_solution() => verdict,
        "None" | "Infeasible" if !verdict.has_solution() => return file.answer(verdict),
        other => return Err(file.error(format!("the value that belongs to `{status}`"), other)),
    };
    let objective = file.expect("`Objective VALUE`")?;
    if !objective.starts_with("Objective ") {
        return Err(file.error("`Objective VALUE`", objective));
    }
    let model = file.model;
    file.expect_text(&format!("# Columns {}", model.variables.len()))?;
    for _ in &model.variables {
        let line = file.expect("a name and a value")?;
        file.set_named(line)?;
    }
    // Without this line the file was cut short, perhaps within the last value.
    file.expect_text(&format!("# Rows {}", model.rows.len()))?;
    file.answer(verdict)
}
