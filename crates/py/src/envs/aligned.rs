//! NumPy arrays whose data begin at a multiple of 64 bytes, which JAX requires of arrays that it takes without a copy.

use bytemuck::Zeroable;
use numpy::ndarray::{ArrayView, Dimension, IntoDimension};
use numpy::{Element, PyArray};
use pyo3::prelude::*;

/// Unit of aligned memory.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
struct CacheLine([u8; 64]);

/// Owner of the data of an array.
#[pyclass(frozen)]
struct ArrayMemory {
    _lines: Vec<CacheLine>,
}

/// Returns an array of zeros of the given shape.
pub(crate) fn aligned_zeros<T, I>(py: Python<'_>, shape: I) -> Bound<'_, PyArray<T, I::Dim>>
where
    T: Element + Zeroable,
    I: IntoDimension,
{
    let shape = shape.into_dimension();
    let bytes = shape.size() * size_of::<T>();
    let mut lines: Vec<CacheLine> = bytemuck::zeroed_vec(bytes.div_ceil(size_of::<CacheLine>()));
    let data = lines.as_mut_ptr().cast::<T>();
    let memory = Bound::new(py, ArrayMemory { _lines: lines }).expect("a Python object can be allocated");
    // SAFETY: `data` points to zeroed, aligned memory of at least the size of `shape`, and zeros are a value of `T`. The
    // memory stays at its place while `memory` lives, which the array owns; only the array accesses it.
    unsafe {
        let view = ArrayView::from_shape_ptr(shape, data);
        PyArray::borrow_from_array(&view, memory.into_any())
    }
}
