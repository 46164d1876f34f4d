//! Payloads held against their digests, beside whatever is done with the tables meanwhile.
//!
//! All chunks of all tables are numbered. Whoever takes part takes the next number until there is none:
//! the threads that were started for it, and those that ask for the result and would wait otherwise. So
//! the check ends even where no thread can be started.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::{OpenError, Table};

/// Called with each table whose payload was found to be right, once.
pub(crate) type Found = Box<dyn Fn(&Table) + Send + Sync>;

/// The check of some tables.
pub(crate) struct Check {
    tables: Arc<[Table]>,
    parts: Vec<Part>,
    /// The number that is taken next.
    next: AtomicU64,
    total: u64,
    /// Nobody has to go on: a chunk is damaged, or the tables are not used any more.
    is_over: AtomicBool,
    state: Mutex<State>,
    has_ended: Condvar,
    found: Found,
}

/// The chunks of one table.
struct Part {
    table: usize,
    /// The number of its first chunk.
    first: u64,
    /// Chunks that are not checked yet.
    left: AtomicU64,
}

#[derive(Default)]
struct State {
    /// Tables that are checked.
    done: usize,
    /// What the first damaged chunk is, as far as anybody knows.
    problem: Option<OpenError>,
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = |part: &Part| part.left.load(Ordering::Relaxed);
        let left: u64 = self.parts.iter().map(left).sum();
        f.debug_struct("Check")
            .field("total", &self.total)
            .field("left", &left)
            .finish_non_exhaustive()
    }
}

impl Check {
    /// Of the tables with these places.
    pub(crate) fn new(tables: Arc<[Table]>, places: &[usize], found: Found) -> Self {
        let mut total = 0;
        let mut parts = Vec::new();
        for &table in places {
            let count = tables[table].header().chunk_count();
            parts.push(Part { table, first: total, left: AtomicU64::new(count) });
            total += count;
        }
        // A table without a chunk has nothing that could be damaged.
        parts.retain(|part| part.left.load(Ordering::Relaxed) > 0);
        Self {
            tables,
            parts,
            next: AtomicU64::new(0),
            total,
            is_over: AtomicBool::new(false),
            state: Mutex::default(),
            has_ended: Condvar::new(),
            found,
        }
    }

    /// Lets so many threads begin, or as many as the system has.
    pub(crate) fn begin(this: &Arc<Self>, thread_count: usize) {
        for _ in 0..thread_count.min(usize::try_from(this.total).unwrap_or(usize::MAX)) {
            let check = Arc::clone(this);
            let thread = thread::Builder::new().name("check".into());
            if thread.spawn(move || check.take_part()).is_err() {
                break;
            }
        }
    }

    /// Takes part on so many threads, or as many as the system has, and waits for all of them.
    pub(crate) fn run(&self, thread_count: usize) {
        let thread_count = thread_count.min(usize::try_from(self.total).unwrap_or(usize::MAX));
        thread::scope(|scope| {
            for _ in 1..thread_count {
                let thread = thread::Builder::new().name("check".into());
                if thread.spawn_scoped(scope, || self.take_part()).is_err() {
                    break;
                }
            }
            self.take_part();
        });
    }

    /// Takes chunks until none is left.
    fn take_part(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.total {
                break;
            }
            let part = &self.parts[self.parts.partition_point(|part| part.first <= number) - 1];
            let table = &self.tables[part.table];
            match table.check_chunk(number - part.first) {
                Ok(()) => {
                    if part.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                        (self.found)(table);
                        self.lock().done += 1;
                        self.has_ended.notify_all();
                    }
                }
                Err(error) => {
                    self.lock().problem.get_or_insert(error);
                    self.is_over.store(true, Ordering::Relaxed);
                    self.has_ended.notify_all();
                }
            }
        }
    }

    /// Takes part, and waits for the others' chunks.
    pub(crate) fn finish(&self) -> Result<(), OpenError> {
        self.take_part();
        let mut state = self.lock();
        loop {
            if let Some(problem) = &state.problem {
                return Err(problem.clone());
            }
            if state.done == self.parts.len() {
                return Ok(());
            }
            state = self.has_ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether a chunk was found to be damaged.
    pub(crate) fn has_failed(&self) -> bool {
        self.lock().problem.is_some()
    }

    /// The tables are not used any more.
    pub(crate) fn abandon(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
