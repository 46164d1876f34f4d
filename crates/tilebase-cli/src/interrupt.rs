//! Ctrl-C: the first one ends the work in good order, the next one at once.

use std::process;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use tilebase::Cancel;

/// What the shells expect of a program that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;

/// `timeout` and some terminals send one interrupt to the process and to its group, so that it
/// arrives twice.
const SAME_INTERRUPT: Duration = Duration::from_millis(300);

static INTERRUPTED: LazyLock<Cancel> = LazyLock::new(Cancel::new);

/// Listens to interrupts from now on.
pub(crate) fn listen() -> anyhow::Result<()> {
    // Made here, so that a signal's handler never is the first to ask for it.
    LazyLock::force(&INTERRUPTED);
    let first = OnceLock::new();
    ctrlc::set_handler(move || {
        INTERRUPTED.cancel();
        if first.get_or_init(Instant::now).elapsed() > SAME_INTERRUPT {
            process::exit(EXIT_CODE.into());
        }
    })
    .context("cannot listen to interrupts")
}

/// Cancelled by the first interrupt; long work watches it.
pub(crate) fn cancel() -> Cancel {
    INTERRUPTED.clone()
}

/// The flag of [`cancel`].
pub(crate) fn flag() -> &'static AtomicBool {
    INTERRUPTED.flag()
}

/// Whether there was an interrupt.
pub(crate) fn is_set() -> bool {
    INTERRUPTED.is_cancelled()
}
