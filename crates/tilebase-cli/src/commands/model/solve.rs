//! `tilebase model --solve`: a solver of integer programs answers, and a search is held against it.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use pdb_model::solve::{
    self, External, Outcome, Question, SolveError, SolveRecord, Solver, Status, Stop,
};
use pdb_model::{Form, ModelError, horizon};
use tilebase::{Board, Goal, GoalChoice, Search, Tilebase, goals_of};

use super::{Format, has_no_solution, lengths};
use crate::args::{self, MovesArg};
use crate::failure::{Verdict, usage};
use crate::folder::Folder;
use crate::help;
use crate::interrupt;
use crate::output::{Output, seconds};
use crate::progress::Progress;
use crate::record;

/// A search that takes longer, or longer than the solver may, says nothing about the solver.
const SEARCH_TIME: Duration = Duration::from_mins(1);

/// Not a comment of the argument, which would have to set names apart that readers type as they are.
const SOLVER_HELP: &str = "The solver: microlp, which is compiled in; or a program: cbc, glpsol, highs, scip, \
                           gurobi_cl; or NAME=PATH for one that is elsewhere";

/// Arguments of `tilebase model --solve`.
#[derive(Debug, clap::Args)]
pub(super) struct Solve {
    /// Solve the board instead of writing its model: horizons are raised until one has a solution, and that
    /// those before it have none is the proof
    #[arg(long = "solve", id = "solve", help_heading = help::MODEL)]
    is_asked: bool,
    #[arg(long, value_name = "NAME|PATH", default_value = solve::DEFAULT, requires = "solve",
        help_heading = help::MODEL, help = SOLVER_HELP)]
    solver: String,
    /// A word more for the command line of the solver, such as --solver-option=--cuts for glpsol
    #[arg(long, value_name = "WORD", requires = "solve", allow_hyphen_values = true,
        help_heading = help::MODEL)]
    solver_option: Vec<String>,
    /// Take the first solution that is found, proved to be a shortest one or not; needs --horizon
    #[arg(long, requires = "solve", help_heading = help::MODEL)]
    first: bool,
    /// Longest time for all horizons together, such as 10m or 30s
    #[arg(long, value_name = "TIME", value_parser = args::duration, requires = "solve",
        help_heading = help::MODEL)]
    time_limit: Option<Duration>,
    /// Do not hold the answer against a search
    #[arg(long, requires = "solve", help_heading = help::MODEL)]
    no_search: bool,
    #[command(flatten)]
    moves: MovesArg,
    #[command(flatten)]
    folder: Folder,
}

/// What is solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) board: Board,
    pub(super) goal: Goal,
    pub(super) form: Form,
    pub(super) horizon: Option<u32>,
    pub(super) format: Option<Format>,
}

impl Solve {
    pub(super) fn is_asked(&self) -> bool {
        self.is_asked
    }

    pub(super) fn run(
        &self,
        asked: Asked,
        output: &mut Output,
        progress: Progress,
    ) -> anyhow::Result<Verdict> {
        let is_json = match asked.format {
            None | Some(Format::Text) => false,
            Some(Format::Json) => true,
            Some(_) => {
                return Err(usage(
                    "--solve gives an answer, not a file: expected --format text or json; leave --solve away \
                     to write the model",
                ));
            }
        };
        let solver = self.solver()?;
        self.check_horizon(asked, progress)?;
        let question = Question {
            board: &asked.board,
            goal: &asked.goal,
            form: asked.form,
            horizon: asked.horizon,
            first: self.first,
            time: self.time_limit,
        };
        let outcome = interrupt::orderly(|| {
            let mut shown = progress.horizons();
            let outcome = solve::solve(question, &*solver, &mut |event| {
                shown.show(event);
                if interrupt::is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            outcome.map_err(refusal)
        })?;
        let is_searched = !self.no_search && !interrupt::is_set();
        let optimum = if is_searched {
            interrupt::orderly(|| self.search(&outcome, progress))?
        } else {
            None
        };
        let agrees = optimum.and_then(|optimum| agrees(&outcome, optimum));
        if is_json {
            let mut record = SolveRecord::new(&outcome, self.moves.style());
            record.agrees_with_search = agrees;
            record::write_json(output, &record)?;
        } else {
            self.write(output, &outcome, optimum, agrees)?;
        }
        let is_good = outcome.moves().is_some() && agrees != Some(false);
        Ok(Verdict::of(is_good))
    }

    /// Says that a horizon cannot have a solution before a solver takes its time to find out.
    fn check_horizon(&self, asked: Asked, progress: Progress) -> anyhow::Result<()> {
        let Asked { board, goal, form, .. } = asked;
        // What is wrong with a board, the answer says.
        let Ok(least) = horizon::least(&board, &goal) else { return Ok(()) };
        let lengths = lengths(least);
        match asked.horizon {
            None if self.first => Err(usage(format_args!(
                "--first takes any solution of one horizon: name the moves that there is room for with \
                 --horizon; {lengths}"
            ))),
            Some(horizon) if has_no_solution(form, &board, &goal, horizon) == Ok(true) => {
                if self.first && form == Form::Flow {
                    return Err(usage(format_args!(
                        "{lengths}: expected such a number after --horizon, found {horizon}; or take --form \
                         neos, which has room for at most so many"
                    )));
                }
                progress.note(format_args!("note: this model has no solution: {lengths}"));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn solver(&self) -> anyhow::Result<Box<dyn Solver>> {
        if self.solver_option.is_empty() {
            return solve::solver(&self.solver).map_err(refusal);
        }
        match External::named(&self.solver) {
            Some(external) => Ok(Box::new(external.with_options(self.solver_option.clone()))),
            // What is wrong with the name, if something is.
            None => Err(solve::solver(&self.solver).map_or_else(refusal, |solver| {
                usage(format_args!(
                    "{} has no command line: --solver-option is for programs, leave it away",
                    solver.name()
                ))
            })),
        }
    }

    /// The optimum, if a search proves one in time.
    fn search(&self, outcome: &Outcome, progress: Progress) -> anyhow::Result<Option<u32>> {
        if matches!(outcome.status, Status::Unsolvable(_)) {
            return Ok(None);
        }
        let time = self.time_limit.unwrap_or(SEARCH_TIME).min(SEARCH_TIME);
        let search = Search { time: Some(time), cancel: interrupt::cancel(), ..Search::default() };
        // Nothing is built: what a solver can do, a search without tables does in no time.
        let tables = Tilebase::builder()
            .goal(GoalChoice::Drawn(outcome.goal))
            .folder(&self.folder.path()?)
            .search(search)
            .lazy_open()?;
        let answer = progress.slowly("searching", || tables.solve(outcome.board))?;
        Ok(match answer.status {
            tilebase::Status::Optimal { ref moves } => Some(moves.len() as u32),
            _ => None,
        })
    }

    fn write(
        &self,
        output: &mut Output,
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
                    Stop::Time => "time limit",
                    Stop::Watcher => "interrupt",
                    Stop::Solver => "solver itself",
                    Stop::Size => "size of the next model",
                };
                writeln!(output, "limit: stopped by the {by}, {}", needed(bound))?;
            }
            Status::Unsolvable(reason) => {
                let with = record::solvable_with(Some(&goals_of(&outcome.board)));
                writeln!(output, "unsolvable: {reason}{with}")?;
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

/// "at least 1 move is needed".
fn needed(bound: u32) -> String {
    let are = if bound == 1 { "is" } else { "are" };
    format!("at least {} {are} needed", record::moves(bound as usize))
}

/// What is proved of so many moves.
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

/// Whether an answer goes with the optimum; nothing where it says nothing about it.
fn agrees(outcome: &Outcome, optimum: u32) -> Option<bool> {
    let bound = outcome.lower_bound?;
    match &outcome.status {
        Status::Optimal(moves) => Some(moves.len() as u32 == optimum),
        Status::Found(moves) => Some((bound..=moves.len() as u32).contains(&optimum)),
        Status::Infeasible if outcome.form == Form::Flow => {
            // Longer solutions of just so many moves may not exist.
            let horizon = outcome.horizons.first()?.horizon;
            let may_suffice = horizon::may_suffice(&outcome.board, &outcome.goal, horizon);
            (optimum >= horizon || may_suffice == Ok(false)).then_some(optimum != horizon)
        }
        Status::Infeasible | Status::Limit(_) => Some(optimum >= bound),
        Status::Unsolvable(_) => None,
    }
}

/// What the command line could have said better is wrong usage.
fn refusal(error: SolveError) -> anyhow::Error {
    match error {
        SolveError::Model(ModelError::Unsolvable(_)) => error.into(),
        SolveError::Unknown { .. }
        | SolveError::NotBuilt { .. }
        | SolveError::NoHorizon
        | SolveError::Model(_) => usage(error),
        error => error.into(),
    }
}
