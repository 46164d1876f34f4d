//! Random numbers for each purpose of a training.

use tilebase::sets::Dice;

/// The purpose of random numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// Boards that are solved for labels.
    Root = 1,
    /// Initial weights.
    Weights = 2,
    /// The order of the boards in an epoch.
    Order = 3,
    /// Mirrors and dropped units of a step.
    Step = 4,
    /// Random walks of the curriculum.
    Walk = 5,
}

impl Purpose {
    /// Creates the generator of an item, so that results do not depend on the order of items.
    pub(crate) fn dice(self, seed: u64, number: u64) -> Dice {
        Dice::of_item(seed, self as u8, number)
    }
}
