//! How much memory and disk there is, and what a plan needs of it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use pdb_core::{Plan, Shape, TableKey};
use pdb_format::Header;
use pdb_gen::{
    Budget, BuildReport, GenError, TableFile, build_streamed, estimate, has_checkpoint, work_folder,
};
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

    /// What a build may use, in bytes: as much as was said, else what is available now but for a
    /// sixteenth, so that a build that just fits leaves the others something.
    fn for_building(self) -> u64 {
        let available = || available_bytes().map(|bytes| bytes / 16 * 15);
        self.memory.or_else(available).unwrap_or_else(physical_bytes)
    }

    /// What a build may use that streams. What is available changes, and the system uses the rest to
    /// keep files in memory.
    fn for_streaming(self) -> u64 {
        self.memory.unwrap_or_else(|| self.for_building() / 4 * 3)
    }
}

/// Memory that can be had without taking it from others, where the system tells.
fn available_bytes() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    kilobytes(&info, "MemAvailable:")
}

/// The bytes of a line such as `MemAvailable: 1234 kB`.
fn kilobytes(text: &str, start: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(start))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
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
    kilobytes(&status, "VmHWM:")
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

/// How a table is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Without files until the table is complete.
    InMemory,
    /// From disk, in so many bytes of memory.
    Streamed(u64),
}

/// How the tables of a plan are built, and what that takes.
#[derive(Clone, Debug)]
pub(crate) struct Builds {
    /// Every table, those that are there included.
    pub(crate) tables: Vec<(TableKey, Way)>,
    /// Bytes of memory that are enough for the hungriest build.
    pub(crate) memory_bytes: u64,
    /// Bytes of disk at the peak, the new tables included.
    pub(crate) disk_bytes: u64,
    /// Whether a table is missing.
    pub(crate) is_missing: bool,
    /// Whether a table is built from disk.
    pub(crate) is_streamed: bool,
    /// What building all in memory would take: bytes of memory, and of disk.
    in_memory: (u64, u64),
}

impl Builds {
    /// Tables in `folder` are used as they are, or `replace`d. A build goes on where one was stopped,
    /// else it is done in memory where it fits.
    pub(crate) fn of(
        plan: &Plan,
        folder: &Path,
        replace: bool,
        memory: Memory,
    ) -> Result<Self, GenError> {
        let mut this = Self {
            tables: Vec::new(),
            memory_bytes: 0,
            disk_bytes: 0,
            is_missing: false,
            is_streamed: false,
            in_memory: (0, 0),
        };
        // What comes on top of the tables, one after another.
        let mut work_bytes = 0;
        for key in plan.tables() {
            let can_go_on = has_checkpoint(folder, key);
            if !replace && header_of(key, folder).is_some() {
                // A work folder that is still there is removed.
                let is_left = work_folder(folder, key).exists();
                let streamed = Way::Streamed(memory.for_streaming());
                this.tables.push((*key, if is_left { streamed } else { Way::InMemory }));
                continue;
            }
            this.is_missing = true;
            let estimate = estimate(key)?;
            this.disk_bytes += estimate.file_bytes;
            this.in_memory.0 = this.in_memory.0.max(estimate.peak_memory_bytes);
            let way = match estimate.streamed {
                Some(streamed)
                    if can_go_on
                        || estimate.peak_memory_bytes
                            > memory.for_building().max(streamed.least_memory_bytes) =>
                {
                    Way::Streamed(memory.for_streaming())
                }
                _ => Way::InMemory,
            };
            let memory_bytes = match (way, estimate.streamed) {
                (Way::Streamed(_), Some(streamed)) => {
                    this.is_streamed = true;
                    let there = files_bytes(&work_folder(folder, key));
                    let more = streamed.disk_bytes.saturating_sub(estimate.file_bytes + there);
                    work_bytes = more.max(work_bytes);
                    streamed.least_memory_bytes
                }
                _ => estimate.peak_memory_bytes,
            };
            this.memory_bytes = this.memory_bytes.max(memory_bytes);
            this.tables.push((*key, way));
        }
        this.in_memory.1 = this.disk_bytes;
        this.disk_bytes += work_bytes;
        Ok(this)
    }

    /// Refuses what does not fit the memory or the disk, and says what would.
    pub(crate) fn check(
        &self,
        name: &str,
        shape: Shape,
        folder: &Path,
        memory: Memory,
    ) -> anyhow::Result<()> {
        let limit = if self.is_streamed { memory.for_streaming() } else { memory.for_building() };
        let fits = |free: u64| {
            what_fits(shape, |plan| {
                Self::of(plan, folder, false, memory)
                    .is_ok_and(|other| other.memory_bytes <= limit && other.disk_bytes <= free)
            })
        };
        if self.memory_bytes > limit {
            let how = if self.is_streamed {
                format!("even streamed with {} of disk", bytes(self.disk_bytes))
            } else {
                "to build".to_owned()
            };
            bail!(
                "{name} needs {} of memory {how}, but may use {}: give more with --memory; {}",
                bytes(self.memory_bytes),
                bytes(limit),
                fits(u64::MAX)
            );
        }
        // Where the system does not tell how much is free, the build will.
        let Some(free_bytes) = disk_bytes(folder) else {
            return Ok(());
        };
        if self.disk_bytes > free_bytes {
            let (in_memory_bytes, file_bytes) = self.in_memory;
            let instead = if self.is_streamed && file_bytes <= free_bytes {
                let (memory, disk) = (bytes(in_memory_bytes), bytes(file_bytes));
                format!("in memory, with --memory {memory}, it needs {disk}; ")
            } else {
                String::new()
            };
            bail!(
                "{name} needs {} of disk{}, but {} has {} free: {instead}{}, or choose another \
                 folder with --db",
                bytes(self.disk_bytes),
                if self.is_streamed { " to stream from" } else { "" },
                folder.display(),
                bytes(free_bytes),
                fits(free_bytes)
            );
        }
        Ok(())
    }
}

/// Bytes of the files in a folder; none where there is no folder.
fn files_bytes(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
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
            what_fits(shape, |plan| {
                Need::of(plan, folder, false).is_ok_and(|other| other.memory_bytes <= memory_bytes)
            })
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
            what_fits(shape, |plan| {
                Need::of(plan, folder, false).is_ok_and(|other| {
                    other.memory_bytes <= memory_bytes && other.disk_bytes <= free_bytes
                })
            })
        );
    }
    Ok(())
}

/// Names the shipped specs for boards of a shape that fit.
fn what_fits(shape: Shape, fits: impl Fn(&Plan) -> bool) -> String {
    let does_fit = |name: &&str| {
        pdb_spec::builtin(name).is_ok_and(|spec| spec.goal.shape() == shape && fits(&spec.plan))
    };
    match &pdb_spec::builtin_names().into_iter().filter(does_fit).collect::<Vec<_>>()[..] {
        [] => format!("no shipped spec for {shape} boards would fit"),
        names => format!("what would fit is {}", names.join(", ")),
    }
}

/// Builds one table with its progress shown.
pub(crate) fn build(
    key: &TableKey,
    way: Way,
    folder: &Path,
    thread_count: usize,
    replace: bool,
    progress: Progress,
) -> Result<BuildReport, GenError> {
    let name = key.file_name();
    if progress == Progress::Lines && (replace || header_of(key, folder).is_none()) {
        let how = match way {
            Way::InMemory => String::new(),
            Way::Streamed(memory) => format!(", streamed in {} of memory", bytes(memory)),
        };
        progress.note(format_args!("building {name}: {}{how}", key.describe()));
    }
    progress.watch(&name, |monitor| match (key, way) {
        (TableKey::Pattern(key), Way::Streamed(memory_bytes)) => {
            let budget = Budget { memory_bytes, segment_bytes: None };
            build_streamed(key, folder, &budget, thread_count, replace, monitor)
        }
        _ => pdb_gen::build(key, folder, thread_count, replace, monitor),
    })
}

/// Builds the tables that are missing and notes each of them.
pub(crate) fn build_missing(
    need: &Need,
    folder: &Path,
    thread_count: usize,
    progress: Progress,
) -> anyhow::Result<()> {
    for key in &need.missing {
        let report = build(key, Way::InMemory, folder, thread_count, false, progress)?;
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
