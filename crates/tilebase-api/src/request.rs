//! Requests that need work, and their outcomes.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use tilebase::pdb_search::LimitKind;
use tilebase::text::MoveNaming;
use tilebase::{Board, Search};

use crate::catalogue::HandleKey;
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
type WorkFn = dyn Fn(&Search) -> Result<Outcome, Problem> + Send + Sync;

/// A request that was read and checked, and whose work may run on any thread.
#[derive(Clone)]
pub struct Request {
    /// The kind of the work.
    pub lane: Lane,
    /// The limits of the work, and the options of its search.
    pub search: Search,
    /// The key under which a complete record may be cached.
    pub key: Option<RequestKey>,
    work: Arc<WorkFn>,
}

impl Request {
    pub(crate) fn new(
        lane: Lane,
        search: Search,
        work: impl Fn(&Search) -> Result<Outcome, Problem> + Send + Sync + 'static,
    ) -> Self {
        Self { lane, search, key: None, work: Arc::new(work) }
    }

    /// Creates a request whose work has no search.
    pub(crate) fn report(
        work: impl Fn(&Search) -> Result<Outcome, Problem> + Send + Sync + 'static,
    ) -> Self {
        Self::new(Lane::Report, Search::default(), work)
    }

    /// Does the work within the limits of `search`.
    ///
    /// # Errors
    /// A [`Problem`] if the work fails.
    pub fn run(&self, search: &Search) -> Result<Outcome, Problem> {
        (self.work)(search)
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("lane", &self.lane).finish_non_exhaustive()
    }
}

/// Key of a cached record: requests with the same key have the same complete record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestKey {
    /// The kind of the request.
    pub kind: &'static str,
    /// The board.
    pub board: Board,
    /// The spec and the goal as given, and the metric.
    pub handle: HandleKey,
    /// The notation of moves.
    pub naming: MoveNaming,
}

impl std::hash::Hash for RequestKey {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        // The naming of moves distinguishes few requests.
        (self.board, &self.handle, self.kind).hash(hasher);
    }
}

/// The record of a request, or its error, in the form that clients receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
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

impl From<Problem> for Outcome {
    fn from(problem: Problem) -> Self {
        let (status, content_type) = (problem.status(), Problem::CONTENT_TYPE);
        Self { status, content_type, ..Self::of(&problem.body()) }
    }
}

impl Outcome {
    /// Content type of records.
    pub const JSON: &'static str = "application/json";

    /// Creates a complete outcome of work without a search.
    pub fn of(record: &impl Serialize) -> Self {
        let body = serde_json::to_vec(record).expect("a record has a JSON form");
        Self { status: 200, content_type: Self::JSON, body, limit: None, generated: 0 }
    }

    /// Creates the outcome of a search.
    pub(crate) fn of_search(
        record: &impl Serialize,
        limit: Option<LimitKind>,
        generated: u64,
    ) -> Self {
        Self { limit, generated, ..Self::of(record) }
    }
}
