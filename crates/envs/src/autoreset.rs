//! Autoreset modes.

/// Time at which an environment is reset after the end of an episode, as defined by Gymnasium's vector environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Autoreset {
    /// The step after the end resets: it ignores the action and returns the first observation of the new episode, reward 0
    /// and no flags. The step that ended the episode returned the final observation.
    NextStep,
    /// The step that ends the episode resets: it returns the first observation of the new episode. The final observation of
    /// the old one is in [`StepOut::final_observation`](crate::StepOut::final_observation).
    SameStep,
}
