//! Metrics and the description of the interface.

use axum::extract::RawQuery;
use axum::http::header;
use axum::response::IntoResponse;
use tilebase_api::{Params, Problem, Reply};

use crate::response::Refusal;
use crate::state::State;

/// Description of the interface in `OpenAPI` 3.1.
pub(crate) const DESCRIPTION: &str = include_str!("../../openapi.json");

/// Refuses all parameters.
fn check_no_params(query: RawQuery) -> Result<(), Problem> {
    Params::read(&query.0.unwrap_or_default())?.only(&[]).map(drop)
}

pub(super) async fn metrics(state: State, query: RawQuery) -> Result<impl IntoResponse, Refusal> {
    check_no_params(query)?;
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], state.metrics.text(state.workers.loads())))
}

pub(super) async fn description(query: RawQuery) -> Result<impl IntoResponse, Refusal> {
    check_no_params(query)?;
    Ok(([(header::CONTENT_TYPE, Reply::JSON)], DESCRIPTION))
}
