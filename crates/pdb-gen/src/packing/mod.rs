//! Packing: from the levels of a search to the bits of a payload.
//!
//! [`pack`] turns levels into excess, block after block; [`transpose`] puts the entries in the
//! order of the table, a matrix of certain [`dimensions`].
//!
//! This folder uses [`search`](crate::search) alone. It touches no file, and does not know whether
//! the levels are in memory or on disk.

mod dimensions;
mod pack;
mod transpose;

pub(crate) use self::dimensions::Dimensions;
pub(crate) use self::pack::{Packer, pack, pack_smallest, preferred, widest};
pub(crate) use self::transpose::copy_bits;
