//! Interface between deep Q-learning and the environments in which the learner acts.

use super::report::DqnCounters;
use crate::error::LearnerError;
use vivarium_graph::{SavedTensors, Tensor};
use vivarium_kernels::Level;
use vivarium_kernels::rng::Stream;

/// Batch of environments in which a DQN learner acts. All environments have the same few discrete actions.
///
/// The learner stores compact states, and encodes them as network inputs for each forward pass.
pub trait DqnProblem: Send + Sync + Sized {
    /// Options of the problem, such as the environment with its physical parameters.
    type Params: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// Element of a state, such as a number of an observation. A state, as stored in the replay buffer, is a row of
    /// [`ProblemSpec::state_len`] elements.
    type Element: Copy + Send + Sync;

    /// Returns the progress of a run whose counters are `counters`. The default is the number of environment steps; a
    /// problem may measure progress in another unit, such as samples.
    fn steps(counters: &DqnCounters) -> u64 {
        counters.steps
    }

    /// Returns the sizes and the capabilities of the problem with the options `params`.
    fn spec(params: &Self::Params) -> ProblemSpec;

    /// Creates one environment for each element of `levels`, the level of difficulty of the environment's first
    /// episode. All random numbers derive from `seed`.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid option.
    fn new(params: &Self::Params, seed: u64, levels: &[u32]) -> Result<Self, LearnerError>;

    /// Returns the current state of every environment, `[num_envs, state_len]`.
    ///
    /// # Errors
    /// [`LearnerError::World`] if the states cannot be read.
    fn states(&self, level: Level) -> Result<Vec<Self::Element>, LearnerError>;

    /// Takes one step in every environment with the action in `actions`, and writes the results to `steps`. If an
    /// episode ends, the environment begins its next episode at the level of difficulty in `levels`.
    ///
    /// # Errors
    /// [`LearnerError::World`] if an action is invalid.
    fn step(
        &mut self,
        level: Level,
        actions: &[u8],
        levels: &[u32],
        steps: &mut EnvSteps<Self::Element>,
    ) -> Result<(), LearnerError>;

    /// Encodes a state as network inputs, and writes them to `row`, which has one element per input.
    fn encode(params: &Self::Params, state: &[Self::Element], row: &mut [f32]);

    /// Draws a random state, passes it to `emit`, and returns its optimal actions and value. Returns `None`, without a
    /// call of `emit`, if the problem has no solver.
    fn demonstration(
        &self,
        random: &mut Stream,
        emit: impl FnOnce(&[Self::Element]),
    ) -> Option<Demonstration> {
        let _ = (random, emit);
        None
    }

    /// Packs an element of a state into a 32-bit word for a checkpoint.
    fn pack(element: Self::Element) -> u32;

    /// Unpacks an element of a state from the word that [`pack`](Self::pack) returned. Returns `None` if no element
    /// has this word, since a checkpoint is untrusted.
    fn unpack(&self, word: u32) -> Option<Self::Element>;

    /// Returns the data of the environments that their states do not contain, such as the ages of episodes, as named
    /// tensors. The learner saves the states.
    fn save(&self) -> Vec<Tensor>;

    /// Restores the environments of a checkpoint: sets their states to `states`, `[num_envs, state_len]`, and reads
    /// all other data from the tensors that [`save`](Self::save) returned.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape.
    fn restore(&mut self, saved: &SavedTensors<'_>, states: &[Self::Element]) -> Result<(), LearnerError>;
}

/// Sizes and capabilities of a [`DqnProblem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemSpec {
    /// Name of the environment, such as `cartpole`.
    pub name: &'static str,
    /// Number of discrete actions, from 1 to 32; 0 if the actions are continuous, which [`DqnProblem::new`] refuses.
    /// Every action is valid in every state.
    pub actions: usize,
    /// Number of elements in a state.
    pub state_len: usize,
    /// Number and kind of the network inputs that encode a state.
    pub inputs: NetworkInputs,
    /// Highest level of difficulty of an episode, counted from 1; 0 if the problem has no levels.
    pub levels: u32,
    /// Whether the problem has a solver, from which [`DqnProblem::demonstration`] obtains optimal actions.
    pub has_solver: bool,
}

/// Number and kind of the network inputs that encode a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkInputs {
    /// Number of network inputs that encode a state.
    pub count: usize,
    /// `Some(n)` if each input is the index of an active feature, from 0 to n − 1; `None` if each input is a real
    /// number.
    pub features: Option<usize>,
}

/// Results of one step of every environment.
#[derive(Clone, Debug)]
pub struct EnvSteps<E> {
    /// `[num_envs, state_len]`: state after the action. If the step ended the episode, its final state.
    pub reached: Vec<E>,
    /// `[num_envs, state_len]`: state in which the next action is taken: `reached`, or the initial state of the next
    /// episode if the step ended the episode.
    pub now: Vec<E>,
    /// `[num_envs]`: reward of the step.
    pub rewards: Vec<f32>,
    /// `[num_envs]`: whether and why the step ended its episode.
    pub ends: Vec<EpisodeEnd>,
}

impl<E: Copy> EnvSteps<E> {
    /// Allocates the results of `num_envs` environments, whose current states are `states`.
    pub fn new(states: &[E], num_envs: usize) -> Self {
        let [reached, now] = [(); 2].map(|()| states.to_vec());
        Self { reached, now, rewards: vec![0.0; num_envs], ends: vec![EpisodeEnd::No; num_envs] }
    }
}

/// Whether and why an environment step ended its episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpisodeEnd {
    /// The episode continues after the step.
    No,
    /// The step reached a terminal state. In problems with levels of difficulty, such an episode is a success.
    Terminated,
    /// The step reached the time limit. The learner bootstraps from the value of the final state.
    Truncated,
}

/// Solution of a state by a solver: all optimal actions and their value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demonstration {
    /// Bit mask of the optimal actions in the state: bit i is action i.
    pub best: u32,
    /// Value of the state under optimal actions: the expected return.
    pub value: f32,
}
