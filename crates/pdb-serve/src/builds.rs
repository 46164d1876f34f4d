//! Builds that clients asked for: one after another, watched and cancelled by whoever likes to.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, TrySendError, bounded};
use pdb_core::TableKey;
use pdb_spec::Spec;
use serde::Serialize;
use tilebase::{Cancel, Error, Event, Shelf, Watch};
use tokio::sync::watch;

use crate::problem::Problem;
use crate::settings::Settings;

/// So many builds wait.
const QUEUE: usize = 16;
/// So many builds are remembered.
const BUILDS_MAX: usize = 64;
/// The part of a build that its search is, as most are.
const SEARCH_SHARE: f64 = 0.8;
/// Its search and the packing of its entries.
const PACKED_SHARE: f64 = 0.9;

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BuildStatus {
    Queued,
    Running,
    Done,
    Failed,
    Cancelled,
}

/// How far a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TableStatus {
    Waiting,
    Running,
    Done,
    There,
}

/// What is done to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    Check,
    Search,
    Pack,
    Write,
    Sync,
}

/// A table of a build.
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
    /// What its build takes of that of all tables.
    #[serde(skip)]
    weight: f64,
    /// When its build began.
    #[serde(skip)]
    begun: Option<Instant>,
}

/// A build, as clients see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct BuildState {
    pub(crate) id: u64,
    spec: String,
    pub(crate) status: BuildStatus,
    tables: Vec<TableState>,
    /// How much of it is done, from 0 to 1.
    share: f64,
    seconds: f64,
    error: Option<String>,
}

/// A build that was asked for.
#[derive(Debug)]
pub(crate) struct Build {
    spec: Spec,
    state: watch::Sender<BuildState>,
    cancel: Cancel,
}

/// All builds.
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
            begun: None,
        })
    }

    fn see(&mut self, event: pdb_gen::Event) {
        use pdb_gen::Event::{Check, Level, Pack, Resume, Segment, Sync, Write};
        self.status = TableStatus::Running;
        self.seconds = self.begun.get_or_insert_with(Instant::now).elapsed().as_secs_f64();
        let (stage, level, progress) = match event {
            Level { level, done, total }
            | Segment { level, done, total }
            | Resume { level, done, total } => (Stage::Search, Some(level), Some((done, total))),
            Pack => (Stage::Pack, self.level, None),
            Write { done, total } => (Stage::Write, self.level, Some((done, total))),
            Check { done, total } => (Stage::Check, self.level, Some((done, total))),
            Sync => (Stage::Sync, self.level, None),
            _ => return,
        };
        (self.stage, self.level) = (Some(stage), level);
        if let Some((done, total)) = progress {
            (self.done, self.total) = (done, total);
        }
    }

    /// How much of it is done, from 0 to 1.
    fn share(&self) -> f64 {
        let part = self.done as f64 / self.total.max(1) as f64;
        match (self.status, self.stage) {
            (TableStatus::Done | TableStatus::There, _) => 1.0,
            (TableStatus::Waiting, _) | (_, None | Some(Stage::Check)) => 0.0,
            (_, Some(Stage::Search)) => SEARCH_SHARE * part,
            (_, Some(Stage::Pack)) => SEARCH_SHARE,
            (_, Some(Stage::Write)) => PACKED_SHARE + (1.0 - PACKED_SHARE) * part,
            (_, Some(Stage::Sync)) => 1.0,
        }
    }
}

impl BuildState {
    fn table(&mut self, name: &str) -> Option<&mut TableState> {
        self.tables.iter_mut().find(|table| table.file == name)
    }

    fn look(&mut self, begun: Instant) {
        let all: f64 = self.tables.iter().map(|table| table.weight).sum();
        let done: f64 = self.tables.iter().map(|table| table.weight * table.share()).sum();
        self.share = done / all.max(f64::MIN_POSITIVE);
        self.seconds = begun.elapsed().as_secs_f64();
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

    /// Stops it; one that waits never begins.
    pub(crate) fn cancel(&self) {
        self.cancel.cancel();
        self.state.send_if_modified(|state| {
            let is_waiting = state.status == BuildStatus::Queued;
            if is_waiting {
                state.status = BuildStatus::Cancelled;
            }
            is_waiting
        });
    }

    /// Builds; `renewed` is called before anybody is told that it has ended.
    fn run(&self, settings: &Settings, renewed: impl Fn()) {
        let begun = Instant::now();
        let is_wanted = self.state.send_if_modified(|state| {
            let is_waiting = state.status == BuildStatus::Queued;
            if is_waiting {
                state.status = BuildStatus::Running;
            }
            is_waiting
        });
        if !is_wanted {
            return;
        }
        let ended = catch_unwind(AssertUnwindSafe(|| self.build(settings, begun)));
        let ended = match ended {
            Ok(built) => built.map_err(|error| error.to_string()),
            Err(_) => Err("the build ended in a panic: the server's log says where".to_owned()),
        };
        renewed();
        self.state.send_modify(|state| {
            state.look(begun);
            state.status = match ended {
                Ok(()) => BuildStatus::Done,
                Err(_) if self.cancel.is_cancelled() => BuildStatus::Cancelled,
                Err(error) => {
                    state.error = Some(error);
                    BuildStatus::Failed
                }
            };
        });
    }

    fn build(&self, settings: &Settings, begun: Instant) -> Result<(), Error> {
        let Settings { folder, memory, thread_count, .. } = settings;
        let (spec, plan) = (&self.spec, &self.spec.plan);
        let builds = tilebase::Builds::of(plan, folder, false, *memory)?;
        builds.check(&spec.name, spec.goal.shape(), folder, *memory)?;
        let state = self.state.clone();
        let see = move |event: &Event<'_>| {
            if let Event::Table { table, event } = event {
                state.send_modify(|state| {
                    if let Some(table) = state.table(table) {
                        table.see(*event);
                    }
                    state.look(begun);
                });
            }
        };
        let shelf = Shelf {
            memory: *memory,
            thread_count: *thread_count,
            watch: Watch::new(see),
            cancel: self.cancel.clone(),
            ..Shelf::new(folder)
        };
        for (key, way) in &builds.tables {
            let report = shelf.build(key, *way, false)?;
            self.state.send_modify(|state| {
                if let Some(table) = state.table(&key.file_name()) {
                    let is_there = report.already_there;
                    table.status = if is_there { TableStatus::There } else { TableStatus::Done };
                    table.stage = None;
                    table.seconds = report.times.total().as_secs_f64();
                }
                state.look(begun);
            });
        }
        Ok(())
    }
}

impl Builds {
    /// Begins to wait for builds; `renewed` is called at the end of each, as other tables are there then.
    ///
    /// # Errors
    /// What the system says where it starts no more threads.
    pub(crate) fn open(
        settings: &Arc<Settings>,
        renewed: impl Fn() + Send + 'static,
    ) -> Result<Self, Error> {
        let (queue, waiting): (_, Receiver<Arc<Build>>) = bounded(QUEUE);
        let of_thread = Arc::clone(settings);
        let work = move || {
            for build in waiting {
                build.run(&of_thread, &renewed);
            }
        };
        let spawned = thread::Builder::new().name("builds".into()).spawn(work);
        spawned.map_err(|source| Error::Threads { source })?;
        let (all, last_id) = (Mutex::default(), AtomicU64::new(0));
        Ok(Self { all, queue, last_id, settings: Arc::clone(settings) })
    }

    /// Puts the tables of a spec into the queue, or gives the build of that spec that is under way.
    ///
    /// # Errors
    /// A [`Problem`] when there is no room for them, or too many builds wait.
    pub(crate) fn begin(&self, spec: Spec) -> Result<Arc<Build>, Problem> {
        let Settings { folder, memory, .. } = &*self.settings;
        let of = tilebase::Builds::of(&spec.plan, folder, false, *memory).map_err(Error::from)?;
        of.check(&spec.name, spec.goal.shape(), folder, *memory).map_err(Error::from)?;
        let tables: Result<_, _> = of.tables.iter().map(|(key, _)| TableState::of(key)).collect();
        let tables = tables.map_err(Error::from)?;
        let mut all = self.lock();
        let is_same = |build: &&Arc<Build>| {
            let state = build.state.borrow();
            // Of one name and several goals a rule draws several.
            let is_same = state.spec == spec.name && build.spec.plan == spec.plan;
            // One that is being stopped builds nothing for those who come now.
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
                return Err(Problem::internal("the thread that builds has ended"));
            }
        }
        if all.len() >= BUILDS_MAX {
            let oldest = all.iter().position(|build| build.state.borrow().has_ended());
            oldest.map(|oldest| all.remove(oldest));
        }
        all.push(Arc::clone(&build));
        Ok(build)
    }

    /// A build by its number.
    pub(crate) fn get(&self, id: u64) -> Option<Arc<Build>> {
        self.lock().iter().find(|build| build.state.borrow().id == id).cloned()
    }

    /// All that are remembered, the oldest first.
    pub(crate) fn states(&self) -> Vec<BuildState> {
        self.lock().iter().map(|build| build.state()).collect()
    }

    /// Stops all, and waits a while until they have ended.
    pub(crate) async fn stop(&self, grace: Duration) {
        let all = self.lock().clone();
        // From the last one that waits, so that none begins when the one before it ends.
        all.iter().rev().for_each(|build| build.cancel());
        let ended = async {
            for build in &all {
                let _ = build.watch().wait_for(BuildState::has_ended).await;
            }
        };
        let _ = tokio::time::timeout(grace, ended).await;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Build>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
