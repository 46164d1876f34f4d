//! Table files on a system without maps, such as a browser: no file opens, and tables come from
//! bytes alone.

use std::io;
use std::ops::Range;
use std::path::Path;

use crate::residence::{Change, Residence, Stamp};

/// File in memory. There is none.
#[derive(Debug)]
pub(crate) enum FileBytes {}

impl FileBytes {
    /// # Errors
    /// [`io::ErrorKind::Unsupported`], always.
    pub(crate) fn open(_: &Path, _: Residence) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        match *self {}
    }

    pub(crate) fn stamp(&self) -> Stamp {
        match *self {}
    }

    pub(crate) fn populate(&self, _: &Range<usize>) {
        match *self {}
    }

    pub(crate) fn check_unchanged(&self, _: impl FnOnce() -> bool) -> io::Result<Option<Change>> {
        match *self {}
    }

    pub(crate) fn change(&self) -> io::Result<Option<Change>> {
        match *self {}
    }
}

/// Lets this process survive a mapped table that is cut short, where there are maps.
///
/// # Errors
/// [`io::ErrorKind::Unsupported`], always.
pub fn outlive_cut_files() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
