//! Configs that learn each problem quickly.

use super::config::DqnConfig;

impl DqnConfig {
    /// The config that suits the problem of this name, as [`Problem::NAME`](super::Problem::NAME) gives it; the general
    /// default for any other.
    #[must_use]
    pub fn default_for(problem: &str) -> Self {
        match problem {
            // A swing that gets out of the valley takes long to come by: its reward should reach the steps before it at once.
            "mountain-car" => Self { return_steps: 5, epsilon_steps: 100_000, ..Self::default() },
            "cube2" => Self::cube2(),
            _ => Self::default(),
        }
    }

    /// Solves the cube of 2×2×2 by trying alone: many cubes side by side and large minibatches, for states are plenty and
    /// exact. Nothing is discounted, as every move costs the same. One wide layer learns faster than several.
    #[must_use]
    pub fn cube2() -> Self {
        Self {
            hidden: vec![96],
            num_envs: 1_024,
            discount: 1.0,
            watkins_cutoff: true,
            epsilon: 0.2,
            epsilon_steps: 2_000_000,
            replay: 262_144,
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

    /// The same after demonstrations of the solver, which teach nearly all that there is to know.
    #[must_use]
    pub fn cube2_with_demonstrations() -> Self {
        Self {
            learning_rate: 0.012,
            demonstrations: 400_000_000,
            anneal_samples: 400_000_000,
            demonstration_temperature: 0.05,
            // Trying alone knows less well what the solver knows exactly: it may change little of it.
            final_learning_rate: 1e-7,
            epsilon: 0.05,
            // What was taught is tried in all states at once.
            curriculum_threshold: 0.0,
            ..Self::cube2()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_has_an_allowed_config_of_its_own() {
        for name in ["mountain-car", "cube2"] {
            let config = DqnConfig::default_for(name);
            config.check().unwrap();
            assert_ne!(config, DqnConfig::default(), "{name}");
        }
        DqnConfig::cube2_with_demonstrations().check().unwrap();
    }
}
