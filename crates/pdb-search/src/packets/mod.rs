//! Search of one hard board in packets, which are listed, distributed and added up.
//!
//! 1. A *frontier* cuts the tree of a bound: the nodes above it are its *trunk*, the subtrees
//!    below are *packets*, each named by the moves that lead to its root. It depends only on the
//!    board, the heuristic, the order of moves, the bound and the number of packets, so it is the
//!    same on every machine.
//! 2. A [`Ledger`] is the work list: the finished bounds and, for the current one, the trunk, the
//!    packets and their results. It is plain data, which can be saved and continued.
//! 3. A [`PacketSearch`] searches packets of the current bound on lanes and threads, as
//!    [`Solver`](crate::Solver) does, and writes their results into the ledger. When all are
//!    finished the next bound begins.
//! 4. A [`Crew`] may [deal](Dealer) a bound's packets to other machines, which search them by
//!    [`PacketSearch::search`] and report their findings.
//! 5. Several searches may take a [`Share`] of one bound each; their ledgers are
//!    [merged](Ledger::merge).
//!
//! An [improver](crate::Improvement) may look for better and better solutions beside the packets.
//! The ledger keeps the best one. A bound without a solution raises the lower bound. When both
//! meet, the known solution is a shortest one, and the bound of its length need not be searched.
//!
//! The packets that came nearest to the goal within the previous bound are searched first.
//!
//! Each node of a bound is counted once. The trunk counts the root (in the first bound), the nodes
//! that were expanded in it, and all their children. A packet counts the nodes that are expanded in
//! it, including its root, and all their children. So a finished bound has the nodes of its tree,
//! with any number of packets, threads and machines. (A [`Solver`](crate::Solver) keeps the nodes
//! above its subtrees from bound to bound, and does not generate them again.) An interrupted packet
//! counts nothing and is searched again.

mod error;
mod frontier;
mod improver_thread;
mod ledger;
mod search;

pub use crate::counts::Counts;
pub use error::LedgerError;
pub use ledger::{Done, Entry, Ledger, Round, Stage, Subject};
pub use search::{Advance, Crew, Deal, Dealer, Deals, Finding, PacketEvent, PacketSearch, Share};
