//! SIMD kernels on `f32` slices, without allocation: matrix products, neural-network layers, elementary functions,
//! AdamW, counter-based random numbers, checksums.
//!
//! - [`mod@gemm`]: matrix products with [`PackedMatrix`]; dense, sparse, and weight gradients.
//! - [`mod@attention`], [`layernorm`], [`rmsnorm`], [`mod@softmax`], [`mod@embedding`], [`head`], [`activation`]:
//!   layers with their gradients. [`epilogue`]: operations on the result of a layer.
//! - [`adam`], [`norm`]: optimizer step and gradient clipping.
//! - [`math`], [`reduce`], [`statistics`]: elementary functions, sums, quantiles.
//! - [`rng`]: Threefry random numbers and pseudorandom permutations.
//! - [`simd`]: instruction-set levels. [`AlignedVec`], [`Matrix`]: buffers and matrix views.
//!
//! The first argument of a kernel is the SIMD [`Level`]; [`simd::level`] is the best level of this machine.
//! Matrices are row-major; the *stride* of a [`Matrix`] is the distance between row starts, in elements. Kernels panic
//! if a slice is too short for its shape. Tests compare each kernel at every level with a scalar implementation (see
//! [`mod@reference`]).
//!
//! # Example: a linear layer with ReLU
//!
//! ```
//! use vivarium_kernels::activation::{self, Activation};
//! use vivarium_kernels::{Matrix, MatrixMut, PackedMatrix, gemm::gemm_bias, simd};
//!
//! let level = simd::level();
//! // W is [2, 3], row-major.
//! let w = PackedMatrix::pack(level, &[1.0, 0.0, 2.0, 0.0, 1.0, -3.0], 2, 3);
//! let x = [1.0, 2.0];
//! let mut y = [0.0; 3];
//! gemm_bias(level, 1, Matrix::new(&x, 2), &w, &[0.5; 3], MatrixMut::new(&mut y, 3));
//! activation::forward(level, Activation::Relu, &mut y);
//! assert_eq!(y, [1.5, 2.5, 0.0]);
//! ```

pub mod activation;
pub mod adam;
pub mod aligned;
pub mod attention;
pub mod crc32c;
pub mod embedding;
pub mod epilogue;
pub mod gemm;
pub mod head;
pub mod layernorm;
pub mod math;
pub mod matrix;
pub mod norm;
pub mod peak;
pub mod prefetch;
pub mod reduce;
pub mod reference;
pub mod rmsnorm;
pub mod rng;
pub mod simd;
pub mod softmax;
pub mod statistics;

pub use activation::Activation;
pub use aligned::AlignedVec;
pub use gemm::{PackedColumns, PackedMatrix};
pub use matrix::{Matrix, MatrixMut, Ragged};
pub use simd::Level;
