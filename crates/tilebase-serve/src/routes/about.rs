//! Health, metrics and the description of the interface.

use axum::Json;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;

use crate::params::Params;
use crate::problem::Problem;
use crate::state::State;

/// Description of the interface in `OpenAPI` 3.1.
pub(crate) const DESCRIPTION: &str = include_str!("../../openapi.json");

#[derive(Debug, Serialize)]
pub(super) struct Health {
    status: &'static str,
    version: &'static str,
}

pub(super) async fn health(params: Params) -> Result<Json<Health>, Problem> {
    params.only(&[])?;
    Ok(Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") }))
}

pub(super) async fn metrics(state: State, params: Params) -> Result<impl IntoResponse, Problem> {
    params.only(&[])?;
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], state.metrics.text(state.workers.loads())))
}

pub(super) async fn description(params: Params) -> Result<impl IntoResponse, Problem> {
    params.only(&[])?;
    Ok(([(header::CONTENT_TYPE, "application/json")], DESCRIPTION))
}
