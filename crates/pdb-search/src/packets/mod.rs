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
//! 4. A bound's packets may be [dealt](Dealer) to others too (a [`Crew`]), who search
//!    them by [`PacketSearch::search`] and report what they found.
//! 5. Several searches may take a [`Share`] of one bound each; their ledgers are
//!    [merged](Ledger::merge).
//!
//! The packets of a bound that came nearest to the goal within the bound before are searched first.
//!
//! Each node of a bound is counted once. To the trunk belong the root, where the bound is the first,
//! the nodes that were expanded in it and all their children; to a packet the nodes that are expanded
//! in it, its root among them, and all children of these. So a bound that is done has as many nodes
//! as its tree, however many packets, threads and machines there were. (A [`Solver`](crate::Solver) keeps
//! the nodes above its subtrees from bound to bound, and generates so many fewer.) A
//! packet that was left before its end counts nothing and is searched again.

mod error;
mod frontier;
mod ledger;
mod search;

pub use error::LedgerError;
pub use frontier::{Frontier, Stem};
pub use ledger::{Counts, Done, Entry, Ledger, Round, Stage, Subject};
pub use search::{
    Advance, Crew, Deal, Dealer, Deals, Finding, PacketEvent, PacketSearch, Packets, Share,
};
