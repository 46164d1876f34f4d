//! What the server says about itself.

use axum::Json;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;

use crate::state::State;

/// The interface, as `OpenAPI` 3.1 describes it.
pub(crate) const DESCRIPTION: &str = include_str!("../../openapi.json");

#[derive(Debug, Serialize)]
pub(super) struct Health {
    status: &'static str,
    version: &'static str,
}

pub(super) async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

pub(super) async fn metrics(state: State) -> impl IntoResponse {
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], state.metrics.text(state.desk.loads()))
}

pub(super) async fn description() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION)
}
