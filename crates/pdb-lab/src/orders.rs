//! Embedded weights of learned orders.

use pdb_core::Goal;
use pdb_search::{LearnedOrder, OrderNetwork};

/// Rows, columns and weights of each network. The page in the browser has the weights beside it.
#[cfg(not(target_family = "wasm"))]
const EMBEDDED: [(usize, usize, &[u8]); 6] = [
    (4, 4, include_bytes!("../nets/4x4.order")),
    (4, 5, include_bytes!("../nets/4x5.order")),
    (5, 5, include_bytes!("../nets/5x5.order")),
    (5, 6, include_bytes!("../nets/5x6.order")),
    (6, 6, include_bytes!("../nets/6x6.order")),
    (7, 7, include_bytes!("../nets/7x7.order")),
];
#[cfg(target_family = "wasm")]
const EMBEDDED: [(usize, usize, &[u8]); 0] = [];

/// Returns the embedded order for a goal: one of its shape or the transposed one, if the goal has
/// the blank in a corner.
pub fn embedded_order(goal: &Goal) -> Option<LearnedOrder> {
    let sides = [goal.shape(), goal.shape().transposed()].map(|of| (of.rows(), of.cols()));
    let (.., bytes) =
        EMBEDDED.into_iter().find(|&(rows, cols, _)| sides.contains(&(rows, cols)))?;
    let network = OrderNetwork::read(bytes).expect("embedded weights are read by a test");
    LearnedOrder::new(&network, goal)
}
