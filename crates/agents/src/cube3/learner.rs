//! The learner of the 3×3×3 cube: its state, gradient steps and metrics.

use super::config::Cube3Config;
use super::network::{Cube3Network, Cube3NetworkDefinition};
use super::scrambles::ScrambleBatch;
use crate::error::LearnerError;
use vivarium_graph::{Cpu, Plan};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng;
use vivarium_learn::{Loss, Trainer, WeightAverage};

/// Stream indices for `rng::derive`, one for each use of random numbers, such as the initial weights. `rng::derive`
/// computes the seed of a use from the run's seed and the stream index.
pub(super) mod rng_stream {
    pub const WEIGHTS: u32 = 50;
    pub const SCRAMBLES: u32 = 51;
}

/// Number of minibatch rows (samples) per forward and backward pass, small enough for the activations to stay in a
/// core's cache.
const GRADIENT_ROWS: usize = 64;

vivarium_config::numbers! {
    /// Counters of a run, summed since its start.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Cube3Counters: u64 {
        /// Number of samples in the minibatches of all gradient steps.
        samples,
        /// Number of gradient steps taken.
        updates,
        /// Number of completed iterations, each a configured number of gradient steps.
        iterations,
    }
}

/// Metrics of one iteration: means over the minibatches of its gradient steps, each measured before the weights are
/// updated.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Counters of the run at the end of the iteration.
    pub counters: Cube3Counters,
    /// Mean cross-entropy between the move that undoes the last turn and the policy, in nats.
    pub loss: f64,
    /// Top-1 accuracy: fraction of samples whose most likely move undoes the last turn.
    pub accuracy: f64,
    /// Top-1 accuracy after each number of scramble moves; index 0 is one move.
    pub accuracy_by_depth: Vec<f64>,
    /// Mean Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Learning rate of the iteration's last gradient step.
    pub learning_rate: f64,
}

/// Sums over the gradient steps of the current iteration, from which the metrics of the iteration are computed.
#[derive(Clone, Debug)]
pub(super) struct Cube3Sums {
    loss: f64,
    gradient_norm: f64,
    /// Number of samples whose most likely move undoes the last turn, by number of scramble moves; index 0 is one
    /// move.
    correct: Vec<f64>,
    pub(super) updates: u64,
}

/// Trains a policy network to predict the move that undoes the last turn of a scramble; see the [module](super).
///
/// A run depends on config, seed and SIMD level alone, not on the number of threads.
pub struct Cube3Learner {
    pub(super) config: Cube3Config,
    pub(super) seed: u64,
    pub(super) network: vivarium_learn::Network,
    /// Trainer that minimizes the loss. For each minibatch row (sample), it outputs the cross-entropy, and 1 if the
    /// most likely move undoes the last turn, else 0.
    pub(super) trainer: Trainer,
    /// Exponential moving average (EMA) of the weights, with which cubes are solved.
    pub(super) average: WeightAverage,
    scrambles: ScrambleBatch,
    pub(super) counters: Cube3Counters,
    pub(super) sums: Cube3Sums,
}

impl Cube3Learner {
    /// Creates a learner with randomly initialized weights.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid field of the config.
    pub fn new(config: Cube3Config, seed: u64) -> Result<Self, LearnerError> {
        config.check()?;
        let definition = Cube3NetworkDefinition::new(&config);
        let Cube3NetworkDefinition { graph, loss, correct, .. } = &definition;
        let weight_seed = rng::derive(seed, rng_stream::WEIGHTS);
        let network = vivarium_learn::Network::new(graph, definition.plans()?, weight_seed)?;
        let plan = Plan::compile(&graph.gradient(*loss), &[*loss, *correct], GRADIENT_ROWS)?;
        Ok(Self {
            trainer: Trainer::new(&network, vec![Loss { plan, names: &["the loss"] }]),
            average: WeightAverage::new(&network),
            scrambles: ScrambleBatch::new(&config),
            counters: Cube3Counters::default(),
            sums: Cube3Sums::new(&config),
            network,
            config,
            seed,
        })
    }

    /// Returns the counters of the run: numbers of samples, gradient steps and iterations.
    pub fn counters(&self) -> Cube3Counters {
        self.counters
    }

    /// Returns the number of trainable parameters of the policy network.
    pub fn parameter_count(&self) -> usize {
        self.network.parameter_count()
    }

    /// Returns a new network whose weights are the EMA of the trained weights, for solving cubes.
    ///
    /// # Errors
    /// [`LearnerError::Network`] if the network cannot be built, which never occurs for a valid learner.
    pub fn averaged_network(&self) -> Result<Cube3Network, LearnerError> {
        let mut network = Cube3Network::new(&Cube3NetworkDefinition::new(&self.config), 0)?;
        self.update_averaged_network(&mut network);
        Ok(network)
    }

    /// Copies the EMA of the trained weights to `network`, without allocation.
    ///
    /// # Panics
    /// If `network` does not have the number of parameters of the learner's network.
    pub fn update_averaged_network(&self, network: &mut Cube3Network) {
        network.network.write(self.average.weights());
    }

    /// Draws a minibatch of scrambles and takes a gradient step on it.
    pub(super) fn step(&mut self, cpu: &Cpu) -> Result<(), LearnerError> {
        let seed = rng::derive(self.seed, rng_stream::SCRAMBLES);
        self.scrambles.draw(cpu, seed, self.counters.updates);
        let Self { config, network, trainer, average, scrambles, counters, sums, .. } = self;
        trainer.differentiate(cpu, network, 0, scrambles.count(), &scrambles.inputs());
        let settings = Self::adam(config, counters.updates);
        let norm = trainer.step(cpu, network, &settings, config.max_gradient_norm)?;
        average.update(cpu, network, config.ema_steps, counters.updates);
        sums.add(counters, trainer.sum(0), trainer.measured(1), norm);
        Ok(())
    }

    /// Returns the AdamW settings of the gradient step with index `updates` in the run, counted from 0.
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
        let sums = std::mem::replace(&mut self.sums, Cube3Sums::new(&self.config));
        let updates = sums.updates as f64;
        let samples_per_depth = updates * f64::from(self.config.scrambles);
        Report {
            counters: self.counters,
            loss: sums.loss / updates,
            accuracy: sums.correct.iter().sum::<f64>() / (samples_per_depth * sums.correct.len() as f64),
            accuracy_by_depth: sums.correct.iter().map(|correct| correct / samples_per_depth).collect(),
            gradient_norm: sums.gradient_norm / updates,
            learning_rate: f64::from(self.config.learning_rate_at(self.counters.samples)),
        }
    }
}

impl Cube3Sums {
    fn new(config: &Cube3Config) -> Self {
        Self { loss: 0.0, gradient_norm: 0.0, correct: vec![0.0; config.depth as usize], updates: 0 }
    }

    /// Adds a gradient step to the sums and to `counters`. `loss` is the sum of the losses over the step's samples.
    /// `correct` holds 1 for each sample whose most likely move undoes the last turn, and 0 for the others.
    pub(super) fn add(
        &mut self,
        counters: &mut Cube3Counters,
        loss: f64,
        correct: &[f32],
        gradient_norm: f64,
    ) {
        counters.updates += 1;
        counters.samples += correct.len() as u64;
        self.loss += loss / correct.len() as f64;
        self.gradient_norm += gradient_norm;
        for scramble in correct.chunks_exact(self.correct.len()) {
            self.correct.iter_mut().zip(scramble).for_each(|(sum, &correct)| *sum += f64::from(correct));
        }
        self.updates += 1;
    }

    /// Returns all sums as a flat list of numbers, in the order in which a checkpoint stores them.
    pub(super) fn numbers(&self) -> Vec<f64> {
        let correct = self.correct.iter().copied();
        [self.loss, self.gradient_norm, self.updates as f64].into_iter().chain(correct).collect()
    }

    /// Replaces the sums by numbers that [`numbers`](Self::numbers) returned for a learner with the same config.
    pub(super) fn take(&mut self, numbers: &[f64]) {
        let (first, correct) = numbers.split_at(3);
        (self.loss, self.gradient_norm, self.updates) = (first[0], first[1], first[2] as u64);
        self.correct.copy_from_slice(correct);
    }
}
