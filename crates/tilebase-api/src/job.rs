//! Work of requests, and its replies.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use tilebase::Search;
use tilebase::pdb_search::LimitKind;
use tilebase::text::MoveStyle;

use crate::events::{event_of_json, watch};
use crate::problem::Problem;

/// Kind of the work of a request, for a place with several threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// A search, which may be easy or hard. It may run twice, with different limits.
    Search,
    /// Long work that runs once.
    Long,
    /// Work without a search.
    Report,
}

/// Work within the limits of a search.
type WorkFn = dyn Fn(&Search) -> Result<Reply, Problem> + Send + Sync;

/// Work of a request, which may run on any thread.
#[derive(Clone)]
pub struct Job {
    /// The kind of the work.
    pub lane: Lane,
    /// The limits of the work, and the options of its search.
    pub search: Search,
    /// The key under which a complete record may be cached: jobs with the same key have the same
    /// complete record.
    pub key: Option<String>,
    /// Style of the moves in events, if the client wants events.
    pub(crate) events: Option<MoveStyle>,
    work: Arc<WorkFn>,
}

impl Job {
    pub(crate) fn new(
        lane: Lane,
        search: Search,
        work: impl Fn(&Search) -> Result<Reply, Problem> + Send + Sync + 'static,
    ) -> Self {
        Self { lane, search, key: None, events: None, work: Arc::new(work) }
    }

    /// Creates work without a search.
    pub(crate) fn report(
        work: impl Fn(&Search) -> Result<Reply, Problem> + Send + Sync + 'static,
    ) -> Self {
        Self::new(Lane::Report, Search::default(), work)
    }

    /// Returns whether the client wants events of the search, and its reply as the [last
    /// one](Reply::last_event).
    pub fn has_events(&self) -> bool {
        self.events.is_some()
    }

    /// Lets the search send events: each bound and solution, and its progress each
    /// [`EVENT_INTERVAL`](crate::EVENT_INTERVAL). `send` is told that none of them is the last one,
    /// and returns whether the client still waits; otherwise the search is cancelled. It is called
    /// in the middle of work, so it must be quick.
    pub fn send_events(&mut self, send: impl Fn(String, bool) -> bool + Send + Sync + 'static) {
        watch(&mut self.search, self.events.unwrap_or_default(), send);
    }

    /// Does the work within the limits of `search`.
    pub fn run(&self, search: &Search) -> Reply {
        (self.work)(search).unwrap_or_else(Reply::from)
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("lane", &self.lane).finish_non_exhaustive()
    }
}

/// The record of a request, or its error, in the form that clients receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Status, as in HTTP.
    pub status: u16,
    /// Content type of the body.
    pub content_type: &'static str,
    /// The record as JSON, or a picture.
    pub body: Vec<u8>,
    /// The limit that ended the search; `None` if the record is complete.
    pub limit: Option<LimitKind>,
    /// Nodes that the search generated.
    pub generated: u64,
}

impl From<Problem> for Reply {
    fn from(problem: Problem) -> Self {
        let (status, content_type) = (problem.status(), Problem::CONTENT_TYPE);
        Self { status, content_type, ..Self::of(&problem.body()) }
    }
}

impl Reply {
    /// Content type of records.
    pub const JSON: &'static str = "application/json";

    /// Creates a complete reply of work without a search.
    pub fn of(record: &impl Serialize) -> Self {
        let body = serde_json::to_vec(record).expect("a record has a JSON form");
        Self { status: 200, content_type: Self::JSON, body, limit: None, generated: 0 }
    }

    /// Returns the event that ends the events of a search: the record, or the error.
    pub fn last_event(&self) -> String {
        let name = if self.content_type == Self::JSON { "answer" } else { "problem" };
        event_of_json(name, str::from_utf8(&self.body).expect("a record of a search is JSON"))
    }
}
