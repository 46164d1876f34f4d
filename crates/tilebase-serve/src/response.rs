//! Responses with a record or an error.

use axum::body::Bytes;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tilebase_api::{Problem, Reply};

/// Content security policy of pictures: an animation has inline styles and no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/// Seconds after which a client may repeat a request that was refused for the moment.
const RETRY_SECONDS: u64 = 1;

/// An error response.
#[derive(Debug)]
pub(crate) struct Refusal(Problem);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        respond(self.0.into())
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

/// Returns the response with a reply.
pub(crate) fn respond(reply: Reply) -> Response {
    let content_type = reply.content_type;
    let status = StatusCode::from_u16(reply.status).expect("a reply has a status");
    let mut response = (status, Bytes::from(reply.body)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    if content_type.starts_with("image/") {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(RETRY_SECONDS));
    }
    response
}

/// A queue is full.
pub(crate) fn busy() -> Problem {
    Problem::new(503, "the server's queue is full: repeat the request in a second")
}

/// The time of a request is over, and there is no result yet.
pub(crate) fn late() -> Problem {
    Problem::new(503, "the time of the request ended without a result: repeat it in a second")
}
