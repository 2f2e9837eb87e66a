//! Matrix products in the three forms that training needs: y = x·W, dx = dy·Wᵀ and dW += xᵀ·dy.
//!
//! Weights are packed once ([`PackedMatrix`]) and used many times, x is read where it lies, and every product is made of
//! register tiles: a few rows by one or two vectors of columns, kept in registers over the whole inner dimension. The
//! shapes of training networks are small enough that this needs no blocking over the inner dimension. Where vectors are
//! short, x is copied a tile's rows at a time.

// A tile's loops run over constant bounds and index several arrays at once; as iterators they would say less.
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
pub use product::{gemm, gemm_bias};
pub use sparse::gemm_sparse;
pub use sparse_gradient::gemm_tn_sparse;
pub use sparse_rows::{SparseRow, SparseRows, gemm_sparse_rows};
