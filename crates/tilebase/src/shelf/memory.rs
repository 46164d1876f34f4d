//! Sizes of memory and disk.

#[cfg(feature = "build")]
use std::path::Path;

/// Limit of the memory that may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory(Option<u64>);

impl Memory {
    /// No limit but the memory of the machine.
    pub const ALL: Self = Self(None);

    /// Limits the memory to `bytes`.
    pub fn of(bytes: u64) -> Self {
        Self(Some(bytes))
    }

    /// Returns the limit in bytes, if one was set.
    pub fn limit_bytes(self) -> Option<u64> {
        self.0
    }

    /// Returns the limit in bytes: the one that was set, else the memory of the machine, or
    /// `u64::MAX` if the system does not report it.
    pub fn bytes(self) -> u64 {
        self.0.unwrap_or_else(physical_bytes)
    }

    /// Returns the memory limit of a build, in bytes: the limit that was set, or 15/16 of the
    /// available memory. A build that just fits then leaves something to other programs.
    #[cfg(feature = "build")]
    pub(super) fn for_building(self) -> u64 {
        let available = || available_bytes().map(|bytes| bytes / 16 * 15);
        self.0.or_else(available).unwrap_or_else(physical_bytes)
    }

    /// Returns the memory limit of a streamed build, in bytes. It is lower because the available
    /// memory changes, and because the system needs some to keep files in memory.
    #[cfg(feature = "build")]
    pub fn for_streaming(self) -> u64 {
        self.0.unwrap_or_else(|| self.for_building() / 4 * 3)
    }
}

/// Returns the bytes of a line such as `MemAvailable: 1234 kB` in a file of the system, if there is
/// one.
#[cfg(not(windows))]
fn kilobytes(path: &str, start: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(start))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Returns the memory that is available without taking it from other programs, if the system
/// reports it.
#[cfg(feature = "build")]
fn available_bytes() -> Option<u64> {
    #[cfg(windows)]
    return pdb_system::available_memory_bytes();
    #[cfg(not(windows))]
    kilobytes("/proc/meminfo", "MemAvailable:")
}

/// Returns the memory of the machine, or `u64::MAX` if the system does not report it.
fn physical_bytes() -> u64 {
    #[cfg(any(windows, target_vendor = "apple"))]
    let bytes = pdb_system::physical_memory_bytes();
    #[cfg(target_os = "linux")]
    let bytes = {
        let info = rustix::system::sysinfo();
        Some(info.totalram.saturating_mul(info.mem_unit.into()))
    };
    #[cfg(not(any(windows, target_vendor = "apple", target_os = "linux")))]
    let bytes = None;
    bytes.unwrap_or(u64::MAX)
}

/// Returns the peak memory of this process so far, in bytes, if the system reports it.
pub fn peak_memory_bytes() -> Option<u64> {
    #[cfg(windows)]
    return pdb_system::peak_memory_bytes();
    #[cfg(not(windows))]
    kilobytes("/proc/self/status", "VmHWM:")
}

/// Returns the free disk space for a folder that need not exist yet, if the system reports it.
#[cfg(feature = "build")]
pub(super) fn free_disk_bytes(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    #[cfg(windows)]
    return pdb_system::free_disk_bytes(there);
    #[cfg(not(windows))]
    {
        let stat = rustix::fs::statvfs(there).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    }
}
