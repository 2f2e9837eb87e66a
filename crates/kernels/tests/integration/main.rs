//! Integration tests in one program, to compile and link once.

mod attention;
mod common;
mod gemm;
mod head;
mod layers;
mod math;
#[path = "../shared/reference.rs"]
mod reference;
mod rng;
