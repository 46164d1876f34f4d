//! Large zeroed arrays of words, on the heap of a system without maps.

use std::io;
use std::ops::{Deref, DerefMut};

use crate::GenError;

/// Zeroed words.
#[derive(Debug)]
pub(crate) struct Words(Vec<u64>);

impl Words {
    /// # Errors
    /// [`GenError::Memory`] when the system has not that much.
    pub(crate) fn zeroed(len: usize) -> Result<Self, GenError> {
        let mut words = Vec::new();
        words.try_reserve_exact(len).map_err(|_| GenError::Memory {
            bytes: (len * size_of::<u64>()) as u64,
            source: io::ErrorKind::OutOfMemory.into(),
        })?;
        words.resize(len, 0);
        Ok(Self(words))
    }
}

impl Deref for Words {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}
