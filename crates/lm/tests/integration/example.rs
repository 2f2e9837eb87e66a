//! The example, a language model in one file, computes the weights of the production learner.

use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_lm::{LanguageConfig, LanguageTrainer};

#[allow(dead_code)]
#[path = "../../examples/language.rs"]
mod language;

#[test]
fn the_learner_fits_on_a_few_pages() {
    assert!(include_str!("../../examples/language.rs").lines().count() <= 150);
}

#[test]
fn a_language_model_in_one_file_computes_the_weights_of_the_learner() {
    let config = LanguageConfig {
        layers: 4,
        width: 128,
        batch: 12,
        learning_rate: 1e-3,
        final_learning_rate: 1e-4,
        anneal_updates: 1_000,
        ..LanguageConfig::default()
    };
    let (vocabulary, seed, steps) = (40, 3, 5);
    let tokens: Vec<u32> = (0..2_000).map(|i| i * i % 37 + i % 3).collect();
    let mut trainer = LanguageTrainer::new(config, vocabulary, seed).unwrap();
    let (cpu, mut random) = (Cpu::new(2), Stream::new(seed, 0));
    for _ in 0..steps {
        trainer.step(&cpu, &language::batch(&tokens[..1_800], &mut random)).unwrap();
    }
    let network = language::train(&tokens, vocabulary, steps, seed).unwrap();
    assert_eq!(network.weights(), trainer.model().weights());
}
