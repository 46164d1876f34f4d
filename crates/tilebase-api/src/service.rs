//! Everything that requests share.

use std::sync::Arc;

use crate::builds::{Build, BuildList};
use crate::catalogue::Catalogue;
use crate::place::Place;
use crate::problem::Problem;

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
