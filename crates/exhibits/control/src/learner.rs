//! Interface between control experiments and their learners: PPO and DQN with the engine that trains them.

use serde_json::Value;
use vivarium_agents::ppo::PolicyAndValue;
use vivarium_agents::{Episode, Learner, LearnerError};
use vivarium_envs::Environment;
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::Tensor;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::train::{AnyTraining, SliceError, Training};

/// Learning algorithm (PPO or DQN) in an environment: read-only methods that control experiments need in addition to
/// [`Learner`].
pub(crate) trait ControlAlgorithm {
    /// Returns the environment with its physical parameters.
    fn environment(&self) -> Environment;

    /// Returns the discount factor γ of future rewards.
    fn discount(&self) -> f32;

    /// Returns the number of training environments that are stepped in parallel.
    fn num_envs(&self) -> u32;

    /// Returns the number of training iterations that pass during an episode of `steps` environment steps.
    fn iterations(&self, steps: u32) -> u32;

    /// Returns the config paths of the initial and the final learning rate, which a rollback halves.
    fn learning_rates(&self) -> [&'static str; 2];

    /// Returns the learned tensors of the learner: weights, optimizer and normalizer. Omits the environments, the
    /// replay buffer and the counters, which [`Learner::save`] also returns.
    fn learned(&self) -> Vec<Tensor>;

    /// Returns whether [`Learner::save`] returns the present state, even within an iteration (`true`), or the state at
    /// the start of the iteration (`false`).
    fn saves_midway(&self) -> bool;

    /// Returns one action in the environment's format for each observation; `observations` has the shape
    /// `[observations, observation length]`. If actions are sampled, their random numbers depend only on `seed`, `step`
    /// and the observation's index.
    fn act(&self, observations: &[f32], seed: u64, step: u32) -> Vec<f32>;

    /// Returns the most probable action in the environment's format for each observation; `observations` has the shape
    /// `[observations, observation length]`.
    fn greedy(&self, observations: &[f32]) -> Vec<f32>;

    /// Returns the policy's action distribution and the value estimate for each observation; `observations` has the
    /// shape `[observations, observation length]`.
    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue;

    /// Evaluates the greedy policy on complete episodes. Returns the undiscounted return and the length of each
    /// episode. Does not affect training.
    ///
    /// # Errors
    /// [`LearnerError`] if the number of episodes is invalid.
    fn evaluate(&self, cpu: &Cpu, episodes: Episodes<'_>) -> Result<Vec<Episode>, LearnerError>;

    /// Returns the path of the config field that the user should reduce if the learner does not fit on a GPU. Also
    /// returns advice for the error message, such as "reduce it or the size of the network".
    #[cfg(feature = "gpu")]
    fn too_large(&self, error: &GpuError) -> (&'static str, String);
}

/// Methods of a control learner that depend on the types of its algorithm (PPO or DQN) or modify the learner: reading
/// the config, converting a report to [`IterationReport`], naming the training phase, changing the environment.
pub(crate) trait ControlEntry: Learner<Error = LearnerError> + ControlAlgorithm {
    /// Reads the algorithm's section (`ppo` or `dqn`) of a complete config, and checks relations between the fields of
    /// the section. Every field must be in its range.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the fields are inconsistent or would exceed memory.
    fn read(config: &Value) -> Result<Self::Config, LabError>;

    /// Converts the algorithm's report of a training iteration to the report that PPO and DQN have in common.
    fn iteration(report: &Self::Report) -> IterationReport;

    /// Returns the name of the phase of the next slice of training, on the CPU or on the GPU, such as `rollout`.
    fn phase(&self, is_on_gpu: bool) -> &'static str;

    /// Changes the environment's physical parameters from the next environment step on.
    ///
    /// # Errors
    /// [`LearnerError`] if a parameter is invalid, or if `environment` is of another kind than the learner's
    /// environment; the learner is unchanged then.
    fn set_environment(&mut self, environment: Environment) -> Result<(), LearnerError>;
}

/// Learner of a control experiment with the engine that trains it, independent of the algorithm.
pub(crate) trait ControlLearner: AnyTraining + Send {
    /// Returns the learning algorithm. While a GPU trains, the returned algorithm has the state at the end of the last
    /// finished iteration.
    fn algorithm(&self) -> &dyn ControlAlgorithm;

    /// Returns the name of the phase of the next call of [`advance`](Self::advance), such as `rollout` or `update`.
    fn phase(&self) -> &'static str;

    /// Returns the complete state of the learner as named tensors; see [`Learner::save`].
    fn save(&self) -> Vec<Tensor>;

    /// Does a bounded amount of training, on the CPU or on the GPU. If this call finishes an iteration, returns the
    /// report of the iteration. After each iteration on the GPU, the state is copied from the GPU to the learner.
    ///
    /// # Errors
    /// [`SliceError`], which states how the run can continue. The results of finished iterations are kept.
    fn advance(&mut self, cpu: &Cpu) -> Result<Option<IterationReport>, SliceError>;

    /// Replaces the learner's config. Only live fields (fields that may change during a run) may differ. The
    /// environment's physical parameters are not changed; see [`set_environment`](Self::set_environment).
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a field is invalid; the learner is unchanged then.
    fn set_config(&mut self, config: &Value) -> Result<(), LabError>;

    /// Changes the environment's physical parameters from the next environment step on.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a parameter is invalid; the learner is unchanged then.
    fn set_environment(&mut self, environment: Environment) -> Result<(), LabError>;

    /// Replaces the learner's state by the state in `tensors`, which [`save`](Self::save) returned. The config must be
    /// complete and valid. The environment's physical parameters are not changed. A GPU has to be
    /// [restarted](vivarium_lab::Experiment::restart_gpu) afterwards.
    ///
    /// # Errors
    /// [`LabError`] naming the invalid tensor; the learner is unchanged then.
    fn restore(&mut self, config: &Value, tensors: &[Tensor]) -> Result<(), LabError>;
}

impl<L: ControlEntry> ControlLearner for Training<L> {
    fn algorithm(&self) -> &dyn ControlAlgorithm {
        &self.learner
    }

    fn phase(&self) -> &'static str {
        self.learner.phase(self.is_on_gpu())
    }

    fn save(&self) -> Vec<Tensor> {
        self.learner.save()
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<Option<IterationReport>, SliceError> {
        Ok(Self::advance(self, cpu)?.finished().as_ref().map(L::iteration))
    }

    fn set_config(&mut self, config: &Value) -> Result<(), LabError> {
        Self::set_config(self, L::read(config)?)
    }

    fn set_environment(&mut self, environment: Environment) -> Result<(), LabError> {
        self.change(|learner| learner.set_environment(environment))
    }

    fn restore(&mut self, config: &Value, tensors: &[Tensor]) -> Result<(), LabError> {
        self.learner = self.learner.restored(L::read(config)?, tensors)?;
        Ok(())
    }
}

/// Report of a training iteration that PPO and DQN have in common: number of steps, ended episodes, metrics.
pub(crate) struct IterationReport {
    /// Total number of environment steps of training at the end of the iteration; see
    /// [`Progress::steps`](vivarium_lab::protocol::Progress::steps).
    pub(crate) steps: u64,
    /// Number, mean return and mean length (in environment steps) of the episodes that ended in the iteration; `None`
    /// if no episode ended.
    pub(crate) ended: Option<(u64, f64, f64)>,
    /// Name and value of each metric that the learner reports for the iteration.
    pub(crate) values: Vec<(String, f64)>,
}
