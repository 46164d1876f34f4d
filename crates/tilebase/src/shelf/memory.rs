//! Sizes of memory and disk.

use std::fmt;
use std::fs;
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

/// Returns the memory that is available without taking it from other programs, if the system
/// reports it.
#[cfg(feature = "build")]
fn available_bytes() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    kilobytes(&info, "MemAvailable:")
}

/// Returns the bytes of a line such as `MemAvailable: 1234 kB`.
fn kilobytes(text: &str, start: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(start))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(target_os = "linux")]
fn physical_bytes() -> u64 {
    let info = rustix::system::sysinfo();
    info.totalram.saturating_mul(info.mem_unit.into())
}

#[cfg(not(target_os = "linux"))]
fn physical_bytes() -> u64 {
    u64::MAX
}

/// Returns the peak memory of this process so far, in bytes, if the system reports it.
pub fn peak_memory_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmHWM:")
}

/// Returns the free disk space for a folder that need not exist yet, if the system reports it.
#[cfg(feature = "build")]
pub(super) fn free_disk_bytes(folder: &Path) -> Option<u64> {
    let there = folder.ancestors().find(|path| path.exists());
    let stat = rustix::fs::statvfs(there.unwrap_or(Path::new("."))).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Size that displays in decimal units: 178.10 MB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
        let bytes = self.0 as f64;
        match units.into_iter().find(|(unit, _)| bytes >= *unit) {
            Some((unit, name)) => write!(f, "{:.2} {name}", bytes / unit),
            None => write!(f, "{} B", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_decimal_units() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.00 kB"),
            (178_100_000, "178.10 MB"),
            (10_920_000_000, "10.92 GB"),
            (u64::MAX, "18446744.07 TB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }
}
