//! Responses with server-sent events.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tilebase_api::EVENT_STREAM;
use tokio::sync::mpsc;

/// Number of events that wait for a slow reader.
const QUEUE_CAPACITY: usize = 64;

const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// Comment that keeps a silent stream open: proxies close silent connections.
pub(super) const KEEP_ALIVE: Bytes = Bytes::from_static(b":\n\n");

/// Creates a channel for events, and the response that sends them. The channel closes when the
/// client disconnects.
pub(super) fn channel() -> (mpsc::Sender<Bytes>, Response) {
    let (sender, receiver) = mpsc::channel(QUEUE_CAPACITY);
    let events = stream::unfold(receiver, async |mut receiver: mpsc::Receiver<Bytes>| {
        let event = receiver.recv().await?;
        Some((Ok::<_, Infallible>(event), receiver))
    });
    let mut response = Body::from_stream(events).into_response();
    let kind = HeaderValue::from_static(EVENT_STREAM);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    // Otherwise nginx buffers the events.
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    (sender, response)
}
