//! Differences between systems in the use of files.

#[cfg(unix)]
mod here {
    use std::fs::{self, File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
    use std::path::Path;

    use rustix::fs::{Access, OFlags, access};
    use rustix::io::Errno;

    /// Whether open files cannot be removed or replaced.
    pub(crate) const KEEPS_OPEN_FILES: bool = false;

    /// Reads the whole of `buffer` at an offset.
    pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        file.read_exact_at(buffer, offset)
    }

    /// Writes all bytes at an offset.
    pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    /// Opens or creates a lock file; `None` if the path is a link, or a pipe without a reader.
    pub(crate) fn open_lock(path: &Path) -> io::Result<Option<File>> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let mut options = File::options();
        options.create(true).truncate(false).write(true).custom_flags(flags.bits() as i32);
        let is_other = |error: &io::Error| {
            let errors = [Errno::LOOP, Errno::NXIO];
            errors.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
        };
        match options.open(path) {
            Err(error) if is_other(&error) => Ok(None),
            result => result.map(Some),
        }
    }

    /// Returns whether the path still leads to an open lock file.
    pub(crate) fn is_still_at(file: &File, path: &Path) -> bool {
        fs::metadata(path)
            .is_ok_and(|now| file.metadata().is_ok_and(|then| now.ino() == then.ino()))
    }

    /// Lets all users read the temporary files of a builder.
    pub(crate) fn readable_by_all(builder: &mut tempfile::Builder<'_, '_>) {
        builder.permissions(Permissions::from_mode(0o644));
    }

    /// Gives a file the owner and the permissions of another one.
    pub(crate) fn take_permissions(file: &File, old: &Metadata) -> io::Result<()> {
        // Only the administrator may give files to others.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
        file.set_permissions(old.permissions())
    }

    /// Returns an error if a file is protected against writing.
    pub(crate) fn expect_writable(path: &Path) -> io::Result<()> {
        Ok(access(path, Access::WRITE_OK)?)
    }

    /// Makes the names in a folder durable.
    pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }
}

#[cfg(windows)]
mod here {
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::os::windows::fs::{FileExt, OpenOptionsExt};
    use std::path::Path;
    use std::thread;
    use std::time::Duration;

    /// Whether open files cannot be removed or replaced.
    pub(crate) const KEEPS_OPEN_FILES: bool = true;

    /// `FILE_SHARE_READ` and `FILE_SHARE_WRITE`: nobody can remove or rename the file while it is
    /// open.
    const SHARE_ALL_BUT_REMOVAL: u32 = 1 | 2;
    /// `FILE_FLAG_OPEN_REPARSE_POINT`: opens a link itself, which is no file.
    const NO_FOLLOW: u32 = 0x0020_0000;
    /// Errors while another writer removes the lock file: `ERROR_ACCESS_DENIED`,
    /// `ERROR_SHARING_VIOLATION` and `ERROR_DELETE_PENDING`.
    const BEING_REMOVED: [i32; 3] = [5, 32, 303];
    /// Time after which such an error has another reason, in steps of a millisecond.
    const REMOVAL_MILLISECONDS: u32 = 200;

    /// Reads the whole of `buffer` at an offset.
    pub(crate) fn read_exact_at(
        file: &File,
        mut buffer: &mut [u8],
        mut offset: u64,
    ) -> io::Result<()> {
        while !buffer.is_empty() {
            let count = file.seek_read(buffer, offset)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            (buffer, offset) = (&mut buffer[count..], offset + count as u64);
        }
        Ok(())
    }

    /// Writes all bytes at an offset.
    pub(crate) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let count = file.seek_write(bytes, offset)?;
            if count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            (bytes, offset) = (&bytes[count..], offset + count as u64);
        }
        Ok(())
    }

    /// Opens or creates a lock file; a link is opened itself.
    pub(crate) fn open_lock(path: &Path) -> io::Result<Option<File>> {
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        options.share_mode(SHARE_ALL_BUT_REMOVAL).custom_flags(NO_FOLLOW);
        for _ in 0..REMOVAL_MILLISECONDS {
            match options.open(path) {
                Err(error) if error.raw_os_error().is_some_and(|e| BEING_REMOVED.contains(&e)) => {
                    thread::sleep(Duration::from_millis(1));
                }
                result => return result.map(Some),
            }
        }
        options.open(path).map(Some)
    }

    /// Returns whether the path still leads to an open lock file, which nobody can remove.
    pub(crate) fn is_still_at(_: &File, _: &Path) -> bool {
        true
    }

    /// Does nothing: files inherit their permissions from the folder.
    pub(crate) fn readable_by_all(_: &mut tempfile::Builder<'_, '_>) {}

    /// Does nothing: files inherit their permissions from the folder.
    #[expect(clippy::unnecessary_wraps, reason = "other systems may refuse it")]
    pub(crate) fn take_permissions(_: &File, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    /// Returns an error if a file is protected against writing.
    pub(crate) fn expect_writable(path: &Path) -> io::Result<()> {
        let is_protected = fs::metadata(path)?.permissions().readonly();
        if is_protected { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
    }

    /// Does nothing: the system has no such call for ordinary users. NTFS keeps a journal of names,
    /// in the order of the changes.
    #[expect(clippy::unnecessary_wraps, reason = "other systems may refuse it")]
    pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) use here::*;
