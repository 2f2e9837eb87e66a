//! When a lane's next episode begins.

/// When a lane whose episode ended begins the next one; as Gymnasium's vector environments define it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Autoreset {
    /// In the step after: that step ignores the lane's action, returns the first observation of the new episode with
    /// reward 0, and ends nothing. The step that ended the episode returned its last observation.
    NextStep,
    /// In the same step: the observation is the first of the new episode, and the last of the old one is in
    /// [`StepOut::final_observation`](crate::StepOut::final_observation).
    SameStep,
}
