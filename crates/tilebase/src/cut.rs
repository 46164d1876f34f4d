//! A table that was cut short or written to while it was in use: an error instead of an answer.

use std::io;

/// What is said then.
const MESSAGE: &str = "a table was cut short or written to while it was in use, so this answer and those \
    after it would mean nothing; those before are right. Build or install the table again; where others \
    write to its folder, search with --tables copied";

/// Outlives a table that is cut short from now on, where the system allows that.
pub(crate) fn listen() {
    // Without it the process ends at the same moment, by the system's signal.
    let _ = pdb_rt::outlive_cut_files();
}

/// Whether it has happened: what is under way need not be finished.
pub(crate) fn is_set() -> bool {
    pdb_rt::tables_have_changed()
}

/// Asked after something was worked out and before it is written.
///
/// # Errors
/// When it has happened.
pub(crate) fn check() -> io::Result<()> {
    if is_set() { Err(io::Error::other(MESSAGE)) } else { Ok(()) }
}
