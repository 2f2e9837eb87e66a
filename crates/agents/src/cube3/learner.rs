//! The learner: gradient steps on scrambles that are made as they are needed.

use super::config::Cube3Config;
use super::error::Cube3Error;
use super::network::{Definition, Network};
use super::scrambles::Scrambles;
use vivarium_config::Config;
use vivarium_graph::{Cpu, Gradients, Plan, Workspaces};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::{AlignedVec, norm, reduce, rng, simd};

/// Purposes of random numbers: each draws from a seed of its own.
mod purpose {
    pub const WEIGHTS: u32 = 50;
    pub const SCRAMBLES: u32 = 51;
}

/// Rows that one pass forward and backward takes, small enough for its values to stay in a core's cache.
const GRADIENT_ROWS: usize = 64;

/// Totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Samples learnt from.
    pub samples: u64,
    /// Optimiser steps.
    pub updates: u64,
    /// Iterations finished.
    pub iterations: u64,
}

/// Measurements of one iteration, each from before the optimiser step that it belongs to.
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
    updates: u64,
}

/// Learns what undoes the last turn of a scramble.
///
/// A run depends on config and seed alone, not on the number of threads. (Between SIMD levels it differs by rounding.)
pub struct Cube3Learner {
    config: Cube3Config,
    seed: u64,
    pub(super) network: Network,
    plan: Plan,
    gradients: Gradients,
    pub(super) first_moment: AlignedVec<f32>,
    pub(super) second_moment: AlignedVec<f32>,
    /// The average of the weights over the newest steps.
    pub(super) average: AlignedVec<f32>,
    scrambles: Scrambles,
    workspaces: Option<(usize, Workspaces)>,
    /// Loss of each row, and whether it was right.
    measured: [AlignedVec<f32>; 2],
    pub(super) counters: Counters,
    pub(super) sums: Sums,
}

impl Cube3Learner {
    /// A learner that knows nothing yet.
    ///
    /// # Errors
    /// [`Cube3Error`] naming the field of the config that is not acceptable.
    pub fn new(config: Cube3Config, seed: u64) -> Result<Self, Cube3Error> {
        config.check()?;
        let definition = Definition::new(&config);
        let network = Network::new(simd::level(), &definition, rng::derive(seed, purpose::WEIGHTS), true)?;
        let Definition { graph, loss, right, .. } = &definition;
        let plan = Plan::compile(&graph.gradient(*loss), &[*loss, *right], GRADIENT_ROWS)?;
        let len = network.parameters().flat().len();
        let mut average = AlignedVec::zeros(len);
        average.copy_from_slice(network.parameters().flat());
        Ok(Self {
            gradients: Gradients::zeros(network.parameters()),
            first_moment: AlignedVec::zeros(len),
            second_moment: AlignedVec::zeros(len),
            average,
            scrambles: Scrambles::new(&config),
            workspaces: None,
            measured: std::array::from_fn(|_| AlignedVec::zeros(config.batch())),
            counters: Counters::default(),
            sums: Sums::new(&config),
            network,
            plan,
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
        self.network.parameters().specs().iter().map(|spec| spec.len()).sum()
    }

    /// Takes over another config that differs in live fields alone, from the next step on.
    ///
    /// # Errors
    /// [`Cube3Error::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: Cube3Config) -> Result<(), Cube3Error> {
        config.check()?;
        self.config.check_live(&config)?;
        self.config = config;
        Ok(())
    }

    /// A network to solve with: the weights averaged over the newest steps.
    ///
    /// # Errors
    /// None as it is: [`Cube3Error::Network`] for the builder's sake.
    pub fn solver(&self) -> Result<Network, Cube3Error> {
        let definition = Definition::new(&self.config);
        let mut network = Network::new(self.network.level(), &definition, 0, false)?;
        self.update_solver(&mut network);
        Ok(network)
    }

    /// Brings a network of [`solver`](Self::solver) up to date, without allocating.
    ///
    /// # Panics
    /// If it is one of another size.
    pub fn update_solver(&self, network: &mut Network) {
        network.change(|weights| weights.flat_mut().copy_from_slice(&self.average));
    }

    /// Does one slice of work, a gradient step; where it finished an iteration, returns what that one measured.
    ///
    /// # Errors
    /// [`Cube3Error::NotFinite`] where training diverged.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Option<Report>, Cube3Error> {
        let seed = rng::derive(self.seed, purpose::SCRAMBLES);
        self.scrambles.draw(cpu, seed, self.counters.updates);
        self.differentiate(cpu);
        self.step(cpu)?;
        let over = self.sums.updates >= u64::from(self.config.iteration);
        Ok(over.then(|| self.end_iteration()))
    }

    /// Advances until an iteration is finished.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn iterate(&mut self, cpu: &Cpu) -> Result<Report, Cube3Error> {
        loop {
            if let Some(report) = self.advance(cpu)? {
                return Ok(report);
            }
        }
    }

    fn differentiate(&mut self, cpu: &Cpu) {
        let Self { network, plan, scrambles, measured, gradients, workspaces, .. } = self;
        let workspaces = match workspaces {
            Some((threads, workspaces)) if *threads == cpu.threads() => workspaces,
            other => &mut other.insert((cpu.threads(), Workspaces::new(cpu))).1,
        };
        let rows = scrambles.undo().len();
        gradients.clear();
        cpu.gradients(
            plan,
            network.parameters(),
            network.packed(),
            workspaces,
            rows,
            1.0 / rows as f32,
            &[scrambles.states(), scrambles.undo()],
            &mut measured.each_mut().map(|column| &mut column[..]),
            gradients,
        );
    }

    /// Clips the gradient and takes the step, unless something is not finite.
    fn step(&mut self, cpu: &Cpu) -> Result<(), Cube3Error> {
        let Self { config, network, gradients, counters, sums, .. } = self;
        let level = network.level();
        let [losses, right] = &self.measured;
        let loss = f64::from(reduce::mean(level, losses));
        let length = cpu.sum_of_squares(gradients.flat()).sqrt();
        let judged = [("the loss", loss), ("the gradient", f64::from(length))];
        if let Some(&(what, value)) = judged.iter().find(|(_, value)| !value.is_finite()) {
            return Err(Cube3Error::NotFinite { what, value, updates: counters.updates });
        }
        if config.max_gradient_norm > 0.0 && length > config.max_gradient_norm {
            norm::scale(level, gradients.flat_mut(), config.max_gradient_norm / length);
        }
        let step = AdamStep {
            learning_rate: config.learning_rate_at(counters.samples),
            weight_decay: config.weight_decay,
            step: counters.updates + 1,
            ..AdamStep::default()
        };
        let (first, second) = (&mut self.first_moment, &mut self.second_moment);
        network.change(|weights| {
            weights.step(gradients, first, second, &step, |p, g, m, v, step| cpu.adam(p, g, m, v, step));
        });
        // At first an average over the newest tenth of all steps, so that it forgets the beginning soon.
        let steps = f64::from(config.averaging).min(1.0 + 0.1 * counters.updates as f64);
        let share = 1.0 / steps as f32;
        let weights = network.parameters().flat();
        self.average.iter_mut().zip(weights).for_each(|(average, w)| *average += share * (w - *average));

        counters.updates += 1;
        counters.samples += losses.len() as u64;
        sums.loss += loss;
        sums.gradient_norm += f64::from(length);
        for scramble in right.chunks_exact(sums.right.len()) {
            sums.right.iter_mut().zip(scramble).for_each(|(sum, &right)| *sum += f64::from(right));
        }
        sums.updates += 1;
        Ok(())
    }

    fn end_iteration(&mut self) -> Report {
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
