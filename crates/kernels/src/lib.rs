//! Numbers on slices: matrix products, fused layers, elementary functions, Adam, random numbers, checksums. SIMD, no
//! allocation.
//!
//! Every kernel takes the SIMD [`Level`](simd::Level) to run at as its first argument, so that a caller chooses it
//! once ([`simd::level`]) and a test can force each one. Matrices are row-major `f32` slices, or views of
//! them ([`Matrix`]) whose *stride* is the distance between the starts of two rows, in elements. A kernel panics when a slice is too short
//! for the shape it is given: shapes are decided by programs, never by a person's input.
//!
//! The tests compare each kernel with a scalar, readable version of it at every level; [`mod@reference`] has those that a device
//! is compared with, too.

pub mod activation;
pub mod adam;
pub mod aligned;
pub mod attention;
pub mod crc32c;
pub mod embedding;
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
pub mod rng;
pub mod simd;
pub mod softmax;
pub mod statistics;

pub use activation::Activation;
pub use aligned::AlignedVec;
pub use gemm::{PackedColumns, PackedMatrix};
pub use matrix::{Matrix, MatrixMut, Ragged};
pub use simd::Level;
