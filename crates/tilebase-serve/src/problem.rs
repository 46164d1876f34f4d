//! Error responses.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tilebase_api::Problem;

/// An error response.
#[derive(Debug)]
pub(crate) struct Refusal(Problem);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self(problem) = self;
        let status = StatusCode::from_u16(problem.status()).expect("a problem has a status");
        let mut response = (status, Json(problem.body())).into_response();
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static(Problem::CONTENT_TYPE);
        headers.insert(header::CONTENT_TYPE, kind);
        if let Some(time) = problem.retry_after() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(time.as_secs()));
        }
        response
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl From<PathRejection> for Refusal {
    fn from(rejection: PathRejection) -> Self {
        Self(Problem::bad(rejection.body_text()))
    }
}

/// A queue is full.
pub(crate) fn busy() -> Problem {
    Problem::new(503, "the server's queue is full: repeat the request in a second")
}

/// The time of a request is over, and there is no result yet.
pub(crate) fn late() -> Problem {
    Problem::new(
        503,
        "the time limit ended while the request waited or tables were opened: repeat the request in a \
         second",
    )
}
