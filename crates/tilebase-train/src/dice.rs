//! Random numbers that are the same on every machine.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// What is drawn with, for one purpose of one seed.
#[derive(Debug)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice for the `number`th of all things of a kind: each has its own, so that nothing depends on the
    /// order in which they are made.
    pub(crate) fn new(seed: u64, kind: Kind, number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8] = kind as u8;
        bytes[16..24].copy_from_slice(&number.to_le_bytes());
        Self(ChaCha8Rng::from_seed(bytes))
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// A number from -1 to 1.
    #[cfg(feature = "candle")]
    pub(crate) fn even(&mut self) -> f32 {
        // 24 bits, as many as the fraction has.
        (self.0.next_u64() >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }

    /// Puts items into an order that is as likely as any other.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (2..=items.len()).rev() {
            items.swap(end - 1, self.below(end));
        }
    }
}

/// What dice are for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Boards to be solved.
    Root = 1,
    /// The weights that training begins with.
    #[cfg(feature = "candle")]
    Weights = 2,
    /// The order of an epoch.
    #[cfg(feature = "candle")]
    Order = 3,
    /// Which boards of a step are mirrored, and which units are dropped.
    #[cfg(feature = "candle")]
    Step = 4,
    /// The walks of the curriculum.
    #[cfg(feature = "candle")]
    Walk = 5,
}
