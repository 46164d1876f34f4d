//! Threads that search and build in the background.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

use pdb_core::lock;
use tilebase::event::{Event as LibraryEvent, Step, Watch};
use tilebase::names::{GoalChoice, SpecChoice};
use tilebase::{Builder, Cancel, Error, Goal, Search, Tilebase};

use super::app::{GameEvent, Order, Playback, SearchKind, WorkerEvent};
use crate::advice::message;
use crate::progress;

/// Order of a search, and the handle that cancels it.
type Ordered = (Order, Cancel);

/// One worker per kind of search, one that looks for missing tables, and one that builds.
#[derive(Debug)]
pub(super) struct Workers {
    events: Sender<GameEvent>,
    handles: Handles,
    queues: Vec<(SearchKind, SearchQueue)>,
    looks: Sender<Goal>,
    build: Option<(Cancel, JoinHandle<()>)>,
}

/// Queue of orders for one worker.
#[derive(Debug)]
struct SearchQueue {
    orders: Sender<Ordered>,
    /// Cancels the last order.
    cancel: Cancel,
}

/// A handle per goal. They build nothing.
#[derive(Clone, Debug)]
struct Handles {
    builder: Builder,
    made: Arc<Mutex<Vec<(Goal, Tilebase)>>>,
}

impl Handles {
    fn made(&self) -> MutexGuard<'_, Vec<(Goal, Tilebase)>> {
        lock(&self.made)
    }

    /// Returns the handle of a goal.
    fn of(&self, goal: &Goal) -> Result<Tilebase, Error> {
        let mut made = self.made();
        if let Some((_, tables)) = made.iter().find(|(of, _)| of == goal) {
            return Ok(tables.clone());
        }
        let tables = self.builder_of(goal).lazy_open()?;
        made.push((*goal, tables.clone()));
        Ok(tables)
    }

    /// Returns the builder for a goal: with the tables that the command line names, or with the
    /// best tables if those are for other boards.
    fn builder_of(&self, goal: &Goal) -> Builder {
        let own = self.builder.clone().goal(GoalChoice::Drawn(*goal));
        if own.clone().lazy_open().is_ok() { own } else { own.choice(SpecChoice::Best) }
    }

    /// Builds the tables of a goal. All handles are opened again after that.
    fn build(
        &self,
        goal: &Goal,
        cancel: Cancel,
        watch: impl Fn(&LibraryEvent<'_>) + Send + Sync + 'static,
    ) -> Result<(), Error> {
        let search = Search { cancel, ..self.of(goal)?.search().clone() };
        let built = self.builder_of(goal).search(search).watch(watch).ensure();
        self.made().clear();
        built.map(drop)
    }
}

impl Workers {
    /// Starts workers that search with the tables of `builder` and send `events`.
    pub(super) fn new(builder: Builder, events: Sender<GameEvent>) -> Result<Self, Error> {
        let handles = Handles { builder, made: Arc::default() };
        let mut queues = Vec::new();
        for kind in [SearchKind::Values, SearchKind::Solution, SearchKind::Optimum] {
            let (orders, received) = channel();
            let (handles, events) = (handles.clone(), events.clone());
            start(move || work(&received, &handles, &events))?;
            queues.push((kind, SearchQueue { orders, cancel: Cancel::new() }));
        }
        let (looks, goals) = channel();
        let (finder, teller) = (handles.clone(), events.clone());
        start(move || look(&goals, &finder, &teller))?;
        Ok(Self { events, handles, queues, looks, build: None })
    }

    /// Starts a search, and cancels older searches of the same kind.
    pub(super) fn search(&mut self, order: Order) {
        let queue = self.queue(order.kind);
        queue.cancel.cancel();
        queue.cancel = Cancel::new();
        // Without a worker, the program is about to end.
        let _ = queue.orders.send((order, queue.cancel.clone()));
    }

    /// Cancels searches of a kind.
    pub(super) fn cancel(&mut self, kind: SearchKind) {
        self.queue(kind).cancel.cancel();
    }

    fn queue(&mut self, kind: SearchKind) -> &mut SearchQueue {
        let queue = self.queues.iter_mut().find(|(of, _)| *of == kind);
        &mut queue.expect("each kind has a worker").1
    }

    /// Looks for the missing tables of a goal.
    pub(super) fn look(&self, goal: Goal) {
        // Without a worker, the program is about to end.
        let _ = self.looks.send(goal);
    }

    /// Builds the tables of a goal.
    pub(super) fn build(&mut self, goal: Goal) -> Result<(), Error> {
        let cancel = Cancel::new();
        let (handles, events, stop) = (self.handles.clone(), self.events.clone(), cancel.clone());
        let thread = start(move || {
            let sender = events.clone();
            let table = Mutex::new(String::new());
            let watch = move |event: &LibraryEvent<'_>| {
                let mut table = lock(&table);
                let text = match event {
                    LibraryEvent::Task(_, Step::Begin { place, table_count, .. }) => {
                        *table = format!("building table {place} of {table_count}");
                        table.clone()
                    }
                    LibraryEvent::Task(_, Step::Table(event)) => {
                        format!("{table}: {}", progress::step(*event))
                    }
                    _ => return,
                };
                let _ = sender.send(GameEvent::Worker(WorkerEvent::Building(text)));
            };
            let built = handles.build(&goal, stop, watch);
            let _ = events.send(GameEvent::Worker(WorkerEvent::Built(built.map_err(text))));
        })?;
        self.build = Some((cancel, thread));
        Ok(())
    }

    /// Cancels the build.
    pub(super) fn stop_build(&self) {
        if let Some((cancel, _)) = &self.build {
            cancel.cancel();
        }
    }

    /// Cancels everything, and waits for the build, which removes unfinished files.
    pub(super) fn end(mut self) {
        for (_, queue) in &self.queues {
            queue.cancel.cancel();
        }
        if let Some((cancel, thread)) = self.build.take() {
            cancel.cancel();
            let _ = thread.join();
        }
    }
}

fn start(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    pdb_core::thread_builder().spawn(work).map_err(|source| Error::Threads { source })
}

#[allow(clippy::needless_pass_by_value, reason = "it is what a result maps its error with")]
fn text(error: Error) -> String {
    message(&error)
}

/// Waits for an order and returns the latest one, which replaces older ones. Returns `None` at
/// the end of the program.
fn last<T>(orders: &Receiver<T>) -> Option<T> {
    let first = orders.recv().ok()?;
    Some(orders.try_iter().last().unwrap_or(first))
}

/// Answers requests for missing tables until the program ends.
fn look(goals: &Receiver<Goal>, handles: &Handles, events: &Sender<GameEvent>) {
    while let Some(goal) = last(goals) {
        let found = handles.of(&goal).and_then(|tables| tables.to_build(&goal));
        let event = WorkerEvent::Missing(goal, found.map_err(text));
        if events.send(GameEvent::Worker(event)).is_err() {
            break;
        }
    }
}

/// Answers search orders until the program ends.
fn work(orders: &Receiver<Ordered>, handles: &Handles, events: &Sender<GameEvent>) {
    while let Some((order, cancel)) = last(orders) {
        if cancel.is_cancelled() {
            continue;
        }
        let event = search(&order, &cancel, handles, events);
        if !cancel.is_cancelled() && events.send(GameEvent::Worker(event)).is_err() {
            break;
        }
    }
}

fn search(
    order: &Order,
    cancel: &Cancel,
    handles: &Handles,
    events: &Sender<GameEvent>,
) -> WorkerEvent {
    let Order { kind, id, board, ref goal, time } = *order;
    let events = events.clone();
    let tell = move |event: &LibraryEvent<'_>| {
        if let (SearchKind::Solution, LibraryEvent::Solution(state)) = (kind, event) {
            let found = Playback::new(board, state.moves, state.known_length());
            let event = WorkerEvent::Found(id, Box::new(found));
            // Without a receiver, the program is about to end.
            let _ = events.send(GameEvent::Worker(event));
        }
    };
    let opened = handles.of(goal).map(|tables| {
        let (cancel, watch) = (cancel.clone(), Some(Watch::new(tell)));
        let search = Search { time, cancel, watch, ..tables.search().clone() };
        (tables, search)
    });
    let event = match kind {
        SearchKind::Values => {
            let values = opened.and_then(|(tables, search)| tables.moves_with(board, &search));
            return WorkerEvent::Values(id, values.map(Box::new).map_err(text));
        }
        SearchKind::Solution => WorkerEvent::Solution,
        SearchKind::Optimum => WorkerEvent::Optimum,
    };
    let answer = opened.and_then(|(tables, search)| tables.solve_with(board, &search));
    event(id, answer.map(Box::new).map_err(text))
}
