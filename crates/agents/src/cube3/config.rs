//! What a person may choose about the learner: fields, what they mean, what is allowed.

use vivarium_config::{Config, ConfigError};
use vivarium_envs::cube::Metric;
use vivarium_learn::schedule::half_cosine;

vivarium_config::config! {
    /// Everything that can be chosen about a run.
    #[derive(Clone)]
    pub struct Cube3Config {
        ["learner"]
        /// Which turns count as one move: quarter turns, or half turns too.
        metric: Metric = Metric::Quarter, "Moves", choice(Metric::NAMES);
        /// A cube looks alike from 48 sides, mirrors included. The network sees one of those states for all of them, and
        /// has 48 times fewer to learn.
        symmetries: bool = true, "Symmetries", flag();
        /// Units of each layer of the network. Wider ones learn more from a sample, and take longer for it.
        width: u32 = 512, "Width" in "units", integer(8, 4_096);
        /// Residual blocks of two layers each, after the first layer.
        blocks: u32 = 2, "Blocks", integer(0, 16);
        /// Moves of a scramble. The network learns to undo each of them, so a scramble is as many samples. No cube is
        /// further than 26 quarter turns from being solved.
        depth: u32 = 26, "Scramble" in "moves", integer(1, 100);
        /// Scrambles averaged into one gradient step.
        scrambles: u32 = 32, "Scrambles", integer(1, 4_096);
        /// Size of an optimizer step. Too small learns slowly, too large forgets everything at once.
        learning_rate: f32 = 2e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// The learning rate once it has fallen for the whole annealing time.
        final_learning_rate: f32 = 1e-5, "Final learning rate", logarithmic(0.0, 1.0), live;
        /// Over how many samples the learning rate falls, by half a cosine. 0 keeps it as it is.
        anneal_samples: u64 = 64_000_000, "Annealing time" in "samples", integer(0, 1_000_000_000_000), live;
        /// How strongly weights are drawn back to 0. Biases and norms are left alone.
        weight_decay: f32 = 0.0, "Weight decay", logarithmic(0.0, 1.0), live;
        /// Gradients longer than this are shortened to it. 0 leaves them as they are.
        max_gradient_norm: f32 = 1.0, "Longest gradient", logarithmic(0.0, 1_000.0), live;
        /// What solves is an average of the weights over about so many steps, which is steadier than the newest ones.
        averaging: u32 = 500, "Averaging" in "gradient steps", integer(1, 1_000_000), live;
        /// Gradient steps between two reports.
        iteration: u32 = 100, "Iteration" in "gradient steps", integer(1, 1_000_000);
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
    use vivarium_config::refusal;

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change| refusal(Cube3Config::check, change);
        assert_eq!(refused(|c| c.depth = 0).field, "learner.depth");
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learner.learning_rate");
        let error = refused(|c| (c.width, c.blocks) = (4096, 4));
        assert_eq!(error.field, "learner.width");
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
