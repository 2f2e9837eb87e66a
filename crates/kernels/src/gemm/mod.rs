//! Matrix products (GEMM) in the three forms of training: y = x·W, dx = dy·Wᵀ and dW += xᵀ·dy.
//!
//! Weights are packed once ([`PackedMatrix`]) for many products, and x is read in place. A product is divided into
//! register tiles: a few rows by one or two SIMD vectors of columns, kept in registers over the whole inner dimension.
//! There is no blocking over the inner dimension, because the networks are small. At SIMD levels with short vectors
//! (SSE, NEON, wasm), the rows of a tile of x are interleaved first.
//!
//! Infinite and NaN elements follow IEEE 754 in all forms and at all levels: 0·∞ is NaN. The sparse forms skip zeros
//! only if the other factor is finite. A divergence is therefore detected in a sparse product as in a dense one.

// Tile loops have constant bounds and index several arrays; iterators would be less readable.
#![allow(clippy::needless_range_loop)]

mod columns;
mod copy;
mod gradient;
mod narrow;
mod nonzero;
mod pack;
pub(crate) mod product;
mod sparse;
mod sparse_gradient;
mod sparse_rows;
pub(crate) mod tile;

pub use columns::{PackedColumns, gemm_columns};
pub use gradient::gemm_tn;
pub use pack::PackedMatrix;
pub use product::{gemm, gemm_bias, gemm_sparse};
pub use sparse_gradient::gemm_tn_sparse;
pub use sparse_rows::{SparseRow, SparseRows, gemm_sparse_rows};
