//! Logic CA: cells that learn a circuit, and a stage on which a person plays with what they have learned.
//!
//! Arrays of a frame, for boards of `h` rows and `w` columns, a stage of `H` rows and `W` columns, and `s` channels shown
//! (1, or 3 as red, green and blue):
//!
//! | array | type, shape | what |
//! | --- | --- | --- |
//! | `soft/cells` | bytes; h, w, s | a board of an epoch, a step that moves with time, 0 to 255 as the soft values 0 to 1 |
//! | `hard/cells` | bytes; h, w, s | the same board as the hard circuit steps it from the same start, 0 or 255 |
//! | `target/cells` | bytes; h, w, s | what it is to become, 0 or 255 |
//! | `rollout/step` | 2 | the step that is shown of both, and how many there are; 0 before the first epoch |
//! | `stage/cells` | bytes; H, W, s | the stage, 0 or 255 |
//! | `stage/step` | 1 | steps of the stage since it was started |
//! | `gates/functions` | 16 | how many gates weigh each function most |
//! | `gates/confidence` | 1 | the mean over the gates of the largest weight |
//!
//! Where the circuit is asked for, that of the stage, with `n` gates over `9 · channels` inputs:
//!
//! | array | type, shape | what |
//! | --- | --- | --- |
//! | `circuit/version` | 1 | another number for another circuit |
//! | `circuit/size` | 2 | gates before and after everything superfluous was left out |
//! | `circuit/gates` | n, 4 | function, first and second input (numbers of wires), number of the gate that learns it or −1 |
//! | `circuit/outputs` | channels | the wires that become the cell's next channels |
//! | `circuit/signals` | bytes; 9·channels + n | 0 or 1 on every wire as the asked-for cell takes its next step |
//!
//! Wires are numbered: first the inputs, 9·channel + place in the neighborhood, then the gates. `circuit/gates` and
//! `circuit/outputs` come where the circuit has changed since the last frame that brought them, or the last frame did not
//! ask for it; `circuit/signals` where a cell is asked for that is on the stage.

mod initial_state;
mod brush;
mod checkpoint;
mod circuit_tests;
#[cfg(feature = "gpu")]
mod device;
mod entries;
mod experiment;
mod family;
mod files;
mod guard;
mod measures;
mod patterns;
mod picture;
pub mod protocol;
mod readings;
mod replay;
mod simplified_circuit;
mod sandbox_session;
mod sandbox;

pub use entries::info;
pub use family::FAMILY;
pub use measures::measures;
use protocol::{LogicCommand, LogicView};
use vivarium_lab::Exhibit;

/// Cells that learn a circuit.
pub type LogicExhibit = dyn Exhibit<View = LogicView, Documents = (), Command = LogicCommand>;
