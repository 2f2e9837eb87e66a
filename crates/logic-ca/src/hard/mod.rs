//! Hard circuits: every gate is one function, every value one bit.
//!
//! A [`Circuit`] is what a cell runs: a list of gates over the bits of its neighbourhood. It is
//! [extracted](Circuit::extract) from what was learnt, [simplified](Circuit::simplified) without changing
//! what it computes, [counted](Statistics), [saved as JSON](Circuit::to_json), written as a [Verilog
//! module](Circuit::to_verilog), and [compiled](Code) for whole [`Boards`] of bits, of which it steps 1024
//! cells at a time.
//!
//! A [`Rollout`] evaluates gates that change from one time to the next, as those of a learner do: it needs no
//! compilation.

mod boards;
mod circuit;
mod code;
pub mod fire;
mod json;
mod kernel;
pub mod life;
mod rollout;
mod schedule;
mod simplify;
mod statistics;
mod verilog;

pub use boards::{Boards, BoardsError, MAX_BYTES};
pub use circuit::{Circuit, CircuitError, Gate, MAX_VALUES};
pub use code::Code;
pub use fire::Fire;
pub use rollout::{HardCircuit, Rollout};
pub use statistics::Statistics;
