//! Ways of keeping a table's file in memory, the state of a file, and its changes.

/// Way of keeping a table's file in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Residence {
    /// Mapped; pages are read when they are touched. All processes share them, in huge pages where
    /// the file system has them. Opening takes no time, and untouched pages take no memory.
    #[default]
    Mapped,
    /// Mapped, and all pages read at once.
    Prefaulted,
    /// Mapped, and all pages kept in memory until the table is closed. The system limits how much a
    /// process may lock (`ulimit -l`).
    Locked,
    /// Copied into memory of this process alone, in huge pages where the system has them. Later
    /// changes of the file do not matter.
    Copied,
}

/// State of a file, without its content. Every write changes the change time, with two exceptions:
/// - Two writes within a tick of the file system's clock have the same time.
/// - A store through a shared map changes the time only if the page was clean, that is, written
///   back since the previous store. On a file system without write-back, such as tmpfs, only the
///   first such store does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// The device of the file; on Windows the serial number of the volume.
    pub device: u64,
    /// Its number on the device.
    pub inode: u64,
    /// Its length, in bytes.
    pub bytes: u64,
    /// The time of modification: seconds since 1970, and nanoseconds.
    pub modified: (i64, i64),
    /// The time of the last change of content, owner, rights or links. Programs can set it on
    /// Windows alone.
    pub changed: (i64, i64),
}

/// Change of a mapped file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The file has `len` bytes left, or 0 after a lost page was touched.
    CutShort { len: u64 },
    /// The file was written to, or may have been.
    Written,
    /// Only the time of change differs, as after `chmod` or `ln`: the content must be checked
    /// again.
    Touched(Stamp),
}
