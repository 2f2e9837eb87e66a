//! Default hyperparameters per environment: the configs that solved the environment in the shortest wall-clock time,
//! out of a few dozen configs.

use super::config::PpoConfig;

impl PpoConfig {
    /// Returns the default config of an environment, given its [`World::NAME`](vivarium_envs::World::NAME), or the
    /// general default for an unknown name.
    #[must_use]
    pub fn default_for(world: &str) -> Self {
        // Fewer environments than the general default, since small batches are more sample-efficient.
        let base = Self { num_envs: 128, minibatch: 1024, ..Self::default() };
        match world {
            // Early episodes are short; the running moments of the cart's position would be too small at first.
            "cartpole" => Self { normalize_observations: false, ..base },
            // The reward is constant until the goal: this config uses a long horizon, and an entropy bonus for
            // exploration until the goal is found.
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
            // The goal is first reached by chance: this config uses a small entropy bonus and a small learning rate.
            "acrobot" => Self {
                learning_rate: 1.2e-3,
                final_learning_rate: 1.2e-4,
                anneal_steps: 500_000,
                entropy_coefficient: 0.01,
                stagger: true,
                ..base
            },
            // The reward is 0 or 1 and rare: its deviation, by which normalization divides, is 0 at first.
            "frozen-lake" => Self {
                entropy_coefficient: 0.01,
                entropy_steps: 500_000,
                normalize_observations: false,
                normalize_rewards: false,
                ..base
            },
            // A longer way: the entropy bonus and the learning rate decay more slowly.
            "frozen-lake-8x8" => Self {
                discount: 0.995,
                entropy_coefficient: 0.02,
                entropy_steps: 1_500_000,
                anneal_steps: 2_000_000,
                normalize_observations: false,
                normalize_rewards: false,
                ..base
            },
            _ => Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::{World, each_world};

    #[test]
    fn every_environment_has_a_valid_config_of_its_own() {
        fn check<W: World>() {
            let config = PpoConfig::default_for(W::NAME);
            config.check().unwrap();
            assert_ne!(config, PpoConfig::default(), "{}", W::NAME);
        }
        each_world!(check());
    }
}
