//! Verification: whether a file is the table that its name and header claim.
//!
//! [`mod@verify`] compares a file with its digests and with a fresh build; [`rules`] checks the
//! entries without the builder. This folder uses [`building`](crate::building) for the fresh build
//! and [`disk`](crate::disk) for reading; it changes no file.

mod rules;
mod verify;

pub use self::rules::{BrokenRule, ENTRIES_WHOLE_MAX, Rule, SAMPLE_COUNT};
pub use self::verify::{Finding, Level, VerifyReport, WrongEntries, verify};
