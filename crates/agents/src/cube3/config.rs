//! Configuration of the learner: fields, help and ranges.

use vivarium_config::{Config, ConfigError};
use vivarium_envs::cube::TurnMetric;
use vivarium_learn::schedule::cosine_annealing;

vivarium_config::config! {
    /// Hyperparameters of the [`Cube3Learner`](super::Cube3Learner).
    #[derive(Clone)]
    pub struct Cube3Config {
        ["learner"]
        /// Turns that count as one move: quarter turns only, or half turns as well.
        metric: TurnMetric = TurnMetric::Quarter, "Turn metric", choice(TurnMetric::NAMES);
        /// Maps each state to one representative of its 48 rotations and reflections, so that up to 48 times fewer
        /// states have to be learned.
        symmetries: bool = true, "Symmetries", flag();
        /// Number of units per layer. Wider networks learn more per sample but are slower.
        width: u32 = 512, "Width" in "units", integer(8, 4_096);
        /// Number of residual blocks, two layers each, after the first layer.
        blocks: u32 = 2, "Blocks", integer(0, 16);
        /// Number of moves of a scramble; each move is one sample. No cube is further than 26 quarter turns from the
        /// solved state.
        depth: u32 = 26, "Scramble length" in "moves", integer(1, 100);
        /// Number of scrambles per minibatch. Each scramble contributes one sample per move.
        scrambles: u32 = 32, "Scrambles", integer(1, 4_096);
        /// Initial learning rate α of AdamW.
        learning_rate: f32 = 2e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// Learning rate at the end of the cosine decay.
        final_learning_rate: f32 = 1e-5, "Final learning rate", logarithmic(0.0, 1.0), live;
        /// Number of samples over which the learning rate decays to its final value, by half a cosine. 0 disables the
        /// decay.
        anneal_samples: u64 = 64_000_000, "Learning-rate decay steps" in "samples", integer(0, 1_000_000_000_000), live;
        /// Decoupled weight decay λ of AdamW. Does not apply to biases and LayerNorm parameters.
        weight_decay: f32 = 0.0, "Weight decay", logarithmic(0.0, 1.0), live;
        /// Maximum gradient norm. 0 disables clipping.
        #[doc(alias = "max_grad_norm")]
        #[doc(alias = "grad_clip")]
        max_gradient_norm: f32 = 1.0, "Gradient norm limit", logarithmic(0.0, 1_000.0), live;
        /// Time constant of the exponential moving average (EMA) of the weights. Cubes are solved with the averaged
        /// weights.
        ema_steps: u32 = 500, "EMA time constant" in "gradient steps", integer(1, 1_000_000), live;
        /// Number of gradient steps per iteration. Metrics are reported after each iteration.
        iteration: u32 = 100, "Iteration" in "gradient steps", integer(1, 1_000_000);
    }
}

/// Maximum number of parameters of the policy network that [`Cube3Config::check`] accepts.
pub const MAX_PARAMETERS: u64 = 64 << 20;

impl Cube3Config {
    /// Checks each hyperparameter against its range, and the size of the network against `MAX_PARAMETERS`.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid field.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        let width = u64::from(self.width);
        let parameters = (2 * u64::from(self.blocks) * (width + 3) + 324 + 3 + 18) * width;
        if parameters > MAX_PARAMETERS {
            let allowed = format!("at most {MAX_PARAMETERS} parameters with {} blocks", self.blocks);
            return Err(self.refused("width", allowed));
        }
        Ok(())
    }

    /// Returns a lower bound of the number of network parameters: the weights of the residual blocks.
    #[must_use]
    pub fn least_parameters(&self) -> u64 {
        2 * u64::from(self.blocks) * u64::from(self.width) * u64::from(self.width)
    }

    /// Returns the number of samples in the minibatch of a gradient step: number of scrambles × moves per scramble.
    #[must_use]
    pub fn batch(&self) -> usize {
        (self.scrambles * self.depth) as usize
    }

    /// Returns the learning rate after `samples` samples: falls by half a cosine from the initial to the final
    /// learning rate over `anneal_samples` samples, then remains constant.
    #[must_use]
    pub fn learning_rate_at(&self, samples: u64) -> f32 {
        cosine_annealing(self.learning_rate, self.final_learning_rate, samples, self.anneal_samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::refusal;

    #[test]
    fn invalid_fields_are_rejected() {
        let refused = |change| refusal(Cube3Config::check, change);
        assert_eq!(refused(|c| c.depth = 0).field, "learner.depth");
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learner.learning_rate");
        let error = refused(|c| (c.width, c.blocks) = (4096, 4));
        assert_eq!(error.field, "learner.width");
        assert!(error.allowed.contains("67108864 parameters"), "{}", error.allowed);
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
