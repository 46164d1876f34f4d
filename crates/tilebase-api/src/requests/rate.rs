//! Means of estimates over random boards.

use std::sync::Arc;

use serde::Serialize;
use tilebase::pdb_search::SearchError;
use tilebase::sets::BoardSet;
use tilebase::shelf::confirm;
use tilebase::{Error, Goal, Metric, Search, Shape, Tilebase};

use crate::call::{Call, Prepared};
use crate::catalogue::{Catalogue, HandleKey};
use crate::job::{Job, Lane, Reply};
use crate::problem::{Problem, check_cancelled, is_missing_table};
use crate::service::Service;

/// Largest number of boards for a mean.
const BOARDS_MAX: usize = 20_000;
/// Largest number of specs in a request.
const SPECS_MAX: usize = 12;
/// Half width of the 95 % confidence interval, in standard errors.
const STANDARD_ERRORS: f64 = 1.96;

/// A request for means.
#[derive(Debug)]
struct Rate {
    catalogue: Arc<Catalogue>,
    names: Vec<String>,
    shape: Option<Shape>,
    goal: Option<String>,
    metric: Metric,
    boards: usize,
    seed: u64,
}

/// Means of estimates over random boards.
#[derive(Debug, Serialize)]
struct Rating {
    boards: usize,
    seed: u64,
    goal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'static str>,
    specs: Vec<SpecRating>,
}

/// Estimates of a spec over random boards.
#[derive(Debug, Serialize)]
struct SpecRating {
    spec: String,
    mean: f64,
    low: f64,
    high: f64,
    least: u32,
    greatest: u32,
    /// Each estimate with its number of boards.
    histogram: Vec<(u32, usize)>,
}

/// Rounds to three decimals, which is finer than the interval.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

impl SpecRating {
    fn new(spec: String, mut estimates: Vec<u32>) -> Self {
        estimates.sort_unstable();
        let count = estimates.len() as f64;
        let mean = estimates.iter().map(|&estimate| f64::from(estimate)).sum::<f64>() / count;
        let squares = estimates.iter().map(|&estimate| (f64::from(estimate) - mean).powi(2));
        let variance = squares.sum::<f64>() / (count - 1.0).max(1.0);
        let half = STANDARD_ERRORS * (variance / count).sqrt();
        let histogram = estimates.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
        let (least, greatest) = (estimates[0], estimates[estimates.len() - 1]);
        let [mean, low, high] = [mean, mean - half, mean + half].map(rounded);
        Self { spec, mean, low, high, least, greatest, histogram }
    }
}

impl Rate {
    fn run(&self, search: &Search) -> Result<Reply, Problem> {
        let Self { catalogue, names, metric, boards, seed, .. } = self;
        let key = |name: &String| {
            let (spec, goal) = (Some(name.clone()), self.goal.clone());
            HandleKey { spec, goal, metric: *metric }
        };
        let handle = |name: &String| catalogue.handle(&key(name));
        let handles = names.iter().map(handle).collect::<Result<Vec<_>, _>>()?;
        let drawn = handles.iter().find_map(Tilebase::shape);
        let shape = self.shape.or(drawn).unwrap_or_default();
        let goal = handles[0].goal(shape).map_err(Error::from)?;
        let set = BoardSet::random(&goal, *boards, *seed);
        let mut specs = Vec::new();
        for (name, handle) in names.iter().zip(&handles) {
            let of_spec: Goal = handle.goal(shape).map_err(Error::from)?;
            if of_spec != goal {
                return Err(Problem::bad(format!(
                    "{name} has another goal than {}: name the goal",
                    names[0]
                )));
            }
            let problem = |error| catalogue.problem(&key(name), error);
            let engine = handle.engine_with(&goal, search).map_err(|error| {
                let is_missing = is_missing_table(&error);
                let problem = problem(error);
                if is_missing { missing(name) } else { problem }
            })?;
            let mut estimates = Vec::with_capacity(*boards);
            for board in &set.boards {
                check_cancelled(&search.cancel)?;
                let estimate = engine.estimate(board);
                estimates.push(estimate.map_err(|error| Error::Search(SearchError::from(error)))?);
            }
            confirm(&engine).map_err(problem)?;
            specs.push(SpecRating::new(name.clone(), estimates));
        }
        let (goal, metric) = (goal.board().to_string(), metric.unusual_name());
        Ok(Reply::of(&Rating { boards: *boards, seed: *seed, goal, metric, specs }))
    }
}

pub(crate) fn rate(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let known = ["specs", "shape", "goal", "metric", "boards", "seed"];
    let params = call.params(&known)?;
    let boards = params.number("boards", 1000, 1..=BOARDS_MAX)?;
    let seed = params.number("seed", 1, 0..=u64::MAX)?;
    let names: Vec<String> = params
        .text("specs")
        .unwrap_or_default()
        .split(',')
        .map(|name| name.trim().to_owned())
        .collect();
    if names.len() > SPECS_MAX || names.iter().any(String::is_empty) {
        return Err(Problem::bad(format!(
            "specs: expected 1 to {SPECS_MAX} names with commas between them, such as 15/7-8,manhattan"
        )));
    }
    let goal = params.text("goal").map(str::to_owned);
    let (shape, metric) = (params.shape()?, params.metric()?);
    let search = Search { time: Some(call.client.limits.time), ..Search::default() };
    let catalogue = Arc::clone(&service.catalogue);
    let rate = Rate { catalogue, names, shape, goal, metric, boards, seed };
    Ok(Prepared::Job(Job::new(Lane::Long, search, move |search| rate.run(search))))
}

/// Returns the error of a spec without tables.
fn missing(name: &str) -> Problem {
    Problem::conflict(format!(
        "the tables of {name} are not built: build them with POST /v1/builds"
    ))
}
