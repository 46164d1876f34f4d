//! Instructions that not every processor has, and prefetches.
#![allow(unsafe_code, reason = "it uses instructions that were detected, and prefetches")]

/// Bytes of a cache line.
const CACHE_LINE: usize = 64;

/// Runs work that is inlined into code for AVX2 if the processor supports it, and into code for any
/// processor otherwise.
#[inline(always)]
pub fn with_wide_registers<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        let has_avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        if has_avx2 {
            // SAFETY: all of these features were detected.
            return unsafe { with_avx2(work) };
        }
    }
    work()
}

/// Prefetches the cache line of `bytes[index]`.
#[inline(always)]
pub fn prefetch(bytes: &[u8], index: usize) {
    prefetch_at(bytes.as_ptr().wrapping_add(index));
}

/// Prefetches all cache lines of a value.
#[inline(always)]
pub fn prefetch_all<T>(value: &T) {
    let start = std::ptr::from_ref(value).cast::<u8>();
    for byte in (0..size_of::<T>()).step_by(CACHE_LINE) {
        prefetch_at(start.wrapping_add(byte));
    }
}

/// Prefetches the cache line of an address.
#[inline(always)]
fn prefetch_at(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on caches, whatever the address: it neither reads
        // nor faults. SSE is part of every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above; `prfm` is part of every 64-bit ARM processor. It reads no memory that the
    // compiler knows of, and changes no flag.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{address}]",
            address = in(reg) address,
            options(nostack, readonly, preserves_flags)
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}
