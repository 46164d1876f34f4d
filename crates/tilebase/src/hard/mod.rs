//! Hard boards, whose search takes minutes to days: it is divided into packets, saved in a
//! checkpoint, resumed, and shared between machines.

mod checkpoint;
mod forecast;
mod merge;
mod run;

pub use checkpoint::read as read_checkpoint;
pub use merge::merge;
pub use run::{HardAnswer, HardSearch, RemainingPackets, Shard};
