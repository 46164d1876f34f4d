//! The solver `HiGHS`, compiled in.
//!
//! It runs on a thread of its own and tells its progress in a log file, as the program does. Nothing can stop
//! it before its limit: where a watcher does, its thread is left behind.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use ::highs::{HighsModelStatus, RowProblem, Sense as Direction};

use super::external::{HighsLog, whole};
use super::{Found, Limits, Run, SolveError, Solver, Stop, Watch};
use crate::{Model, Sense};

const NAME: &str = "highs";
const TICK: Duration = Duration::from_millis(50);

/// [HiGHS](https://highs.dev), compiled in: branch and cut, written in C++.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Highs;

/// What its thread tells.
struct Said {
    status: HighsModelStatus,
    values: Option<Vec<f64>>,
}

impl Solver for Highs {
    fn name(&self) -> &str {
        NAME
    }

    fn solve(
        &self,
        model: &Model,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Run, SolveError> {
        let begun = Instant::now();
        let problem =
            |source| SolveError::Folder { solver: NAME, doing: "reading the log", source };
        let mut log = HighsLog::new().map_err(problem)?;
        let path = log.path().to_string_lossy().into_owned();
        let (problem_of_it, variables) = problem_of(model);
        let (sender, receiver) = mpsc::channel();
        let work = move || {
            // Nobody waits any more for what was left behind.
            let _ = sender.send(run(problem_of_it, limits, &path));
        };
        let thread = thread::Builder::new().name(NAME.to_owned()).spawn(work);
        thread.map_err(|error| internal(format!("it needs a thread: {error}")))?;
        loop {
            let said = match receiver.recv_timeout(TICK) {
                Ok(said) => Some(said?),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(internal("its thread ended without a word".to_owned()));
                }
            };
            let mut progress = log.progress().map_err(problem)?;
            progress.elapsed = begun.elapsed();
            if let Some(said) = said {
                let found = found(model, said, variables)?.within(limits, progress.elapsed);
                return Ok(Run { found, progress });
            }
            if watch(&progress).is_break() {
                return Ok(Run { found: Found::Stopped(Stop::Watcher), progress });
            }
        }
    }
}

fn internal(reason: String) -> SolveError {
    SolveError::Internal { solver: NAME, reason }
}

/// What the solver is given, and how many variables it has.
fn problem_of(model: &Model) -> (RowProblem, usize) {
    let mut costs = vec![0.0; model.variables.len()];
    for term in &model.objective {
        costs[term.variable] += term.factor as f64;
    }
    let mut problem = RowProblem::default();
    let mut columns = Vec::with_capacity(costs.len());
    for (variable, cost) in model.variables.iter().zip(costs) {
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
    (problem, columns.len())
}

/// All that its thread does.
fn run(problem: RowProblem, limits: Limits, log: &str) -> Result<Said, SolveError> {
    let refused = |what: &'static str| move |_| internal(format!("it refuses {what}"));
    let mut model = problem
        .try_optimise(Direction::Minimise)
        .map_err(|status| internal(format!("it refuses the model: {status:?}")))?;
    model.try_set_option("log_to_console", false).map_err(refused("log_to_console"))?;
    model.try_set_option("log_file", log).map_err(refused("log_file"))?;
    model.try_set_option("output_flag", true).map_err(refused("output_flag"))?;
    if let Some(time) = limits.time {
        model.try_set_option("time_limit", time.as_secs_f64()).map_err(refused("time_limit"))?;
    }
    if limits.first {
        let option = "mip_max_improving_sols";
        model.try_set_option(option, 1).map_err(refused(option))?;
    }
    let solved =
        model.try_solve().map_err(|status| internal(format!("it ended with {status:?}")))?;
    let has_solution = solved.primal_solution_status() == ::highs::HighsSolutionStatus::Feasible;
    let values = has_solution.then(|| solved.get_solution().columns().to_vec());
    Ok(Said { status: solved.status(), values })
}

fn found(model: &Model, said: Said, variables: usize) -> Result<Found, SolveError> {
    let status = said.status;
    let Some(values) = said.values else {
        return match status {
            HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => {
                Ok(Found::Infeasible)
            }
            HighsModelStatus::ReachedTimeLimit => Ok(Found::Stopped(Stop::Time)),
            other => Err(internal(format!("it ended with {other:?} and no solution"))),
        };
    };
    if values.len() != variables {
        return Err(internal(format!("expected {variables} values, found {}", values.len())));
    }
    let value = |(variable, value): (&crate::Variable, &f64)| whole(NAME, &variable.name, *value);
    let values: Vec<i64> =
        model.variables.iter().zip(&values).map(value).collect::<Result<_, _>>()?;
    let checked = model.check(&values);
    checked.map_err(|source| SolveError::NoSolution {
        solver: NAME.to_owned(),
        source: Box::new(source),
    })?;
    let is_optimal = status == HighsModelStatus::Optimal || model.objective.is_empty();
    Ok(Found::Solution { values, is_optimal })
}
