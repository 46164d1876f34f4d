//! macOS and its relatives.
#![allow(unsafe_code, reason = "it calls the system")]

use std::ffi::c_void;

/// Returns the memory of the machine, if the system reports it.
pub fn physical_memory_bytes() -> Option<u64> {
    let (mut bytes, mut len) = (0_u64, size_of::<u64>());
    let place = (&raw mut bytes).cast::<c_void>();
    // SAFETY: the name ends in a zero. The system writes at most `len` bytes to the place, which
    // has that size and of which any value is valid. Nothing is set.
    let status = unsafe {
        libc::sysctlbyname(c"hw.memsize".as_ptr(), place, &raw mut len, std::ptr::null_mut(), 0)
    };
    (status == 0 && len == size_of::<u64>()).then_some(bytes)
}
