//! Threads that search and build while the player plays.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use tilebase::pdb_gen::Event as Step;
use tilebase::{
    Builder, Cancel, Error, Event as News, Goal, GoalChoice, Search, SpecChoice, Tilebase,
};

use super::app::{Event, Kind, Order, Told};
use crate::output::{bytes, count};

/// An order that a worker has not begun, and what stops it.
type Ordered = (Order, Cancel);

/// One worker for each kind of search, one that looks for tables, and one that builds.
#[derive(Debug)]
pub(super) struct Workers {
    events: Sender<Event>,
    handles: Handles,
    desks: Vec<(Kind, Desk)>,
    looks: Sender<Goal>,
    build: Option<(Cancel, JoinHandle<()>)>,
}

/// Where the orders of one worker go.
#[derive(Debug)]
struct Desk {
    orders: Sender<Ordered>,
    /// What stops the last order.
    cancel: Cancel,
}

/// A handle for each goal that was asked for. They build nothing.
#[derive(Clone, Debug)]
struct Handles {
    builder: Builder,
    made: Arc<Mutex<Vec<(Goal, Tilebase)>>>,
}

impl Handles {
    fn made(&self) -> MutexGuard<'_, Vec<(Goal, Tilebase)>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The handle of a goal.
    fn of(&self, goal: &Goal) -> Result<Tilebase, Error> {
        let mut made = self.made();
        if let Some((_, tables)) = made.iter().find(|(of, _)| of == goal) {
            return Ok(tables.clone());
        }
        let tables = self.builder_of(goal).lazy_open()?;
        made.push((*goal, tables.clone()));
        Ok(tables)
    }

    /// What boards of a goal are searched with: the tables that were asked for, and the best ones where
    /// those are for other boards.
    fn builder_of(&self, goal: &Goal) -> Builder {
        let own = self.builder.clone().goal(GoalChoice::Drawn(*goal));
        if own.clone().lazy_open().is_ok() { own } else { own.choice(SpecChoice::Best) }
    }

    /// Builds the tables of a goal. All handles look for theirs again.
    fn build(
        &self,
        goal: &Goal,
        cancel: Cancel,
        watch: impl Fn(&News<'_>) + Send + Sync + 'static,
    ) -> Result<(), Error> {
        let search = Search { cancel, ..self.of(goal)?.search().clone() };
        let built = self.builder_of(goal).search(search).watch(watch).ensure();
        self.made().clear();
        built.map(drop)
    }
}

impl Workers {
    /// Workers that search with the tables of `builder` and tell `events`.
    pub(super) fn new(builder: Builder, events: Sender<Event>) -> Result<Self, Error> {
        let handles = Handles { builder, made: Arc::default() };
        let mut desks = Vec::new();
        for kind in [Kind::Values, Kind::Solution, Kind::Optimum] {
            let (orders, received) = channel();
            let (handles, events) = (handles.clone(), events.clone());
            start(move || work(&received, &handles, &events))?;
            desks.push((kind, Desk { orders, cancel: Cancel::new() }));
        }
        let (looks, goals) = channel();
        let (finder, teller) = (handles.clone(), events.clone());
        start(move || look(&goals, &finder, &teller))?;
        Ok(Self { events, handles, desks, looks, build: None })
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
    pub(super) fn look(&self, goal: Goal) {
        // Without a worker the program is about to end.
        let _ = self.looks.send(goal);
    }

    /// Builds the tables of a goal.
    pub(super) fn build(&mut self, goal: Goal) -> Result<(), Error> {
        let cancel = Cancel::new();
        let (handles, events, stop) = (self.handles.clone(), self.events.clone(), cancel.clone());
        let thread = start(move || {
            let told = events.clone();
            let watch = move |news: &News<'_>| {
                if let Some(line) = line(news) {
                    let _ = told.send(Event::Told(Told::Building(line)));
                }
            };
            let built = handles.build(&goal, stop, watch);
            let _ = events.send(Event::Told(Told::Built(built.map_err(text))));
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

/// What was ordered last, once something is: who orders again has no use for what was ordered before.
/// Nothing at the end of the program.
fn last<T>(orders: &Receiver<T>) -> Option<T> {
    let first = orders.recv().ok()?;
    Some(orders.try_iter().last().unwrap_or(first))
}

/// Finds out again and again what would have to be built for a goal.
fn look(goals: &Receiver<Goal>, handles: &Handles, events: &Sender<Event>) {
    while let Some(goal) = last(goals) {
        let found = handles.of(&goal).and_then(|tables| tables.to_build(&goal));
        let told = Told::Missing(goal, found.map_err(text));
        if events.send(Event::Told(told)).is_err() {
            break;
        }
    }
}

/// Searches again and again.
fn work(orders: &Receiver<Ordered>, handles: &Handles, events: &Sender<Event>) {
    while let Some((order, cancel)) = last(orders) {
        if cancel.is_cancelled() {
            continue;
        }
        let told = search(&order, &cancel, handles);
        if !cancel.is_cancelled() && events.send(Event::Told(told)).is_err() {
            break;
        }
    }
}

fn search(order: &Order, cancel: &Cancel, handles: &Handles) -> Told {
    let Order { kind, id, board, ref goal, time } = *order;
    let opened = handles.of(goal).map(|tables| {
        let search = Search { time, cancel: cancel.clone(), ..tables.search().clone() };
        (tables, search)
    });
    let tell = match kind {
        Kind::Values => {
            let values = opened.and_then(|(tables, search)| tables.moves_with(board, &search));
            return Told::Values(id, values.map(Box::new).map_err(text));
        }
        Kind::Solution => Told::Solution,
        Kind::Optimum => Told::Optimum,
    };
    let answer = opened.and_then(|(tables, search)| tables.solve_with(board, &search));
    tell(id, answer.map(Box::new).map_err(text))
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
