//! What all requests share.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use bytes::Bytes;
use tilebase::{Board, Error, MoveNaming};

use crate::builds::Builds;
use crate::desk::Desk;
use crate::log::Log;
use crate::memory::Remembered;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::tables::Tables;

/// What was asked of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) route: &'static str,
    pub(crate) board: Board,
    pub(crate) goal: Option<String>,
    pub(crate) spec: Option<String>,
    pub(crate) naming: MoveNaming,
}

impl Hash for Asked {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // How moves are written and who asks tell few apart.
        (self.board, &self.goal, &self.spec, self.route).hash(hasher);
    }
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Arc<Settings>,
    pub(crate) tables: Arc<Tables>,
    pub(crate) desk: Desk,
    pub(crate) builds: Builds,
    pub(crate) metrics: Metrics,
    /// Where each request is told, if it is.
    pub(crate) log: Option<Log>,
    /// Answers as they were sent.
    pub(crate) answers: Arc<Remembered<Asked, Bytes>>,
}

/// What handlers are given.
pub(crate) type State = axum::extract::State<Arc<Shared>>;

impl Shared {
    pub(crate) fn new(settings: Settings) -> Result<Self, Error> {
        let settings = Arc::new(settings);
        let tables = Arc::new(Tables::new(&settings));
        let answers = Arc::new(Remembered::new(settings.limits.remembered));
        let desk = Desk::open(settings.thread_count, settings.limits.queue, settings.limits.time)?;
        let renewed = {
            let (tables, answers) = (Arc::clone(&tables), Arc::clone(&answers));
            move || renew(&tables, &answers)
        };
        let builds = Builds::open(&settings, renewed)?;
        let log = if settings.logs { Some(Log::open()?) } else { None };
        let metrics = Metrics::default();
        Ok(Self { settings, tables, desk, builds, metrics, log, answers })
    }
    /// Forgets what other tables may change.
    pub(crate) fn renew(&self) {
        renew(&self.tables, &self.answers);
    }
}

fn renew(tables: &Tables, answers: &Remembered<Asked, Bytes>) {
    // Answers last: one that is begun after that has new tables.
    tables.forget_all();
    answers.clear();
}
