//! Implementation of [`vivarium_learn::Learner`] for [`Ppo`]. Each call of [`Ppo::advance`] does a bounded amount of
//! training.

use super::config::PpoConfig;
#[cfg(feature = "gpu")]
use super::gpu_trainer::PpoGpuTrainer;
use super::learner::{Ppo, PpoPhase, PpoWork};
use super::report::{PpoCounters, PpoReport};
use crate::error::LearnerError;
use vivarium_config::Config;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, Tensor};
use vivarium_learn::{Advance, AdvanceResult, Learner, TrainingProgress};

impl Learner for Ppo {
    type Config = PpoConfig;
    type Work = PpoWork;
    type Report = PpoReport;
    type Error = LearnerError;
    #[cfg(feature = "gpu")]
    type GpuTrainer = PpoGpuTrainer;

    fn config(&self) -> &PpoConfig {
        &self.config
    }

    fn set_config(&mut self, config: PpoConfig) -> Result<(), LearnerError> {
        config.check()?;
        Ok(self.config.change(config)?)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the progress of training as numbers of steps, gradient steps and episodes. A step is an environment
    /// step.
    fn progress(&self) -> TrainingProgress {
        let PpoCounters { steps, updates, episodes, .. } = self.counters;
        TrainingProgress { steps, updates, episodes, total_steps: None }
    }

    fn next_work(&self) -> PpoWork {
        match self.phase {
            PpoPhase::Rollout { .. } => PpoWork::Rollout,
            PpoPhase::Update => PpoWork::Update,
        }
    }

    /// Advances training by a bounded number of steps of all environments, or by a gradient step. A gradient step on
    /// a large minibatch takes several calls. Returns the report after the last gradient step of an iteration.
    fn advance(&mut self, cpu: &Cpu) -> AdvanceResult<Self> {
        // A call runs many short parallel loops. Entering the thread pool once avoids waking its threads for each
        // loop.
        cpu.install(|| match self.phase {
            PpoPhase::Rollout { step } => {
                self.roll(cpu, step)?;
                Ok(Advance::Unfinished(PpoWork::Rollout))
            }
            PpoPhase::Update => {
                let report = if self.update(cpu)? { Some(self.end_iteration()?) } else { None };
                Ok(Advance::of(PpoWork::Update, report))
            }
        })
    }

    fn save(&self) -> Vec<Tensor> {
        self.save()
    }

    fn restored(&self, config: PpoConfig, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        Self::restore(config, self.environment.clone(), self.seed, tensors)
    }

    #[cfg(feature = "gpu")]
    fn gpu_trainer(&mut self, gpu: &Gpu) -> Result<PpoGpuTrainer, LearnerError> {
        let trainer = PpoGpuTrainer::new(gpu, self)?;
        let start = self.boundary.clone();
        self.adopt(&start)?;
        Ok(trainer)
    }

    #[cfg(feature = "gpu")]
    fn advance_on_gpu(&mut self, trainer: &mut PpoGpuTrainer, _: &Cpu) -> AdvanceResult<Self> {
        let advance = trainer.advance()?;
        if let Advance::Finished(_) = advance {
            self.adopt(trainer.state())?;
        }
        Ok(advance)
    }

    #[cfg(feature = "gpu")]
    fn update_gpu_trainer(&self, trainer: &mut PpoGpuTrainer) -> Result<(), LearnerError> {
        trainer.set_config(self.config.clone())?;
        trainer.set_environment(&self.environment)
    }
}
