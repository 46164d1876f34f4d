//! Server-sent events: <https://html.spec.whatwg.org/multipage/server-sent-events.html>.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use pdb_clock::Instant;
use serde::Serialize;
use tilebase::event::{BoundState, Event, SolutionState, Watch};
use tilebase::pdb_search::Progress;
use tilebase::text::{MoveStyle, format_moves};
use tilebase::{Cancel, Search};

/// Content type of a stream of events.
pub const EVENT_STREAM: &str = "text/event-stream";
/// Shortest time between two events of progress, or of a build.
pub const EVENT_INTERVAL: Duration = Duration::from_millis(100);

/// Formats an event.
pub(crate) fn event(name: &str, data: &impl Serialize) -> String {
    event_of_json(name, &serde_json::to_string(data).expect("a record has a JSON form"))
}

/// Formats an event whose data are JSON.
pub(crate) fn event_of_json(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// Event: a bound without solution is finished.
#[derive(Debug, Serialize)]
struct BoundEvent {
    bound: u32,
    generated: u64,
    growth: Option<f64>,
    seconds: f64,
}

/// Event: a solution is shorter than all before.
#[derive(Debug, Serialize)]
struct SolutionEvent {
    length: usize,
    lower_bound: u32,
    moves: String,
    seconds: f64,
}

/// Event: progress of a search.
#[derive(Debug, Serialize)]
struct ProgressEvent {
    bound: Option<u32>,
    generated: u64,
    nodes_per_second: f64,
    seconds: f64,
}

/// Maker of the events of one search, which may start again from the beginning.
#[derive(Debug)]
struct SearchEvents {
    started: Instant,
    /// Earliest time of the next event of progress, since the start.
    next_progress: Duration,
    /// Last bound that was reported.
    bound: Option<u32>,
    /// Proved lower bound, 0 if there is none.
    lower_bound: u32,
    /// Length of the last solution that was reported.
    length: Option<usize>,
    /// Largest number of nodes that was reported.
    generated_max: u64,
}

impl SearchEvents {
    /// Starts the clock of the events.
    fn start() -> Self {
        let (started, next_progress) = (Instant::now(), EVENT_INTERVAL);
        Self { started, next_progress, bound: None, lower_bound: 0, length: None, generated_max: 0 }
    }

    /// Returns the event of a finished bound, unless it was reported before.
    fn bound(&mut self, state: &BoundState) -> Option<String> {
        let (bound, generated) = (state.bound.bound, state.bound.generated);
        // A long search repeats the bounds of the quick one.
        if self.bound.is_some_and(|last| last >= bound) {
            return None;
        }
        (self.bound, self.lower_bound) = (Some(bound), state.lower_bound);
        let (growth, seconds) = (state.growth, self.started.elapsed().as_secs_f64());
        Some(event("bound", &BoundEvent { bound, generated, growth, seconds }))
    }

    /// Returns the event of a solution, unless one as short was reported before.
    fn solution(&mut self, state: &SolutionState<'_>, style: MoveStyle) -> Option<String> {
        let length = state.length();
        if self.length.is_some_and(|last| last <= length) {
            return None;
        }
        self.length = Some(length);
        // A long search proves the bounds of the quick one again.
        let lower_bound = state.lower_bound.max(self.lower_bound);
        let moves = format_moves(&state.board, state.moves, style);
        let seconds = self.started.elapsed().as_secs_f64();
        Some(event("solution", &SolutionEvent { length, lower_bound, moves, seconds }))
    }

    /// Returns the event of a number of nodes generated so far, if [`EVENT_INTERVAL`] is over.
    fn progress(&mut self, generated: u64) -> Option<String> {
        // A long search starts at 0 again: shows the largest number until it has caught up.
        self.generated_max = generated.max(self.generated_max);
        let elapsed = self.started.elapsed();
        if elapsed < self.next_progress {
            return None;
        }
        self.next_progress = elapsed.max(self.next_progress + EVENT_INTERVAL);
        let (generated, seconds) = (self.generated_max, elapsed.as_secs_f64());
        let nodes_per_second = generated as f64 / seconds;
        let bound = (self.lower_bound > 0).then_some(self.lower_bound);
        Some(event("progress", &ProgressEvent { bound, generated, nodes_per_second, seconds }))
    }
}

/// Lets a search send its events, with moves in this style.
pub(crate) fn watch(
    search: &mut Search,
    style: MoveStyle,
    send: impl Fn(String, bool) -> bool + Send + Sync + 'static,
) {
    let (send, cancel) = (Box::new(send), search.cancel.clone());
    let sender = Arc::new(Sender { send, cancel, events: Mutex::new(SearchEvents::start()) });
    search.generated = Some(Arc::clone(&sender) as _);
    search.watch = Some(Watch::new(move |event: &Event<'_>| match event {
        Event::Bound(state) => sender.send(|events| events.bound(state)),
        Event::Solution(state) => sender.send(|events| events.solution(state, style)),
        _ => (),
    }));
}

/// Sender of the events of a search. It cancels the search when the client no longer waits.
struct Sender {
    send: Box<dyn Fn(String, bool) -> bool + Send + Sync>,
    cancel: Cancel,
    events: Mutex<SearchEvents>,
}

impl Sender {
    /// Sends an event if there is one. Threads send one after the other.
    fn send(&self, event: impl FnOnce(&mut SearchEvents) -> Option<String>) {
        let mut events = self.events.lock();
        if event(&mut events).is_some_and(|event| !(self.send)(event, false)) {
            self.cancel.cancel();
        }
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender")
    }
}

impl Progress for Sender {
    fn generated(&self, count: u64) {
        self.send(|events| events.progress(count));
    }
}
