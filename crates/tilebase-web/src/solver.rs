//! The solver of a page: requests, stored tables and builds.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::TableKey;
use pdb_format::{Digest, table_digest};
use pdb_gen::{Event, GenError, Monitor, Table};
use serde::Deserialize;
use tilebase_api::{
    Build, Call, Client, EVENT_STREAM, Limits, Method, Prepared, Problem, Reply, Route, Service,
};

use crate::host::Host;
use crate::place::BrowserPlace;
use crate::tables::StoredTables;

/// Limits of requests. A person may let a search run for longer.
const LIMITS: Limits = Limits { time_max: Duration::from_hours(1), ..Limits::USUAL };

/// The solver of a page.
#[derive(Debug)]
pub struct PageSolver {
    host: Arc<dyn Host>,
    place: Arc<BrowserPlace>,
    service: Service,
}

/// A request of the page's script.
#[derive(Debug, Deserialize)]
struct PageRequest {
    method: String,
    /// Path and query, such as `/v1/moves?board=...`.
    url: String,
    accept: String,
    body: String,
}

impl PageSolver {
    /// Creates a solver without tables.
    pub fn new(host: Arc<dyn Host>) -> Self {
        let tables = Arc::new(StoredTables::new(Arc::clone(&host)));
        let place = Arc::new(BrowserPlace { tables, room: AtomicU64::new(u64::MAX) });
        // The page runs a build when it wants to.
        let service = Service::new(Arc::clone(&place) as _, |_| Ok(()));
        Self { host, place, service }
    }

    /// Sets the number of bytes that the page can store.
    pub fn set_room(&self, bytes: u64) {
        self.place.room.store(bytes, Ordering::Relaxed);
    }

    /// Takes note of a table file that the page has stored: its name and its length.
    pub fn offer(&self, name: &str, bytes: u64) {
        self.place.tables.offer(name, bytes);
    }

    /// Answers a request: `{"method","url","accept","body"}` as JSON. The response goes to the
    /// host, events while they happen.
    pub fn answer(&self, request: &str) {
        let prepared = self.prepared(request);
        match prepared.unwrap_or_else(|problem| Prepared::Done(problem.into())) {
            Prepared::Done(reply) => self.reply(&reply),
            Prepared::Job(mut job) if job.has_events() => {
                job.send_events(self.start_events());
                self.host.send(job.run(&job.search).last_event().as_bytes());
            }
            Prepared::Job(job) => self.reply(&job.run(&job.search)),
            Prepared::Build(build) => build.send_events(self.start_events()),
        }
    }

    fn prepared(&self, request: &str) -> Result<Prepared, Problem> {
        let PageRequest { method, url, accept, body } = serde_json::from_str(request)
            .map_err(|error| Problem::bad(format!("the request is not JSON: {error}")))?;
        let method = match &*method {
            "GET" => Method::Get,
            "POST" => Method::Post,
            "DELETE" => Method::Delete,
            _ => return Err(Problem::method_not_allowed()),
        };
        let (address, accept, body) = (&*url, &*accept, Ok(body.as_bytes()));
        let route = Route::find(method, address)?;
        let client = Client { limits: LIMITS, build_refusal: None };
        Ok(route.prepare(&self.service, &Call { client, address, accept, body }))
    }

    fn reply(&self, reply: &Reply) {
        self.host.start(reply.status, reply.content_type);
        self.host.send(&reply.body);
    }

    /// Begins a response with events, and returns their receiver.
    fn start_events(&self) -> impl Fn(String, bool) -> bool + Send + Sync + use<> {
        self.host.start(200, EVENT_STREAM);
        let host = Arc::clone(&self.host);
        move |event, _| {
            host.send(event.as_bytes());
            true
        }
    }

    /// Runs a requested build to its end. Its states go to the host as events, its tables to be
    /// stored.
    pub fn build(&self, id: u64) {
        let Some(build) = self.service.builds.get(id) else {
            return self.reply(&Problem::not_found().into());
        };
        build.send_events(self.start_events());
        build.run(|| self.build_tables(&build).map_err(|error| error.to_string()));
    }

    fn build_tables(&self, build: &Build) -> Result<(), Box<dyn Error>> {
        for key in build.spec().plan.tables() {
            let (file, begun) = (key.file_name(), Instant::now());
            let is_there = self.place.tables.header(key).is_some();
            if !is_there {
                self.build_table(build, key, &file)?;
            }
            build.report_end(&file, is_there, begun.elapsed());
        }
        Ok(())
    }

    fn build_table(&self, build: &Build, key: &TableKey, file: &str) -> Result<(), Box<dyn Error>> {
        let report = |event: Event| build.report(file, event);
        let monitor = Monitor::new(&report, build.cancelled().flag());
        let table = Table::build(key, 1, &monitor)?;
        let found = table_digest(&table.header.to_bytes());
        if let Some(digits) = self.host.known_digest(file) {
            let expected: Digest = digits.parse().map_err(|_| {
                format!(
                    "expected the digest of {file} from this page's host, found {digits:?}: load \
                     the page again, or export it again"
                )
            })?;
            if expected != found {
                return Err(GenError::OtherTable { path: file.into(), expected, found }.into());
            }
        }
        let bytes = table.to_bytes();
        drop(table);
        let total = bytes.len() as u64;
        report(Event::Write { done: 0, total });
        self.host.store(file, &bytes);
        report(Event::Write { done: total, total });
        Ok(())
    }
}
