//! Progress of a solver of integer programs, horizon by horizon.

use tilebase_model::solve::{Horizon, HorizonEvent, HorizonStatus};

use super::ProgressDisplay;
use super::line::Line;
use crate::output::{count, seconds};

/// Progress of a solver.
#[derive(Debug)]
pub(crate) struct HorizonProgress {
    progress: ProgressDisplay,
    line: Line,
    doing: String,
}

impl ProgressDisplay {
    /// Shows the horizons of a solver.
    pub(crate) fn horizons(self) -> HorizonProgress {
        let line = Line::new(self, "making the model");
        HorizonProgress { progress: self, line, doing: "making the model".to_owned() }
    }
}

impl HorizonProgress {
    /// Shows an event: each finished horizon, and from time to time the state of the solver.
    pub(crate) fn show(&mut self, event: HorizonEvent<'_>) {
        let (horizon, doing) = match event {
            HorizonEvent::Begins { horizon, variables, rows } => (horizon, size(variables, rows)),
            HorizonEvent::Progress { horizon, progress, .. } => (horizon, state(progress)),
            HorizonEvent::Ends(ended) => return self.progress.note(line(ended)),
            _ => return,
        };
        if !doing.is_empty() {
            self.doing = doing;
        }
        self.line.show(format_args!("horizon {horizon}: {}", self.doing));
    }
}

/// Returns a line such as "horizon 9: no solution, 2,400 variables, 2,442 rows, 17 nodes, 0.44 s".
fn line(ended: &Horizon) -> String {
    let status = match ended.status {
        HorizonStatus::Optimal | HorizonStatus::Found => "a solution",
        HorizonStatus::Infeasible => "no solution",
        HorizonStatus::Limit => "stopped",
    };
    let size = size(ended.variables, ended.rows);
    let state = state(&ended.progress);
    let state = if state.is_empty() { state } else { format!(", {state}") };
    let elapsed = seconds(ended.progress.elapsed.as_secs_f64());
    format!("horizon {}: {status}, {size}{state}, {elapsed}", ended.horizon)
}

fn size(variables: usize, rows: usize) -> String {
    format!("{} variables, {} rows", count(variables as u64), count(rows as u64))
}

/// Returns a solver's nodes, bound and gap.
fn state(progress: &tilebase_model::solve::SolverProgress) -> String {
    let mut state = Vec::new();
    if let Some(nodes) = progress.nodes {
        state.push(format!("{} {}", count(nodes), if nodes == 1 { "node" } else { "nodes" }));
    }
    // Without an objective, the bound is always 0.
    if let Some(bound) = progress.bound.filter(|&bound| bound != 0.0) {
        state.push(format!("bound {}", rounded(bound)));
    }
    if let Some(gap) = progress.gap.filter(|&gap| gap > 0.0) {
        state.push(format!("gap {:.1} %", gap * 100.0));
    }
    state.join(", ")
}

/// Rounds to two decimals.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
