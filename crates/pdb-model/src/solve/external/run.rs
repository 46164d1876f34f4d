//! Runs a program on a model and takes its answer.

use std::env;
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf, absolute};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use pdb_core::notation::printable_text;
use rustix::fs::{Access, OFlags, access};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tempfile::TempDir;

use super::super::{Found, Limits, Run, SolveError, Stop, Watch};
use super::highs::FIRST;
use super::program::{Job, Program, Said, SolutionFile, Verdict};
use super::values::Answer;
use crate::Model;

const SOLUTION: &str = "solution";
const LOG: &str = "log";
/// How long it is at most between two looks at a program.
const TICK_MAX: Duration = Duration::from_millis(50);
const TICK_MIN: Duration = Duration::from_millis(1);
/// Some programs look at their clock rarely; and all of them write their solution after the limit.
const GRACE: Duration = Duration::from_secs(3);
const LOG_BYTES_MAX: u64 = 32 << 20;
const LOG_CHUNK_BYTES: usize = 64 << 10;
/// A line of a solution file is no longer than this, and has one row or variable.
const SOLUTION_LINE_BYTES: u64 = 400;
/// So many of the first lines of a log go into an error, and as many of the last ones.
const SAID_LINES: usize = 3;
/// So much of each of them.
const SAID_CHARS: usize = 300;
/// Solvers keep their bounds to within this.
const BOUND_TOLERANCE: f64 = 1e-6;
/// Where the system looks for programs if it was not told.
const USUAL_PATH: &str = "/bin:/usr/bin";

/// How a program ended.
enum End {
    By(ExitStatus),
    Killed(Stop),
}

pub(super) fn run(
    kind: &'static Program,
    program: &Path,
    options: &[String],
    model: &Model,
    limits: Limits,
    watch: &mut Watch<'_>,
) -> Result<Run, SolveError> {
    let begun = Instant::now();
    let solver = kind.name;
    let problem = |doing| move |source| SolveError::Folder { solver, doing, source };
    let folder = tempfile::Builder::new().prefix("tilebase-model-").tempdir();
    let folder = folder.map_err(problem("making it"))?;
    let write = |name: &str, text: &str| -> io::Result<()> {
        let path = folder.path().join(name);
        File::options().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
    };
    write(kind.model_file, &(kind.write)(model)).map_err(problem("writing the model"))?;
    write(FIRST.0, FIRST.1).map_err(problem("writing options"))?;
    let job = Job { model: kind.model_file, solution: SOLUTION, limits, options };
    let mut running = Running::begin(kind, program, &folder, &job)?;
    let mut log = Log::open(&folder, kind).map_err(problem("reading the log"))?;
    let end = wait(&mut running, kind, limits, begun, &mut log, watch)?;
    log.said.progress.elapsed = begun.elapsed();
    let mut progress = log.said.progress;
    let found = match end {
        End::Killed(stop) => Found::Stopped(stop),
        End::By(status) if !status.success() => {
            let said = log.said();
            return Err(SolveError::Failed { solver, status: status.to_string(), said });
        }
        End::By(_) => {
            let answer = answer(kind, &folder, model, &log)?;
            found(kind, answer, log.said, model)?.within(limits, progress.elapsed)
        }
    };
    if let (Found::Solution { is_optimal: true, .. }, Some(best)) = (&found, progress.best) {
        // Some do not tell it again at the end.
        (progress.bound, progress.gap) = (Some(best), Some(0.0));
    }
    Ok(Run { found, progress: progress.with_gap() })
}

/// A program at work. All that it started ends with it, however it ends.
struct Running {
    child: Child,
    /// How it ended. Once this is known, its number may be another's.
    status: Option<ExitStatus>,
}

impl Running {
    fn begin(
        kind: &'static Program,
        program: &Path,
        folder: &TempDir,
        job: &Job<'_>,
    ) -> Result<Self, SolveError> {
        let solver = kind.name;
        let problem = |source| SolveError::Folder { solver, doing: "writing the log", source };
        let log = File::options().append(true).create_new(true).open(folder.path().join(LOG));
        let log = log.map_err(problem)?;
        let errors = log.try_clone().map_err(problem)?;
        let missing =
            || SolveError::Missing { solver, program: program.to_owned(), install: kind.install };
        let path = path_of(program).ok_or_else(missing)?;
        let child = Command::new(&path)
            .args((kind.arguments)(job))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors)
            .process_group(0)
            .spawn();
        let child = child.map_err(|source| match source.kind() {
            io::ErrorKind::NotFound if !path.exists() => missing(),
            _ => SolveError::NotRun { solver, program: path, source },
        })?;
        Ok(Self { child, status: None })
    }

    /// Whether it has ended. Its number remains its own, and so does that of its group.
    fn has_ended(&self) -> io::Result<bool> {
        let pid = WaitId::Pid(Pid::from_child(&self.child));
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(pid, options)?.is_some())
    }

    /// Ends it, if it has not ended, and what it started. How it ended.
    fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.kill();
        let status = self.child.wait()?;
        self.status = Some(status);
        Ok(status)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Where a program is: a path is of the folder that we are in, and so are relative folders that the system
/// looks for programs in, but the program runs in another folder.
fn path_of(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return absolute(program).ok();
    }
    let folders = env::var_os("PATH").unwrap_or_else(|| USUAL_PATH.into());
    env::split_paths(&folders)
        .filter_map(|folder| absolute(folder.join(program)).ok())
        .find(|path| path.is_file() && access(path, Access::EXEC_OK).is_ok())
}

/// Looks at the program until it ends, or has to.
fn wait(
    running: &mut Running,
    kind: &'static Program,
    limits: Limits,
    begun: Instant,
    log: &mut Log,
    watch: &mut Watch<'_>,
) -> Result<End, SolveError> {
    let solver = kind.name;
    let problem = |source| SolveError::Folder { solver, doing: "waiting for the program", source };
    let mut tick = TICK_MIN;
    loop {
        let has_ended = running.has_ended().map_err(problem)?;
        log.read().map_err(|source| SolveError::Folder {
            solver,
            doing: "reading the log",
            source,
        })?;
        if log.bytes > LOG_BYTES_MAX {
            let limit_bytes = LOG_BYTES_MAX;
            return Err(SolveError::TooMuch { solver, what: "a log", limit_bytes });
        }
        if has_ended {
            return Ok(End::By(running.end().map_err(problem)?));
        }
        log.said.progress.elapsed = begun.elapsed();
        let stop = if watch(&log.said.progress.with_gap()).is_break() {
            Some(Stop::Watcher)
        } else {
            let is_late = limits.time.is_some_and(|time| begun.elapsed() > time + GRACE);
            is_late.then_some(Stop::Time)
        };
        if let Some(stop) = stop {
            running.end().map_err(problem)?;
            return Ok(End::Killed(stop));
        }
        thread::sleep(tick);
        tick = (tick * 2).min(TICK_MAX);
    }
}

/// What the solution file says; nothing if there is none.
fn answer(
    kind: &'static Program,
    folder: &TempDir,
    model: &Model,
    log: &Log,
) -> Result<Option<Answer>, SolveError> {
    let solver = kind.name;
    let path = folder.path().join(SOLUTION);
    let limit_bytes = SOLUTION_LINE_BYTES * (model.rows.len() + model.variables.len() + 100) as u64;
    let problem =
        |source| SolveError::Folder { solver, doing: "reading the solution file", source };
    // To open a pipe may take for ever, and so may reading it.
    let flags = OFlags::NONBLOCK.bits() as i32;
    let file = match File::options().read(true).custom_flags(flags).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let is_values = kind.solution_file == SolutionFile::Values;
            return match log.said.verdict {
                Some(verdict) if is_values && !verdict.has_solution() => Ok(None),
                _ => Err(SolveError::NoAnswer { solver, said: log.said() }),
            };
        }
        Err(error) => return Err(problem(error)),
    };
    let metadata = file.metadata().map_err(problem)?;
    if !metadata.is_file() {
        let (expected, found) = ("a file".to_owned(), "something else".to_owned());
        return Err(SolveError::Solution { solver, line: 1, expected, found });
    }
    if metadata.len() > limit_bytes {
        return Err(SolveError::TooMuch { solver, what: "a solution file", limit_bytes });
    }
    let mut bytes = Vec::new();
    file.take(limit_bytes).read_to_end(&mut bytes).map_err(problem)?;
    let text = String::from_utf8_lossy(&bytes);
    (kind.read)(&text, model).map(Some).map_err(|mistake| mistake.error(solver))
}

/// Holds log and file against each other, and the values against the model.
pub(super) fn found(
    kind: &'static Program,
    answer: Option<Answer>,
    said: Said,
    model: &Model,
) -> Result<Found, SolveError> {
    let solver = kind.name;
    let without_values = |verdict| match verdict {
        Some(Verdict::Infeasible) => Found::Infeasible,
        _ => Found::Stopped(Stop::Solver),
    };
    let Some(answer) = answer else {
        return Ok(without_values(said.verdict));
    };
    let verdict = agreed(kind, said.verdict, answer.verdict)?;
    let Some(values) = answer.values else {
        return Ok(without_values(Some(verdict)));
    };
    let checked = model.check(&values);
    checked.map_err(|source| SolveError::NoSolution {
        solver: solver.to_owned(),
        source: Box::new(source),
    })?;
    // Objectives are whole numbers, so that nothing is between a bound and the next of them.
    let objective = model.objective_of(&values) as f64;
    let is_bound_met =
        said.progress.bound.is_none_or(|bound| bound + 1.0 - BOUND_TOLERANCE > objective);
    let is_optimal = model.objective.is_empty() || (verdict == Verdict::Optimal && is_bound_met);
    Ok(Found::Solution { values, is_optimal })
}

/// What log and solution file say both.
fn agreed(
    kind: &'static Program,
    log: Option<Verdict>,
    file: Verdict,
) -> Result<Verdict, SolveError> {
    use Verdict::{Feasible, Infeasible, Optimal, Stopped};
    match (log, file, kind.solution_file) {
        (Some(log), _, _) if log == file => Ok(file),
        // The log alone knows.
        (Some(log), Feasible, SolutionFile::Values) if log.has_solution() => Ok(log),
        (Some(Infeasible), Stopped, SolutionFile::NotInfeasible) => Ok(Infeasible),
        // What one of them says less than the other is not believed.
        (Some(Feasible), Optimal, _) | (Some(Optimal | Stopped) | None, Feasible, _) => {
            Ok(Feasible)
        }
        (None, Stopped, _) => Ok(Stopped),
        _ => Err(SolveError::Contradiction {
            solver: kind.name,
            log: log.map_or("nothing of an end", Verdict::text),
            file: file.text(),
        }),
    }
}

/// The log that the solver writes which is compiled in.
#[cfg(feature = "highs")]
pub(in super::super) struct HighsLog {
    folder: TempDir,
    log: Log,
}

#[cfg(feature = "highs")]
impl HighsLog {
    pub(in super::super) fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("tilebase-model-").tempdir()?;
        File::options().write(true).create_new(true).open(folder.path().join(LOG))?;
        let log = Log::open(&folder, &super::highs::PROGRAM)?;
        Ok(Self { folder, log })
    }

    pub(in super::super) fn path(&self) -> PathBuf {
        self.folder.path().join(LOG)
    }

    /// What it told last.
    pub(in super::super) fn progress(&mut self) -> io::Result<super::super::Progress> {
        self.log.read()?;
        Ok(self.log.said.progress.with_gap())
    }
}

/// The log of a program, read as it grows.
struct Log {
    file: File,
    kind: &'static Program,
    said: Said,
    bytes: u64,
    /// What has no end of line yet.
    rest: Vec<u8>,
    /// The first and the last lines that were not empty.
    lines: Vec<String>,
    /// Whether there were lines between them.
    is_shortened: bool,
}

impl Log {
    fn open(folder: &TempDir, kind: &'static Program) -> io::Result<Self> {
        let file = File::open(folder.path().join(LOG))?;
        Ok(Self {
            file,
            kind,
            said: Said::default(),
            bytes: 0,
            rest: Vec::new(),
            lines: Vec::new(),
            is_shortened: false,
        })
    }

    /// Reads what is new.
    fn read(&mut self) -> io::Result<()> {
        let mut chunk = vec![0; LOG_CHUNK_BYTES];
        while self.bytes <= LOG_BYTES_MAX {
            let count = match self.file.read(&mut chunk)? {
                0 => break,
                count => count,
            };
            self.bytes += count as u64;
            for part in chunk[..count].split_inclusive(|&byte| byte == b'\n') {
                // Nothing of interest is in a line without end.
                if self.rest.len() < LOG_CHUNK_BYTES {
                    self.rest.extend(part);
                }
                if part.ends_with(b"\n") {
                    let line = mem::take(&mut self.rest);
                    self.line(&String::from_utf8_lossy(&line));
                }
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str) {
        let line = line.trim_end();
        (self.kind.line)(line, &mut self.said);
        if !line.is_empty() {
            if self.lines.len() == 2 * SAID_LINES {
                self.lines.remove(SAID_LINES);
                self.is_shortened = true;
            }
            self.lines.push(line.chars().take(SAID_CHARS).collect());
        }
    }

    /// The first and the last that it said, for an error.
    fn said(&self) -> String {
        let (first, last) = self.lines.split_at(self.lines.len().min(SAID_LINES));
        let between = self.is_shortened.then(|| "..".to_owned());
        let rest = String::from_utf8_lossy(&self.rest).trim().chars().take(SAID_CHARS).collect();
        let lines = first.iter().cloned().chain(between).chain(last.iter().cloned()).chain([rest]);
        let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" / ");
        // It may be anything, and goes to a terminal.
        if text.is_empty() { text } else { format!("; it printed: {}", printable_text(&text)) }
    }
}
