//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod attention;
mod common;
mod gemm;
mod head;
mod layers;
mod math;
mod rng;
