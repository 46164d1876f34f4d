//! Requests of callers without HTTP, on the calling thread.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use pdb_clock::Instant;
use tilebase::event::{Event, Watch};
use tilebase::pdb_search::Progress;
use tilebase::{Cancel, Search};

use crate::builds::{Build, BuildState};
use crate::events::{EVENT_INTERVAL, EVENT_STREAM, SearchEvents, event};
use crate::limits::Client;
use crate::problem::Problem;
use crate::request::{Outcome, Request};
use crate::routes::{Method, ROUTES, Route};
use crate::service::{RawRequest, Service, Work};

/// Receiver of a response.
///
/// The events of a build are sent after [`answer`] has returned, while the build runs.
pub trait Reply: Send + Sync {
    /// Begins the response. `retry_after` is the time after which a refused request may succeed.
    fn start(&self, status: u16, content_type: &str, retry_after: Option<Duration>);

    /// Sends a part of the body. Returns whether the client still waits.
    fn send(&self, part: &[u8]) -> bool;

    /// Ends the response.
    fn end(&self);
}

/// A request of a caller without HTTP.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The client.
    pub client: Client,
    /// The method.
    pub method: Method,
    /// The path, and the query string after `?`.
    pub address: &'a str,
    /// The header `Accept`, or an empty text.
    pub accept: &'a str,
    /// The body, or nothing.
    pub body: &'a [u8],
}

/// Answers a request on this thread. The events of a search are sent while it runs.
pub fn answer(service: &Service, call: &Call<'_>, reply: &Arc<dyn Reply>) {
    match start(service, call) {
        Ok(Work::Done(outcome)) => send_outcome(&**reply, &outcome),
        Ok(Work::Run(request)) => match request.run(&request.search()) {
            Ok(outcome) => send_outcome(&**reply, &outcome),
            Err(problem) => send_problem(&**reply, &problem),
        },
        Ok(Work::Search(request)) => send_search(reply, &*request),
        Ok(Work::Build(build)) => send_build(reply, &build),
        Err(problem) => send_problem(&**reply, &problem),
    }
}

/// Finds the route of a request, and reads the request.
fn start(service: &Service, call: &Call<'_>) -> Result<Work, Problem> {
    let Call { client, accept, body, .. } = *call;
    let (path, query) = call.address.split_once('?').unwrap_or((call.address, ""));
    let (route, id) = find(call.method, path)?;
    route.check_access(service.catalogue.place(), &client)?;
    let id = route.has_id().then(|| {
        let problem = |_| Problem::bad(format!("Invalid URL: Cannot parse `{id}` to a `u64`"));
        id.parse().map_err(problem)
    });
    let id = id.transpose()?;
    (route.start)(service, &RawRequest { client, query, accept, id, body })
}

fn find(method: Method, path: &str) -> Result<(&'static Route, &str), Problem> {
    let matched = |route: &'static Route| route.matched(path).map(|id| (route, id));
    let mut routes = ROUTES.iter().filter_map(matched).peekable();
    if routes.peek().is_none() {
        return Err(Problem::not_found());
    }
    routes.find(|(route, _)| route.method == method).ok_or_else(Problem::method_not_allowed)
}

fn send_outcome(reply: &dyn Reply, outcome: &Outcome) {
    reply.start(outcome.status, outcome.content_type, None);
    reply.send(&outcome.body);
    reply.end();
}

fn send_problem(reply: &dyn Reply, problem: &Problem) {
    reply.start(problem.status(), Problem::CONTENT_TYPE, problem.retry_after());
    let body = serde_json::to_vec(&problem.body()).expect("a record has a JSON form");
    reply.send(&body);
    reply.end();
}

/// Sends the events of a search.
fn send_search(reply: &Arc<dyn Reply>, request: &dyn Request) {
    reply.start(200, EVENT_STREAM, None);
    let search = request.search();
    let sender = Arc::new(SearchSender {
        reply: Arc::clone(reply),
        cancel: search.cancel.clone(),
        events: Mutex::new((SearchEvents::start(), Instant::now())),
    });
    let of_bounds = Arc::clone(&sender);
    let watch = Watch::new(move |event: &Event<'_>| {
        if let Event::Bound(state) = event {
            let text = of_bounds.events.lock().0.bound(state);
            if let Some(text) = text {
                of_bounds.send(&text);
            }
        }
    });
    let search = Search { watch: Some(watch), generated: Some(sender), ..search };
    let result = request.run(&search);
    reply.send(SearchEvents::last(&result).as_bytes());
    reply.end();
}

/// Sender of the events of a search. It cancels the search when the client no longer waits.
struct SearchSender {
    reply: Arc<dyn Reply>,
    cancel: Cancel,
    /// The events, and the time of the last one about progress.
    events: Mutex<(SearchEvents, Instant)>,
}

impl SearchSender {
    fn send(&self, text: &str) {
        if !self.reply.send(text.as_bytes()) {
            self.cancel.cancel();
        }
    }
}

impl std::fmt::Debug for SearchSender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchSender").field("events", &self.events).finish_non_exhaustive()
    }
}

impl Progress for SearchSender {
    fn generated(&self, count: u64) {
        let mut events = self.events.lock();
        if events.1.elapsed() < EVENT_INTERVAL {
            return;
        }
        events.1 = Instant::now();
        let text = events.0.progress(count);
        drop(events);
        self.send(&text);
    }
}

/// Sends the states of a build until it has ended.
fn send_build(reply: &Arc<dyn Reply>, build: &Build) {
    reply.start(200, EVENT_STREAM, None);
    let reply = Arc::clone(reply);
    let mut sent: Option<Instant> = None;
    build.follow(move |state: &BuildState| {
        let is_due = sent.is_none_or(|sent| sent.elapsed() >= EVENT_INTERVAL);
        if !is_due && !state.has_ended() {
            return true;
        }
        sent = Some(Instant::now());
        let waits = reply.send(event("build", state).as_bytes());
        if state.has_ended() {
            reply.end();
        }
        waits
    });
}
