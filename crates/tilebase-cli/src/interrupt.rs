//! Signals that end the program: the first one in good order, the next one at once.
//!
//! Work that can be cancelled looks at the flag and ends by itself, which may take it a while; it
//! says so by [`orderly`]. Whatever else the program does when the signal comes (reading a spec
//! from a pipe, say, or writing to a full one: see [`waiting`]) may take for ever, and is left
//! where it is.

use std::process;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use tilebase::Cancel;

/// Exit code of an interrupted program, as shells expect it.
pub(crate) const EXIT_CODE: u8 = 130;

/// `timeout` and some terminals send one interrupt to the process and to its group, so that it
/// arrives twice.
const SAME_INTERRUPT: Duration = Duration::from_millis(300);
/// Interval between two looks at the state of the program.
const TICK: Duration = Duration::from_millis(20);
/// Number of ticks after which a wait is abandoned.
const TICKS: u32 = 5;

static INTERRUPTED: LazyLock<Cancel> = LazyLock::new(Cancel::new);
/// Pieces of work that end by themselves.
static ORDERLY: AtomicUsize = AtomicUsize::new(0);
/// Waits within them that may not.
static WAITS: AtomicUsize = AtomicUsize::new(0);

/// Listens to signals from now on, except those that the parent process ignores, as `nohup` does.
///
/// A file that may not grow any more is an error of writing, not the end of the program.
pub(crate) fn listen() -> anyhow::Result<()> {
    LazyLock::force(&INTERRUPTED);
    let ignored = ignored();
    let is_wanted = |signal: &i32| ignored & (1 << (signal - 1)) == 0;
    let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ].into_iter().filter(is_wanted);
    let mut signals = Signals::new(wanted).context("cannot listen to signals")?;
    let listen = move || {
        let mut first = None;
        for _ in signals.forever().filter(|&signal| signal != SIGXFSZ) {
            INTERRUPTED.cancel();
            match first {
                None => {
                    first = Some(Instant::now());
                    // Without the thread, the next signal ends the program.
                    let _ = thread::Builder::new().spawn(leave);
                }
                Some(first) if first.elapsed() > SAME_INTERRUPT => process::exit(EXIT_CODE.into()),
                Some(_) => (),
            }
        }
    };
    let thread = thread::Builder::new().name("signals".into());
    thread.spawn(listen).context("cannot listen to signals")?;
    Ok(())
}

/// Returns the ignored signals, a bit each; none where the system does not report them.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Ends the program as soon as it does nothing but wait.
fn leave() {
    let mut ticks = 0;
    while ticks < TICKS {
        thread::sleep(TICK);
        let is_waiting = WAITS.load(Ordering::SeqCst) > 0 || ORDERLY.load(Ordering::SeqCst) == 0;
        ticks = if is_waiting { ticks + 1 } else { 0 };
    }
    process::exit(EXIT_CODE.into());
}

/// Counts one while it lives.
struct Counted(&'static AtomicUsize);

impl Counted {
    fn new(count: &'static AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs work that ends by itself after it is cancelled.
pub(crate) fn orderly<T>(work: impl FnOnce() -> T) -> T {
    let _counted = Counted::new(&ORDERLY);
    work()
}

/// Runs a wait for another process, which cannot be cancelled, inside work that can.
pub(crate) fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    let _counted = Counted::new(&WAITS);
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

/// Returns whether there was a signal.
pub(crate) fn is_set() -> bool {
    INTERRUPTED.is_cancelled()
}
