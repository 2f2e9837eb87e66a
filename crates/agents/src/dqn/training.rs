//! Implementation of [`vivarium_learn::Learner`] for [`Dqn`]. Each call of [`Dqn::advance`] takes one step of every
//! environment, or one gradient step.

use super::config::DqnConfig;
#[cfg(feature = "gpu")]
use super::gpu_trainer::DqnGpuTrainer;
use super::learner::{Dqn, DqnWork, check};
use super::problem::DqnProblem;
use super::report::{DqnCounters, DqnReport};
use super::update::SampleKind;
use crate::error::LearnerError;
use vivarium_config::Config;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, Tensor};
use vivarium_learn::{Advance, AdvanceResult, Learner, TrainingProgress};

impl<P: DqnProblem> Learner for Dqn<P> {
    type Config = DqnConfig;
    type Work = DqnWork;
    type Report = DqnReport;
    type Error = LearnerError;
    #[cfg(feature = "gpu")]
    type GpuTrainer = DqnGpuTrainer;

    fn config(&self) -> &DqnConfig {
        &self.config
    }

    fn set_config(&mut self, config: DqnConfig) -> Result<(), LearnerError> {
        check(&config, &self.spec)?;
        Ok(self.config.change(config)?)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn progress(&self) -> TrainingProgress {
        let (steps, DqnCounters { updates, episodes, .. }) = (P::steps(&self.counters), self.counters);
        TrainingProgress { steps, updates, episodes, total_steps: None }
    }

    fn next_work(&self) -> DqnWork {
        self.due_work()
    }

    /// Advances training by one step of every environment, or by one gradient step. Returns the report after the last
    /// gradient step of an iteration.
    fn advance(&mut self, cpu: &Cpu) -> AdvanceResult<Self> {
        let work = self.due_work();
        match work {
            DqnWork::Act => self.act(cpu)?,
            DqnWork::Pretrain => self.update(cpu, SampleKind::Demonstrations)?,
            DqnWork::Learn => self.update(cpu, SampleKind::Transitions)?,
        }
        Ok(Advance::of(work, self.iteration_is_over().then(|| self.end_iteration())))
    }

    fn save(&self) -> Vec<Tensor> {
        self.save()
    }

    fn restored(&self, config: DqnConfig, tensors: &[Tensor]) -> Result<Self, LearnerError> {
        Self::restore(config, self.params.clone(), self.seed, tensors)
    }

    #[cfg(feature = "gpu")]
    fn gpu_trainer(&mut self, gpu: &Gpu) -> Result<DqnGpuTrainer, LearnerError> {
        DqnGpuTrainer::new(gpu, self)
    }

    #[cfg(feature = "gpu")]
    fn advance_on_gpu(&mut self, trainer: &mut DqnGpuTrainer, cpu: &Cpu) -> AdvanceResult<Self> {
        trainer.advance(cpu, self)
    }
}
