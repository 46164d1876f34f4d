//! Atomic commit: a file is there whole, or not at all.
//!
//! 1. The lock file beside the target is taken, so that two writers of one file follow each other.
//! 2. Temporary files of killed writers are removed: no living writer holds the lock.
//! 3. A temporary file in the same folder is written and synced.
//! 4. It is renamed over the target, and the folder is synced.
//! 5. The lock file is removed before the lock is given up.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::changes::{self, Appender, folder_of};
use super::windows::Windows;
use crate::GenError;
use crate::monitor::Monitor;

/// How the name of a lock file ends.
const LOCK_END: &str = ".lock";

/// How long to wait before a lock is tried again.
const RETRY: Duration = Duration::from_millis(50);

/// Small pieces of a part are gathered up to here.
const PART_BUFFER_BYTES: usize = 1 << 18;

/// The right to write one file, held until it is dropped.
#[derive(Debug)]
pub(crate) struct WriteLock {
    lock_path: PathBuf,
    /// Holds the lock of the operating system, which ends with the process at the latest.
    _file: File,
    target: PathBuf,
}

fn hidden_name(target: &Path, end: &str) -> OsString {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(end);
    name
}

impl WriteLock {
    /// Steps 1 and 2; creates the folder, and waits while another process writes the same file.
    pub(crate) fn acquire(target: &Path, monitor: &Monitor<'_>) -> Result<Self, GenError> {
        let folder = folder_of(target);
        changes::create_folder(folder).map_err(GenError::io("create the folder", folder))?;
        let lock_path = folder.join(hidden_name(target, LOCK_END));
        let error = |source| GenError::io("lock", &lock_path)(source);
        let file = loop {
            let file = changes::create_lock(&lock_path).map_err(error)?;
            match file.try_lock() {
                Ok(()) => {
                    // Step 5 of another writer may have removed the file that was just locked.
                    let same = fs::metadata(&lock_path)
                        .is_ok_and(|now| file.metadata().is_ok_and(|then| now.ino() == then.ino()));
                    if same {
                        break file;
                    }
                }
                Err(TryLockError::WouldBlock) => {
                    if monitor.is_cancelled() {
                        return Err(GenError::Interrupted);
                    }
                    std::thread::sleep(RETRY);
                }
                Err(TryLockError::Error(source)) => return Err(error(source)),
            }
        };
        let lock = Self { lock_path, _file: file, target: target.to_owned() };
        lock.remove_leftovers()?;
        Ok(lock)
    }

    fn remove_leftovers(&self) -> Result<(), GenError> {
        let folder = folder_of(&self.target);
        let start = hidden_name(&self.target, ".tmp-");
        let entries = fs::read_dir(folder).map_err(GenError::io("list", folder))?;
        for entry in entries {
            let entry = entry.map_err(GenError::io("list", folder))?;
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(start.as_encoded_bytes()) {
                let path = entry.path();
                changes::remove_file(&path).map_err(GenError::io("remove the leftover", &path))?;
            }
        }
        Ok(())
    }

    /// Makes the name of the target durable, which is there: a writer that was killed right after
    /// it renamed the target left that undone.
    ///
    /// # Errors
    /// [`GenError::Io`], but for a folder that must not be read or written.
    pub(crate) fn confirm(&self) -> Result<(), GenError> {
        confirm(&self.target)
    }

    /// A new temporary file for step 3.
    pub(crate) fn begin(&self) -> Result<PendingFile<'_>, GenError> {
        let folder = folder_of(&self.target);
        let (file, path) = changes::create_temporary(folder, &hidden_name(&self.target, ".tmp-"))
            .map_err(GenError::io("create a file in", folder))?;
        Ok(PendingFile { file, path, windows: Windows::default(), is_renamed: false, lock: self })
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        // A lock file that cannot be removed is harmless: the lock itself ends with the file
        // handle.
        let _ = changes::remove_file(&self.lock_path);
    }
}

/// A temporary file that becomes the target, or vanishes when it is dropped.
#[derive(Debug)]
pub(crate) struct PendingFile<'a> {
    file: File,
    path: PathBuf,
    windows: Windows,
    is_renamed: bool,
    lock: &'a WriteLock,
}

impl PendingFile<'_> {
    /// Writes `bytes` at an offset, at the latest with [`sync`](Self::sync); any thread may.
    pub(crate) fn write_at(&self, bytes: &[u8], offset: u64) -> Result<(), GenError> {
        let error = GenError::io("write", &self.lock.target);
        self.windows
            .add(bytes, offset, &|bytes, offset| self.write_now(bytes, offset))
            .map_err(error)
    }

    fn write_now(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        changes::write_at(&self.file, &self.path, bytes, offset)
    }

    /// Makes the file durable, as much of it as has been written.
    pub(crate) fn sync(&self) -> Result<(), GenError> {
        let write = || {
            self.windows.write_rest(&|bytes, offset| self.write_now(bytes, offset))?;
            changes::sync(&self.file, &self.path)
        };
        write().map_err(GenError::io("write", &self.lock.target))
    }

    /// Step 4, after [`sync`](Self::sync).
    pub(crate) fn commit(mut self) -> Result<(), GenError> {
        let target = &self.lock.target;
        self.sync()?;
        changes::rename(&self.path, target).map_err(GenError::io("write", target))?;
        self.is_renamed = true;
        sync_folder(folder_of(target))
    }
}

impl Drop for PendingFile<'_> {
    fn drop(&mut self) {
        if !self.is_renamed {
            // If it cannot be removed, the next writer of the target does it.
            let _ = changes::remove_file(&self.path);
        }
    }
}

/// The right to replace a small file as a whole, any number of times. No other process writes the
/// file until this is dropped.
#[derive(Debug)]
pub struct OwnedFile(WriteLock);

impl OwnedFile {
    /// Takes the right to write a file, which need not exist; nothing when another process has it.
    ///
    /// # Errors
    /// [`GenError::Io`].
    pub fn try_acquire(target: &Path) -> Result<Option<Self>, GenError> {
        // A cancelled monitor ends the wait at once.
        let is_cancelled = AtomicBool::new(true);
        match WriteLock::acquire(target, &Monitor::new(&|_| (), &is_cancelled)) {
            Ok(lock) => Ok(Some(Self(lock))),
            Err(GenError::Interrupted) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes the file anew, atomically.
    ///
    /// # Errors
    /// [`GenError::Io`]; the old file, if there was one, is untouched then.
    pub fn replace(&self, bytes: &[u8]) -> Result<(), GenError> {
        let pending = self.0.begin()?;
        pending.write_at(bytes, 0)?;
        pending.commit()
    }
}

/// Completes the commit of a writer that was killed right after it renamed the target: a caller
/// that finds the whole file relies on it, and has no other reason to take the lock.
///
/// # Errors
/// [`GenError::Io`], but for a folder that must not be read or written.
pub(crate) fn end_commit(target: &Path) -> Result<(), GenError> {
    if folder_of(target).join(hidden_name(target, LOCK_END)).exists() {
        // A writer that lives, or a folder that is read-only: then it stays.
        let _ = OwnedFile::try_acquire(target);
    }
    confirm(target)
}

fn confirm(target: &Path) -> Result<(), GenError> {
    let folder = folder_of(target);
    changes::sync_if_possible(folder).map_err(GenError::io("sync the folder", folder))
}

/// Writes a small file atomically.
///
/// # Errors
/// [`GenError::Io`]; the old file, if there was one, is untouched then.
pub fn write_file(target: &Path, bytes: &[u8]) -> Result<(), GenError> {
    OwnedFile(WriteLock::acquire(target, &Monitor::silent())?).replace(bytes)
}

/// Writes a result: a regular file atomically, at the end of its links; a device or a pipe in its
/// place, which may wait for a reader. No folder is created.
///
/// # Errors
/// [`GenError::Io`].
pub fn write_output(target: &Path, bytes: &[u8]) -> Result<(), GenError> {
    let error = || GenError::io("write", target);
    match fs::metadata(target) {
        Ok(there) if there.is_file() => {
            write_file(&fs::canonicalize(target).map_err(error())?, bytes)
        }
        Ok(there) if !there.is_dir() => {
            let mut file = changes::open_in_place(target).map_err(error())?;
            file.write_all(bytes).map_err(error())
        }
        Err(source) if source.kind() == io::ErrorKind::NotFound => {
            // A link whose end is not there yet.
            let end = fs::read_link(target).map(|end| folder_of(target).join(end));
            let target = end.as_deref().unwrap_or(target);
            if !folder_of(target).is_dir() {
                return Err(error()(source));
            }
            write_file(target, bytes)
        }
        Ok(_) => Err(error()(io::ErrorKind::IsADirectory.into())),
        Err(source) => Err(error()(source)),
    }
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), GenError> {
    changes::sync_folder(folder).map_err(GenError::io("sync the folder", folder))
}

/// Writes a part of something larger and makes it durable.
///
/// It is not there whole or not at all: whatever names it must be written after it.
pub(crate) fn write_part(
    path: &Path,
    pieces: &mut dyn Iterator<Item = &[u8]>,
) -> Result<(), GenError> {
    let write = || {
        let file = changes::create(path)?;
        let mut buffered = BufWriter::with_capacity(PART_BUFFER_BYTES, Appender::new(&file, path));
        for piece in pieces {
            buffered.write_all(piece)?;
        }
        buffered.flush()?;
        drop(buffered);
        changes::sync(&file, path)
    };
    write().map_err(GenError::io("write", path))
}
