//! Packing: from the levels of a search to the bits of a payload.
//!
//! [`pack`] turns levels into excess, block by block. [`rows`] applies it to a whole record, and
//! passes the packed rows on. [`transpose`] puts the entries into the order of the table, a matrix
//! of given [`dimensions`].
//!
//! This folder uses only [`search`](crate::search). It touches no file, and does not depend on
//! whether the levels are in memory, on disk or on several ranks.

mod dimensions;
mod pack;
mod rows;
mod transpose;

pub(crate) use self::dimensions::Dimensions;
pub(crate) use self::pack::{Packer, pack_smallest, preferred, widest};
pub(crate) use self::rows::{RecordSource, Slabs};
