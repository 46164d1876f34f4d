//! Addresses and their handlers.

mod about;
mod animation;
mod boards;
mod builds;
mod page;
mod specs;
mod stream;

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware;
use axum::routing::{MethodRouter, get, post};
use http_body_util::LengthLimitError;

use crate::guard::guard;
use crate::problem::Problem;
use crate::state::Shared;

/// Returns all addresses with their handlers.
pub(crate) fn routes() -> Vec<(&'static str, MethodRouter<Arc<Shared>>)> {
    vec![
        ("/v1/moves", get(boards::moves)),
        ("/v1/solve", get(boards::solve)),
        ("/v1/solutions", get(boards::solutions)),
        ("/v1/check", get(boards::check)),
        ("/v1/explain", get(boards::explain)),
        ("/v1/scramble", get(boards::scramble)),
        ("/v1/specs", get(specs::list).post(specs::draw)),
        ("/v1/estimate", get(specs::estimate)),
        ("/v1/rate", get(specs::rate)),
        ("/v1/tables", get(specs::tables)),
        ("/v1/builds", post(builds::create).get(builds::list)),
        ("/v1/builds/{id}", get(builds::show).delete(builds::cancel)),
        ("/v1/animation", get(animation::animation)),
        ("/healthz", get(about::health)),
        ("/metrics", get(about::metrics)),
        ("/openapi.json", get(about::description)),
        ("/", get(page::index)),
        ("/{*file}", get(page::file)),
    ]
}

/// Returns the router, with the guard.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new();
    for (path, methods) in routes() {
        router = router.route(path, methods);
    }
    router
        // Requests without a path, such as CONNECT and OPTIONS *.
        .fallback(async || page::not_found())
        .method_not_allowed_fallback(async || {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this address does not support the method: see GET /openapi.json",
            )
        })
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// Reads the body of a request.
///
/// # Errors
/// A [`Problem`] if it has another content type, is too large, or is not sent in time.
async fn body(shared: &Shared, request: Request, kind: &str) -> Result<Bytes, Problem> {
    let found = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let found = found.unwrap_or_default();
    if found.split(';').next().unwrap_or_default().trim().to_ascii_lowercase() != kind {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("the content type is {found:.60?}: expected {kind}"),
        ));
    }
    let limits = &shared.settings.limits;
    let read = axum::body::to_bytes(request.into_body(), limits.body_bytes);
    match tokio::time::timeout(limits.transfer, read).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_long(&error) => {
            let detail = format!("the body is too large: at most {} bytes", limits.body_bytes);
            Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail))
        }
        Ok(Err(_)) => Err(Problem::bad("the body is incomplete, or contradicts its headers")),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            format!("the body was not sent within {} s", limits.transfer.as_secs_f64()),
        )),
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    error.source().is_some_and(<dyn Error>::is::<LengthLimitError>)
}

/// Returns whether the header Accept names a content type.
fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains(kind))
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
