//! The run whose losses are compared with PyTorch's: what it learns from.

use vivarium_lm::encyclopedia::Encyclopedia;
use vivarium_lm::{LanguageConfig, LanguagePreset};

/// Gradient steps of the run.
pub const STEPS: usize = 50;

/// What the weights begin from.
pub const SEED: u64 = 1;

/// The settings of a preset, with a warm-up so short that most steps are of full size.
pub fn config(preset: LanguagePreset) -> LanguageConfig {
    LanguageConfig { warm_up: 10, ..LanguageConfig::of(preset) }
}

/// Tokens that the model knows: as many as the preset has, or as Shakespeare's works have characters.
pub fn vocabulary(config: &LanguageConfig) -> usize {
    if config.vocabulary == 0 { 65 } else { config.vocabulary as usize }
}

/// A batch for each step, of sequences of context + 1 tokens: bytes of the encyclopedia, wrapped around to the vocabulary.
pub fn batches(config: &LanguageConfig) -> Vec<Vec<u32>> {
    let articles = Encyclopedia::write(SEED, 100_000);
    let bytes: Vec<u8> = articles.articles().iter().flat_map(|article| article.text.bytes()).collect();
    let (len, rows, vocabulary) =
        (config.context as usize + 1, config.batch as usize, vocabulary(config) as u32);
    let sequence = |number: usize| {
        // A number that shares no divisor with others takes them to all places in turn.
        let start = number * 7_919 % (bytes.len() - len);
        bytes[start..start + len].iter().map(|&byte| u32::from(byte) % vocabulary)
    };
    (0..STEPS).map(|step| (step * rows..(step + 1) * rows).flat_map(sequence).collect()).collect()
}
