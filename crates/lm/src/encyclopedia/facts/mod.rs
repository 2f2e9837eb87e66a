//! Tables of facts.

pub mod elements;
pub mod geography;
mod table;
