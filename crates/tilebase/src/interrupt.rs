//! Ctrl-C: the first one ends the work in good order, the next one at once.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;

/// What the shells expect of a program that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;

/// `timeout` and some terminals send one interrupt to the process and to its group, so that it
/// arrives twice.
const SAME_INTERRUPT: Duration = Duration::from_millis(300);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens to interrupts from now on.
pub(crate) fn listen() -> anyhow::Result<()> {
    let first = OnceLock::new();
    ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if first.get_or_init(Instant::now).elapsed() > SAME_INTERRUPT {
            process::exit(EXIT_CODE.into());
        }
    })
    .context("cannot listen to interrupts")
}

/// Becomes true with the first interrupt; long work watches it.
pub(crate) fn flag() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Whether there was an interrupt.
pub(crate) fn is_set() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
