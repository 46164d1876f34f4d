//! Tables as files: built, verified and inspected without being opened.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::{Value, json};
use tilebase::pdb_core::TableKey;
use tilebase::pdb_format::{FORMAT_VERSION, Header};
use tilebase::pdb_gen::{self, BuildReport, Level, Monitor, TableFile, digest_of};
use tilebase::{Cancel, Error, Event, Memory, Shelf, Watch, core_count, tables_named};

use crate::errors::{self, Kind, raise};
use crate::spec::Spec;
use crate::wait::{self, Teller};

/// The folder that is named, or the one that all programs share.
pub(crate) fn folder_of(folder: Option<PathBuf>) -> PyResult<PathBuf> {
    folder.map_or_else(|| Shelf::usual_folder().map_err(errors::of), Ok)
}

/// The folder of tables that every program uses if nobody says otherwise.
#[pyfunction]
pub(crate) fn usual_folder() -> PyResult<PathBuf> {
    folder_of(None)
}

/// What a builder tells: stage, table, level, done, total, text.
pub(crate) type Told =
    (&'static str, Option<String>, Option<u32>, Option<u64>, Option<u64>, String);

/// What is told of an event.
fn told(event: &Event<'_>) -> Option<Told> {
    let nothing = (None, None, None);
    let (stage, table, (level, done, total), text) = match event {
        Event::Fallback { reason, heuristic } => {
            ("fallback", None, nothing, format!("{reason}; {heuristic} is used instead"))
        }
        Event::Missing { name, disk_bytes, .. } => (
            "missing",
            None,
            (None, None, Some(*disk_bytes)),
            format!("building the tables of {name}"),
        ),
        Event::TableBegins { table, description, .. } => {
            ("begin", Some(*table), nothing, (*description).to_owned())
        }
        Event::TableEnds { table } => ("end", Some(*table), nothing, String::new()),
        Event::Built(report) => {
            let name = report.header.key.file_name();
            return Some(("built", Some(name), None, None, None, String::new()));
        }
        Event::Table { table, event } => {
            let (stage, level, done, total) = step(*event)?;
            (stage, Some(*table), (level, done, total), String::new())
        }
        _ => return None,
    };
    Some((stage, table.map(str::to_owned), level, done, total, text))
}

/// Stage, level, done and total.
type Step = (&'static str, Option<u32>, Option<u64>, Option<u64>);

/// The step of long work that an event tells.
fn step(event: pdb_gen::Event) -> Option<Step> {
    use pdb_gen::Event as E;
    Some(match event {
        E::Level { level, done, total } => ("level", Some(level), Some(done), Some(total)),
        E::Segment { level, done, total } => ("segment", Some(level), Some(done), Some(total)),
        E::Resume { level, done, total } => ("resume", Some(level), Some(done), Some(total)),
        E::Pack => ("pack", None, None, None),
        E::Write { done, total } => ("write", None, Some(done), Some(total)),
        E::Check { done, total } => ("check", None, Some(done), Some(total)),
        E::Sync => ("sync", None, None, None),
        _ => return None,
    })
}

/// What hands events to whoever waits for the work.
pub(crate) fn watch<T: Send + 'static>(
    teller: Teller<Told, T>,
) -> impl Fn(&Event<'_>) + Send + Sync + 'static {
    move |event| {
        if let Some(told) = told(event) {
            teller.tell(told);
        }
    }
}

/// Hands what is told to a function of Python's, if there is one.
pub(crate) fn call(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    told: Told,
) -> PyResult<()> {
    match progress {
        Some(progress) => progress.call1(told.into_pyobject(py)?.cast::<PyTuple>()?).map(drop),
        None => Ok(()),
    }
}

fn text(value: &Value) -> String {
    value.to_string()
}

/// What a header says.
fn header(header: &Header) -> Value {
    let key = &header.key;
    let (rows, cols, homes) = match key {
        TableKey::Pattern(key) => {
            let homes: Vec<u8> = key.homes.iter().collect();
            (Some(key.shape.rows()), Some(key.shape.cols()), homes)
        }
        _ => (None, None, Vec::new()),
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

/// Builds the tables of a spec that are missing; a report of each, as JSON.
#[pyfunction]
#[pyo3(signature = (spec, folder, replace, memory_bytes, threads, progress))]
pub(crate) fn build(
    py: Python<'_>,
    spec: &Spec,
    folder: Option<PathBuf>,
    replace: bool,
    memory_bytes: Option<u64>,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let cancel = Cancel::new();
    let shelf = Shelf {
        memory: memory_bytes.map_or(Memory::ALL, Memory::of),
        thread_count: threads.unwrap_or_else(core_count).max(1),
        cancel: cancel.clone(),
        ..Shelf::new(&folder_of(folder)?)
    };
    let spec = spec.spec.clone();
    let build = move |teller: Teller<Told, Result<Vec<BuildReport>, Error>>| {
        Shelf { watch: Watch::new(watch(teller)), ..shelf }
            .build_all(&spec.name, &spec.plan, replace)
    };
    let reports = wait::telling(py, &cancel, build, |py, told| call(py, progress, told))?;
    let reports = reports.map_err(errors::of)?;
    Ok(text(&reports.iter().map(built).collect()))
}

/// Verifies tables; a report of each, as JSON.
#[pyfunction]
#[pyo3(signature = (names, folder, level, threads, progress))]
pub(crate) fn verify(
    py: Python<'_>,
    names: Vec<PathBuf>,
    folder: Option<PathBuf>,
    level: &str,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let level = match level {
        "header" => Level::Header,
        "digest" => Level::Digest,
        "entries" => Level::Entries,
        "rebuild" => Level::Rebuild,
        _ => {
            let message =
                format!("expected a level header, digest, entries or rebuild, found {level:?}");
            return Err(raise(Kind::Argument, message, None));
        }
    };
    let threads = threads.unwrap_or_else(core_count).max(1);
    let cancel = Cancel::new();
    let mut reports = Vec::new();
    for table in tables_named(&names, folder.as_deref()).map_err(errors::of)? {
        table.check_is_there().map_err(errors::of)?;
        let name = table.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let stop = cancel.clone();
        let verify = move |teller: Teller<Told, _>| {
            let report = |event| {
                if let Some((stage, level, done, total)) = step(event) {
                    teller.tell((stage, name.clone(), level, done, total, String::new()));
                }
            };
            pdb_gen::verify(&table.path, level, threads, &Monitor::new(&report, stop.flag()))
        };
        let report = wait::telling(py, &cancel, verify, |py, told| call(py, progress, told))?;
        let report = report.map_err(|error| errors::of_named(error.into()))?;
        let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        reports.push(json!({
            "path": report.path,
            "level": report.level.name(),
            "findings": findings,
        }));
    }
    Ok(text(&reports.into()))
}

/// What the headers of tables say, as JSON.
#[pyfunction]
pub(crate) fn inspect(
    py: Python<'_>,
    names: Vec<PathBuf>,
    folder: Option<PathBuf>,
) -> PyResult<String> {
    let read = || {
        let mut headers = Vec::new();
        for table in tables_named(&names, folder.as_deref())? {
            table.check_is_there()?;
            let file = TableFile::open_unindexed(&table.path)?;
            headers.push(header(file.header()));
        }
        Ok::<_, Error>(headers)
    };
    Ok(text(&py.detach(read).map_err(errors::of_named)?.into()))
}
