//! The solver `HiGHS`, as a program.

use super::program::{Job, Mistake, Program, Said, SolutionFile, Verdict, number, number_after};
use super::values::{Answer, Lines, Values};
use crate::Model;
use crate::files::write_lp;

pub(super) const PROGRAM: Program = Program {
    name: "highs",
    install: "take it from highs.dev, or from the package highsbox of the Python registry",
    write: write_lp,
    model_file: "model.lp",
    arguments,
    line,
    read,
    solution_file: SolutionFile::All,
};

fn arguments(job: &Job<'_>) -> Vec<String> {
    let mut words = vec![job.model.to_owned()];
    if let Some(seconds) = job.seconds() {
        words.extend(["--time_limit".to_owned(), seconds.to_string()]);
    }
    // It takes one file of options alone.
    let has_options_file = job.options.iter().any(|word| word.starts_with("--options_file"));
    if job.limits.first && !has_options_file {
        words.extend(["--options_file", "options"].map(str::to_owned));
    }
    words.extend(job.options.iter().cloned());
    words.extend(["--solution_file".to_owned(), job.solution.to_owned()]);
    words
}

/// The file of options that the first solution needs.
pub(super) const FIRST: (&str, &str) = ("options", "mip_max_improving_sols = 1\n");

/// A row of its table: nodes done and open, leaves, how much of the tree, bound, best, gap, three counts of
/// cuts, pivots, time; a letter before them says where a new solution is from. And lines of its report.
pub(in super::super) fn line(line: &str, said: &mut Said) {
    let progress = &mut said.progress;
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["Status", ref status @ ..] = words[..] {
        said.verdict = verdict(&status.join(" "));
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
            progress.gap = number(gap).map(|percent| percent / 100.0);
        }
    }
}

fn verdict(status: &str) -> Option<Verdict> {
    Some(match status {
        "Optimal" => Verdict::Optimal,
        "Infeasible" | "Primal infeasible or unbounded" => Verdict::Infeasible,
        "Time limit reached" | "Interrupted by user" => Verdict::Stopped,
        "Solution limit reached" => Verdict::Feasible,
        _ => return None,
    })
}

/// The status of the model; then whether there is a solution, and if so its columns and rows with their
/// counts.
fn read(text: &str, model: &Model) -> Result<Answer, Mistake> {
    let mut lines = Lines::of(text);
    let exactly = |lines: &mut Lines<'_>, expected: &str| {
        let line = lines.expect(&format!("`{expected}`"))?;
        if line == expected { Ok(()) } else { Err(lines.mistake(format!("`{expected}`"), line)) }
    };
    exactly(&mut lines, "Model status")?;
    let status = lines.expect("a status")?;
    let Some(verdict) = verdict(status) else {
        return Err(lines.mistake("a status that is known", status));
    };
    exactly(&mut lines, "")?;
    exactly(&mut lines, "# Primal solution values")?;
    let verdict = match lines.expect("`Feasible` or `None`")? {
        // A time limit that was hit with a solution at hand.
        "Feasible" if verdict == Verdict::Stopped => Verdict::Feasible,
        "Feasible" if verdict.has_solution() => verdict,
        "None" | "Infeasible" if !verdict.has_solution() => {
            return Ok(Answer { verdict, values: None });
        }
        other => return Err(lines.mistake(format!("what goes with `{status}`"), other)),
    };
    let objective = lines.expect("`Objective VALUE`")?;
    if !objective.starts_with("Objective ") {
        return Err(lines.mistake("`Objective VALUE`", objective));
    }
    exactly(&mut lines, &format!("# Columns {}", model.variables.len()))?;
    let mut values = Values::of(model);
    for _ in &model.variables {
        let line = lines.expect("a name and a value")?;
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [name, value] => values.set(lines.number, name, value)?,
            _ => return Err(lines.mistake("a name and a value", line)),
        }
    }
    // What follows must be there, or the file was cut short, perhaps within the last value.
    exactly(&mut lines, &format!("# Rows {}", model.rows.len()))?;
    let values = values.all(lines.number)?;
    Ok(Answer { verdict, values: Some(values) })
}
