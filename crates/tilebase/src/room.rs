//! How much memory and disk there is, and what a plan needs of it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use pdb_core::{Plan, Shape, TableKey};
use pdb_format::Header;
use pdb_gen::{BuildReport, GenError, TableFile, estimate};
use pdb_rt::{Database, Residence};

use crate::output::{bytes, count, seconds};
use crate::progress::Progress;

/// How much memory may be used.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Memory {
    /// Memory that may be used, such as 4G [default: what the machine has]
    #[arg(long, value_name = "SIZE", value_parser = crate::args::size)]
    memory: Option<u64>,
}

impl Memory {
    /// In bytes; without limit where the system does not say how much it has.
    pub(crate) fn bytes(self) -> u64 {
        self.memory.unwrap_or_else(physical_bytes)
    }
}

#[cfg(target_os = "linux")]
fn physical_bytes() -> u64 {
    let info = rustix::system::sysinfo();
    info.totalram.saturating_mul(info.mem_unit.into())
}

#[cfg(not(target_os = "linux"))]
fn physical_bytes() -> u64 {
    u64::MAX
}

/// The most memory that this process has used so far, where the system tells.
pub(crate) fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Free disk space for a folder that need not exist yet, where the system tells.
fn disk_bytes(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|path| path.exists());
    let stat = rustix::fs::statvfs(there.unwrap_or(Path::new("."))).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// What a plan needs before boards can be looked up.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    /// Tables that must be built.
    pub(crate) missing: Vec<TableKey>,
    /// The larger of what the hungriest build and what all tables take together.
    pub(crate) memory_bytes: u64,
    /// Room for the missing tables on disk.
    pub(crate) disk_bytes: u64,
}

impl Need {
    /// What is needed when the tables in `folder` are used as they are, or `replace`d.
    pub(crate) fn of(plan: &Plan, folder: &Path, replace: bool) -> Result<Self, GenError> {
        let mut need = Self { missing: Vec::new(), memory_bytes: 0, disk_bytes: 0 };
        let mut mapped_bytes = 0;
        for key in plan.tables() {
            let there = if replace { None } else { header_of(key, folder) };
            if let Some(header) = there {
                mapped_bytes += header.file_bytes();
                continue;
            }
            let estimate = estimate(key)?;
            mapped_bytes += estimate.file_bytes;
            need.missing.push(*key);
            need.memory_bytes = need.memory_bytes.max(estimate.peak_memory_bytes);
            need.disk_bytes += estimate.file_bytes;
        }
        need.memory_bytes = need.memory_bytes.max(mapped_bytes);
        Ok(need)
    }
}

/// The header of a table, if it is in the folder and whole as far as header and length tell.
fn header_of(key: &TableKey, folder: &Path) -> Option<Header> {
    let table = TableFile::open(&folder.join(key.file_name())).ok()?;
    (table.header().key == *key).then(|| table.header().clone())
}

/// Refuses what does not fit the memory or the disk, and says what would.
pub(crate) fn check(
    name: &str,
    shape: Shape,
    need: &Need,
    folder: &Path,
    memory_bytes: u64,
) -> anyhow::Result<()> {
    if need.memory_bytes > memory_bytes {
        bail!(
            "{name} needs {} of memory, but may use {}: {}",
            bytes(need.memory_bytes),
            bytes(memory_bytes),
            what_fits(shape, folder, |other| other.memory_bytes <= memory_bytes)
        );
    }
    // Where the system does not tell how much is free, the build will.
    if let Some(free_bytes) = disk_bytes(folder)
        && need.disk_bytes > free_bytes
    {
        bail!(
            "{name} needs {} of disk, but {} has {} free: {}, or choose another folder with --db",
            bytes(need.disk_bytes),
            folder.display(),
            bytes(free_bytes),
            what_fits(shape, folder, |other| {
                other.memory_bytes <= memory_bytes && other.disk_bytes <= free_bytes
            })
        );
    }
    Ok(())
}

/// Names the shipped specs for boards of a shape that fit.
fn what_fits(shape: Shape, folder: &Path, fits: impl Fn(&Need) -> bool) -> String {
    let does_fit = |name: &&str| {
        pdb_spec::builtin(name).is_ok_and(|spec| {
            spec.goal.shape() == shape
                && Need::of(&spec.plan, folder, false).is_ok_and(|need| fits(&need))
        })
    };
    match &pdb_spec::builtin_names().into_iter().filter(does_fit).collect::<Vec<_>>()[..] {
        [] => format!("no shipped spec for {shape} boards would fit"),
        names => format!("what would fit is {}", names.join(", ")),
    }
}

/// Builds one table with its progress shown.
pub(crate) fn build(
    key: &TableKey,
    folder: &Path,
    thread_count: usize,
    replace: bool,
    progress: Progress,
) -> Result<BuildReport, GenError> {
    let name = key.file_name();
    if progress == Progress::Lines && (replace || header_of(key, folder).is_none()) {
        progress.note(format_args!("building {name}: {}", key.describe()));
    }
    progress.watch(&name, |monitor| pdb_gen::build(key, folder, thread_count, replace, monitor))
}

/// Builds the tables that are missing and notes each of them.
pub(crate) fn build_missing(
    need: &Need,
    folder: &Path,
    thread_count: usize,
    progress: Progress,
) -> anyhow::Result<()> {
    for key in &need.missing {
        let report = build(key, folder, thread_count, false, progress)?;
        progress.note(format_args!(
            "built {}: {} entries, {}, {}",
            report.path.display(),
            count(report.header.entry_count),
            bytes(report.header.file_bytes()),
            seconds(report.times.total().as_secs_f64())
        ));
    }
    Ok(())
}

/// A folder of tables, and what may be used to open and to build them.
#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    pub(crate) folder: PathBuf,
    pub(crate) memory_bytes: u64,
    pub(crate) thread_count: usize,
    pub(crate) residence: Residence,
    pub(crate) progress: Progress,
}

impl Shelf {
    /// The tables of a plan, those that are missing built first, if there is room for them.
    pub(crate) fn database(&self, name: &str, plan: &Plan) -> anyhow::Result<Database> {
        let need = Need::of(plan, &self.folder, false)?;
        check(name, plan.goal().shape(), &need, &self.folder, self.memory_bytes)?;
        if !need.missing.is_empty() {
            self.progress.note(format_args!(
                "building the tables of {name} in {}: {}",
                self.folder.display(),
                bytes(need.disk_bytes)
            ));
            build_missing(&need, &self.folder, self.thread_count, self.progress)?;
        }
        Ok(Database::open_as(plan, &self.folder, self.residence)?)
    }
}
