//! The tests that every engine has to pass: the program that includes them has the modules `common` and `engine`.

pub mod networks;
pub mod operations;
#[cfg(not(target_arch = "wasm32"))]
pub mod random_graphs;
pub mod sequences;
