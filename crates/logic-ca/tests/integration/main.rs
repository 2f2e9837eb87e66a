//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod common;
mod example;
mod hard;
#[cfg(not(target_family = "wasm"))]
mod hard_files;
mod learner;
mod soft;
