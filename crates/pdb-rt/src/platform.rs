//! Differences between systems in the use of files.

#[cfg(unix)]
mod here {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use memmap2::Mmap;

    use crate::residence::Stamp;

    /// Opens a table for reading.
    pub(crate) fn open(path: &Path) -> io::Result<File> {
        File::open(path)
    }

    /// Returns the state of an open file.
    pub(crate) fn stamp(file: &File) -> io::Result<Stamp> {
        let metadata = file.metadata()?;
        Ok(Stamp {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// Keeps all pages of a map in memory.
    pub(crate) fn lock(map: &Mmap) -> io::Result<()> {
        map.lock()
    }
}

#[cfg(windows)]
mod here {
    use std::fs::File;
    use std::io;
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::Path;

    use memmap2::Mmap;
    use pdb_system::FileState;

    use crate::residence::Stamp;

    /// Other programs may read the file, rename it and remove it meanwhile: `FILE_SHARE_READ` and
    /// `FILE_SHARE_DELETE`.
    const SHARE_ALL_BUT_WRITING: u32 = 1 | 4;

    /// Opens a table for reading. Until it is closed, nobody can write to it; a file that somebody
    /// writes to cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<File> {
        File::options().read(true).share_mode(SHARE_ALL_BUT_WRITING).open(path)
    }

    /// Returns the state of an open file.
    pub(crate) fn stamp(file: &File) -> io::Result<Stamp> {
        let FileState { volume, index, bytes, modified, changed } = FileState::of(file)?;
        Ok(Stamp { device: volume, inode: index, bytes, modified, changed })
    }

    /// Keeps all pages of a map in memory.
    pub(crate) fn lock(map: &Mmap) -> io::Result<()> {
        pdb_system::lock_memory(map)
    }
}

pub(crate) use here::{lock, open, stamp};
