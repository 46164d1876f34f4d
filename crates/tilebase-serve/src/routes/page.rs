//! Files of the page, which are compiled in.

use std::collections::HashMap;
use std::io::Write;
use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, File, include_dir};
use tilebase_api::{Params, Problem};

use crate::guard::embedded_policy;
use crate::response::Refusal;

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/page");

/// Content types by file extension. Other files are not served.
const KINDS: [(&str, &str); 5] = [
    ("html", "text/html; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("webmanifest", "application/manifest+json"),
];

/// The page. With `embed=1` it shows a board only, and other sites may show it in a frame.
pub(super) async fn index(
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let mut response = find("index.html", &headers)?;
    let query = query.unwrap_or_default();
    if Params::read(&query).is_ok_and(|params| params.text("embed") == Some("1")) {
        let policy = HeaderValue::from_static(embedded_policy());
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

pub(super) async fn file(
    path: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let Path(path) = path.map_err(|rejection| Problem::bad(rejection.body_text()))?;
    find(&path, &headers)
}

/// A file of the page, also in compressed form.
struct PageFile {
    kind: &'static str,
    contents: &'static [u8],
    compressed: Vec<u8>,
    /// Prefix of its digest.
    digest: String,
}

/// Files by path. The first request compresses them.
static FILES: LazyLock<HashMap<&'static str, PageFile>> = LazyLock::new(|| {
    let mut files = HashMap::new();
    let mut folders = vec![&PAGE];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        files.extend(folder.files().filter_map(PageFile::new));
    }
    files
});

impl PageFile {
    /// Returns a file with its path, or `None` if it is not served.
    fn new(file: &'static File<'static>) -> Option<(&'static str, Self)> {
        let ending = file.path().extension()?.to_str()?;
        let (_, kind) = KINDS.iter().find(|(known, _)| *known == ending)?;
        let contents = file.contents();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(contents).ok()?;
        let compressed = encoder.finish().ok()?;
        let digest = blake3::hash(contents).to_hex()[..16].to_owned();
        Some((file.path().to_str()?, Self { kind, contents, compressed, digest }))
    }
}

fn find(path: &str, headers: &HeaderMap) -> Result<Response, Refusal> {
    let PageFile { kind, contents, compressed, digest } =
        FILES.get(path).ok_or_else(Problem::not_found)?;
    let is_compressed = accepts_gzip(headers);
    // Each form has its own tag.
    let tag = if is_compressed { format!("\"{digest}-gzip\"") } else { format!("\"{digest}\"") };
    // Browsers ask each time, because a new version of the program has a new page.
    let cached = [
        (header::ETAG, tag.as_str()),
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, "Accept-Encoding"),
    ];
    if has_current(headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, cached).into_response());
    }
    let kind = (header::CONTENT_TYPE, *kind);
    Ok(if is_compressed {
        let encoding = (header::CONTENT_ENCODING, "gzip");
        (cached, [kind, encoding], Body::from(compressed.as_slice())).into_response()
    } else {
        (cached, [kind], Body::from(*contents)).into_response()
    })
}

/// Returns whether the client accepts gzip.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut known = lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(','));
    known.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        // A weight of 0 means no.
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        is_gzip
            && weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0))
    })
}

/// Returns whether the client has this version of the file. Compressing proxies make tags weak.
fn has_current(headers: &HeaderMap, tag: &str) -> bool {
    let lists = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut known = lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(','));
    known.any(|known| {
        let known = known.trim();
        known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
    })
}
