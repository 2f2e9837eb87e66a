//! Memory prefetch.

/// Prefetches the cache line of element `index` of a slice. The index may be out of range. Does nothing on targets
/// without a prefetch instruction.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = slice.as_ptr().wrapping_add(index).cast();
        // SAFETY: the instruction exists on every x86-64, and has no observable effect even for an invalid address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
