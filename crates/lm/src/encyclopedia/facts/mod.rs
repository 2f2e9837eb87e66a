//! What is known, as tables.

pub mod elements;
pub mod geography;
mod table;
