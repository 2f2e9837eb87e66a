//! Language models in the terminal: evaluation and `vivarium generate`.

pub mod eval;
pub mod generate;
