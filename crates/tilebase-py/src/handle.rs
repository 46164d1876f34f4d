//! Open tables: look-ups, searches and explanations.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyString};
use tilebase::moves::SolutionOptions;
use tilebase::names::{GoalChoice, SpecChoice};
use tilebase::pdb_lab::{Engine, SearchName};
use tilebase::pdb_search::LimitKind;
use tilebase::shelf::{Memory, Residence, core_count};
use tilebase::text::{MoveStyle, WrittenMoves, format_moves, read_time};
use tilebase::{Answer, Builder, Cancel, Error, Mode, Search, Tilebase, Trial};

use crate::arrays::{Cells, bytes_of};
use crate::board::{Board, Goal, GoalLike, Shape, ShapeLike};
use crate::errors::{ErrorClass, Result, metric_of, named, raise};
use crate::files::{self, Step};
use crate::own::{Calls, OwnHeuristic, StopFlag};
use crate::record::{of_answer, of_record, of_result};
use crate::spec::Spec;
use crate::wait::{self, Events, OfProcess, lock};

/// Time of the [trial](Trial) of a search on the calling thread, which does not check for signals.
/// A search that takes longer starts again on a worker.
const SHORT: Duration = Duration::from_millis(1);

/// Largest number of boards that are estimated on the calling thread, in about a millisecond.
const FEW_BOARDS: usize = 64;

/// A spec by its name, one that was read before, or a heuristic of the caller.
#[derive(Debug)]
pub(crate) enum SpecLike {
    Read(Py<Spec>),
    Name(String),
    Own(OwnHeuristic),
}

impl<'a, 'py> FromPyObject<'a, 'py> for SpecLike {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(spec) = object.cast::<Spec>() {
            Ok(Self::Read(spec.to_owned().unbind()))
        } else if object.is_instance_of::<PyString>() {
            object.extract().map(Self::Name)
        } else {
            object.extract().map(Self::Own)
        }
    }
}

/// Reads a time, in seconds.
#[pyfunction]
pub(crate) fn seconds(time: &Bound<'_, PyString>) -> Result<f64> {
    let time = time.to_string_lossy();
    read_time(&time).map(|time| time.as_secs_f64()).map_err(|error| {
        raise(ErrorClass::ArgumentError, format!("{error}, or None for no limit; found {time:?}"))
    })
}

/// The options of a `Solver`.
#[pyclass(frozen, module = "tilebase._tilebase", from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct SearchOptions {
    /// The library's options, without what stops the search.
    search: Search,
    pub(crate) stop: Option<StopFlag>,
}

/// Converts a number of seconds above 0, of which less than a nanosecond is one.
fn duration(seconds: f64) -> Result<Duration> {
    let time = Duration::try_from_secs_f64(seconds).map_err(|error| {
        raise(ErrorClass::ArgumentError, format!("{seconds} seconds are no limit: {error}"))
    })?;
    Ok(time.max(Duration::from_nanos(1)))
}

#[pymethods]
impl SearchOptions {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they have names where people call it")]
    fn new(
        mode: &str,
        search: Option<&str>,
        time: Option<f64>,
        within: Option<f64>,
        nodes: Option<u64>,
        memory_bytes: Option<u64>,
        threads: Option<usize>,
        stop: Option<StopFlag>,
    ) -> Result<Self> {
        let modes = [("auto", Mode::Auto), ("latency", Mode::Latency), ("throughput", Mode::Auto)];
        let mut mode = named("a mode", mode, &modes)?;
        if let Some(search) = search {
            mode = search.parse::<SearchName>().map_err(Error::from)?.into();
        }
        let [time, within] = [time, within].map(|seconds| seconds.map(duration).transpose());
        let (time, within, thread_count) = (time?, within?, threads.unwrap_or_default());
        let search =
            Search { time, within, nodes, memory_bytes, thread_count, mode, ..Search::default() };
        Ok(Self { search, stop })
    }

    /// Returns the same options with another time for the best known solution.
    fn with_within(&self, seconds: f64) -> Result<Self> {
        let mut options = self.clone();
        options.search.within = Some(duration(seconds)?);
        Ok(options)
    }
}

impl SearchOptions {
    /// Returns the library's options of a search that `cancel` stops.
    pub(crate) fn search(&self, cancel: Cancel) -> Search {
        Search { cancel, ..self.search.clone() }
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
    /// Whether the heuristic is a function of the caller. Its calls all go to a worker, which can
    /// stop.
    is_own: bool,
    /// Whether the best tables are used, so that a search with a short time has others.
    is_best: bool,
    /// The calls that use the tables, which end when these are closed.
    pub(crate) calls: Arc<Calls>,
    /// None after `close`. Locked only while the interpreter is held, so that no fork copies it
    /// locked.
    opened: Mutex<Option<OfProcess<OpenTables>>>,
}

/// The tables while they are open.
#[derive(Clone, Debug)]
struct OpenTables {
    tables: Tilebase,
    /// The engines whose tables an earlier call opened and confirmed, so that a call for their
    /// goals waits for nothing.
    ready: Vec<Arc<Engine>>,
}

impl Handle {
    /// Opens the tables, and builds missing ones if that is allowed.
    fn opened_now(
        &self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        stop: Option<&StopFlag>,
    ) -> Result<OpenTables> {
        let cancel = Cancel::new();
        let _stopped = stop.map(|stop| stop.call(&cancel));
        let search =
            Search { cancel: cancel.clone(), thread_count: self.thread_count, ..Search::default() };
        let (builder, shape) = (self.builder.clone().search(search), self.shape);
        let may_build = self.may_build;
        let open = move |events: Events<Step, _>| {
            let builder = builder.watch(files::sender(events));
            let tables = if may_build { builder.lazy() } else { builder.lazy_open() }?;
            if let Some(shape) = shape.or(tables.shape()) {
                tables.engine(&tables.goal(shape)?)?;
            }
            Ok::<_, Error>(tables)
        };
        let receive = |py: Python<'_>, step| files::call(py, progress, step);
        let tables = wait::work_with_events(py, &cancel, open, receive)??;
        Ok(OpenTables { tables, ready: Vec::new() })
    }

    /// Returns the shape of boards that do not show it themselves.
    pub(crate) fn default_shape(&self, py: Python<'_>) -> Result<Option<tilebase::Shape>> {
        Ok(self.shape.or(self.open(py)?.shape()))
    }

    /// Returns the open tables. The child of a fork opens its own: the threads of its parent do not
    /// exist there.
    pub(crate) fn open(&self, py: Python<'_>) -> Result<Tilebase> {
        match &*lock(&self.opened) {
            None => {
                return Err(raise(
                    ErrorClass::TableError,
                    "the tables are closed: open them again",
                ));
            }
            Some(opened) => {
                if let Some(opened) = opened.get() {
                    return Ok(opened.tables.clone());
                }
            }
        }
        let own = self.opened_now(py, None, None)?;
        let tables = own.tables.clone();
        *lock(&self.opened) = Some(OfProcess::new(own));
        Ok(tables)
    }

    /// Returns the engine of boards of a shape, if an earlier call opened it and confirmed its
    /// tables.
    fn ready(&self, shape: tilebase::Shape) -> Option<Arc<Engine>> {
        if self.is_own {
            return None;
        }
        let opened = lock(&self.opened);
        opened.as_ref()?.get()?.ready.iter().find(|engine| engine.goal().shape() == shape).cloned()
    }

    /// Does work with the tables on a worker, with the options of the tables and a flag of its own.
    /// An interrupt stops the work and a build that it waits for; open tables stay open.
    fn work<T: Send + 'static>(
        &self,
        py: Python<'_>,
        stop: Option<&StopFlag>,
        work: impl FnOnce(&Tilebase, Search) -> Result<T, Error> + Send + 'static,
    ) -> Result<T> {
        let tables = self.open(py)?;
        let cancel = Cancel::new();
        let call = self.calls.call(&cancel);
        let _stopped = stop.map(|stop| stop.call(&cancel));
        let search = Search { cancel: cancel.clone(), ..tables.search().clone() };
        let result = wait::work(py, &cancel, move || work(&tables, search))?;
        call.check(py)?;
        Ok(result?)
    }

    /// As [`work`](Self::work), for work that confirms the engine of a board that can be solved.
    /// The engine is ready from then on.
    fn work_on<T: Send + 'static>(
        &self,
        py: Python<'_>,
        board: tilebase::Board,
        within: Option<Duration>,
        stop: Option<&StopFlag>,
        work: impl FnOnce(&Tilebase, Search) -> Result<T, Error> + Send + 'static,
    ) -> Result<T> {
        let is_for_all = !self.is_best || within.is_none();
        let (done, engine) = self.work(py, stop, move |tables, search| {
            let done = work(tables, search.clone())?;
            if !is_for_all {
                return Ok((done, None));
            }
            Ok((done, engine_of(tables, board, &Search { within, ..search })?))
        })?;
        if let Some(engine) = engine
            && self.ready(board.shape()).is_none()
            && let Some(opened) = lock(&self.opened).as_mut().and_then(OfProcess::get_mut)
        {
            opened.ready.push(engine);
        }
        Ok(done)
    }

    /// Searches for a board on the calling thread, or on a worker if that takes long. `limit_of`
    /// returns the limit that ended a search.
    fn search<T: Send + 'static>(
        &self,
        py: Python<'_>,
        board: &Board,
        options: &SearchOptions,
        search: impl Fn(&Tilebase, tilebase::Board, Search) -> Result<T, Error> + Send + Sync + 'static,
        limit_of: impl Fn(&T) -> Option<LimitKind>,
    ) -> Result<T> {
        let (board, tables, stop) = (board.0, self.open(py)?, options.stop.as_ref());
        let mut options = options.search(Cancel::new());
        // With a network, which proves nothing, the search for the optimum depends on the time
        // limit.
        if !stop.is_some_and(StopFlag::is_cancelled)
            && self.ready(board.shape()).is_some_and(|engine| engine.is_admissible())
        {
            let trial = Trial::new(options);
            let found = py.detach(|| search(&tables, board, trial.short(SHORT)))?;
            if !trial.goes_on(limit_of(&found)) {
                return Ok(found);
            }
            options = trial.rest();
        }
        self.work_on(py, board, options.within, stop, move |tables, of_call| {
            search(tables, board, Search { cancel: of_call.cancel, ..options })
        })
    }
}

#[pymethods]
impl Handle {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they have names where people call it")]
    fn new(
        py: Python<'_>,
        spec: Option<SpecLike>,
        goal: Option<GoalLike>,
        metric: &str,
        shape: Option<ShapeLike>,
        folder: Option<PathBuf>,
        memory_bytes: Option<u64>,
        threads: Option<usize>,
        residence: &str,
        trust: bool,
        may_build: bool,
        progress: Option<&Bound<'_, PyAny>>,
        stop: Option<&StopFlag>,
    ) -> Result<Self> {
        // If the system allows it, a table that is truncated causes an exception instead of the
        // end of the process.
        let _ = tilebase::shelf::outlive_cut_files();
        let shape = shape.map(|ShapeLike(shape)| shape);
        let mut builder = Tilebase::builder().metric(metric_of(metric)?);
        let mut drawn = None;
        let calls = Arc::<Calls>::default();
        let is_best = spec.is_none();
        let is_own = matches!(spec, Some(SpecLike::Own(_)));
        match spec {
            None => (),
            Some(SpecLike::Name(name)) => {
                builder = builder.choice(SpecChoice::read(&name, shape)?);
            }
            Some(SpecLike::Own(heuristic)) => {
                builder = builder.heuristic(heuristic.into_name(Arc::clone(&calls)));
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
        let residences = [
            ("mapped", Residence::Mapped),
            ("prefaulted", Residence::Prefaulted),
            ("locked", Residence::Locked),
            ("copied", Residence::Copied),
        ];
        let residence = named("a residence", residence, &residences)?;
        let handle = Self {
            builder: builder
                .folder(&files::folder_of(folder)?)
                .memory(memory_bytes.map_or(Memory::ALL, Memory::of))
                .residence(residence),
            may_build,
            thread_count: threads.unwrap_or_else(core_count).max(1),
            shape,
            is_own,
            is_best,
            calls,
            opened: Mutex::new(None),
        };
        let opened = handle.opened_now(py, progress, stop)?;
        *lock(&handle.opened) = Some(OfProcess::new(opened));
        Ok(handle)
    }

    /// Closes the tables, and ends all calls that use them.
    fn close(&self, py: Python<'_>) {
        let opened = lock(&self.opened).take();
        self.calls.cancel_all();
        py.detach(|| drop(opened));
    }

    #[getter]
    fn closed(&self) -> bool {
        lock(&self.opened).is_none()
    }

    /// Returns the shape of boards that do not show it themselves.
    #[getter]
    fn shape(&self, py: Python<'_>) -> Result<Option<Shape>> {
        Ok(self.default_shape(py)?.map(Shape))
    }

    #[getter]
    fn folder(&self, py: Python<'_>) -> Result<PathBuf> {
        Ok(self.open(py)?.shelf().folder.clone())
    }

    /// Returns the goal of boards of a shape.
    fn goal(&self, py: Python<'_>, shape: &Shape) -> Result<Goal> {
        Ok(Goal(self.open(py)?.goal(shape.0)?))
    }

    /// Returns the name of the spec or heuristic for boards of a shape, and the files of its
    /// tables.
    fn engine(&self, py: Python<'_>, shape: &Shape) -> Result<(String, Vec<PathBuf>)> {
        let shape = shape.0;
        let engine = self.work(py, None, move |tables, search| {
            tables.engine_with(&tables.goal(shape)?, &search)
        })?;
        let folder = self.folder(py)?;
        let file = |name: String| folder.join(name);
        let files = engine.tables().into_iter().map(|table| file(table.header().key.file_name()));
        Ok((engine.name().to_owned(), files.collect()))
    }

    /// Reads a board; one that does not show its shape has that of the tables.
    pub(crate) fn board(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> Result<Board> {
        match board.cast::<Board>() {
            Ok(board) => Ok(*board.get()),
            Err(_) => Board::read_with_default(board, self.default_shape(py)?).map(Board),
        }
    }

    /// Returns the estimates of boards, two bytes each; `first` is the place of the first board
    /// among all.
    fn estimates(
        &self,
        py: Python<'_>,
        cells: PyBackedBytes,
        shape: &Shape,
        first: usize,
    ) -> Result<Py<PyByteArray>> {
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
                py.detach(|| estimate(&tables, &boards, search))?
            }
            Some(&board) => self.work_on(py, board, None, None, move |tables, search| {
                estimate(tables, &boards, search)
            })?,
            None => Vec::new(),
        };
        Ok(bytes_of(py, estimates, |estimate| small(estimate).to_le_bytes()))
    }

    /// Returns the estimate of one board, which must have the shape if one is given.
    fn estimate(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        shape: Option<ShapeLike>,
    ) -> Result<i16> {
        let board = match shape {
            Some(ShapeLike(shape)) => Board::read(board, Some(shape))?,
            None => self.board(py, board)?.0,
        };
        if self.ready(board.shape()).is_some() {
            return Ok(small(self.open(py)?.estimate(board)?));
        }
        let estimate =
            move |tables: &Tilebase, search: Search| tables.estimate_with(board, &search);
        self.work_on(py, board, None, None, estimate).map(small)
    }

    /// Refuses a search that does not count the moves of the tables' metric.
    fn check_search(&self, py: Python<'_>, options: &SearchOptions) -> Result<()> {
        let tables = self.open(py)?;
        match options.search.mode {
            Mode::By(name) => Ok(name.expect_metric(tables.metric()).map_err(Error::from)?),
            _ => Ok(()),
        }
    }

    fn solve<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, PyAny>,
        options: &SearchOptions,
    ) -> Result<Bound<'py, PyAny>> {
        let board = self.board(py, board)?;
        let solve = |tables: &Tilebase, board, search| tables.solve_with(board, &search);
        Ok(of_answer(py, &self.search(py, &board, options, solve, Answer::limit)?)?)
    }

    /// Returns the answer's fields, and the record of the moves.
    fn moves<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, PyAny>,
        options: &SearchOptions,
    ) -> Result<[Bound<'py, PyAny>; 2]> {
        let board = self.board(py, board)?;
        let moves = |tables: &Tilebase, board, search| tables.moves_with(board, &search);
        let values = self.search(py, &board, options, moves, |values| values.limit)?;
        Ok([of_answer(py, &values.answer)?, of_result(py, &values)?])
    }

    /// Returns the answer's fields, the record, and the solutions that were listed.
    fn solutions<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, PyAny>,
        options: &SearchOptions,
        slack: Option<u32>,
        list_max: u64,
        counts: bool,
    ) -> Result<(Bound<'py, PyAny>, Bound<'py, PyAny>, Vec<String>)> {
        let board = self.board(py, board)?;
        let memory_bytes = options.search.memory_bytes;
        let solutions = move |tables: &Tilebase, board, search| {
            let search = Some(search);
            let wanted =
                SolutionOptions { slack, list_max, counts_rest: counts, memory_bytes, search };
            let style = MoveStyle::default().in_metric(tables.metric());
            let mut listed = Vec::new();
            let set = tables.solutions(board, &wanted, &mut |_, moves| {
                listed.push(format_moves(&board, moves, style));
                true
            })?;
            Ok((set, listed))
        };
        let (set, listed) = self.search(py, &board, options, solutions, |(set, _)| set.limit)?;
        Ok((of_answer(py, &set.answer)?, of_result(py, &set)?, listed))
    }

    /// Returns the answer's fields, and the record of the check.
    fn check<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, PyAny>,
        moves: &str,
        options: &SearchOptions,
    ) -> Result<[Bound<'py, PyAny>; 2]> {
        let board = self.board(py, board)?;
        let written = WrittenMoves::parse(moves, false)?;
        let check =
            move |tables: &Tilebase, board, search| tables.check_with(board, &written, &search);
        let checked = self.search(py, &board, options, check, |checked| checked.limit)?;
        Ok([of_answer(py, &checked.answer)?, of_result(py, &checked)?])
    }

    /// Returns the explanation of a board.
    fn explain<'py>(&self, py: Python<'py>, board: &Bound<'_, PyAny>) -> Result<Bound<'py, PyAny>> {
        let board = self.board(py, board)?.0;
        let explain = move |tables: &Tilebase, search: Search| tables.explain_with(board, &search);
        Ok(of_record(py, &self.work(py, None, explain)?)?)
    }
}

/// Opens the engine of a board for a search. No tables are opened for a board without a solution.
pub(crate) fn engine_of(
    tables: &Tilebase,
    board: tilebase::Board,
    search: &Search,
) -> Result<Option<Arc<Engine>>, Error> {
    let goal = tables.goal(board.shape())?;
    let is_solvable = goal.check_solvable(&board).is_ok();
    is_solvable.then(|| tables.engine_with(&goal, search)).transpose()
}

/// Converts an estimate to the type of arrays of estimates.
fn small(estimate: u32) -> i16 {
    i16::try_from(estimate).unwrap_or(i16::MAX)
}
