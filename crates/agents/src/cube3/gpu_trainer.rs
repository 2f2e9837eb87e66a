//! Training on the GPU: scrambles are made, encoded and learned from there.
//!
//! What goes to the device for a gradient step is which scrambles to draw and how far to step. After each iteration the learner on
//! the CPU becomes what the one on the device is. The scrambles are the same on both.

use super::config::Cube3Config;
use super::gpu_scrambles::GpuScrambles;
use super::learner::{Counters, Cube3Learner, Report, Sums, purpose};
use crate::error::LearnerError;
use vivarium_gpu::{Cost, Gpu, Recorder};
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_learn::{StepSettings, WeightAverage};

/// The inputs of the loss: the state, and the move that undoes its last turn.
const INPUTS: [usize; 2] = [0, 1];

/// A learner on the device; see the [module](self).
pub struct GpuTrainer {
    gpu: Gpu,
    trainer: vivarium_learn::GpuTrainer,
    scrambles: GpuScrambles,
    /// After the gradient steps that were reported.
    counters: Counters,
    sums: Sums,
}

/// What an [`advance`](GpuTrainer::advance) found.
#[derive(Clone, Debug, PartialEq)]
pub enum Advance {
    /// The device is at work, and there is nothing to do but to wait.
    Waiting,
    /// A gradient step is finished.
    Stepped,
    /// An iteration is finished, and the learner on the CPU is what this one is.
    Finished(Report),
}

impl GpuTrainer {
    /// A learner as it is now, moved to the device.
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] where it does not fit there, or a kernel is refused.
    pub fn new(gpu: &Gpu, learner: &Cube3Learner) -> Result<Self, LearnerError> {
        let Cube3Learner { config, network, trainer, average, counters, sums, .. } = learner;
        let updates = counters.updates;
        let (rows, follower) = (config.batch(), Some(average.weights()));
        let mut trainer = vivarium_learn::GpuTrainer::new(gpu, network, trainer, 0, rows, updates, follower)?;
        let scrambles = GpuScrambles::new(gpu, config)?;
        let mut recorder = Recorder::new(gpu);
        let [(inputs, states), (_, undo)] = INPUTS.map(|index| trainer.input(index));
        scrambles.record(&mut recorder, inputs, [states.start, undo.start])?;
        trainer.prepare_with(Some(recorder.finish()?));
        Ok(Self { gpu: gpu.clone(), trainer, scrambles, counters: *counters, sums: sums.clone() })
    }

    /// Keeps the device busy, and takes in a gradient step that it has finished. Natively it waits for that; in a browser it
    /// never waits.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] where training diverged, [`LearnerError::Gpu`] where the device was lost. Every further
    /// call gives the same error.
    ///
    /// # Panics
    /// If the learner has another network than the one that this was made of.
    pub fn advance(&mut self, cpu: &Cpu, learner: &mut Cube3Learner) -> Result<Advance, LearnerError> {
        let last = self.last_update(&learner.config);
        while self.trainer.has_room() && self.trainer.submitted() < last {
            self.submit(learner)?;
        }
        if self.trainer.submitted() == last {
            self.trainer.keep()?;
        }
        let finished = self.trainer.advance()?;
        if finished {
            self.count();
        }
        let unfinished = if finished { Advance::Stepped } else { Advance::Waiting };
        if self.trainer.updates() < last {
            return Ok(unfinished);
        }
        let Cube3Learner { network, trainer, average, .. } = learner;
        if self.trainer.hand_over(cpu, network, trainer, |weights| average.write(weights))?.is_none() {
            return Ok(unfinished);
        }
        learner.counters = self.counters;
        learner.sums = self.sums.clone();
        let report = learner.end_iteration();
        (self.counters, self.sums) = (learner.counters, learner.sums.clone());
        Ok(Advance::Finished(report))
    }

    /// The number of gradient steps with which the iteration under way ends.
    fn last_update(&self, config: &Cube3Config) -> u64 {
        self.counters.updates - self.sums.updates + u64::from(config.iteration)
    }

    /// Submits a gradient step on new scrambles.
    fn submit(&mut self, learner: &Cube3Learner) -> Result<(), LearnerError> {
        let Self { gpu, trainer, scrambles, .. } = self;
        let Cube3Learner { config, seed, .. } = learner;
        let updates = trainer.submitted();
        scrambles.choose(gpu, rng::derive(*seed, purpose::SCRAMBLES), updates);
        let settings = StepSettings {
            adam: Cube3Learner::adam(config, updates),
            max_gradient_norm: config.max_gradient_norm,
            follow_share: WeightAverage::share(config.averaging, updates),
        };
        Ok(trainer.submit(&[], &settings)?)
    }

    /// Counts a gradient step that was reported.
    fn count(&mut self) {
        let Self { trainer, counters, sums, .. } = self;
        sums.add(counters, trainer.sum(0), trainer.measured(1), trainer.gradient_norm());
    }

    /// What a gradient step asks of the device: kernels started, and bytes that are copied to it and back.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.trainer.cost() + Cost { dispatches: 0, bytes_copied: GpuScrambles::BYTES }
    }
}
