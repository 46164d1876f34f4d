//! Horizons of an integer program, as a solver goes through them.

use std::time::{Duration, Instant};

use pdb_model::solve::{Event, Horizon, HorizonStatus};

use super::bar::Bar;
use super::line::Line;
use super::{Progress, SEARCH_LINE_INTERVAL};
use crate::output::{count, seconds};

/// Shows what a solver does.
#[derive(Debug)]
pub(crate) struct HorizonProgress {
    progress: Progress,
    bar: Option<Bar>,
    last: Instant,
}

impl Progress {
    /// Shows how a solver goes from horizon to horizon.
    pub(crate) fn horizons(self) -> HorizonProgress {
        let bar = (self == Self::Bars).then(|| Bar::new(Line::new("making the model")));
        HorizonProgress { progress: self, bar, last: Instant::now() }
    }
}

impl HorizonProgress {
    /// Shows what happens: horizons that end, and now and then how far the solver is.
    pub(crate) fn show(&mut self, event: Event<'_>) {
        match event {
            Event::Begins { horizon, variables, rows } => {
                self.doing(horizon, size(variables, rows));
            }
            Event::Progress { horizon, progress, .. } => {
                let told = told(progress);
                if let (false, Some(_)) = (told.is_empty(), &self.bar) {
                    self.doing(horizon, told);
                } else if self.last.elapsed() >= SEARCH_LINE_INTERVAL && self.bar.is_none() {
                    self.last = Instant::now();
                    let told = if told.is_empty() { String::new() } else { format!("{told}, ") };
                    let elapsed = elapsed(progress.elapsed);
                    self.progress.note(format_args!("horizon {horizon}: {told}{elapsed}"));
                }
            }
            Event::Ends(ended) => self.progress.note(line(ended)),
            _ => (),
        }
    }

    fn doing(&self, horizon: u32, doing: String) {
        if let Some(bar) = &self.bar {
            bar.change(|line| {
                line.name = format!("horizon {horizon}");
                line.doing = doing;
            });
        }
    }
}

/// "horizon 9: no solution, 2,400 variables, 2,442 rows, 17 nodes, 0.44 s".
fn line(ended: &Horizon) -> String {
    let status = match ended.status {
        HorizonStatus::Optimal | HorizonStatus::Found => "a solution",
        HorizonStatus::Infeasible => "no solution",
        HorizonStatus::Limit => "stopped",
    };
    let size = size(ended.variables, ended.rows);
    let told = told(&ended.progress);
    let told = if told.is_empty() { told } else { format!(", {told}") };
    let elapsed = elapsed(ended.progress.elapsed);
    format!("horizon {}: {status}, {size}{told}, {elapsed}", ended.horizon)
}

fn elapsed(time: Duration) -> String {
    seconds(time.as_secs_f64())
}

fn size(variables: usize, rows: usize) -> String {
    format!("{} variables, {} rows", count(variables as u64), count(rows as u64))
}

/// What a solver tells: nodes, bound and gap.
fn told(progress: &pdb_model::solve::Progress) -> String {
    let mut told = Vec::new();
    if let Some(nodes) = progress.nodes {
        told.push(format!("{} {}", count(nodes), if nodes == 1 { "node" } else { "nodes" }));
    }
    // Where nothing is minimised, the bound is 0 all the time.
    if let Some(bound) = progress.bound.filter(|&bound| bound != 0.0) {
        told.push(format!("bound {}", rounded(bound)));
    }
    if let Some(best) = progress.best.filter(|&best| best != 0.0) {
        told.push(format!("best {}", rounded(best)));
    }
    if let Some(gap) = progress.gap.filter(|&gap| gap > 0.0) {
        told.push(format!("gap {:.1} %", gap * 100.0));
    }
    told.join(", ")
}

/// With as many digits as it needs, at most two.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
