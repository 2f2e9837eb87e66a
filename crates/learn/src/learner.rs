//! The contract of learners: training in slices, state, and the move to a GPU.

use crate::error::LearnerFault;
use vivarium_graph::{Cpu, Tensor};

/// Result of a slice, the bounded amount of work in one call of [`Learner::advance`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advance<W, R> {
    /// The slice did nothing, because the GPU is still computing, or data of other processes is required.
    Waiting,
    /// The slice did not finish the iteration. Contains the kind of work that the slice did.
    Unfinished(W),
    /// The slice finished an iteration. Contains the report of the iteration's metrics.
    Finished(R),
}

impl<W, R> Advance<W, R> {
    /// Returns `Finished` if there is a report of a finished iteration, otherwise `Unfinished` with the kind of work
    /// `work`.
    pub fn of(work: W, report: Option<R>) -> Self {
        report.map_or(Self::Unfinished(work), Self::Finished)
    }

    /// Returns the report if the slice finished an iteration.
    pub fn finished(self) -> Option<R> {
        if let Self::Finished(report) = self { Some(report) } else { None }
    }
}

/// Result of [`Learner::advance`] of the learner `L`.
pub type AdvanceResult<L> =
    Result<Advance<<L as Learner>::Work, <L as Learner>::Report>, <L as Learner>::Error>;

/// Progress of a training run, in counters that all learners have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrainingProgress {
    /// Number of steps so far: environment steps, samples, decisions or tokens, as the learner defines.
    pub steps: u64,
    /// Number of gradient steps taken so far.
    pub updates: u64,
    /// Number of episodes, games or epochs finished so far.
    pub episodes: u64,
    /// Number of steps after which the hyperparameter schedule ends; `None` if training has no end.
    pub total_steps: Option<u64>,
}

/// A learning algorithm on one task, created from a config and a seed.
///
/// Training consists of *iterations*, such as a rollout and the gradient steps on it. Each iteration ends with a report
/// of its metrics. An iteration is divided into *slices*: calls of [`advance`](Self::advance) that take some
/// milliseconds. A front end can draw, save or stop between two slices.
///
/// Requirements on an implementation:
///
/// - Config, task and seed determine a run. Neither the number of threads nor calls between two slices change it.
/// - A learner that is [restored](Self::restored) from [`save`](Self::save) continues bit for bit. A learner that
///   cannot save the middle of an iteration saves the state at the start of the iteration.
/// - After an error of [`advance`](Self::advance) the weights are those before the failed gradient step.
///
/// Constructors and evaluation are functions of the learner's type, since tasks and their measures differ:
/// `new(config, task…, seed)`, and `restore(config, task…, seed, tensors)`.
///
/// A learner that trains on a GPU has a *GPU trainer*, which holds the networks there. The learner on the CPU remains:
/// it receives the state of the trainer after each iteration, and evaluations, previews and checkpoints read the
/// learner only. If the GPU is lost, the run drops the trainer and continues with the learner.
pub trait Learner: Sized + Send {
    /// Hyperparameters of the learner.
    type Config;
    /// Kind of work that a slice of training does, such as environment steps or a gradient step.
    type Work: Copy + PartialEq + std::fmt::Debug;
    /// Metrics of a training iteration.
    type Report: Send;
    /// Error of training, of an invalid config or of an invalid state.
    type Error: Into<LearnerFault> + Send;
    /// GPU trainer of the learner: its networks and optimizer on a GPU.
    #[cfg(feature = "gpu")]
    type GpuTrainer: Send;

    /// Returns the hyperparameters of the learner.
    fn config(&self) -> &Self::Config;

    /// Replaces the config from the next call of [`advance`](Self::advance) on. Only *live* fields may differ: fields
    /// that are declared to change during a run.
    ///
    /// # Errors
    /// The invalid field, or the field that is not live; the learner is unchanged then.
    fn set_config(&mut self, config: Self::Config) -> Result<(), Self::Error>;

    /// Returns the seed of all random numbers.
    fn seed(&self) -> u64;

    /// Returns the progress of the run.
    fn progress(&self) -> TrainingProgress;

    /// Returns the kind of work that the next call of [`advance`](Self::advance) does.
    fn next_work(&self) -> Self::Work;

    /// Advances training on the CPU by a slice: a bounded amount of work.
    ///
    /// # Errors
    /// [`LearnerFault::Diverged`] if training diverged.
    fn advance(&mut self, cpu: &Cpu) -> AdvanceResult<Self>;

    /// Advances training on the CPU until an iteration is finished.
    ///
    /// # Errors
    /// Errors of [`advance`](Self::advance).
    fn iterate(&mut self, cpu: &Cpu) -> Result<Self::Report, Self::Error> {
        cpu.install(|| {
            loop {
                if let Advance::Finished(report) = self.advance(cpu)? {
                    return Ok(report);
                }
            }
        })
    }

    /// Returns the complete state of the learner as named tensors.
    fn save(&self) -> Vec<Tensor>;

    /// Creates a learner of the same task and seed from the tensors of [`save`](Self::save). The config may differ from
    /// the config of the saved learner in live fields, which are declared to change during a run.
    ///
    /// # Errors
    /// The tensor that is missing or invalid, or the invalid field.
    fn restored(&self, config: Self::Config, tensors: &[Tensor]) -> Result<Self, Self::Error>;

    /// Creates the GPU trainer with a copy of the learner's state. A learner that cannot move in the middle of an
    /// iteration discards the work since the start of the iteration.
    ///
    /// # Errors
    /// [`LearnerFault::Gpu`] if the learner exceeds a limit of the GPU; the learner is unchanged then.
    #[cfg(feature = "gpu")]
    fn gpu_trainer(&mut self, gpu: &vivarium_gpu::Gpu) -> Result<Self::GpuTrainer, Self::Error>;

    /// Advances training on the GPU by a slice. At the end of an iteration the learner receives the state of the
    /// trainer. A native call may block until the GPU has finished; a call in a browser never blocks.
    ///
    /// # Errors
    /// [`LearnerFault::Diverged`] if training diverged, [`LearnerFault::Gpu`] if the GPU was lost.
    #[cfg(feature = "gpu")]
    fn advance_on_gpu(&mut self, trainer: &mut Self::GpuTrainer, cpu: &Cpu) -> AdvanceResult<Self>;

    /// Passes a changed config or task of the learner to its GPU trainer. Does nothing by default: most trainers read
    /// config and task from the learner.
    ///
    /// # Errors
    /// The invalid field.
    #[cfg(feature = "gpu")]
    fn update_gpu_trainer(&self, trainer: &mut Self::GpuTrainer) -> Result<(), Self::Error> {
        let _ = trainer;
        Ok(())
    }
}
