//! Every change of the file system that this crate makes.
//!
//! Each change is announced to [`faults`](super::faults) before it is made, so that a test can make
//! it fail, end the process there, or compute what a power failure would leave.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::faults::{Change, announce};
use super::platform;

/// Returns the folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a folder and its missing parents, durably.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let above = folder_of(path);
    if path.is_dir() {
        // The process that created it may have been stopped before its name was durable.
        return sync_if_possible(above);
    }
    if above != path {
        create_folder(above)?;
    }
    announce(Change::CreateFolder(path))?;
    match fs::create_dir(path) {
        // Another process created it first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        result => result?,
    }
    sync_folder(above)
}

/// Creates an empty file, or empties an existing one.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    announce(Change::Create(path))?;
    File::options().create(true).truncate(true).write(true).open(path)
}

/// Opens a device, a pipe or an open file, to write at its end.
pub(super) fn open_in_place(path: &Path) -> io::Result<File> {
    announce(Change::Create(path))?;
    File::options().append(true).open(path)
}

/// Creates a lock file, which is empty. Follows no link, and does not wait for a pipe.
pub(super) fn create_lock(path: &Path) -> io::Result<File> {
    announce(Change::Create(path))?;
    let problem = "expected a lock file, found a link, a pipe or a device: remove it";
    let error = || io::Error::new(io::ErrorKind::InvalidInput, problem);
    let file = platform::open_lock(path)?.ok_or_else(error)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(error()) }
}

/// Removes a lock file and releases its lock. Another writer cannot have the lock in between,
/// unless the system removes no open file: then one of the two removes it.
pub(super) fn remove_lock(file: File, path: &Path) -> io::Result<()> {
    if platform::KEEPS_OPEN_FILES {
        drop(file);
        return remove_file(path);
    }
    remove_file(path)
}

/// Creates a file with a temporary name that starts with `prefix`, readable by all. The caller
/// renames or removes it.
pub(super) fn create_temporary(folder: &Path, prefix: &OsStr) -> io::Result<(File, PathBuf)> {
    announce(Change::CreateTemporary(folder))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    platform::readable_by_all(&mut builder);
    builder.tempfile_in(folder)?.keep().map_err(|error| error.error)
}

/// Writes `bytes` at an offset; can be called from any thread.
pub(crate) fn write_at(file: &File, path: &Path, bytes: &[u8], offset: u64) -> io::Result<()> {
    announce(Change::Write { path, offset, bytes })?;
    platform::write_all_at(file, bytes, offset)
}

/// Makes the content of a file durable, but not its name.
pub(super) fn sync(file: &File, path: &Path) -> io::Result<()> {
    announce(Change::Sync(path))?;
    file.sync_all()
}

/// Makes the names in a folder durable.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    announce(Change::SyncFolder(path))?;
    platform::sync_folder(path)
}

/// Makes the names in a folder durable, unless this user may not read the folder, or its file
/// system is read-only.
pub(super) fn sync_if_possible(path: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    match sync_folder(path) {
        Err(error)
            if matches!(
                error.kind(),
                InvalidInput | PermissionDenied | ReadOnlyFilesystem | Unsupported
            ) =>
        {
            Ok(())
        }
        result => result,
    }
}

/// Renames a file, and replaces an existing file of the new name.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    announce(Change::Rename { from, to })?;
    fs::rename(from, to)
}

pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    announce(Change::Remove(path))?;
    fs::remove_file(path)
}

/// Removes a folder that is empty.
pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    announce(Change::RemoveFolder(path))?;
    fs::remove_dir(path)
}

/// Writes one piece after another to a file.
#[derive(Debug)]
pub(super) struct Appender<'a> {
    pub(super) file: &'a File,
    pub(super) path: &'a Path,
    pub(super) offset: u64,
}

impl Write for Appender<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write_at(self.file, self.path, bytes, self.offset)?;
        self.offset += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
