//! The way of a request to its response: a record, or events as they happen.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use pdb_clock::Instant;
use tilebase::Cancel;
use tilebase::event::{Event, Watch};
use tilebase::pdb_search::Progress;
use tilebase::text::MoveStyle;

use crate::builds::{Build, BuildState};
use crate::events::{EVENT_INTERVAL, SearchEvents, event};
use crate::limits::Client;
use crate::problem::Problem;
use crate::request::{Outcome, Request};
use crate::routes::{Method, ROUTES, Route};
use crate::service::{RawRequest, Service, Work};

/// A request as its transport delivers it.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The client.
    pub client: Client,
    /// The method.
    pub method: Method,
    /// The path, and the query string after `?`.
    pub address: &'a str,
    /// The header `Accept`, or an empty text.
    pub accept: &'a str,
    /// The body, which may be empty, or the error of reading it.
    pub body: Result<&'a [u8], Problem>,
}

/// The transport of one request: the threads that do its work, and the receiver of its response.
pub trait Exchange: Send + Sync {
    /// Does the work of a task on any thread, and passes the result to [`Task::end`]. If the client
    /// disconnects, the search may be cancelled and the task dropped. By default, the calling
    /// thread does the work.
    fn run(&self, task: Task) {
        let result = task.request.run(&task.request.search);
        task.end(result);
    }

    /// Sends a whole response.
    fn respond(&self, outcome: Outcome);

    /// Begins a response of the content type [`EVENT_STREAM`](crate::EVENT_STREAM).
    fn start_events(&self);

    /// Sends an event. Returns whether the client still waits. Slow clients may miss events, except
    /// for the last one, which ends the response. It may be called in the middle of work, so it
    /// must be quick.
    fn send(&self, event: String, is_last: bool) -> bool;
}

/// Work of a request.
pub struct Task {
    /// The request, with the limits of its work.
    pub request: Request,
    exchange: Arc<dyn Exchange>,
    /// Sender of events, if the response has events.
    events: Option<Arc<SearchSender>>,
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Task").field(&self.request).finish()
    }
}

impl Task {
    /// Returns whether the response has events.
    pub fn has_events(&self) -> bool {
        self.events.is_some()
    }

    /// Sends an event of progress, if the response has events and the search has sent none for
    /// [`EVENT_INTERVAL`]. Keeps clients informed while the task waits for a thread.
    pub fn tick(&self) {
        if let Some(events) = &self.events {
            events.generated(0);
        }
    }

    /// Sends the result of the work, which ends the response.
    pub fn end(self, result: Result<Outcome, Problem>) {
        if self.has_events() {
            self.exchange.send(SearchEvents::last(&result), true);
        } else {
            self.exchange.respond(result.unwrap_or_else(Outcome::from));
        }
    }
}

/// Answers a request. Its task, and the events of a build, may go on after this function has
/// returned.
pub fn answer(service: &Service, call: Call<'_>, exchange: &Arc<dyn Exchange>) {
    match start(service, call) {
        Ok(Work::Done(outcome)) => exchange.respond(outcome),
        Ok(Work::Run(request)) => {
            exchange.run(Task { request, exchange: Arc::clone(exchange), events: None });
        }
        Ok(Work::Search(request, style)) => run_with_events(request, style, exchange),
        Ok(Work::Build(build)) => follow_build(&build, exchange),
        Err(problem) => exchange.respond(problem.into()),
    }
}

/// Finds the route of a request, and reads the request.
fn start(service: &Service, call: Call<'_>) -> Result<Work, Problem> {
    let Call { client, method, address, accept, body } = call;
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let (route, id) = find(method, path)?;
    if route.for_builders && !client.may_build {
        return Err(Problem::new(403, service.catalogue.place().build_refusal()));
    }
    let problem = |_| Problem::bad(format!("Invalid URL: Cannot parse `{id}` to a `u64`"));
    let id = if id.is_empty() { None } else { Some(id.parse().map_err(problem)?) };
    (route.start)(service, &RawRequest { client, query, accept, id, body: body? })
}

/// Finds the route of a path, and the text in place of its number.
fn find(method: Method, path: &str) -> Result<(&'static Route, &str), Problem> {
    let matched = |route: &'static Route| route.matched(path).map(|id| (route, id));
    let mut routes = ROUTES.iter().filter_map(matched).peekable();
    if routes.peek().is_none() {
        return Err(Problem::not_found());
    }
    routes.find(|(route, _)| route.method == method).ok_or_else(Problem::method_not_allowed)
}

/// Runs a search, and sends its events.
fn run_with_events(mut request: Request, style: MoveStyle, exchange: &Arc<dyn Exchange>) {
    exchange.start_events();
    let sender = Arc::new(SearchSender {
        exchange: Arc::clone(exchange),
        cancel: request.search.cancel.clone(),
        events: Mutex::new(SearchEvents::start()),
    });
    let of_search = Arc::clone(&sender);
    let watch = Watch::new(move |event: &Event<'_>| match event {
        Event::Bound(state) => of_search.send(|events| events.bound(state)),
        Event::Solution(state) => of_search.send(|events| events.solution(state, style)),
        _ => (),
    });
    request.search.watch = Some(watch);
    request.search.generated = Some(Arc::clone(&sender) as _);
    exchange.run(Task { request, exchange: Arc::clone(exchange), events: Some(sender) });
}

/// Sender of the events of a search. It cancels the search when the client no longer waits.
struct SearchSender {
    exchange: Arc<dyn Exchange>,
    cancel: Cancel,
    events: Mutex<SearchEvents>,
}

impl SearchSender {
    /// Sends an event if there is one. Threads send one after the other.
    fn send(&self, event: impl FnOnce(&mut SearchEvents) -> Option<String>) {
        let mut events = self.events.lock();
        if event(&mut events).is_some_and(|event| !self.exchange.send(event, false)) {
            self.cancel.cancel();
        }
    }
}

impl fmt::Debug for SearchSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SearchSender")
    }
}

impl Progress for SearchSender {
    fn generated(&self, count: u64) {
        self.send(|events| events.progress(count));
    }
}

/// Sends the states of a build until it has ended: each new stage at once, and progress within a
/// stage after [`EVENT_INTERVAL`].
fn follow_build(build: &Build, exchange: &Arc<dyn Exchange>) {
    exchange.start_events();
    let exchange = Arc::clone(exchange);
    let mut sent = None;
    build.follow(move |state: &BuildState| {
        let stages = state.stages();
        let is_sent = |(time, known): &(Instant, _)| {
            *known == stages && time.elapsed() < EVENT_INTERVAL && !state.has_ended()
        };
        if sent.as_ref().is_some_and(is_sent) {
            return true;
        }
        sent = Some((Instant::now(), stages));
        exchange.send(event("build", state), state.has_ended())
    });
}
