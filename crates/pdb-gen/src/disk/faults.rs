//! Faults on purpose: a test sees every change of the file system before it is made.
//!
//! The watched code is the code that ships: there is no other build for it. Without a watcher, a
//! change costs one look at a flag.
//!
//! ```
//! use std::io;
//! use pdb_gen::faults::{Change, Watch};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("file");
//! let watch = Watch::begin(folder.path(), |change| match change {
//!     Change::Sync(_) => Err(io::ErrorKind::StorageFull.into()),
//!     _ => Ok(()),
//! });
//! assert!(pdb_gen::write_file(&file, b"text").is_err());
//! drop(watch);
//! assert!(!file.exists());
//! # Ok::<(), io::Error>(())
//! ```

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// A change of the file system that is about to be made.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// A new folder in one that is there.
    CreateFolder(&'a Path),
    /// A file, new and empty, or emptied. A lock file, whose name ends in `.lock`, is always empty.
    Create(&'a Path),
    /// A new and empty file with a name that is not known yet, in a folder.
    CreateTemporary(&'a Path),
    /// Bytes at an offset of a file.
    Write {
        /// The file.
        path: &'a Path,
        /// Offset of the first byte.
        offset: u64,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// The content of a file becomes durable, its name does not.
    Sync(&'a Path),
    /// A file gets another name in its folder, and the file of that name is gone.
    Rename {
        /// The old name.
        from: &'a Path,
        /// The new name.
        to: &'a Path,
    },
    /// The names in a folder become durable.
    SyncFolder(&'a Path),
    /// A file goes.
    Remove(&'a Path),
    /// An empty folder goes.
    RemoveFolder(&'a Path),
}

impl Change<'_> {
    /// Returns the path that is changed, by its new name.
    pub fn path(&self) -> &Path {
        match self {
            Self::CreateFolder(path)
            | Self::Create(path)
            | Self::CreateTemporary(path)
            | Self::Write { path, .. }
            | Self::Sync(path)
            | Self::Rename { to: path, .. }
            | Self::SyncFolder(path)
            | Self::Remove(path)
            | Self::RemoveFolder(path) => path,
        }
    }
}

type Watcher = dyn Fn(&Change<'_>) -> io::Result<()> + Send + Sync;

struct Watched {
    id: u64,
    folder: PathBuf,
    watcher: Arc<Watcher>,
}

/// How many watch; 0 is the usual case.
static WATCHING: AtomicU64 = AtomicU64::new(0);
static IDS: AtomicU64 = AtomicU64::new(0);
static WATCHERS: RwLock<Vec<Watched>> = RwLock::new(Vec::new());

/// A watcher of changes, until it is dropped.
#[derive(Debug)]
pub struct Watch {
    id: u64,
}

impl Watch {
    /// Calls `watcher` before each change below `folder`, the folder itself included, on the thread
    /// that makes it. If it returns an error, the change is not made and fails with that error.
    pub fn begin(
        folder: &Path,
        watcher: impl Fn(&Change<'_>) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let id = IDS.fetch_add(1, Ordering::Relaxed);
        let watched = Watched { id, folder: folder.to_owned(), watcher: Arc::new(watcher) };
        WATCHERS.write().unwrap_or_else(PoisonError::into_inner).push(watched);
        WATCHING.fetch_add(1, Ordering::SeqCst);
        Self { id }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        WATCHING.fetch_sub(1, Ordering::SeqCst);
        let mut watchers = WATCHERS.write().unwrap_or_else(PoisonError::into_inner);
        watchers.retain(|watched| watched.id != self.id);
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Tells of a change that is about to be made.
#[inline]
pub(super) fn announce(change: Change<'_>) -> io::Result<()> {
    if WATCHING.load(Ordering::Relaxed) == 0 { Ok(()) } else { tell(&change) }
}

#[cold]
fn tell(change: &Change<'_>) -> io::Result<()> {
    let watchers = WATCHERS.read().unwrap_or_else(PoisonError::into_inner);
    let mut called: Vec<Arc<Watcher>> = Vec::new();
    for watched in watchers.iter().filter(|watched| change.path().starts_with(&watched.folder)) {
        called.push(watched.watcher.clone());
    }
    // A watcher may wait for long; others must be able to begin.
    drop(watchers);
    called.iter().try_for_each(|watcher| watcher(change))
}
