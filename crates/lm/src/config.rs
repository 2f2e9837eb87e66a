//! What a person may choose about a language model: fields, what they mean, what is allowed.

use crate::tokenizer::Bpe;
use serde::{Deserialize, Serialize};
use vivarium_config::{ConfigError, Described};

/// What turns gradients into steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimiser {
    /// Each number by its own gradients' mean and size (Loshchilov and Hutter 2019).
    #[default]
    AdamW,
    /// The matrices of the blocks along orthogonal matrices (Jordan et al. 2024), all else as AdamW does.
    Muon,
}

impl Optimiser {
    /// Their names, as in JSON.
    pub const NAMES: [&str; 2] = ["adamw", "muon"];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// Everything that can be chosen about a model and its training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LanguageConfig {
    /// Tokens that byte pairs are learnt for; 0: a token for each character.
    pub vocabulary: u32,
    /// Tokens of a sequence.
    pub context: u32,
    /// Blocks of attention and a perceptron.
    pub layers: u32,
    /// Heads of each attention.
    pub heads: u32,
    /// Numbers that stand for a token between the blocks.
    pub width: u32,
    /// The head multiplies with the tokens' own vectors.
    pub tied: bool,
    /// Linear layers add a bias.
    pub bias: bool,
    /// Sequences of a gradient step.
    pub batch: u32,
    /// What turns gradients into steps.
    pub optimiser: Optimiser,
    /// The optimiser's step size after the warm-up.
    pub learning_rate: f32,
    /// The optimiser's step size once `anneal_updates` are over.
    pub final_learning_rate: f32,
    /// Gradient steps in which the step size rises.
    pub warm_up: u64,
    /// Gradient steps until the step size has fallen; 0: it stays.
    pub anneal_updates: u64,
    /// β₂ of AdamW.
    pub beta2: f32,
    /// λ of the optimiser, for matrices alone.
    pub weight_decay: f32,
    /// Gradients longer than this are shortened to it; 0: never.
    pub max_gradient_norm: f32,
}

impl Default for LanguageConfig {
    /// The model for a phone.
    fn default() -> Self {
        Self {
            vocabulary: 512,
            context: 64,
            layers: 2,
            heads: 4,
            width: 64,
            tied: true,
            bias: true,
            batch: 8,
            optimiser: Optimiser::AdamW,
            learning_rate: 2e-3,
            final_learning_rate: 2e-4,
            warm_up: 100,
            anneal_updates: 5_000,
            beta2: 0.99,
            weight_decay: 0.1,
            max_gradient_norm: 1.0,
        }
    }
}

impl LanguageConfig {
    /// Checks every field against its range, and the fields against each other.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that is not allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        let fewest = Bpe::FEWEST as u32;
        if (1..fewest).contains(&self.vocabulary) {
            let allowed = format!("0, or at least {fewest}: the bytes and the end of a document");
            return Err(self.refused("vocabulary", allowed));
        }
        if !self.width.is_multiple_of(self.heads) {
            return Err(self.refused("heads", format!("must divide width, which is {}", self.width)));
        }
        if self.anneal_updates > 0 && self.warm_up > self.anneal_updates {
            let most = format!("at most anneal_updates, which is {}", self.anneal_updates);
            return Err(self.refused("warm_up", most));
        }
        Ok(())
    }

    /// Floating-point operations of a gradient step, forward and back, for each of its tokens, over a vocabulary of this many
    /// tokens: two for each weight of a product and as much twice again for the gradients, and for the products of attention,
    /// which sees half of the context on average (Chowdhery et al. 2022, "PaLM", appendix B). Multiply-adds count as two.
    #[must_use]
    pub fn flops_per_token(&self, vocabulary: usize) -> f64 {
        let [context, layers, width] = [self.context, self.layers, self.width].map(f64::from);
        let weights = 12.0 * layers * width * width + width * vocabulary as f64;
        6.0 * (weights + layers * width * context)
    }

    /// The optimiser's step size after so many gradient steps: a straight line up over the warm-up, then half a cosine down to the
    /// final one, then constant.
    #[must_use]
    pub fn learning_rate_at(&self, updates: u64) -> f32 {
        if updates < self.warm_up {
            let share = (updates + 1) as f64 / (self.warm_up + 1) as f64;
            return (f64::from(self.learning_rate) * share) as f32;
        }
        let falling = self.anneal_updates.saturating_sub(self.warm_up);
        if self.anneal_updates == 0 {
            return self.learning_rate;
        }
        let share = ((updates - self.warm_up) as f64 / falling.max(1) as f64).min(1.0);
        let left = 0.5 * (1.0 + (std::f64::consts::PI * share).cos());
        let [first, last] = [self.learning_rate, self.final_learning_rate].map(f64::from);
        (last + (first - last) * left) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::assert_described;

    #[test]
    fn the_default_is_allowed_and_every_field_is_described_once() {
        let config = LanguageConfig::default();
        config.check().unwrap();
        assert_described(&config);
    }

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change: fn(&mut LanguageConfig)| {
            let mut config = LanguageConfig::default();
            change(&mut config);
            config.check().unwrap_err()
        };
        assert_eq!(refused(|c| c.layers = 0).field, "layers");
        assert_eq!(refused(|c| c.vocabulary = 100).field, "vocabulary");
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learning_rate");
        let error = refused(|c| c.heads = 5);
        assert_eq!(error.field, "heads");
        assert!(error.allowed.contains("64"), "{}", error.allowed);
        assert_eq!(refused(|c| c.warm_up = 6_000).field, "warm_up");
    }

    #[test]
    fn the_step_size_rises_and_falls_and_stays() {
        let config = LanguageConfig {
            learning_rate: 1.0,
            final_learning_rate: 0.5,
            warm_up: 3,
            anneal_updates: 13,
            ..Default::default()
        };
        let rates = [0, 2, 3, 8, 13, u64::MAX].map(|updates| config.learning_rate_at(updates));
        assert_eq!(rates, [0.25, 0.75, 1.0, 0.75, 0.5, 0.5]);
        let never = LanguageConfig { anneal_updates: 0, ..config.clone() };
        assert_eq!(never.learning_rate_at(99), 1.0);
        let at_once = LanguageConfig { warm_up: 0, anneal_updates: 1, ..config };
        assert_eq!([0, 1].map(|updates| at_once.learning_rate_at(updates)), [1.0, 0.5]);
    }
}
