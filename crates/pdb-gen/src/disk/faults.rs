//! Fault injection: a test observes every change of the file system before it is made.
//!
//! Tests run the code that ships, not another build. Without a watcher, a change costs one read of
//! a flag.
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
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::threads::lock;

/// A change of the file system that is about to be made.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// A new folder is created in an existing one.
    CreateFolder(&'a Path),
    /// A file is created empty, or emptied. A lock file, whose name ends in `.lock`, is always
    /// empty.
    Create(&'a Path),
    /// An empty file with an unknown new name is created in a folder.
    CreateTemporary(&'a Path),
    /// Bytes are written at an offset of a file.
    Write {
        /// The file.
        path: &'a Path,
        /// Offset of the first byte.
        offset: u64,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// The content of a file becomes durable, but not its name.
    Sync(&'a Path),
    /// A file is renamed in its folder, and replaces the file of the new name.
    Rename {
        /// The old name.
        from: &'a Path,
        /// The new name.
        to: &'a Path,
    },
    /// The names in a folder become durable.
    SyncFolder(&'a Path),
    /// A file is removed.
    Remove(&'a Path),
    /// An empty folder is removed.
    RemoveFolder(&'a Path),
}

impl Change<'_> {
    /// Returns the changed path, for a rename the new name.
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

struct WatcherEntry {
    folder: PathBuf,
    watcher: Box<Watcher>,
}

/// Number of watchers; usually 0.
static WATCHING: AtomicUsize = AtomicUsize::new(0);
static WATCHERS: Mutex<Vec<Arc<WatcherEntry>>> = Mutex::new(Vec::new());

/// A watcher of changes, active until it is dropped.
#[derive(Debug)]
pub struct Watch(Arc<WatcherEntry>);

impl Watch {
    /// Calls `watcher` before each change below `folder`, including the folder itself, on the
    /// thread that makes the change. If it returns an error, the change is not made and fails with
    /// that error.
    pub fn begin(
        folder: &Path,
        watcher: impl Fn(&Change<'_>) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let entry = WatcherEntry { folder: folder.to_owned(), watcher: Box::new(watcher) };
        let watch = Self(Arc::new(entry));
        lock(&WATCHERS).push(watch.0.clone());
        WATCHING.fetch_add(1, Ordering::SeqCst);
        watch
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        WATCHING.fetch_sub(1, Ordering::SeqCst);
        lock(&WATCHERS).retain(|entry| !Arc::ptr_eq(entry, &self.0));
    }
}

impl fmt::Debug for WatcherEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatcherEntry").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Announces a change that is about to be made.
#[inline]
pub(super) fn announce(change: Change<'_>) -> io::Result<()> {
    if WATCHING.load(Ordering::Relaxed) == 0 { Ok(()) } else { tell(&change) }
}

#[cold]
fn tell(change: &Change<'_>) -> io::Result<()> {
    let mut called = lock(&WATCHERS).clone();
    called.retain(|entry| change.path().starts_with(&entry.folder));
    // A watcher may block for long. The lock is free meanwhile, so that other changes can start.
    called.iter().try_for_each(|entry| (entry.watcher)(change))
}
