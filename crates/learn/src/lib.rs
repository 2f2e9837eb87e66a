//! Building blocks of learners: networks, optimizers, weight averages, schedules and replay.
//!
//! - [`Learner`]: what a training run requires of a learning algorithm. [`Advance`]: result of a slice of training.
//! - [`Network`]: the weights of a graph, and its evaluation in batches.
//! - [`Trainer`]: gradient of a loss, gradient clipping, and the optimizer step (AdamW or Muon).
//! - `GpuTrainer`, `GpuEvaluator`: gradient steps and batched evaluation on a GPU (feature `gpu`).
//! - [`WeightAverage`]: exponential moving average of weights (Polyak averaging).
//! - [`PrioritizedReplay`]: prioritized experience replay (Schaul et al. 2016) on a [`SumTree`].
//! - [`SampleBatch`]: row-major arrays with one row for each sample.
//! - [`schedule`]: cosine annealing and linear schedules.
//! - [`NotFinite`]: error of training that diverged. [`LearnerFault`]: classification of a learner's error.
//!
//! Learners are written against these types. Weight packing, working memory and threads are internal, and results do
//! not depend on the number of threads.
//!
//! # Example: linear regression
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
mod byte_source;
mod error;
#[cfg(feature = "gpu")]
mod gpu_evaluator;
#[cfg(feature = "gpu")]
mod gpu_step;
#[cfg(feature = "gpu")]
mod gpu_trainer;
mod inference_network;
mod learner;
mod muon;
mod network;
mod optimizer;
#[cfg(feature = "gpu")]
mod readback;
mod replay;
mod sample_batch;
pub mod schedule;
mod sum_tree;
mod trainer;

pub use average::WeightAverage;
pub use byte_source::{ByteSource, MemorySource};
pub use error::{LearnerFault, NotFinite};
#[cfg(feature = "gpu")]
pub use gpu_evaluator::GpuEvaluator;
#[cfg(feature = "gpu")]
pub use gpu_step::{StepError, StepSettings};
#[cfg(feature = "gpu")]
pub use gpu_trainer::GpuTrainer;
pub use inference_network::InferenceNetwork;
pub use learner::{Advance, AdvanceResult, Learner, TrainingProgress};
pub use network::Network;
pub use optimizer::{FIRST_MOMENT, SECOND_MOMENT};
pub use replay::PrioritizedReplay;
pub use sample_batch::SampleBatch;
pub use sum_tree::SumTree;
pub use trainer::{Loss, Trainer};
