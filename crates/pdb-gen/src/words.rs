//! Large zeroed arrays of words.

use std::io;
use std::ops::{Deref, DerefMut};

use memmap2::MmapMut;

use crate::GenError;

/// Zeroed words in anonymous memory. Pages that are never written cost nothing, and the system is
/// asked for huge pages, because a search accesses blocks in no order.
#[derive(Debug)]
pub(crate) struct Words(MmapMut);

impl Words {
    /// Allocates `len` zeroed words.
    ///
    /// # Errors
    /// [`GenError::Memory`] when the system does not have enough memory.
    pub(crate) fn zeroed(len: usize) -> Result<Self, GenError> {
        let bytes = len.max(1) * size_of::<u64>();
        let map = MmapMut::map_anon(bytes)
            .map_err(|source: io::Error| GenError::Memory { bytes: bytes as u64, source })?;
        // Advice that the system ignores changes nothing but the speed.
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
