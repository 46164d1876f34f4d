//! Gurobi.

use super::program::{Job, Mistake, Program, Said, SolutionFile, Verdict, number_after};
use super::values::{Answer, Lines, Values};
use crate::Model;
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

fn arguments(job: &Job<'_>) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(seconds) = job.seconds() {
        words.push(format!("TimeLimit={seconds}"));
    }
    if job.limits.first {
        words.push("SolutionLimit=1".to_owned());
    }
    words.extend(job.options.iter().cloned());
    // Its own log would be a second one.
    words.push("LogFile=".to_owned());
    words.push(format!("ResultFile={}", job.solution));
    words.push(job.model.to_owned());
    words
}

fn line(line: &str, said: &mut Said) {
    let progress = &mut said.progress;
    if line.starts_with("Optimal solution found") {
        said.verdict = Some(Verdict::Optimal);
    } else if line.starts_with("Model is infeasible") || line.starts_with("Infeasible model") {
        said.verdict = Some(Verdict::Infeasible);
    } else if line.starts_with("Solution limit reached") {
        said.verdict = Some(Verdict::Feasible);
    } else if line.starts_with("Time limit reached") || line.starts_with("Interrupt request") {
        said.verdict = Some(Verdict::Stopped);
    } else if let Some(nodes) = number_after(line, "Explored ") {
        progress.nodes = Some(nodes as u64);
    } else if let Some(best) = number_after(line, "Best objective ") {
        progress.best = Some(best);
        progress.bound = number_after(line, "best bound ");
        progress.gap = number_after(line, "gap ").map(|percent| percent / 100.0);
    }
}

/// Comments; then the name and the value of each variable. The status is in the log alone.
fn read(text: &str, model: &Model) -> Result<Answer, Mistake> {
    let mut lines = Lines::of(text);
    let mut values = Values::of(model);
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            continue;
        }
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [name, value] => values.set(lines.number, name, value)?,
            _ => return Err(lines.mistake("a name and a value", line)),
        }
    }
    let values = values.all(lines.number)?;
    Ok(Answer { verdict: Verdict::Feasible, values: Some(values) })
}
