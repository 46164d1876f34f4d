//! The solver that is compiled in: microlp, written in Rust alone.
//!
//! It is asked for a slice of time after the other, so that it can be watched and stopped.

use std::time::{Duration, Instant};

use ::microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, SolveOptions, SolveOutcome,
    Stats, TerminationReason, Variable,
};

use super::external::whole;
use super::{Found, Limits, Progress, Run, SolveError, Solver, Stop, Watch};
use crate::{Model, Sense};

const NAME: &str = "microlp";
/// It looks at its clock every few pivots, which take long in large models, so that slices are rather longer.
const SLICE: Duration = Duration::from_millis(100);
/// Any first solution is within this gap.
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
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Run, SolveError> {
        let begun = Instant::now();
        let (problem, variables) = problem(model)?;
        // Where nothing is minimised, the first solution is as good as any.
        let mip_gap = if limits.first { ANY_GAP } else { 0.0 };
        let slice = |left: Option<Duration>| Some(left.map_or(SLICE, |left| left.min(SLICE)));
        let mut options = SolveOptions::default();
        options.time_limit = slice(limits.time);
        options.mip_gap = mip_gap;
        let mut progress = Progress::default();
        let mut outcome = problem.solve_with(options);
        loop {
            let now = match outcome {
                Ok(now) => now,
                Err(Error::Infeasible) => {
                    progress.elapsed = begun.elapsed();
                    return Ok(Run { found: Found::Infeasible, progress });
                }
                Err(error) => {
                    return Err(SolveError::Internal { solver: NAME, reason: error.to_string() });
                }
            };
            progress = told(now.stats(), begun);
            let stop = if watch(&progress).is_break() {
                Some(Stop::Watcher)
            } else {
                limits.time.is_some_and(|time| progress.elapsed >= time).then_some(Stop::Time)
            };
            let is_done = matches!(
                now.termination_reason(),
                TerminationReason::ProvenOptimal | TerminationReason::MipGap
            );
            if is_done || (limits.first && now.solution().is_some()) || stop.is_some() {
                let found = found(model, &variables, &now, stop)?;
                return Ok(Run { found, progress });
            }
            let mut options = ResumeOptions::default();
            options.time_limit =
                slice(limits.time.map(|time| time.saturating_sub(begun.elapsed())));
            options.mip_gap = Some(mip_gap);
            outcome = now.resume_with(options);
        }
    }
}

/// What the solver is given.
fn problem(model: &Model) -> Result<(Problem, Vec<Variable>), SolveError> {
    let mut costs = vec![0.0; model.variables.len()];
    for term in &model.objective {
        costs[term.variable] += term.factor as f64;
    }
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut variables = Vec::with_capacity(costs.len());
    for (variable, cost) in model.variables.iter().zip(costs) {
        let bounds = i32::try_from(variable.low).ok().zip(i32::try_from(variable.high).ok());
        let Some(bounds) = bounds else {
            let reason =
                format!("its bounds are of 32 bits, and {} has larger ones", variable.name);
            return Err(SolveError::Internal { solver: NAME, reason });
        };
        variables.push(problem.add_integer_var(cost, bounds));
    }
    for row in &model.rows {
        let terms: Vec<(Variable, f64)> =
            row.terms.iter().map(|term| (variables[term.variable], term.factor as f64)).collect();
        let sense = match row.sense {
            Sense::AtMost => ComparisonOp::Le,
            Sense::AtLeast => ComparisonOp::Ge,
            Sense::Equal => ComparisonOp::Eq,
        };
        problem.add_constraint(terms, sense, row.right as f64);
    }
    Ok((problem, variables))
}

fn told(stats: Stats, begun: Instant) -> Progress {
    let best = None;
    let elapsed = begun.elapsed();
    Progress {
        nodes: Some(stats.nodes_solved),
        // It says minus infinity of what it has not looked at.
        bound: stats.best_bound.filter(|bound| bound.is_finite()),
        best,
        gap: stats.gap.filter(|gap| gap.is_finite()),
        elapsed,
    }
}

fn found(
    model: &Model,
    variables: &[Variable],
    outcome: &SolveOutcome,
    stop: Option<Stop>,
) -> Result<Found, SolveError> {
    let Some(solution) = outcome.solution() else {
        return Ok(Found::Stopped(stop.expect("without a solution only a limit ends it")));
    };
    let value = |(variable, named): (&Variable, &crate::Variable)| {
        whole(NAME, &named.name, solution.var_value(*variable))
    };
    let values: Vec<i64> =
        variables.iter().zip(&model.variables).map(value).collect::<Result<_, _>>()?;
    let checked = model.check(&values);
    checked.map_err(|source| SolveError::NoSolution {
        solver: NAME.to_owned(),
        source: Box::new(source),
    })?;
    Ok(Found::Solution { values, is_optimal: outcome.is_optimal() || model.objective.is_empty() })
}
