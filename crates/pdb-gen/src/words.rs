//! Large zeroed arrays of words.

use std::io;
use std::ops::{Deref, DerefMut};

use crate::GenError;

#[cfg(any(unix, windows))]
type Memory = memmap2::MmapMut;
/// A system without maps has memory on the heap.
#[cfg(not(any(unix, windows)))]
type Memory = Vec<u64>;

/// Zeroed words in anonymous memory. Pages that are never written cost nothing, and the system is
/// asked for huge pages, because a search accesses blocks in no order.
#[derive(Debug)]
pub(crate) struct Words(Memory);

impl Words {
    /// Allocates `len` zeroed words.
    ///
    /// # Errors
    /// [`GenError::Memory`] when the system does not have enough memory.
    pub(crate) fn zeroed(len: usize) -> Result<Self, GenError> {
        let bytes = len.max(1) * size_of::<u64>();
        zeroed(bytes).map(Self).map_err(|source| GenError::Memory { bytes: bytes as u64, source })
    }
}

#[cfg(any(unix, windows))]
fn zeroed(bytes: usize) -> io::Result<Memory> {
    let map = Memory::map_anon(bytes)?;
    // Advice that the system ignores changes nothing but the speed.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

#[cfg(not(any(unix, windows)))]
fn zeroed(bytes: usize) -> io::Result<Memory> {
    let len = bytes / size_of::<u64>();
    let mut words = Vec::new();
    words.try_reserve_exact(len).map_err(|_| io::ErrorKind::OutOfMemory)?;
    words.resize(len, 0);
    Ok(words)
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
