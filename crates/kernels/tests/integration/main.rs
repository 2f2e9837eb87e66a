//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod attention;
mod common;
mod gemm;
mod head;
mod layers;
mod math;
#[path = "../shared/reference.rs"]
mod reference;
mod rng;
