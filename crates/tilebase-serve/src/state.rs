//! State that all requests share.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use bytes::Bytes;
use tilebase::text::MoveNaming;
use tilebase::{Board, Error};

use crate::builds::Builds;
use crate::cache::Cache;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::tables::Tables;
use crate::worker_pool::WorkerPool;

/// Key of a cached response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResponseKey {
    pub(crate) route: &'static str,
    pub(crate) board: Board,
    pub(crate) goal: Option<String>,
    pub(crate) spec: Option<String>,
    pub(crate) naming: MoveNaming,
}

impl Hash for ResponseKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // The naming of moves distinguishes few requests.
        (self.board, &self.goal, &self.spec, self.route).hash(hasher);
    }
}

/// State that all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Arc<Settings>,
    pub(crate) tables: Arc<Tables>,
    pub(crate) workers: WorkerPool,
    pub(crate) builds: Builds,
    pub(crate) metrics: Metrics,
    pub(crate) log: Option<Log>,
    pub(crate) responses: Arc<Cache<ResponseKey, Bytes>>,
}

/// Argument of the handlers.
pub(crate) type State = axum::extract::State<Arc<Shared>>;

impl Shared {
    pub(crate) fn new(settings: Settings) -> Result<Self, Error> {
        let settings = Arc::new(settings);
        let tables = Arc::new(Tables::new(&settings));
        let responses = Arc::new(Cache::new(settings.limits.remembered));
        let limits = &settings.limits;
        let workers = WorkerPool::start(settings.thread_count, limits.queue, limits.time)?;
        let refresh = {
            let (tables, responses) = (Arc::clone(&tables), Arc::clone(&responses));
            move || refresh(&tables, &responses)
        };
        let builds = Builds::start(&settings, refresh)?;
        let log = if settings.logs { Some(Log::open()?) } else { None };
        let metrics = Metrics::default();
        Ok(Self { settings, tables, workers, builds, metrics, log, responses })
    }

    /// Drops all handles and responses, after the tables in the folder have changed.
    pub(crate) fn refresh(&self) {
        refresh(&self.tables, &self.responses);
    }
}

fn refresh(tables: &Tables, responses: &Cache<ResponseKey, Bytes>) {
    // Responses last: a search that starts after this uses the new tables.
    tables.clear();
    responses.clear();
}
