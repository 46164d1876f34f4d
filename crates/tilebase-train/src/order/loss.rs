//! The loss of a group of boards.

use super::groups::{GOOD, GROUP};

/// Number of pairs in the right order, ties as halves, and of all pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairCount {
    right: f64,
    all: f64,
}

impl PairCount {
    pub(super) fn share(self) -> f64 {
        self.right / self.all.max(1.0)
    }
}

/// Returns the loss of a group and its gradient by the order of each board. Each pair of a good
/// board and one of a larger class costs `(sqrt(d * d + 4) - d) / 2`, where the farther board
/// should come `d` moves later: as a logistic loss does, but without exponentials, which machines
/// round differently.
pub(super) fn loss(
    orders: &[f32; GROUP],
    classes: [u8; GROUP],
    right: &mut PairCount,
) -> (f32, [f32; GROUP]) {
    let mut loss = 0.0;
    let mut gradient = [0.0; GROUP];
    for near in (0..GROUP).filter(|&near| classes[near] <= GOOD) {
        for far in (0..GROUP).filter(|&far| classes[far] > classes[near]) {
            let difference = orders[far] - orders[near];
            let root = (difference * difference + 4.0).sqrt();
            loss += (root - difference) / 2.0;
            let slope = (1.0 - difference / root) / 2.0;
            gradient[near] += slope;
            gradient[far] -= slope;
            right.right += if difference > 0.0 {
                1.0
            } else if difference == 0.0 {
                0.5
            } else {
                0.0
            };
            right.all += 1.0;
        }
    }
    (loss, gradient)
}
