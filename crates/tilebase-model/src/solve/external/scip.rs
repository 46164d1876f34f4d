//! SCIP.

use std::process::Command;

use super::super::SolveError;
use super::program::{
    LogState, ProgramInput, SOLUTION, SolutionFile, SolverProgram, number, number_after, percentage,
};
use super::solution::{ReportedSolution, SolutionReader, SolverVerdict};
use crate::files::write_lp;

pub(super) const PROGRAM: SolverProgram = SolverProgram {
    name: "scip",
    install: "take it from scipopt.org",
    write: write_lp,
    model_file: "model.lp",
    add_arguments,
    line,
    read,
    solution_file: SolutionFile::All,
};

/// Adds commands of the shell of SCIP.
fn add_arguments(command: &mut Command, job: &ProgramInput<'_>) {
    let mut add = |text: &str| {
        command.args(["-c", text]);
    };
    if let Some(seconds) = job.seconds() {
        add(&format!("set limits time {seconds}"));
    }
    if job.limits.first {
        add("set limits solutions 1");
    }
    job.options.iter().for_each(|option| add(option));
    add(&format!("read {}", job.model));
    add("optimize");
    add(&format!("write solution {SOLUTION}"));
    add("quit");
}

fn line(line: &str, state: &mut LogState) {
    let progress = &mut state.progress;
    if let Some((_, status)) = line.split_once("SCIP Status") {
        state.verdict = status
            .split_once('[')
            .and_then(|(_, status)| verdict(status.trim_end().trim_end_matches(']')));
    } else if let Some(nodes) = number_after(line, "Solving Nodes      :") {
        progress.nodes = Some(nodes as u64);
    } else if let Some(best) = number_after(line, "Primal Bound       :") {
        progress.best = Some(best);
    } else if let Some(bound) = number_after(line, "Dual Bound         :") {
        progress.bound = Some(bound);
    } else if let Some(percent) = number_after(line, "Gap                :") {
        progress.gap = Some(percent / 100.0);
    } else {
        // time | node | left | ... | dualbound | primalbound | gap | compl.
        let columns: Vec<&str> = line.split('|').collect();
        if let [time, nodes, _, .., bound, best, gap, _] = columns[..]
            && time.trim_end().ends_with('s')
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
        "optimal solution found" => SolverVerdict::Optimal,
        "infeasible" | "infeasible or unbounded" => SolverVerdict::Infeasible,
        "solution limit reached" => SolverVerdict::Feasible,
        _ if status.ends_with("limit reached") || status == "user interrupt" => {
            SolverVerdict::Stopped
        }
        _ => return None,
    })
}

/// Reads the status, then `no solution available`, or the objective and the values that are not 0.
fn read(mut file: SolutionReader<'_>) -> Result<ReportedSolution, SolveError> {
    let first = file.expect("`solution status: STATUS`")?;
    let status = first.strip_prefix("solution status: ").map(str::trim).unwrap_or_default();
    let verdict = verdict(status)
        .ok_or_else(|| file.error("`solution status: ` and a known status", first))?;
    let second = file.expect("`objective value: VALUE` or `no solution available`")?;
    if second.trim() == "no solution available" {
        return if verdict.has_solution() {
            Err(file.error("a solution", second))
        } else {
            file.answer(verdict)
        };
    }
    let objective = second.strip_prefix("objective value:").map(str::trim);
    if objective.and_then(number).is_none() {
        return Err(file.error("`objective value: VALUE`", second));
    }
    while let Some(line) = file.next() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [name, value, _] => file.set(name, value)?,
            _ => return Err(file.error("a name, a value and a factor in parentheses", line)),
        }
    }
    let verdict = if verdict == SolverVerdict::Stopped { SolverVerdict::Feasible } else { verdict };
    Ok(file.sparse_answer(verdict))
}
