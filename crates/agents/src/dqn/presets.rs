//! Configs that learn each problem quickly.

use super::config::DqnConfig;

impl DqnConfig {
    /// The config that suits the problem of this name, as [`Problem::NAME`](super::Problem::NAME) gives it; the general
    /// default for any other.
    #[must_use]
    pub fn default_for(problem: &str) -> Self {
        match problem {
            // A swing that gets out of the valley takes long to come by: whatever leads there should be told at once.
            "mountain-car" => Self { return_steps: 5, epsilon_steps: 100_000, ..Self::default() },
            _ => Self::default(),
        }
    }
}
