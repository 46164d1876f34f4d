//! Events of long work, and cancellation.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::GenError;

/// Progress event of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A level of the breadth-first search is finished.
    Level {
        /// The level: the cost of the states that it reached.
        level: u32,
        /// Number of states reached so far; regions of the blank count separately.
        done: u64,
        /// Number of all states.
        total: u64,
    },
    /// A segment of a level is finished, in a streamed build.
    Segment {
        /// The level.
        level: u32,
        /// Number of states reached so far; regions of the blank count separately.
        done: u64,
        /// Number of all states.
        total: u64,
    },
    /// A build is resumed at its checkpoint.
    Resume {
        /// The last finished level.
        level: u32,
        /// Number of states reached so far; regions of the blank count separately.
        done: u64,
        /// Number of all states.
        total: u64,
    },
    /// Entries are packed.
    Pack,
    /// Payload bytes are digested and written.
    Write {
        /// Number of bytes so far.
        done: u64,
        /// Number of all bytes.
        total: u64,
    },
    /// Bytes are read and checked.
    Check {
        /// Number of bytes so far.
        done: u64,
        /// Number of all bytes.
        total: u64,
    },
    /// The file is made durable.
    Sync,
}

/// Receiver of events that can cancel the work; shared by all threads.
pub struct Monitor<'a> {
    report: &'a (dyn Fn(Event) + Sync),
    cancel: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);
/// A monitor that ignores all events and never cancels.
pub(crate) static SILENT: Monitor<'static> = Monitor { report: &|_| (), cancel: &NEVER };

impl std::fmt::Debug for Monitor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Monitor").field("cancel", self.cancel).finish_non_exhaustive()
    }
}

impl<'a> Monitor<'a> {
    /// Creates a monitor that passes events to `report`. The work stops soon after `cancel` becomes
    /// true.
    pub fn new(report: &'a (dyn Fn(Event) + Sync), cancel: &'a AtomicBool) -> Self {
        Self { report, cancel }
    }

    /// Returns a monitor that ignores all events and never cancels.
    pub fn silent() -> Monitor<'static> {
        Monitor { ..SILENT }
    }

    pub(crate) fn event(&self, event: Event) {
        (self.report)(event);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Ends cancelled work with [`GenError::Interrupted`].
    pub(crate) fn check_cancelled(&self) -> Result<(), GenError> {
        if self.is_cancelled() { Err(GenError::Interrupted) } else { Ok(()) }
    }
}
