//! Signals that end the program: the first one in an orderly way, the next one at once.
//!
//! Work that can be cancelled checks the flag and ends itself, which may take some time; it
//! registers as [`orderly`]. Any other work of the program, such as reading a spec from a pipe, may
//! block forever: it is abandoned when the signal arrives. So is a write to a full pipe
//! ([`waiting`]).

use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use tilebase::Cancel;

/// Exit code of an interrupted program, as shells expect it.
pub(crate) const EXIT_CODE: u8 = 130;

/// Time within which a second signal counts as the same interrupt: `timeout` and some terminals
/// send one interrupt to the process and to its group, so that it arrives twice.
const SAME_INTERRUPT: Duration = Duration::from_millis(300);
/// Time between two checks of the program's state.
const TICK: Duration = Duration::from_millis(20);
/// Number of ticks after which a wait is abandoned.
const TICKS: u32 = 5;

static INTERRUPTED: LazyLock<Cancel> = LazyLock::new(Cancel::new);
/// Number of running pieces of orderly work.
static ORDERLY: AtomicUsize = AtomicUsize::new(0);
/// Number of waits inside them that may block forever.
static WAITS: AtomicUsize = AtomicUsize::new(0);

/// Starts to listen to signals, except those that the parent process ignores, as `nohup` does.
///
/// If a file may not grow any more, that is a write error, not the end of the program.
pub(crate) fn listen() -> anyhow::Result<()> {
    LazyLock::force(&INTERRUPTED);
    #[cfg(unix)]
    let listens = signals::listen();
    #[cfg(windows)]
    let listens = pdb_system::on_interrupt(interrupt);
    listens.context("cannot listen to signals")
}

/// Cancels orderly work at the first interrupt, and ends the program at the next one.
fn interrupt() {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    INTERRUPTED.cancel();
    let mut is_first = false;
    let first = FIRST.get_or_init(|| {
        is_first = true;
        Instant::now()
    });
    if is_first {
        // If the thread cannot start, the next signal ends the program.
        let _ = pdb_core::thread_builder().spawn(leave);
    } else if first.elapsed() > SAME_INTERRUPT {
        process::exit(EXIT_CODE.into());
    }
}

#[cfg(unix)]
mod signals {
    use std::{fs, io};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    pub(super) fn listen() -> io::Result<()> {
        let ignored = ignored();
        let is_wanted = |signal: &i32| ignored & (1 << (signal - 1)) == 0;
        let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ].into_iter().filter(is_wanted);
        let mut signals = Signals::new(wanted)?;
        let listen = move || {
            for _ in signals.forever().filter(|&signal| signal != SIGXFSZ) {
                super::interrupt();
            }
        };
        pdb_core::thread_builder().name("signals".into()).spawn(listen)?;
        Ok(())
    }

    /// Returns the ignored signals, a bit each; 0 if the system does not report them.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

/// Ends the program as soon as it only waits.
fn leave() {
    let mut ticks = 0;
    while ticks < TICKS {
        thread::sleep(TICK);
        let is_waiting = WAITS.load(Ordering::SeqCst) > 0 || ORDERLY.load(Ordering::SeqCst) == 0;
        ticks = if is_waiting { ticks + 1 } else { 0 };
    }
    process::exit(EXIT_CODE.into());
}

/// Guard that counts as one while it exists.
struct CountGuard(&'static AtomicUsize);

impl CountGuard {
    fn new(count: &'static AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for CountGuard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs work that ends itself after it is cancelled.
pub(crate) fn orderly<T>(work: impl FnOnce() -> T) -> T {
    let _counted = CountGuard::new(&ORDERLY);
    work()
}

/// Runs a wait for another process, which cannot be cancelled, inside work that can.
pub(crate) fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    let _counted = CountGuard::new(&WAITS);
    wait()
}

/// Returns the handle that the first signal cancels.
pub(crate) fn cancel() -> Cancel {
    INTERRUPTED.clone()
}

/// Returns the flag of [`cancel`].
pub(crate) fn flag() -> &'static AtomicBool {
    INTERRUPTED.flag()
}

/// Returns whether a signal has arrived.
pub(crate) fn is_set() -> bool {
    INTERRUPTED.is_cancelled()
}
