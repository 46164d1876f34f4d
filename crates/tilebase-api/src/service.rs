//! Everything that requests share, and the form in which they arrive and start.

use std::sync::Arc;

use tilebase::text::MoveStyle;

use crate::builds::{Build, BuildList};
use crate::catalogue::Catalogue;
use crate::events::EVENT_STREAM;
use crate::limits::Client;
use crate::place::Place;
use crate::problem::Problem;
use crate::request::{Outcome, Request};

/// State that all requests share.
#[derive(Debug)]
pub struct Service {
    /// Handles of tables, and drawn specs.
    pub catalogue: Arc<Catalogue>,
    /// Builds on behalf of clients.
    pub builds: Arc<BuildList>,
}

impl Service {
    /// Creates the state. `enqueue` receives each new build, and runs it later; it refuses builds
    /// beyond its capacity.
    pub fn new(
        place: Arc<dyn Place>,
        enqueue: impl Fn(Arc<Build>) -> Result<(), Problem> + Send + Sync + 'static,
    ) -> Self {
        let catalogue = Arc::new(Catalogue::new(place));
        Self { catalogue, builds: Arc::new(BuildList::new(enqueue)) }
    }
}

/// A request for a route.
#[derive(Clone, Copy, Debug)]
pub struct RawRequest<'a> {
    /// The client.
    pub client: Client,
    /// The query string.
    pub query: &'a str,
    /// The header `Accept`, or an empty text.
    pub accept: &'a str,
    /// The number in the path, if the route has one.
    pub id: Option<u64>,
    /// The body, if the route has one.
    pub body: &'a [u8],
}

impl RawRequest<'_> {
    /// Returns whether the client wants events. Others get a record: many clients send no header.
    pub(crate) fn wants_events(&self) -> bool {
        self.accept.contains(EVENT_STREAM) && !self.accept.contains(Outcome::JSON)
    }
}

/// The rest of a request after it was read.
#[derive(Debug)]
pub enum Work {
    /// The request is done.
    Done(Outcome),
    /// Work, whose outcome is the response.
    Run(Request),
    /// A search whose bounds, solutions and progress are sent as events, with moves in this style.
    /// The last event has the record.
    Search(Request, MoveStyle),
    /// A build, whose states are sent as events `build` until it has ended.
    Build(Arc<Build>),
}
