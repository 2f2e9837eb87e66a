//! Implementation of [`vivarium_learn::Learner`] for [`AlphaZero`]. Each call of [`AlphaZero::advance`] does a
//! bounded amount of training.

use super::config::AlphaZeroConfig;
use super::game::SelfPlayGame;
#[cfg(feature = "gpu")]
use super::gpu_trainer::AlphaZeroGpuTrainer;
use super::learner::{AlphaZero, AlphaZeroPhase, AlphaZeroWork};
use super::report::{AlphaZeroCounters, Report};
use super::run_setup::check;
use crate::error::LearnerError;
use vivarium_config::Config;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, Tensor};
use vivarium_learn::{Advance, AdvanceResult, Learner, TrainingProgress};

impl<G: SelfPlayGame> Learner for AlphaZero<G> {
    type Config = AlphaZeroConfig;
    type Work = AlphaZeroWork;
    type Report = Report;
    type Error = LearnerError;
    #[cfg(feature = "gpu")]
    type GpuTrainer = AlphaZeroGpuTrainer<G>;

    fn config(&self) -> &AlphaZeroConfig {
        &self.learning.config
    }

    fn set_config(&mut self, config: AlphaZeroConfig) -> Result<(), LearnerError> {
        check::<G>(&config)?;
        Ok(self.learning.config.change(config)?)
    }

    fn seed(&self) -> u64 {
        self.learning.seed
    }

    /// Returns the progress of training as numbers of steps and episodes. A step is a decision in self-play, an
    /// episode a self-play game.
    fn progress(&self) -> TrainingProgress {
        let AlphaZeroCounters { decisions: steps, updates, games: episodes, .. } = self.learning.counters;
        TrainingProgress { steps, updates, episodes, total_steps: None }
    }

    fn next_work(&self) -> AlphaZeroWork {
        match self.learning.phase {
            AlphaZeroPhase::SelfPlay => AlphaZeroWork::SelfPlay,
            AlphaZeroPhase::Match(_) => AlphaZeroWork::Match,
        }
    }

    /// Does a bounded amount of work. In self-play: one decision in every game of as many workers as there are
    /// threads, and the gradient steps that are due. In a promotion match: one decision in every game. An iteration
    /// is a generation.
    fn advance(&mut self, cpu: &Cpu) -> AdvanceResult<Self> {
        if let Some(advance) = self.learning.advance_match(cpu)? {
            return Ok(advance);
        }
        let is_over = self.play_and_learn(cpu)?;
        let report = if is_over { self.learning.end_generation() } else { None };
        Ok(Advance::of(AlphaZeroWork::SelfPlay, report))
    }

    fn save(&self) -> Vec<Tensor> {
        self.learning.save()
    }

    fn restored(&self, config: AlphaZeroConfig, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        let mut learner = Self::restore(config, self.learning.seed, tensors)?;
        learner.set_clock(self.clock);
        Ok(learner)
    }

    #[cfg(feature = "gpu")]
    fn gpu_trainer(&mut self, gpu: &Gpu) -> Result<AlphaZeroGpuTrainer<G>, LearnerError> {
        AlphaZeroGpuTrainer::new(gpu, self)
    }

    #[cfg(feature = "gpu")]
    fn advance_on_gpu(&mut self, trainer: &mut AlphaZeroGpuTrainer<G>, cpu: &Cpu) -> AdvanceResult<Self> {
        trainer.advance(cpu, self)
    }
}
