//! Episodes of an evaluation: number, seed and interruption.

use crate::error::LabError;

/// Parameters of the episodes of an evaluation: number, seed and interruption callback.
#[derive(Clone, Copy)]
pub struct Episodes<'a> {
    /// Number of episodes. Experiments without episodes count another unit instead: boards, pairs of games, windows of
    /// text.
    pub count: u32,
    /// Seed of the random numbers of the evaluated episodes.
    pub seed: u64,
    /// Interruption callback. The evaluation calls `stop` at short intervals with the completed fraction of the
    /// evaluation, 0 to 1 (0 if unknown). If `stop` returns `true`, the evaluation stops.
    pub stop: &'a dyn Fn(f64) -> bool,
}

impl Episodes<'_> {
    /// Creates the parameters of an evaluation with `count` episodes that is never interrupted.
    #[must_use]
    pub fn new(count: u32, seed: u64) -> Self {
        Self { count, seed, stop: &|_| false }
    }

    /// Calls the interruption callback with the completed fraction `done` of the evaluation, 0 to 1. Returns whether
    /// the evaluation has to stop.
    #[must_use]
    pub fn is_stopped(&self, done: f64) -> bool {
        (self.stop)(done)
    }

    /// Checks that the number of episodes is in `1..=most`. If an episode has another name in this experiment, `unit`
    /// is a phrase for the error message, such as "number of boards"; otherwise `unit` is `None`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the allowed range.
    pub fn check(&self, most: u32, unit: Option<&str>) -> Result<(), LabError> {
        if (1..=most).contains(&self.count) {
            return Ok(());
        }
        let range = format!("must be a whole number from 1 to {most}");
        let allowed = unit.map_or(format!("it {range}"), |unit| format!("it is the {unit}, and {range}"));
        Err(LabError::invalid("episodes", self.count.to_string(), allowed))
    }
}
