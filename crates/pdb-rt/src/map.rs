//! The only unsafe code of the runtime: mapping a file, and asking for a line of it early.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// Maps a file read-only.
///
/// The file must not be cut short while it is mapped: the system would end the process at the next
/// touch of a page that is gone. Tables are only ever replaced by renaming (see `docs/format.md`),
/// which leaves a mapping of the old file valid.
pub(crate) fn map_file(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file"));
    }
    // SAFETY: the mapping is read-only and private to this process. The bytes are only ever read as
    // plain `u8`, for which every value is valid, so a change of the file by somebody else can make
    // an answer wrong but cannot break an invariant of the program. Cutting the file short is
    // excluded by the contract above.
    unsafe { Mmap::map(&file) }
}

/// Asks the processor to bring the line of `bytes[index]` closer; does nothing outside of `bytes`.
#[inline]
pub(crate) fn prefetch(bytes: &[u8], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(byte) = bytes.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on caches, and the address is that of a byte that
        // was just found to be inside the slice. SSE is part of every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, index);
}
