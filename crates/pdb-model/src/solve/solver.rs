//! What a solver is.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use super::SolveError;
use crate::Model;

/// Something that solves integer programs.
pub trait Solver: fmt::Debug + Send + Sync {
    /// What it is called.
    fn name(&self) -> &str;

    /// Solves a model. `watch` hears of the progress several times a second and says whether to go on.
    ///
    /// The values that are returned keep all bounds and rows of the model.
    ///
    /// # Errors
    /// All of [`SolveError`]. Limits are none: see [`Found::Stopped`].
    fn solve(
        &self,
        model: &Model,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Run, SolveError>;
}

/// Hears how far a solver is, and says whether it is to go on.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// When a solver ends before it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// After this time.
    pub time: Option<Duration>,
    /// With the first solution that it finds, whether it is the best one or not.
    pub first: bool,
}

/// How far a solver is; nothing where it does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Nodes of branch and bound that were solved.
    pub nodes: Option<u64>,
    /// No solution has a smaller objective.
    pub bound: Option<f64>,
    /// The objective of the best solution so far.
    pub best: Option<f64>,
    /// What is between the two, in parts of the best solution's objective.
    pub gap: Option<f64>,
    /// How long it has been at work.
    pub elapsed: Duration,
}

/// What a solver did.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What came of it.
    pub found: Found,
    /// What it told last, and how long it took.
    pub progress: Progress,
}

/// What came of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Values, in the order of the variables.
    Solution {
        /// The values.
        values: Vec<i64>,
        /// Whether the solver has proved that no others have a smaller objective.
        is_optimal: bool,
    },
    /// No values keep all rows.
    Infeasible,
    /// It ended before it knew.
    Stopped(Stop),
}

/// What ended a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The limit of its time.
    Time,
    /// Whoever watched it.
    Watcher,
    /// The solver itself, for a reason of its own.
    Solver,
    /// The size of the next model, which would be too large.
    Size,
}

impl Found {
    /// What counts of it once the solver's time was over: some say that there is no solution of what they
    /// had no time to look at. They have clocks of their own, and stop before the next step that would take
    /// too long, so the last quarter of the time counts as its end.
    pub(super) fn within(self, limits: Limits, elapsed: Duration) -> Self {
        let is_late = limits.time.is_some_and(|time| elapsed >= time / 4 * 3);
        match self {
            Self::Infeasible | Self::Stopped(Stop::Solver) if is_late => Self::Stopped(Stop::Time),
            found => found,
        }
    }
}

impl Progress {
    /// The gap, worked out where the solver tells only what is on both sides of it.
    pub(super) fn with_gap(mut self) -> Self {
        if let (None, Some(bound), Some(best)) = (self.gap, self.bound, self.best) {
            self.gap =
                Some((best - bound).abs() / best.abs().max(1e-9)).filter(|gap| gap.is_finite());
        }
        self
    }
}
