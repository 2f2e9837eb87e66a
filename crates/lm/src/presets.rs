//! Named model sizes with their training hyperparameters.

use crate::config::LanguageConfig;

vivarium_config::choice! {
    /// Named model sizes in ascending order, each with training hyperparameters.
    pub enum LanguagePreset {
        /// The defaults of [`LanguageConfig`]: a BPE vocabulary of 512 tokens, 2 layers, width 64; small enough for
        /// phones.
        Tiny = "tiny",
        /// Character-level, 4 layers, width 128: nanoGPT's CPU configuration (Karpathy 2022,
        /// <https://github.com/karpathy/nanoGPT>).
        ShakespeareChar = "shakespeare-char",
        /// Vocabulary of 2,048 BPE tokens, 4 layers, width 256.
        WikiSmall = "wiki-small",
        /// Vocabulary of 8,192 BPE tokens, 6 layers, width 384.
        WikiMedium = "wiki-medium",
    }
}

impl LanguageConfig {
    /// Returns the hyperparameters of the model and its training in a preset.
    #[must_use]
    pub fn of(preset: LanguagePreset) -> Self {
        match preset {
            LanguagePreset::Tiny => Self::default(),
            LanguagePreset::ShakespeareChar => Self {
                vocabulary: 0,
                context: 64,
                layers: 4,
                heads: 4,
                width: 128,
                bias: false,
                layer_norm_bias: false,
                batch: 12,
                learning_rate: 1e-3,
                final_learning_rate: 1e-4,
                anneal_updates: 2_000,
                ..Self::default()
            },
            LanguagePreset::WikiSmall => Self {
                vocabulary: 2_048,
                context: 128,
                layers: 4,
                heads: 8,
                width: 256,
                batch: 32,
                learning_rate: 1e-3,
                final_learning_rate: 1e-4,
                ..Self::default()
            },
            LanguagePreset::WikiMedium => Self {
                vocabulary: 8_192,
                context: 128,
                layers: 6,
                heads: 6,
                width: 384,
                batch: 32,
                learning_rate: 6e-4,
                final_learning_rate: 6e-5,
                warm_up: 500,
                anneal_updates: 20_000,
                beta2: 0.95,
                ..Self::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_valid_and_found_by_name() {
        for preset in LanguagePreset::ALL {
            LanguageConfig::of(preset).check().unwrap();
            assert_eq!(LanguagePreset::named(preset.name()), Some(preset));
            assert_eq!(serde_json::to_string(&preset).unwrap(), format!("{:?}", preset.name()));
        }
        assert_eq!(LanguagePreset::named("large"), None);
    }
}
