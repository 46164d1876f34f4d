//! Server-sent events: <https://html.spec.whatwg.org/multipage/server-sent-events.html>.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use tokio::sync::mpsc;

/// So many events wait for a slow reader before nothing new is told.
const WAITING: usize = 64;

const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// What is sent where nothing happens, which readers skip: proxies end streams that are silent.
pub(super) const STILL_THERE: Bytes = Bytes::from_static(b":\n\n");

/// An event as it is sent.
pub(super) fn event(name: &str, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).expect("a record has a JSON form");
    format!("event: {name}\ndata: {data}\n\n").into()
}

/// A channel for events, and the answer that sends them. Who sends learns by the channel that nobody
/// reads any more.
pub(super) fn channel() -> (mpsc::Sender<Bytes>, Response) {
    let (sender, receiver) = mpsc::channel(WAITING);
    (sender, answer(events(receiver)))
}

fn events(receiver: mpsc::Receiver<Bytes>) -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold(receiver, async |mut receiver| {
        let event = receiver.recv().await?;
        Some((Ok(event), receiver))
    })
}

fn answer(events: impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static) -> Response {
    let mut response = Body::from_stream(events).into_response();
    let kind = HeaderValue::from_static("text/event-stream");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    // What nginx would otherwise collect before it passes it on.
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    response
}
