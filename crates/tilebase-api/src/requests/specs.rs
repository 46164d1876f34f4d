//! Specs, and costs of their tables.

use std::sync::Arc;

use pdb_core::{Metric, TableKey};
use pdb_gen::{GenError, estimate as estimate_table};
use pdb_lab::HeuristicName;
use pdb_spec::Spec;
use serde::Serialize;
use tilebase::shelf::{MissingTables, SpecListing};
use tilebase::{Cancel, Search};

use super::GoalQuery;
use crate::call::{Call, Prepared};
use crate::catalogue::Catalogue;
use crate::job::{Job, Reply};
use crate::place::Place;
use crate::problem::{Problem, check_cancelled};
use crate::service::Service;

/// Specs for a shape.
#[derive(Debug, Serialize)]
struct SpecOffer {
    specs: Vec<SpecListing>,
    heuristics: Vec<&'static str>,
    default: DefaultSpec,
}

/// The spec for searches without one.
#[derive(Debug, Serialize)]
struct DefaultSpec {
    spec: String,
    is_fallback: bool,
    to_build: Option<MissingTables>,
}

fn listing(place: &dyn Place, spec: &Spec) -> Result<SpecListing, GenError> {
    let size = |key: &TableKey| estimate_table(key).map(|found| found.file_bytes);
    SpecListing::of_tables(spec, |key| place.header(key), size)
}

impl GoalQuery {
    /// Lists the specs for the goal.
    fn specs(&self, search: &Search) -> Result<Reply, Problem> {
        let Self { catalogue, shape, key, goal, tables } = self;
        let place = catalogue.place();
        let named = pdb_spec::builtin_names_for(*shape).into_iter();
        let shipped = named.filter_map(|name| pdb_spec::builtin(name).ok());
        let bounds = |spec: &Spec| key.metric == Metric::SingleTile || spec.metric() == key.metric;
        let mut specs: Vec<Spec> = shipped.filter(bounds).collect();
        let has_shipped = !specs.is_empty();
        for spec in pdb_spec::specs_for(goal, key.metric) {
            // A generated spec may equal a shipped one.
            let is_known = specs.iter().any(|known| has_same_tables(known, &spec));
            let is_there = |key: &TableKey| place.header(key).is_some();
            // Beside shipped specs, generated ones are listed only if a table is built.
            if !is_known && (!has_shipped || spec.plan.tables().iter().any(is_there)) {
                specs.push(spec);
            }
        }
        // Specs that cannot be built are skipped.
        let listings = specs.iter().filter_map(|spec| {
            check_cancelled(&search.cancel).map(|()| listing(place, spec).ok()).transpose()
        });
        let listings: Vec<SpecListing> = listings.collect::<Result<_, _>>()?;
        let engine = tables.engine_with(goal, search).map_err(|error| self.problem(error))?;
        let to_build = place.to_build(tables, goal)?;
        let spec = engine.name().to_owned();
        let is_fallback = specs.iter().all(|known| known.name != spec);
        Ok(Reply::of(&SpecOffer {
            specs: listings,
            heuristics: HeuristicName::known(key.metric),
            default: DefaultSpec { spec, is_fallback, to_build },
        }))
    }
}

pub(crate) fn list(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let params = call.params(&["shape", "goal", "metric"])?;
    let query = GoalQuery::read(&service.catalogue, &params)?;
    Ok(Prepared::Job(Job::report(move |search| query.specs(search))))
}

/// Returns whether two specs use the same tables.
fn has_same_tables(one: &Spec, other: &Spec) -> bool {
    let (one, other) = (one.plan.tables(), other.plan.tables());
    one.len() == other.len() && one.iter().all(|key| other.contains(key))
}

/// Costs of a spec's tables.
#[derive(Debug, Serialize)]
struct SpecEstimate {
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
    fn of(place: &dyn Place, spec: Spec, cancel: &Cancel) -> Result<Self, Problem> {
        // The only possible error is that a table is too large.
        let too_large = |error: GenError| Problem::bad(error.to_string());
        let listing = listing(place, &spec).map_err(too_large)?;
        let mut tables = Vec::new();
        for (key, listed) in spec.plan.tables().iter().zip(&listing.tables) {
            check_cancelled(cancel)?;
            let estimate = estimate_table(key).map_err(too_large)?;
            tables.push(TableEstimate {
                file: listed.file.clone(),
                description: listed.description.clone(),
                is_there: listed.is_there,
                exact: true,
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
        let cost = place.build_cost(&spec).map_err(too_large)?;
        Ok(Self {
            missing_count: cost.missing_count,
            disk_bytes: cost.disk_bytes,
            memory_bytes: cost.memory_bytes,
            seconds,
            fits: cost.refusal.is_none(),
            spec: spec.name,
            listing,
            tables,
            refusal: cost.refusal,
            toml: spec.toml,
        })
    }
}

/// Creates the job for the costs of the spec that `find` returns.
fn estimate_found(
    service: &Service,
    find: impl Fn(&Catalogue) -> Result<Spec, Problem> + Send + Sync + 'static,
) -> Prepared {
    let catalogue = Arc::clone(&service.catalogue);
    Prepared::Job(Job::report(move |search| {
        let spec = find(&catalogue)?;
        Ok(Reply::of(&SpecEstimate::of(catalogue.place(), spec, &search.cancel)?))
    }))
}

pub(crate) fn estimate(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let params = call.params(&["spec", "goal"])?;
    let Some(name) = params.text("spec").map(str::to_owned) else {
        return Err(Problem::bad("the parameter spec is missing: expected one such as 15/7-8"));
    };
    let goal = params.text("goal").map(str::to_owned);
    Ok(estimate_found(service, move |catalogue| catalogue.spec(&name, goal.as_deref())))
}

pub(crate) fn draw(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let text = String::from_utf8(call.body.clone()?.to_vec())
        .map_err(|error| Problem::bad(format!("the body is no text: {error}")))?;
    Ok(estimate_found(service, move |catalogue| catalogue.store(&text)))
}
