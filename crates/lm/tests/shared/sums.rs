//! Small model and training data for tests on CPU and GPU.

use vivarium_lm::LanguageConfig;

/// Returns the config of a small model.
pub fn small() -> LanguageConfig {
    LanguageConfig {
        context: 12,
        layers: 2,
        heads: 2,
        width: 16,
        batch: 6,
        learning_rate: 1e-2,
        final_learning_rate: 1e-3,
        warm_up: 5,
        anneal_updates: 120,
        ..LanguageConfig::default()
    }
}

/// Returns sequences in which each token is the sum of the two previous ones modulo 7. Unigram and bigram models cannot predict
/// them.
pub fn sums(config: &LanguageConfig, step: u32) -> Vec<u32> {
    let sequence = |row: u32| {
        let (mut a, mut b) = ((row * 5 + step) % 7, (row + 3 * step + 1) % 7);
        std::iter::repeat_with(move || {
            (a, b) = (b, (a + b) % 7);
            b
        })
    };
    (0..config.batch).flat_map(|row| sequence(row).take(config.context as usize + 1)).collect()
}
