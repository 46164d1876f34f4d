//! Schedule of a rank's checkpoints.

use std::path::Path;
use std::time::Duration;

use pdb_clock::Instant;

/// Divisor of the time that limits checkpoints: they take at most a tenth.
const SAVING_SHARE: u32 = 10;

/// When and where a rank writes checkpoints.
pub(super) struct CheckpointSchedule<'a> {
    /// The work folder.
    pub(super) work: &'a Path,
    /// The level of the last checkpoint, if any.
    pub(super) saved_level: Option<u32>,
    /// Shortest time between checkpoints.
    saved_after: Duration,
    last: Instant,
    /// Time that the last checkpoint took.
    took: Duration,
    /// Peak size of this rank's files, in bytes.
    pub(super) work_bytes: u64,
}

impl<'a> CheckpointSchedule<'a> {
    pub(super) fn new(work: &'a Path, saved_after: Duration, saved_level: Option<u32>) -> Self {
        let (last, took) = (Instant::now(), Duration::ZERO);
        Self { work, saved_level, saved_after, last, took, work_bytes: 0 }
    }

    /// Returns whether it is time for the next checkpoint.
    pub(super) fn is_due(&self) -> bool {
        let share = if self.saved_after.is_zero() { 0 } else { SAVING_SHARE };
        self.last.elapsed() >= self.saved_after.max(self.took * share)
    }

    /// Notes the checkpoint of a level that was begun at a moment.
    pub(super) fn note_saved(&mut self, level: u32, begun: Instant) {
        self.saved_level = Some(level);
        (self.last, self.took) = (Instant::now(), begun.elapsed());
    }
}
