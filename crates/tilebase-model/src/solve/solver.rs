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
    /// Objective of the best solution so far.
    #[serde(skip)]
    pub best: Option<f64>,
    /// Difference of the two, as a fraction of the best solution's objective.
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
    /// The solver itself, for a reason of its own.
    Solver,
    /// The size of the next model, which exceeds the limit.
    Size,
}

impl RunResult {
    /// Replaces an unreliable result of a run whose time was over. Some solvers report "infeasible"
    /// for the part of the tree that they had no time for. They stop before a step that would
    /// exceed the limit, so the last quarter of the time counts as its end.
    pub(super) fn within(self, limits: SolverLimits, elapsed: Duration) -> Self {
        let is_late = limits.time.is_some_and(|time| elapsed >= time / 4 * 3);
        match self {
            Self::Infeasible | Self::Stopped(StopReason::Solver) if is_late => {
                Self::Stopped(StopReason::Time)
            }
            result => result,
        }
    }
}

impl SolverProgress {
    /// Computes the gap, if the solver reports only its two sides.
    pub(super) fn with_gap(mut self) -> Self {
        if let (None, Some(bound), Some(best)) = (self.gap, self.bound, self.best) {
            let gap = (best - bound).abs() / best.abs().max(1e-9);
            self.gap = Some(gap).filter(|gap| gap.is_finite());
        }
        self
    }
}
