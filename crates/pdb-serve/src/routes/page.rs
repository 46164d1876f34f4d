//! The page, which is part of the program.

use axum::body::Body;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

use crate::problem::Problem;

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/page");

/// What files are, by their endings; others stay here.
const KINDS: [(&str, &str); 5] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("webmanifest", "application/manifest+json"),
];

pub(super) async fn index(headers: HeaderMap) -> Result<Response, Problem> {
    find("index.html", &headers)
}

pub(super) async fn file(
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Path(path) = path?;
    find(&path, &headers)
}

fn find(path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let none = || {
        Problem::new(
            StatusCode::NOT_FOUND,
            "there is nothing at this address: the page is at /, and GET /openapi.json says what else \
             there is",
        )
    };
    let file = PAGE.get_file(path).ok_or_else(none)?;
    // Paths are the same with a slash more or a dot in between, addresses are not.
    if file.path().to_str() != Some(path) {
        return Err(none());
    }
    let ending = file.path().extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let (_, kind) = KINDS.iter().find(|(known, _)| *known == ending).ok_or_else(none)?;
    let tag = format!("\"{}\"", &blake3::hash(file.contents()).to_hex()[..16]);
    // Asked for each time and sent when it has changed: a new version of the program has a new page.
    let cached = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == *tag);
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, cached).into_response());
    }
    Ok((cached, [(header::CONTENT_TYPE, *kind)], Body::from(file.contents())).into_response())
}
