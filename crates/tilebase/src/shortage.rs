//! Error of tables that do not fit the memory or the disk.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use crate::bytes::Bytes;

/// Lack of memory or disk space for tables.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shortage {
    /// The spec or heuristic.
    pub name: String,
    /// The resource that is too small.
    pub resource: Resource,
    /// Bytes that are needed.
    pub needed_bytes: u64,
    /// Bytes that are available.
    pub available_bytes: u64,
    /// Purpose of the needed bytes, as a part of the message; it may be empty.
    pub purpose: String,
    /// Memory and disk space of the builds without streaming, in bytes, if they fit the disk.
    pub in_memory_bytes: Option<(u64, u64)>,
    /// What would fit.
    pub fitting: String,
}

/// Resource that may be too small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The memory limit.
    Memory,
    /// The disk of a folder.
    Disk(PathBuf),
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, purpose, fitting, .. } = self;
        let (needed, available) = (Bytes(self.needed_bytes), Bytes(self.available_bytes));
        write!(f, "{name} needs {needed} of ")?;
        match &self.resource {
            Resource::Memory => write!(f, "memory{purpose}, but may use {available}; ")?,
            Resource::Disk(path) => {
                write!(f, "disk{purpose}, but {} has {available} free; ", path.display())?;
            }
        }
        if let Some((of_memory, of_disk)) = self.in_memory_bytes {
            let (of_memory, of_disk) = (Bytes(of_memory), Bytes(of_disk));
            write!(f, "in memory, with {of_memory}, it needs {of_disk} of disk; ")?;
        }
        f.write_str(fitting)
    }
}

impl Error for Shortage {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_says_what_is_needed_and_available() {
        let shortage = |resource, in_memory_bytes| Shortage {
            name: "15/7-8".into(),
            resource,
            needed_bytes: 3_000_000,
            available_bytes: 1000,
            purpose: " to build".into(),
            in_memory_bytes,
            fitting: "nothing fits".into(),
        };
        assert_eq!(
            shortage(Resource::Memory, None).to_string(),
            "15/7-8 needs 3.00 MB of memory to build, but may use 1.00 kB; nothing fits"
        );
        assert_eq!(
            shortage(Resource::Disk("/a".into()), Some((5_000_000, 500))).to_string(),
            "15/7-8 needs 3.00 MB of disk to build, but /a has 1.00 kB free; in memory, with 5.00 MB, \
             it needs 500 B of disk; nothing fits"
        );
    }
}
