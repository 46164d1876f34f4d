//! Progress of a solver of integer programs, horizon by horizon.

use tilebase_model::solve::{Horizon, HorizonEvent, HorizonStatus};

use super::ProgressDisplay;
use super::line::Line;
use crate::output::{count, counted, seconds};

/// Progress of a solver.
#[derive(Debug)]
pub(crate) struct HorizonProgress {
    progress: ProgressDisplay,
    line: Line,
}

impl ProgressDisplay {
    /// Shows the horizons of a solver.
    pub(crate) fn horizons(self) -> HorizonProgress {
        HorizonProgress { progress: self, line: Line::new(self, "making the model") }
    }
}

impl HorizonProgress {
    /// Shows each horizon that begins, and a line for each that has ended.
    pub(crate) fn show(&mut self, event: HorizonEvent<'_>) {
        match event {
            HorizonEvent::Begins { horizon, variables, rows } => {
                self.line.show(format_args!("horizon {horizon}: {}", size(variables, rows)));
            }
            HorizonEvent::Ends(ended) => self.progress.note(line(ended)),
            _ => (),
        }
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
    let nodes = ended.progress.nodes.map(|nodes| format!(", {}", counted(nodes, "node")));
    let elapsed = seconds(ended.progress.elapsed.as_secs_f64());
    format!("horizon {}: {status}, {size}{}, {elapsed}", ended.horizon, nodes.unwrap_or_default())
}

fn size(variables: usize, rows: usize) -> String {
    format!("{} variables, {} rows", count(variables as u64), count(rows as u64))
}
