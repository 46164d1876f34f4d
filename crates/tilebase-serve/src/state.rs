//! State that all requests share.

use std::sync::Arc;

use tilebase::Error;
use tilebase_api::{Cache, Service};

use crate::builds;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::place::{Records, ServerPlace};
use crate::settings::Settings;
use crate::worker_pool::WorkerPool;

/// State that all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Arc<Settings>,
    pub(crate) service: Service,
    pub(crate) workers: WorkerPool,
    pub(crate) metrics: Metrics,
    pub(crate) log: Option<Log>,
    pub(crate) records: Arc<Records>,
}

/// Argument of the handlers.
pub(crate) type State = axum::extract::State<Arc<Shared>>;

impl Shared {
    pub(crate) fn new(settings: Settings) -> Result<Self, Error> {
        let settings = Arc::new(settings);
        let records = Arc::new(Cache::new(settings.limits.remembered));
        let place = ServerPlace { settings: Arc::clone(&settings), records: Arc::clone(&records) };
        let limits = &settings.limits;
        let workers = WorkerPool::start(settings.thread_count, limits.queue, limits.time)?;
        let (queue, queued) = builds::queue();
        let service = Service::new(Arc::new(place), move |build| builds::enqueue(&queue, build));
        builds::start(queued, &settings, &service.catalogue)?;
        let log = if settings.logs { Some(Log::open()?) } else { None };
        let metrics = Metrics::default();
        Ok(Self { settings, service, workers, metrics, log, records })
    }
}
