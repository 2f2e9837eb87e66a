//! Hard circuits: every gate is one Boolean function, every value one bit.
//!
//! A [`Circuit`] is the netlist of one cell over the bits of its 3×3 neighborhood. It can be
//!
//! - [extracted](Circuit::from_functions) from trained gates,
//! - [simplified](Circuit::simplified): constant folding, pass-through folding, common subexpression elimination, dead
//!   gate elimination,
//! - [analyzed](CircuitStatistics), saved as [JSON](Circuit::to_json) and exported as a [Verilog
//!   module](Circuit::to_verilog),
//! - [compiled](CompiledCircuit) for bit-sliced simulation of [`Boards`]: 64 cells per word, 1024 cells per block.

mod boards;
mod circuit;
mod compiled;
mod json;
mod kernel;
pub mod life;
mod schedule;
mod simplify;
mod statistics;
pub mod update_mask;
mod verilog;

pub use boards::{Boards, BoardsError, MAX_BYTES};
pub(crate) use circuit::check_counts;
pub use circuit::{Circuit, CircuitError, Gate, MAX_VALUES};
pub use compiled::CompiledCircuit;
pub use statistics::CircuitStatistics;
pub use update_mask::UpdateMask;
