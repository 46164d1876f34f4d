//! Builds of tables.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use tilebase::Cancel;

use super::stream::{KEEP_ALIVE, channel, event};
use super::{accepts, body};
use crate::builds::{Build, BuildState};
use crate::problem::Problem;
use crate::settings::IsLocal;
use crate::state::{Shared, State};

/// Shortest time between two events.
const PAUSE: Duration = Duration::from_millis(100);
/// Longest silence of a stream.
const SILENCE: Duration = Duration::from_secs(15);

/// Body of a request to build.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildRequest {
    spec: String,
    goal: Option<String>,
}

/// List of builds.
#[derive(Debug, Serialize)]
pub(super) struct BuildListing {
    allowed: bool,
    builds: Vec<BuildState>,
}

fn check_allowed(shared: &Shared, is_local: IsLocal) -> Result<(), Problem> {
    if shared.settings.builds.allows(is_local) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        "this server builds tables only for clients on its machine, without reverse proxy: build with \
         `tilebase build` there, or start it with --builds yes",
    ))
}

pub(super) async fn create(
    state: State,
    is_local: Extension<IsLocal>,
    request: Request,
) -> Result<Response, Problem> {
    check_allowed(&state, *is_local)?;
    let bytes = body(&state, request, "application/json").await?;
    let request_body: BuildRequest = serde_json::from_slice(&bytes).map_err(|error| {
        Problem::bad(format!(
            "the body is no build request, such as {{\"spec\":\"15/7-8\"}}: {error}"
        ))
    })?;
    let shared = Arc::clone(&state);
    let build = move |_: &Cancel| {
        let named = shared.tables.spec(&request_body.spec, request_body.goal.as_deref())?;
        shared.builds.request(named.spec)
    };
    let build = state.workers.report(build).await?;
    Ok((StatusCode::ACCEPTED, Json(build.state())).into_response())
}

pub(super) async fn list(state: State, is_local: Extension<IsLocal>) -> Json<BuildListing> {
    let (allowed, builds) = (state.settings.builds.allows(*is_local), state.builds.states());
    Json(BuildListing { allowed, builds })
}

fn find(shared: &Shared, id: Result<Path<u64>, PathRejection>) -> Result<Arc<Build>, Problem> {
    let Path(id) = id?;
    shared.builds.get(id).ok_or_else(|| {
        let detail = format!("there is no build {id}: see GET /v1/builds");
        Problem::new(StatusCode::NOT_FOUND, detail)
    })
}

pub(super) async fn show(
    state: State,
    headers: HeaderMap,
    id: Result<Path<u64>, PathRejection>,
) -> Result<Response, Problem> {
    let build = find(&state, id)?;
    if !accepts(&headers, "text/event-stream") {
        return Ok(Json(build.state()).into_response());
    }
    let (events, response) = channel();
    let mut watch = build.watch();
    tokio::spawn(async move {
        loop {
            let state = watch.borrow_and_update().clone();
            if events.send(event("build", &state)).await.is_err() || state.has_ended() {
                return;
            }
            tokio::time::sleep(PAUSE).await;
            loop {
                tokio::select! {
                    changed = watch.changed() => match changed {
                        Ok(()) => break,
                        Err(_) => return,
                    },
                    () = events.closed() => return,
                    () = tokio::time::sleep(SILENCE) => {
                        if events.send(KEEP_ALIVE).await.is_err() {
                            return;
                        }
                    }
                }
            }
        }
    });
    Ok(response)
}

pub(super) async fn cancel(
    state: State,
    is_local: Extension<IsLocal>,
    id: Result<Path<u64>, PathRejection>,
) -> Result<Json<BuildState>, Problem> {
    check_allowed(&state, *is_local)?;
    let build = find(&state, id)?;
    build.cancel();
    Ok(Json(build.state()))
}
