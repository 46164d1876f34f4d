//! A run of a program: it gets a model, and its answer is read and checked.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use super::super::{Run, RunResult, SolveError, SolverLimits, StopReason, Watch, check};
use super::group;
use super::highs::FIRST;
use super::log::{LOG_BYTES_MAX, Log};
use super::process::Process;
use super::program::{LogState, ProgramInput, SOLUTION, SolutionFile, SolverProgram};
use super::solution::{ReportedSolution, SolutionReader, SolverVerdict};
use crate::Model;

/// Longest time between two checks of a program.
const TICK_MAX: Duration = Duration::from_millis(50);
const TICK_MIN: Duration = Duration::from_millis(1);
/// Time after the limit before a program is killed. Some programs rarely check the time, and all of
/// them write their solution after the limit.
const GRACE: Duration = Duration::from_secs(3);
/// Longest line of a solution file. Each line has one row or variable.
const SOLUTION_LINE_BYTES_MAX: u64 = 400;
/// Solvers satisfy bounds to within this.
const BOUND_TOLERANCE: f64 = 1e-6;

pub(super) fn run(
    kind: &'static SolverProgram,
    program: &Path,
    options: &[String],
    model: &Model,
    limits: SolverLimits,
    watch: &mut Watch<'_>,
) -> Result<Run, SolveError> {
    let started = Instant::now();
    let solver = kind.name;
    let problem = |doing| SolveError::folder(solver, doing);
    let folder = tempfile::Builder::new().prefix("tilebase-model-").tempdir();
    let folder = folder.map_err(problem("making it"))?;
    let write = |name: &str, text: &str| -> io::Result<()> {
        let path = folder.path().join(name);
        File::options().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
    };
    write(kind.model_file, &(kind.write)(model)).map_err(problem("writing the model"))?;
    write(FIRST.0, FIRST.1).map_err(problem("writing options"))?;
    let (mut log, output) =
        Log::create(&folder.path().join("log"), kind).map_err(problem("writing the log"))?;
    let job = ProgramInput { model: kind.model_file, limits, options };
    let mut process = Process::start(kind, program, folder.path(), &job, output)?;
    let end = wait(&mut process, solver, limits, started, &mut log, watch)?;
    log.state.progress.elapsed = started.elapsed();
    let mut progress = log.state.progress;
    let result = match end {
        Err(reason) => RunResult::Stopped(reason),
        Ok(status) if !status.success() => {
            let (status, log) = (status.to_string(), log.quote());
            return Err(SolveError::Failed { solver, status, log });
        }
        Ok(_) => {
            let answer = read_answer(kind, folder.path(), model, &log)?;
            result(kind, answer, log.state, model)?.within(limits, progress.elapsed)
        }
    };
    if let (RunResult::Solution { is_optimal: true, .. }, Some(best)) = (&result, progress.best) {
        // Some programs do not report the final bound.
        (progress.bound, progress.gap) = (Some(best), Some(0.0));
    }
    Ok(Run { result, progress: progress.with_gap() })
}

/// Waits until the program ends and returns its exit status, or the reason why it was killed.
fn wait(
    process: &mut Process,
    solver: &'static str,
    limits: SolverLimits,
    started: Instant,
    log: &mut Log,
    watch: &mut Watch<'_>,
) -> Result<Result<ExitStatus, StopReason>, SolveError> {
    let problem = || SolveError::folder(solver, "waiting for the program");
    let mut tick = TICK_MIN;
    loop {
        let has_ended = process.has_ended().map_err(problem())?;
        log.read().map_err(SolveError::folder(solver, "reading the log"))?;
        if log.bytes > LOG_BYTES_MAX {
            let limit_bytes = LOG_BYTES_MAX;
            return Err(SolveError::TooMuch { solver, what: "a log", limit_bytes });
        }
        if has_ended {
            return Ok(Ok(process.end().map_err(problem())?));
        }
        log.state.progress.elapsed = started.elapsed();
        let is_stopped = watch(&log.state.progress.with_gap()).is_break();
        let is_late = limits.time.is_some_and(|time| started.elapsed() > time + GRACE);
        if is_stopped || is_late {
            process.end().map_err(problem())?;
            return Ok(Err(if is_stopped { StopReason::Watcher } else { StopReason::Time }));
        }
        thread::sleep(tick);
        tick = (tick * 2).min(TICK_MAX);
    }
}

/// Reads the solution file; returns `None` if there is none and the log explains why.
fn read_answer(
    kind: &'static SolverProgram,
    folder: &Path,
    model: &Model,
    log: &Log,
) -> Result<Option<ReportedSolution>, SolveError> {
    let solver = kind.name;
    let row_count = model.rows.len() + model.variables.len() + 100;
    let limit_bytes = SOLUTION_LINE_BYTES_MAX * row_count as u64;
    let problem = || SolveError::folder(solver, "reading the solution file");
    let file = match group::open_without_waiting(&folder.join(SOLUTION)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let is_values = kind.solution_file == SolutionFile::Values;
            return match log.state.verdict {
                Some(verdict) if is_values && !verdict.has_solution() => Ok(None),
                _ => Err(SolveError::NoAnswer { solver, log: log.quote() }),
            };
        }
        Err(error) => return Err(problem()(error)),
    };
    let metadata = file.metadata().map_err(problem())?;
    if !metadata.is_file() {
        let (expected, found) = ("a file".to_owned(), "something else".to_owned());
        return Err(SolveError::Solution { solver, line: 1, expected, found });
    }
    if metadata.len() > limit_bytes {
        return Err(SolveError::TooMuch { solver, what: "a solution file", limit_bytes });
    }
    let mut bytes = Vec::new();
    file.take(limit_bytes).read_to_end(&mut bytes).map_err(problem())?;
    let text = String::from_utf8_lossy(&bytes);
    (kind.read)(SolutionReader::new(solver, &text, model)).map(Some)
}

/// Compares the log with the solution file, and checks the values against the model.
pub(super) fn result(
    kind: &'static SolverProgram,
    answer: Option<ReportedSolution>,
    state: LogState,
    model: &Model,
) -> Result<RunResult, SolveError> {
    let (verdict, values) = match answer {
        Some(answer) => (Some(agreed(kind, state.verdict, answer.verdict)?), answer.values),
        None => (state.verdict, None),
    };
    let Some(values) = values else {
        return Ok(match verdict {
            Some(SolverVerdict::Infeasible) => RunResult::Infeasible,
            _ => RunResult::Stopped(StopReason::Solver),
        });
    };
    // Objectives are whole numbers, so no objective lies between a bound and the next whole number.
    let objective = model.objective_of(&values) as f64;
    let bound = state.progress.bound;
    let is_bound_met = bound.is_none_or(|bound| bound + 1.0 - BOUND_TOLERANCE > objective);
    let is_optimal = verdict == Some(SolverVerdict::Optimal) && is_bound_met;
    check::solution(kind.name, model, values, is_optimal)
}

/// Returns the verdict that log and solution file agree on: the weaker of the two.
fn agreed(
    kind: &'static SolverProgram,
    log: Option<SolverVerdict>,
    file: SolverVerdict,
) -> Result<SolverVerdict, SolveError> {
    use SolverVerdict::{Feasible, Infeasible, Optimal, Stopped};
    match (log, file, kind.solution_file) {
        (Some(log), _, _) if log == file => Ok(file),
        // Only the log has the status.
        (Some(log), Feasible, SolutionFile::Values) if log.has_solution() => Ok(log),
        (Some(Infeasible), Stopped, SolutionFile::NotInfeasible) => Ok(Infeasible),
        (Some(Feasible), Optimal, _) | (Some(Optimal | Stopped) | None, Feasible, _) => {
            Ok(Feasible)
        }
        (None, Stopped, _) => Ok(Stopped),
        _ => Err(SolveError::Contradiction {
            solver: kind.name.to_owned(),
            first: format!("its log says {}", log.map_or("nothing of an end", SolverVerdict::text)),
            second: format!("its solution file {}", file.text()),
        }),
    }
}
