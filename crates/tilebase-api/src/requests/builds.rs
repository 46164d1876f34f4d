//! Builds of tables.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::builds::{Build, BuildState};
use crate::call::{Call, Prepared};
use crate::job::{Job, Reply};
use crate::problem::Problem;
use crate::service::Service;

/// Body of a request to build.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildRequest {
    spec: String,
    goal: Option<String>,
}

pub(crate) fn create(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let body: BuildRequest = serde_json::from_slice(call.body.clone()?).map_err(|error| {
        Problem::bad(format!(
            "the body is no build request, such as {{\"spec\":\"15/7-8\"}}: {error}"
        ))
    })?;
    let (catalogue, builds) = (Arc::clone(&service.catalogue), Arc::clone(&service.builds));
    Ok(Prepared::Job(Job::report(move |_| {
        let spec = catalogue.spec(&body.spec, body.goal.as_deref())?;
        let cost = catalogue.place().build_cost(&spec);
        let cost = cost.map_err(|error| Problem::internal(error.to_string()))?;
        if let Some(refusal) = cost.refusal {
            return Err(Problem::conflict(refusal));
        }
        let build = builds.request(spec)?;
        Ok(Reply { status: 202, ..Reply::of(&build.state()) })
    })))
}

/// List of builds.
#[derive(Debug, Serialize)]
struct BuildListing {
    allowed: bool,
    builds: Vec<BuildState>,
}

#[allow(clippy::unnecessary_wraps, reason = "routes have one signature")]
pub(crate) fn list(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let builds = service.builds.all().iter().map(|build| build.state()).collect();
    let allowed = call.client.build_refusal.is_none();
    Ok(Prepared::Done(Reply::of(&BuildListing { allowed, builds })))
}

fn find(service: &Service, call: &Call<'_>) -> Result<Arc<Build>, Problem> {
    let id = call.id()?;
    service
        .builds
        .get(id)
        .ok_or_else(|| Problem::new(404, format!("there is no build {id}: see GET /v1/builds")))
}

pub(crate) fn show(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let build = find(service, call)?;
    if call.wants_events() {
        return Ok(Prepared::Build(build));
    }
    Ok(Prepared::Done(Reply::of(&build.state())))
}

pub(crate) fn cancel(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let build = find(service, call)?;
    build.cancel();
    Ok(Prepared::Done(Reply::of(&build.state())))
}
