//! All works that write files, and what a crash at each change of the file system leaves.
//!
//! A test prepares a [`Work`] in a place, runs it, stops it at some change and checks the place's
//! folder `out`. Every file must be whole, and a second run must end as if nothing had happened.
//! [`Disk`] computes the files that a power cut would leave.

mod disk;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pdb_core::{BlankMode, CellSet, PatternKey, Shape, TableKey, WalkingKey};
use pdb_gen::{Budget, Build, GenError, Monitor, OwnedFile, install, ship};

pub use self::disk::{Disk, Loss};
use crate::tables::pattern_key;

/// A kind of work that writes files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Builds a table.
    Build,
    /// Builds a table again over an existing file.
    Replace,
    /// Streams a table in many small segments.
    Stream,
    /// Ships two tables to a folder that has another manifest, and signs the new one.
    Ship,
    /// Installs two archives.
    Install,
    /// Replaces a small file twice, as checkpoints of hard boards are replaced.
    Checkpoint,
}

/// The result of a work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkReport {
    /// The level from which a streamed build resumed.
    pub resumed_level: Option<u32>,
}

/// Files by their names below a folder.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The successive contents of the small file.
const TEXTS: [&[u8]; 3] = [b"", b"one", b"the second and longer one"];

/// The old file of the table that is replaced.
const OLD_TABLE: &[u8] = b"another table, whole";

/// Files of an earlier shipment.
const SIGNED: [(&str, &[u8]); 2] =
    [("manifest.json", b"another manifest"), ("manifest.json.minisig", b"its signature")];

fn small_table() -> TableKey {
    let shape = Shape::new(2, 3).expect("a small shape");
    TableKey::Pattern(pattern_key(shape, CellSet(0b0_1110), 5, BlankMode::Aware))
}

fn streamed_table() -> PatternKey {
    let shape = Shape::new(2, 4).expect("a small shape");
    pattern_key(shape, CellSet(0b0000_1110), 7, BlankMode::Aware)
}

fn walking_table() -> TableKey {
    TableKey::Walking(WalkingKey { lines: 2, line_len: 3, blank_line: 1 }.canonical().0)
}

/// Builds a small table and returns its path.
fn built(key: &TableKey, folder: &Path) -> PathBuf {
    Build::new(folder).in_memory(key).expect("a small table").path
}

impl Work {
    /// All kinds of work.
    pub const ALL: [Self; 6] =
        [Self::Build, Self::Replace, Self::Stream, Self::Ship, Self::Install, Self::Checkpoint];

    /// Returns the work with this name, as `Debug` writes it.
    ///
    /// # Errors
    /// The text itself, if there is no such name.
    pub fn of_name(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|work| format!("{work:?}") == name);
        found.ok_or_else(|| format!("expected the name of a work, found {name}"))
    }

    /// Returns the existing folder that contains all changes of the work.
    pub fn disk(place: &Path) -> PathBuf {
        place.join("disk")
    }

    /// Returns the output folder of the work.
    fn out(place: &Path) -> PathBuf {
        Self::disk(place).join("out")
    }

    /// Writes the files that the work starts from.
    ///
    /// # Panics
    /// When the place cannot be written.
    pub fn prepare(self, place: &Path) {
        let (out, input) = (Self::out(place), place.join("in"));
        fs::create_dir(Self::disk(place)).expect("the place is writable");
        let input_tables = || [small_table(), walking_table()].map(|key| built(&key, &input));
        match self {
            Self::Build | Self::Stream => {}
            Self::Replace => {
                let path = out.join(small_table().file_name());
                pdb_gen::write_file(&path, OLD_TABLE).expect("a small file");
            }
            Self::Ship => {
                input_tables();
                for (name, text) in SIGNED {
                    pdb_gen::write_file(&out.join(name), text).expect("a small file");
                }
            }
            Self::Install => {
                let archives = place.join("archives");
                ship(&input_tables(), &archives, 1, 1, &Monitor::silent()).expect("good tables");
            }
            Self::Checkpoint => {
                pdb_gen::write_file(&out.join("checkpoint"), TEXTS[0]).expect("a small file");
            }
        }
    }

    /// Runs the work on one thread, plus the threads that write a streamed table.
    ///
    /// # Errors
    /// Errors of the builder.
    pub fn run(self, place: &Path, monitor: &Monitor<'_>) -> Result<WorkReport, GenError> {
        let out = Self::out(place);
        let mut done = WorkReport::default();
        let build = Build { monitor, ..Build::new(&out) };
        match self {
            Self::Build | Self::Replace => {
                let replace = self == Self::Replace;
                Build { replace, ..build }.in_memory(&small_table())?;
            }
            Self::Stream => {
                let budget = Budget { memory_bytes: 1 << 30, segment_bytes: Some(400) };
                let report = build.streamed(&streamed_table(), &budget)?;
                done.resumed_level = report.streamed.and_then(|streamed| streamed.resumed_level);
            }
            Self::Ship => {
                let tables = [small_table(), walking_table()]
                    .map(|key| place.join("in").join(key.file_name()));
                ship(&tables, &out, 1, 1, monitor)?;
            }
            Self::Install => {
                drop(install(&[place.join("archives")], &out, None, &|_| None, 1, monitor)?);
            }
            Self::Checkpoint => {
                let owned = OwnedFile::try_acquire(&out.join("checkpoint"))?;
                let owned = owned.expect("nobody else has it");
                for text in &TEXTS[1..] {
                    owned.replace(text)?;
                }
            }
        }
        Ok(done)
    }

    /// Returns the files that must be whole: all but hidden files and work folders.
    fn visible(files: Files) -> Files {
        let is_visible = |path: &PathBuf| {
            let mut names = path.iter().map(|name| name.to_string_lossy());
            names.all(|name| !name.starts_with('.') && !name.ends_with(".work"))
        };
        files.into_iter().filter(|(path, _)| is_visible(path)).collect()
    }

    /// Checks the files after the work was stopped. `end` are the files after a complete run.
    ///
    /// # Panics
    /// When a file is not whole or is missing.
    pub fn assert_whole(self, place: &Path, end: &Files, case: &str) {
        let found = Self::visible(files_below(&Self::disk(place)));
        let is_old = |path: &Path, bytes: &[u8]| {
            SIGNED.iter().any(|(name, text)| path.ends_with(name) && *text == bytes)
        };
        for (path, bytes) in &found {
            let is_whole = match self {
                Self::Checkpoint => TEXTS.contains(&&bytes[..]),
                Self::Ship if is_old(path, bytes) => true,
                Self::Replace if bytes == OLD_TABLE => true,
                _ => end.get(path) == Some(bytes),
            };
            assert!(is_whole, "{self:?}, {case}: {} is not whole", path.display());
        }
        if self == Self::Ship {
            let [manifest, signature] =
                SIGNED.map(|(name, _)| found.get(&Path::new("out").join(name)));
            let is_new = manifest.is_none_or(|manifest| manifest != SIGNED[0].1);
            assert!(!is_new || signature.is_none(), "{case}: the signature of another manifest");
        }
        if matches!(self, Self::Replace | Self::Checkpoint) {
            assert_eq!(found.len(), end.len(), "{self:?}, {case}: something is gone");
        }
    }

    /// Checks that the work is complete. Hidden files may remain.
    ///
    /// # Panics
    /// When it is not complete.
    pub fn assert_ended(self, place: &Path, end: &Files, case: &str) {
        let found = Self::visible(files_below(&Self::disk(place)));
        assert!(found == *end, "{self:?}, {case}: {:?}", found.keys());
    }

    /// Runs the work again, and checks that the files are those of a complete run, without
    /// leftovers.
    ///
    /// # Panics
    /// When they differ.
    pub fn assert_recovers(self, place: &Path, end: &Files, case: &str) -> WorkReport {
        let done = self
            .run(place, &Monitor::silent())
            .unwrap_or_else(|error| panic!("{self:?}, {case}: {error}"));
        let found = files_below(&Self::disk(place));
        let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
        let out = fs::read_dir(Self::out(place)).expect("it is there");
        let folders = out.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_dir()));
        assert_eq!(folders.count(), 0, "{self:?}, {case}: a folder is left");
        assert_eq!(names(&found), names(end), "{self:?}, {case}");
        assert!(found == *end, "{self:?}, {case}: other bytes");
        done
    }
}

/// Returns all files below a folder; none if the folder does not exist.
///
/// # Panics
/// When a file cannot be read.
pub fn files_below(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for entry in entries {
            let path = entry.expect("a folder can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).expect("it is there");
                let name = path.strip_prefix(folder).expect("it is below");
                files.insert(name.to_owned(), bytes);
            }
        }
    }
    files
}
