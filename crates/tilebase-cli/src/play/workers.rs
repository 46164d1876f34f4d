//! Threads that search and build in the background.

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

use pdb_core::lock;
use tilebase::event::{Event as LibraryEvent, Step, Watch};
use tilebase::names::{GoalChoice, SpecChoice};
use tilebase::{Builder, Cancel, Error, Goal, Search, Tilebase};

use super::app::{GameEvent, Order, Playback, SearchKind, WorkerEvent};
use crate::advice::message;
use crate::progress;

/// Searches, looks for missing tables, and a build, each on a thread of its own.
#[derive(Debug)]
pub(super) struct Workers {
    events: Sender<GameEvent>,
    handles: Handles,
    /// The last search of each kind.
    searches: Vec<(SearchKind, Cancel)>,
    build: Option<(Cancel, JoinHandle<()>)>,
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
    /// Returns workers that search with the tables of `builder` and send `events`.
    pub(super) fn new(builder: Builder, events: Sender<GameEvent>) -> Self {
        let handles = Handles { builder, made: Arc::default() };
        Self { events, handles, searches: Vec::new(), build: None }
    }

    /// Starts a search, and cancels an older search of the same kind.
    pub(super) fn search(&mut self, order: Order) -> Result<(), Error> {
        self.cancel(order.kind);
        let cancel = Cancel::new();
        self.searches.push((order.kind, cancel.clone()));
        let (handles, events) = (self.handles.clone(), self.events.clone());
        start(move || {
            let event = search(&order, &cancel, &handles, &events);
            if !cancel.is_cancelled() {
                // Without a receiver, the program is about to end.
                let _ = events.send(GameEvent::Worker(event));
            }
        })?;
        Ok(())
    }

    /// Cancels the search of a kind.
    pub(super) fn cancel(&mut self, kind: SearchKind) {
        for (_, cancel) in self.searches.extract_if(.., |(of, _)| *of == kind) {
            cancel.cancel();
        }
    }

    /// Looks for the missing tables of a goal.
    pub(super) fn look(&self, goal: Goal) -> Result<(), Error> {
        let (handles, events) = (self.handles.clone(), self.events.clone());
        start(move || {
            let found = handles.of(&goal).and_then(|tables| tables.to_build(&goal));
            let event = WorkerEvent::Missing(goal, found.map_err(text));
            let _ = events.send(GameEvent::Worker(event));
        })?;
        Ok(())
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
        for (_, cancel) in &self.searches {
            cancel.cancel();
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
