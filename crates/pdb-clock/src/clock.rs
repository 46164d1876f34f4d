//! The clock of the system, or one that the program hands in.

use std::ops::Add;
use std::sync::OnceLock;
use std::time::Duration;

/// The clock that was handed in.
static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Sets the clock: a function that returns the time since any fixed moment, and never goes back. A
/// program calls it before it reads any time. Later calls change nothing.
pub fn set_clock(clock: fn() -> Duration) {
    CLOCK.get_or_init(|| clock);
}

/// Returns the time since the first call.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn of_system() -> Duration {
    static BEGIN: OnceLock<std::time::Instant> = OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed()
}

/// The system has no clock, so no time passes.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn of_system() -> Duration {
    Duration::ZERO
}

/// A moment, as [`std::time::Instant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// Returns the present moment.
    pub fn now() -> Self {
        Self(CLOCK.get().map_or_else(of_system, |clock| clock()))
    }

    /// Returns the time since this moment.
    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    /// Returns the time from `earlier` to this moment; zero if that moment is later.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// Returns the moment that much later; `None` if it cannot be represented.
    pub fn checked_add(&self, duration: Duration) -> Option<Self> {
        self.0.checked_add(duration).map(Self)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0 + duration)
    }
}
