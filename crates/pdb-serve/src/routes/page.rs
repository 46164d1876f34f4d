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

pub(super) fn nothing() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "there is nothing at this address: the page is at /, and GET /openapi.json says what else there is",
    )
}

fn find(path: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let file = PAGE.get_file(path).ok_or_else(nothing)?;
    // Paths are the same with a slash more or a dot in between, addresses are not.
    if file.path().to_str() != Some(path) {
        return Err(nothing());
    }
    let ending = file.path().extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let (_, kind) = KINDS.iter().find(|(known, _)| *known == ending).ok_or_else(nothing)?;
    let tag = format!("\"{}\"", &blake3::hash(file.contents()).to_hex()[..16]);
    // Asked for each time and sent when it has changed: a new version of the program has a new page.
    let cached = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if knows(headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, cached).into_response());
    }
    Ok((cached, [(header::CONTENT_TYPE, *kind)], Body::from(file.contents())).into_response())
}

/// Whether a client has the version of a file that a tag is for. Proxies that compress what they pass on
/// call it weak.
fn knows(headers: &HeaderMap, tag: &str) -> bool {
    let lists = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut known = lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(','));
    known.any(|known| {
        let known = known.trim();
        known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
    })
}
