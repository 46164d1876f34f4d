//! Solving of a board, horizon by horizon.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pdb_core::{Board, Direction, Goal, Unsolvable};
use serde::Serialize;

use super::{Run, RunResult, SolveError, Solver, SolverLimits, SolverProgress, StopReason};
use crate::{BoardModel, Form, ModelError, encode, horizon};

/// A board to solve, and how.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The board.
    pub board: &'a Board,
    /// The goal.
    pub goal: &'a Goal,
    /// The form of the models.
    pub form: Form,
    /// The only horizon to try. Without it, horizons start at the least possible one and are raised
    /// until one has a solution.
    pub horizon: Option<u32>,
    /// Whether any solution will do, shortest or not. This needs a horizon.
    pub first: bool,
    /// Time limit for all horizons together.
    pub time: Option<Duration>,
}

/// Event while a board is solved.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum HorizonEvent<'a> {
    /// A model was made and goes to the solver.
    Begins {
        /// Its horizon.
        horizon: u32,
        /// Its number of variables.
        variables: usize,
        /// Its number of rows.
        rows: usize,
    },
    /// The solver is running. This event comes several times a second.
    Progress {
        /// The model's horizon.
        horizon: u32,
        /// The solver's progress.
        progress: &'a SolverProgress,
    },
    /// The solver has finished a model.
    Ends(&'a Horizon),
}

/// Result of one horizon.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Horizon {
    /// The horizon: the number of moves that the model has room for.
    pub horizon: u32,
    /// The result.
    pub status: HorizonStatus,
    /// Number of variables of the model.
    pub variables: usize,
    /// Number of rows of the model.
    pub rows: usize,
    /// The solver's last progress, and its time.
    #[serde(flatten)]
    pub progress: SolverProgress,
}

/// Kind of result of one horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HorizonStatus {
    /// A solution, which the solver has proved to be optimal for this model.
    Optimal,
    /// A solution.
    Found,
    /// Proof that there is none.
    Infeasible,
    /// The solver was stopped before a solution or a proof was found.
    Limit,
}

/// Result of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// A shortest solution.
    Optimal(Vec<Direction>),
    /// A solution; shorter ones may exist.
    Found(Vec<Direction>),
    /// The only horizon to try has no solution.
    Infeasible,
    /// Stopped before a solution was found.
    Limit(StopReason),
    /// The goal cannot be reached. No solver ran.
    Unsolvable(Unsolvable),
}

/// Answer to a question.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The board.
    pub board: Board,
    /// The goal.
    pub goal: Goal,
    /// The form of the models.
    pub form: Form,
    /// The solver's name.
    pub solver: String,
    /// The result.
    pub status: Status,
    /// Lower bound of the number of moves: the least possible horizon, or the one after the last
    /// that is proved to have no solution. `None` for an unsolvable board.
    pub lower_bound: Option<u32>,
    /// The result of each horizon, in order.
    pub horizons: Vec<Horizon>,
    /// The total time.
    pub elapsed: Duration,
}

impl Outcome {
    /// Returns the moves of a solution.
    pub fn moves(&self) -> Option<&[Direction]> {
        match &self.status {
            Status::Optimal(moves) | Status::Found(moves) => Some(moves),
            _ => None,
        }
    }

    /// Returns whether the solver has proved that no solution has fewer moves.
    pub fn is_proved(&self) -> bool {
        matches!(self.status, Status::Optimal(_))
    }
}

/// Finds a shortest solution of a board with a solver.
///
/// Tries every horizon from the least possible one, in steps of 2, because parity rules out the
/// others. The solution of the first feasible horizon is the answer; the infeasible horizons before
/// it are the proof. `watch` receives events and returns whether to continue.
///
/// The moves of an answer were made on the board and led to the goal, and their values satisfy the
/// model. The proof that a model is infeasible is not checked.
///
/// # Errors
/// Those of the solver, of the models, and [`SolveError::NoHorizon`].
pub fn solve(
    question: Question<'_>,
    solver: &dyn Solver,
    watch: &mut dyn FnMut(HorizonEvent<'_>) -> ControlFlow<()>,
) -> Result<Outcome, SolveError> {
    solve_up_to(question.form.horizon_max(question.board.shape()), question, solver, watch)
}

/// Does the same as [`solve`], up to a largest horizon.
fn solve_up_to(
    horizon_max: u32,
    question: Question<'_>,
    solver: &dyn Solver,
    watch: &mut dyn FnMut(HorizonEvent<'_>) -> ControlFlow<()>,
) -> Result<Outcome, SolveError> {
    let started = Instant::now();
    let Question { board, goal, form, .. } = question;
    let mut outcome = Outcome {
        board: *board,
        goal: *goal,
        form,
        solver: solver.name().to_owned(),
        status: Status::Infeasible,
        lower_bound: None,
        horizons: Vec::new(),
        elapsed: Duration::ZERO,
    };
    let least = match horizon::least(board, goal) {
        Ok(least) => least,
        Err(ModelError::Unsolvable(reason)) => {
            outcome.status = Status::Unsolvable(reason);
            return Ok(outcome);
        }
        Err(error) => return Err(error.into()),
    };
    if question.first && question.horizon.is_none() {
        return Err(SolveError::NoHorizon);
    }
    outcome.lower_bound = Some(least);
    let mut now = question.horizon.unwrap_or(least);
    outcome.status = loop {
        let time = question.time.map(|time| time.saturating_sub(started.elapsed()));
        if time.is_some_and(|time| time.is_zero()) {
            break Status::Limit(StopReason::Time);
        }
        let board_model = encode(form, board, goal, now)?;
        // At the lower bound, any solution is a shortest one.
        let is_least = outcome.lower_bound == Some(now);
        let limits = SolverLimits { time, first: question.first || is_least };
        let (horizon, result) = try_horizon(&board_model, solver, limits, is_least, watch)?;
        let is_optimal = horizon.status == HorizonStatus::Optimal;
        outcome.horizons.push(horizon);
        match result {
            RunResult::Infeasible => {
                outcome.rule_out(least, now);
                if question.horizon.is_some() {
                    break Status::Infeasible;
                }
                now += horizon::STEP;
                if now > horizon_max {
                    break Status::Limit(StopReason::Size);
                }
            }
            RunResult::Solution { values, .. } => {
                let moves = board_model.moves_of(&values);
                let moves =
                    moves.map_err(|source| SolveError::no_solution(solver.name(), source))?;
                let length = Some(moves.len() as u32);
                if outcome.lower_bound > length {
                    let ruled_out = now - horizon::STEP;
                    return Err(SolveError::Contradiction {
                        solver: outcome.solver,
                        first: format!("it said that the horizon {ruled_out} has no solution"),
                        second: format!("and found one of length {}", moves.len()),
                    });
                }
                // The form neos minimises the number of moves.
                let is_best = form == Form::Neos && is_optimal;
                break if outcome.lower_bound == length || is_best {
                    outcome.lower_bound = length;
                    Status::Optimal(moves)
                } else {
                    Status::Found(moves)
                };
            }
            RunResult::Stopped(reason) => break Status::Limit(reason),
        }
    };
    outcome.elapsed = started.elapsed();
    Ok(outcome)
}

impl Outcome {
    /// Raises the lower bound after a horizon without solution.
    fn rule_out(&mut self, least: u32, horizon: u32) {
        let bound = self.lower_bound.unwrap_or(least);
        let rules_out = match self.form {
            // No solution has `horizon` or fewer moves; the next possible length has the right
            // parity.
            Form::Neos if horizon >= bound => {
                Some(horizon + 1 + u32::from(!(horizon + 1 - least).is_multiple_of(horizon::STEP)))
            }
            // No solution has exactly `horizon` moves.
            Form::Flow if horizon == bound => Some(horizon + horizon::STEP),
            _ => None,
        };
        self.lower_bound = Some(rules_out.unwrap_or(bound));
    }
}

/// Tries one horizon. At the least possible horizon (`is_least`), any solution is optimal.
fn try_horizon(
    board_model: &BoardModel,
    solver: &dyn Solver,
    limits: SolverLimits,
    is_least: bool,
    watch: &mut dyn FnMut(HorizonEvent<'_>) -> ControlFlow<()>,
) -> Result<(Horizon, RunResult), SolveError> {
    let horizon = board_model.horizon();
    let model = &board_model.model;
    let (variables, rows) = (model.variables.len(), model.rows.len());
    let begins = watch(HorizonEvent::Begins { horizon, variables, rows });
    let run = if begins.is_break() {
        let result = RunResult::Stopped(StopReason::Watcher);
        Run { result, progress: SolverProgress::default() }
    } else {
        let mut report =
            |progress: &SolverProgress| watch(HorizonEvent::Progress { horizon, progress });
        solver.solve(model, limits, &mut report)?
    };
    let status = match run.result {
        RunResult::Infeasible => HorizonStatus::Infeasible,
        RunResult::Stopped(_) => HorizonStatus::Limit,
        RunResult::Solution { is_optimal, .. } if is_optimal || is_least => HorizonStatus::Optimal,
        RunResult::Solution { .. } => HorizonStatus::Found,
    };
    let ended = Horizon { horizon, status, variables, rows, progress: run.progress };
    // If the watcher stops here, the next model does not start.
    let _ = watch(HorizonEvent::Ends(&ended));
    Ok((ended, run.result))
}

#[cfg(test)]
mod tests {
    use pdb_core::notation::parse_letters;

    use super::super::Watch;
    use super::*;
    use crate::Model;

    /// A solver whose result the test chooses.
    #[derive(Debug)]
    struct Fake(fn(&Model) -> RunResult);

    impl Solver for Fake {
        fn name(&self) -> &'static str {
            "fake"
        }

        fn solve(
            &self,
            model: &Model,
            _: SolverLimits,
            _: &mut Watch<'_>,
        ) -> Result<Run, SolveError> {
            Ok(Run { result: (self.0)(model), progress: SolverProgress::default() })
        }
    }

    /// Returns a board that takes one move.
    fn board() -> (Board, Goal) {
        let board = "1 2/0 3".parse().expect("the test's own board");
        (board, Goal::blank_last(board.shape()))
    }

    fn ask(
        form: Form,
        horizon_max: u32,
        says: fn(&Model) -> RunResult,
    ) -> Result<Outcome, SolveError> {
        let (board, goal) = &board();
        let question = Question { board, goal, form, horizon: None, first: false, time: None };
        solve_up_to(horizon_max, question, &Fake(says), &mut |_| ControlFlow::Continue(()))
    }

    #[test]
    fn keeps_the_lower_bound_when_the_next_model_is_too_large() {
        for form in Form::ALL {
            let outcome = ask(form, 6, |_| RunResult::Infeasible).expect("a limit");
            assert_eq!(outcome.status, Status::Limit(StopReason::Size));
            let horizons: Vec<u32> = outcome.horizons.iter().map(|one| one.horizon).collect();
            assert_eq!(horizons, [1, 3, 5]);
            assert_eq!(outcome.lower_bound, Some(7));
        }
    }

    #[test]
    fn rejects_a_solution_of_a_horizon_that_the_solver_ruled_out() {
        let says = |model: &Model| {
            let (board, goal) = board();
            let board_model = encode(Form::Neos, &board, &goal, 3).expect("a small model");
            let moves = parse_letters("L").expect("the test's own move");
            let values = || board_model.values_of(&moves).expect("moves of the board");
            if *model == board_model.model {
                RunResult::Solution { values: values(), is_optimal: true }
            } else {
                RunResult::Infeasible
            }
        };
        let error = ask(Form::Neos, 9, says).expect_err("a lie");
        assert!(matches!(error, SolveError::Contradiction { .. }), "{error:?}");
        let text = "it said that the horizon 1 has no solution, and found one of length 1;";
        assert!(error.to_string().contains(text), "{error}");
    }
}
