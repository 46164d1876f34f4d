//! Error responses.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tilebase::Error;

/// Time after which a client may repeat a request that found a full queue.
const RETRY: Duration = Duration::from_secs(1);

/// An error response: `application/problem+json` of RFC 9457.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
}

/// The JSON body of an error response.
#[derive(Debug, Serialize)]
pub(crate) struct ProblemBody<'a> {
    status: u16,
    title: &'a str,
    detail: &'a str,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into() }
    }

    /// The request is wrong.
    pub(crate) fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// The request is right, but the server cannot answer it now.
    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// A queue is full.
    pub(crate) fn busy() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server's queue is full: repeat the request in a second",
        )
    }

    /// The time of a request is over, and there is no result yet.
    pub(crate) fn late() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the time limit ended while the request waited or tables were opened: repeat the request in a \
             second",
        )
    }

    /// The server failed.
    pub(crate) fn internal(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }

    pub(crate) fn body(&self) -> ProblemBody<'_> {
        let title = self.status.canonical_reason().unwrap_or("Problem");
        ProblemBody { status: self.status.as_u16(), title, detail: &self.detail }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, kind);
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(RETRY.as_secs()));
        }
        response
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            // The errors name files of the server, which clients must not see.
            Error::Open(_) | Error::Again(_) => Self::conflict(
                "the tables of this request are not built, or cannot be opened: GET /v1/specs lists \
                 tables; build them with POST /v1/builds or `tilebase build`, or name another spec",
            ),
            Error::Damaged(_) => Self::internal(
                "a table is damaged, so the result was discarded: find the table with `tilebase verify`, \
                 and rebuild it with `tilebase build --replace`",
            ),
            Error::NoRoom(refusal) => Self::conflict(refusal.to_string()),
            error if error.is_usage() => Self::bad(error.to_string()),
            error => Self::internal(error.to_string()),
        }
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        Self::bad(rejection.body_text())
    }
}
