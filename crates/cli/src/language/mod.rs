//! Language models natively: the files that they learn from, and `vivarium generate`.

pub mod generate;
pub mod text;
