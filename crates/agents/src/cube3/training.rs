//! Implementation of [`vivarium_learn::Learner`] for [`Cube3Learner`]. Each call of [`Cube3Learner::advance`] takes
//! one gradient step.

use super::config::Cube3Config;
#[cfg(feature = "gpu")]
use super::gpu_trainer::Cube3GpuTrainer;
use super::learner::{Cube3Counters, Cube3Learner, Report};
use crate::error::LearnerError;
use vivarium_config::Config;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, Tensor};
use vivarium_learn::{Advance, AdvanceResult, Learner, TrainingProgress};

impl Learner for Cube3Learner {
    type Config = Cube3Config;
    type Work = ();
    type Report = Report;
    type Error = LearnerError;
    #[cfg(feature = "gpu")]
    type GpuTrainer = Cube3GpuTrainer;

    fn config(&self) -> &Cube3Config {
        &self.config
    }

    fn set_config(&mut self, config: Cube3Config) -> Result<(), LearnerError> {
        config.check()?;
        Ok(self.config.change(config)?)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the progress of training as numbers of steps and episodes. A step is a sample, an episode a scramble.
    fn progress(&self) -> TrainingProgress {
        let Cube3Counters { samples, updates, .. } = self.counters;
        let episodes = samples / u64::from(self.config.depth);
        TrainingProgress { steps: samples, updates, episodes, total_steps: None }
    }

    fn next_work(&self) {}

    /// Takes one gradient step. Returns the report after the last step of an iteration.
    fn advance(&mut self, cpu: &Cpu) -> AdvanceResult<Self> {
        self.step(cpu)?;
        let over = self.sums.updates >= u64::from(self.config.iteration);
        Ok(Advance::of((), over.then(|| self.end_iteration())))
    }

    fn save(&self) -> Vec<Tensor> {
        self.save()
    }

    fn restored(&self, config: Cube3Config, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        Self::restore(config, self.seed, tensors)
    }

    #[cfg(feature = "gpu")]
    fn gpu_trainer(&mut self, gpu: &Gpu) -> Result<Cube3GpuTrainer, LearnerError> {
        Cube3GpuTrainer::new(gpu, self)
    }

    #[cfg(feature = "gpu")]
    fn advance_on_gpu(&mut self, trainer: &mut Cube3GpuTrainer, cpu: &Cpu) -> AdvanceResult<Self> {
        trainer.advance(cpu, self)
    }
}
