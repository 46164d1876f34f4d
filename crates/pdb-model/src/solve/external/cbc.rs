//! CBC, the branch and cut of COIN-OR.

use super::program::{Job, Mistake, Program, Said, SolutionFile, Verdict, number, number_after};
use super::values::{Answer, Lines, Values};
use crate::Model;
use crate::files::write_mps;

pub(super) const PROGRAM: Program = Program {
    name: "cbc",
    install: "apt install coinor-cbc",
    write: write_mps,
    model_file: "model.mps",
    arguments,
    line,
    read,
    solution_file: SolutionFile::All,
};

fn arguments(job: &Job<'_>) -> Vec<String> {
    let mut words = vec![job.model.to_owned()];
    let mut add = |word: &str, value: String| words.extend([word.to_owned(), value]);
    if let Some(seconds) = job.seconds() {
        add("-timeMode", "elapsed".to_owned());
        add("-seconds", seconds.to_string());
    }
    if job.limits.first {
        add("-maxSolutions", "1".to_owned());
    }
    // All values, so that none that is missing passes for 0.
    add("-printingOptions", "all".to_owned());
    words.extend(job.options.iter().cloned());
    words.extend(["-solve", "-solution", job.solution].map(str::to_owned));
    words
}

fn line(line: &str, said: &mut Said) {
    let progress = &mut said.progress;
    if let Some(result) = line.strip_prefix("Result - ") {
        said.verdict = Some(match result.trim() {
            "Optimal solution found" => Verdict::Optimal,
            "Optimal solution found (within gap tolerance)" => Verdict::Feasible,
            "Problem proven infeasible" | "Linear relaxation infeasible" => Verdict::Infeasible,
            _ => Verdict::Stopped,
        });
        // Of the bound, it has told that of the root; where it has a better one, it tells it after this.
        progress.bound = None;
    } else if line.starts_with("Problem is infeasible")
        // All our variables have bounds.
        || line.starts_with("Pre-processing says infeasible or unbounded")
    {
        said.verdict = Some(Verdict::Infeasible);
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

/// A status and the objective; then a line for each row and for each variable: number, name, value, and what
/// is of no use here. Lines of what breaks a bound begin with `**`.
fn read(text: &str, model: &Model) -> Result<Answer, Mistake> {
    let mut lines = Lines::of(text);
    let first = lines.expect("a status")?;
    let Some((status, _)) = first.split_once(" - objective value ") else {
        return Err(lines.mistake("a status, and an objective value", first));
    };
    let verdict = match status {
        "Optimal" => Verdict::Optimal,
        "Infeasible" | "Integer infeasible" => Verdict::Infeasible,
        _ if status.contains("no integer solution") => Verdict::Stopped,
        _ if status.starts_with("Stopped on ") => Verdict::Feasible,
        _ => return Err(lines.mistake("a status that is known", status)),
    };
    if !verdict.has_solution() {
        return Ok(Answer { verdict, values: None });
    }
    let mut values = Values::of(model);
    for (section, count) in [("row", model.rows.len()), ("variable", model.variables.len())] {
        for place in 0..count {
            let what = format!("{section} {place} with its name and value");
            let line = lines.expect(&what)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [number, name, value, _] if number == place.to_string() => {
                    if section == "variable" {
                        values.set(lines.number, name, value)?;
                    }
                }
                _ => return Err(lines.mistake(what, line)),
            }
        }
    }
    if let Some(line) = lines.next() {
        return Err(lines.mistake("the end", line));
    }
    let values = values.all(lines.number)?;
    Ok(Answer { verdict, values: Some(values) })
}
