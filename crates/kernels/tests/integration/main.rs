//! Integration tests of the crate in one program, which compiles and links only once.

mod attention;
mod common;
mod gemm;
mod head;
mod layers;
mod math;
mod rng;
