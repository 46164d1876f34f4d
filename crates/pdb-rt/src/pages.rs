//! What pages a table is in, and the steps that put it into others: see [`promotion`](crate::promotion).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How often is looked whether others are done.
pub(crate) const RETRY: Duration = Duration::from_millis(20);

/// When and how tables that are opened as [`Residence::Auto`](crate::Residence::Auto) are promoted to huge pages.
///
/// Clones share the room for copies.
#[derive(Clone, Debug, Default)]
pub struct Promotion {
    pub(crate) after: Option<Duration>,
    room: Option<Arc<AtomicU64>>,
    is_copying_only: bool,
}

impl Promotion {
    /// After so much time of searching, and tables of any size. Default: a second for each 50 MB of tables that
    /// have 8 MiB or more.
    #[must_use]
    pub fn after(self, searching: Duration) -> Self {
        Self { after: Some(searching), ..self }
    }

    /// Tables and their copies take so many bytes together at most. A table that is mapped counts whether or not it
    /// is in memory, and is never refused; a copy counts beside it. Default: a copy takes a quarter at most of what
    /// the system says is available, to the machine and to the control groups of the process.
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        Self { room: Some(Arc::new(AtomicU64::new(bytes))), ..self }
    }

    /// Copies each table, even if the map is in huge pages: a copy does not depend on the file.
    #[must_use]
    pub fn by_copying(self) -> Self {
        Self { is_copying_only: true, ..self }
    }

    /// Takes what the limit leaves, if it leaves so much.
    fn take(&self, bytes: u64) -> Option<Taken> {
        if let Some(room) = &self.room {
            let less = |room: u64| room.checked_sub(bytes);
            room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).ok()?;
        }
        Some(Taken { room: self.room.clone(), bytes })
    }

    /// Takes what a map counts for, or what there is.
    pub(crate) fn take_at_most(&self, bytes: u64) -> Taken {
        let there = self.room.as_ref().map_or(bytes, |room| room.load(Ordering::Relaxed));
        let none = || Taken { room: None, bytes: 0 };
        self.take(bytes.min(there)).unwrap_or_else(none)
    }
}

/// Room that is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Taken {
    room: Option<Arc<AtomicU64>>,
    bytes: u64,
}

impl Drop for Taken {
    fn drop(&mut self) {
        if let Some(room) = &self.room {
            room.fetch_add(self.bytes, Ordering::Relaxed);
        }
    }
}

/// What pages a table is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pages {
    /// In those that it was opened with.
    #[default]
    AsOpened,
    /// In huge pages of the file, which all processes share.
    Shared,
    /// In huge pages of this process.
    Copied,
}

/// How a table is promoted.
#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{File, TryLockError};

    use super::{Pages, Promotion, RETRY, Taken};
    use crate::map::Bytes;
    use crate::memory::available_bytes;

    /// Brings a table in, as step 2 and again before step 3. One that hardly fits the memory is better brought in
    /// as it is touched.
    pub(crate) fn bring_in(bytes: &Bytes) {
        let len = bytes.as_slice().len();
        if available_bytes().is_some_and(|available| len as u64 <= available / 2) {
            bytes.populate(&(0..len));
        }
    }

    /// Steps 3 to 5. `is_copy` holds a copy against the digests of the table. What is returned is kept for as
    /// long as the table is.
    pub(crate) fn enlarge(
        bytes: &Bytes,
        promotion: &Promotion,
        is_copy: &dyn Fn(&[u8]) -> bool,
        is_over: &dyn Fn() -> bool,
    ) -> (Pages, Option<Taken>) {
        let none = (Pages::AsOpened, None);
        let len = bytes.as_slice().len() as u64;
        if !promotion.is_copying_only {
            // What was brought in may have left again.
            bring_in(bytes);
            if bytes.is_huge() || (!is_over() && bytes.collapse().is_ok() && bytes.is_huge()) {
                return (Pages::Shared, None);
            }
        }
        let Some(_turn) = bytes.file().and_then(|file| Turn::take(file, is_over)) else {
            return none;
        };
        // Now, as who had the turn before has taken what it wanted.
        if available_bytes().is_none_or(|available| len > available / 4) {
            return none;
        }
        let Some(taken) = promotion.take(len) else { return none };
        match bytes.copy(is_over) {
            Ok(Some(copy)) if is_copy(copy.as_slice()) && !is_over() => match bytes.replace(copy) {
                Ok(()) => (Pages::Copied, Some(taken)),
                Err(_) => none,
            },
            _ => none,
        }
    }

    /// Of all processes that have a file, one copies it at a time.
    struct Turn<'a>(&'a File);

    impl<'a> Turn<'a> {
        /// Nothing where files cannot be locked: then nobody knows how many copy at once.
        fn take(file: &'a File, is_over: &dyn Fn() -> bool) -> Option<Self> {
            loop {
                match file.try_lock() {
                    Ok(()) => return Some(Self(file)),
                    Err(TryLockError::Error(_)) => return None,
                    Err(TryLockError::WouldBlock) if is_over() => return None,
                    Err(TryLockError::WouldBlock) => std::thread::sleep(RETRY),
                }
            }
        }
    }

    impl Drop for Turn<'_> {
        fn drop(&mut self) {
            // It ends with the file at the latest.
            let _ = self.0.unlock();
        }
    }
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{bring_in, enlarge};
