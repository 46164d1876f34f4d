//! Boards that take minutes to days: their search is cut into packets, written down in a checkpoint,
//! resumed, and shared out to other machines.

mod checkpoint;
mod forecast;
mod merge;
mod run;

pub use checkpoint::read as read_checkpoint;
pub use merge::{Merged, merge};
pub use run::{Hard, HardAnswer, Rest, Shard};
