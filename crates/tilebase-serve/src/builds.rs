//! Builds of tables on behalf of clients, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, TrySendError, bounded};
use parking_lot::Mutex;
use pdb_core::TableKey;
use pdb_spec::Spec;
use serde::Serialize;
use tilebase::event::{Event, Watch};
use tilebase::shelf::{BuildPlan, BuildPolicy, Shelf};
use tilebase::{Cancel, Error};
use tokio::sync::watch;

use crate::problem::Problem;
use crate::settings::Settings;

/// Number of builds that may wait.
const QUEUE_CAPACITY: usize = 16;
/// Number of builds in the list.
const LIST_CAPACITY: usize = 64;
/// Usual share of the search in the time of a build.
const SEARCH_SHARE: f64 = 0.8;
/// Usual share of search and packing in the time of a build.
const PACKED_SHARE: f64 = 0.9;

/// Status of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BuildStatus {
    Queued,
    Running,
    Done,
    Failed,
    Cancelled,
}

/// Status of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TableStatus {
    Waiting,
    Running,
    Done,
    There,
}

/// Stage of the build of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    Check,
    Search,
    Pack,
    Write,
    Sync,
}

/// State of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TableState {
    file: String,
    description: String,
    status: TableStatus,
    stage: Option<Stage>,
    level: Option<u32>,
    done: u64,
    total: u64,
    seconds: f64,
    /// Estimated time, as the table's weight in the share.
    #[serde(skip)]
    weight: f64,
    /// Start of its build.
    #[serde(skip)]
    started: Option<Instant>,
}

/// State of a build, as sent to clients.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct BuildState {
    pub(crate) id: u64,
    spec: String,
    pub(crate) status: BuildStatus,
    tables: Vec<TableState>,
    /// Finished share, from 0 to 1.
    share: f64,
    seconds: f64,
    error: Option<String>,
}

/// A requested build.
#[derive(Debug)]
pub(crate) struct Build {
    spec: Spec,
    state: watch::Sender<BuildState>,
    cancel: Cancel,
}

/// Queue and list of builds.
#[derive(Debug)]
pub(crate) struct Builds {
    all: Mutex<Vec<Arc<Build>>>,
    queue: Sender<Arc<Build>>,
    last_id: AtomicU64,
    settings: Arc<Settings>,
}

impl TableState {
    fn of(key: &TableKey) -> Result<Self, pdb_gen::GenError> {
        Ok(Self {
            file: key.file_name(),
            description: key.describe(),
            status: TableStatus::Waiting,
            stage: None,
            level: None,
            done: 0,
            total: 0,
            seconds: 0.0,
            weight: pdb_gen::estimate(key)?.seconds.max(0.01),
            started: None,
        })
    }

    fn update(&mut self, event: pdb_gen::Event) {
        use pdb_gen::Event::{Check, Level, Pack, Resume, Segment, Sync, Write};
        self.status = TableStatus::Running;
        self.seconds = self.started.get_or_insert_with(Instant::now).elapsed().as_secs_f64();
        let (stage, level, progress) = match event {
            Level { level, done, total }
            | Segment { level, done, total }
            | Resume { level, done, total } => (Stage::Search, Some(level), Some((done, total))),
            Pack => (Stage::Pack, self.level, None),
            Write { done, total } => (Stage::Write, self.level, Some((done, total))),
            Check { done, total } => (Stage::Check, self.level, Some((done, total))),
            Sync => (Stage::Sync, self.level, None),
        };
        (self.stage, self.level) = (Some(stage), level);
        if let Some((done, total)) = progress {
            (self.done, self.total) = (done, total);
        }
    }

    /// Returns the finished share, from 0 to 1.
    fn share(&self) -> f64 {
        let fraction = self.done as f64 / self.total.max(1) as f64;
        match (self.status, self.stage) {
            (TableStatus::Done | TableStatus::There, _) => 1.0,
            (TableStatus::Waiting, _) | (_, None | Some(Stage::Check)) => 0.0,
            (_, Some(Stage::Search)) => SEARCH_SHARE * fraction,
            (_, Some(Stage::Pack)) => SEARCH_SHARE,
            (_, Some(Stage::Write)) => PACKED_SHARE + (1.0 - PACKED_SHARE) * fraction,
            (_, Some(Stage::Sync)) => 1.0,
        }
    }
}

impl BuildState {
    fn table(&mut self, name: &str) -> Option<&mut TableState> {
        self.tables.iter_mut().find(|table| table.file == name)
    }

    fn update_share(&mut self, started: Instant) {
        let all: f64 = self.tables.iter().map(|table| table.weight).sum();
        let done: f64 = self.tables.iter().map(|table| table.weight * table.share()).sum();
        self.share = done / all.max(f64::MIN_POSITIVE);
        self.seconds = started.elapsed().as_secs_f64();
    }

    pub(crate) fn has_ended(&self) -> bool {
        !matches!(self.status, BuildStatus::Queued | BuildStatus::Running)
    }
}

impl Build {
    pub(crate) fn state(&self) -> BuildState {
        self.state.borrow().clone()
    }

    pub(crate) fn watch(&self) -> watch::Receiver<BuildState> {
        self.state.subscribe()
    }

    /// Stops the build. A queued build never starts.
    pub(crate) fn cancel(&self) {
        self.cancel.cancel();
        self.leave_queue(BuildStatus::Cancelled);
    }

    /// Changes the status of a queued build. Returns whether it was queued.
    fn leave_queue(&self, status: BuildStatus) -> bool {
        self.state.send_if_modified(|state| {
            let is_queued = state.status == BuildStatus::Queued;
            if is_queued {
                state.status = status;
            }
            is_queued
        })
    }

    /// Runs the build. Calls `refresh` before clients see its end.
    fn run(&self, settings: &Settings, refresh: impl Fn()) {
        let started = Instant::now();
        if !self.leave_queue(BuildStatus::Running) {
            return;
        }
        let result = catch_unwind(AssertUnwindSafe(|| self.build(settings, started)));
        let result = match result {
            Ok(result) => result.map_err(|error| error.to_string()),
            Err(_) => Err("the build panicked: see the server's log".to_owned()),
        };
        refresh();
        self.state.send_modify(|state| {
            state.update_share(started);
            state.status = match result {
                Ok(()) => BuildStatus::Done,
                Err(_) if self.cancel.is_cancelled() => BuildStatus::Cancelled,
                Err(error) => {
                    state.error = Some(error);
                    BuildStatus::Failed
                }
            };
        });
    }

    fn build(&self, settings: &Settings, started: Instant) -> Result<(), Error> {
        let Settings { folder, memory, thread_count, .. } = settings;
        let (spec, plan) = (&self.spec, &self.spec.plan);
        let builds = BuildPlan::of([plan], folder, BuildPolicy::new(*memory, false))?;
        builds.check(&[&spec.name])?;
        let state = self.state.clone();
        let update = move |event: &Event<'_>| {
            if let Event::Table { table, event } = event {
                state.send_modify(|state| {
                    if let Some(table) = state.table(table) {
                        table.update(*event);
                    }
                    state.update_share(started);
                });
            }
        };
        let shelf = Shelf {
            memory: *memory,
            thread_count: *thread_count,
            watch: Watch::new(update),
            cancel: self.cancel.clone(),
            ..Shelf::new(folder)
        };
        for (key, strategy) in &builds.tables {
            let report = shelf.build(key, *strategy, false)?;
            self.state.send_modify(|state| {
                if let Some(table) = state.table(&key.file_name()) {
                    let is_there = report.already_there;
                    table.status = if is_there { TableStatus::There } else { TableStatus::Done };
                    table.stage = None;
                    table.seconds = report.times.total().as_secs_f64();
                }
                state.update_share(started);
            });
        }
        Ok(())
    }
}

impl Builds {
    /// Starts the thread that builds. It calls `refresh` at the end of each build.
    ///
    /// # Errors
    /// The system's error if the thread cannot start.
    pub(crate) fn start(
        settings: &Arc<Settings>,
        refresh: impl Fn() + Send + 'static,
    ) -> Result<Self, Error> {
        let (queue, receiver): (_, Receiver<Arc<Build>>) = bounded(QUEUE_CAPACITY);
        let thread_settings = Arc::clone(settings);
        let work = move || {
            for build in receiver {
                build.run(&thread_settings, &refresh);
            }
        };
        let spawned = thread::Builder::new().name("builds".into()).spawn(work);
        spawned.map_err(|source| Error::Threads { source })?;
        let (all, last_id) = (Mutex::default(), AtomicU64::new(0));
        Ok(Self { all, queue, last_id, settings: Arc::clone(settings) })
    }

    /// Queues the tables of a spec, or returns the unfinished build of the same spec.
    ///
    /// # Errors
    /// A [`Problem`] if the tables do not fit, or the queue is full.
    pub(crate) fn request(&self, spec: Spec) -> Result<Arc<Build>, Problem> {
        let Settings { folder, memory, .. } = &*self.settings;
        let builds = BuildPlan::of([&spec.plan], folder, BuildPolicy::new(*memory, false))
            .map_err(Error::from)?;
        builds.check(&[&spec.name]).map_err(Error::from)?;
        let tables: Result<_, _> =
            builds.tables.iter().map(|(key, _)| TableState::of(key)).collect();
        let tables = tables.map_err(Error::from)?;
        let mut all = self.all.lock();
        let is_same = |build: &&Arc<Build>| {
            let state = build.state.borrow();
            // A generated name stands for several specs: one for each goal.
            let is_same = state.spec == spec.name && build.spec.plan == spec.plan;
            // A cancelled build does not count.
            is_same && !state.has_ended() && !build.cancel.is_cancelled()
        };
        if let Some(build) = all.iter().find(is_same) {
            return Ok(Arc::clone(build));
        }
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let (name, status) = (spec.name.clone(), BuildStatus::Queued);
        let state =
            BuildState { id, spec: name, status, tables, share: 0.0, seconds: 0.0, error: None };
        let (state, cancel) = (watch::Sender::new(state), Cancel::new());
        let build = Arc::new(Build { spec, state, cancel });
        match self.queue.try_send(Arc::clone(&build)) {
            Ok(()) => (),
            Err(TrySendError::Full(_)) => return Err(Problem::busy()),
            Err(TrySendError::Disconnected(_)) => {
                return Err(Problem::internal("the build thread has ended"));
            }
        }
        if all.len() >= LIST_CAPACITY {
            let oldest = all.iter().position(|build| build.state.borrow().has_ended());
            oldest.map(|oldest| all.remove(oldest));
        }
        all.push(Arc::clone(&build));
        Ok(build)
    }

    /// Returns a build by its number.
    pub(crate) fn get(&self, id: u64) -> Option<Arc<Build>> {
        self.all.lock().iter().find(|build| build.state.borrow().id == id).cloned()
    }

    /// Returns all builds in the list, the oldest first.
    pub(crate) fn states(&self) -> Vec<BuildState> {
        self.all.lock().iter().map(|build| build.state()).collect()
    }

    /// Cancels all builds, and waits at most `grace` for their ends.
    pub(crate) async fn stop(&self, grace: Duration) {
        let all = self.all.lock().clone();
        // Starts with the last one, so that no queued build starts in the meantime.
        all.iter().rev().for_each(|build| build.cancel());
        let ended = async {
            for build in &all {
                let _ = build.watch().wait_for(BuildState::has_ended).await;
            }
        };
        let _ = tokio::time::timeout(grace, ended).await;
    }
}
