//! Hard circuits: every gate is one function, every value one bit.
//!
//! A [`Circuit`] is what a cell runs: a list of gates over the bits of its neighborhood. It is
//! [extracted](Circuit::of_functions) from what was learned, [simplified](Circuit::simplified) without changing
//! what it computes, [counted](Statistics), [saved as JSON](Circuit::to_json), written as a [Verilog
//! module](Circuit::to_verilog), and [compiled](Code) for whole [`Boards`] of bits, of which it steps 1024
//! cells at a time.

mod boards;
mod circuit;
mod code;
pub mod fire;
mod json;
mod kernel;
pub mod life;
mod schedule;
mod simplify;
mod statistics;
mod verilog;

pub use boards::{Boards, BoardsError, MAX_BYTES};
pub(crate) use circuit::check_counts;
pub use circuit::{Circuit, CircuitError, Gate, MAX_VALUES};
pub use code::Code;
pub use fire::Fire;
pub use statistics::Statistics;
