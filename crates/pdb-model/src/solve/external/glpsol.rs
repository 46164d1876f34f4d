//! glpsol, the program of GLPK.

use super::program::{Job, Mistake, Program, Said, SolutionFile, Verdict, number};
use super::values::{Answer, Lines, Values};
use crate::Model;
use crate::files::write_mps;

pub(super) const PROGRAM: Program = Program {
    name: "glpsol",
    install: "apt install glpk-utils",
    write: write_mps,
    model_file: "model.mps",
    arguments,
    line,
    read,
    solution_file: SolutionFile::NotInfeasible,
};

fn arguments(job: &Job<'_>) -> Vec<String> {
    let mut words = vec!["--freemps".to_owned(), job.model.to_owned()];
    if let Some(seconds) = job.seconds() {
        // Whole seconds, and 0 would be none.
        words.extend(["--tmlim".to_owned(), (seconds.ceil().max(1.0)).to_string()]);
    }
    if job.limits.first {
        // Any solution is within such a gap.
        words.extend(["--mipgap", "1e9"].map(str::to_owned));
    }
    words.extend(job.options.iter().cloned());
    words.extend(["--write".to_owned(), job.solution.to_owned()]);
    words
}

/// `+ 1234: mip = 1.3e+01 >= 1.1e+01 15.4% (5; 17)`: pivots, the best solution or `not found yet`, the bound,
/// the gap, nodes that wait and nodes that are done.
fn line(line: &str, said: &mut Said) {
    let progress = &mut said.progress;
    if line.contains("HAS NO PRIMAL FEASIBLE") || line.contains("HAS NO INTEGER FEASIBLE") {
        said.verdict = Some(Verdict::Infeasible);
    } else if line.contains("INTEGER OPTIMAL SOLUTION FOUND") {
        said.verdict = Some(Verdict::Optimal);
    } else if line.contains("RELATIVE MIP GAP TOLERANCE REACHED") {
        said.verdict = Some(Verdict::Feasible);
    } else if line.contains("TIME LIMIT EXCEEDED") {
        said.verdict = Some(Verdict::Stopped);
    } else if let Some((left, right)) = line.split_once(">=")
        && line.starts_with('+')
    {
        progress.best = left.split_whitespace().next_back().and_then(number);
        progress.bound = right.split_whitespace().next().and_then(number);
        let percent = right.split_whitespace().find(|word| word.ends_with('%'));
        progress.gap = percent.and_then(number).map(|percent| percent / 100.0);
        let done = right.rsplit_once(';').and_then(|(_, done)| number(done));
        progress.nodes = done.map(|nodes| nodes as u64);
    }
}

/// Comments `c`; `s mip ROWS COLUMNS STATUS OBJECTIVE`; `i ROW VALUE` and `j COLUMN VALUE` with numbers from
/// 1 on; `e o f`.
fn read(text: &str, model: &Model) -> Result<Answer, Mistake> {
    let mut lines = Lines::of(text);
    let line = loop {
        let line = lines.expect("a status")?;
        if line != "c" && !line.starts_with("c ") {
            break line;
        }
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let sizes = [model.rows.len(), model.variables.len()].map(|size| size.to_string());
    let verdict = match words[..] {
        ["s", "mip", rows, columns, status, _] if [rows, columns] == sizes => match status {
            "o" => Verdict::Optimal,
            "f" => Verdict::Feasible,
            "n" => Verdict::Infeasible,
            "u" => Verdict::Stopped,
            _ => return Err(lines.mistake("the status o, f, n or u", status)),
        },
        _ => {
            let expected = format!("`s mip {} {} STATUS OBJECTIVE`", sizes[0], sizes[1]);
            return Err(lines.mistake(expected, line));
        }
    };
    let mut values = Values::of(model);
    for (letter, count) in [("i", model.rows.len()), ("j", model.variables.len())] {
        for place in 0..count {
            let what = format!("`{letter} {} VALUE`", place + 1);
            let line = lines.expect(&what)?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [kind, number, value] if kind == letter && number == (place + 1).to_string() => {
                    if letter == "j" && verdict.has_solution() {
                        values.set_at(lines.number, place, value)?;
                    }
                }
                _ => return Err(lines.mistake(what, line)),
            }
        }
    }
    let end = lines.expect("`e o f`")?;
    if end != "e o f" {
        return Err(lines.mistake("`e o f`", end));
    }
    let values = verdict.has_solution().then(|| values.all(lines.number)).transpose()?;
    Ok(Answer { verdict, values })
}
