//! Computation graphs: shape inference, reverse-mode autodiff, operator fusion, memory planning, and a CPU engine.
//!
//! - [`Graph`]: inputs, parameters and operations. [`Graph::gradient`] returns the graph of a loss's gradient.
//! - [`Parameters`] and [`Gradients`]: one flat buffer each, so that an optimizer is a loop over two slices.
//! - [`Plan`]: a graph compiled for a set of outputs; plain data that any engine executes.
//! - [`Cpu`]: multi-threaded CPU engine. [`Plan::run`] and [`Plan::gradients`] run on the calling thread alone.
//! - [`onnx`]: export. [`mod@reference`]: slow f64 evaluation, which tests compare engines with. `bench_networks` and
//!   [`testing`]: networks and losses of benchmarks and tests.
//!
//! Shapes are *per row*; the batch dimension is implicit ([`Shape`]). The weight of a linear layer is \[in, out\],
//! row-major: y = x·W + b. Indices are whole numbers stored as f32.
//!
//! # From definition to execution
//!
//! 1. **Graph.** Builder methods of [`Graph`] define a network and its loss. Parameters have names such as
//!    `policy.0.weight`. Autodiff appends the gradient, which is a graph of the same operations.
//! 2. **Plan.** [`Plan::compile`] selects the operations that the outputs need and fuses them: a linear layer with the
//!    following norm, residual and activation becomes one [`PlanStep`] with an [`Epilogue`].
//! 3. **Execution.** The CPU engine is parallel over rows. A thread executes the whole forward and backward pass for
//!    one chunk of rows, which fits its L2 cache. It adds the gradients to the buffer of its row group. Chunks and the
//!    order of reduction are fixed, so results do not depend on the number of threads. Runs do not allocate. The GPU
//!    engine is in `vivarium-gpu`.
//!
//! Parameters and optimizer state are separate from the graph, so that several plans share one set of weights.
//!
//! # Example: actor-critic with the PPO loss
//!
//! ```
//! use vivarium_graph::{
//!     BatchInputs, Cpu, Gradients, Graph, Initializer, PackedParameters, Parameters, Plan, PlanWeights, Workspaces,
//! };
//! use vivarium_kernels::adam::{self, AdamStep};
//!
//! # fn main() -> Result<(), vivarium_graph::GraphError> {
//! let mut g = Graph::new();
//!
//! // The network: 4 → 64 → 64 → two logits and a value.
//! let gain = |gain| Initializer::Orthogonal { gain };
//! let observation = g.input("observation", &[4]);
//! let mut h = observation;
//! for layer in 0..2 {
//!     h = g.linear_with(&format!("torso.{layer}"), h, 64, gain(2f32.sqrt()));
//!     h = g.tanh(h);
//! }
//! let logits = g.linear_with("policy", h, 2, gain(0.01));
//! let value = g.linear_with("value", h, 1, gain(1.0));
//!
//! // Per-row loss: clipped surrogate, clipped value loss, entropy bonus (Schulman et al. 2017).
//! let action = g.input("action", &[1]);
//! let old_log_probability = g.input("old_log_probability", &[1]);
//! let advantage = g.input("advantage", &[1]);
//! let old_value = g.input("old_value", &[1]);
//! let target = g.input("return", &[1]);
//! let entropy_coefficient = g.setting("entropy_coefficient");
//! let clip = 0.2;
//!
//! let log_probabilities = g.log_softmax(logits);
//! let log_probability = g.gather(log_probabilities, action);
//! let log_ratio = g.sub(log_probability, old_log_probability);
//! let ratio = g.exp(log_ratio);
//! let clipped_ratio = g.clamp(ratio, 1.0 - clip, 1.0 + clip);
//! let plain = g.mul(ratio, advantage);
//! let clipped = g.mul(clipped_ratio, advantage);
//! let surrogate = g.min(plain, clipped);
//! let policy_loss = g.neg(surrogate);
//!
//! let change = g.sub(value, old_value);
//! let change = g.clamp(change, -clip, clip);
//! let clipped_value = g.add(old_value, change);
//! let errors = [value, clipped_value].map(|value| {
//!     let error = g.sub(value, target);
//!     g.square(error)
//! });
//! let value_loss = g.max(errors[0], errors[1]);
//! let value_loss = g.scale(value_loss, 0.5);
//!
//! let probabilities = g.exp(log_probabilities);
//! let terms = g.mul(probabilities, log_probabilities);
//! let negative_entropy = g.sum(terms);
//!
//! let bonus = g.mul(negative_entropy, entropy_coefficient);
//! let value_term = g.scale(value_loss, 0.5);
//! let loss = g.add(policy_loss, value_term);
//! let loss = g.add(loss, bonus);
//!
//! // Two plans share the parameters: one evaluates the network, the other computes the loss and its gradient.
//! let act = Plan::compile(&g, &[log_probabilities, value], 256)?;
//! let learn = Plan::compile(&g.gradient(loss), &[loss, log_ratio], 256)?;
//!
//! let cpu = Cpu::new(1);
//! let mut parameters = Parameters::new(&g, 42)?;
//! let mut packed = PackedParameters::new(cpu.level(), &parameters);
//! let mut workspaces = Workspaces::default();
//!
//! // Acting. Inputs are in declaration order; an input that the plan does not read may be empty.
//! let rows = 8;
//! let observations = vec![0.1; rows * 4];
//! let (mut log_p, mut v) = (vec![0.0; rows * 2], vec![0.0; rows]);
//! let none: &[f32] = &[];
//! let inputs = [&observations[..], none, none, none, none, none, none];
//! let (weights, batch) = (PlanWeights::new(&parameters, &packed), BatchInputs::new(rows, &inputs));
//! cpu.run(&act, weights, &mut workspaces, batch, &mut [&mut log_p, &mut v]);
//!
//! // One update: gradients of the mean loss over the rows, then Adam over the flat buffers.
//! let mut gradients = Gradients::zeros(&parameters);
//! let (actions, old) = (vec![1.0; rows], log_p.chunks(2).map(|line| line[1]).collect::<Vec<f32>>());
//! let (advantages, returns) = (vec![1.0; rows], vec![0.5; rows]);
//! let inputs = [&observations[..], &actions, &old, &advantages, &v, &returns, &[0.01]];
//! let (mut losses, mut log_ratios) = (vec![0.0; rows], vec![0.0; rows]);
//! let outputs = &mut [&mut losses[..], &mut log_ratios[..]];
//! let batch = BatchInputs::new(rows, &inputs);
//! cpu.gradients(&learn, weights, &mut workspaces, batch, outputs, &mut gradients);
//! let mut moments = [0, 1].map(|_| vec![0.0; parameters.flat().len()]);
//! let [first, second] = &mut moments;
//! let settings = AdamStep { learning_rate: 3e-4, ..AdamStep::default() };
//! adam::step(cpu.level(), parameters.flat_mut(), gradients.flat(), first, second, &settings);
//! packed.refresh(&parameters);
//!
//! assert!(losses.iter().all(|loss| loss.is_finite()));
//! assert!(log_ratios.iter().all(|change| change.abs() < 1e-6), "the policy has not changed yet");
//! assert!(gradients.get("torso.0.weight").is_some_and(|gradient| gradient.iter().any(|&g| g != 0.0)));
//! # Ok(())
//! # }
//! ```

mod arena;
mod autodiff;
#[cfg(feature = "sequences")]
pub mod bench_networks;
mod call;
mod checkpoint;
mod compile;
mod cpu;
mod divide;
mod elementwise;
mod error;
mod execute;
mod flat;
mod fuse;
mod graph;
mod groups;
mod ids;
mod init;
mod inputs;
mod layout;
mod losses;
pub mod onnx;
pub mod op;
mod ops;
mod packed;
mod parallel;
mod parameters;
mod plan;
pub mod reference;
mod reference_call;
#[cfg(feature = "sequences")]
mod sequence_ops;
mod shape;
mod spec;
mod step;
mod tape;
mod tensor;
pub mod testing;
mod widths;
#[cfg(not(feature = "sequences"))]
mod without_sequence_ops;
mod workspaces;

pub use arena::ArenaAllocator;
pub use checkpoint::{SavedTensor, SavedTensors, TensorError, tensors_of};
pub use cpu::Cpu;
pub use divide::{Chunks, Divisible};
pub use elementwise::DerivativeInput;
pub use error::GraphError;
pub use execute::Workspace;
pub use graph::{Graph, GraphNode, InputSpec};
pub use ids::{InputId, ParameterId, Value};
pub use init::Initializer;
pub use inputs::{BatchInputs, PlanWeights};
pub use op::{Binary, Op, Unary};
pub use packed::PackedParameters;
pub use parameters::{Gradients, Parameters};
pub use plan::Plan;
pub use shape::Shape;
pub use spec::{ParameterRole, ParameterSpec};
pub use step::{Activation, Epilogue, PlanStep};
pub use tensor::{Tensor, TensorData};
pub use vivarium_kernels::epilogue::EpilogueActivation;
pub use workspaces::Workspaces;
