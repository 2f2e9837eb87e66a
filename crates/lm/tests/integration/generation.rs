//! Text generation: reproducible, complete characters, end of document.

use vivarium_graph::Cpu;
use vivarium_lm::{Gpt, LanguageConfig, LanguageError, LanguageTrainer, Sampling, TextGenerator, Tokenizer};

/// Returns a model that has memorized a short text.
fn taught(text: &str, tokenizer: &Tokenizer) -> (LanguageConfig, LanguageTrainer, Cpu) {
    let tokens = tokenizer.tokens(text).unwrap();
    let config = LanguageConfig {
        context: tokens.len() as u32,
        width: 32,
        batch: 1,
        learning_rate: 1e-2,
        warm_up: 5,
        anneal_updates: 150,
        ..LanguageConfig::default()
    };
    let cpu = Cpu::new(1);
    let mut trainer = LanguageTrainer::new(config.clone(), tokenizer.vocabulary(), 4).unwrap();
    let sequence = [tokens, tokenizer.end_of_document().into_iter().collect()].concat();
    for _ in 0..150 {
        trainer.step(&cpu, &sequence).unwrap();
    }
    (config, trainer, cpu)
}

/// Generates text after `prompt`, and returns up to 40 tokens as text. Stops earlier at the end of the document.
fn written(gpt: &Gpt, of: (&LanguageConfig, &Tokenizer, &Cpu), prompt: &str, how: (Sampling, u64)) -> String {
    let (config, tokenizer, cpu) = of;
    let mut writing = TextGenerator::new(cpu.level(), config, gpt, tokenizer, prompt, how).unwrap();
    let mut text = String::new();
    for _ in 0..40 {
        match writing.advance(cpu.level(), gpt, tokenizer).unwrap() {
            Some(part) => text.push_str(&part),
            None => break,
        }
    }
    text
}

const LIKELIEST: Sampling = Sampling { temperature: 0.0, top_k: 0 };

#[test]
fn a_memorized_text_is_generated_with_complete_characters() {
    // Without merges, each of these characters has three tokens.
    let tokenizer = Tokenizer::bpe_of_text("中文 字", 257).unwrap();
    let (config, trainer, cpu) = taught("中文 字", &tokenizer);
    let of = (&config, &tokenizer, &cpu);
    let text = written(trainer.model(), of, "中", (LIKELIEST, 1));
    assert_eq!(text, "文 字", "then the document ends");
}

#[test]
fn the_text_is_a_function_of_the_seed() {
    let tokenizer = Tokenizer::bpe_of_text("one two three", 257).unwrap();
    let (config, cpu) = (LanguageConfig::default(), Cpu::new(1));
    let gpt = Gpt::new(&config, tokenizer.vocabulary(), 4).unwrap();
    let of = (&config, &tokenizer, &cpu);
    let hot = Sampling { temperature: 1.0, top_k: 0 };
    let [one, again, other] = [1, 1, 2].map(|seed| written(&gpt, of, "two", (hot, seed)));
    assert_eq!(one, again);
    assert_ne!(one, other);
}

#[test]
fn invalid_prompts_are_rejected() {
    let tokenizer = Tokenizer::Characters(vivarium_lm::Characters::of_text("abc").unwrap());
    let (config, cpu) = (LanguageConfig { context: 4, ..LanguageConfig::default() }, Cpu::new(1));
    let gpt = Gpt::new(&config, tokenizer.vocabulary(), 4).unwrap();
    let begin = |prompt: &str| {
        TextGenerator::new(cpu.level(), &config, &gpt, &tokenizer, prompt, (LIKELIEST, 1))
            .map(drop)
            .unwrap_err()
    };
    assert_eq!(begin("abcab"), LanguageError::Prompt { tokens: 5, context: 4 });
    assert!(begin("abx").to_string().contains("'x'"));
    assert!(TextGenerator::new(cpu.level(), &config, &gpt, &tokenizer, "abca", (LIKELIEST, 1)).is_ok());
}
