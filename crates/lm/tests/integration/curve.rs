//! Configuration and batches of the run that is compared with PyTorch.

use vivarium_lm::encyclopedia::Encyclopedia;
use vivarium_lm::{LanguageConfig, LanguagePreset};

/// Number of gradient steps of the run that is compared with PyTorch.
pub const STEPS: usize = 50;

/// Seed of the initial weights of the run that is compared with PyTorch.
pub const SEED: u64 = 1;

/// Returns the hyperparameters of a preset with a short warm-up, so that most steps have the full learning rate.
pub fn config(preset: LanguagePreset) -> LanguageConfig {
    LanguageConfig { warm_up: 10, ..LanguageConfig::of(preset) }
}

/// Returns the vocabulary size of the preset, or the number of characters of tinyshakespeare.
pub fn vocabulary(config: &LanguageConfig) -> usize {
    if config.vocabulary == 0 { 65 } else { config.vocabulary as usize }
}

/// Returns a batch per step, sequences of context + 1 tokens: bytes of the encyclopedia modulo the vocabulary size.
pub fn batches(config: &LanguageConfig) -> Vec<Vec<u32>> {
    let articles = Encyclopedia::write(SEED, 100_000);
    let bytes: Vec<u8> = articles.articles().iter().flat_map(|article| article.text.bytes()).collect();
    let (len, rows, vocabulary) =
        (config.context as usize + 1, config.batch as usize, vocabulary(config) as u32);
    let sequence = |number: usize| {
        // A prime stride reaches all tokens.
        let start = number * 7_919 % (bytes.len() - len);
        bytes[start..start + len].iter().map(|&byte| u32::from(byte) % vocabulary)
    };
    (0..STEPS).map(|step| (step * rows..(step + 1) * rows).flat_map(sequence).collect()).collect()
}
