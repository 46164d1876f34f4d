//! The requests: each is read from its parameters, runs on any thread, and gives its record.

pub(crate) mod about;
pub(crate) mod animation;
pub(crate) mod boards;
pub(crate) mod builds;
pub(crate) mod rate;
pub(crate) mod scramble;
pub(crate) mod specs;
pub(crate) mod tables;

use std::sync::Arc;

use tilebase::{Error, Goal, Shape, Tilebase};

use crate::catalogue::{Catalogue, HandleKey};
use crate::params::Params;
use crate::problem::Problem;

/// A goal of the parameters `shape` and `goal`, with the handle for boards without a spec.
#[derive(Debug)]
struct GoalQuery {
    catalogue: Arc<Catalogue>,
    shape: Shape,
    key: HandleKey,
    goal: Goal,
    tables: Tilebase,
}

impl GoalQuery {
    fn read(catalogue: &Arc<Catalogue>, params: &Params) -> Result<Self, Problem> {
        let shape = params.shape()?;
        let goal = params.text("goal").map(str::to_owned);
        let key = HandleKey { spec: None, goal, metric: params.metric()? };
        let tables = catalogue.handle(&key)?;
        let shape = shape.or(tables.shape()).unwrap_or_default();
        let goal = tables.goal(shape).map_err(Error::from)?;
        Ok(Self { catalogue: Arc::clone(catalogue), shape, key, goal, tables })
    }

    /// Converts an error of the handle.
    fn problem(&self, error: Error) -> Problem {
        self.catalogue.problem(&self.key, error)
    }
}
