//! Requests of `tilebase-api`: reads them, runs their work on the worker threads, and sends their
//! records and events.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, Request as HttpRequest};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use tilebase::event::{BoundState, Event, Watch};
use tilebase_api::{
    Build, EVENT_INTERVAL, Method, Outcome, Problem, RawRequest, Request, RequestKey, Route,
    SearchEvents, Work, event,
};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::body;
use super::stream::{KEEP_ALIVE, channel};
use crate::builds::watch_build;
use crate::problem::Refusal;
use crate::settings::IsLocal;
use crate::state::{Shared, State};

/// Content security policy of pictures: an animation has inline styles and no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/// Longest silence of a stream.
const SILENCE: Duration = Duration::from_secs(15);

/// Returns the handler of a route.
pub(super) fn handler(route: &'static Route) -> MethodRouter<Arc<Shared>> {
    let filter = match route.method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Delete => MethodFilter::DELETE,
    };
    on(filter, move |state, is_local, id, request| handle(route, state, is_local, id, request))
}

async fn handle(
    route: &'static Route,
    state: State,
    is_local: Extension<IsLocal>,
    id: Result<Path<u64>, PathRejection>,
    request: HttpRequest,
) -> Result<Response, Refusal> {
    let client = state.settings.client(*is_local);
    route.check_access(state.service.catalogue.place(), &client)?;
    let id = if route.has_id() { Some(id?.0) } else { None };
    let (parts, sent) = request.into_parts();
    let body = match route.body {
        Some(kind) => body(&state, &parts.headers, sent, kind).await?,
        None => Bytes::new(),
    };
    let accept = parts.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let accept = accept.unwrap_or_default();
    let query = parts.uri.query().unwrap_or_default();
    // The record may be cached only if the tables have not changed since.
    let epoch = state.records.epoch();
    let request = RawRequest { client, query, accept, id, body: &body };
    match (route.start)(&state.service, &request)? {
        Work::Done(outcome) => Ok(respond(outcome)),
        Work::Run(request) => run(&state, epoch, &request).await,
        Work::Search(request) => Ok(stream_search(&state, request)),
        Work::Build(build) => Ok(stream_build(&build)),
    }
}

/// Returns the response with an outcome.
fn respond(outcome: Outcome) -> Response {
    let Outcome { status, content_type, body, .. } = outcome;
    let mut response = Bytes::from(body).into_response();
    *response.status_mut() = StatusCode::from_u16(status).expect("an outcome has a status");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    if content_type.starts_with("image/") {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    response
}

/// Runs the work of a request, unless its record is cached.
async fn run(state: &Shared, epoch: u64, request: &Arc<dyn Request>) -> Result<Response, Refusal> {
    let key = request.key();
    if let Some(cached) = key.as_ref().and_then(|key| cached(state, key)) {
        return Ok(cached);
    }
    let outcome = state.run(request, request.search()).await?;
    let Some(key) = key.filter(|_| outcome.limit.is_none()) else { return Ok(respond(outcome)) };
    let text = Bytes::from(outcome.body);
    state.records.insert(epoch, key, text.clone());
    Ok(json(text))
}

/// Returns a cached response.
fn cached(state: &Shared, key: &RequestKey) -> Option<Response> {
    let found = state.records.get(key)?;
    state.metrics.cache_hits.fetch_add(1, Ordering::Relaxed);
    let mut response = json(found);
    let name = HeaderName::from_static("cache-status");
    response.headers_mut().insert(name, HeaderValue::from_static("tilebase; hit"));
    Some(response)
}

fn json(text: Bytes) -> Response {
    ([(header::CONTENT_TYPE, Outcome::JSON)], text).into_response()
}

/// Runs a search, and sends its events.
fn stream_search(state: &State, request: Arc<dyn Request>) -> Response {
    let (bounds, receiver) = mpsc::unbounded_channel();
    let watch = Watch::new(move |event: &Event<'_>| {
        if let Event::Bound(bound) = event {
            // The client may have disconnected.
            let _ = bounds.send(*bound);
        }
    });
    let generated = Arc::new(AtomicU64::new(0));
    let mut search = request.search();
    search.watch = Some(watch);
    search.generated = Some(generated.clone());
    let (sender, response) = channel();
    let stream =
        SearchStream { sender, bounds: receiver, generated, events: SearchEvents::start() };
    let state = Arc::clone(state);
    tokio::spawn(async move { stream.run(state.run(&request, search)).await });
    response
}

/// Stream of a search's events.
struct SearchStream {
    sender: mpsc::Sender<Bytes>,
    bounds: mpsc::UnboundedReceiver<BoundState>,
    generated: Arc<AtomicU64>,
    events: SearchEvents,
}

impl SearchStream {
    /// Sends events until the search ends, or until the client disconnects, which cancels the
    /// search.
    async fn run(mut self, outcome: impl Future<Output = Result<Outcome, Problem>>) {
        let mut outcome = std::pin::pin!(outcome);
        let mut ticks = tokio::time::interval_at(Instant::now() + EVENT_INTERVAL, EVENT_INTERVAL);
        let last = loop {
            tokio::select! {
                biased;
                Some(state) = self.bounds.recv() => self.send_bound(&state),
                found = &mut outcome => break found,
                () = self.sender.closed() => return,
                _ = ticks.tick() => {
                    let text = self.events.progress(self.generated.load(Ordering::Relaxed));
                    self.send(text);
                }
            }
        };
        while let Ok(state) = self.bounds.try_recv() {
            self.send_bound(&state);
        }
        // Waits for a slow reader, but not for a client that has disconnected.
        let _ = self.sender.send(SearchEvents::last(&last).into()).await;
    }

    fn send_bound(&mut self, state: &BoundState) {
        if let Some(text) = self.events.bound(state) {
            self.send(text);
        }
    }

    /// Sends an event. Slow readers miss some.
    fn send(&self, text: String) {
        let _ = self.sender.try_send(text.into());
    }
}

/// Sends the states of a build until it has ended.
fn stream_build(build: &Build) -> Response {
    let (events, response) = channel();
    let mut watch = watch_build(build);
    tokio::spawn(async move {
        loop {
            let state = watch.borrow_and_update().clone();
            let text = event("build", &state);
            if events.send(text.into()).await.is_err() || state.has_ended() {
                return;
            }
            tokio::time::sleep(EVENT_INTERVAL).await;
            loop {
                tokio::select! {
                    changed = watch.changed() => match changed {
                        Ok(()) => break,
                        Err(_) => return,
                    },
                    () = events.closed() => return,
                    () = tokio::time::sleep(SILENCE) => {
                        if events.send(KEEP_ALIVE).await.is_err() {
                            return;
                        }
                    }
                }
            }
        }
    });
    response
}
