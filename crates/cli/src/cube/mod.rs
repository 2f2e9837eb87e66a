//! Cubes in the terminal: `vivarium solve`.

mod network;
pub mod solve;
