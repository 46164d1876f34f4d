//! Server-sent events: <https://html.spec.whatwg.org/multipage/server-sent-events.html>.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde::Serialize;
use tokio::sync::mpsc;

/// So many events wait for a slow reader before nothing new is told.
const WAITING: usize = 64;

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
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
