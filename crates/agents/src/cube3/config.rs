//! What a person may choose about the learner: fields, what they mean, what is allowed.

use crate::schedule::half_cosine;
use serde::{Deserialize, Serialize};
use vivarium_config::{ConfigError, Described};
use vivarium_envs::cube::Metric;

/// Everything that can be chosen about a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cube3Config {
    /// Which turns count as one move.
    pub metric: Metric,
    /// The network sees one of the states that look alike from 48 sides for all of them.
    pub symmetries: bool,
    /// Units of a layer.
    pub width: u32,
    /// Residual blocks, of two layers each.
    pub blocks: u32,
    /// Moves of a scramble, each of which is a sample.
    pub depth: u32,
    /// Scrambles of a gradient step.
    pub scrambles: u32,
    /// Adam's step size at the start.
    pub learning_rate: f32,
    /// Adam's step size once `anneal_samples` are over.
    pub final_learning_rate: f32,
    /// Samples over which the step size falls; 0: it stays.
    pub anneal_samples: u64,
    /// λ of Adam's weight decay.
    pub weight_decay: f32,
    /// Gradients longer than this are shortened to it; 0: never.
    pub max_gradient_norm: f32,
    /// Gradient steps that the weights that solve are an average of.
    pub averaging: u32,
    /// Gradient steps of an iteration.
    pub iteration: u32,
}

impl Default for Cube3Config {
    fn default() -> Self {
        Self {
            metric: Metric::Quarter,
            symmetries: true,
            width: 512,
            blocks: 2,
            depth: 26,
            scrambles: 32,
            learning_rate: 2e-3,
            final_learning_rate: 1e-5,
            anneal_samples: 64_000_000,
            weight_decay: 0.0,
            max_gradient_norm: 1.0,
            averaging: 500,
            iteration: 100,
        }
    }
}

/// The most numbers that a network may learn.
pub const MAX_PARAMETERS: u64 = 64 << 20;

impl Cube3Config {
    /// Checks every field against its range, and the network's size against [`MAX_PARAMETERS`].
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that is not allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        let width = u64::from(self.width);
        let parameters = (2 * u64::from(self.blocks) * (width + 3) + 324 + 3 + 18) * width;
        if parameters > MAX_PARAMETERS {
            let allowed = format!("at most {MAX_PARAMETERS} weights, and {} blocks have more", self.blocks);
            return Err(self.refused("width", allowed));
        }
        Ok(())
    }

    /// Numbers that the network learns at least: those of its blocks, which are two layers each.
    #[must_use]
    pub fn least_parameters(&self) -> u64 {
        2 * u64::from(self.blocks) * u64::from(self.width) * u64::from(self.width)
    }

    /// Samples of a gradient step.
    #[must_use]
    pub fn batch(&self) -> usize {
        (self.scrambles * self.depth) as usize
    }

    /// Adam's step size after so many samples: half a cosine from the first to the final one over `anneal_samples`, then
    /// constant.
    #[must_use]
    pub fn learning_rate_at(&self, samples: u64) -> f32 {
        half_cosine(self.learning_rate, self.final_learning_rate, samples, self.anneal_samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::assert_described;

    #[test]
    fn the_default_is_allowed_and_every_field_is_described_once() {
        let config = Cube3Config::default();
        config.check().unwrap();
        assert_described(&config);
    }

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change: fn(&mut Cube3Config)| {
            let mut config = Cube3Config::default();
            change(&mut config);
            config.check().unwrap_err()
        };
        assert_eq!(refused(|c| c.depth = 0).field, "depth");
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learning_rate");
        let error = refused(|c| (c.width, c.blocks) = (4096, 4));
        assert_eq!(error.field, "width");
        assert!(error.allowed.contains("67108864 weights"), "{}", error.allowed);
    }

    #[test]
    fn the_learning_rate_falls_to_its_end() {
        let config = Cube3Config {
            learning_rate: 1.0,
            final_learning_rate: 0.5,
            anneal_samples: 8,
            ..Default::default()
        };
        assert_eq!([0, 4, 8, 99].map(|samples| config.learning_rate_at(samples)), [1.0, 0.75, 0.5, 0.5]);
        let never = Cube3Config { anneal_samples: 0, ..config };
        assert_eq!(never.learning_rate_at(99), 1.0);
    }
}
