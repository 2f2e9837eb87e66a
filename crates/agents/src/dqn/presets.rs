//! Predefined DQN hyperparameters for the 2×2×2 cube.

use super::config::DqnConfig;

impl DqnConfig {
    /// Returns a config that solves the 2×2×2 cube without demonstrations: many environments, large minibatches, no
    /// discount, and a single wide hidden layer, which trains faster than several layers.
    #[must_use]
    pub fn cube2() -> Self {
        Self {
            hidden: vec![96],
            num_envs: 1_024,
            discount: 1.0,
            watkins_cutoff: true,
            epsilon: 0.2,
            epsilon_steps: 2_000_000,
            replay_capacity: 262_144,
            warm_up: 8_192,
            replay_ratio: 1.0,
            minibatch: 8_192,
            importance_samples: 10_000_000,
            target_every: 25,
            huber: 0.0,
            learning_rate: 0.02,
            final_learning_rate: 1e-5,
            anneal_samples: 250_000_000,
            max_gradient_norm: 1.0,
            curriculum_threshold: 0.6,
            curriculum_episodes: 300,
            iteration: 6,
            ..Self::default()
        }
    }

    /// Returns a config for the 2×2×2 cube that pretrains on the solver's demonstrations.
    #[must_use]
    pub fn cube2_with_demonstrations() -> Self {
        Self {
            learning_rate: 0.012,
            demonstrations: 400_000_000,
            anneal_samples: 400_000_000,
            demonstration_temperature: 0.05,
            // A small learning rate keeps reinforcement learning from degrading the exact solution.
            final_learning_rate: 1e-7,
            epsilon: 0.05,
            // All levels are open from the start.
            curriculum_threshold: 0.0,
            ..Self::cube2()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configs_of_the_cube_are_valid() {
        for config in [DqnConfig::cube2(), DqnConfig::cube2_with_demonstrations()] {
            config.check().unwrap();
        }
    }
}
