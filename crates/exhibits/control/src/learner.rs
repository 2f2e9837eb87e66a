//! Interface between control experiments and their learners: PPO and DQN with the engine that trains them.

use serde_json::Value;
use vivarium_agents::ppo::PolicyAndValue;
use vivarium_agents::{Episode, Learner, LearnerError};
use vivarium_envs::World;
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::Tensor;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::train::{AnyTraining, SliceError, Training};

/// Learning algorithm (PPO or DQN) in environment `W`: read-only methods that control experiments need in addition to
/// [`Learner`].
pub(crate) trait ControlAlgorithm<W: World> {
    /// Returns the environment's physical parameters.
    fn world(&self) -> &W::Params;

    /// Returns the discount factor γ of future rewards.
    fn discount(&self) -> f32;

    /// Returns the name of the work that the next call of [`ControlLearner::advance`] will do, such as `rollout`.
    fn phase(&self, is_on_gpu: bool) -> &'static str;

    /// Returns the number of training environments that are stepped in parallel.
    fn num_envs(&self) -> u32;

    /// Returns the number of training iterations that an episode of `steps` environment steps takes.
    fn iterations(&self, steps: u32) -> u32;

    /// Returns the config paths of the initial and the final learning rate, which a rollback halves.
    fn learning_rates(&self) -> [&'static str; 2];

    /// Returns the learned part of [`Learner::save`]: weights, optimizer and normalizer, without environments, replay
    /// buffer and counters.
    fn learned(&self) -> Vec<Tensor>;

    /// Returns whether [`Learner::save`] returns the present state, even within an iteration (`true`), or the state at
    /// the start of the iteration (`false`).
    fn saves_midway(&self) -> bool;

    /// Returns one action in the environment's format for each observation; `observations` has the shape
    /// `[observations, observation length]`. If actions are sampled, their random numbers depend only on `seed`, `step`
    /// and the observation's index.
    fn act(&self, observations: &[f32], seed: u64, step: u32) -> Vec<f32>;

    /// Returns the policy's action distribution and the value estimate for each observation; `observations` has the
    /// shape `[observations, observation length]`.
    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue;

    /// Evaluates the greedy policy on complete episodes, and returns the return and length of each. Training is not
    /// affected.
    ///
    /// # Errors
    /// [`LearnerError`] if the number of episodes is invalid.
    fn evaluate(&self, cpu: &Cpu, episodes: Episodes<'_>) -> Result<Vec<Episode>, LearnerError>;

    /// Returns the path of the config field to reduce if the learner does not fit on a GPU, and the remedy, such as
    /// "reduce it or the size of the network".
    #[cfg(feature = "gpu")]
    fn too_large(&self, error: &GpuError) -> (&'static str, String);
}

/// Conversions that adapt a learning algorithm (PPO or DQN) to control experiments: from a config to the algorithm's
/// settings, and from the algorithm's report to the common report.
pub(crate) trait ControlEntry<W: World>: Learner<Error = LearnerError> + ControlAlgorithm<W> {
    /// Reads the algorithm's section (`ppo` or `dqn`) of a complete config, and checks relations between the fields of
    /// the section. Every field must be in its range.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the fields are inconsistent or would exceed memory.
    fn read(config: &Value) -> Result<Self::Config, LabError>;

    /// Converts the report of a training iteration to the format that the algorithms share.
    fn iteration(report: &Self::Report) -> IterationReport;

    /// Changes the environment's physical parameters from the next environment step on.
    ///
    /// # Errors
    /// The invalid parameter; the learner is unchanged then.
    fn set_world(&mut self, world: W::Params) -> Result<(), LearnerError>;
}

/// Learner of a control experiment with the engine that trains it, independent of the algorithm.
pub(crate) trait ControlLearner<W: World>: AnyTraining + Send {
    /// Returns the learning algorithm. While a GPU trains, the returned algorithm has the state at the end of the last
    /// finished iteration.
    fn algorithm(&self) -> &dyn ControlAlgorithm<W>;

    /// Returns the seed of the run's random numbers.
    fn seed(&self) -> u64;

    /// Returns the name of the work that the next call of [`advance`](Self::advance) will do, such as `rollout`.
    fn phase(&self) -> &'static str;

    /// Returns the complete state of the learner as named tensors; see [`Learner::save`].
    fn save(&self) -> Vec<Tensor>;

    /// Does a bounded amount of training, on the CPU or on the GPU. Returns the report of an iteration if this call
    /// finished it. After each iteration on the GPU, the state is copied from the GPU to the learner.
    ///
    /// # Errors
    /// [`SliceError`], which states how the run can continue. The results of finished iterations are kept.
    fn advance(&mut self, cpu: &Cpu) -> Result<Option<IterationReport>, SliceError>;

    /// Replaces the learner's config. Only live fields (fields that may change during a run) may differ. The
    /// environment's physical parameters are not changed; see [`set_world`](Self::set_world).
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a field is invalid; the learner is unchanged then.
    fn set_config(&mut self, config: &Value) -> Result<(), LabError>;

    /// Changes the environment's physical parameters from the next environment step on.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a parameter is invalid; the learner is unchanged then.
    fn set_world(&mut self, world: W::Params) -> Result<(), LabError>;

    /// Replaces the learner's state by the state in `tensors`, which [`save`](Self::save) returned. The config must be
    /// complete and valid. The environment's physical parameters are not changed. A GPU has to be
    /// [restarted](vivarium_lab::Experiment::restart_gpu) afterwards.
    ///
    /// # Errors
    /// [`LabError`] naming the invalid tensor; the learner is unchanged then.
    fn restore(&mut self, config: &Value, tensors: &[Tensor]) -> Result<(), LabError>;
}

impl<W: World, L: ControlEntry<W>> ControlLearner<W> for Training<L> {
    fn algorithm(&self) -> &dyn ControlAlgorithm<W> {
        &self.learner
    }

    fn seed(&self) -> u64 {
        self.learner.seed()
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

    fn set_world(&mut self, world: W::Params) -> Result<(), LabError> {
        self.change(|learner| learner.set_world(world))
    }

    fn restore(&mut self, config: &Value, tensors: &[Tensor]) -> Result<(), LabError> {
        self.learner = self.learner.restored(L::read(config)?, tensors)?;
        Ok(())
    }
}

/// Report of a training iteration, in the format that PPO and DQN share: progress, ended episodes, metrics.
pub(crate) struct IterationReport {
    /// Number of training steps at the end of the iteration; see
    /// [`Progress::steps`](vivarium_lab::protocol::Progress::steps).
    pub(crate) steps: u64,
    /// Number, mean return and mean length (in environment steps) of the episodes that ended in the iteration; `None`
    /// if no episode ended.
    pub(crate) ended: Option<(u64, f64, f64)>,
    /// Names and values of the learner's metrics.
    pub(crate) values: Vec<(String, f64)>,
}
