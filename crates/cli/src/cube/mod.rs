//! Cubes in the terminal: evaluation and `vivarium solve`.

pub mod eval;
mod network;
pub mod solve;
