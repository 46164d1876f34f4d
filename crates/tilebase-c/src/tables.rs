//! The tables of one goal: opening, look-ups and searches in safe Rust.

use std::borrow::Cow;
use std::ffi::CString;
use std::sync::Arc;
use std::time::Duration;

use tilebase::event::Watch;
use tilebase::names::GoalChoice;
use tilebase::pdb_core::BoardError;
use tilebase::pdb_lab::Engine;
use tilebase::pdb_search::LimitKind;
use tilebase::shelf::{Memory, Residence, Table, confirm, core_count};
use tilebase::{Board, Builder, Cancel, Goal, Metric, Search, Tilebase};

use crate::boards::{LocatedFailure, optional_shape};
use crate::failure::Failure;
use crate::types::{
    Answer, Code, OpenOptions, SolveOptions, Status, TILEBASE_INFINITE, TILEBASE_OPEN_BUILD,
    TILEBASE_OPEN_COPY, TILEBASE_OPEN_LOCK, TILEBASE_OPEN_MAP, TILEBASE_OPEN_PREFAULT,
    TILEBASE_OPEN_SLIDES, TILEBASE_OPEN_TRUST, TILEBASE_THREADS_MAX,
};

/// The flags that exclude each other: each says how tables come into memory.
const RESIDENCES: u64 =
    TILEBASE_OPEN_COPY | TILEBASE_OPEN_PREFAULT | TILEBASE_OPEN_LOCK | TILEBASE_OPEN_MAP;
const FLAGS: u64 = RESIDENCES | TILEBASE_OPEN_BUILD | TILEBASE_OPEN_TRUST | TILEBASE_OPEN_SLIDES;
/// Share of a build that is done when its search ends; then the table is packed and written.
#[cfg(feature = "build")]
const SEARCH_SHARE: f64 = 0.9;

/// A request to open tables: the caller's options, their pointers already followed.
#[derive(Debug)]
pub(crate) struct OpenRequest<'a> {
    pub(crate) options: OpenOptions,
    pub(crate) folder: Option<&'a str>,
    pub(crate) spec: Option<&'a str>,
    pub(crate) goal: Option<&'a str>,
    pub(crate) cancel: Cancel,
}

/// Open tables for one goal, shared by any number of threads.
#[derive(Debug)]
pub struct Tables {
    tilebase: Tilebase,
    engine: Arc<Engine>,
    pub(crate) goal: Goal,
    pub(crate) spec: CString,
    pub(crate) bytes: u64,
}

impl OpenRequest<'_> {
    /// Opens tables that are in a folder, and builds missing ones if the flags say so. `progress`
    /// is called with the name of a table and the share of it that is built.
    pub(crate) fn open(
        &self,
        progress: impl Fn(&str, f64) + Send + Sync + 'static,
    ) -> Result<Tables, Failure> {
        let builder = self.builder()?;
        if !self.has(TILEBASE_OPEN_BUILD) {
            return self.finish(builder.lazy_open()?);
        }
        #[cfg(feature = "build")]
        return self.finish(builder.watch(move |event| report(event, &progress)).lazy()?);
        #[cfg(not(feature = "build"))]
        {
            drop(progress);
            Err(Failure::argument("this library builds no tables: it was compiled without that"))
        }
    }

    /// Opens tables whose files are in memory.
    pub(crate) fn open_memory(&self, files: &[&'static [u8]]) -> Result<Tables, Failure> {
        if self.has(TILEBASE_OPEN_BUILD) {
            return Err(Failure::argument("tables from memory come with none that are built"));
        }
        let table = |(number, &bytes): (usize, &&'static [u8])| {
            let is_copy = self.has(TILEBASE_OPEN_COPY);
            let bytes = if is_copy { Cow::Owned(bytes.to_vec()) } else { Cow::Borrowed(bytes) };
            Table::from_bytes(&format!("table {number} in memory"), bytes)
        };
        let tables = files.iter().enumerate().map(table).collect::<Result<_, _>>();
        let tables = tables.map_err(tilebase::Error::from)?;
        self.finish(self.builder()?.tables(tables).lazy_open()?)
    }

    fn has(&self, flag: u64) -> bool {
        self.options.flags & flag != 0
    }

    fn builder(&self) -> Result<Builder, Failure> {
        let OpenOptions { flags, rows, cols, threads, memory_bytes, .. } = self.options;
        if flags & !FLAGS != 0 {
            let unknown = flags & !FLAGS;
            return Err(Failure::argument(format!("the flags {unknown:#x} mean nothing")));
        }
        let residence = match flags & RESIDENCES {
            0 | TILEBASE_OPEN_MAP => Residence::Mapped,
            TILEBASE_OPEN_COPY => Residence::Copied,
            TILEBASE_OPEN_PREFAULT => Residence::Prefaulted,
            TILEBASE_OPEN_LOCK => Residence::Locked,
            _ => {
                let message =
                    "TILEBASE_OPEN_COPY, _PREFAULT, _LOCK and _MAP exclude each other: keep one";
                return Err(Failure::argument(message));
            }
        };
        let search = Search {
            thread_count: thread_count(threads, core_count)?,
            cancel: self.cancel.clone(),
            ..Search::default()
        };
        let mut builder = Tilebase::builder().search(search).residence(residence);
        let shape = optional_shape(rows, cols)?;
        if let Some(shape) = shape {
            builder = builder.shape(shape);
        }
        if let Some(folder) = self.folder {
            builder = builder.folder(folder.as_ref());
        }
        if let Some(spec) = self.spec {
            builder = builder.spec(spec);
        }
        if let Some(goal) = self.goal {
            builder = builder.goal(GoalChoice::read(goal, shape)?);
        }
        if self.has(TILEBASE_OPEN_TRUST) {
            builder = builder.trust_tables();
        }
        if self.has(TILEBASE_OPEN_SLIDES) {
            builder = builder.metric(Metric::MultiTile);
        }
        if memory_bytes > 0 {
            builder = builder.memory(Memory::of(memory_bytes));
        }
        Ok(builder)
    }

    /// Opens the tables of the goal and waits until they are checked, so that no later call has to.
    fn finish(&self, tilebase: Tilebase) -> Result<Tables, Failure> {
        let shape = optional_shape(self.options.rows, self.options.cols)?.or(tilebase.shape());
        let shape = shape.ok_or_else(|| {
            Failure::argument(
                "neither spec nor goal give the shape of the boards: set rows and cols",
            )
        })?;
        let goal = tilebase.goal(shape)?;
        let engine = tilebase.engine(&goal)?;
        confirm(&engine)?;
        let spec = CString::new(engine.name()).unwrap_or_default();
        let bytes = engine.table_bytes();
        Ok(Tables { tilebase, engine, goal, spec, bytes })
    }
}

impl Tables {
    /// Returns a lower bound of a board's distance, without a search and without an allocation.
    pub(crate) fn estimate(&self, board: &Board) -> Result<u32, Failure> {
        let estimate = self.look_up(board)?;
        confirm(&self.engine)?;
        Ok(estimate)
    }

    /// Writes the estimates of boards whose cells follow each other. The position of a failure is
    /// the number of the board that caused it.
    pub(crate) fn estimate_all(
        &self,
        cells: &[u8],
        estimates: &mut [u32],
    ) -> Result<(), LocatedFailure> {
        let shape = self.goal.shape();
        let boards = cells.chunks_exact(shape.cell_count());
        for (number, (cells, estimate)) in boards.zip(estimates).enumerate() {
            let board = Board::new(shape, cells).map_err(Failure::from);
            *estimate = board.and_then(|board| self.look_up(&board)).map_err(|failure| {
                let message = format!("board {number}: {}", failure.message);
                LocatedFailure::at(Some(number), Failure { message, ..failure })
            })?;
        }
        Ok(confirm(&self.engine)?)
    }

    /// Looks a board up, without confirming that the tables are unchanged.
    fn look_up(&self, board: &Board) -> Result<u32, Failure> {
        self.check_shape(board)?;
        if self.goal.check_solvable(board).is_err() {
            return Ok(TILEBASE_INFINITE);
        }
        let estimate = self.engine.estimate(board);
        estimate.map_err(|error| Failure::new(Code::TilebaseErrorTable, error.to_string()))
    }

    /// Refuses a board of another shape, for which the library's own handle would open other
    /// tables.
    fn check_shape(&self, board: &Board) -> Result<(), Failure> {
        let (expected, found) = (self.goal.shape(), board.shape());
        if found != expected {
            return Err(BoardError::OtherShape { expected, found }.into());
        }
        Ok(())
    }

    /// Solves a board; returns the answer, and the moves as letters.
    pub(crate) fn solve(
        &self,
        board: &Board,
        options: &SolveOptions,
        cancel: Cancel,
        watch: Option<Watch>,
    ) -> Result<(Answer, String), Failure> {
        self.check_shape(board)?;
        let limit = |limit: u64| (limit > 0).then_some(limit);
        let search = Search {
            time: limit(options.time_ms).map(Duration::from_millis),
            within: limit(options.within_ms).map(Duration::from_millis),
            nodes: limit(options.nodes),
            thread_count: thread_count(options.threads, || self.tilebase.search().thread_count)?,
            cancel,
            watch,
            ..Search::default()
        };
        let found = self.tilebase.solve_with(board, &search)?;
        let status = match &found.status {
            tilebase::Status::Optimal { .. } => Status::Optimal,
            tilebase::Status::Solved { .. } => Status::Solved,
            tilebase::Status::Unsolvable(_) => Status::Unsolvable,
            tilebase::Status::Limit { kind: LimitKind::Time, .. } => Status::TimeLimit,
            tilebase::Status::Limit { kind: LimitKind::Nodes, .. } => Status::NodeLimit,
            tilebase::Status::Limit { kind: LimitKind::Interrupted, .. } => Status::Cancelled,
            tilebase::Status::Limit { kind: LimitKind::Memory, .. } => Status::MemoryLimit,
            other => {
                let message = format!("the interface has no number for the status {other:?}");
                return Err(Failure::new(Code::TilebaseErrorInternal, message));
            }
        };
        let answer = Answer {
            struct_size: size_of::<Answer>(),
            status,
            length: found.length().unwrap_or(0) as u32,
            lower_bound: found.lower_bound().unwrap_or(TILEBASE_INFINITE),
            estimate: found.initial_estimate.unwrap_or(TILEBASE_INFINITE),
            generated: found.generated,
            expanded: found.expanded,
            lookups: found.lookups,
            elapsed_ns: u64::try_from(found.elapsed.as_nanos()).unwrap_or(u64::MAX),
        };
        Ok((answer, tilebase::text::letters(found.moves().unwrap_or_default())))
    }
}

/// Returns the number of threads that the caller asks for, where 0 stands for the default. A number
/// that was never set is usually a large one, and refused.
fn thread_count(threads: usize, default: impl FnOnce() -> usize) -> Result<usize, Failure> {
    match threads {
        0 => Ok(default()),
        1..=TILEBASE_THREADS_MAX => Ok(threads),
        _ => Err(Failure::argument(format!(
            "expected at most {TILEBASE_THREADS_MAX} threads, found {threads}; 0 is the default"
        ))),
    }
}

/// Reports the share of a table that is built.
#[cfg(feature = "build")]
fn report(event: &tilebase::event::Event<'_>, progress: &impl Fn(&str, f64)) {
    use tilebase::event::{Event, Step, Task};
    use tilebase::pdb_gen;
    let share = |done: u64, total: u64| done as f64 / total.max(1) as f64;
    match event {
        Event::Task(Task::Table(table), Step::Begin { .. }) => progress(table, 0.0),
        Event::Task(Task::Table(table), Step::Table(event)) => match *event {
            pdb_gen::Event::Level { done, total, .. }
            | pdb_gen::Event::Segment { done, total, .. }
            | pdb_gen::Event::Resume { done, total, .. } => {
                progress(table, SEARCH_SHARE * share(done, total));
            }
            pdb_gen::Event::Pack => progress(table, SEARCH_SHARE),
            pdb_gen::Event::Write { done, total } => {
                progress(table, SEARCH_SHARE + (1.0 - SEARCH_SHARE) * share(done, total));
            }
            _ => {}
        },
        Event::Built(report) if !report.already_there => {
            progress(&report.header.key.file_name(), 1.0);
        }
        _ => {}
    }
}
