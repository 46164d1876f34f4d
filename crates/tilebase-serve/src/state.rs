//! State that all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase::Error;
use tilebase_api::{Cache, Job, Reply, Service};

use crate::builds;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::place::ServerPlace;
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
    /// Complete records of requests.
    pub(crate) records: Cache<String, Reply>,
}

/// Argument of the handlers.
pub(crate) type State = axum::extract::State<Arc<Shared>>;

impl Shared {
    pub(crate) fn new(settings: Settings) -> Result<Self, Error> {
        let settings = Arc::new(settings);
        let place = ServerPlace::new(Arc::clone(&settings));
        let records = Cache::new(settings.limits.remembered);
        let workers = WorkerPool::start(settings.thread_count, &settings.limits)?;
        let queue = builds::start(&settings)?;
        let service = Service::new(Arc::new(place), move |build| builds::enqueue(&queue, build));
        let log = if settings.logs { Some(Log::open()?) } else { None };
        let metrics = Metrics::default();
        Ok(Self { settings, service, workers, metrics, log, records })
    }

    /// Does the work of a job, and counts its nodes.
    pub(crate) async fn run(&self, job: &Job) -> Reply {
        let reply = self.workers.run(job).await;
        self.metrics.generated.fetch_add(reply.generated, Ordering::Relaxed);
        reply
    }
}

/// A request or a connection, counted until it is dropped.
pub(crate) struct Counted {
    shared: Arc<Shared>,
    counter: fn(&Metrics) -> &AtomicU64,
    /// Its number among those that are counted.
    pub(crate) number: u64,
}

impl Counted {
    pub(crate) fn new(shared: &Arc<Shared>, counter: fn(&Metrics) -> &AtomicU64) -> Self {
        let number = counter(&shared.metrics).fetch_add(1, Ordering::Relaxed) + 1;
        Self { shared: Arc::clone(shared), counter, number }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        (self.counter)(&self.shared.metrics).fetch_sub(1, Ordering::Relaxed);
    }
}
