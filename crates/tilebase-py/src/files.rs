//! Tables as files: built, verified and inspected without being opened.

use std::path::PathBuf;

use pdb_format::{FORMAT_VERSION, Header};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::{Value, json};
use tilebase::event::{Event, Task, Watch};
use tilebase::pdb_core::TableKey;
use tilebase::pdb_gen::{self, BuildReport, Level, Monitor, TableFile, digest_of};
use tilebase::shelf::{Memory, Shelf, SpecListing, core_count, tables_named};
use tilebase::{Cancel, Error, Remedy, Search};

use crate::errors::{Result, advised, named, of_named};
use crate::own::StopFlag;
use crate::record::of_record;
use crate::spec::Spec;
use crate::wait::{self, Events};

/// Returns the folder of an argument, or by default the one that all programs share.
pub(crate) fn folder_of(folder: Option<PathBuf>) -> Result<PathBuf> {
    folder.map_or_else(|| Ok(Shelf::usual_folder()?), Ok)
}

/// Returns the default folder of tables, which all programs share.
#[pyfunction]
pub(crate) fn usual_folder() -> Result<PathBuf> {
    folder_of(None)
}

/// A step of long work, as the fields of Python's `Progress`: stage, table, level, done, total and
/// text.
pub(crate) type Step =
    (&'static str, Option<String>, Option<u32>, Option<u64>, Option<u64>, String);

/// Returns the step of an event.
fn step_of(event: &Event<'_>) -> Option<Step> {
    let step = |stage, table: Option<&str>, total, text: String| {
        Some((stage, table.map(str::to_owned), None, None, total, text))
    };
    match event {
        Event::Fallback { reason, heuristic, .. } => {
            step("fallback", None, None, format!("{reason}; {heuristic} is used instead"))
        }
        Event::Missing { missing, .. } => {
            let text = format!("building the tables of {}", missing.name);
            step("missing", None, Some(missing.disk_bytes), text)
        }
        Event::Task(Task::Table(table), task) => match task {
            tilebase::event::Step::Begin { description, .. } => {
                step("begin", Some(table), None, (*description).to_owned())
            }
            tilebase::event::Step::Table(event) => Some(step_of_table(table, *event)),
            tilebase::event::Step::End => step("end", Some(table), None, String::new()),
            _ => None,
        },
        Event::Built(report) => {
            step("built", Some(&report.header.key.file_name()), None, String::new())
        }
        _ => None,
    }
}

/// Returns the step of the build or the check of one table.
fn step_of_table(table: &str, event: pdb_gen::Event) -> Step {
    use pdb_gen::Event as E;
    let (stage, level, counts) = match event {
        E::Level { level, done, total } => ("level", Some(level), Some((done, total))),
        E::Segment { level, done, total } => ("segment", Some(level), Some((done, total))),
        E::Resume { level, done, total } => ("resume", Some(level), Some((done, total))),
        E::Pack => ("pack", None, None),
        E::Write { done, total } => ("write", None, Some((done, total))),
        E::Check { done, total } => ("check", None, Some((done, total))),
        E::Sync => ("sync", None, None),
    };
    let (done, total) = counts.unzip();
    (stage, Some(table.to_owned()), level, done, total, String::new())
}

/// Returns a function that sends the steps of events to the waiting thread.
pub(crate) fn sender<T: Send + 'static>(
    events: Events<Step, T>,
) -> impl Fn(&Event<'_>) + Send + Sync + 'static {
    move |event| {
        if let Some(step) = step_of(event) {
            events.send(step);
        }
    }
}

/// Calls a function of Python, if there is one, with a step.
pub(crate) fn call(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    step: Step,
) -> PyResult<()> {
    match progress {
        Some(progress) => progress.call1(step.into_pyobject(py)?.cast::<PyTuple>()?).map(drop),
        None => Ok(()),
    }
}

/// Returns the fields of a header.
fn header(header: &Header) -> Value {
    let key = &header.key;
    let (rows, cols, homes) = match key {
        TableKey::Pattern(key) => {
            (Some(key.shape.rows()), Some(key.shape.cols()), key.homes.iter().collect::<Vec<u8>>())
        }
        TableKey::Coloured(key) => (Some(key.shape.rows()), Some(key.shape.cols()), Vec::new()),
        TableKey::Walking(_) => (None, None, Vec::new()),
    };
    json!({
        "table": key.file_name(),
        "description": key.describe(),
        "format_version": FORMAT_VERSION,
        "packing": header.packing.to_string(),
        "rows": rows,
        "cols": cols,
        "homes": homes,
        "entry_count": header.entry_count,
        "unreached_count": header.unreached_count,
        "file_bytes": header.file_bytes(),
        "histogram": header.histogram,
        "digest": digest_of(header).to_string(),
        "payload_digest": header.payload_digest.to_string(),
    })
}

fn built(report: &BuildReport) -> Value {
    json!({
        "table": report.header.key.file_name(),
        "path": report.path,
        "already_there": report.already_there,
        "entry_count": report.header.entry_count,
        "file_bytes": report.header.file_bytes(),
        "seconds": report.times.total().as_secs_f64(),
    })
}

/// Builds missing tables of a spec; returns a report of each.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they have names where people call it")]
pub(crate) fn build<'py>(
    py: Python<'py>,
    spec: &Spec,
    folder: Option<PathBuf>,
    replace: bool,
    memory_bytes: Option<u64>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    stop: Option<&StopFlag>,
) -> Result<Bound<'py, PyAny>> {
    let cancel = Cancel::new();
    let _stopped = stop.map(|stop| stop.call(&cancel));
    let memory = memory_bytes.map_or(Memory::ALL, Memory::of);
    let shelf = Shelf { memory, ..Shelf::new(&folder_of(folder)?) };
    let search = Search {
        thread_count: threads.unwrap_or_else(core_count).max(1),
        cancel: cancel.clone(),
        ..Search::default()
    };
    let spec = spec.spec.clone();
    let build = move |events: Events<Step, _>| {
        let search = Search { watch: Some(Watch::new(sender(events))), ..search };
        shelf.build_all(&spec.name, &spec.plan, replace, &search)
    };
    let reports = wait::work_with_events(py, &cancel, build, |py, step| call(py, progress, step))??;
    Ok(of_record(py, &reports.iter().map(built).collect::<Vec<_>>())?)
}

/// Verifies tables; returns a report of each.
#[pyfunction]
pub(crate) fn verify<'py>(
    py: Python<'py>,
    names: Vec<PathBuf>,
    folder: Option<PathBuf>,
    level: &str,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
    stop: Option<&StopFlag>,
) -> Result<Bound<'py, PyAny>> {
    let levels = Level::ALL.map(|level| (level.name(), level));
    let level = named("a level", level, &levels)?;
    let threads = threads.unwrap_or_else(core_count).max(1);
    let cancel = Cancel::new();
    let _stopped = stop.map(|stop| stop.call(&cancel));
    let mut reports = Vec::new();
    for table in tables_named(&names, folder.as_deref())? {
        table.check_is_there()?;
        let name = table.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let flag = cancel.clone();
        let verify = move |events: Events<Step, _>| {
            let report = |event| events.send(step_of_table(&name, event));
            pdb_gen::verify(&table.path, level, threads, &Monitor::new(&report, flag.flag()))
        };
        let report =
            wait::work_with_events(py, &cancel, verify, |py, step| call(py, progress, step))?;
        let report = report.map_err(|error| of_named(error.into()))?;
        let line = |finding| advised(finding, Remedy::of_finding(finding));
        let findings: Vec<String> = report.findings.iter().map(line).collect();
        reports.push(json!({
            "path": report.path,
            "level": report.level.name(),
            "findings": findings,
        }));
    }
    Ok(of_record(py, &reports)?)
}

/// Returns the headers of tables.
#[pyfunction]
pub(crate) fn inspect(
    py: Python<'_>,
    names: Vec<PathBuf>,
    folder: Option<PathBuf>,
) -> Result<Bound<'_, PyAny>> {
    let read = || {
        let mut headers = Vec::new();
        for table in tables_named(&names, folder.as_deref())? {
            table.check_is_there()?;
            let file = TableFile::open_unindexed(&table.path)?;
            headers.push(header(file.header()));
        }
        Ok::<_, Error>(headers)
    };
    Ok(of_record(py, &py.detach(read).map_err(of_named)?)?)
}

/// Returns the kind of a spec, the size of its tables and which of them are in the folder.
#[pyfunction]
pub(crate) fn spec_listing<'py>(
    py: Python<'py>,
    spec: &Spec,
    folder: Option<PathBuf>,
) -> Result<Bound<'py, PyAny>> {
    let listing = SpecListing::of(&spec.spec, &folder_of(folder)?)?;
    Ok(of_record(py, &listing)?)
}
