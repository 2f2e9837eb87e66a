//! Errors of learners, and their classification for the training loop.

use vivarium_config::ConfigError;

/// Error: training diverged. A loss, gradient or action is infinite or NaN. The weights are those before the failed
/// gradient step.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} is {value} after {updates} updates; it must be a finite number")]
pub struct NotFinite {
    /// Name of the quantity that is infinite or NaN, such as `the loss`.
    pub what: &'static str,
    /// Value of the quantity that is infinite or NaN.
    pub value: f64,
    /// Number of completed gradient steps.
    pub updates: u64,
}

impl NotFinite {
    /// Checks that quantities are finite after `updates` gradient steps.
    ///
    /// # Errors
    /// [`NotFinite`] for the first quantity that is not finite.
    pub fn check(
        updates: u64,
        quantities: impl IntoIterator<Item = (&'static str, f64)>,
    ) -> Result<(), Self> {
        let found = quantities.into_iter().find(|(_, value)| !value.is_finite());
        found.map_or(Ok(()), |(what, value)| Err(Self { what, value, updates }))
    }
}

/// Classification of a learner's error for the training loop. The error type of each learner converts into this type.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnerFault {
    /// A config field is invalid.
    Config(ConfigError),
    /// A saved state does not belong to this learner, for the given reason.
    State(String),
    /// Training diverged, for the given reason. The run can resume from an earlier state.
    Diverged(String),
    /// The GPU rejected a request or was lost. The run can continue on the CPU.
    #[cfg(feature = "gpu")]
    Gpu(vivarium_gpu::GpuError),
    /// The learner cannot train on a GPU currently, for the given reason.
    #[cfg(feature = "gpu")]
    CpuOnly(String),
    /// The learner does not support the request, for the given reason.
    Refused(String),
}

impl From<ConfigError> for LearnerFault {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}
