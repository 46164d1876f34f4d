//! Plan of the builds for specs: which tables, by which method, and whether there is room for them.

use std::fs;
use std::path::{Path, PathBuf};

use pdb_core::{Plan, Shape, TableKey};
use pdb_format::Header;
use pdb_gen::{GenError, TableFile, estimate, has_checkpoint, work_folder};

use super::memory::{Memory, free_disk_bytes};
use crate::bytes::Bytes;
use crate::missing::MissingTables;
use crate::shortage::Shortage;

/// Method of building a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStrategy {
    /// In memory, without files until the table is complete.
    InMemory,
    /// From disk, within a memory limit in bytes.
    Streamed(u64),
}

/// Rules of the builds of a [`BuildPlan`].
#[derive(Clone, Copy, Debug)]
pub struct BuildPolicy {
    memory: Memory,
    /// Whether tables that exist are built again.
    replace: bool,
    /// Whether a search waits for the tables. It then maps all tables, so builds in memory are
    /// preferred; only builds that have a checkpoint are streamed from disk.
    for_search: bool,
}

impl BuildPolicy {
    /// Builds missing tables within a memory limit, or all tables if `replace` is set. A build is
    /// done in memory where it fits and streamed otherwise.
    pub fn new(memory: Memory, replace: bool) -> Self {
        Self { memory, replace, for_search: false }
    }

    /// Builds missing tables that a search waits for.
    pub(super) fn for_search(memory: Memory) -> Self {
        Self { memory, replace: false, for_search: true }
    }
}

/// Build of one table, with its cost.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TableBuild {
    /// The table.
    pub key: TableKey,
    /// Method of building it.
    pub strategy: BuildStrategy,
    /// Whether the table exists and is kept, unless the build finds it damaged.
    pub exists: bool,
    /// Memory of the build, in bytes.
    memory_bytes: u64,
    /// Memory of a build in memory, in bytes.
    in_memory_bytes: u64,
    /// Size of the table, in bytes.
    file_bytes: u64,
    /// Disk space that the build needs beside the table, in bytes.
    work_bytes: u64,
    seconds: f64,
}

impl TableBuild {
    fn of(key: &TableKey, folder: &Path, policy: BuildPolicy) -> Result<Self, GenError> {
        let streamed = BuildStrategy::Streamed(policy.memory.for_streaming());
        let work_folder = work_folder(folder, key);
        if !policy.replace
            && let Some(header) = header_of(key, folder)?
        {
            // A streamed build removes the work folder of an earlier one.
            let is_left = work_folder.exists();
            return Ok(Self {
                key: *key,
                strategy: if is_left { streamed } else { BuildStrategy::InMemory },
                exists: true,
                memory_bytes: 0,
                in_memory_bytes: 0,
                file_bytes: header.file_bytes(),
                work_bytes: 0,
                seconds: 0.0,
            });
        }
        let estimate = estimate(key)?;
        let in_memory_bytes = estimate.peak_memory_bytes;
        let is_too_large = |least_bytes: u64| {
            !policy.for_search && in_memory_bytes > policy.memory.for_building().max(least_bytes)
        };
        let (strategy, memory_bytes, work_bytes) = match estimate.streamed {
            Some(of_stream)
                if has_checkpoint(folder, key) || is_too_large(of_stream.least_memory_bytes) =>
            {
                let written = files_bytes(&work_folder);
                let more = of_stream.disk_bytes.saturating_sub(estimate.file_bytes + written);
                (streamed, of_stream.least_memory_bytes, more)
            }
            _ => (BuildStrategy::InMemory, in_memory_bytes, 0),
        };
        Ok(Self {
            key: *key,
            strategy,
            exists: false,
            memory_bytes,
            in_memory_bytes,
            file_bytes: estimate.file_bytes,
            work_bytes,
            seconds: estimate.seconds,
        })
    }
}

/// Builds for some plans, with their cost. A build that was stopped at a checkpoint is resumed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuildPlan {
    /// All tables, including existing ones.
    pub tables: Vec<TableBuild>,
    /// The tables to build.
    pub missing: Vec<TableBuild>,
    /// Memory of the largest build, in bytes; for a search, enough for all tables as well.
    pub memory_bytes: u64,
    /// Size of the new tables on disk, in bytes.
    pub file_bytes: u64,
    /// Peak of the disk space, the new tables included, in bytes.
    pub disk_bytes: u64,
    /// Time of the builds on two threads with a core each, in seconds.
    pub seconds: f64,
    /// Whether a build is streamed from disk.
    pub is_streamed: bool,
    /// Memory that would be needed to build everything in memory, in bytes.
    in_memory_bytes: u64,
    /// Size of all tables, in bytes.
    table_bytes: u64,
    /// Peak of the disk space that builds need beside the tables, one after another, in bytes.
    work_bytes: u64,
    shapes: Vec<Shape>,
    folder: PathBuf,
    policy: BuildPolicy,
}

impl BuildPlan {
    /// Plans no builds yet.
    pub fn new(folder: &Path, policy: BuildPolicy) -> Self {
        Self {
            tables: Vec::new(),
            missing: Vec::new(),
            memory_bytes: 0,
            file_bytes: 0,
            disk_bytes: 0,
            seconds: 0.0,
            is_streamed: false,
            in_memory_bytes: 0,
            table_bytes: 0,
            work_bytes: 0,
            shapes: Vec::new(),
            folder: folder.to_owned(),
            policy,
        }
    }

    /// Plans the builds of tables in a folder. A table that several plans share is built once.
    ///
    /// # Errors
    /// A [`GenError`] when a table can never be built, or exists and cannot be read.
    pub fn of<'a>(
        plans: impl IntoIterator<Item = &'a Plan>,
        folder: &Path,
        policy: BuildPolicy,
    ) -> Result<Self, GenError> {
        let mut this = Self::new(folder, policy);
        for plan in plans {
            this.add(plan)?;
        }
        Ok(this)
    }

    /// Adds the builds of a plan, and returns them alone. Each table is looked at once.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn add(&mut self, plan: &Plan) -> Result<Self, GenError> {
        let mut added = Self::new(&self.folder, self.policy);
        for key in plan.tables() {
            let known = self.tables.iter().find(|table| table.key == *key).cloned();
            let is_new = known.is_none();
            let table = known.map_or_else(|| TableBuild::of(key, &self.folder, self.policy), Ok)?;
            added.push(&table);
            if is_new {
                self.push(&table);
            }
        }
        added.shapes.push(plan.goal().shape());
        self.shapes.push(plan.goal().shape());
        Ok(added)
    }

    fn push(&mut self, table: &TableBuild) {
        self.tables.push(table.clone());
        self.table_bytes += table.file_bytes;
        if !table.exists {
            self.missing.push(table.clone());
            self.is_streamed |= matches!(table.strategy, BuildStrategy::Streamed(_));
            self.memory_bytes = self.memory_bytes.max(table.memory_bytes);
            self.in_memory_bytes = self.in_memory_bytes.max(table.in_memory_bytes);
            self.file_bytes += table.file_bytes;
            self.work_bytes = self.work_bytes.max(table.work_bytes);
            self.disk_bytes = self.file_bytes + self.work_bytes;
            self.seconds += table.seconds;
        }
        if self.policy.for_search {
            self.memory_bytes = self.memory_bytes.max(self.table_bytes);
        }
    }

    /// Checks that the builds fit the memory and the disk. The error names specs that would fit.
    /// `names` are those of the planned specs.
    ///
    /// # Errors
    /// [`Shortage`] of memory or disk space.
    pub fn check(&self, names: &[&str]) -> Result<(), Shortage> {
        let Self { memory_bytes, disk_bytes, is_streamed, .. } = *self;
        let memory = self.policy.memory;
        let limit = match (self.policy.for_search, is_streamed) {
            (true, _) => memory.bytes(),
            (false, true) => memory.for_streaming(),
            (false, false) => memory.for_building(),
        };
        if memory_bytes > limit {
            let purpose = match (self.policy.for_search, is_streamed) {
                (true, _) => String::new(),
                (false, true) => format!(" even streamed with {} of disk", Bytes(disk_bytes)),
                (false, false) => " to build".to_owned(),
            };
            return Err(Shortage::Memory(format!(
                "{} needs {} of memory{purpose}, but may use {}; {}",
                sum_of(names),
                Bytes(memory_bytes),
                Bytes(limit),
                self.what_fits(limit, u64::MAX)
            )));
        }
        // If the system does not report the free space, a failing write reports the shortage.
        match free_disk_bytes(&self.folder) {
            Some(free_bytes) if disk_bytes > free_bytes => {
                let problem = self.disk_problem(names, limit, free_bytes);
                Err(Shortage::Disk { free_bytes, problem })
            }
            _ => Ok(()),
        }
    }

    /// Describes that the disk has too few free bytes for the builds within a memory limit.
    fn disk_problem(&self, names: &[&str], memory_bytes: u64, free_bytes: u64) -> String {
        let is_enough =
            self.is_streamed && !self.policy.for_search && self.file_bytes <= free_bytes;
        let in_memory = if is_enough {
            let (memory, disk) = (Bytes(self.in_memory_bytes), Bytes(self.file_bytes));
            format!("in memory, with {memory}, it needs {disk} of disk; ")
        } else {
            String::new()
        };
        format!(
            "{} needs {} of disk{}, but {} has {} free; {in_memory}{}",
            sum_of(names),
            Bytes(self.disk_bytes),
            if self.is_streamed { " to stream from" } else { "" },
            self.folder.display(),
            Bytes(free_bytes),
            self.what_fits(memory_bytes, free_bytes)
        )
    }

    /// Names the specs that fit within limits of memory and disk.
    fn what_fits(&self, memory_bytes: u64, disk_bytes: u64) -> String {
        let [shape] = self.shapes[..] else { return "fewer specs need less".to_owned() };
        let policy = BuildPolicy { replace: false, ..self.policy };
        what_fits(shape, |plan| {
            Self::of([plan], &self.folder, policy).is_ok_and(|other| {
                other.memory_bytes <= memory_bytes && other.disk_bytes <= disk_bytes
            })
        })
    }

    /// Describes the missing tables; `None` where all exist.
    pub(crate) fn missing_tables(&self, name: &str) -> Option<MissingTables> {
        (!self.missing.is_empty()).then(|| MissingTables {
            name: name.to_owned(),
            table_count: self.missing.len(),
            disk_bytes: self.file_bytes,
            seconds: self.seconds,
        })
    }
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

/// Returns the subject of a sentence about the specs.
fn sum_of(names: &[&str]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => {
            format!("the sum of {} and {last}", others.join(", "))
        }
        names => names.concat(),
    }
}

/// Returns the header of a table in a folder, if it exists and its header and length are right.
///
/// # Errors
/// [`GenError::Io`] names a table that exists and cannot be read.
pub fn header_of(key: &TableKey, folder: &Path) -> Result<Option<Header>, GenError> {
    let table = TableFile::find(&folder.join(key.file_name()))?;
    Ok(table.map(|table| table.header().clone()).filter(|header| header.key == *key))
}

/// Returns the size of the files in a folder, in bytes; 0 where there is no folder.
fn files_bytes(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortage_says_what_is_needed_and_available() {
        let policy = BuildPolicy::new(Memory::of(1000), false);
        let plan = BuildPlan {
            memory_bytes: 3_000_000,
            disk_bytes: 2_000_000,
            in_memory_bytes: 5_000_000,
            file_bytes: 500,
            ..BuildPlan::new(Path::new("/a"), policy)
        };
        assert_eq!(
            plan.check(&["15/7-8"]).unwrap_err().to_string(),
            "15/7-8 needs 3.00 MB of memory to build, but may use 1.00 kB; fewer specs need less"
        );
        let plan = BuildPlan { is_streamed: true, ..plan };
        assert_eq!(
            plan.disk_problem(&["15/7-8"], 1000, 1000),
            "15/7-8 needs 2.00 MB of disk to stream from, but /a has 1.00 kB free; in memory, with \
             5.00 MB, it needs 500 B of disk; fewer specs need less"
        );
    }
}
