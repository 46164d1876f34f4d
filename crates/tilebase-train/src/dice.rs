//! Random numbers that are the same on every machine.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// A generator of random numbers for one purpose of one seed.
#[derive(Debug)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// Creates the generator of the item `number` of a kind. Each item has its own, so that results
    /// do not depend on the order in which items are made.
    pub(crate) fn new(seed: u64, kind: Kind, number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8] = kind as u8;
        bytes[16..24].copy_from_slice(&number.to_le_bytes());
        Self(ChaCha8Rng::from_seed(bytes))
    }

    /// Returns a number below `end`, which must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// Returns a number from -1 to 1.
    #[cfg(feature = "candle")]
    pub(crate) fn even(&mut self) -> f32 {
        // 24 bits, the precision of the fraction.
        (self.0.next_u64() >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }

    /// Puts items into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end));
        }
    }
}

/// The purpose of random numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Boards that are solved for labels.
    Root = 1,
    /// Initial weights.
    #[cfg(feature = "candle")]
    Weights = 2,
    /// The order of an epoch.
    #[cfg(feature = "candle")]
    Order = 3,
    /// Mirrors and dropped units of a step.
    #[cfg(feature = "candle")]
    Step = 4,
    /// The walks of the curriculum.
    #[cfg(feature = "candle")]
    Walk = 5,
}
