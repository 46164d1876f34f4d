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

use super::stream::{STILL_THERE, channel, event};
use super::{body, takes};
use crate::builds::{Build, BuildState};
use crate::problem::Problem;
use crate::settings::IsLocal;
use crate::state::{Shared, State};

/// Between two looks at a build.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a stream is silent at most.
const SILENCE: Duration = Duration::from_secs(15);

/// What is to be built.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    spec: String,
    goal: Option<String>,
}

/// All builds.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    allowed: bool,
    builds: Vec<BuildState>,
}

fn check_allowed(shared: &Shared, is_local: IsLocal) -> Result<(), Problem> {
    if shared.settings.builds.allows(is_local) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        "this server builds nothing for others, nor for clients of a reverse proxy: build with `tilebase \
         build` on its machine, or start it with --builds yes",
    ))
}

pub(super) async fn begin(
    state: State,
    is_local: Extension<IsLocal>,
    request: Request,
) -> Result<Response, Problem> {
    check_allowed(&state, *is_local)?;
    let bytes = body(&state, request, "application/json").await?;
    let wanted: Wanted = serde_json::from_slice(&bytes).map_err(|error| {
        Problem::bad(format!("the body is no build, such as {{\"spec\":\"15/7-8\"}}: {error}"))
    })?;
    let shared = Arc::clone(&state);
    let build = move |_: &Cancel| {
        let named = shared.tables.spec(&wanted.spec, wanted.goal.as_deref())?;
        shared.builds.begin(named.spec)
    };
    let build = state.desk.report(build).await?;
    Ok((StatusCode::ACCEPTED, Json(build.state())).into_response())
}

pub(super) async fn list(state: State, is_local: Extension<IsLocal>) -> Json<Listed> {
    let (allowed, builds) = (state.settings.builds.allows(*is_local), state.builds.states());
    Json(Listed { allowed, builds })
}

fn find(shared: &Shared, id: Result<Path<u64>, PathRejection>) -> Result<Arc<Build>, Problem> {
    let Path(id) = id?;
    shared.builds.get(id).ok_or_else(|| {
        let detail = format!("there is no build {id}: GET /v1/builds says which there are");
        Problem::new(StatusCode::NOT_FOUND, detail)
    })
}

pub(super) async fn show(
    state: State,
    headers: HeaderMap,
    id: Result<Path<u64>, PathRejection>,
) -> Result<Response, Problem> {
    let build = find(&state, id)?;
    if !takes(&headers, "text/event-stream") {
        return Ok(Json(build.state()).into_response());
    }
    let (events, response) = channel();
    let mut watch = build.watch();
    tokio::spawn(async move {
        loop {
            let told = watch.borrow_and_update().clone();
            if events.send(event("build", &told)).await.is_err() || told.has_ended() {
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
                        if events.send(STILL_THERE).await.is_err() {
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
