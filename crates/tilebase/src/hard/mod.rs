//! Boards that take minutes to days: their search is cut into packets, written down in a checkpoint,
//! gone on with, and shared out to other machines.

mod checkpoint;
mod forecast;
mod run;

pub(crate) use checkpoint::{read, text};
pub(crate) use run::{Hard, Shard};
