//! Requests of `tilebase-api`: reads them, runs their tasks on the worker threads, and sends their
//! records and events.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::{Extension, Request as HttpRequest};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use tilebase_api::{Call, EVENT_INTERVAL, Exchange, Method, Outcome, Problem, Route, Task, answer};
use tokio::sync::mpsc;
use tokio::time::{Instant, interval_at};

use super::body;
use super::stream::{Part, QUEUE_CAPACITY, send, stream};
use crate::response::{Refusal, respond};
use crate::settings::IsLocal;
use crate::state::{Shared, State};

const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// Returns the handler of a route.
pub(super) fn handler(route: &'static Route) -> MethodRouter<Arc<Shared>> {
    let filter = match route.method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Delete => MethodFilter::DELETE,
    };
    on(filter, move |state, is_local, request| handle(route, state, is_local, request))
}

async fn handle(
    route: &'static Route,
    state: State,
    is_local: Extension<IsLocal>,
    request: HttpRequest,
) -> Result<Response, Refusal> {
    let client = state.settings.client(*is_local);
    let (head, sent) = request.into_parts();
    let body = match route.body {
        Some(kind) => body(&state, &head.headers, sent, kind).await,
        None => Ok(Bytes::new()),
    };
    let accept = head.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let accept = accept.unwrap_or_default();
    let address = head.uri.path_and_query().map_or("", PathAndQuery::as_str);
    let body = body.as_deref().map_err(Clone::clone);
    let call = Call { client, method: route.method, address, accept, body };
    let (sender, mut parts) = mpsc::channel(QUEUE_CAPACITY);
    // The record may be cached only if the tables have not changed since.
    let epoch = state.service.catalogue.place().epoch();
    state.records.start_epoch(epoch);
    let exchange = HttpExchange { state: Arc::clone(&state), epoch, sender };
    answer(&state.service, call, &(Arc::new(exchange) as _));
    match parts.recv().await {
        Some(Part::Response(response)) => Ok(response),
        Some(_) => Ok(stream(parts)),
        None => Err(Problem::internal("the request has no response").into()),
    }
}

/// A request on the worker threads, with the sender of its response.
#[derive(Clone)]
struct HttpExchange {
    state: Arc<Shared>,
    /// Epoch of the cache at the start.
    epoch: u64,
    /// The channel closes when the client disconnects.
    sender: mpsc::Sender<Part>,
}

impl Exchange for HttpExchange {
    fn run(&self, task: Task) {
        let exchange = self.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = exchange.finish(task) => (),
                // Drops the work, which cancels its search.
                () = exchange.sender.closed() => (),
            }
        });
    }

    fn respond(&self, outcome: Outcome) {
        self.put(Part::Response(respond(outcome)));
    }

    fn start_events(&self) {
        self.put(Part::Start);
    }

    fn send(&self, event: String, is_last: bool) -> bool {
        send(&self.sender, event.into(), is_last)
    }
}

impl HttpExchange {
    /// Sends the first part of the response. It fits into the queue, and nobody misses it if the
    /// client has disconnected.
    fn put(&self, part: Part) {
        let _ = self.sender.try_send(part);
    }

    /// Does the work of a task in its lane, unless its record is cached, and sends the result.
    async fn finish(&self, task: Task) {
        let key = task.request.key.clone().filter(|_| !task.has_events());
        let Self { state, epoch, .. } = self;
        if let Some(outcome) = key.as_ref().and_then(|key| state.records.get(key)) {
            state.metrics.cache_hits.fetch_add(1, Ordering::Relaxed);
            let mut response = respond(outcome);
            response.headers_mut().insert(CACHE_STATUS, HeaderValue::from_static("tilebase; hit"));
            self.put(Part::Response(response));
            return;
        }
        let result = self.work(&task).await;
        if let (Some(key), Ok(outcome @ Outcome { limit: None, .. })) = (key, &result) {
            state.records.insert(*epoch, key, outcome.clone());
        }
        task.end(result);
    }

    /// Does the work of a task, and reports progress meanwhile.
    async fn work(&self, task: &Task) -> Result<Outcome, Problem> {
        let Shared { workers, metrics, .. } = &*self.state;
        let mut outcome = std::pin::pin!(workers.run(&task.request));
        let mut ticks = interval_at(Instant::now() + EVENT_INTERVAL, EVENT_INTERVAL);
        loop {
            tokio::select! {
                biased;
                result = &mut outcome => {
                    let outcome = result?;
                    metrics.generated.fetch_add(outcome.generated, Ordering::Relaxed);
                    return Ok(outcome);
                }
                _ = ticks.tick() => task.tick(),
            }
        }
    }
}
