//! Large zeroed arrays of words.

use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use crate::GenError;

/// Zeroed words in anonymous memory: pages that are never written cost nothing, and the system is
/// asked for huge ones, because a search touches blocks all over the place.
#[derive(Debug)]
pub(crate) struct Words(MmapMut);

impl Words {
    /// # Errors
    /// [`GenError::Memory`] when the system has not that much.
    pub(crate) fn zeroed(len: usize) -> Result<Self, GenError> {
        let bytes = len.max(1) * size_of::<u64>();
        let map = MmapMut::map_anon(bytes)
            .map_err(|source: io::Error| GenError::Memory { bytes: bytes as u64, source })?;
        // Advice that the system does not know or heed leaves everything as right as before.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self(map))
    }
}

impl Deref for Words {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        bytemuck::cast_slice(&self.0)
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}
