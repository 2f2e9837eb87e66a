//! Configs that solve the worlds quickly: chosen for the time on the clock, from a search over a few dozen each.

use super::config::PpoConfig;

impl PpoConfig {
    /// The config that suits the world of this name, as [`vivarium_envs::World::NAME`] gives it; the general default for
    /// any other.
    #[must_use]
    pub fn default_for(world: &str) -> Self {
        // Fewer environments than the machine could step: small batches learn more from each of them.
        let base = Self { num_envs: 128, minibatch: 1024, ..Self::default() };
        match world {
            // Early episodes are short: what they tell about the cart's position would mislead a normalizer.
            "cartpole" => Self { normalize_observations: false, ..base },
            // Reward is the same everywhere but at the end: look far ahead, and stay curious until the top is found.
            "mountain-car" => Self {
                discount: 0.998,
                gae_lambda: 0.98,
                entropy_coefficient: 0.03,
                learning_rate: 2e-3,
                final_learning_rate: 2e-4,
                anneal_steps: 2_000_000,
                stagger: true,
                ..base
            },
            "pendulum" => {
                Self { discount: 0.95, learning_rate: 2e-3, final_learning_rate: 1e-4, stagger: true, ..base }
            }
            // The tip crosses the line by luck at first: a little curiosity, and small steps that forget nothing.
            "acrobot" => Self {
                learning_rate: 1.2e-3,
                final_learning_rate: 1.2e-4,
                anneal_steps: 500_000,
                entropy_coefficient: 0.01,
                stagger: true,
                ..base
            },
            _ => Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::{Acrobot, CartPole, MountainCar, Pendulum, World};

    #[test]
    fn every_world_has_an_allowed_config_of_its_own() {
        let of = |name| {
            let config = PpoConfig::default_for(name);
            config.check().unwrap();
            config
        };
        for name in [CartPole::NAME, MountainCar::NAME, Pendulum::NAME, Acrobot::NAME] {
            assert_ne!(of(name), PpoConfig::default(), "{name}");
        }
    }
}
