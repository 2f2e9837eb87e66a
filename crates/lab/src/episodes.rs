//! The episodes of an evaluation.

use crate::error::LabError;

/// Episodes to evaluate a learner in.
#[derive(Clone, Copy)]
pub struct Episodes<'a> {
    /// How many. What counts as one, such as a board or a pair of games, is for the experiment to say.
    pub count: u32,
    /// What is random in them is drawn by this.
    pub seed: u64,
    /// Whether to leave the evaluation: asked between two slices of it, which may take minutes together, with the share of it that
    /// is done (0 where it is not known).
    pub stop: &'a dyn Fn(f64) -> bool,
}

impl Episodes<'_> {
    /// So many episodes, all of which are to be evaluated.
    #[must_use]
    pub fn new(count: u32, seed: u64) -> Self {
        Self { count, seed, stop: &|_| false }
    }

    /// Whether to leave the evaluation, of which this share is done.
    #[must_use]
    pub fn is_stopped(&self, done: f64) -> bool {
        (self.stop)(done)
    }

    /// Checks how many there are; `unit` says what they are, such as "number of boards", if not episodes.
    ///
    /// # Errors
    /// [`LabError::Invalid`] saying how many are allowed.
    pub fn check(&self, most: u32, unit: Option<&str>) -> Result<(), LabError> {
        if (1..=most).contains(&self.count) {
            return Ok(());
        }
        let range = format!("must be a whole number from 1 to {most}");
        let allowed = unit.map_or(format!("it {range}"), |unit| format!("it is the {unit}, and {range}"));
        Err(LabError::invalid("episodes", self.count.to_string(), allowed))
    }
}
