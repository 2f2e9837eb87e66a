//! Autoreset modes.

/// Time at which an environment is reset after the end of an episode, as defined by Gymnasium's vector environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Autoreset {
    /// The step after the end of an episode resets the environment. That step ignores the action and returns the first
    /// observation of the new episode, reward 0 and no flags.
    NextStep,
    /// The step that ends an episode also resets the environment and returns the first observation of the new episode.
    /// The final observation of the old episode is in
    /// [`StepOut::final_observation`](crate::StepOut::final_observation).
    SameStep,
}
