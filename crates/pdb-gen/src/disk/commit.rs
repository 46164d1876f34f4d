//! Atomic commit: a file exists completely, or not at all.
//!
//! 1. The lock file beside the target is locked, so that only one process writes a file at a time.
//! 2. Temporary files of killed writers are removed: no living writer has the lock.
//! 3. A temporary file in the same folder is written and synced.
//! 4. It is renamed over the target, and the folder is synced.
//! 5. The lock file is removed before the lock is released.
//!
//! Windows does not replace a file that is in use as a map. There, step 4 has three parts: the
//! target is moved aside, the new file takes its name, and the old one is removed as soon as nobody
//! uses it. A writer that is killed after the first part leaves no target; step 2 of the next one
//! moves the old file back.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::changes::{self, Appender, folder_of};
use super::page_windows::PageWindows;
use super::platform;
use crate::GenError;
use crate::monitor::Monitor;

/// Suffix of the name of a lock file.
const LOCK_END: &str = ".lock";
/// What follows the target's name in the name of a temporary file.
const TEMPORARY: &str = ".tmp-";
/// What follows it in the name of a file that was replaced while it was in use.
const ASIDE: &str = ".old-";

/// Time between two attempts to take a lock.
const RETRY: Duration = Duration::from_millis(50);

/// Size of the buffer in which small pieces of a part are collected, in bytes.
const PART_BUFFER_BYTES: usize = 1 << 18;

/// Lock for writing one file, held until it is dropped.
#[derive(Debug)]
pub(crate) struct WriteLock {
    lock_path: PathBuf,
    /// Holds the lock of the operating system, which ends with the process at the latest.
    file: Option<File>,
    target: PathBuf,
}

fn hidden_name(target: &Path, end: &str) -> OsString {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(end);
    name
}

impl WriteLock {
    /// Locks a file (steps 1 and 2). Creates the folder, and waits while another process writes the
    /// same file.
    pub(crate) fn acquire(target: &Path, monitor: &Monitor<'_>) -> Result<Self, GenError> {
        let folder = folder_of(target);
        changes::create_folder(folder).map_err(GenError::io("create the folder", folder))?;
        let lock_path = folder.join(hidden_name(target, LOCK_END));
        let error = |source| GenError::io("lock", &lock_path)(source);
        let file = loop {
            let file = changes::create_lock(&lock_path).map_err(error)?;
            match file.try_lock() {
                Ok(()) => {
                    // Another writer may have removed the lock file in its step 5 after it was
                    // opened here.
                    if platform::is_still_at(&file, &lock_path) {
                        break file;
                    }
                }
                Err(TryLockError::WouldBlock) => {
                    monitor.check_cancelled()?;
                    std::thread::sleep(RETRY);
                }
                Err(TryLockError::Error(source)) => return Err(error(source)),
            }
        };
        let lock = Self { lock_path, file: Some(file), target: target.to_owned() };
        lock.remove_leftovers()?;
        Ok(lock)
    }

    fn remove_leftovers(&self) -> Result<(), GenError> {
        for path in self.hidden_files(TEMPORARY)? {
            changes::remove_file(&path).map_err(GenError::io("remove the leftover", &path))?;
        }
        if platform::KEEPS_OPEN_FILES {
            let mut old = self.hidden_files(ASIDE)?;
            if !self.target.exists()
                && let Some(path) = old.pop()
            {
                let error = GenError::io("restore", &self.target);
                changes::rename(&path, &self.target).map_err(error)?;
            }
            for path in old {
                // A file that is still in use stays until another writer comes.
                let _ = changes::remove_file(&path);
            }
        }
        Ok(())
    }

    /// Returns the hidden files of the target whose names go on with `end`, in order.
    fn hidden_files(&self, end: &str) -> Result<Vec<PathBuf>, GenError> {
        let folder = folder_of(&self.target);
        let start = hidden_name(&self.target, end);
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(GenError::io("list", folder))? {
            let entry = entry.map_err(GenError::io("list", folder))?;
            if entry.file_name().as_encoded_bytes().starts_with(start.as_encoded_bytes()) {
                paths.push(entry.path());
            }
        }
        paths.sort_unstable();
        Ok(paths)
    }

    /// Makes a complete file the target (step 4), without the sync of the folder.
    fn replace(&self, new: &Path) -> io::Result<()> {
        match changes::rename(new, &self.target) {
            Err(error)
                if platform::KEEPS_OPEN_FILES
                    && error.kind() == io::ErrorKind::PermissionDenied
                    && self.target.is_file() =>
            {
                self.replace_in_use(new)
            }
            result => result,
        }
    }

    /// Replaces a target that is in use: step 4 in three parts.
    fn replace_in_use(&self, new: &Path) -> io::Result<()> {
        // Names in the order of time, so that the last one is the newest.
        let number = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let name = hidden_name(&self.target, &format!("{ASIDE}{number:020}"));
        let aside = folder_of(&self.target).join(name);
        changes::rename(&self.target, &aside)?;
        if let Err(error) = changes::rename(new, &self.target) {
            // If this fails too, the next writer moves it back.
            let _ = changes::rename(&aside, &self.target);
            return Err(error);
        }
        // If it cannot be removed yet, a later writer removes it.
        let _ = changes::remove_file(&aside);
        Ok(())
    }

    /// Creates a temporary file for step 3.
    pub(crate) fn begin(&self) -> Result<PendingFile<'_>, GenError> {
        let folder = folder_of(&self.target);
        let (file, path) = changes::create_temporary(folder, &hidden_name(&self.target, TEMPORARY))
            .map_err(GenError::io("create a file in", folder))?;
        let name = TemporaryName { path, is_renamed: false };
        Ok(PendingFile { file, name, windows: PageWindows::default(), lock: self })
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        // A lock file that cannot be removed is harmless: the lock itself ends with the file
        // handle.
        if let Some(file) = self.file.take() {
            let _ = changes::remove_lock(file, &self.lock_path);
        }
    }
}

/// Name of a temporary file, which is removed when this is dropped unless it was renamed.
#[derive(Debug)]
struct TemporaryName {
    path: PathBuf,
    is_renamed: bool,
}

impl Drop for TemporaryName {
    fn drop(&mut self) {
        if !self.is_renamed {
            // If it cannot be removed, the next writer of the target removes it.
            let _ = changes::remove_file(&self.path);
        }
    }
}

/// A temporary file that becomes the target, or is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct PendingFile<'a> {
    file: File,
    name: TemporaryName,
    windows: PageWindows,
    lock: &'a WriteLock,
}

impl PendingFile<'_> {
    /// Writes `bytes` at an offset, at the latest with [`commit`](Self::commit). Each byte is
    /// written once, from any thread.
    pub(crate) fn write_at(&self, bytes: &[u8], offset: u64) -> Result<(), GenError> {
        let error = GenError::io("write", &self.lock.target);
        self.windows
            .add(bytes, offset, &|bytes, offset| self.write_now(bytes, offset))
            .map_err(error)
    }

    fn write_now(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        changes::write_at(&self.file, &self.name.path, bytes, offset)
    }

    /// Makes the content durable, and the file the target (step 4).
    pub(crate) fn commit(self) -> Result<(), GenError> {
        let lock = self.lock;
        let replace = || {
            self.windows.write_rest(&|bytes, offset| self.write_now(bytes, offset))?;
            changes::sync(&self.file, &self.name.path)?;
            let Self { file, mut name, .. } = self;
            // On Windows, a reader does not open a file that somebody may write to.
            drop(file);
            lock.replace(&name.path)?;
            name.is_renamed = true;
            Ok(())
        };
        replace().map_err(GenError::io("write", &lock.target))?;
        sync_folder(folder_of(&lock.target))
    }
}

/// Lock for replacing a small file, any number of times. No other process writes the file until
/// this is dropped.
#[derive(Debug)]
pub struct OwnedFile(WriteLock);

impl OwnedFile {
    /// Locks a file, which need not exist; `None` if another process has the lock. No folder is
    /// created.
    ///
    /// # Errors
    /// [`GenError::Io`].
    pub fn try_acquire(target: &Path) -> Result<Option<Self>, GenError> {
        let folder = folder_of(target);
        fs::metadata(folder).map_err(GenError::io("open the folder", folder))?;
        // A cancelled monitor ends the wait at once.
        let is_cancelled = AtomicBool::new(true);
        match WriteLock::acquire(target, &Monitor::new(&|_| (), &is_cancelled)) {
            Ok(lock) => Ok(Some(Self(lock))),
            Err(GenError::Interrupted) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces the file, atomically. The new file has the permissions of the old one.
    ///
    /// # Errors
    /// [`GenError::Io`]; then the old file, if any, is unchanged.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), GenError> {
        let pending = self.0.begin()?;
        if let Ok(old) = fs::metadata(&self.0.target) {
            let error = GenError::io("write", &self.0.target);
            // This belongs to the creation of the file, so it is not announced.
            platform::take_permissions(&pending.file, &old).map_err(error)?;
        }
        pending.write_at(bytes, 0)?;
        pending.commit()
    }
}

/// Completes the commit of a writer that was killed right after it renamed the target. Callers that
/// find the complete file rely on it, and have no other reason to take the lock.
///
/// # Errors
/// [`GenError::Io`], except for a folder that may not be read or written.
pub(crate) fn end_commit(target: &Path) -> Result<(), GenError> {
    if folder_of(target).join(hidden_name(target, LOCK_END)).exists() {
        // The lock file stays if another writer is alive, or the folder is read-only.
        let _ = OwnedFile::try_acquire(target);
    }
    confirm(target)
}

/// Makes the name of an existing file durable: a writer that was killed right after the rename has
/// not done so.
///
/// # Errors
/// [`GenError::Io`], except for a folder that may not be read or written.
pub(crate) fn confirm(target: &Path) -> Result<(), GenError> {
    let folder = folder_of(target);
    changes::sync_if_possible(folder).map_err(GenError::io("sync the folder", folder))
}

/// Writes a small file atomically.
///
/// # Errors
/// [`GenError::Io`]; then the old file, if any, is unchanged.
pub fn write_file(target: &Path, bytes: &[u8]) -> Result<(), GenError> {
    OwnedFile(WriteLock::acquire(target, &Monitor::silent())?).replace(bytes)
}

/// Names of open files, such as `/dev/stderr`. Other output of the same file must stay.
const OPEN_FILES: [&str; 4] = ["/dev/fd", "/dev/stderr", "/dev/stdout", "/proc"];

/// Place of a result.
enum Place {
    /// A regular file, which is replaced, or a file that does not exist yet.
    File(PathBuf),
    /// A device, a pipe or an open file, which is written directly.
    Stream,
}

/// Returns the place of a result. Symbolic links are followed.
fn place(target: &Path) -> io::Result<Place> {
    match fs::metadata(target) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => Ok(Place::Stream),
        Ok(_) if OPEN_FILES.iter().any(|name| target.starts_with(name)) => Ok(Place::Stream),
        Ok(_) => {
            // A file that is protected against writing is not replaced, either.
            platform::expect_writable(target)?;
            Ok(Place::File(fs::canonicalize(target)?))
        }
        Err(source) if source.kind() == io::ErrorKind::NotFound => {
            // A link to a file that does not exist yet.
            let end = fs::read_link(target).map(|end| folder_of(target).join(end));
            let target = end.unwrap_or_else(|_| target.to_owned());
            if folder_of(&target).is_dir() { Ok(Place::File(target)) } else { Err(source) }
        }
        Err(source) => Err(source),
    }
}

/// Writes a result. A regular file is replaced atomically and keeps its permissions; a device, a
/// pipe or an open file is written directly, which may wait for a reader. Symbolic links are
/// followed. No folder is created.
///
/// # Errors
/// [`GenError::Io`]; then a regular file is unchanged.
pub fn write_output(target: &Path, bytes: &[u8]) -> Result<(), GenError> {
    let error = || GenError::io("write", target);
    match place(target).map_err(error())? {
        Place::File(path) => write_file(&path, bytes),
        Place::Stream => {
            let mut file = changes::open_in_place(target).map_err(error())?;
            file.write_all(bytes).map_err(error())
        }
    }
}

/// Checks that [`write_output`] can write a result, without a change: a pipe must receive nothing
/// but the result, and a file keeps its content until then.
///
/// # Errors
/// [`GenError::Io`].
pub fn check_output(target: &Path) -> Result<(), GenError> {
    match place(target).map_err(GenError::io("write", target))? {
        Place::File(path) => WriteLock::acquire(&path, &Monitor::silent())?.begin().map(drop),
        Place::Stream => Ok(()),
    }
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), GenError> {
    changes::sync_folder(folder).map_err(GenError::io("sync the folder", folder))
}

/// Writes a part of something larger and makes it durable.
///
/// The write is not atomic: a file that names the part must be written after it.
pub(crate) fn write_part(
    path: &Path,
    pieces: &mut dyn Iterator<Item = &[u8]>,
) -> Result<(), GenError> {
    let write = || {
        let file = changes::create(path)?;
        let appender = Appender { file: &file, path, offset: 0 };
        let mut buffered = BufWriter::with_capacity(PART_BUFFER_BYTES, appender);
        for piece in pieces {
            buffered.write_all(piece)?;
        }
        buffered.flush()?;
        drop(buffered);
        changes::sync(&file, path)
    };
    write().map_err(GenError::io("write", path))
}
