//! Requests of `tilebase-api`: reads them, runs their jobs on the worker threads, and sends their
//! records and events.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::{Extension, Request as HttpRequest};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter, on};
use tilebase_api::{Call, Job, Method, Prepared, Reply, Route};
use tokio::sync::mpsc;

use super::body;
use super::stream::{QUEUE_CAPACITY, send, stream};
use crate::response::respond;
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
    axum::extract::State(state): State,
    is_local: Extension<IsLocal>,
    request: HttpRequest,
) -> Response {
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
    // The record may be cached only if the tables have not changed since.
    let epoch = state.service.catalogue.place().epoch();
    match route.prepare(&state.service, &Call { client, address, accept, body }) {
        Prepared::Done(reply) => respond(reply),
        Prepared::Job(job) if job.has_events() => follow(state, job),
        Prepared::Job(job) => reply(&state, &job, epoch).await,
        Prepared::Build(build) => {
            let (parts, received) = mpsc::channel(QUEUE_CAPACITY);
            build.send_events(move |event, is_last| send(&parts, event.into(), is_last));
            stream(received)
        }
    }
}

/// Returns the cached record of a job, or does its work. If the client disconnects, the future is
/// dropped, which cancels the search.
async fn reply(state: &Shared, job: &Job, epoch: u64) -> Response {
    let records = &state.records;
    records.start_epoch(epoch);
    if let Some(reply) = job.key.as_ref().and_then(|key| records.get(key)) {
        state.metrics.cache_hits.fetch_add(1, Ordering::Relaxed);
        let mut response = respond(reply);
        response.headers_mut().insert(CACHE_STATUS, HeaderValue::from_static("tilebase; hit"));
        return response;
    }
    let reply = state.run(job).await;
    if let (Some(key), Reply { status: 200, limit: None, .. }) = (&job.key, &reply) {
        records.insert(epoch, key.clone(), reply.clone());
    }
    respond(reply)
}

/// Starts a job, and returns the stream of its events.
fn follow(state: Arc<Shared>, mut job: Job) -> Response {
    let (parts, received) = mpsc::channel(QUEUE_CAPACITY);
    let of_search = parts.clone();
    job.send_events(move |event, is_last| send(&of_search, event.into(), is_last));
    tokio::spawn(async move {
        tokio::select! {
            reply = state.run(&job) => {
                send(&parts, reply.last_event().into(), true);
            }
            // The client has disconnected. Drops the work, which cancels its search.
            () = parts.closed() => (),
        }
    });
    stream(received)
}
