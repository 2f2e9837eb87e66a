//! Cubes in the terminal: evaluation and `vivarium solve`.

pub mod eval;
pub mod solve;
