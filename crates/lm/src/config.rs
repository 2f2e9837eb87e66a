//! What a person may choose about a language model: fields, what they mean, what is allowed.

use crate::tokenizer::Bpe;
use vivarium_config::{Config, ConfigError};
use vivarium_learn::schedule::half_cosine;

vivarium_config::choice! {
    /// What turns gradients into steps.
    pub enum Optimizer {
        /// Each number by its own gradients' mean and size (Loshchilov and Hutter 2019).
        AdamW = "adamw",
        /// The matrices of the blocks along orthogonal matrices (Jordan et al. 2024), all else as AdamW does.
        Muon = "muon",
    }
}

vivarium_config::config! {
    /// Everything that can be chosen about a model and its training.
    #[derive(Clone)]
    pub struct LanguageConfig {
        ["learner"]
        /// Tokens that text is cut into: bytes, and pairs of tokens that often stand side by side. 0 makes each character
        /// a token of its own.
        vocabulary: u32 = 512, "Vocabulary" in "tokens", integer(0, 65_536);
        /// How many tokens the model sees at once.
        context: u32 = 64, "Context" in "tokens", integer(1, 2_048);
        /// Blocks that a token passes through, each an attention and a perceptron.
        layers: u32 = 2, "Layers", integer(1, 48);
        /// Ways in which each attention looks back at once. They share the width, so they must divide it.
        heads: u32 = 4, "Heads", integer(1, 64);
        /// Numbers that stand for a token while it passes through the model.
        width: u32 = 64, "Width", integer(1, 2_048);
        /// The next token is predicted with the same vectors that tokens come in as, which saves a matrix over the whole
        /// vocabulary. Otherwise the head learns vectors of its own.
        tied: bool = true, "Tied head", flag();
        /// Linear layers add a number of their own to each result.
        bias: bool = true, "Bias", flag();
        /// Sequences that a gradient step learns from.
        batch: u32 = 8, "Batch" in "sequences", integer(1, 4_096);
        /// What turns gradients into steps. AdamW moves each number by its own gradients. Muon moves the matrices of the
        /// blocks in all their directions by the same amount, which often takes fewer steps, and all else as AdamW does;
        /// it needs the processor.
        optimizer: Optimizer = Optimizer::AdamW, "Optimizer", choice(Optimizer::NAMES);
        /// The optimizer's step size once it has warmed up.
        learning_rate: f32 = 2e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// The optimizer's step size at the end of its fall.
        final_learning_rate: f32 = 2e-4, "Final learning rate", number(0.0, 1.0), live;
        /// Gradient steps over which the step size rises from little, while the optimizer learns how large gradients are.
        warm_up: u64 = 100, "Warm-up" in "gradient steps", integer(0, 1_000_000), live;
        /// Gradient steps after which the step size has fallen, along half a cosine, to the final one. With 0 it stays.
        anneal_updates: u64 = 5_000, "Fall ends after" in "gradient steps", integer(0, 1_000_000_000), live;
        /// How slowly AdamW forgets how large gradients were.
        beta2: f32 = 0.99, "β₂", number(0.0, 0.9999), live;
        /// How strongly weights shrink towards 0 with every step. Biases and norms are left alone.
        weight_decay: f32 = 0.1, "Weight decay", number(0.0, 1.0), live;
        /// Gradients longer than this are shortened to it, so that a strange sequence spoils nothing. 0 never does.
        max_gradient_norm: f32 = 1.0, "Longest gradient", number(0.0, 1_000.0), live;
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

    /// The optimizer's step size after so many gradient steps: a straight line up over the warm-up, then half a cosine down to the
    /// final one, then constant.
    #[must_use]
    pub fn learning_rate_at(&self, updates: u64) -> f32 {
        if updates < self.warm_up {
            let share = (updates + 1) as f64 / (self.warm_up + 1) as f64;
            return (f64::from(self.learning_rate) * share) as f32;
        }
        if self.anneal_updates == 0 {
            return self.learning_rate;
        }
        let falling = self.anneal_updates.saturating_sub(self.warm_up).max(1);
        half_cosine(self.learning_rate, self.final_learning_rate, updates - self.warm_up, falling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::{assert_described, refusal};

    #[test]
    fn the_default_is_allowed_and_every_field_is_described_once() {
        LanguageConfig::default().check().unwrap();
        assert_described::<LanguageConfig>();
    }

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change| refusal(LanguageConfig::check, change);
        assert_eq!(refused(|c| c.layers = 0).field, "learner.layers");
        assert_eq!(refused(|c| c.vocabulary = 100).field, "learner.vocabulary");
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learner.learning_rate");
        let error = refused(|c| c.heads = 5);
        assert_eq!(error.field, "learner.heads");
        assert!(error.allowed.contains("64"), "{}", error.allowed);
        assert_eq!(refused(|c| c.warm_up = 6_000).field, "learner.warm_up");
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
