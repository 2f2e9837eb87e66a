//! The error of training that diverged, and what an error of a learner means to whoever runs it.

use vivarium_config::ConfigError;

/// A loss, a gradient or an action is infinite or not a number. The weights are those before the gradient step that would have
/// spoiled them.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} is {value} after {updates} updates; it must be a finite number")]
pub struct NotFinite {
    /// The quantity, such as `the loss`.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// Gradient steps taken before.
    pub updates: u64,
}

impl NotFinite {
    /// Checks some quantities after this many gradient steps.
    ///
    /// # Errors
    /// [`NotFinite`] for the first one that is not finite.
    pub fn check(
        updates: u64,
        quantities: impl IntoIterator<Item = (&'static str, f64)>,
    ) -> Result<(), Self> {
        let found = quantities.into_iter().find(|(_, value)| !value.is_finite());
        found.map_or(Ok(()), |(what, value)| Err(Self { what, value, updates }))
    }
}

/// What an error of a learner means to whoever runs it. Every learner's own error says so by becoming one of these.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnerFault {
    /// A field of the config is not acceptable.
    Config(ConfigError),
    /// A saved state is not one of this learner, for this reason.
    State(String),
    /// Training diverged, in this way; an earlier state may go on.
    Diverged(String),
    /// The GPU refused, or is gone; the learner may go on on the CPU.
    #[cfg(feature = "gpu")]
    Gpu(vivarium_gpu::GpuError),
    /// The learner cannot do what it was asked to, for this reason.
    Refused(String),
}

impl From<ConfigError> for LearnerFault {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}
