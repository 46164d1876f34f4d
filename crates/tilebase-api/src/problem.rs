//! Errors of requests: `application/problem+json` of RFC 9457.

use serde::Serialize;
use tilebase::{Cancel, Error, ErrorKind};

use crate::advice::message;

/// Statuses, as in HTTP, with their titles.
const TITLES: [(u16, &str); 11] = [
    (400, "Bad Request"),
    (403, "Forbidden"),
    (404, "Not Found"),
    (405, "Method Not Allowed"),
    (408, "Request Timeout"),
    (409, "Conflict"),
    (413, "Payload Too Large"),
    (415, "Unsupported Media Type"),
    (421, "Misdirected Request"),
    (500, "Internal Server Error"),
    (503, "Service Unavailable"),
];

/// The error of a request, as a client receives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: u16,
    detail: String,
}

/// The JSON body of an error.
#[derive(Debug, Serialize)]
pub struct ProblemBody<'a> {
    status: u16,
    title: &'a str,
    detail: &'a str,
}

impl Problem {
    /// Content type of the body.
    pub const CONTENT_TYPE: &'static str = "application/problem+json";

    /// Creates an error with a status of HTTP and a sentence for people.
    pub fn new(status: u16, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into() }
    }

    /// The request is wrong.
    pub fn bad(detail: impl Into<String>) -> Self {
        Self::new(400, detail)
    }

    /// The request is right, but cannot be answered now.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(409, detail)
    }

    /// The work failed.
    pub fn internal(detail: impl Into<String>) -> Self {
        Self::new(500, detail)
    }

    /// There is nothing at an address.
    pub fn not_found() -> Self {
        Self::new(
            404,
            "there is nothing at this address: the page is at /, and GET /openapi.json describes the interface",
        )
    }

    /// An address exists, but not with this method.
    pub fn method_not_allowed() -> Self {
        Self::new(405, "this address does not support the method: see GET /openapi.json")
    }

    /// Returns the status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Returns the body.
    pub fn body(&self) -> ProblemBody<'_> {
        let title = TITLES.iter().find(|(status, _)| *status == self.status);
        let title = title.map_or("Problem", |(_, title)| title);
        ProblemBody { status: self.status, title, detail: &self.detail }
    }
}

/// Stops cancelled work with an error, which has no reader.
pub(crate) fn check_cancelled(cancel: &Cancel) -> Result<(), Problem> {
    if cancel.is_cancelled() {
        return Err(Problem::internal("the request was cancelled"));
    }
    Ok(())
}

/// Returns whether tables are missing, or cannot be opened.
pub(crate) fn is_missing_table(error: &Error) -> bool {
    use ErrorKind::{MissingTable, TableFile, WrongTable};
    matches!(error.kind(), MissingTable | TableFile | WrongTable)
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error.kind() {
            // The errors name files of the server, which clients must not see.
            _ if is_missing_table(&error) => Self::conflict(
                "the tables of this request are not built, or cannot be opened: GET /v1/specs lists \
                 tables; build them with POST /v1/builds, or name another spec",
            ),
            ErrorKind::DamagedTable => Self::internal(
                "a table is damaged, so the result was discarded: name another spec until the table is \
                 built again",
            ),
            ErrorKind::NoRoom => Self::conflict(message(&error)),
            kind if kind.is_usage() => Self::bad(message(&error)),
            _ => Self::internal(message(&error)),
        }
    }
}
