//! A small model and what it learns, for tests on the CPU and on the GPU.

use vivarium_lm::LanguageConfig;

/// A model of a few numbers.
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

/// Sequences of a text in which each token is the sum of the two before it, modulo 7: one that only counts tokens, or looks
/// at the last one alone, cannot tell the next.
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
