//! The check of payloads against their digests, while other threads use the tables.
//!
//! Each thread that takes part claims the next chunk until none is left: the threads that were
//! started for the check, and those that wait for its result. So the check ends even where no
//! thread can be started.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use pdb_core::lock;

use crate::{OpenError, Table};

/// Called once with each table whose payload is right.
pub(crate) type OnRight = Box<dyn Fn(&Table) + Send + Sync>;

/// The check of some of a plan's tables.
pub(crate) struct Check {
    pub(crate) tables: Arc<[Table]>,
    /// The chunks to check: positions of their tables, and their numbers there.
    chunks: Vec<(usize, u64)>,
    /// Position of the next chunk to claim.
    next: AtomicUsize,
    /// Number of unchecked chunks of each table.
    left: Vec<AtomicU64>,
    /// Set when a chunk is damaged, and when the tables are no longer used.
    is_over: AtomicBool,
    state: Mutex<CheckState>,
    has_changed: Condvar,
    on_right: OnRight,
}

struct CheckState {
    /// Number of tables with unchecked chunks.
    open_count: usize,
    /// The first damage that a thread found.
    problem: Option<OpenError>,
}

impl Check {
    /// Creates the check of the tables at the positions `open`.
    pub(crate) fn new(tables: Arc<[Table]>, open: &[usize], on_right: OnRight) -> Self {
        let mut left: Vec<AtomicU64> = tables.iter().map(|_| AtomicU64::new(0)).collect();
        let mut chunks = Vec::new();
        for &table in open {
            let count = tables[table].header().chunk_count();
            chunks.extend((0..count).map(|chunk| (table, chunk)));
            *left[table].get_mut() = count;
        }
        let open_count =
            left.iter_mut().filter_map(|left| (*left.get_mut() > 0).then_some(())).count();
        Self {
            tables,
            chunks,
            next: AtomicUsize::new(0),
            left,
            is_over: AtomicBool::new(false),
            state: Mutex::new(CheckState { open_count, problem: None }),
            has_changed: Condvar::new(),
            on_right,
        }
    }

    /// Starts up to `thread_count` threads; fewer if the system refuses more.
    pub(crate) fn start(self: &Arc<Self>, thread_count: usize) -> Vec<JoinHandle<()>> {
        let start = |_| {
            let check = Arc::clone(self);
            pdb_core::thread_builder().name("check".into()).spawn(move || check.take_part()).ok()
        };
        (0..thread_count.min(self.chunks.len())).map_while(start).collect()
    }

    /// Checks chunks until none is left.
    fn take_part(&self) {
        while !self.is_over() {
            let position = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&(place, chunk)) = self.chunks.get(position) else { break };
            let table = &self.tables[place];
            match table.check_chunk(chunk) {
                Ok(()) if self.left[place].fetch_sub(1, Ordering::AcqRel) > 1 => {}
                Ok(()) => {
                    (self.on_right)(table);
                    lock(&self.state).open_count -= 1;
                    self.has_changed.notify_all();
                }
                Err(error) => {
                    lock(&self.state).problem.get_or_insert(error);
                    self.abandon();
                    self.has_changed.notify_all();
                }
            }
        }
    }

    /// Takes part, and waits for the chunks of other threads.
    pub(crate) fn finish(&self) -> Result<(), OpenError> {
        self.take_part();
        let is_open = |state: &mut CheckState| state.problem.is_none() && state.open_count > 0;
        let state = self.has_changed.wait_while(lock(&self.state), is_open);
        match &state.unwrap_or_else(PoisonError::into_inner).problem {
            Some(problem) => Err(problem.clone()),
            None => Ok(()),
        }
    }

    /// Returns whether the check has ended early: while the tables are used, because a chunk is
    /// damaged.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Ends the check early.
    pub(crate) fn abandon(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
