//! The contract of requests that need work.

use std::fmt::Debug;

use serde::Serialize;
use tilebase::pdb_search::LimitKind;
use tilebase::text::MoveNaming;
use tilebase::{Board, Search};

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

/// A request that was read and checked, and whose work may run on any thread.
pub trait Request: Debug + Send + Sync {
    /// Returns the kind of the work.
    fn lane(&self) -> Lane;

    /// Returns the limits of the work, and the options of its search.
    fn search(&self) -> Search {
        Search::default()
    }

    /// Returns the key under which a complete record may be cached.
    fn key(&self) -> Option<RequestKey> {
        None
    }

    /// Does the work within the limits of `search`.
    ///
    /// # Errors
    /// A [`Problem`] if the work fails.
    fn run(&self, search: &Search) -> Result<Outcome, Problem>;
}

/// Key of a cached record: requests with the same key have the same complete record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestKey {
    /// The kind of the request.
    pub kind: &'static str,
    /// The board.
    pub board: Board,
    /// The goal as given.
    pub goal: Option<String>,
    /// The spec as given.
    pub spec: Option<String>,
    /// The notation of moves.
    pub naming: MoveNaming,
}

impl std::hash::Hash for RequestKey {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        // The naming of moves distinguishes few requests.
        (self.board, &self.goal, &self.spec, self.kind).hash(hasher);
    }
}

/// The record of a request, in the form that clients receive.
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
