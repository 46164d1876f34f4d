//! Specs, what their tables take, and how good their estimates are.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::Request;
use pdb_core::TableKey;
use pdb_gen::TableFile;
use pdb_lab::HeuristicName;
use pdb_spec::Spec;
use serde::Serialize;
use tilebase::{BoardSet, Builds, Cancel, Error, Goal, Shape, SpecListing, confirm};

use super::body;
use crate::desk::go_on;
use crate::params::Params;
use crate::problem::Problem;
use crate::state::{Shared, State};
use crate::tables::NamedSpec;

/// The most boards that a mean is taken over.
const BOARDS_MAX: usize = 20_000;
/// The most specs that are rated at once.
const SPECS_MAX: usize = 12;
/// Half of an interval that holds the mean in 95 of 100 cases, in standard errors.
const STANDARD_ERRORS: f64 = 1.96;

/// What boards are for if nobody says otherwise.
pub(super) fn usual_shape() -> Shape {
    Shape::new(4, 4).expect("4x4 is a shape")
}

/// The specs for a shape.
#[derive(Debug, Serialize)]
pub(super) struct Offered {
    specs: Vec<SpecListing>,
    heuristics: Vec<&'static str>,
    default: Usual,
}

/// What boards are searched with if nobody says otherwise.
#[derive(Debug, Serialize)]
struct Usual {
    spec: String,
    is_fallback: bool,
    to_build: Option<ToBuild>,
}

/// Tables that would make searches shorter.
#[derive(Debug, Serialize)]
struct ToBuild {
    name: String,
    table_count: usize,
    disk_bytes: u64,
    seconds: f64,
}

pub(super) async fn list(state: State, params: Params) -> Result<Json<Offered>, Problem> {
    let params = params.only(&["shape", "goal"])?;
    let shape = params.shape()?;
    let goal_text = params.text("goal").map(str::to_owned);
    let tables = state.tables.handle(None, goal_text.as_deref())?;
    let shape = shape.or(tables.shape()).unwrap_or_else(usual_shape);
    let goal = tables.goal(shape).map_err(Error::from)?;
    let shared = Arc::clone(&state);
    let list = move |cancel: &Cancel| {
        let folder = &shared.settings.folder;
        let named = pdb_spec::builtin_names_for(shape).into_iter();
        let shipped = named.filter_map(|name| pdb_spec::builtin(name).ok());
        let mut specs: Vec<Spec> = shipped.collect();
        let has_shipped = !specs.is_empty();
        for spec in pdb_spec::specs_for(&goal) {
            // One that is generated may be a shipped one by another name.
            let is_known = specs.iter().any(|known| has_same_tables(known, &spec));
            let is_there = |key: &TableKey| folder.join(key.file_name()).exists();
            // Beside shipped specs, generated ones are only for those who have them.
            if !is_known && (!has_shipped || spec.plan.tables().iter().any(is_there)) {
                specs.push(spec);
            }
        }
        // What cannot be built at all is left out.
        let listings = specs.iter().filter_map(|spec| {
            let listing = || SpecListing::of(spec, folder);
            go_on(cancel).map(|()| listing().ok()).transpose()
        });
        let listings: Vec<SpecListing> = listings.collect::<Result<_, _>>()?;
        let problem = |error| shared.tables.problem(None, goal_text.as_deref(), error);
        let mut engine = tables.engine(&goal).map_err(problem)?;
        if best_there(&goal, folder).is_some_and(|best| best != engine.name()) {
            // Somebody else has built tables since they were looked for.
            shared.renew();
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
        Ok(Offered {
            specs: listings,
            heuristics: HeuristicName::known(),
            default: Usual { spec, is_fallback, to_build },
        })
    };
    Ok(Json(state.desk.report(list).await?))
}

/// The best spec for a goal whose tables are all there.
fn best_there(goal: &Goal, folder: &Path) -> Option<String> {
    let is_there = |spec: &Spec| {
        let is_file = |key: &TableKey| folder.join(key.file_name()).is_file();
        spec.for_goal(goal).is_ok_and(|plan| plan.tables().iter().all(is_file))
    };
    pdb_spec::specs_for(goal).into_iter().find(is_there).map(|spec| spec.name)
}

/// Whether two specs look up the same tables.
fn has_same_tables(one: &Spec, other: &Spec) -> bool {
    let (one, other) = (one.plan.tables(), other.plan.tables());
    one.len() == other.len() && one.iter().all(|key| other.contains(key))
}

/// What the tables of a spec take.
#[derive(Debug, Serialize)]
pub(super) struct Estimated {
    spec: String,
    listing: SpecListing,
    tables: Vec<EstimatedTable>,
    missing_count: usize,
    disk_bytes: u64,
    memory_bytes: u64,
    seconds: f64,
    fits: bool,
    refusal: Option<String>,
    toml: String,
}

/// What a table takes.
#[derive(Debug, Serialize)]
struct EstimatedTable {
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

impl Estimated {
    fn of(shared: &Shared, named: NamedSpec, cancel: &Cancel) -> Result<Self, Problem> {
        let NamedSpec { spec, toml } = named;
        let (folder, memory) = (&shared.settings.folder, shared.settings.memory);
        // What cannot be built at all was drawn too large.
        let too_large = |error: pdb_gen::GenError| Problem::bad(error.to_string());
        let listing = SpecListing::of(&spec, folder).map_err(too_large)?;
        let mut tables = Vec::new();
        for (key, listed) in spec.plan.tables().iter().zip(&listing.tables) {
            go_on(cancel)?;
            let estimate = pdb_gen::estimate(key).map_err(too_large)?;
            tables.push(EstimatedTable {
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
        // The sum of nothing is -0.
        let seconds = missing.map(|table| table.seconds).sum::<f64>().abs();
        let builds = Builds::of(&spec.plan, folder, false, memory).map_err(too_large)?;
        let room = builds.check(&spec.name, spec.goal.shape(), folder, memory);
        let refusal = room.err().map(|refusal| refusal.to_string());
        Ok(Self {
            missing_count: builds.missing_count,
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

pub(super) async fn estimate(state: State, params: Params) -> Result<Json<Estimated>, Problem> {
    let params = params.only(&["spec", "goal"])?;
    let Some(name) = params.text("spec").map(str::to_owned) else {
        return Err(Problem::bad("the parameter spec is missing: expected one such as 15/7-8"));
    };
    let goal = params.text("goal").map(str::to_owned);
    let shared = Arc::clone(&state);
    let estimate = move |cancel: &Cancel| {
        Estimated::of(&shared, shared.tables.spec(&name, goal.as_deref())?, cancel)
    };
    Ok(Json(state.desk.report(estimate).await?))
}

pub(super) async fn draw(state: State, request: Request) -> Result<Json<Estimated>, Problem> {
    let bytes = body(&state, request, "application/toml").await?;
    let text = String::from_utf8(bytes.to_vec())
        .map_err(|error| Problem::bad(format!("the body is no text: {error}")))?;
    let shared = Arc::clone(&state);
    let draw = move |cancel: &Cancel| Estimated::of(&shared, shared.tables.keep(&text)?, cancel);
    Ok(Json(state.desk.report(draw).await?))
}

/// Estimates over random boards.
#[derive(Debug, Serialize)]
pub(super) struct Rated {
    boards: usize,
    seed: u64,
    goal: String,
    specs: Vec<RatedSpec>,
}

/// The estimates of a spec over random boards.
#[derive(Debug, Serialize)]
struct RatedSpec {
    spec: String,
    mean: f64,
    low: f64,
    high: f64,
    least: u32,
    greatest: u32,
    /// How many boards have each estimate that any has.
    histogram: Vec<(u32, usize)>,
}

/// To three decimals, of which the interval leaves fewer.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

impl RatedSpec {
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

pub(super) async fn rate(state: State, params: Params) -> Result<Json<Rated>, Problem> {
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
        let shape = shape.or(drawn).unwrap_or_else(usual_shape);
        let goal = handles[0].goal(shape).map_err(Error::from)?;
        let set = BoardSet::random(&goal, boards, seed);
        let mut specs = Vec::new();
        for (name, handle) in names.iter().zip(&handles) {
            let of_spec: Goal = handle.goal(shape).map_err(Error::from)?;
            if of_spec != goal {
                return Err(Problem::bad(format!(
                    "{name} has another goal than {}: give the goal that all are to lead to",
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
                go_on(&search.cancel)?;
                estimates.push(engine.estimate(board).map_err(|error| {
                    Problem::from(Error::Search(tilebase::pdb_search::SearchError::from(error)))
                })?);
            }
            confirm(&engine).map_err(problem)?;
            specs.push(RatedSpec::new(name.clone(), estimates));
        }
        Ok(Rated { boards, seed, goal: goal.board().to_string(), specs })
    };
    let search = tilebase::Search { time, ..tilebase::Search::default() };
    Ok(Json(state.desk.at_leisure(search, rate).await?))
}

/// Why a spec cannot be rated whose tables are not there.
fn missing(name: &str) -> Problem {
    Problem::conflict(format!(
        "the tables of {name} are not built: build them with POST /v1/builds"
    ))
}

/// The tables that are there.
#[derive(Debug, Serialize)]
pub(super) struct Tables {
    tables: Vec<ThereTable>,
}

/// A table that is there.
#[derive(Debug, Serialize)]
struct ThereTable {
    file: String,
    description: String,
    entry_count: u64,
    file_bytes: u64,
    histogram: Vec<u64>,
}

pub(super) async fn tables(state: State, params: Params) -> Result<Json<Tables>, Problem> {
    params.only(&[])?;
    let shared = Arc::clone(&state);
    let list = move |_: &Cancel| Ok(Tables { tables: there(&shared.settings.folder) });
    Ok(Json(state.desk.report(list).await?))
}

/// The tables of a folder by their names; what cannot be read is no table.
fn there(folder: &Path) -> Vec<ThereTable> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "pdb")).collect();
    paths.sort_unstable();
    let table = |path: &std::path::PathBuf| {
        let file = TableFile::open_unindexed(path).ok()?;
        let header = file.header();
        Some(ThereTable {
            file: header.key.file_name(),
            description: header.key.describe(),
            entry_count: header.entry_count,
            file_bytes: header.file_bytes(),
            histogram: header.histogram.clone(),
        })
    };
    paths.iter().filter_map(table).collect()
}
