//! What every learner is made of.
//!
//! - [`Network`]: the weights of a graph and the outputs that are computed from them.
//! - [`Trainer`]: gradients of a loss over a batch, clipping, and the optimizer's step.
//! - `GpuTrainer`: gradient steps on a GPU; `GpuEvaluator`: outputs of its networks there.
//! - [`WeightAverage`]: an exponential moving average of a network's weights.
//! - [`SampleBatch`]: arrays with a row for each sample, filled on all threads.
//! - [`PrioritizedReplay`]: the newest samples, drawn in proportion to their priorities.
//! - [`schedule`]: hyperparameters that change during training.
//! - [`NotFinite`]: the error of training that diverged; [`LearnerFault`]: what any error of a learner means.
//!
//! A learner evaluates batches, takes gradient steps, and reads and writes weights; how these are computed is up to this
//! crate. Results do not depend on the number of threads.
//!
//! # A line fitted to points
//!
//! ```
//! use vivarium_graph::{Cpu, Graph, Plan, Workspaces};
//! use vivarium_kernels::adam::AdamStep;
//! use vivarium_learn::{Loss, Network, Trainer};
//!
//! let mut graph = Graph::new();
//! let [x, target] = ["x", "target"].map(|name| graph.input(name, &[1]));
//! let y = graph.linear("line", x, 1);
//! let error = graph.sub(y, target);
//! let loss = graph.square(error);
//!
//! let cpu = Cpu::new(2);
//! let mut network = Network::new(&graph, vec![Plan::for_cache(&graph, &[y])?], 1)?;
//! let plan = Plan::compile(&graph.gradient(loss), &[loss], 64)?;
//! let mut trainer = Trainer::new(&network, vec![Loss { plan, names: &["the loss"] }]);
//! let inputs: [&[f32]; 2] = [&[-1.0, 0.0, 1.0], &[-1.0, 1.0, 3.0]];
//! for step in 1..=500 {
//!     trainer.differentiate(&cpu, &network, 0, 3, &inputs);
//!     let settings = AdamStep { learning_rate: 0.02, step, ..AdamStep::default() };
//!     trainer.step(&cpu, &mut network, &settings, 1.0)?;
//! }
//! let mut found = [0.0];
//! network.evaluate(&cpu, &mut Workspaces::default(), 0, 1, &[&[2.0]], &mut [&mut found]);
//! assert!((found[0] - 5.0).abs() < 0.05, "{found:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod average;
mod sample_batch;
#[cfg(feature = "gpu")]
mod readback;
mod error;
#[cfg(feature = "gpu")]
mod gpu_evaluator;
#[cfg(feature = "gpu")]
mod gpu_step;
#[cfg(feature = "gpu")]
mod gpu_trainer;
mod muon;
mod network;
mod optimizer;
mod replay;
pub mod schedule;
mod slice;
mod byte_source;
mod sum_tree;
mod trainer;

pub use average::WeightAverage;
pub use sample_batch::SampleBatch;
pub use error::{LearnerFault, NotFinite};
#[cfg(feature = "gpu")]
pub use gpu_evaluator::GpuEvaluator;
#[cfg(feature = "gpu")]
pub use gpu_step::{StepError, StepSettings};
#[cfg(feature = "gpu")]
pub use gpu_trainer::GpuTrainer;
pub use network::Network;
pub use optimizer::{FIRST_MOMENT, SECOND_MOMENT};
pub use replay::PrioritizedReplay;
pub use slice::SliceOutcome;
pub use byte_source::{MemorySource, ByteSource};
pub use sum_tree::SumTree;
pub use trainer::{Loss, Trainer};
