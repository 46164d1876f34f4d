//! Boards that take minutes to days: their search is cut into packets, saved in a checkpoint,
//! resumed, and shared out to other machines.

mod checkpoint;
mod forecast;
mod merge;
mod run;

pub use checkpoint::read as read_checkpoint;
pub use merge::merge;
pub use run::{HardAnswer, HardSearch, RemainingPackets, Shard};
