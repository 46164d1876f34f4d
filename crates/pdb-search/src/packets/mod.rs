//! One hard board, its search cut into packets that are listed, handed out and added up.
//!
//! 1. A [`Frontier`] cuts the tree of a bound: the nodes above it are its *trunk*, the subtrees below
//!    are *packets*, each named by the moves that lead to its root. It follows from board, heuristic,
//!    order of moves, bound and number of packets alone, so that any machine comes to the same one.
//! 2. A [`Ledger`] is the work list: the bounds that are done, and of the present one the trunk, the
//!    packets and what each of them cost. It is plain data, to be written down and gone on with.
//! 3. A [`PacketSearch`] searches packets of the present bound on lanes and threads, as
//!    [`Solver`](crate::Solver) does, and writes what they cost into the ledger. When all are done
//!    the next bound begins.
//! 4. Several searches may take a [`Share`] of one bound each; their ledgers are
//!    [merged](Ledger::merge).
//!
//! Each node of a bound is counted once. To the trunk belong the root, where the bound is the first,
//! the nodes that were expanded in it and all their children; to a packet the nodes that are expanded
//! in it, its root among them, and all children of these. So a bound that is done has the counts that
//! a [`Solver`](crate::Solver) gives it, however many packets, threads and machines there were. A
//! packet that was left before its end counts nothing and is searched again.

mod error;
mod frontier;
mod ledger;
mod search;

pub use error::LedgerError;
pub use frontier::Frontier;
pub use ledger::{Counts, Entry, Ledger, Round, Stage, Subject};
pub use search::{Advance, PacketEvent, PacketSearch, Share};
