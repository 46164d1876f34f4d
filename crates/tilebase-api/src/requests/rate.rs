//! Means of estimates over random boards.

use std::sync::Arc;

use serde::Serialize;
use tilebase::rate::Interval;
use tilebase::sets::BoardSet;
use tilebase::{Error, Goal, Search, Tilebase};

use crate::call::{Call, Prepared};
use crate::catalogue::HandleKey;
use crate::job::{Job, Lane, Reply};
use crate::problem::{Problem, is_missing_table};
use crate::service::Service;

/// Largest number of boards for a mean.
const BOARDS_MAX: usize = 20_000;
/// Largest number of specs in a request.
const SPECS_MAX: usize = 12;

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
        let interval = Interval::of_mean(estimates.iter().map(|&estimate| f64::from(estimate)));
        let histogram = estimates.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
        let (least, greatest) = (estimates[0], estimates[estimates.len() - 1]);
        let [mean, low, high] = [interval.mean, interval.low, interval.high].map(rounded);
        Self { spec, mean, low, high, least, greatest, histogram }
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
    let work = move |search: &Search| {
        let key = |name: &String| {
            let (spec, goal) = (Some(name.clone()), goal.clone());
            HandleKey { spec, goal, metric }
        };
        let handle = |name: &String| catalogue.handle(&key(name));
        let handles = names.iter().map(handle).collect::<Result<Vec<_>, _>>()?;
        let drawn = handles.iter().find_map(Tilebase::shape);
        let shape = shape.or(drawn).unwrap_or_default();
        let goal = handles[0].goal(shape).map_err(Error::from)?;
        let set = BoardSet::random(&goal, boards, seed);
        let mut specs = Vec::new();
        for (name, handle) in names.iter().zip(&handles) {
            let of_spec: Goal = handle.goal(shape).map_err(Error::from)?;
            if of_spec != goal {
                return Err(Problem::bad(format!(
                    "{name} has another goal than {}: name the goal",
                    names[0]
                )));
            }
            let estimates = handle.estimate_all(&set.boards, search).map_err(|error| {
                let is_missing = is_missing_table(&error);
                let problem = catalogue.problem(&key(name), error);
                if is_missing { missing(name) } else { problem }
            })?;
            specs.push(SpecRating::new(name.clone(), estimates));
        }
        let (goal, metric) = (goal.board().to_string(), metric.unusual_name());
        Ok(Reply::of(&Rating { boards, seed, goal, metric, specs }))
    };
    Ok(Prepared::Job(Job::new(Lane::Long, search, work)))
}

/// Returns the error of a spec without tables.
fn missing(name: &str) -> Problem {
    Problem::conflict(format!(
        "the tables of {name} are not built: build them with POST /v1/builds"
    ))
}
