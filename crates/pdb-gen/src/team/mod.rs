//! Builds of one table by several ranks together, each with its share in memory.
//!
//! A [`job`] is the build of a table. Each [`rank`] advances the segments of its share ([`shares`])
//! as a build in memory does, and exchanges the blocks of its [`border`]. All ranks agree in
//! [`rounds`], write checkpoints ([`saving`]), and pack a part of the table ([`columns`]).
//!
//! The checkpoint is that of [`streaming`](crate::streaming), so that a team can resume a build of
//! one machine, and a machine that has all files can resume a build of a team.

mod border;
mod columns;
mod job;
mod memory;
mod messages;
mod rank;
mod ranks;
mod report;
mod rounds;
mod saving;
mod schedule;
mod shares;

pub use self::job::TeamBudget;
pub use self::ranks::Team;
pub use self::report::{RankLevel, TeamLevel, TeamReport};
