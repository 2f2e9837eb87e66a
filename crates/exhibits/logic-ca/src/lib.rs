//! Exhibit of the differentiable logic cellular automaton: training run, circuit view and an interactive sandbox board.
//!
//! An *exhibit* is an experiment that front ends can display (by frames) and control (by commands).
//!
//! Main items:
//!
//! - [`FAMILY`]: registry entry; creates and opens experiments as [`LogicExhibit`].
//! - [`TrainedAutomaton`]: automaton of a checkpoint, for rollouts without a run.
//! - [`DESCRIPTIONS`]: static description and evaluations of the experiment.
//! - [`protocol`]: commands ([`LogicCommand`]), views ([`LogicView`]), evaluation results and infos for front ends.
//!
//! The learner is in the crate `vivarium-logic-ca`.
//!
//! # Terms
//!
//! - *Cell*: a vector of bits, the *channels*. In an *automaton step*, every cell evaluates the same *circuit* of logic
//!   gates over its 3×3 neighborhood. A *rollout* is a sequence of automaton steps.
//! - *Soft gate* (training): mixture of the sixteen Boolean functions of two inputs. *Hard gate*: the function with the
//!   largest probability. A *hard circuit* has only hard gates.
//! - *Simplified circuit*: hard circuit without unused, constant and redundant gates.
//! - *Target channels*: the first channels of a cell, which the training loss compares with the *target*: a pattern or
//!   the Game of Life.
//! - *Seed* of a pattern: the middle cell, if all other cells are 0 initially.
//! - *Fire rate*: probability that a cell is updated in a step. Below 1 the updates are asynchronous, and an *update
//!   mask* contains the updated cells.
//! - *Epoch*: one training iteration: soft and hard rollout, and a gradient step.
//! - *Sandbox*: board of the user, on which a simplified circuit runs independently of training.
//!
//! # Frame arrays
//!
//! Training boards have `h` rows and `w` columns, the sandbox has `H` rows and `W` columns. `s` is the number of displayed
//! channels: 1, or 3 as red, green and blue. Bytes are 8-bit unsigned integers, floats are 32-bit.
//!
//! | array | type, shape | content |
//! | --- | --- | --- |
//! | `soft/cells` | bytes; h, w, s | first board of the last epoch at the displayed step; soft values 0 to 1 as 0–255 |
//! | `hard/cells` | bytes; h, w, s | the same board, computed by the hard circuit; 0 or 255 |
//! | `target/cells` | bytes; h, w, s | target of the board; 0 or 255 |
//! | `rollout/step` | floats; 2 | displayed step and number of steps; 0 before the first epoch |
//! | `sandbox/cells` | bytes; H, W, s | sandbox board; 0 or 255 |
//! | `sandbox/step` | floats; 1 | steps of the sandbox since its last reset |
//! | `gates/functions` | floats; 16 | number of gates by their most probable function |
//! | `gates/confidence` | floats; 1 | mean over the gates of the largest function probability |
//!
//! If the view requests the circuit, the sandbox circuit with `n` gates over `9 · channels` inputs:
//!
//! | array | type, shape | content |
//! | --- | --- | --- |
//! | `circuit/version` | floats; 1 | number that identifies the circuit |
//! | `circuit/size` | floats; 2 | number of gates before and after simplification |
//! | `circuit/gates` | floats; n, 4 | function, wire of input a, wire of input b, index of the trained gate or −1 |
//! | `circuit/outputs` | floats; channels | wires of the cell's next channels |
//! | `circuit/signals` | bytes; 9·channels + n | 0 or 1 on every wire for the next step of the requested cell |
//!
//! Wire numbers: first the inputs, 9·channel + position in the 3×3 neighborhood (0 to 8, row by row), then the gates.
//! `circuit/gates` and `circuit/outputs` are sent if the circuit has changed since they were last sent or the previous
//! frame did not request the circuit. `circuit/signals` is sent if the requested cell is on the sandbox board.
//!
//! # Example
//!
//! ```
//! use vivarium_exhibit_logic_ca::DESCRIPTIONS;
//!
//! let info = (DESCRIPTIONS.find("logic-ca").unwrap().info)();
//! assert!(info.presets.iter().any(|preset| preset.name == "checkerboard"));
//! ```

mod brush;
mod checkpoint;
mod circuit_tests;
mod entries;
mod experiment;
mod family;
mod files;
mod initial_state;
mod measures;
mod patterns;
mod picture;
pub mod protocol;
mod readings;
mod replay;
mod sandbox;
mod sandbox_session;
mod simplified_circuit;
mod trained_automaton;

pub use family::{DESCRIPTIONS, FAMILY, NETWORK_EXPORTS};
use protocol::{LogicCommand, LogicView};
pub use trained_automaton::TrainedAutomaton;
use vivarium_lab::Exhibit;

/// Exhibit of a logic automaton: experiment with its view and command types.
pub type LogicExhibit = dyn Exhibit<View = LogicView, Documents = (), Command = LogicCommand>;
