//! Learned orders: their networks, and where the weights come from.

use std::borrow::Cow;
use std::sync::Arc;

use pdb_core::{Goal, Shape};
use pdb_search::{LazyOrder, LearnedOrder, OrderNetwork};

/// Embeds weights; the page in the browser has them beside it.
macro_rules! weights {
    ($file:literal) => {
        if cfg!(target_family = "wasm") { &[] as &[u8] } else { include_bytes!($file) }
    };
}

/// Rows, columns and embedded weights of each network.
const NETWORKS: [(usize, usize, &[u8]); 7] = [
    (4, 4, weights!("../nets/4x4.order")),
    (4, 5, weights!("../nets/4x5.order")),
    (5, 5, weights!("../nets/5x5.order")),
    (5, 6, weights!("../nets/5x6.order")),
    (6, 6, weights!("../nets/6x6.order")),
    (7, 7, weights!("../nets/7x7.order")),
    (8, 8, weights!("../nets/8x8.order")),
];

/// Returns the learned order for a goal: by the network of its shape or the transposed one, if the
/// goal has the blank in a corner. `read` returns the weights of a network by its shape, and `None`
/// for those that are embedded.
pub fn learned_order(
    goal: &Goal,
    read: impl FnOnce(Shape) -> Option<Vec<u8>>,
) -> Option<LearnedOrder> {
    let sides = [goal.shape(), goal.shape().transposed()].map(|of| (of.rows(), of.cols()));
    let (rows, cols, embedded) =
        NETWORKS.into_iter().find(|&(rows, cols, _)| sides.contains(&(rows, cols)))?;
    let weights = read(Shape::new(rows, cols).ok()?).map_or(Cow::Borrowed(embedded), Cow::Owned);
    LearnedOrder::new(&OrderNetwork::read(&weights).ok()?, goal)
}

/// Returns the [`learned_order`] for a goal, which is made when it is needed.
pub(crate) fn lazy_order(
    goal: &Goal,
    read: impl FnOnce(Shape) -> Option<Vec<u8>> + Send + 'static,
) -> Arc<LazyOrder> {
    let goal = *goal;
    Arc::new(LazyOrder::new(Box::new(move || learned_order(&goal, read))))
}
