//! The solver microlp, which is compiled in and written in Rust.
//!
//! It runs in slices of time, so that it can be watched and stopped.

use std::time::{Duration, Instant};

use ::microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, SolveOptions,
    TerminationReason, Variable,
};

use super::check::rounded_solution;
use super::{Run, RunResult, SolveError, Solver, SolverLimits, SolverProgress, StopReason, Watch};
use crate::{Model, Sense};

const NAME: &str = "microlp";
/// Length of a slice. microlp checks the time every few pivots, which take long in large models, so
/// slices are often longer.
const SLICE: Duration = Duration::from_millis(100);
/// Gap that accepts any first solution.
const ANY_GAP: f64 = 1e12;

/// [microlp](https://docs.rs/microlp): branch and bound, for small boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MicroLp;

impl Solver for MicroLp {
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
        let (problem, variables) = problem(model)?;
        let mip_gap = if limits.first { ANY_GAP } else { 0.0 };
        let slice = || {
            let rest = limits.time.map(|time| time.saturating_sub(started.elapsed()));
            Some(rest.map_or(SLICE, |rest| rest.min(SLICE)))
        };
        let mut options = SolveOptions::default();
        (options.time_limit, options.mip_gap) = (slice(), mip_gap);
        let mut progress = SolverProgress::default();
        let mut outcome = problem.solve_with(options);
        loop {
            progress.elapsed = started.elapsed();
            let now = match outcome {
                Ok(now) => now,
                Err(Error::Infeasible) => {
                    return Ok(Run { result: RunResult::Infeasible, progress });
                }
                Err(error) => return Err(internal(error.to_string())),
            };
            let stats = now.stats();
            progress.nodes = Some(stats.nodes_solved);
            // microlp reports minus infinity before it knows a bound.
            progress.bound = stats.best_bound.filter(|bound| bound.is_finite());
            progress.gap = stats.gap.filter(|gap| gap.is_finite());
            let stop = if watch(&progress).is_break() {
                Some(StopReason::Watcher)
            } else {
                let is_late = limits.time.is_some_and(|time| progress.elapsed >= time);
                is_late.then_some(StopReason::Time)
            };
            let is_done = matches!(
                now.termination_reason(),
                TerminationReason::ProvenOptimal | TerminationReason::MipGap
            );
            let has_first = limits.first && now.solution().is_some();
            if is_done || has_first || stop.is_some() {
                let result = match now.solution() {
                    Some(solution) => {
                        let values = variables.iter().map(|&place| solution.var_value(place));
                        rounded_solution(NAME, model, values, now.is_optimal())?
                    }
                    None => RunResult::Stopped(stop.expect("a run without solution has a limit")),
                };
                return Ok(Run { result, progress });
            }
            let mut options = ResumeOptions::default();
            (options.time_limit, options.mip_gap) = (slice(), Some(mip_gap));
            outcome = now.resume_with(options);
        }
    }
}

fn internal(reason: String) -> SolveError {
    SolveError::Internal { solver: NAME, reason }
}

/// Converts a model. Also returns its variables.
fn problem(model: &Model) -> Result<(Problem, Vec<Variable>), SolveError> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut variables = Vec::with_capacity(model.variables.len());
    for (variable, cost) in model.variables.iter().zip(model.costs()) {
        let bounds = i32::try_from(variable.low).ok().zip(i32::try_from(variable.high).ok());
        let bounds = bounds.ok_or_else(|| {
            internal(format!("its bounds have 32 bits, and {} has larger ones", variable.name))
        })?;
        variables.push(problem.add_integer_var(cost, bounds));
    }
    for row in &model.rows {
        let term = |term: &crate::Term| (variables[term.variable], term.factor as f64);
        let sense = match row.sense {
            Sense::AtMost => ComparisonOp::Le,
            Sense::AtLeast => ComparisonOp::Ge,
            Sense::Equal => ComparisonOp::Eq,
        };
        let terms: Vec<(Variable, f64)> = row.terms.iter().map(term).collect();
        problem.add_constraint(terms, sense, row.right as f64);
    }
    Ok((problem, variables))
}
