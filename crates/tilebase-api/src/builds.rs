//! Builds of tables on behalf of clients: their list, their states, and who follows them.
//!
//! A place runs the builds one after the other. It reports the events of `pdb_gen` to
//! [`Build::report`].

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use pdb_clock::Instant;
use pdb_core::TableKey;
use pdb_spec::Spec;
use serde::Serialize;
use tilebase::Cancel;

use crate::events::{EVENT_INTERVAL, event};
use crate::problem::Problem;

/// Number of builds in the list.
const LIST_CAPACITY: usize = 64;
/// Usual share of the search in the time of a build.
const SEARCH_SHARE: f64 = 0.8;
/// Usual share of search and packing in the time of a build.
const PACKED_SHARE: f64 = 0.9;

/// Status of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BuildStatus {
    /// Waits for other builds.
    Queued,
    /// Has started.
    Running,
    /// All tables exist.
    Done,
    /// Ended with an error.
    Failed,
    /// Was stopped by a client.
    Cancelled,
}

/// Status of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TableStatus {
    /// Waits for other tables.
    Waiting,
    /// Is built.
    Running,
    /// Was built.
    Done,
    /// Existed before.
    There,
}

/// Stage of the build of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// An existing file is checked.
    Check,
    /// The breadth-first search.
    Search,
    /// Entries are packed.
    Pack,
    /// The file is written.
    Write,
    /// The file is made durable.
    Sync,
}

/// State of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableState {
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
pub struct BuildState {
    /// Number of the build.
    pub id: u64,
    spec: String,
    /// Status of the build.
    pub status: BuildStatus,
    tables: Vec<TableState>,
    /// Finished share, from 0 to 1.
    share: f64,
    seconds: f64,
    error: Option<String>,
    /// Time when it left the queue.
    #[serde(skip)]
    started: Option<Instant>,
}

/// Receiver of a build's states. It returns whether it wants more of them.
type Listener = Box<dyn FnMut(&BuildState) -> bool + Send>;

/// A requested build.
#[derive(Debug)]
pub struct Build {
    id: u64,
    spec: Spec,
    cancel: Cancel,
    progress: Mutex<BuildProgress>,
}

/// State of a build, with those who follow it.
struct BuildProgress {
    state: BuildState,
    listeners: Vec<Listener>,
}

/// Receiver of new builds, which runs them later.
type Queue = Box<dyn Fn(Arc<Build>) -> Result<(), Problem> + Send + Sync>;

/// List of builds.
pub struct BuildList {
    all: Mutex<Vec<Arc<Build>>>,
    queue: Queue,
}

impl fmt::Debug for BuildProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuildProgress").field("state", &self.state).finish_non_exhaustive()
    }
}

impl fmt::Debug for BuildList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuildList").field("all", &self.all).finish_non_exhaustive()
    }
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

    fn update_share(&mut self) {
        let all: f64 = self.tables.iter().map(|table| table.weight).sum();
        let done: f64 = self.tables.iter().map(|table| table.weight * table.share()).sum();
        self.share = done / all.max(f64::MIN_POSITIVE);
        self.seconds = self.started.map_or(0.0, |started| started.elapsed().as_secs_f64());
    }

    /// Returns the status and the stage of each table.
    fn stages(&self) -> Vec<(TableStatus, Option<Stage>)> {
        self.tables.iter().map(|table| (table.status, table.stage)).collect()
    }

    /// Returns whether the build has ended.
    pub fn has_ended(&self) -> bool {
        !matches!(self.status, BuildStatus::Queued | BuildStatus::Running)
    }
}

impl BuildProgress {
    fn change(&mut self, change: impl FnOnce(&mut BuildState)) {
        let Self { state, listeners } = self;
        change(state);
        listeners.retain_mut(|listener| listener(state) && !state.has_ended());
    }
}

impl Build {
    fn new(id: u64, spec: Spec, tables: Vec<TableState>) -> Self {
        let (name, status) = (spec.name.clone(), BuildStatus::Queued);
        let state = BuildState {
            id,
            spec: name,
            status,
            tables,
            share: 0.0,
            seconds: 0.0,
            error: None,
            started: None,
        };
        let progress = BuildProgress { state, listeners: Vec::new() };
        Self { id, spec, cancel: Cancel::new(), progress: Mutex::new(progress) }
    }

    /// Returns the spec whose tables are built.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns the flag that stops the build.
    pub fn cancelled(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns the present state.
    pub fn state(&self) -> BuildState {
        self.progress.lock().state.clone()
    }

    /// Sends the states as events until the build has ended: each new stage at once, and progress
    /// within a stage after [`EVENT_INTERVAL`]. `send` is told whether an event is the last one,
    /// and returns whether the client still waits. It is called in the middle of work, so it must
    /// be quick, and must not call this build.
    pub fn send_events(&self, mut send: impl FnMut(String, bool) -> bool + Send + 'static) {
        let mut sent = None;
        let mut listener = move |state: &BuildState| {
            let stages = state.stages();
            let is_sent = |(time, known): &(Instant, _)| {
                *known == stages && time.elapsed() < EVENT_INTERVAL && !state.has_ended()
            };
            if sent.as_ref().is_some_and(is_sent) {
                return true;
            }
            sent = Some((Instant::now(), stages));
            send(event("build", state), state.has_ended())
        };
        let mut progress = self.progress.lock();
        if listener(&progress.state) && !progress.state.has_ended() {
            progress.listeners.push(Box::new(listener));
        }
    }

    /// Stops the build. A queued build never starts.
    pub fn cancel(&self) {
        self.cancel.cancel();
        self.leave_queue(BuildStatus::Cancelled);
    }

    /// Changes the state, and passes it on.
    fn change(&self, change: impl FnOnce(&mut BuildState)) {
        self.progress.lock().change(change);
    }

    /// Changes the status of a queued build. Returns whether it was queued.
    fn leave_queue(&self, status: BuildStatus) -> bool {
        let mut progress = self.progress.lock();
        let is_queued = progress.state.status == BuildStatus::Queued;
        if is_queued {
            progress.state.started = Some(Instant::now());
            progress.change(|state| state.status = status);
        }
        is_queued
    }

    /// Runs the build, unless it has left the queue. `work` builds the tables, and returns the text
    /// of its error.
    pub fn run(&self, work: impl FnOnce() -> Result<(), String>) {
        if !self.leave_queue(BuildStatus::Running) {
            return;
        }
        let result = work();
        self.change(|state| {
            state.update_share();
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

    /// Reports progress of a table, by the name of its file.
    pub fn report(&self, file: &str, event: pdb_gen::Event) {
        self.change(|state| {
            if let Some(table) = state.table(file) {
                table.update(event);
            }
            state.update_share();
        });
    }

    /// Reports that a table exists now, or existed before. `time` is that of its build.
    pub fn report_end(&self, file: &str, existed: bool, time: Duration) {
        self.change(|state| {
            if let Some(table) = state.table(file) {
                table.status = if existed { TableStatus::There } else { TableStatus::Done };
                table.stage = None;
                table.seconds = time.as_secs_f64();
            }
            state.update_share();
        });
    }
}

impl BuildList {
    pub(crate) fn new(
        queue: impl Fn(Arc<Build>) -> Result<(), Problem> + Send + Sync + 'static,
    ) -> Self {
        Self { all: Mutex::default(), queue: Box::new(queue) }
    }

    /// Queues the tables of a spec, or returns the unfinished build of the same spec.
    ///
    /// # Errors
    /// A [`Problem`] if a table can never be built, or the queue is full.
    pub fn request(&self, spec: Spec) -> Result<Arc<Build>, Problem> {
        let tables = spec.plan.tables().iter().map(TableState::of).collect::<Result<_, _>>();
        let tables = tables.map_err(|error| Problem::internal(error.to_string()))?;
        let mut all = self.all.lock();
        let is_same = |build: &&Arc<Build>| {
            // A generated name stands for several specs: one for each goal.
            let is_same = build.spec.name == spec.name && build.spec.plan == spec.plan;
            // A cancelled build does not count.
            is_same && !build.state().has_ended() && !build.cancel.is_cancelled()
        };
        if let Some(build) = all.iter().find(is_same) {
            return Ok(Arc::clone(build));
        }
        let id = all.last().map_or(1, |last| last.id + 1);
        let build = Arc::new(Build::new(id, spec, tables));
        (self.queue)(Arc::clone(&build))?;
        if all.len() >= LIST_CAPACITY {
            let oldest = all.iter().position(|build| build.state().has_ended());
            oldest.map(|oldest| all.remove(oldest));
        }
        all.push(Arc::clone(&build));
        Ok(build)
    }

    /// Returns a build by its number.
    pub fn get(&self, id: u64) -> Option<Arc<Build>> {
        self.all.lock().iter().find(|build| build.id == id).cloned()
    }

    /// Returns all builds in the list, the oldest first.
    pub fn all(&self) -> Vec<Arc<Build>> {
        self.all.lock().clone()
    }
}
