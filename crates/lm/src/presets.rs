//! Models of known sizes.

use crate::config::LanguageConfig;

vivarium_config::choice! {
    /// A model and its training, chosen together; the smallest first.
    pub enum Preset {
        /// Small enough for a phone.
        Tiny = "tiny",
        /// Characters; the setting that nanoGPT suggests for a CPU (Karpathy 2022).
        ShakespeareChar = "shakespeare-char",
        /// A small vocabulary of byte pairs.
        WikiSmall = "wiki-small",
        /// A larger one.
        WikiMedium = "wiki-medium",
    }
}

impl LanguageConfig {
    /// The settings of a preset.
    #[must_use]
    pub fn of(preset: Preset) -> Self {
        match preset {
            Preset::Tiny => Self::default(),
            Preset::ShakespeareChar => Self {
                vocabulary: 0,
                context: 64,
                layers: 4,
                heads: 4,
                width: 128,
                bias: false,
                batch: 12,
                learning_rate: 1e-3,
                final_learning_rate: 1e-4,
                anneal_updates: 2_000,
                ..Self::default()
            },
            Preset::WikiSmall => Self {
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
            Preset::WikiMedium => Self {
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
    fn every_preset_is_allowed_and_goes_by_its_name() {
        for preset in Preset::ALL {
            LanguageConfig::of(preset).check().unwrap();
            assert_eq!(Preset::named(preset.name()), Some(preset));
            assert_eq!(serde_json::to_string(&preset).unwrap(), format!("{:?}", preset.name()));
        }
        assert_eq!(Preset::named("large"), None);
    }
}
