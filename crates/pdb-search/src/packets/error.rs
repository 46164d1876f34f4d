//! Errors of ledgers that do not belong together.

use thiserror::Error;

/// The reason why two ledgers, or a ledger and a search, do not belong together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LedgerError {
    /// The ledgers are about different searches.
    #[error("the {what} is {found}, expected {expected}")]
    Subject {
        /// The part that differs: `board`, `goal`, `heuristic` and so on.
        what: &'static str,
        /// Its value in the search or in the first ledger.
        expected: String,
        /// Its value in the other ledger.
        found: String,
    },
    /// The finished bounds are not consecutive from the heuristic's first bound.
    #[error(
        "bound {found} is where bound {expected} should be: the list of bounds was changed, or the \
         heuristic gives the board another estimate than it did"
    )]
    Bound {
        /// The expected bound.
        expected: u32,
        /// The bound in its place.
        found: u32,
    },
    /// The ledgers have different current bounds.
    #[error(
        "the present bound is {found}, expected {expected}: only shards of one bound can be merged; \
         leave out the ones that lag behind"
    )]
    OtherBound {
        /// The first ledger's bound.
        expected: u32,
        /// The other ledger's bound.
        found: u32,
    },
    /// The packets of the current bound are not those of the search, or of the other ledger.
    #[error(
        "the packets of bound {bound} are not the expected ones: {found} where {expected} should be; \
         they come from another search or were changed"
    )]
    OtherPackets {
        /// The bound.
        bound: u32,
        /// Short description of the expected packets.
        expected: String,
        /// The packets that were found.
        found: String,
    },
    /// Two ledgers have different results of one packet or finished bound.
    #[error(
        "{what} cost {found}, expected {expected}: one of the searches is wrong, or a table is \
         damaged; verify the tables and search again"
    )]
    OtherResult {
        /// The bound, or the packet and the moves that lead to it.
        what: String,
        /// The result in the first ledger.
        expected: String,
        /// The result in the other ledger.
        found: String,
    },
    /// The solution does not lead to the goal, or has a wrong number of moves.
    #[error(
        "the solution of {length} moves does not lead from the board to the goal within the bound"
    )]
    Solution {
        /// Number of moves of the solution.
        length: usize,
    },
}
