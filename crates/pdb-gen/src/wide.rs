//! Loops over many bits, compiled for the processor's vector registers.

/// Runs work that is inlined into code for AVX2 if the processor supports it, and into code for any
/// processor otherwise.
#[inline(always)]
pub(crate) fn with_wide_registers<R>(work: impl FnOnce() -> R) -> R {
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
