//! One horizon after the other, until a board is solved.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pdb_core::{Board, Direction, Goal, Unsolvable};

use super::{Found, Limits, Progress, Run, SolveError, Solver, Stop};
use crate::{Encoded, Form, ModelError, encode, horizon};

/// What is asked of a solver.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The board.
    pub board: &'a Board,
    /// The goal.
    pub goal: &'a Goal,
    /// The form of the models.
    pub form: Form,
    /// The only horizon that is asked about. Without it, they begin with the least one that may suffice and
    /// are raised until one does.
    pub horizon: Option<u32>,
    /// Any solution will do, proved to be a shortest one or not. This needs a horizon.
    pub first: bool,
    /// The longest time for all horizons together.
    pub time: Option<Duration>,
}

/// What happens while a question is answered.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A model is made and goes to the solver.
    Begins {
        /// Its horizon.
        horizon: u32,
        /// How many variables it has.
        variables: usize,
        /// How many rows it has.
        rows: usize,
    },
    /// The solver is at work. This comes several times a second.
    Progress {
        /// The horizon of its model.
        horizon: u32,
        /// How far it is.
        progress: &'a Progress,
        /// The time since the question was asked.
        elapsed: Duration,
    },
    /// The solver is done with a model.
    Ends(&'a Horizon),
}

/// What came of one horizon.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Horizon {
    /// The moves that there was room for.
    pub horizon: u32,
    /// What came of it.
    pub status: HorizonStatus,
    /// How many variables the model had.
    pub variables: usize,
    /// How many rows the model had.
    pub rows: usize,
    /// What the solver told last, and how long it took.
    pub progress: Progress,
}

/// What came of one horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HorizonStatus {
    /// A solution, which the solver has proved to be the best of this model.
    Optimal,
    /// A solution.
    Found,
    /// It is proved that there is none.
    Infeasible,
    /// The solver was stopped before it knew.
    Limit,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Moves, and none that solve the board are fewer.
    Optimal(Vec<Direction>),
    /// Moves; there may be fewer.
    Found(Vec<Direction>),
    /// The only horizon that was asked about has no solution.
    Infeasible,
    /// It ended before a solution was found.
    Limit(Stop),
    /// No moves lead to the goal. No solver was asked.
    Unsolvable(Unsolvable),
}

/// The answer to a question.
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
    /// What came of it.
    pub status: Status,
    /// A number of moves that every solution has at least: the least horizon that may suffice, or the one
    /// after the last that is proved to have no solution. Nothing for boards without solutions.
    pub lower_bound: Option<u32>,
    /// What came of each horizon, in their order.
    pub horizons: Vec<Horizon>,
    /// The time for all of it.
    pub elapsed: Duration,
}

impl Outcome {
    /// The moves, if some were found.
    pub fn moves(&self) -> Option<&[Direction]> {
        match &self.status {
            Status::Optimal(moves) | Status::Found(moves) => Some(moves),
            _ => None,
        }
    }

    /// Whether it is proved, by the solver, that no solution has fewer moves.
    pub fn is_proved(&self) -> bool {
        matches!(self.status, Status::Optimal(_))
    }
}

/// Asks a solver how a board is solved in the fewest moves.
///
/// Every horizon from the least one that may suffice is tried in turn, in steps of 2, since parity rules out
/// the others. The first that has a solution is the answer, and that those before it have none is the proof.
/// `watch` hears what happens and says whether to go on.
///
/// The moves of an answer were made on the board and led to the goal, and all rows of their model hold. That a
/// model has no solution is the solver's word.
///
/// # Errors
/// Those of the solver, of the models, and [`SolveError::NoHorizon`].
pub fn solve(
    question: Question<'_>,
    solver: &dyn Solver,
    watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Outcome, SolveError> {
    solve_up_to(question.form.horizon_max(question.board.shape()), question, solver, watch)
}

/// As [`solve`], with horizons that are raised no further.
fn solve_up_to(
    horizon_max: u32,
    question: Question<'_>,
    solver: &dyn Solver,
    watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Outcome, SolveError> {
    let begun = Instant::now();
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
        let time = question.time.map(|time| time.saturating_sub(begun.elapsed()));
        if time.is_some_and(|time| time.is_zero()) {
            break Status::Limit(Stop::Time);
        }
        let encoded = encode(form, board, goal, now)?;
        // With room for no more moves than every solution has, any solution is a shortest one.
        let is_least = outcome.lower_bound == Some(now);
        let limits = Limits { time, first: question.first || is_least };
        let (ended, moves, stop) = one(&encoded, solver, limits, is_least, begun, watch)?;
        let status = ended.status;
        outcome.horizons.push(ended);
        match (status, moves) {
            (HorizonStatus::Infeasible, _) => {
                outcome.rule_out(least, now);
                if question.horizon.is_some() {
                    break Status::Infeasible;
                }
                now += horizon::STEP;
                if now > horizon_max {
                    break Status::Limit(Stop::Size);
                }
            }
            (_, Some(moves)) if outcome.lower_bound > Some(moves.len() as u32) => {
                return Err(SolveError::Contradicts {
                    solver: outcome.solver,
                    ruled_out: now - horizon::STEP,
                    found: moves.len(),
                });
            }
            (_, Some(moves)) => {
                let is_shortest = outcome.lower_bound == Some(moves.len() as u32);
                // The best solution of a model with room for more is a shortest one.
                let is_best = form == Form::Neos && status == HorizonStatus::Optimal;
                break if is_shortest || is_best {
                    outcome.lower_bound = Some(moves.len() as u32);
                    Status::Optimal(moves)
                } else {
                    Status::Found(moves)
                };
            }
            (_, None) => break Status::Limit(stop),
        }
    };
    outcome.elapsed = begun.elapsed();
    Ok(outcome)
}

impl Outcome {
    /// A horizon has no solution.
    fn rule_out(&mut self, least: u32, horizon: u32) {
        let bound = self.lower_bound.unwrap_or(least);
        let rules_out = match self.form {
            // All solutions of at most so many moves; the next of their parity has more.
            Form::Neos if horizon >= bound => {
                Some(horizon + 1 + u32::from(!(horizon + 1 - least).is_multiple_of(horizon::STEP)))
            }
            // Those of just so many.
            Form::Flow if horizon == bound => Some(horizon + horizon::STEP),
            _ => None,
        };
        self.lower_bound = Some(rules_out.unwrap_or(bound));
    }
}

/// One horizon: what came of it, the moves of its solution, and what stopped it otherwise. With the least
/// horizon there is, any solution is the best one.
fn one(
    encoded: &Encoded,
    solver: &dyn Solver,
    limits: Limits,
    is_least: bool,
    begun: Instant,
    watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<(Horizon, Option<Vec<Direction>>, Stop), SolveError> {
    let horizon = encoded.horizon();
    let model = &encoded.model;
    let (variables, rows) = (model.variables.len(), model.rows.len());
    let begins = watch(Event::Begins { horizon, variables, rows });
    let run = if begins.is_break() {
        Run { found: Found::Stopped(Stop::Watcher), progress: Progress::default() }
    } else {
        let mut tell = |progress: &Progress| {
            watch(Event::Progress { horizon, progress, elapsed: begun.elapsed() })
        };
        solver.solve(model, limits, &mut tell)?
    };
    let (status, moves, stop) = match run.found {
        Found::Infeasible => (HorizonStatus::Infeasible, None, Stop::Time),
        Found::Stopped(stop) => (HorizonStatus::Limit, None, stop),
        Found::Solution { values, is_optimal } => {
            let moves = encoded.moves_of(&values).map_err(|source| SolveError::NoSolution {
                solver: solver.name().to_owned(),
                source: Box::new(source),
            })?;
            let is_optimal = is_optimal || is_least;
            let status = if is_optimal { HorizonStatus::Optimal } else { HorizonStatus::Found };
            (status, Some(moves), Stop::Time)
        }
    };
    let ended = Horizon { horizon, status, variables, rows, progress: run.progress };
    // What is stopped here is seen by the next model, which then does not begin.
    let _ = watch(Event::Ends(&ended));
    Ok((ended, moves, stop))
}

#[cfg(test)]
mod tests {
    use pdb_core::notation::{parse_moves, read_board};

    use super::super::Watch;
    use super::*;
    use crate::Model;

    /// A solver that says what a test wants of a model.
    #[derive(Debug)]
    struct Fake(fn(&Model) -> Found);

    impl Solver for Fake {
        fn name(&self) -> &'static str {
            "fake"
        }

        fn solve(&self, model: &Model, _: Limits, _: &mut Watch<'_>) -> Result<Run, SolveError> {
            Ok(Run { found: (self.0)(model), progress: Progress::default() })
        }
    }

    /// A board that takes one move.
    fn board() -> (Board, Goal) {
        let board = read_board("1 2/0 3", None).expect("the test's own board");
        (board, Goal::blank_last(board.shape()))
    }

    fn ask(form: Form, horizon_max: u32, says: fn(&Model) -> Found) -> Result<Outcome, SolveError> {
        let (board, goal) = &board();
        let question = Question { board, goal, form, horizon: None, first: false, time: None };
        solve_up_to(horizon_max, question, &Fake(says), &mut |_| ControlFlow::Continue(()))
    }

    #[test]
    fn what_is_known_remains_when_the_next_model_would_be_too_large() {
        for form in Form::ALL {
            let outcome = ask(form, 6, |_| Found::Infeasible).expect("a limit");
            assert_eq!(outcome.status, Status::Limit(Stop::Size));
            let horizons: Vec<u32> = outcome.horizons.iter().map(|one| one.horizon).collect();
            assert_eq!(horizons, [1, 3, 5]);
            assert_eq!(outcome.lower_bound, Some(7));
        }
    }

    #[test]
    fn a_solver_that_finds_what_it_ruled_out_contradicts_itself() {
        let says = |model: &Model| {
            let (board, goal) = board();
            let encoded = encode(Form::Neos, &board, &goal, 3).expect("a small model");
            let moves = parse_moves("L", false).expect("the test's own move");
            let values = || encoded.values_of(&moves).expect("moves of the board");
            if *model == encoded.model {
                Found::Solution { values: values(), is_optimal: true }
            } else {
                Found::Infeasible
            }
        };
        let error = ask(Form::Neos, 9, says).expect_err("a lie");
        assert!(
            matches!(error, SolveError::Contradicts { ruled_out: 1, found: 1, .. }),
            "{error:?}"
        );
        let text = "it said that the horizon 1 has no solution, and found one of length 1;";
        assert!(error.to_string().contains(text), "{error}");
    }
}
