//! Interface between deep Q-learning and its environments.

use super::report::DqnCounters;
use crate::error::LearnerError;
use vivarium_graph::{SavedTensors, Tensor};
use vivarium_kernels::Level;
use vivarium_kernels::rng::Stream;

/// Batch of environments with a few discrete actions.
///
/// The learner stores compact states, and encodes them as network inputs for each forward pass.
pub trait DqnProblem: Send + Sync + Sized {
    /// Options of the problem, such as physical parameters.
    type Params: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// Compact form in which the learner stores the state or observation of an environment.
    type State: Copy + Send + Sync;

    /// Name of the problem, such as `cartpole`.
    const NAME: &'static str;
    /// Number of actions, at most 32, all valid in every state.
    const ACTIONS: usize;
    /// Highest level of difficulty, counted from 1; 0 if there are no levels.
    const LEVELS: u32;
    /// Whether the problem has a solver, which [`demonstration`](Self::demonstration) requires.
    const SOLVER: bool;
    /// Number of 32-bit words of a state in a checkpoint; see [`pack`](Self::pack).
    const WORDS: usize;

    /// Returns the progress of a run with these counters: by default the number of environment steps. A problem may
    /// measure progress in another unit, such as samples.
    fn steps(counters: &DqnCounters) -> u64 {
        counters.steps
    }

    /// Returns the format of the network inputs.
    fn inputs(params: &Self::Params) -> NetworkInputs;

    /// Creates one environment per entry of `levels`, which is the level of difficulty of the environment's first
    /// episode.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid option.
    fn new(params: &Self::Params, seed: u64, levels: &[u32]) -> Result<Self, LearnerError>;

    /// Returns the state of every environment.
    ///
    /// # Errors
    /// [`LearnerError::World`] if the states cannot be read.
    fn states(&self, level: Level) -> Result<Vec<Self::State>, LearnerError>;

    /// Steps every environment with its action in `actions`, and writes the results to `steps`. If an episode ends, the
    /// environment's next episode begins at its level in `levels`.
    ///
    /// # Errors
    /// [`LearnerError::World`] if an action is invalid.
    fn step(
        &mut self,
        level: Level,
        actions: &[u8],
        levels: &[u32],
        steps: &mut Vec<EnvStep<Self::State>>,
    ) -> Result<(), LearnerError>;

    /// Encodes a state as network inputs, written to `row`.
    fn encode(params: &Self::Params, state: &Self::State, row: &mut [f32]);

    /// Returns a random state with its optimal actions, or `None` without a solver.
    fn demonstration(&self, random: &mut Stream) -> Option<Demonstration<Self::State>> {
        let _ = random;
        None
    }

    /// Packs a state into [`WORDS`](Self::WORDS) 32-bit words, for a checkpoint.
    fn pack(state: &Self::State, words: &mut [u32]);

    /// Unpacks a state from the words of an untrusted checkpoint; `None` if they encode no state.
    fn unpack(&self, words: &[u32]) -> Option<Self::State>;

    /// Returns the environments' data as named tensors. The states are not included; the learner saves them.
    fn save(&self) -> Vec<Tensor>;

    /// Restores the environments from the tensors of [`save`](Self::save) and from `states`.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or has the wrong shape.
    fn restore(&mut self, saved: &SavedTensors<'_>, states: &[Self::State]) -> Result<(), LearnerError>;
}

/// Format of the network inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkInputs {
    /// Number of network inputs per state.
    pub count: usize,
    /// `Some(n)`: each input is the index of an active feature out of `n`. `None`: each input is a real number.
    pub features: Option<usize>,
}

/// Result of one step in one environment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnvStep<S> {
    /// State that the action led to; the final state if the episode ended.
    pub reached: S,
    /// Present state: `reached`, or the initial state of the next episode if the episode ended.
    pub now: S,
    /// Reward of the step.
    pub reward: f32,
    /// Whether the episode ended, and why.
    pub end: EpisodeEnd,
}

/// Whether and why an environment step ended its episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpisodeEnd {
    /// The episode continues.
    No,
    /// A terminal state was reached. In problems with levels this is a success.
    Terminated,
    /// The time limit was reached. The learner bootstraps from the value of the final state.
    Truncated,
}

/// Demonstration: a state with its optimal actions and their value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demonstration<S> {
    /// State in which the actions are optimal.
    pub state: S,
    /// Bit mask of the optimal actions: bit i is action i.
    pub best: u32,
    /// Value of the optimal actions: the expected return.
    pub value: f32,
}
