//! The interface of solvers.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::SolveError;
use crate::Model;

/// A solver of integer programs.
pub trait Solver: fmt::Debug + Send + Sync {
    /// Returns the solver's name.
    fn name(&self) -> &str;

    /// Solves a model. The solver calls `watch` several times a second.
    ///
    /// The returned values satisfy all bounds and rows of the model.
    ///
    /// # Errors
    /// All of [`SolveError`]. A limit is no error: see [`RunResult::Stopped`].
    fn solve(
        &self,
        model: &Model,
        limits: SolverLimits,
        watch: &mut Watch<'_>,
    ) -> Result<Run, SolveError>;
}

/// Receiver of a solver's progress. It returns whether the solver continues.
pub type Watch<'a> = dyn FnMut(&SolverProgress) -> ControlFlow<()> + 'a;

/// Limits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverLimits {
    /// Time limit.
    pub time: Option<Duration>,
    /// Whether the solver stops at its first solution.
    pub first: bool,
}

/// Progress of a solver. Values that the solver does not report are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SolverProgress {
    /// Number of solved nodes of branch and bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Lower bound of the objective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// Difference of the bound and the best solution's objective, as a fraction of the latter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// Elapsed time.
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub elapsed: Duration,
}

/// Writes a duration in seconds.
pub(super) fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// A finished run of a solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The result.
    pub result: RunResult,
    /// The last progress, and the time of the run.
    pub progress: SolverProgress,
}

/// Result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunResult {
    /// The solver found values.
    Solution {
        /// The values, in the order of the variables.
        values: Vec<i64>,
        /// Whether the solver has proved that no other values have a smaller objective.
        is_optimal: bool,
    },
    /// The model has no solution.
    Infeasible,
    /// The run was stopped before a solution or a proof was found.
    Stopped(StopReason),
}

/// Reason why a run or a sequence of runs stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StopReason {
    /// The time limit.
    Time,
    /// The watcher.
    #[serde(rename = "interrupt")]
    Watcher,
    /// The size of the next model, which exceeds the limit.
    Size,
}
