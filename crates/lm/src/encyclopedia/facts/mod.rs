//! Tables of the facts that the encyclopedia articles state.

pub mod elements;
pub mod geography;
mod table;
