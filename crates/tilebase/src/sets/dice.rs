//! Random numbers that are the same on every machine.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// Random numbers of a seed.
#[derive(Debug)]
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `end`, which is not 0, each as likely as far as 64 bits go.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// A number from 0 up to 1, 1 itself left out.
    pub(crate) fn unit(&mut self) -> f64 {
        // As many bits as the number has.
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}
