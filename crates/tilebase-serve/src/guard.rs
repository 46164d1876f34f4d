//! Checks of host and origin, and headers of all responses.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use axum::extract::{MatchedPath, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tilebase_api::Problem;

use crate::response::Refusal;
use crate::settings::{IsLocal, Settings};
use crate::state::{Counted, Shared};

/// Content security policy of the page: it loads files of this server only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the policy of the embedded page, which other sites may show in a frame.
pub(crate) fn embedded_policy() -> &'static str {
    POLICY.strip_suffix("; frame-ancestors 'none'").expect("frames are the last rule")
}

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Response to a preflight request of an allowed origin. Browsers need the last header before a
/// public page may reach a private network.
const PREFLIGHT: [(HeaderName, &str); 4] = [
    (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, DELETE"),
    (header::ACCESS_CONTROL_ALLOW_HEADERS, "Accept, Content-Type"),
    (header::ACCESS_CONTROL_MAX_AGE, "600"),
    (HeaderName::from_static("access-control-allow-private-network"), "true"),
];

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Address of the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// Headers that a reverse proxy adds.
const FORWARDED: [HeaderName; 6] = [
    header::FORWARDED,
    header::VIA,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-forwarded-proto"),
    HeaderName::from_static("x-real-ip"),
];

/// Log entry of a request.
#[derive(Debug, Serialize)]
struct LogLine<'a> {
    time: f64,
    client: Option<IpAddr>,
    method: &'a str,
    path: &'a str,
    status: u16,
    seconds: f64,
}

/// Middleware for all requests and responses.
pub(crate) async fn guard(
    State(shared): State<Arc<Shared>>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let _open = Counted::new(&shared, |metrics| &metrics.open);
    let route = request.extensions().get::<MatchedPath>().cloned();
    let client = request.extensions().get::<Client>().map(|client| client.0);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let Settings { names, origins, .. } = &*shared.settings;
    let refused = refusal(&request, names, origins);
    let origin = allowed_origin(request.headers(), origins).cloned();
    let is_preflight = method == Method::OPTIONS
        && origin.is_some()
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match refused {
        Some(problem) => Refusal::from(problem).into_response(),
        None if is_preflight => (StatusCode::NO_CONTENT, PREFLIGHT).into_response(),
        None => {
            let is_local = client.is_some_and(|client| is_local(client, request.headers()));
            request.extensions_mut().insert(IsLocal(is_local));
            next.run(request).await
        }
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if !origins.is_empty() {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        let exposed = HeaderValue::from_static("Allow, Cache-Status, ETag, Retry-After");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    let (status, time) = (response.status().as_u16(), started.elapsed());
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    shared.metrics.count(route, status, time);
    if let Some(log) = &shared.log {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (method, path, seconds) = (method.as_str(), path.as_str(), time.as_secs_f64());
        log.line(&LogLine { time: now.as_secs_f64(), client, method, path, status, seconds });
    }
    response
}

/// Returns the reason to refuse a request, if there is one.
fn refusal(request: &Request, names: &[String], origins: &[String]) -> Option<Problem> {
    let (method, headers) = (request.method(), request.headers());
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(&header::HOST) else {
        return Some(Problem::bad("the header Host is missing: expected the name of the server"));
    };
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Some(Problem::bad("the header Host is given twice: expected it once"));
    }
    // A request with an absolute address is meant for a proxy, unless its host is that of the
    // header.
    let uri_host = request.uri().authority().map(Authority::as_str);
    let is_other = uri_host.is_some_and(|name| !name.eq_ignore_ascii_case(host));
    if is_other || !is_ours(host, names) {
        // Otherwise a page could reach this server through a name of its own (DNS rebinding).
        return Some(Problem::new(
            421,
            format!(
                "the host {host:.80?} is not this server's: expected localhost, an address, or a name from \
                 --host"
            ),
        ));
    }
    let is_foreign =
        matches!(text(&FETCH_SITE), Some(site) if !["same-origin", "none"].contains(&site));
    // A link may open the page, but not start the work of a request.
    let is_link = text(&FETCH_MODE) == Some("navigate")
        && method == Method::GET
        && !request.uri().path().starts_with("/v1/");
    let is_foreign = is_foreign && !is_link;
    let origin = text(&header::ORIGIN);
    let is_other = origin.is_some_and(|origin| {
        origin.strip_prefix("http://").or(origin.strip_prefix("https://")) != Some(host)
    });
    let is_allowed = allowed_origin(headers, origins).is_some();
    (!is_allowed && (is_foreign || is_other)).then(|| {
        Problem::new(
            403,
            "the request comes from a page of another server: enter its address by hand, or start this \
             server with --allow-origin for that page",
        )
    })
}

/// Returns the origin of a request if it is allowed.
fn allowed_origin<'a>(headers: &'a HeaderMap, origins: &[String]) -> Option<&'a HeaderValue> {
    let mut named = headers.get_all(header::ORIGIN).iter();
    let origin = named.next().filter(|_| named.next().is_none())?;
    origins.iter().any(|known| known.as_bytes() == origin.as_bytes()).then_some(origin)
}

/// Returns whether a request comes directly from this machine: over the loopback interface, for
/// localhost or a loopback address, and without headers of a reverse proxy. A proxy on this machine
/// also connects over the loopback interface.
fn is_local(client: IpAddr, headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let (name, number) = host_name(host);
    let is_to_here = name.eq_ignore_ascii_case("localhost") || number.is_some_and(is_loopback);
    is_loopback(client) && is_to_here && FORWARDED.iter().all(|name| !headers.contains_key(name))
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Returns whether a host, with or without port, is this server: localhost, an address, or a given
/// name.
fn is_ours(host: &str, names: &[String]) -> bool {
    let (name, number) = host_name(host);
    name.eq_ignore_ascii_case("localhost")
        || number.is_some()
        || names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Splits the port from a `Host` header. Also returns the address, if the name is one.
fn host_name(host: &str) -> (&str, Option<IpAddr>) {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    (name, name.trim_start_matches('[').trim_end_matches(']').parse().ok())
}
