//! The search: the level of every state, backwards from the goal.
//!
//! A [`graph`] of blocks determines which moves lead into a block, and a [`rotation`] what a move
//! does to it; both belong to the search [`space`]. The [`sweep`] proceeds from level to level and
//! writes the [`record`], which is all that packing needs. [`walking`] searches the states of a
//! Walking Distance table, and [`colours`] those of a coloured table, which need none of this.
//!
//! This folder uses no other one and touches no file. The blocks of a level may be in memory
//! ([`search()`]) or on disk (`crate::streaming`).

mod colours;
mod graph;
mod record;
mod rotation;
mod space;
mod sweep;
mod walking;

pub(crate) use self::colours::{COLOURED_STATE_BYTES, coloured_table};
pub(crate) use self::graph::{Class, SetPlace, pull_count};
pub use self::record::COST_LIMIT;
#[cfg(feature = "team")]
pub(crate) use self::record::ClassBits;
pub(crate) use self::record::{
    LevelRecord, RecordBlocks, bitset_count, goal_record, has_plane, needs_visited, plane_count,
    recorded,
};
pub(crate) use self::rotation::{BlockLayout, UNIT_POSITIONS, arrangements};
pub(crate) use self::space::SearchSpace;
pub(crate) use self::sweep::{
    BlockBatch, LevelCount, LevelInput, SourceBlocks, own_and_other, parts, run_level, search,
};
#[cfg(feature = "team")]
pub(crate) use self::sweep::{BorderObserver, SearchState, SetRange, batch_sets};
pub use self::walking::WALKING_STATES_MAX;
pub(crate) use self::walking::{walking_state_count, walking_table};
