//! Why a request has no answer, as clients are told.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tilebase::Error;

/// When a client may ask again that found all places taken, in seconds.
const RETRY: Duration = Duration::from_secs(1);

/// Why a request has no answer: `application/problem+json` of RFC 9457.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
}

/// The object that clients read.
#[derive(Debug, Serialize)]
pub(crate) struct Told<'a> {
    status: u16,
    title: &'a str,
    detail: &'a str,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into() }
    }

    /// The client asked for something that there cannot be.
    pub(crate) fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// The client asked for something that there is not now.
    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// All places are taken.
    pub(crate) fn busy() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server has as many requests as it takes at once: ask again in a second",
        )
    }

    /// The time of a request is over, and nothing was found out yet.
    pub(crate) fn late() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the time of the request was over before its turn came, or while tables were opened for it: \
             ask again in a second",
        )
    }

    /// What should not happen.
    pub(crate) fn internal(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }

    pub(crate) fn told(&self) -> Told<'_> {
        let title = self.status.canonical_reason().unwrap_or("Problem");
        Told { status: self.status.as_u16(), title, detail: &self.detail }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.told())).into_response();
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
            // These name files of the server, which are none of the client's business.
            Error::Open(_) | Error::Again(_) => Self::conflict(
                "the tables that this takes are not built, or cannot be opened: GET /v1/specs says which \
                 are there; build them with POST /v1/builds or `tilebase build`, or name another spec",
            ),
            Error::Damaged(_) => Self::internal(
                "a table is damaged, so that what was found with it means nothing: `tilebase verify` says \
                 which, `tilebase build --replace` builds it anew",
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
