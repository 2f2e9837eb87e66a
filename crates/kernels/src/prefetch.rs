//! Asking for memory before it is needed.

/// Has the processor fetch the cache line of one of the numbers of a slice, and does not wait for it. A hint: it changes
/// no result, and there may be no such element. Where there is no instruction for it, nothing happens.
#[inline(always)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = slice.as_ptr().wrapping_add(index).cast();
        // SAFETY: the instruction belongs to every x86-64, and reads nothing that a program could see: an address
        // beyond the slice, or of no memory at all, is allowed.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
