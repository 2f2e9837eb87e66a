//! Differentiable logic cellular automata: cellular automata whose cells compute a trained circuit of logic gates.
//!
//! Algorithm: Miotti, Niklasson, Randazzo, Mordvintsev, "Differentiable Logic Cellular Automata", 2025,
//! <https://google-research.github.io/self-organising-systems/difflogic-ca/>. Gates: Petersen, Borgelt,
//! Kuehne, Deussen, "Deep Differentiable Logic Gate Networks", 2022, <https://arxiv.org/abs/2210.08277>.
//!
//! # Main types
//!
//! - [`LogicConfig`], [`LogicPreset`]: hyperparameters and the five experiments of the paper.
//! - [`LogicCa`]: CPU learner; `gpu_trainer::LogicGpuTrainer`: GPU learner (feature `gpu`).
//! - [`Report`], [`CircuitEvaluation`], [`RolloutRecording`]: measurements of an epoch, of a hard circuit, and the
//!   states of a board for visualization.
//! - [`Architecture`], [`Wiring`], [`gate`]: cell circuit and gate functions.
//! - [`soft::CellRollout`]: differentiable rollout with backpropagation through time.
//! - [`hard::Circuit`], [`hard::CompiledCircuit`], [`hard::Boards`]: hard circuit and its bit-sliced simulation.
//!
//! # Algorithm
//!
//! Every cell of a board has a state of some channels (bits). In a step each cell evaluates the same circuit over its
//! 3×3 neighborhood (see [`circuit`]). First, *perceive kernels*, small circuits, read the neighborhood of one channel
//! each; then the *update circuit* computes the cell's next state. During training a gate is *soft*, a mixture of the
//! sixteen Boolean functions; for inference it is *hard*, the function with the largest logit. The *soft automaton*
//! evaluates soft gates, and its cells have values in \[0, 1\]; the *hard automaton* evaluates hard gates, and its
//! cells are bits. A *lane* is one cell of one board of the batch.
//!
//! ```text
//! draw the wiring; set all gates to pass-throughs                       # Wiring, circuit::initial_logits
//! for each epoch:
//!     draw initial states, update masks and targets                     # EpochBatch
//!     p = softmax(logits); coefficients of c0 + c1·a + c2·b + c3·a·b    # GateOptimizer::collapse
//!     replace a random share of the gates by their argmax functions     # HardeningMask
//!     soft rollout; round the cells after a random share of the steps   # CellRollout::forward
//!     loss = Σ (last state − target)²
//!     hard rollout from the same states; count the wrong bits           # Boards, CompiledCircuit
//!     if there are wrong bits:
//!         backpropagation through time; AdamW step on the logits        # CellRollout::backward, GateOptimizer::step
//! after `epochs` epochs, or 30 epochs in a row without a wrong bit:
//!     correct remaining errors by local search over single gates        # LocalSearch
//! ```
//!
//! A soft gate is exactly multilinear, so four coefficients replace the sixteen functions in the inner loop. The
//! backward pass accumulates four sums per gate and maps them to the sixteen logit gradients once per epoch
//! ([`gate::logit_gradient`]).
//!
//! # Deviations from the paper
//!
//! - Hardening: a share of gates and steps is discrete in the forward pass, with a straight-through estimator in the
//!   backward pass.
//! - Local search over single gates after gradient descent (Cartesian genetic programming).
//! - Gates are updated only if the hard circuit has wrong bits.
//! - The learning rate decays linearly.
//! - The gates of different kernels pass different neighbors initially.
//!
//! `examples/logic_ca.rs` is this loop without the local search in one file; a test requires that it computes the same
//! logits.
//!
//! # Reading order
//!
//! The algorithm is in eight files:
//!
//! 1. `learner.rs`: state of the learner and the phases of an epoch
//! 2. `epoch_batch.rs`: initial states, update masks, targets, score
//! 3. [`circuit`]: architecture, wiring and initial logits of the cell circuit
//! 4. [`gate`]: the sixteen functions, their coefficients, gradient of the logits
//! 5. [`soft`]: rollout with backpropagation through time
//! 6. `soft/block.rs`: forward and backward pass of one step over a block of cells
//! 7. `optimizer.rs`: softmax, collapse to coefficients, hardening (the first deviation), AdamW
//! 8. `hard/circuit.rs`: the discrete circuit
//!
//! `local_search` is the second deviation. `training.rs` divides an epoch into slices, and [`hard`] simulates the
//! discrete circuit on bit-sliced boards.
//!
//! # Example
//!
//! ```
//! use vivarium_graph::Cpu;
//! use vivarium_logic_ca::{Learner, LogicCa, LogicConfig, LogicPreset};
//!
//! let config = LogicConfig { update: vec![16, 8, 4, 2, 1], ..LogicConfig::of(LogicPreset::Life) };
//! let mut learner = LogicCa::new(config, 1)?;
//! let report = learner.iterate(&Cpu::new(1))?;
//! assert_eq!(report.epoch, 1);
//! let circuit = learner.hard_circuit().simplified();
//! println!("{} gates\n{}", circuit.gates().len(), circuit.to_verilog());
//! # Ok::<(), vivarium_logic_ca::LogicError>(())
//! ```

mod check;
pub mod circuit;
pub mod config;
pub mod drawing;
mod epoch_batch;
mod error;
mod evaluation;
pub mod gate;
#[cfg(feature = "gpu")]
pub mod gpu_trainer;
pub mod grid;
pub mod hard;
pub mod layered_circuit;
mod learner;
mod local_search;
pub mod memory;
mod optimizer;
mod preset;
mod recording;
pub mod soft;
mod state;
pub mod target;
mod target_kind;
mod training;

pub use circuit::{Architecture, ShapeError, Wiring};
pub use config::LogicConfig;
pub use error::LogicError;
pub use evaluation::CircuitEvaluation;
pub use grid::{Border, Grid};
pub use layered_circuit::LayeredCircuit;
pub use learner::{LogicCa, LogicWork, Report};
pub use optimizer::GateStatistics;
pub use preset::LogicPreset;
pub use recording::RolloutRecording;
pub use state::State;
pub use target::TargetPattern;
pub use target_kind::TargetKind;
pub use vivarium_learn::{Advance, Learner};
