//! Specs, costs of their tables, and means of their estimates.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::Request;
use pdb_core::TableKey;
use pdb_gen::TableFile;
use pdb_lab::HeuristicName;
use pdb_spec::Spec;
use serde::Serialize;
use tilebase::sets::BoardSet;
use tilebase::shelf::{BuildPlan, BuildPolicy, SpecListing, confirm};
use tilebase::{Cancel, Error, Goal, Shape};

use super::body;
use crate::params::Params;
use crate::problem::Problem;
use crate::state::{Shared, State};
use crate::tables::NamedSpec;
use crate::worker_pool::check_cancelled;

/// Largest number of boards for a mean.
const BOARDS_MAX: usize = 20_000;
/// Largest number of specs in a request.
const SPECS_MAX: usize = 12;
/// Half width of the 95 % confidence interval, in standard errors.
const STANDARD_ERRORS: f64 = 1.96;

/// Returns the default shape.
pub(super) fn default_shape() -> Shape {
    Shape::new(4, 4).expect("4x4 is a shape")
}

/// Specs for a shape.
#[derive(Debug, Serialize)]
pub(super) struct SpecOffer {
    specs: Vec<SpecListing>,
    heuristics: Vec<&'static str>,
    default: DefaultSpec,
}

/// The spec for searches without one.
#[derive(Debug, Serialize)]
struct DefaultSpec {
    spec: String,
    is_fallback: bool,
    to_build: Option<ToBuild>,
}

/// Tables that would make searches faster.
#[derive(Debug, Serialize)]
struct ToBuild {
    name: String,
    table_count: usize,
    disk_bytes: u64,
    seconds: f64,
}

pub(super) async fn list(state: State, params: Params) -> Result<Json<SpecOffer>, Problem> {
    let params = params.only(&["shape", "goal"])?;
    let shape = params.shape()?;
    let goal_text = params.text("goal").map(str::to_owned);
    let tables = state.tables.handle(None, goal_text.as_deref())?;
    let shape = shape.or(tables.shape()).unwrap_or_else(default_shape);
    let goal = tables.goal(shape).map_err(Error::from)?;
    let shared = Arc::clone(&state);
    let list = move |cancel: &Cancel| {
        let folder = &shared.settings.folder;
        let named = pdb_spec::builtin_names_for(shape).into_iter();
        let shipped = named.filter_map(|name| pdb_spec::builtin(name).ok());
        let mut specs: Vec<Spec> = shipped.collect();
        let has_shipped = !specs.is_empty();
        for spec in pdb_spec::specs_for(&goal) {
            // A generated spec may equal a shipped one.
            let is_known = specs.iter().any(|known| has_same_tables(known, &spec));
            let is_there = |key: &TableKey| folder.join(key.file_name()).exists();
            // Beside shipped specs, generated ones are listed only if a table is built.
            if !is_known && (!has_shipped || spec.plan.tables().iter().any(is_there)) {
                specs.push(spec);
            }
        }
        // Specs that cannot be built are skipped.
        let listings = specs.iter().filter_map(|spec| {
            let listing = || SpecListing::of(spec, folder);
            check_cancelled(cancel).map(|()| listing().ok()).transpose()
        });
        let listings: Vec<SpecListing> = listings.collect::<Result<_, _>>()?;
        let problem = |error| shared.tables.problem(None, goal_text.as_deref(), error);
        let mut engine = tables.engine(&goal).map_err(problem)?;
        if tables.best_built(&goal)?.is_some_and(|best| best != engine.name()) {
            // Another program has built tables in the meantime.
            shared.refresh();
            let tables = shared.tables.handle(None, goal_text.as_deref())?;
            engine = tables.engine(&goal).map_err(problem)?;
        }
        let to_build = tables.to_build(&goal)?.map(|to_build| ToBuild {
            name: to_build.name,
            table_count: to_build.table_count,
            disk_bytes: to_build.disk_bytes,
            seconds: to_build.seconds,
        });
        let spec = engine.name().to_owned();
        let is_fallback = specs.iter().all(|known| known.name != spec);
        Ok(SpecOffer {
            specs: listings,
            heuristics: HeuristicName::known(),
            default: DefaultSpec { spec, is_fallback, to_build },
        })
    };
    Ok(Json(state.workers.report(list).await?))
}

/// Returns whether two specs use the same tables.
fn has_same_tables(one: &Spec, other: &Spec) -> bool {
    let (one, other) = (one.plan.tables(), other.plan.tables());
    one.len() == other.len() && one.iter().all(|key| other.contains(key))
}

/// Costs of a spec's tables.
#[derive(Debug, Serialize)]
pub(super) struct SpecEstimate {
    spec: String,
    listing: SpecListing,
    tables: Vec<TableEstimate>,
    missing_count: usize,
    disk_bytes: u64,
    memory_bytes: u64,
    seconds: f64,
    fits: bool,
    refusal: Option<String>,
    toml: String,
}

/// Costs of a table.
#[derive(Debug, Serialize)]
struct TableEstimate {
    file: String,
    description: String,
    is_there: bool,
    exact: bool,
    entry_count: u64,
    state_count: u64,
    file_bytes: u64,
    memory_bytes: u64,
    seconds: f64,
}

impl SpecEstimate {
    fn of(shared: &Shared, named: NamedSpec, cancel: &Cancel) -> Result<Self, Problem> {
        let NamedSpec { spec, toml } = named;
        let (folder, memory) = (&shared.settings.folder, shared.settings.memory);
        // The only possible error is that a table is too large.
        let too_large = |error: pdb_gen::GenError| Problem::bad(error.to_string());
        let listing = SpecListing::of(&spec, folder).map_err(too_large)?;
        let mut tables = Vec::new();
        for (key, listed) in spec.plan.tables().iter().zip(&listing.tables) {
            check_cancelled(cancel)?;
            let estimate = pdb_gen::estimate(key).map_err(too_large)?;
            tables.push(TableEstimate {
                file: listed.file.clone(),
                description: listed.description.clone(),
                is_there: listed.is_there,
                exact: estimate.exact,
                entry_count: estimate.entry_count,
                state_count: estimate.state_count,
                file_bytes: estimate.file_bytes,
                memory_bytes: estimate.peak_memory_bytes,
                seconds: estimate.seconds,
            });
        }
        let missing = tables.iter().filter(|table| !table.is_there);
        // The sum of no numbers is -0.
        let seconds = missing.map(|table| table.seconds).sum::<f64>().abs();
        let builds = BuildPlan::of([&spec.plan], folder, BuildPolicy::new(memory, false))
            .map_err(too_large)?;
        let room = builds.check(&[&spec.name]);
        let refusal = room.err().map(|refusal| refusal.to_string());
        Ok(Self {
            missing_count: builds.missing.len(),
            disk_bytes: builds.disk_bytes,
            memory_bytes: builds.memory_bytes,
            seconds,
            fits: refusal.is_none(),
            spec: spec.name,
            listing,
            tables,
            refusal,
            toml,
        })
    }
}

pub(super) async fn estimate(state: State, params: Params) -> Result<Json<SpecEstimate>, Problem> {
    let params = params.only(&["spec", "goal"])?;
    let Some(name) = params.text("spec").map(str::to_owned) else {
        return Err(Problem::bad("the parameter spec is missing: expected one such as 15/7-8"));
    };
    let goal = params.text("goal").map(str::to_owned);
    let shared = Arc::clone(&state);
    let estimate = move |cancel: &Cancel| {
        SpecEstimate::of(&shared, shared.tables.spec(&name, goal.as_deref())?, cancel)
    };
    Ok(Json(state.workers.report(estimate).await?))
}

pub(super) async fn draw(state: State, request: Request) -> Result<Json<SpecEstimate>, Problem> {
    let bytes = body(&state, request, "application/toml").await?;
    let text = String::from_utf8(bytes.to_vec())
        .map_err(|error| Problem::bad(format!("the body is no text: {error}")))?;
    let shared = Arc::clone(&state);
    let draw =
        move |cancel: &Cancel| SpecEstimate::of(&shared, shared.tables.store(&text)?, cancel);
    Ok(Json(state.workers.report(draw).await?))
}

/// Means of estimates over random boards.
#[derive(Debug, Serialize)]
pub(super) struct Rating {
    boards: usize,
    seed: u64,
    goal: String,
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

pub(super) async fn rate(state: State, params: Params) -> Result<Json<Rating>, Problem> {
    let params = params.only(&["specs", "shape", "goal", "boards", "seed"])?;
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
    let goal_text = params.text("goal").map(str::to_owned);
    let shape = params.shape()?;
    let shared = Arc::clone(&state);
    let time = Some(state.settings.limits.time);
    let rate = move |search: tilebase::Search| {
        let goal_text = goal_text.as_deref();
        let handle = |name: &String| shared.tables.handle(Some(name), goal_text);
        let handles = names.iter().map(handle).collect::<Result<Vec<_>, _>>()?;
        let drawn = handles.iter().find_map(tilebase::Tilebase::shape);
        let shape = shape.or(drawn).unwrap_or_else(default_shape);
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
            let problem = |error| shared.tables.problem(Some(name), goal_text, error);
            let engine = handle.engine(&goal).map_err(|error| {
                let is_missing = matches!(error, Error::Open(_) | Error::Again(_));
                let problem = problem(error);
                if is_missing { missing(name) } else { problem }
            })?;
            let mut estimates = Vec::with_capacity(boards);
            for board in &set.boards {
                check_cancelled(&search.cancel)?;
                estimates.push(engine.estimate(board).map_err(|error| {
                    Problem::from(Error::Search(tilebase::pdb_search::SearchError::from(error)))
                })?);
            }
            confirm(&engine).map_err(problem)?;
            specs.push(SpecRating::new(name.clone(), estimates));
        }
        Ok(Rating { boards, seed, goal: goal.board().to_string(), specs })
    };
    let search = tilebase::Search { time, ..tilebase::Search::default() };
    Ok(Json(state.workers.long(search, rate).await?))
}

/// Returns the error of a spec without tables.
fn missing(name: &str) -> Problem {
    Problem::conflict(format!(
        "the tables of {name} are not built: build them with POST /v1/builds"
    ))
}

/// List of built tables.
#[derive(Debug, Serialize)]
pub(super) struct Tables {
    tables: Vec<TableListing>,
}

/// A built table.
#[derive(Debug, Serialize)]
struct TableListing {
    file: String,
    description: String,
    entry_count: u64,
    file_bytes: u64,
    histogram: Vec<u64>,
}

pub(super) async fn tables(state: State, params: Params) -> Result<Json<Tables>, Problem> {
    params.only(&[])?;
    let shared = Arc::clone(&state);
    let list = move |_: &Cancel| Ok(Tables { tables: built_tables(&shared.settings.folder) });
    Ok(Json(state.workers.report(list).await?))
}

/// Lists the tables of a folder by name. Skips unreadable files.
fn built_tables(folder: &Path) -> Vec<TableListing> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "pdb")).collect();
    paths.sort_unstable();
    let table = |path: &std::path::PathBuf| {
        let file = TableFile::open_unindexed(path).ok()?;
        let header = file.header();
        Some(TableListing {
            file: header.key.file_name(),
            description: header.key.describe(),
            entry_count: header.entry_count,
            file_bytes: header.file_bytes(),
            histogram: header.histogram.clone(),
        })
    };
    paths.iter().filter_map(table).collect()
}
