//! Numbers for tests that try some of many cases.

/// Numbers that look random and are always the same (G. Marsaglia, "Xorshift RNGs", 2003).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Random {
    /// Other numbers for each number below 2^63.
    pub fn new(seed: u64) -> Self {
        // An odd number times an odd number is never 0, which would stay 0.
        let Self(first) = Self::default();
        Self(first.wrapping_mul(2 * seed + 1))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.number()) * end as u128) >> 64) as usize
    }
}
