//! Verification: whether a file is the table that it says it is.
//!
//! [`mod@verify`] compares a file with its digests and with a fresh build; [`rules`] asks the
//! entries alone, without the builder; [`draw`] shows a state that is wrong. This folder uses
//! [`building`](crate::building) for the fresh build and [`disk`](crate::disk) to read; it changes
//! no file.

mod draw;
mod rules;
mod verify;

pub use self::rules::{BrokenRule, ENTRIES_WHOLE_MAX, Rule, SAMPLE_COUNT};
pub use self::verify::{Finding, Level, VerifyReport, WrongEntries, verify};
