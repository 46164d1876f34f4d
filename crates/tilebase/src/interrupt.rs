//! Ctrl-C: the first one ends the work in good order, the second one at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// What the shells expect of a program that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Listens to interrupts from now on.
pub(crate) fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
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
