//! What deep Q-learning needs to know of a problem.

use crate::error::LearnerError;
use vivarium_graph::{Saved, Tensor};
use vivarium_kernels::Level;
use vivarium_kernels::rng::Stream;

/// Many lanes of one world with a few actions.
///
/// The learner keeps states as the problem likes them, small, and has them written out as inputs where the network is
/// to see them.
pub trait Problem: Send + Sync + Sized {
    /// What can be chosen about it.
    type Params: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// All that an agent may know at one moment.
    type State: Copy + Send + Sync;

    /// The name in configs.
    const NAME: &'static str;
    /// Actions, the same in every state; at most 32.
    const ACTIONS: usize;
    /// Levels of difficulty that an episode can begin at, 1 to this; 0 where there are none.
    const LEVELS: u32;
    /// There is a solver to learn from: see [`demonstration`](Self::demonstration).
    const SOLVER: bool;
    /// Words that a state is saved in.
    const WORDS: usize;

    /// What the network reads of a state.
    fn inputs(params: &Self::Params) -> Inputs;

    /// Lanes at the start of their first episodes, each at its own level of difficulty; as many as there are levels.
    ///
    /// # Errors
    /// [`LearnerError`] naming the param that is not acceptable.
    fn new(params: &Self::Params, seed: u64, levels: &[u32]) -> Result<Self, LearnerError>;

    /// Writes every lane's state.
    ///
    /// # Errors
    /// [`LearnerError::World`] where there is not room for all lanes.
    fn states(&self, level: Level) -> Result<Vec<Self::State>, LearnerError>;

    /// Moves every lane on by one step under its action, and writes what came of it. Where an episode ended, the next
    /// one begins at the difficulty that `levels` has for the lane.
    ///
    /// # Errors
    /// [`LearnerError::World`] for an action that the world refuses.
    fn step(
        &mut self,
        level: Level,
        actions: &[u8],
        levels: &[u32],
        steps: &mut Vec<Step<Self::State>>,
    ) -> Result<(), LearnerError>;

    /// Writes a state as the network's inputs; the row holds anything before.
    fn encode(params: &Self::Params, state: &Self::State, row: &mut [f32]);

    /// A state with its best actions, where there is a solver that knows them.
    fn demonstration(&self, random: &mut Stream) -> Option<Demonstration<Self::State>> {
        let _ = random;
        None
    }

    /// Writes a state as words.
    fn pack(state: &Self::State, words: &mut [u32]);

    /// The state of some words, which may come from outside; `None` if there is no such state.
    fn unpack(&self, words: &[u32]) -> Option<Self::State>;

    /// Where every lane is, beside its state, which the learner keeps.
    fn save(&self) -> Vec<Tensor>;

    /// Goes to where lanes were when they were saved, in these states.
    ///
    /// # Errors
    /// [`LearnerError`] naming the tensor that is missing or does not fit.
    fn restore(&mut self, saved: &Saved<'_>, states: &[Self::State]) -> Result<(), LearnerError>;
}

/// What a network reads of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// How many numbers.
    pub count: usize,
    /// Where the numbers are features that the state has, out of so many, how many there are; else they are amounts.
    pub features: Option<usize>,
}

/// What a step made of one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<S> {
    /// Where the action led.
    pub reached: S,
    /// Where the lane is now: the same, or the start of the next episode.
    pub now: S,
    /// What the action earned.
    pub reward: f32,
    /// Whether the episode is over.
    pub end: End,
}

/// Whether an episode is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It goes on.
    No,
    /// By the rules: nothing comes after. Where a problem has levels, this is success.
    Terminated,
    /// By the limit on steps: what was reached is worth what it would be worth otherwise.
    Truncated,
}

/// A state, the actions that are best in it, and what they are worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demonstration<S> {
    /// The state.
    pub state: S,
    /// A bit for each action, set where none is better.
    pub best: u32,
    /// What those are worth.
    pub value: f32,
}
