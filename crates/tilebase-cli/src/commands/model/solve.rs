//! `tilebase model --solve` and `--solution`: solves a board as an integer program, or replays the
//! solution that another program found, and compares with a search.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow};
use tilebase::names::GoalChoice;
use tilebase::{Board, Goal, KnownLength, Search, Tilebase};
use tilebase_model::solve::{
    self, MicroLp, Outcome, Question, SolutionFile, SolveError, SolveRecord, Solver, Status,
    StopReason,
};
use tilebase_model::{Form, ModelError, horizon};

use super::no_solution;
use crate::args::{self, Folder, MovesArg};
use crate::choices::ModelFormat as Format;
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{seconds, shown};
use crate::record;

/// Time limit of the search with which the answer is compared.
const SEARCH_TIME: Duration = Duration::from_mins(1);

/// Arguments of `tilebase model --solve`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = help::MODEL)]
pub(super) struct ModelSolveArgs {
    /// Solve the board instead of writing its model: the horizon grows until there is a solution,
    /// which proves that no solution is shorter
    #[arg(long = "solve", id = "solve", group = "answer")]
    is_asked: bool,
    /// Replay the solution that another solver has found for the model of this board: the file
    /// names variables and values, as cbc, glpsol, SCIP, Gurobi and others write them
    #[arg(long, value_name = "FILE", group = "answer")]
    solution: Option<PathBuf>,
    /// Stop at the first solution, without a proof that it is a shortest one; needs --horizon
    #[arg(long, requires = "solve")]
    first: bool,
    /// Time limit for all horizons together, such as 10m or 30s
    #[arg(long, value_name = "TIME", value_parser = args::time, requires = "solve")]
    time_limit: Option<Duration>,
    /// Do not compare the answer with a search
    #[arg(long, requires = "answer")]
    no_search: bool,
    #[command(flatten)]
    moves: MovesArg,
    #[command(flatten)]
    folder: Folder,
}

/// The problem to solve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem {
    pub(super) board: Board,
    pub(super) goal: Goal,
    pub(super) form: Form,
    pub(super) horizon: Option<u32>,
}

impl ModelSolveArgs {
    pub(super) fn is_asked(&self) -> bool {
        self.is_asked || self.solution.is_some()
    }

    pub(super) fn run(
        &self,
        mut problem: Problem,
        format: Option<Format>,
        console: &mut Console,
    ) -> anyhow::Result<Verdict> {
        let is_json = match format {
            None | Some(Format::Text) => false,
            Some(Format::Json) => true,
            Some(_) => {
                return Err(usage(
                    "--solve and --solution print an answer, not a model: expected --format text or json; \
                     omit them to write the model",
                ));
            }
        };
        let solver = self.solver()?;
        if self.solution.is_some() && problem.horizon.is_none() {
            // As in the file that was written without a horizon; the answer reports an unsolvable
            // board.
            problem.horizon = horizon::least(&problem.board, &problem.goal).ok();
        }
        let Problem { board, goal, form, horizon } = problem;
        if let Some(reason) = horizon.and_then(|given| no_solution(form, &board, &goal, given)) {
            if self.first && form == Form::Flow {
                return Err(usage(reason));
            }
            console.note(format_args!("note: {reason}"));
        }
        let question = Question {
            board: &problem.board,
            goal: &problem.goal,
            form: problem.form,
            horizon: problem.horizon,
            first: self.first,
            time: self.time_limit,
        };
        let outcome = interrupt::orderly(|| {
            let mut shown = console.progress.horizons();
            let outcome = solve::solve(question, &*solver, &mut |event| {
                shown.show(event);
                if interrupt::is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            outcome.map_err(|error| self.refusal(error))
        })?;
        let is_searched = !self.no_search && !interrupt::is_set();
        let optimum =
            if is_searched { interrupt::orderly(|| self.search(&outcome, console))? } else { None };
        let agrees = optimum.and_then(|optimum| agrees(&outcome, optimum));
        if is_json {
            let mut record = SolveRecord::new(&outcome, self.moves.style());
            record.agrees_with_search = agrees;
            record::write_json(console, &record)?;
        } else {
            self.write(console, &outcome, optimum, agrees)?;
        }
        let is_good = outcome.moves().is_some() && agrees != Some(false);
        Ok(Verdict::of(is_good))
    }

    /// Converts an error; errors that other arguments avoid are wrong usage.
    fn refusal(&self, error: SolveError) -> anyhow::Error {
        match error {
            SolveError::Solution { .. } | SolveError::NoSolution { .. }
                if self.solution.is_some() =>
            {
                anyhow!("{error}; choose --form and --horizon of the file that the solver has read")
            }
            SolveError::Model(ModelError::Unsolvable(_)) => error.into(),
            SolveError::NoHorizon | SolveError::Model(_) => usage(error),
            error => error.into(),
        }
    }

    fn solver(&self) -> anyhow::Result<Box<dyn Solver>> {
        let Some(path) = &self.solution else { return Ok(Box::new(MicroLp)) };
        let text = interrupt::waiting(|| fs::read(path))
            .with_context(|| format!("cannot read {}", shown(path)))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        Ok(Box::new(SolutionFile::new(shown(path), text)))
    }

    /// Returns the optimum, if a search proves it in time.
    fn search(&self, outcome: &Outcome, console: &Console) -> anyhow::Result<Option<u32>> {
        if matches!(outcome.status, Status::Unsolvable(_)) {
            return Ok(None);
        }
        let time = self.time_limit.unwrap_or(SEARCH_TIME).min(SEARCH_TIME);
        let search = Search { time: Some(time), cancel: interrupt::cancel(), ..Search::default() };
        // Builds nothing: a search without tables solves all boards that a solver can.
        let tables = Tilebase::builder()
            .goal(GoalChoice::Drawn(outcome.goal))
            .folder(&self.folder.path()?)
            .search(search)
            .lazy_open()?;
        let answer = console.progress.slowly("searching", || tables.solve(outcome.board))?;
        Ok(match answer.status {
            tilebase::Status::Optimal { ref moves } => Some(moves.len() as u32),
            _ => None,
        })
    }

    fn write(
        &self,
        output: &mut impl Write,
        outcome: &Outcome,
        optimum: Option<u32>,
        agrees: Option<bool>,
    ) -> std::io::Result<()> {
        let record = SolveRecord::new(outcome, self.moves.style());
        let solver = &outcome.solver;
        let bound = outcome.lower_bound.unwrap_or_default();
        let time = seconds(outcome.elapsed.as_secs_f64());
        match &outcome.status {
            Status::Optimal(moves) | Status::Found(moves) => {
                let length = record::moves(moves.len());
                let letters = record.moves.unwrap_or_default();
                let colon = if letters.is_empty() { "" } else { ": " };
                writeln!(output, "{length}{colon}{letters}")?;
                writeln!(output, "{}", proof(outcome, moves.len() as u32, bound))?;
            }
            Status::Infeasible => {
                let horizon = outcome.horizons.first().map_or(0, |one| one.horizon);
                let moves = record::moves(horizon as usize);
                let none = match outcome.form {
                    Form::Flow => format!("no solution has exactly {moves} and never turns back"),
                    Form::Neos => format!("no solution has {moves} or fewer"),
                };
                writeln!(output, "infeasible: {solver} has proved that {none}")?;
            }
            Status::Limit(stop) => {
                let by = match stop {
                    StopReason::Time => "time limit",
                    StopReason::Watcher => "interrupt",
                    StopReason::Size => "size of the next model",
                };
                writeln!(output, "limit: stopped by the {by}, {}", needed(bound))?;
            }
            Status::Unsolvable(reason) => {
                writeln!(output, "{}", record::unsolvable(&outcome.board, *reason))?;
                return Ok(());
            }
        }
        writeln!(output, "solver {solver}, form {}, {time}", outcome.form)?;
        match (optimum, agrees) {
            (Some(optimum), Some(false)) => {
                let optimum = record::moves(optimum as usize);
                writeln!(
                    output,
                    "search: the optimum is {optimum}: {solver} or the search is wrong"
                )
            }
            (Some(optimum), _) => {
                let optimum = record::moves(optimum as usize);
                let agrees = if agrees.is_some() { ", which agrees" } else { "" };
                writeln!(output, "search: the optimum is {optimum}{agrees}")
            }
            (None, _) => Ok(()),
        }
    }
}

/// Returns a text such as "at least 1 move is needed".
fn needed(lower_bound: u32) -> String {
    KnownLength { lower_bound, ..KnownLength::default() }.to_string()
}

/// Returns a sentence about the proof that a length is the optimum.
fn proof(outcome: &Outcome, length: u32, bound: u32) -> String {
    if !outcome.is_proved() {
        return format!("found, not proved: {}", needed(bound));
    }
    let is_least = horizon::least(&outcome.board, &outcome.goal) == Ok(length);
    let no_solution: Vec<u32> = outcome
        .horizons
        .iter()
        .filter(|one| one.status == solve::HorizonStatus::Infeasible)
        .map(|one| one.horizon)
        .collect();
    match no_solution[..] {
        [] if is_least => {
            "optimal: no solution has fewer moves than the Manhattan distance".to_owned()
        }
        [] => "optimal: the solver has proved that no solution has fewer moves".to_owned(),
        [one] => {
            let moves = record::moves(one as usize);
            format!("optimal: no solution has {moves}, and none has fewer")
        }
        [first, .., last] => {
            format!("optimal: no solution has {first} to {last} moves, and none has fewer")
        }
    }
}

/// Returns whether an answer agrees with the optimum; `None` if it says nothing about it.
fn agrees(outcome: &Outcome, optimum: u32) -> Option<bool> {
    let bound = outcome.lower_bound?;
    match &outcome.status {
        Status::Optimal(moves) => Some(moves.len() as u32 == optimum),
        Status::Found(moves) => Some((bound..=moves.len() as u32).contains(&optimum)),
        Status::Infeasible if outcome.form == Form::Flow => {
            // A longer solution of exactly this length may not exist.
            let horizon = outcome.horizons.first()?.horizon;
            let may_suffice = horizon::may_suffice(&outcome.board, &outcome.goal, horizon);
            (optimum >= horizon || may_suffice == Ok(false)).then_some(optimum != horizon)
        }
        Status::Infeasible | Status::Limit(_) => Some(optimum >= bound),
        Status::Unsolvable(_) => None,
    }
}
