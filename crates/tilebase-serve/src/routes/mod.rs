//! Addresses and their handlers.

mod about;
mod api;
mod page;
mod stream;

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use axum::middleware;
use axum::routing::{MethodRouter, get};
use http_body_util::LengthLimitError;
use tilebase_api::{Problem, ROUTES};

use crate::guard::guard;
use crate::response::Refusal;
use crate::state::Shared;

/// Returns all addresses with their handlers.
pub(crate) fn routes() -> Vec<(&'static str, MethodRouter<Arc<Shared>>)> {
    let mut routes: Vec<(&'static str, MethodRouter<Arc<Shared>>)> = Vec::new();
    for paths in ROUTES.chunk_by(|one, other| one.path == other.path) {
        let handlers = paths.iter().map(api::handler);
        let methods = handlers.fold(MethodRouter::new(), MethodRouter::merge);
        routes.push((paths[0].path, methods));
    }
    routes.extend([
        ("/metrics", get(about::metrics)),
        ("/openapi.json", get(about::description)),
        ("/", get(page::index)),
        ("/{*file}", get(page::file)),
    ]);
    routes
}

/// Returns the router, with the guard.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new();
    for (path, methods) in routes() {
        router = router.route(path, methods);
    }
    router
        // Requests without a path, such as CONNECT and OPTIONS *.
        .fallback(async || Refusal::from(Problem::not_found()))
        .method_not_allowed_fallback(async || Refusal::from(Problem::method_not_allowed()))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// Reads the body of a request.
///
/// # Errors
/// A [`Problem`] if it has another content type, is too large, or is not sent in time.
async fn body(
    shared: &Shared,
    headers: &HeaderMap,
    body: Body,
    kind: &str,
) -> Result<Bytes, Problem> {
    let found = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let found = found.unwrap_or_default();
    if found.split(';').next().unwrap_or_default().trim().to_ascii_lowercase() != kind {
        return Err(Problem::new(
            415,
            format!("the content type is {found:.60?}: expected {kind}"),
        ));
    }
    let limits = &shared.settings.limits;
    let read = axum::body::to_bytes(body, limits.body_bytes);
    match tokio::time::timeout(limits.transfer, read).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_long(&error) => {
            let detail = format!("the body is too large: at most {} bytes", limits.body_bytes);
            Err(Problem::new(413, detail))
        }
        Ok(Err(_)) => Err(Problem::bad("the body is incomplete, or contradicts its headers")),
        Err(_) => Err(Problem::new(
            408,
            format!("the body was not sent within {} s", limits.transfer.as_secs_f64()),
        )),
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    error.source().is_some_and(<dyn Error>::is::<LengthLimitError>)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn description_lists_exactly_the_addresses() {
        let description: serde_json::Value =
            serde_json::from_str(about::DESCRIPTION).expect("the description is JSON");
        let described = description["paths"].as_object().expect("there are paths");
        let described: Vec<&str> = described.keys().map(String::as_str).collect();
        // OpenAPI has no syntax for a parameter with slashes.
        let mut known: Vec<String> =
            routes().iter().map(|(path, _)| path.replace("{*", "{")).collect();
        known.sort_unstable();
        assert_eq!(described, known);
    }
}
