//! Builds of tables.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::builds::{Build, BuildList, BuildState};
use crate::catalogue::Catalogue;
use crate::problem::Problem;
use crate::request::{Outcome, Request};
use crate::service::{RawRequest, Service, Work};

/// Body of a request to build.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildRequest {
    spec: String,
    goal: Option<String>,
}

/// Requests the build of a spec's tables.
fn enqueue(
    catalogue: &Catalogue,
    builds: &BuildList,
    body: &BuildRequest,
) -> Result<Outcome, Problem> {
    let named = catalogue.spec(&body.spec, body.goal.as_deref())?;
    let cost = catalogue.place().build_cost(&named.spec);
    let cost = cost.map_err(|error| Problem::internal(error.to_string()))?;
    if let Some(refusal) = cost.refusal {
        return Err(Problem::conflict(refusal));
    }
    let build = builds.request(named.spec)?;
    Ok(Outcome { status: 202, ..Outcome::of(&build.state()) })
}

pub(crate) fn create(service: &Service, request: &RawRequest<'_>) -> Result<Work, Problem> {
    let body: BuildRequest = serde_json::from_slice(request.body).map_err(|error| {
        Problem::bad(format!(
            "the body is no build request, such as {{\"spec\":\"15/7-8\"}}: {error}"
        ))
    })?;
    let (catalogue, builds) = (Arc::clone(&service.catalogue), Arc::clone(&service.builds));
    Ok(Work::Run(Request::report(move |_| enqueue(&catalogue, &builds, &body))))
}

/// List of builds.
#[derive(Debug, Serialize)]
struct BuildListing {
    allowed: bool,
    builds: Vec<BuildState>,
}

#[allow(clippy::unnecessary_wraps, reason = "routes have one signature")]
pub(crate) fn list(service: &Service, request: &RawRequest<'_>) -> Result<Work, Problem> {
    let (allowed, builds) = (request.client.may_build, service.builds.states());
    Ok(Work::Done(Outcome::of(&BuildListing { allowed, builds })))
}

fn find(service: &Service, request: &RawRequest<'_>) -> Result<Arc<Build>, Problem> {
    let id = request.id.unwrap_or_default();
    service
        .builds
        .get(id)
        .ok_or_else(|| Problem::new(404, format!("there is no build {id}: see GET /v1/builds")))
}

pub(crate) fn show(service: &Service, request: &RawRequest<'_>) -> Result<Work, Problem> {
    let build = find(service, request)?;
    if request.wants_events() {
        return Ok(Work::Build(build));
    }
    Ok(Work::Done(Outcome::of(&build.state())))
}

pub(crate) fn cancel(service: &Service, request: &RawRequest<'_>) -> Result<Work, Problem> {
    let build = find(service, request)?;
    build.cancel();
    Ok(Work::Done(Outcome::of(&build.state())))
}
