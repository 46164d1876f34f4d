//! Threads that search and build while the player plays.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use tilebase::pdb_gen::Event as Step;
use tilebase::{Builder, Cancel, Error, Event as News, Goal, GoalChoice, Search, Tilebase};

use super::app::{Event, Kind, Order, Told};
use crate::output::{bytes, count};

/// An order that a worker has not begun, and what stops it.
type Ordered = (Order, Cancel);

/// One worker for each kind of search, and one that builds.
#[derive(Debug)]
pub(super) struct Workers {
    builder: Builder,
    events: Sender<Event>,
    opened: Opened,
    desks: Vec<(Kind, Desk)>,
    build: Option<(Cancel, JoinHandle<()>)>,
}

/// Where the orders of one worker go.
#[derive(Debug)]
struct Desk {
    orders: Sender<Ordered>,
    /// What stops the last order.
    cancel: Cancel,
}

/// The handles that were made, one for each goal. They build nothing.
#[derive(Clone, Debug, Default)]
struct Opened(Arc<Mutex<Vec<(Goal, Tilebase)>>>);

impl Opened {
    fn list(&self) -> MutexGuard<'_, Vec<(Goal, Tilebase)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The handle of a goal.
    fn of(&self, builder: &Builder, goal: &Goal) -> Result<Tilebase, Error> {
        let mut list = self.list();
        if let Some((_, tables)) = list.iter().find(|(of, _)| of == goal) {
            return Ok(tables.clone());
        }
        let tables = builder.clone().goal(GoalChoice::Drawn(*goal)).lazy_open()?;
        list.push((*goal, tables.clone()));
        Ok(tables)
    }
}

impl Workers {
    /// Workers that search with the tables of `builder` and tell `events`.
    pub(super) fn new(builder: Builder, events: Sender<Event>) -> anyhow::Result<Self> {
        let opened = Opened::default();
        let mut desks = Vec::new();
        for kind in [Kind::Values, Kind::Solution, Kind::Optimum] {
            let (orders, received) = channel();
            let (builder, events, opened) = (builder.clone(), events.clone(), opened.clone());
            start(move || work(&received, &builder, &opened, &events))?;
            desks.push((kind, Desk { orders, cancel: Cancel::new() }));
        }
        Ok(Self { builder, events, opened, desks, build: None })
    }

    /// Searches; what was ordered of the same kind before is stopped.
    pub(super) fn search(&mut self, order: Order) {
        let desk = self.desk(order.kind);
        desk.cancel.cancel();
        desk.cancel = Cancel::new();
        // Without a worker the program is about to end.
        let _ = desk.orders.send((order, desk.cancel.clone()));
    }

    /// Stops searches of a kind.
    pub(super) fn cancel(&mut self, kind: Kind) {
        self.desk(kind).cancel.cancel();
    }

    fn desk(&mut self, kind: Kind) -> &mut Desk {
        let desk = self.desks.iter_mut().find(|(of, _)| *of == kind);
        &mut desk.expect("each kind has a worker").1
    }

    /// Finds out what would have to be built for a goal.
    pub(super) fn look(&self, goal: Goal) -> anyhow::Result<()> {
        let (builder, opened, events) =
            (self.builder.clone(), self.opened.clone(), self.events.clone());
        start(move || {
            let found = opened.of(&builder, &goal).and_then(|tables| tables.to_build(&goal));
            let _ = events.send(Event::Told(Told::Missing(goal, found.map_err(text))));
        })?;
        Ok(())
    }

    /// Builds the tables of a goal.
    pub(super) fn build(&mut self, goal: Goal) -> anyhow::Result<()> {
        let cancel = Cancel::new();
        let (builder, opened, events) =
            (self.builder.clone(), self.opened.clone(), self.events.clone());
        let (told, stop) = (self.events.clone(), cancel.clone());
        let thread = start(move || {
            let watch = move |news: &News<'_>| {
                if let Some(line) = line(news) {
                    let _ = told.send(Event::Told(Told::Building(line)));
                }
            };
            let built = builder
                .clone()
                .lazy_open()
                .map(|tables| Search { cancel: stop, ..tables.search().clone() })
                .and_then(|search| {
                    let builder = builder.goal(GoalChoice::Drawn(goal));
                    builder.search(search).watch(watch).ensure()
                });
            // Handles that found nothing look again.
            opened.list().clear();
            let _ = events.send(Event::Told(Told::Built(built.map(drop).map_err(text))));
        })?;
        self.build = Some((cancel, thread));
        Ok(())
    }

    /// Stops the build.
    pub(super) fn stop_build(&self) {
        if let Some((cancel, _)) = &self.build {
            cancel.cancel();
        }
    }

    /// Stops everything; waits for the build, which removes what is half-written.
    pub(super) fn end(mut self) {
        for (_, desk) in &self.desks {
            desk.cancel.cancel();
        }
        if let Some((cancel, thread)) = self.build.take() {
            cancel.cancel();
            let _ = thread.join();
        }
    }
}

fn start(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    thread::Builder::new().spawn(work).map_err(|source| Error::Threads { source })
}

#[allow(clippy::needless_pass_by_value, reason = "it is what a result maps its error with")]
fn text(error: Error) -> String {
    error.to_string()
}

/// Searches whatever was ordered last, again and again.
fn work(orders: &Receiver<Ordered>, builder: &Builder, opened: &Opened, events: &Sender<Event>) {
    while let Ok(mut last) = orders.recv() {
        // Only the last one counts: the others were stopped before they began.
        while let Ok(newer) = orders.try_recv() {
            last = newer;
        }
        let (order, cancel) = last;
        if cancel.is_cancelled() {
            continue;
        }
        let told = search(&order, &cancel, builder, opened);
        if !cancel.is_cancelled() && events.send(Event::Told(told)).is_err() {
            break;
        }
    }
}

fn search(order: &Order, cancel: &Cancel, builder: &Builder, opened: &Opened) -> Told {
    let Order { kind, id, board, ref goal, time } = *order;
    let tables = opened.of(builder, goal);
    let search = |tables: &Tilebase| {
        let search = tables.search().clone();
        Search { time, nodes: None, cancel: cancel.clone(), ..search }
    };
    let solved = || {
        let tables = opened.of(builder, goal)?;
        tables.solve_with(board, &search(&tables)).map(Box::new)
    };
    match kind {
        Kind::Values => {
            let values = tables.and_then(|tables| tables.moves_with(board, &search(&tables)));
            Told::Values(id, values.map(Box::new).map_err(text))
        }
        Kind::Solution => Told::Solution(id, solved().map_err(text)),
        Kind::Optimum => Told::Optimum(id, solved().map_err(text)),
    }
}

/// A line that says how far a build is.
fn line(news: &News<'_>) -> Option<String> {
    Some(match news {
        News::TableBegins { table, .. } => format!("building {table}"),
        News::Table { table, event } => {
            let state = match event {
                Step::Level { level, done, total } | Step::Segment { level, done, total } => {
                    format!("level {level}, {} of {} states", count(*done), count(*total))
                }
                Step::Pack => "packing".to_owned(),
                Step::Write { done, total } => {
                    format!("writing, {} of {}", bytes(*done), bytes(*total))
                }
                Step::Check { done, total } => {
                    format!("checking, {} of {}", bytes(*done), bytes(*total))
                }
                Step::Sync => "making it durable".to_owned(),
                _ => return None,
            };
            format!("building {table}: {state}")
        }
        _ => return None,
    })
}
