//! Tables that are open, and what is asked of them.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{mem, process};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyDict};
use serde::Serialize;
use tilebase::pdb_lab::{Engine, SearchName};
use tilebase::pdb_search::SearchError;
use tilebase::{
    Answer, Builder, Bytes, Cancel, CheckRecord, Error, GoalChoice, LimitKind, Memory, Mode,
    MoveStyle, MovesRecord, Record, Residence, Search, Solutions, SolutionsRecord, SpecChoice,
    Status, Tilebase, WrittenMoves, confirm, core_count, letters,
};

use crate::arrays::{Cells, bytes_of};
use crate::board::{Board, Goal, GoalLike, Shape, ShapeLike};
use crate::errors::{self, Kind, raise};
use crate::files::{self, Told};
use crate::spec::Spec;
use crate::wait::{self, Teller};

/// Time limit of a search on the calling thread, which does not check for signals. A search that
/// takes longer begins again on a worker, where the time spent here hardly matters.
const SHORT: Duration = Duration::from_millis(1);

/// Most boards that are estimated on the calling thread, which takes about a millisecond.
const FEW_BOARDS: usize = 64;

/// A spec by its name, or one that was read before.
#[derive(Debug)]
pub(crate) enum SpecLike {
    Read(Py<Spec>),
    Name(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for SpecLike {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<Spec>() {
            Ok(spec) => Ok(Self::Read(spec.to_owned().unbind())),
            Err(_) => object.extract().map(Self::Name),
        }
    }
}

/// How boards are searched, as Python says it.
#[pyclass(frozen, module = "tilebase._tilebase", from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct Searching {
    mode: Mode,
    time: Option<Duration>,
    nodes: Option<u64>,
    memory_bytes: Option<u64>,
    threads: Option<usize>,
}

#[pymethods]
impl Searching {
    #[new]
    #[pyo3(signature = (mode, search, time, nodes, memory_bytes, threads))]
    fn new(
        mode: &str,
        search: Option<&str>,
        time: Option<f64>,
        nodes: Option<u64>,
        memory_bytes: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let time = time.map(|seconds| {
            Duration::try_from_secs_f64(seconds).map_err(|error| {
                raise(Kind::Argument, format!("{seconds} seconds are no limit: {error}"), None)
            })
        });
        let mode = match (search, mode) {
            (Some(name), "auto" | "latency" | "throughput") => {
                let name: SearchName =
                    name.parse().map_err(|error| errors::of(Error::Engine(error)))?;
                if name == SearchName::Lanes { Mode::Auto } else { Mode::By(name) }
            }
            (None, "auto") => Mode::Auto,
            (None, "latency") => Mode::Latency,
            (None, "throughput") => Mode::Throughput,
            (_, found) => {
                let message =
                    format!("expected a mode auto, latency or throughput, found {found:?}");
                return Err(raise(Kind::Spec, message, None));
            }
        };
        Ok(Self { mode, time: time.transpose()?, nodes, memory_bytes, threads })
    }
}

impl Searching {
    /// The same for the library; `cancel` stops it.
    pub(crate) fn search(&self, tables: &Tilebase, cancel: Cancel) -> Search {
        Search {
            time: self.time,
            nodes: self.nodes,
            memory_bytes: self.memory_bytes,
            thread_count: self.threads.unwrap_or(tables.search().thread_count).max(1),
            mode: self.mode,
            cancel,
            // The default would count the cores, which takes longer than a short search.
            ..tables.search().clone()
        }
    }
}

/// The tables of a spec, open.
#[pyclass(frozen, module = "tilebase._tilebase")]
#[derive(Debug)]
pub(crate) struct Handle {
    builder: Builder,
    may_build: bool,
    /// The most bytes that tables may take.
    memory_bytes: Option<u64>,
    thread_count: usize,
    shape: Option<tilebase::Shape>,
    /// It is looked at while the interpreter is held, so that no fork finds it locked.
    opened: Mutex<Option<Opened>>,
}

/// What is open.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) tables: Tilebase,
    /// The engines of goals whose tables are open and were found to be right by an earlier call, so
    /// that a call with such a goal waits for nothing.
    ready: Vec<Arc<Engine>>,
    /// The process that has the threads which check these tables.
    process: u32,
}

impl Handle {
    /// Opens the tables, and builds those that are missing if that is allowed.
    fn opened_now(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Opened> {
        let cancel = Cancel::new();
        let search =
            Search { cancel: cancel.clone(), thread_count: self.thread_count, ..Search::default() };
        let (builder, shape) = (self.builder.clone().search(search), self.shape);
        let may_build = self.may_build;
        let open = move |teller: Teller<Told, Result<_, Error>>| {
            let builder = builder.watch(files::watch(teller));
            let tables = if may_build { builder.lazy() } else { builder.lazy_open() }?;
            let shape = shape.or(tables.shape());
            let engine = shape.map(|shape| tables.engine(&tables.goal(shape)?)).transpose()?;
            Ok((tables, engine))
        };
        let told = |py: Python<'_>, told| files::call(py, progress, told);
        let (tables, engine) = wait::telling(py, &cancel, open, told)?.map_err(errors::of)?;
        if let Some(engine) = engine {
            check_room(&engine, self.memory_bytes)?;
        }
        Ok(Opened { tables, ready: Vec::new(), process: process::id() })
    }

    /// The most bytes that tables may take, if a caller has set a limit.
    pub(crate) fn memory_bytes(&self) -> Option<u64> {
        self.memory_bytes
    }

    fn lock(&self) -> MutexGuard<'_, Option<Opened>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The shape of boards that do not show it themselves.
    pub(crate) fn usual_shape(&self, py: Python<'_>) -> PyResult<Option<tilebase::Shape>> {
        Ok(self.shape.or(self.open(py)?.shape()))
    }

    /// The open tables. After a fork, the child opens its own: the threads of its parent are not
    /// there.
    pub(crate) fn open(&self, py: Python<'_>) -> PyResult<Tilebase> {
        let of_process =
            |opened: &Opened| (opened.process == process::id()).then(|| opened.tables.clone());
        let opened = self.lock().as_ref().map(of_process);
        match opened {
            None => return Err(raise(Kind::Table, "the tables are closed: open them again", None)),
            Some(Some(tables)) => return Ok(tables),
            Some(None) => (),
        }
        let own = self.opened_now(py, None)?;
        let tables = own.tables.clone();
        if let Some(of_parent) = self.lock().replace(own) {
            // To close them would wait for threads that are not there, for ever.
            mem::forget(of_parent);
        }
        Ok(tables)
    }

    /// The engine of boards of a shape, if an earlier call has opened it and found its tables to be
    /// right.
    fn ready(&self, shape: tilebase::Shape) -> Option<Arc<Engine>> {
        let opened = self.lock();
        let opened = opened.as_ref().filter(|opened| opened.process == process::id())?;
        opened.ready.iter().find(|engine| engine.goal().shape() == shape).cloned()
    }

    /// Does work with the tables on a worker, which can be interrupted, and with it a build that it
    /// waits for. What is open stays so.
    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Tilebase, Cancel) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let tables = self.open(py)?;
        let cancel = Cancel::new();
        let stop = cancel.clone();
        wait::work(py, &cancel, move || work(&tables, stop))?.map_err(errors::of)
    }

    /// As [`work`](Self::work), for work that confirms the engine of a board that can be solved. It
    /// is ready from then on.
    fn work_on<T: Send + 'static>(
        &self,
        py: Python<'_>,
        board: tilebase::Board,
        work: impl FnOnce(&Tilebase, Cancel) -> Result<T, Error> + Send + 'static,
    ) -> PyResult<T> {
        let open = move |tables: &Tilebase, cancel: &Cancel| {
            let goal = tables.goal(board.shape())?;
            // No tables are opened for a board without a solution.
            let is_solvable = goal.check_solvable(&board).is_ok();
            is_solvable.then(|| tables.engine_with(&goal, cancel)).transpose()
        };
        if self.memory_bytes.is_some()
            && let Some(engine) = self.work(py, move |tables, cancel| open(tables, &cancel))?
        {
            check_room(&engine, self.memory_bytes)?;
        }
        let (done, engine) = self.work(py, move |tables, cancel| {
            let done = work(tables, cancel.clone())?;
            let engine = open(tables, &cancel)?;
            Ok((done, engine))
        })?;
        if let Some(engine) = engine
            && self.ready(board.shape()).is_none()
            && let Some(opened) = &mut *self.lock()
            && opened.process == process::id()
        {
            opened.ready.push(engine);
        }
        Ok(done)
    }

    /// Searches for a board: on the calling thread, or on a worker where that takes long. `limit_of`
    /// tells which limit has ended the search.
    fn search<T: Send + 'static>(
        &self,
        py: Python<'_>,
        board: &Board,
        searching: &Searching,
        search: impl Fn(&Tilebase, tilebase::Board, Search) -> Result<T, Error> + Send + Sync + 'static,
        limit_of: impl Fn(&T) -> Option<LimitKind>,
    ) -> PyResult<T> {
        let (begun, board) = (Instant::now(), board.0);
        let mut searching = searching.clone();
        // A network proves nothing: what is searched for its optimum depends on the time limit.
        if self.ready(board.shape()).is_some_and(|engine| engine.is_admissible()) {
            let tables = self.open(py)?;
            let time = searching.time.map_or(SHORT, |time| time.min(SHORT));
            let short = Searching { time: Some(time), threads: Some(1), ..searching.clone() };
            let short = short.search(&tables, Cancel::new());
            let found = py.detach(|| search(&tables, board, short)).map_err(errors::of)?;
            if limit_of(&found) != Some(LimitKind::Time) || searching.time == Some(time) {
                return Ok(found);
            }
            searching.time = searching.time.map(|time| time.saturating_sub(begun.elapsed()));
        }
        self.work_on(py, board, move |tables, cancel| {
            search(tables, board, searching.search(tables, cancel))
        })
    }
}

/// Refuses an engine whose tables take more bytes than they may.
pub(crate) fn check_room(engine: &Engine, memory_bytes: Option<u64>) -> PyResult<()> {
    let needed = engine.table_bytes();
    match memory_bytes {
        Some(memory) if needed > memory => {
            let (name, needed, memory) = (engine.name(), Bytes(needed), Bytes(memory));
            let message = format!(
                "{name} needs {needed} of memory, but may use {memory}: give more with the argument memory"
            );
            Err(raise(Kind::Limit, message, None))
        }
        _ => Ok(()),
    }
}

/// The limit that has ended the search of a board, if one has.
fn limit_of(answer: &Answer) -> Option<LimitKind> {
    match answer.status {
        Status::Limit { kind, .. } => Some(kind),
        _ => None,
    }
}

/// A record as JSON.
fn json(record: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(record).map_err(|error| raise(Kind::Other, error.to_string(), None))
}

/// What Python's class of answers is made of.
pub(crate) fn fields<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyDict>> {
    let record = Record::new(answer, MoveStyle::default());
    // Records for programs name these goals in a field of their own.
    let reason = record.reason.map(|reason| match record.solvable_with.as_deref() {
        None | Some([]) => reason,
        Some(goals) => format!("{reason}; solvable with goal {}", goals.join(" or ")),
    });
    let fields = PyDict::new(py);
    fields.set_item("board", Board(answer.board))?;
    fields.set_item("goal", Goal(answer.goal))?;
    fields.set_item("status", record.status)?;
    fields.set_item("length", record.length)?;
    fields.set_item("moves", record.moves)?;
    fields.set_item("lower_bound", answer.lower_bound())?;
    fields.set_item("optimum", record.optimum)?;
    fields.set_item("initial_estimate", record.initial_estimate)?;
    fields.set_item("generated", answer.generated)?;
    fields.set_item("expanded", answer.expanded)?;
    fields.set_item("seconds", record.seconds)?;
    fields.set_item("spec", record.spec)?;
    fields.set_item("limit", record.limit)?;
    fields.set_item("reason", reason)?;
    fields.set_item("tables_checked", answer.is_checked)?;
    Ok(fields)
}

#[pymethods]
impl Handle {
    #[new]
    #[pyo3(signature = (spec, goal, shape, folder, memory_bytes, threads, residence, trust, may_build,
        progress))]
    #[expect(clippy::too_many_arguments, reason = "they have names where people call it")]
    fn new(
        py: Python<'_>,
        spec: Option<SpecLike>,
        goal: Option<GoalLike>,
        shape: Option<ShapeLike>,
        folder: Option<PathBuf>,
        memory_bytes: Option<u64>,
        threads: Option<usize>,
        residence: &str,
        trust: bool,
        may_build: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        // A table that is cut short is an exception and not the end of Python, where the system can do that.
        let _ = tilebase::outlive_cut_files();
        let shape = shape.map(|ShapeLike(shape)| shape);
        let mut builder = Tilebase::builder();
        let mut drawn = None;
        match spec {
            None => (),
            Some(SpecLike::Name(name)) => {
                builder = builder.choice(SpecChoice::read(&name, shape).map_err(errors::of)?);
            }
            Some(SpecLike::Read(spec)) => {
                let spec = spec.get();
                drawn = Some(GoalChoice::Drawn(spec.own_goal()));
                builder = builder.choice(SpecChoice::Spec(Box::new(spec.spec.clone())));
            }
        }
        let goal = goal.map(|goal| goal.choice(shape)).transpose()?;
        if let Some(goal) = goal.or(drawn) {
            builder = builder.goal(goal);
        }
        if let Some(shape) = shape {
            builder = builder.shape(shape);
        }
        if trust {
            builder = builder.trust_tables();
        }
        let residence = match residence {
            "auto" => Residence::Auto,
            "mapped" => Residence::Mapped,
            "prefaulted" => Residence::Prefaulted,
            "locked" => Residence::Locked,
            "copied" => Residence::Copied,
            _ => {
                let message = format!(
                    "expected a residence auto, mapped, prefaulted, locked or copied, found {residence:?}"
                );
                return Err(raise(Kind::Argument, message, None));
            }
        };
        let handle = Self {
            builder: builder
                .folder(&files::folder_of(folder)?)
                .memory(memory_bytes.map_or(Memory::ALL, Memory::of))
                .residence(residence),
            may_build,
            memory_bytes,
            thread_count: threads.unwrap_or_else(core_count).max(1),
            shape,
            opened: Mutex::new(None),
        };
        let opened = handle.opened_now(py, progress)?;
        *handle.lock() = Some(opened);
        Ok(handle)
    }

    fn close(&self, py: Python<'_>) {
        let opened = self.lock().take();
        match opened {
            Some(opened) if opened.process != process::id() => mem::forget(opened),
            opened => py.detach(|| drop(opened)),
        }
    }

    #[getter]
    fn closed(&self) -> bool {
        self.lock().is_none()
    }

    /// The shape of boards that do not show it themselves.
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<Option<Shape>> {
        Ok(self.usual_shape(py)?.map(Shape))
    }

    #[getter]
    fn folder(&self, py: Python<'_>) -> PyResult<PathBuf> {
        Ok(self.open(py)?.shelf().folder.clone())
    }

    /// The goal of boards of a shape.
    fn goal(&self, py: Python<'_>, shape: &Shape) -> PyResult<Goal> {
        let goal = self.open(py)?.goal(shape.0);
        goal.map(Goal).map_err(|error| raise(Kind::Board, error.to_string(), None))
    }

    /// What boards of a shape are searched with, and the files of its tables.
    fn engine(&self, py: Python<'_>, shape: &Shape) -> PyResult<(String, Vec<PathBuf>)> {
        let shape = shape.0;
        let engine =
            self.work(py, move |tables, cancel| tables.engine_with(&tables.goal(shape)?, &cancel))?;
        check_room(&engine, self.memory_bytes)?;
        let folder = self.folder(py)?;
        let file = |name: String| folder.join(name);
        let files = engine.tables().into_iter().map(|table| file(table.header().key.file_name()));
        Ok((engine.name().to_owned(), files.collect()))
    }

    /// The board that an object is, to these tables.
    fn board(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Board> {
        match board.cast::<Board>() {
            Ok(board) => Ok(*board.get()),
            Err(_) => Board::read_usual(board, self.usual_shape(py)?).map(Board),
        }
    }

    /// Estimates of boards, two bytes each; `first` is the place of the first one among more.
    fn estimates(
        &self,
        py: Python<'_>,
        cells: PyBackedBytes,
        shape: &Shape,
        first: usize,
    ) -> PyResult<Py<PyByteArray>> {
        let boards = Cells::new(cells, shape, first)?.read(py)?;
        let estimate = move |tables: &Tilebase, boards: &[tilebase::Board], search: Search| {
            tables.estimate_all(boards, &search).map_err(|error| match error {
                Error::OfMany { place, problem } => Error::OfMany { place: first + place, problem },
                error => error,
            })
        };
        let estimates = match boards.first() {
            Some(_) if boards.len() <= FEW_BOARDS && self.ready(shape.0).is_some() => {
                let tables = self.open(py)?;
                let search = tables.search().clone();
                py.detach(|| estimate(&tables, &boards, search)).map_err(errors::of)?
            }
            Some(&board) => self.work_on(py, board, move |tables, cancel| {
                let search = Search { cancel, ..tables.search().clone() };
                estimate(tables, &boards, search)
            })?,
            None => Vec::new(),
        };
        Ok(bytes_of(py, estimates, |estimate| small(estimate).to_le_bytes()))
    }

    /// The estimate of one board, of the shape that is given.
    #[pyo3(signature = (board, shape))]
    fn estimate(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        shape: Option<ShapeLike>,
    ) -> PyResult<i16> {
        let board = match shape {
            Some(ShapeLike(shape)) => Board::read(board, Some(shape))?,
            None => self.board(py, board)?.0,
        };
        let Some(engine) = self.ready(board.shape()) else {
            let estimate = move |tables: &Tilebase, cancel| {
                let goal = tables.goal(board.shape())?;
                goal.check_solvable(&board).map_err(SearchError::Unsolvable)?;
                estimate_of(&*tables.engine_with(&goal, &cancel)?, &board)
            };
            return self.work_on(py, board, estimate).map(small);
        };
        let solvable = engine.goal().check_solvable(&board).map_err(SearchError::Unsolvable);
        solvable
            .map_err(Error::from)
            .and_then(|()| estimate_of(&engine, &board))
            .map(small)
            .map_err(errors::of)
    }

    fn solve<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, PyAny>,
        searching: &Searching,
    ) -> PyResult<Bound<'py, PyDict>> {
        let board = self.board(py, board)?;
        let solve = |tables: &Tilebase, board, search| tables.solve_with(board, &search);
        fields(py, &self.search(py, &board, searching, solve, limit_of)?)
    }

    /// The answer's fields, and the record of the moves as JSON.
    fn moves<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, PyAny>,
        searching: &Searching,
    ) -> PyResult<(Bound<'py, PyDict>, String)> {
        let board = self.board(py, board)?;
        let moves = |tables: &Tilebase, board, search| tables.moves_with(board, &search);
        let values = self.search(py, &board, searching, moves, |values| values.limit)?;
        Ok((fields(py, &values.answer)?, json(&MovesRecord::new(&values, MoveStyle::default()))?))
    }

    /// The answer's fields, the record as JSON, and the solutions that were listed.
    fn solutions<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, PyAny>,
        searching: &Searching,
        slack: Option<u32>,
        list_max: u64,
        counts: bool,
    ) -> PyResult<(Bound<'py, PyDict>, String, Vec<String>)> {
        let board = self.board(py, board)?;
        let memory_bytes = searching.memory_bytes;
        let solutions = move |tables: &Tilebase, board, search| {
            let search = Some(search);
            let wanted = Solutions { slack, list_max, counts_rest: counts, memory_bytes, search };
            let mut listed = Vec::new();
            let set = tables.solutions(board, &wanted, &mut |_, moves| {
                listed.push(letters(moves));
                true
            })?;
            Ok((set, listed))
        };
        let (set, listed) = self.search(py, &board, searching, solutions, |(set, _)| set.limit)?;
        let record = SolutionsRecord::new(&set, MoveStyle::default());
        Ok((fields(py, &set.answer)?, json(&record)?, listed))
    }

    /// The answer's fields, and the record of the check as JSON.
    fn check<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, PyAny>,
        moves: &str,
        searching: &Searching,
    ) -> PyResult<(Bound<'py, PyDict>, String)> {
        let board = self.board(py, board)?;
        let written = WrittenMoves::parse(moves, false)
            .map_err(|error| raise(Kind::Board, error.to_string(), None))?;
        let check =
            move |tables: &Tilebase, board, search| tables.check_with(board, &written, &search);
        let checked = self.search(py, &board, searching, check, |checked| checked.limit)?;
        Ok((fields(py, &checked.answer)?, json(&CheckRecord::new(&checked, MoveStyle::default()))?))
    }

    /// What can be said of a board without a search, as JSON.
    fn explain(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<String> {
        let board = self.board(py, board)?.0;
        json(&self.work(py, move |tables, cancel| tables.explain_with(board, &cancel))?)
    }
}

/// The estimate of a board that can be solved.
fn estimate_of(engine: &Engine, board: &tilebase::Board) -> Result<u32, Error> {
    let estimate = engine.estimate(board);
    // A table that is damaged explains whatever came of it.
    confirm(engine)?;
    Ok(estimate.map_err(SearchError::from)?)
}

/// An estimate in the type of arrays of estimates.
fn small(estimate: u32) -> i16 {
    i16::try_from(estimate).unwrap_or(i16::MAX)
}
