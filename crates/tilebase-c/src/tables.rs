//! The tables of one goal, and what is asked of them.

use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::sync::Arc;
use std::time::Duration;

use tilebase::pdb_core::BoardError;
use tilebase::pdb_lab::Engine;
use tilebase::pdb_rt::Table;
use tilebase::{
    Board, Builder, Cancel, Event, Goal, GoalChoice, LimitKind, Memory, Residence, Search,
    Tilebase, confirm, core_count,
};

use crate::boards::{of_shape, shape_of};
use crate::failure::Failure;
use crate::{
    Answer, Code, Status, TILEBASE_INFINITE, TILEBASE_OPEN_BUILD, TILEBASE_OPEN_COPY,
    TILEBASE_OPEN_LOCK, TILEBASE_OPEN_MAP, TILEBASE_OPEN_PREFAULT, TILEBASE_OPEN_TRUST,
    TILEBASE_THREADS_MAX,
};

const FLAGS: u64 = TILEBASE_OPEN_BUILD
    | TILEBASE_OPEN_TRUST
    | TILEBASE_OPEN_COPY
    | TILEBASE_OPEN_PREFAULT
    | TILEBASE_OPEN_MAP
    | TILEBASE_OPEN_LOCK;
/// Where the search of a build ends on the way from 0 to 1; then the table is packed and written.
#[cfg(feature = "build")]
const SEARCHED: f64 = 0.9;

/// What tables to open, and how.
#[derive(Debug)]
pub(crate) struct Wish<'a> {
    pub(crate) flags: u64,
    pub(crate) folder: Option<&'a str>,
    pub(crate) spec: Option<&'a str>,
    pub(crate) goal: Option<&'a str>,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) threads: usize,
    pub(crate) memory_bytes: u64,
    pub(crate) cancel: Cancel,
}

/// The limits of a search.
#[derive(Debug)]
pub(crate) struct Bounds {
    pub(crate) threads: usize,
    pub(crate) time_ms: u64,
    pub(crate) nodes: u64,
    pub(crate) cancel: Cancel,
}

/// Open tables for one goal, shared by any number of threads.
#[derive(Debug)]
pub struct Tables {
    tilebase: Tilebase,
    engine: Arc<Engine>,
    goal: Goal,
    spec: CString,
    bytes: u64,
}

impl Wish<'_> {
    /// Opens tables that are in a folder, and builds those that are missing if that is asked for. `tell` is called
    /// with the name of a table and how much of it is built.
    pub(crate) fn open(
        &self,
        tell: impl Fn(&str, f64) + Send + Sync + 'static,
    ) -> Result<Tables, Failure> {
        let builder = self.builder()?.watch(move |event| tell_of(event, &tell));
        if self.flags & TILEBASE_OPEN_BUILD == 0 {
            return self.finish(builder.lazy_open()?);
        }
        #[cfg(feature = "build")]
        return self.finish(builder.lazy()?);
        #[cfg(not(feature = "build"))]
        Err(Failure::argument("this library builds no tables: it was compiled without that"))
    }

    /// Opens tables whose files are in memory.
    pub(crate) fn open_memory(&self, files: &[&'static [u8]]) -> Result<Tables, Failure> {
        if self.flags & TILEBASE_OPEN_BUILD != 0 {
            return Err(Failure::argument("tables from memory come with none that are built"));
        }
        let table = |(number, bytes): (usize, &&'static [u8])| {
            let bytes = match self.flags & TILEBASE_OPEN_COPY {
                0 => Cow::Borrowed(*bytes),
                _ => Cow::Owned(bytes.to_vec()),
            };
            Table::from_bytes(&format!("table {number} in memory"), bytes)
        };
        let tables = files.iter().enumerate().map(table).collect::<Result<_, _>>();
        let tables = tables.map_err(tilebase::Error::from)?;
        self.finish(self.builder()?.tables(tables).lazy_open()?)
    }

    fn builder(&self) -> Result<Builder, Failure> {
        if self.flags & !FLAGS != 0 {
            let unknown = self.flags & !FLAGS;
            return Err(Failure::argument(format!("the flags {unknown:#x} mean nothing")));
        }
        check_threads(self.threads)?;
        let search = Search {
            thread_count: if self.threads == 0 { core_count() } else { self.threads },
            cancel: self.cancel.clone(),
            ..Search::default()
        };
        let mut builder = Tilebase::builder().search(search).residence(self.residence()?);
        let shape = shape_of(self.rows, self.cols)?;
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
        if self.flags & TILEBASE_OPEN_TRUST != 0 {
            builder = builder.trust_tables();
        }
        if self.memory_bytes > 0 {
            builder = builder.memory(Memory::of(self.memory_bytes));
        }
        Ok(builder)
    }

    fn residence(&self) -> Result<Residence, Failure> {
        let of = self.flags
            & (TILEBASE_OPEN_COPY
                | TILEBASE_OPEN_PREFAULT
                | TILEBASE_OPEN_MAP
                | TILEBASE_OPEN_LOCK
                | TILEBASE_OPEN_MAP);
        Ok(match of {
            0 => Residence::Auto,
            TILEBASE_OPEN_MAP => Residence::Mapped,
            TILEBASE_OPEN_COPY => Residence::Copied,
            TILEBASE_OPEN_PREFAULT => Residence::Prefaulted,
            TILEBASE_OPEN_LOCK => Residence::Locked,
            _ => {
                let message =
                    "TILEBASE_OPEN_COPY, _PREFAULT, _LOCK and _MAP exclude each other: keep one";
                return Err(Failure::argument(message));
            }
        })
    }

    /// Opens what the boards of the goal need, and waits until it is checked: nothing is left to be done at the first
    /// board.
    fn finish(&self, tilebase: Tilebase) -> Result<Tables, Failure> {
        let shape = shape_of(self.rows, self.cols)?.or(tilebase.shape());
        let shape = shape.ok_or_else(|| {
            Failure::argument(
                "neither spec nor goal tell the shape of the boards: set rows and cols",
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
    pub(crate) fn spec(&self) -> &CStr {
        &self.spec
    }

    pub(crate) fn goal(&self) -> &Goal {
        &self.goal
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A lower bound of a board's distance, without a search, and without memory of its own.
    pub(crate) fn estimate(&self, board: &Board) -> Result<u32, Failure> {
        let estimate = self.look_up(board)?;
        confirm(&self.engine)?;
        Ok(estimate)
    }

    /// The same for boards whose cells follow each other. On a failure it is the board with the number `position`
    /// that is wrong, if it is a board.
    pub(crate) fn estimate_all(
        &self,
        cells: &[u8],
        estimates: &mut [u32],
        position: &mut Option<usize>,
    ) -> Result<(), Failure> {
        let shape = self.goal.shape();
        let boards = cells.chunks_exact(shape.cell_count());
        for (number, (cells, estimate)) in boards.zip(estimates).enumerate() {
            let wrong = |failure: Failure| {
                *position = Some(number);
                Failure { message: format!("board {number}: {}", failure.message), ..failure }
            };
            *estimate =
                of_shape(shape, cells).and_then(|board| self.look_up(&board)).map_err(wrong)?;
        }
        Ok(confirm(&self.engine)?)
    }

    /// What the tables say of a board, before it is known that they are as they were.
    fn look_up(&self, board: &Board) -> Result<u32, Failure> {
        self.check_shape(board)?;
        if self.goal.check_solvable(board).is_err() {
            return Ok(TILEBASE_INFINITE);
        }
        let estimate = self.engine.estimate(board);
        estimate.map_err(|error| Failure::new(Code::TilebaseErrorTable, error.to_string()))
    }

    /// A handle is for one goal, and so for one shape; the library's own would open tables for another one.
    fn check_shape(&self, board: &Board) -> Result<(), Failure> {
        let (expected, found) = (self.goal.shape(), board.shape());
        if found != expected {
            return Err(BoardError::OtherShape { expected, found }.into());
        }
        Ok(())
    }

    /// Solves a board: the answer, and the moves as letters.
    pub(crate) fn solve(
        &self,
        board: &Board,
        bounds: &Bounds,
    ) -> Result<(Answer, String), Failure> {
        self.check_shape(board)?;
        check_threads(bounds.threads)?;
        let limit = |limit: u64| (limit > 0).then_some(limit);
        let own = self.tilebase.search();
        let search = Search {
            time: limit(bounds.time_ms).map(Duration::from_millis),
            nodes: limit(bounds.nodes),
            thread_count: if bounds.threads == 0 { own.thread_count } else { bounds.threads },
            cancel: bounds.cancel.clone(),
            ..Search::default()
        };
        let found = self.tilebase.solve_with(board, &search)?;
        let status = match &found.status {
            tilebase::Status::Optimal { .. } => Status::Optimal,
            tilebase::Status::Solved { .. } => Status::Solved,
            tilebase::Status::Unsolvable(_) => Status::Unsolvable,
            tilebase::Status::Limit { kind, .. } => match kind {
                LimitKind::Time => Status::TimeLimit,
                LimitKind::Nodes => Status::NodeLimit,
                LimitKind::Interrupted => Status::Cancelled,
                LimitKind::Memory => Status::MemoryLimit,
                _ => return Err(unknown("a limit")),
            },
            _ => return Err(unknown("an end of a search")),
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
        Ok((answer, tilebase::letters(found.moves().unwrap_or_default())))
    }
}

/// A number that was never set is rather large.
fn check_threads(threads: usize) -> Result<(), Failure> {
    if threads > TILEBASE_THREADS_MAX {
        let message = format!(
            "expected at most {TILEBASE_THREADS_MAX} threads, found {threads}; 0 is as many as usual"
        );
        return Err(Failure::argument(message));
    }
    Ok(())
}

fn unknown(what: &str) -> Failure {
    Failure::new(
        Code::TilebaseErrorInternal,
        format!("{what} that this interface has no number for"),
    )
}

/// Tells how much of a table is built.
#[cfg(feature = "build")]
fn tell_of(event: &Event<'_>, tell: &impl Fn(&str, f64)) {
    use tilebase::pdb_gen;
    let share = |done: u64, total: u64| done as f64 / total.max(1) as f64;
    match event {
        Event::TableBegins { table, .. } => tell(table, 0.0),
        Event::Table { table, event } => match *event {
            pdb_gen::Event::Level { done, total, .. }
            | pdb_gen::Event::Segment { done, total, .. }
            | pdb_gen::Event::Resume { done, total, .. } => {
                tell(table, SEARCHED * share(done, total));
            }
            pdb_gen::Event::Pack => tell(table, SEARCHED),
            pdb_gen::Event::Write { done, total } => {
                tell(table, SEARCHED + (1.0 - SEARCHED) * share(done, total));
            }
            _ => {}
        },
        Event::Built(report) if !report.already_there => {
            tell(&report.header.key.file_name(), 1.0);
        }
        _ => {}
    }
}

#[cfg(not(feature = "build"))]
fn tell_of(_: &Event<'_>, _: &impl Fn(&str, f64)) {}
