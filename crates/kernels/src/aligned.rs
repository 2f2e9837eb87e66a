//! Buffers that are aligned to cache lines.

use std::ops::{Deref, DerefMut};

/// Alignment in bytes: the size of a cache line and of the widest SIMD vector.
const ALIGNMENT: usize = 64;

/// Fixed-length buffer aligned to 64 bytes, so that no SIMD vector straddles two cache lines.
///
/// Dereferences to a slice. The memory is a `Vec` with a few extra elements; the slice begins at the first aligned
/// element.
pub struct AlignedVec<T: Copy + Default = f32> {
    storage: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Copy + Default> AlignedVec<T> {
    /// Creates a buffer of `len` copies of `T::default()`.
    pub fn zeros(len: usize) -> Self {
        let spare = if len == 0 { 0 } else { ALIGNMENT / size_of::<T>().max(1) };
        let storage = vec![T::default(); len + spare];
        let offset = storage.as_ptr().align_offset(ALIGNMENT);
        // If the element size does not divide a cache line, the buffer is not aligned.
        let start = if offset <= spare { offset } else { 0 };
        Self { storage, start, len }
    }

    /// Creates a buffer with a copy of `values`.
    pub fn from_slice(values: &[T]) -> Self {
        let mut copy = Self::zeros(values.len());
        copy.copy_from_slice(values);
        copy
    }

    /// Changes the length of the buffer. Existing elements up to the new length are kept; new elements are
    /// `T::default()`.
    pub fn resize(&mut self, len: usize) {
        let mut resized = Self::zeros(len);
        let kept = len.min(self.len);
        resized[..kept].copy_from_slice(&self[..kept]);
        *self = resized;
    }
}

impl<T: Copy + Default> Deref for AlignedVec<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.storage[self.start..self.start + self.len]
    }
}

impl<T: Copy + Default> DerefMut for AlignedVec<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..self.start + self.len]
    }
}

impl<T: Copy + Default> Clone for AlignedVec<T> {
    fn clone(&self) -> Self {
        Self::from_slice(self)
    }
}

impl<T: Copy + Default> Default for AlignedVec<T> {
    fn default() -> Self {
        Self::zeros(0)
    }
}

impl<T: Copy + Default + std::fmt::Debug> std::fmt::Debug for AlignedVec<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.deref().fmt(f)
    }
}

impl<T: Copy + Default> From<Vec<T>> for AlignedVec<T> {
    fn from(values: Vec<T>) -> Self {
        Self::from_slice(&values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_aligned_to_cache_lines() {
        for len in [0, 1, 15, 16, 17, 1000] {
            let buffer = AlignedVec::<f32>::zeros(len);
            assert_eq!(buffer.len(), len);
            if len > 0 {
                assert_eq!(buffer.as_ptr() as usize % ALIGNMENT, 0);
                assert_eq!(buffer.clone().as_ptr() as usize % ALIGNMENT, 0);
            }
        }
        assert_eq!(AlignedVec::<u8>::zeros(3).as_ptr() as usize % ALIGNMENT, 0);
        assert_eq!(AlignedVec::<[f32; 3]>::zeros(3).len(), 3);
    }

    #[test]
    fn resize_keeps_remaining_elements() {
        let mut buffer = AlignedVec::from(vec![1.0f32, 2.0, 3.0]);
        buffer.resize(5);
        assert_eq!(&buffer[..], &[1.0, 2.0, 3.0, 0.0, 0.0]);
        buffer.resize(2);
        assert_eq!(&buffer[..], &[1.0, 2.0]);
    }
}
