//! Tables that are open, and what is asked of them.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{mem, process};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyDict};
use serde::Serialize;
use tilebase::pdb_engine::SearchName;
use tilebase::{
    Answer, Builder, Cancel, CheckRecord, Error, GoalChoice, Memory, Mode, MoveStyle, MovesRecord,
    Record, Residence, Search, Solutions, SolutionsRecord, SpecChoice, Tilebase, WrittenMoves,
    core_count, letters,
};

use crate::arrays::{Cells, bytes_of};
use crate::board::{Board, Goal, GoalLike, Shape, ShapeLike};
use crate::errors::{self, Kind, raise};
use crate::files::{self, Told};
use crate::spec::Spec;
use crate::wait::{self, Teller};

/// A spec by its name, or one that was read before.
#[derive(Debug, FromPyObject)]
pub(crate) enum SpecLike {
    Read(Py<Spec>),
    Name(String),
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
            ..Search::default()
        }
    }
}

/// The tables of a spec, open.
#[pyclass(frozen, module = "tilebase._tilebase")]
#[derive(Debug)]
pub(crate) struct Handle {
    builder: Builder,
    may_build: bool,
    thread_count: usize,
    shape: Option<tilebase::Shape>,
    /// It is looked at while the interpreter is held, so that no fork finds it locked.
    opened: Mutex<Option<Opened>>,
}

/// What is open.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) tables: Tilebase,
    /// The process that has the threads which check these tables.
    process: u32,
}

impl Handle {
    /// Opens the tables, and builds those that are missing if that is allowed.
    fn opened_now(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Opened> {
        let cancel = Cancel::new();
        let open = |teller: Teller<Told, Result<Tilebase, Error>>| {
            let (cancel, thread_count) = (cancel.clone(), self.thread_count);
            let search = Search { cancel, thread_count, ..Search::default() };
            let builder = self.builder.clone().search(search).watch(files::watch(teller));
            let tables = if self.may_build { builder.lazy() } else { builder.lazy_open() }?;
            if let Some(shape) = self.shape.or(tables.shape()) {
                tables.engine(&tables.goal(shape)?)?;
            }
            Ok(tables)
        };
        let told = |py: Python<'_>, told| files::call(py, progress, told);
        let tables = wait::telling(py, &|| cancel.cancel(), open, told)?;
        Ok(Opened { tables: tables.map_err(errors::of)?, process: process::id() })
    }

    fn lock(&self) -> MutexGuard<'_, Option<Opened>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The shape of boards that do not show it themselves.
    pub(crate) fn usual_shape(&self, py: Python<'_>) -> PyResult<Option<tilebase::Shape>> {
        Ok(self.shape.or(self.open(py)?.tables.shape()))
    }

    /// What is open. After a fork, the child opens its own: the threads of its parent are not there.
    pub(crate) fn open(&self, py: Python<'_>) -> PyResult<Opened> {
        let opened = self.lock().clone();
        let Some(opened) = opened else {
            return Err(raise(Kind::Table, "the tables are closed: open them again", None));
        };
        if opened.process == process::id() {
            return Ok(opened);
        }
        // Whoever waits for threads that are not there waits for ever.
        mem::forget(opened);
        let own = self.opened_now(py, None)?;
        if let Some(parents) = self.lock().replace(own.clone()) {
            mem::forget(parents);
        }
        Ok(own)
    }

    /// Does work with the tables that can be interrupted, and with it a build that it waits for. What is open
    /// stays so.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Tilebase, Cancel) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let tables = self.open(py)?.tables;
        let cancel = Cancel::new();
        let result = wait::work(py, &|| cancel.cancel(), || work(&tables, cancel.clone()));
        result?.map_err(errors::of)
    }
}

/// A record as JSON.
fn json(record: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(record).map_err(|error| raise(Kind::Other, error.to_string(), None))
}

/// What Python's class of answers is made of.
pub(crate) fn fields<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyDict>> {
    let record = Record::new(answer, MoveStyle::default());
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
    fields.set_item("reason", record.reason)?;
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
        Ok(self.open(py)?.tables.shelf().folder.clone())
    }

    /// The goal of boards of a shape.
    fn goal(&self, py: Python<'_>, shape: &Shape) -> PyResult<Goal> {
        let goal = self.open(py)?.tables.goal(shape.0);
        goal.map(Goal).map_err(|error| raise(Kind::Board, error.to_string(), None))
    }

    /// What boards of a shape are searched with, and the files of its tables.
    fn engine(&self, py: Python<'_>, shape: &Shape) -> PyResult<(String, Vec<PathBuf>)> {
        let shape = shape.0;
        self.work(py, move |tables, cancel| {
            let engine = tables.engine_with(&tables.goal(shape)?, &cancel)?;
            let file = |name: String| tables.shelf().folder.join(name);
            let files =
                engine.tables().into_iter().map(|table| file(table.header().key.file_name()));
            Ok((engine.name().to_owned(), files.collect()))
        })
    }

    /// The board that an object is, to these tables.
    fn board(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Board> {
        match board.cast::<Board>() {
            Ok(board) => Ok(*board.get()),
            Err(_) => Board::read_usual(board, self.usual_shape(py)?).map(Board),
        }
    }

    /// Estimates of boards, two bytes each; `first` is the place of the first one among more.
    fn estimate(
        &self,
        py: Python<'_>,
        cells: PyBackedBytes,
        shape: &Shape,
        first: usize,
    ) -> PyResult<Py<PyByteArray>> {
        let boards = Cells::new(cells, shape, first)?.read(py)?;
        let of_all = |error| match error {
            Error::OfMany { place, problem } => Error::OfMany { place: first + place, problem },
            error => error,
        };
        let estimates = self.work(py, |tables, cancel| {
            let search = Search { cancel, ..tables.search().clone() };
            tables.estimate_all(&boards, &search).map_err(of_all)
        })?;
        let number = |estimate: u32| (estimate.min(i16::MAX as u32) as i16).to_le_bytes();
        Ok(bytes_of(py, estimates, number))
    }

    fn solve<'py>(
        &self,
        py: Python<'py>,
        board: &Board,
        searching: &Searching,
    ) -> PyResult<Bound<'py, PyDict>> {
        let answer = self.work(py, |tables, cancel| {
            tables.solve_with(board.0, &searching.search(tables, cancel))
        })?;
        fields(py, &answer)
    }

    /// The answer's fields, and the record of the moves as JSON.
    fn moves<'py>(
        &self,
        py: Python<'py>,
        board: &Board,
        searching: &Searching,
    ) -> PyResult<(Bound<'py, PyDict>, String)> {
        let values = self.work(py, |tables, cancel| {
            tables.moves_with(board.0, &searching.search(tables, cancel))
        })?;
        Ok((fields(py, &values.answer)?, json(&MovesRecord::new(&values, MoveStyle::default()))?))
    }

    /// The answer's fields, the record as JSON, and the solutions that were listed.
    fn solutions<'py>(
        &self,
        py: Python<'py>,
        board: &Board,
        searching: &Searching,
        slack: Option<u32>,
        list_max: u64,
        counts: bool,
    ) -> PyResult<(Bound<'py, PyDict>, String, Vec<String>)> {
        let (set, listed) = self.work(py, |tables, cancel| {
            let wanted = Solutions {
                slack,
                list_max,
                counts_rest: counts,
                memory_bytes: searching.memory_bytes,
                search: Some(searching.search(tables, cancel)),
            };
            let mut listed = Vec::new();
            let set = tables.solutions(board.0, &wanted, &mut |_, moves| {
                listed.push(letters(moves));
                true
            })?;
            Ok((set, listed))
        })?;
        let record = SolutionsRecord::new(&set, MoveStyle::default());
        Ok((fields(py, &set.answer)?, json(&record)?, listed))
    }

    /// The answer's fields, and the record of the check as JSON.
    fn check<'py>(
        &self,
        py: Python<'py>,
        board: &Board,
        moves: &str,
        searching: &Searching,
    ) -> PyResult<(Bound<'py, PyDict>, String)> {
        let written = WrittenMoves::parse(moves, false)
            .map_err(|error| raise(Kind::Board, error.to_string(), None))?;
        let checked = self.work(py, |tables, cancel| {
            tables.check_with(board.0, &written, &searching.search(tables, cancel))
        })?;
        Ok((fields(py, &checked.answer)?, json(&CheckRecord::new(&checked, MoveStyle::default()))?))
    }

    /// What can be said of a board without a search, as JSON.
    fn explain(&self, py: Python<'_>, board: &Board) -> PyResult<String> {
        json(&self.work(py, |tables, cancel| tables.explain_with(board.0, &cancel))?)
    }
}
