//! Searches that keep boards, and the search for all solutions of a length.
//!
//! [`best_first()`] is A* or one of its weighted and greedy variants, one board or a batch at a
//! time; [`bidirectional()`] searches from both ends; [`breadth_first()`] needs no estimates.
//! [`solutions()`] finds all solutions of a length.

mod best_first;
mod bidirectional;
mod breadth_first;
mod counts;
mod slide_solutions;
mod solutions;
mod store;

pub use best_first::{Ranking, best_first};
pub use bidirectional::bidirectional;
pub use breadth_first::breadth_first;
pub(crate) use slide_solutions::slide_solutions;
pub use solutions::{Enumeration, Further, SolutionQuery, Tell, solutions};
