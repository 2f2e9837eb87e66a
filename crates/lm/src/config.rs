//! Hyperparameters of the model and its training: fields, help, ranges, learning-rate schedule.

use crate::tokenizer::Bpe;
use vivarium_config::{Config, ConfigError};
use vivarium_learn::schedule::cosine_annealing;

vivarium_config::choice! {
    /// Optimizer of a language model.
    pub enum LanguageOptimizer {
        /// AdamW (Loshchilov & Hutter 2019, <https://arxiv.org/abs/1711.05101>) for all parameters.
        AdamW = "adamw",
        /// Muon (Jordan et al. 2024, <https://kellerjordan.github.io/posts/muon/>) for the weight matrices of the
        /// blocks; AdamW for embeddings, head, biases and LayerNorm parameters.
        Muon = "muon",
    }
}

vivarium_config::choice! {
    /// Normalization of a language model.
    pub enum LanguageNorm {
        /// LayerNorm (Ba, Kiros & Hinton 2016, <https://arxiv.org/abs/1607.06450>).
        Layer = "layer",
        /// RMSNorm (Zhang & Sennrich 2019, <https://arxiv.org/abs/1910.07467>).
        Rms = "rms",
    }
}

vivarium_config::config! {
    /// Hyperparameters of a language model and its training.
    #[derive(Clone)]
    pub struct LanguageConfig {
        ["learner"]
        /// Vocabulary size of the byte-pair encoding (BPE). 0 selects a character-level tokenizer.
        #[doc(alias = "vocab_size")]
        vocabulary: u32 = 512, "Vocabulary size" in "tokens", integer(0, 65_536);
        /// Context length: the longest sequence that attention covers.
        #[doc(alias = "block_size")]
        #[doc(alias = "context_length")]
        #[doc(alias = "n_ctx")]
        context: u32 = 64, "Context length" in "tokens", integer(1, 2_048);
        /// Number of transformer blocks, each an attention layer and an MLP.
        #[doc(alias = "n_layer")]
        #[doc(alias = "num_layers")]
        layers: u32 = 2, "Layers", integer(1, 48);
        /// Number of attention heads per block. Must divide the width.
        #[doc(alias = "n_head")]
        #[doc(alias = "num_heads")]
        heads: u32 = 4, "Attention heads", integer(1, 64);
        /// Embedding width, the dimension of the residual stream.
        #[doc(alias = "n_embd")]
        #[doc(alias = "d_model")]
        width: u32 = 64, "Width", integer(1, 2_048);
        /// Weight tying: the output head shares its weights with the token embedding. Without weight tying the head has
        /// its own matrix.
        tied: bool = true, "Weight tying", flag();
        /// Adds bias vectors to the linear layers.
        bias: bool = true, "Bias", flag();
        /// Normalization before attention, MLP and output head.
        norm: LanguageNorm = LanguageNorm::Layer, "Normalization", choice(LanguageNorm::NAMES);
        /// LayerNorm adds a bias vector. nanoGPT's `bias=False` disables this field and the bias of the linear layers.
        layer_norm_bias: bool = true, "LayerNorm bias", flag();
        /// Number of sequences per gradient step.
        #[doc(alias = "batch_size")]
        batch: u32 = 8, "Batch size" in "sequences", integer(1, 4_096);
        /// AdamW, or Muon for the weight matrices of the blocks with AdamW for all other parameters. Muon runs on the
        /// CPU engine only.
        optimizer: LanguageOptimizer = LanguageOptimizer::AdamW, "Optimizer", choice(LanguageOptimizer::NAMES);
        /// Peak learning rate, reached at the end of the warm-up.
        learning_rate: f32 = 2e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// Learning rate at the end of the cosine decay.
        #[doc(alias = "min_lr")]
        final_learning_rate: f32 = 2e-4, "Final learning rate", number(0.0, 1.0), live;
        /// Number of gradient steps of the linear learning-rate warm-up.
        #[doc(alias = "warmup_iters")]
        #[doc(alias = "warmup_steps")]
        warm_up: u64 = 100, "Warm-up" in "gradient steps", integer(0, 1_000_000), live;
        /// Number of gradient steps after which the cosine decay reaches the final learning rate. 0 disables the decay.
        #[doc(alias = "lr_decay_iters")]
        #[doc(alias = "max_iters")]
        anneal_updates: u64 = 5_000, "Learning-rate decay steps" in "gradient steps", integer(0, 1_000_000_000), live;
        /// Second-moment decay β₂ of AdamW.
        beta2: f32 = 0.99, "β₂", number(0.0, 0.9999), live;
        /// Decoupled weight decay. Does not apply to biases and LayerNorm parameters.
        weight_decay: f32 = 0.1, "Weight decay", number(0.0, 1.0), live;
        /// Maximum gradient norm. 0 disables clipping.
        #[doc(alias = "max_grad_norm")]
        #[doc(alias = "grad_clip")]
        max_gradient_norm: f32 = 1.0, "Gradient norm limit", number(0.0, 1_000.0), live;
    }
}

impl LanguageConfig {
    /// Checks the range of each field and the constraints between fields.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid field.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        let minimum = Bpe::MIN_VOCABULARY as u32;
        if (1..minimum).contains(&self.vocabulary) {
            let allowed = format!("0, or at least {minimum}: 256 bytes and the end-of-document token");
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

    /// Returns the number of training tokens in `updates` gradient steps: steps · sequences per step · context length.
    #[must_use]
    pub fn tokens(&self, updates: u64) -> u64 {
        updates.saturating_mul(u64::from(self.batch) * u64::from(self.context))
    }

    /// Returns the number of floating-point operations per token of a gradient step (forward and backward pass), for a
    /// vocabulary of `vocabulary` tokens.
    ///
    /// Each weight of a matrix product counts 2 operations forward and 4 backward. Attention products count with half
    /// of the context, the average number of visible keys (Chowdhery et al. 2022, "PaLM", appendix B,
    /// <https://arxiv.org/abs/2204.02311>).
    #[must_use]
    pub fn flops_per_token(&self, vocabulary: usize) -> f64 {
        let [context, layers, width] = [self.context, self.layers, self.width].map(f64::from);
        let weights = 12.0 * layers * width * width + width * vocabulary as f64;
        6.0 * (weights + layers * width * context)
    }

    /// Returns the learning rate of the next gradient step after `updates` completed steps: linear warm-up, cosine
    /// decay, then constant.
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
        cosine_annealing(self.learning_rate, self.final_learning_rate, updates - self.warm_up, falling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::{assert_described, refusal};

    #[test]
    fn the_default_is_valid_and_every_field_is_described_once() {
        LanguageConfig::default().check().unwrap();
        assert_described::<LanguageConfig>();
    }

    #[test]
    fn out_of_range_fields_are_rejected() {
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
    fn the_learning_rate_warms_up_decays_and_stays_constant() {
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
