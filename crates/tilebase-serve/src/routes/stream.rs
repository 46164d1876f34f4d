//! Responses with server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use tilebase_api::EVENT_STREAM;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// Number of parts that wait for a slow reader.
pub(super) const QUEUE_CAPACITY: usize = 64;
/// Longest silence of a stream.
const SILENCE: Duration = Duration::from_secs(15);

const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// Comment that keeps a silent stream open: proxies close silent connections.
const KEEP_ALIVE: Bytes = Bytes::from_static(b":\n\n");

/// An event of a stream, and whether it is the last one.
pub(super) type Part = (Bytes, bool);

/// Queues an event. Returns whether the client still waits. If the queue is full, the event is
/// dropped, unless it is the last one, which has a place of its own in the queue.
pub(super) fn send(parts: &mpsc::Sender<Part>, event: Bytes, is_last: bool) -> bool {
    if is_last || parts.capacity() > 1 {
        let _ = parts.try_send((event, is_last));
    }
    !parts.is_closed()
}

/// Creates the response that sends events up to the last one.
pub(super) fn stream(parts: mpsc::Receiver<Part>) -> Response {
    let events = unfold(Some(parts), async |parts| {
        let mut parts = parts?;
        match timeout(SILENCE, parts.recv()).await {
            Err(_) => Some((Ok::<_, Infallible>(KEEP_ALIVE), Some(parts))),
            Ok(Some((event, is_last))) => Some((Ok(event), (!is_last).then_some(parts))),
            Ok(None) => None,
        }
    });
    let mut response = Body::from_stream(events).into_response();
    let kind = HeaderValue::from_static(EVENT_STREAM);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, kind);
    // Otherwise nginx buffers the events.
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_reader_misses_events_but_not_the_last_one() {
        let (sender, mut receiver) = mpsc::channel(4);
        for _ in 0..10 {
            assert!(send(&sender, KEEP_ALIVE, false));
        }
        assert!(send(&sender, KEEP_ALIVE, true));
        for _ in 0..3 {
            assert!(matches!(receiver.try_recv(), Ok((_, false))));
        }
        assert!(matches!(receiver.try_recv(), Ok((_, true))));
        drop(receiver);
        assert!(!send(&sender, KEEP_ALIVE, false));
    }
}
