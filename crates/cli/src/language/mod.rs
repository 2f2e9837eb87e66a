//! Language models in the terminal: training text and `vivarium generate`.

pub mod eval;
pub mod generate;
pub mod text;
