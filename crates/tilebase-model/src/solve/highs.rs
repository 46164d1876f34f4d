//! The solver `HiGHS`, compiled in.
//!
//! It runs on a thread of its own, which reports no progress but the time. It cannot be stopped
//! before its limit: when the watcher stops the run, the thread continues in the background.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use ::highs::{HighsModelStatus, HighsSolutionStatus, RowProblem, Sense as Direction};

use super::check::rounded_solution;
use super::{Run, RunResult, SolveError, Solver, SolverLimits, SolverProgress, StopReason, Watch};
use crate::{Model, Sense};

const NAME: &str = "highs";
const TICK: Duration = Duration::from_millis(50);

/// [HiGHS](https://highs.dev), compiled in: branch and cut, written in C++.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Highs;

/// Final message of the solver's thread: the status, and values if there is a solution.
type Answer = (HighsModelStatus, Option<Vec<f64>>);

impl Solver for Highs {
    fn name(&self) -> &str {
        NAME
    }

    fn solve(
        &self,
        model: &Model,
        limits: SolverLimits,
        watch: &mut Watch<'_>,
    ) -> Result<Run, SolveError> {
        let started = Instant::now();
        let problem = problem(model);
        let (sender, receiver) = mpsc::channel();
        let work = move || {
            // A stopped run no longer listens.
            let _ = sender.send(run(problem, limits));
        };
        let thread = pdb_core::thread_builder().name(NAME.to_owned()).spawn(work);
        thread.map_err(|error| internal(format!("it needs a thread: {error}")))?;
        loop {
            let answer = match receiver.recv_timeout(TICK) {
                Ok(answer) => Some(answer?),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(internal("its thread ended without a result".to_owned()));
                }
            };
            let progress =
                SolverProgress { elapsed: started.elapsed(), ..SolverProgress::default() };
            if let Some(answer) = answer {
                // A late "infeasible" may be about the part of the tree that was searched.
                let is_late = limits.time.is_some_and(|time| progress.elapsed >= time / 4 * 3);
                let result = match result(model, answer)? {
                    RunResult::Infeasible if is_late => RunResult::Stopped(StopReason::Time),
                    result => result,
                };
                return Ok(Run { result, progress });
            }
            if watch(&progress).is_break() {
                let result = RunResult::Stopped(StopReason::Watcher);
                return Ok(Run { result, progress });
            }
        }
    }
}

fn internal(reason: String) -> SolveError {
    SolveError::Internal { solver: NAME, reason }
}

/// Converts a model.
fn problem(model: &Model) -> RowProblem {
    let mut problem = RowProblem::default();
    let mut columns = Vec::with_capacity(model.variables.len());
    for (variable, cost) in model.variables.iter().zip(model.costs()) {
        let bounds = variable.low as f64..=variable.high as f64;
        columns.push(problem.add_integer_column(cost, bounds));
    }
    for row in &model.rows {
        let terms: Vec<_> =
            row.terms.iter().map(|term| (columns[term.variable], term.factor as f64)).collect();
        let right = row.right as f64;
        match row.sense {
            Sense::AtMost => problem.add_row(..=right, &terms),
            Sense::AtLeast => problem.add_row(right.., &terms),
            Sense::Equal => problem.add_row(right..=right, &terms),
        }
    }
    problem
}

/// Solves the problem on the solver's thread.
fn run(problem: RowProblem, limits: SolverLimits) -> Result<Answer, SolveError> {
    let refused = |what: &'static str| move |_| internal(format!("it refuses {what}"));
    let mut model = problem
        .try_optimise(Direction::Minimise)
        .map_err(|status| internal(format!("it refuses the model: {status:?}")))?;
    model.try_set_option("output_flag", false).map_err(refused("output_flag"))?;
    if let Some(time) = limits.time {
        model.try_set_option("time_limit", time.as_secs_f64()).map_err(refused("time_limit"))?;
    }
    if limits.first {
        let option = "mip_max_improving_sols";
        model.try_set_option(option, 1).map_err(refused(option))?;
    }
    let solved =
        model.try_solve().map_err(|status| internal(format!("it ended with {status:?}")))?;
    let has_solution = solved.primal_solution_status() == HighsSolutionStatus::Feasible;
    let values = has_solution.then(|| solved.get_solution().columns().to_vec());
    Ok((solved.status(), values))
}

fn result(model: &Model, (status, values): Answer) -> Result<RunResult, SolveError> {
    match (status, values) {
        (status, Some(values)) => {
            let (expected, found) = (model.variables.len(), values.len());
            if found != expected {
                return Err(internal(format!("expected {expected} values, found {found}")));
            }
            rounded_solution(NAME, model, values, status == HighsModelStatus::Optimal)
        }
        (HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible, None) => {
            Ok(RunResult::Infeasible)
        }
        (HighsModelStatus::ReachedTimeLimit, None) => Ok(RunResult::Stopped(StopReason::Time)),
        (other, None) => Err(internal(format!("it ended with {other:?} and no solution"))),
    }
}
