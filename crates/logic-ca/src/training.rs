//! Implementation of [`vivarium_learn::Learner`]: training in *slices*. A slice is the part of an epoch that one call of
//! [`LogicCa::advance`] computes; it takes a few milliseconds.

use crate::config::LogicConfig;
use crate::error::LogicError;
#[cfg(feature = "gpu")]
use crate::gpu_trainer::LogicGpuTrainer;
use crate::learner::{EpochPhase, LogicCa, LogicWork, Report};
use vivarium_config::Config;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, SavedTensors, Tensor};
use vivarium_learn::{Advance, AdvanceResult, Learner, TrainingProgress};

/// Maximum cost of a call of [`LogicCa::advance`], in evaluations of a soft gate for one cell. Such a call takes a few
/// milliseconds on one thread. A single automaton step may exceed the maximum.
const SLICE_WORK: usize = 1 << 23;

impl Learner for LogicCa {
    type Config = LogicConfig;
    type Work = LogicWork;
    type Report = Report;
    type Error = LogicError;
    #[cfg(feature = "gpu")]
    type GpuTrainer = LogicGpuTrainer;

    fn config(&self) -> &LogicConfig {
        &self.config
    }

    /// Replaces the config and restarts the current epoch. If the training target changes, the trained gates are kept,
    /// and the schedules of learning rate and hardening (share of discrete gates) restart.
    fn set_config(&mut self, config: LogicConfig) -> Result<(), LogicError> {
        config.check()?;
        self.config.check_live(&config)?;
        if (config.target, &config.drawing) != (self.config.target, &self.config.drawing) {
            self.target = config.target();
            self.schedule_start = self.epoch;
            self.converged = false;
            self.failed_epochs.clear();
        }
        self.config = config;
        self.search = None;
        self.streak = 0;
        // The current epoch was prepared for the old config.
        self.phase = EpochPhase::Begin;
        Ok(())
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the progress of training, where a step is an epoch and an episode is a board.
    fn progress(&self) -> TrainingProgress {
        TrainingProgress {
            steps: self.epoch,
            updates: self.epoch,
            episodes: self.epoch * u64::from(self.config.batch),
            total_steps: Some(if self.is_finished() { self.epoch } else { self.last_epoch() }),
        }
    }

    /// Returns the kind of computation with which the next call of [`advance`](Self::advance) begins.
    fn next_work(&self) -> LogicWork {
        match self.phase {
            EpochPhase::Begin | EpochPhase::Forward(_) => LogicWork::Forward,
            EpochPhase::Evaluation(_) => LogicWork::Evaluation,
            EpochPhase::Backward(_) => LogicWork::Backward,
            EpochPhase::LocalSearch(_) => LogicWork::LocalSearch,
            EpochPhase::Update => LogicWork::Update,
        }
    }

    /// Advances training by some automaton steps or search generations, or by the update of the gates at the end of an
    /// epoch. Returns the report when an epoch is finished.
    fn advance(&mut self, cpu: &Cpu) -> AdvanceResult<Self> {
        cpu.install(|| {
            let mut done = 0;
            loop {
                let (work, cost) = self.run_phase(cpu)?;
                done += cost;
                if work == LogicWork::Update {
                    return Ok(Advance::Finished(self.finish_epoch()));
                }
                if done >= SLICE_WORK {
                    return Ok(Advance::Unfinished(work));
                }
            }
        })
    }

    fn save(&self) -> Vec<Tensor> {
        self.state().tensors("")
    }

    fn restored(&self, config: LogicConfig, tensors: &[Tensor]) -> Result<Self, LogicError> {
        let mut restored = Self::new(config, self.seed)?;
        restored.restore(&restored.state().read("", &SavedTensors(tensors))?)?;
        Ok(restored)
    }

    #[cfg(feature = "gpu")]
    fn gpu_trainer(&mut self, gpu: &Gpu) -> Result<LogicGpuTrainer, LogicError> {
        if self.is_in_local_search() {
            return Err(LogicError::LocalSearch);
        }
        let trainer = LogicGpuTrainer::new(gpu, self)?;
        self.phase = EpochPhase::Begin;
        Ok(trainer)
    }

    #[cfg(feature = "gpu")]
    fn advance_on_gpu(&mut self, trainer: &mut LogicGpuTrainer, _: &Cpu) -> AdvanceResult<Self> {
        let advance = trainer.advance()?;
        if let Advance::Finished(_) = advance {
            trainer.copy_state_to(self)?;
        }
        Ok(advance)
    }

    #[cfg(feature = "gpu")]
    fn update_gpu_trainer(&self, trainer: &mut LogicGpuTrainer) -> Result<(), LogicError> {
        trainer.set_config(self.config.clone())
    }
}
