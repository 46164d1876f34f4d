//! Heuristics of the calling program.

use std::fmt;
use std::sync::Arc;

use pdb_core::{Estimator, Goal};

/// Function that makes the heuristic for boards with a goal.
type Constructor = dyn Fn(&Goal) -> Arc<dyn Estimator> + Send + Sync;

/// A heuristic of the calling program, and its name.
#[derive(Clone)]
pub struct OwnHeuristic {
    name: Arc<str>,
    make: Arc<Constructor>,
}

impl OwnHeuristic {
    pub(crate) fn new(
        name: &str,
        make: impl Fn(&Goal) -> Arc<dyn Estimator> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), make: Arc::new(make) }
    }

    /// Returns the name that answers show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes the heuristic for boards with a goal.
    pub fn estimator(&self, goal: &Goal) -> Arc<dyn Estimator> {
        (self.make)(goal)
    }
}

impl fmt::Debug for OwnHeuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnHeuristic").field("name", &self.name).finish_non_exhaustive()
    }
}
