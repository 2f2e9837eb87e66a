//! The learner: gradient steps on scrambles that are made as they are needed.

use super::config::Cube3Config;
use super::network::{Definition, Network};
use super::scrambles::Scrambles;
use crate::error::LearnerError;
use vivarium_config::Config;
use vivarium_graph::{Cpu, Plan};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng;
use vivarium_learn::{Loss, Trainer, WeightAverage};

/// Purposes of random numbers: each draws from a seed of its own.
pub(super) mod purpose {
    pub const WEIGHTS: u32 = 50;
    pub const SCRAMBLES: u32 = 51;
}

/// Rows that one pass forward and backward takes, small enough for its values to stay in a core's cache.
const GRADIENT_ROWS: usize = 64;

vivarium_config::numbers! {
    /// Totals.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Counters: u64 {
        /// Samples learned from.
        samples,
        /// Optimizer steps.
        updates,
        /// Iterations finished.
        iterations,
    }
}

/// Measurements of one iteration, each from before the optimizer step that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Totals, this iteration included.
    pub counters: Counters,
    /// Cross-entropy of the move that undoes the last turn, in nats.
    pub loss: f64,
    /// Share of samples of which that move was found the likeliest.
    pub accuracy: f64,
    /// The same by how many moves the scramble had so far, from one on.
    pub accuracy_by_depth: Vec<f64>,
    /// Mean length of the gradient, before it was shortened.
    pub gradient_norm: f64,
    /// Adam's step size in the last step.
    pub learning_rate: f64,
}

/// Sums over the iteration under way.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    loss: f64,
    gradient_norm: f64,
    /// Samples that were right, by moves of the scramble.
    right: Vec<f64>,
    pub(super) updates: u64,
}

/// Learns what undoes the last turn of a scramble.
///
/// A run depends on config and seed alone, not on the number of threads. (Between SIMD levels it differs by rounding.)
pub struct Cube3Learner {
    pub(super) config: Cube3Config,
    pub(super) seed: u64,
    pub(super) network: vivarium_learn::Network,
    /// Its loss measures the loss of a row, and whether the guess was right.
    pub(super) trainer: Trainer,
    /// What solves: the average of the weights over the newest steps.
    pub(super) average: WeightAverage,
    scrambles: Scrambles,
    pub(super) counters: Counters,
    pub(super) sums: Sums,
}

impl Cube3Learner {
    /// A learner that knows nothing yet.
    ///
    /// # Errors
    /// [`LearnerError`] naming the field of the config that is not acceptable.
    pub fn new(config: Cube3Config, seed: u64) -> Result<Self, LearnerError> {
        config.check()?;
        let definition = Definition::new(&config);
        let Definition { graph, loss, right, .. } = &definition;
        let seed_of_weights = rng::derive(seed, purpose::WEIGHTS);
        let network = vivarium_learn::Network::new(graph, definition.plans()?, seed_of_weights)?;
        let plan = Plan::compile(&graph.gradient(*loss), &[*loss, *right], GRADIENT_ROWS)?;
        Ok(Self {
            trainer: Trainer::new(&network, vec![Loss { plan, names: &["the loss"] }]),
            average: WeightAverage::new(&network),
            scrambles: Scrambles::new(&config),
            counters: Counters::default(),
            sums: Sums::new(&config),
            network,
            config,
            seed,
        })
    }

    /// The config in use.
    pub fn config(&self) -> &Cube3Config {
        &self.config
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Totals so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How many numbers the network learns.
    pub fn parameter_count(&self) -> usize {
        self.network.parameter_count()
    }

    /// Takes over another config that differs in live fields alone, from the next step on.
    ///
    /// # Errors
    /// [`LearnerError::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: Cube3Config) -> Result<(), LearnerError> {
        config.check()?;
        Ok(self.config.change(config)?)
    }

    /// A network to solve with: the weights averaged over the newest steps.
    ///
    /// # Errors
    /// None as it is: [`LearnerError::Network`] for the builder's sake.
    pub fn solver(&self) -> Result<Network, LearnerError> {
        let mut network = Network::new(&Definition::new(&self.config), 0)?;
        self.update_solver(&mut network);
        Ok(network)
    }

    /// Brings a network of [`solver`](Self::solver) up to date, without allocating.
    ///
    /// # Panics
    /// If it is one of another size.
    pub fn update_solver(&self, network: &mut Network) {
        network.network.write(self.average.weights());
    }

    /// Does one slice of work, a gradient step; where it finished an iteration, returns what that one measured.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] where training diverged.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Option<Report>, LearnerError> {
        let seed = rng::derive(self.seed, purpose::SCRAMBLES);
        self.scrambles.draw(cpu, seed, self.counters.updates);
        let Self { network, trainer, scrambles, .. } = self;
        trainer.differentiate(cpu, network, 0, scrambles.count(), &scrambles.inputs());
        self.step(cpu)?;
        let over = self.sums.updates >= u64::from(self.config.iteration);
        Ok(over.then(|| self.end_iteration()))
    }

    /// Advances until an iteration is finished.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn iterate(&mut self, cpu: &Cpu) -> Result<Report, LearnerError> {
        loop {
            if let Some(report) = self.advance(cpu)? {
                return Ok(report);
            }
        }
    }

    fn step(&mut self, cpu: &Cpu) -> Result<(), LearnerError> {
        let Self { config, network, trainer, average, counters, sums, .. } = self;
        let settings = Self::adam(config, counters.updates);
        let norm = trainer.step(cpu, network, &settings, config.max_gradient_norm)?;
        average.update(cpu, network, config.averaging, counters.updates);
        sums.add(counters, trainer.sum(0), trainer.measured(1), norm);
        Ok(())
    }

    /// The optimizer's settings in the gradient step after so many.
    pub(super) fn adam(config: &Cube3Config, updates: u64) -> AdamStep {
        AdamStep {
            learning_rate: config.learning_rate_at(updates * config.batch() as u64),
            weight_decay: config.weight_decay,
            step: updates + 1,
            ..AdamStep::default()
        }
    }

    pub(super) fn end_iteration(&mut self) -> Report {
        self.counters.iterations += 1;
        let sums = std::mem::replace(&mut self.sums, Sums::new(&self.config));
        let updates = sums.updates as f64;
        let of_depth = updates * f64::from(self.config.scrambles);
        Report {
            counters: self.counters,
            loss: sums.loss / updates,
            accuracy: sums.right.iter().sum::<f64>() / (of_depth * sums.right.len() as f64),
            accuracy_by_depth: sums.right.iter().map(|right| right / of_depth).collect(),
            gradient_norm: sums.gradient_norm / updates,
            learning_rate: f64::from(self.config.learning_rate_at(self.counters.samples)),
        }
    }
}

impl Sums {
    fn new(config: &Cube3Config) -> Self {
        Self { loss: 0.0, gradient_norm: 0.0, right: vec![0.0; config.depth as usize], updates: 0 }
    }

    /// Counts a gradient step: the sum of the losses of its samples, whether each was right, and the gradient's norm.
    pub(super) fn add(&mut self, counters: &mut Counters, loss: f64, right: &[f32], gradient_norm: f64) {
        counters.updates += 1;
        counters.samples += right.len() as u64;
        self.loss += loss / right.len() as f64;
        self.gradient_norm += gradient_norm;
        for scramble in right.chunks_exact(self.right.len()) {
            self.right.iter_mut().zip(scramble).for_each(|(sum, &right)| *sum += f64::from(right));
        }
        self.updates += 1;
    }

    /// As numbers, to save.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let right = self.right.iter().copied();
        [self.loss, self.gradient_norm, self.updates as f64].into_iter().chain(right).collect()
    }

    /// Takes over [`numbers`](Self::numbers) of the same config.
    pub(super) fn take(&mut self, numbers: &[f64]) {
        let (first, right) = numbers.split_at(3);
        (self.loss, self.gradient_norm, self.updates) = (first[0], first[1], first[2] as u64);
        self.right.copy_from_slice(right);
    }
}
