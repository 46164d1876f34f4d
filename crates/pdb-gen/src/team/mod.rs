//! One table by several ranks together.
//!
//! The ranks do what [`streaming`](crate::streaming) does, together ([`shared`]): each [`rank`] advances the segments
//! of its share ([`shares`]), and fetches what its moves come from of others'. After a level they exchange what they
//! wrote, and the team's [`checkpoint`] takes the place of that of a streamed build. [`places`] finds the folders of
//! ranks again.
//!
//! Where the shares of all ranks fit their memory, nothing streams: a [`resident`] rank advances its share as a
//! build in memory does, exchanges blocks in [`letters`], and packs its part of the table ([`columns`]).

mod checkpoint;
mod columns;
mod exchange;
mod letters;
mod places;
mod rank;
mod resident;
mod share_estimate;
mod shared;
mod shares;

pub use self::rank::{RankLevel, SharedLevel};
pub use self::share_estimate::{ShareEstimate, estimate_shares};
pub use self::shared::{SharedReport, build_shared};
