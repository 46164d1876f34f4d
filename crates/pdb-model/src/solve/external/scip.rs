//! SCIP.

use super::program::{Job, Mistake, Program, Said, SolutionFile, Verdict, number, number_after};
use super::values::{Answer, Lines, Values};
use crate::Model;
use crate::files::write_lp;

pub(super) const PROGRAM: Program = Program {
    name: "scip",
    install: "take it from scipopt.org",
    write: write_lp,
    model_file: "model.lp",
    arguments,
    line,
    read,
    solution_file: SolutionFile::All,
};

/// Commands of its shell, one after the other.
fn arguments(job: &Job<'_>) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(seconds) = job.seconds() {
        commands.push(format!("set limits time {seconds}"));
    }
    if job.limits.first {
        commands.push("set limits solutions 1".to_owned());
    }
    commands.extend(job.options.iter().cloned());
    commands.push(format!("read {}", job.model));
    commands.push("optimize".to_owned());
    commands.push(format!("write solution {}", job.solution));
    commands.push("quit".to_owned());
    commands.into_iter().flat_map(|command| ["-c".to_owned(), command]).collect()
}

fn line(line: &str, said: &mut Said) {
    let progress = &mut said.progress;
    if let Some((_, status)) = line.split_once("SCIP Status") {
        said.verdict = status
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
            progress.gap = number(gap).map(|percent| percent / 100.0);
        }
    }
}

fn verdict(status: &str) -> Option<Verdict> {
    Some(match status {
        "optimal solution found" => Verdict::Optimal,
        "infeasible" | "infeasible or unbounded" => Verdict::Infeasible,
        "solution limit reached" => Verdict::Feasible,
        _ if status.ends_with("limit reached") || status == "user interrupt" => Verdict::Stopped,
        _ => return None,
    })
}

/// The status; `no solution available`, or the objective and the values that are not 0.
fn read(text: &str, model: &Model) -> Result<Answer, Mistake> {
    let mut lines = Lines::of(text);
    let first = lines.expect("`solution status: STATUS`")?;
    let status = first.strip_prefix("solution status: ").map(str::trim).unwrap_or_default();
    let Some(verdict) = verdict(status) else {
        return Err(lines.mistake("`solution status: ` and a status that is known", first));
    };
    let second = lines.expect("`objective value: VALUE` or `no solution available`")?;
    if second.trim() == "no solution available" {
        return match verdict {
            Verdict::Optimal | Verdict::Feasible => Err(lines.mistake("a solution", second)),
            _ => Ok(Answer { verdict, values: None }),
        };
    }
    let objective = second.strip_prefix("objective value:").map(str::trim);
    if objective.and_then(number).is_none() {
        return Err(lines.mistake("`objective value: VALUE`", second));
    }
    let mut values = Values::of(model);
    while let Some(line) = lines.next() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [name, value, _] => values.set(lines.number, name, value)?,
            _ => return Err(lines.mistake("a name, a value and a factor in parentheses", line)),
        }
    }
    let verdict = if verdict == Verdict::Stopped { Verdict::Feasible } else { verdict };
    Ok(Answer { verdict, values: Some(values.all_or_0()) })
}
