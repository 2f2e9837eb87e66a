//! A text that is read token by token.

use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_lm::{Gpt, LanguageConfig, LanguageError, Reader, Sampling, Trainer};

const VOCABULARY: usize = 11;

fn config() -> LanguageConfig {
    LanguageConfig { context: 9, layers: 3, heads: 2, width: 20, batch: 8, ..LanguageConfig::default() }
}

fn text(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| (i * i + i / 3) % VOCABULARY as u32).collect()
}

/// −log softmax at a token.
fn surprise(logits: &[f32], token: u32) -> f64 {
    let sum: f64 = logits.iter().map(|&logit| f64::from(logit).exp()).sum();
    sum.ln() - f64::from(logits[token as usize])
}

#[test]
fn losses_are_those_of_training_however_a_text_is_cut() {
    for (tied, bias) in [(true, true), (false, false)] {
        let config = LanguageConfig { tied, bias, ..config() };
        let cpu = Cpu::new(1);
        let mut gpt = Gpt::new(cpu.level(), &config, VOCABULARY, 4).unwrap();
        let sequence = text(10);
        let expected = gpt.loss(&cpu, &sequence).unwrap();
        let mut reader = Reader::new(&config, VOCABULARY).unwrap();
        let mut sum = 0.0;
        for pair in sequence.windows(2) {
            sum += surprise(reader.read(cpu.level(), &gpt, &pair[..1]).unwrap(), pair[1]);
        }
        assert!((sum / 9.0 - expected).abs() < 1e-5, "{} instead of {expected}", sum / 9.0);

        // In three pieces, the last logits are the same.
        let whole = reader.read(cpu.level(), &gpt, &[]).is_err();
        assert!(whole);
        let mut pieces = Reader::new(&config, VOCABULARY).unwrap();
        pieces.read(cpu.level(), &gpt, &sequence[..4]).unwrap();
        pieces.read(cpu.level(), &gpt, &sequence[4..5]).unwrap();
        let last = pieces.read(cpu.level(), &gpt, &sequence[5..9]).unwrap();
        reader.clear();
        let at_once = reader.read(cpu.level(), &gpt, &sequence[..9]).unwrap();
        for (a, b) in last.iter().zip(at_once) {
            assert!((a - b).abs() < 1e-6, "{a} and {b}");
        }
    }
}

#[test]
fn what_is_too_long_is_read_from_its_latest_part_on() {
    let (config, cpu) = (config(), Cpu::new(1));
    let gpt = Gpt::new(cpu.level(), &config, VOCABULARY, 4).unwrap();
    let text = text(30);
    let [mut one, mut other] = [0, 1].map(|_| Reader::new(&config, VOCABULARY).unwrap());
    one.read(cpu.level(), &gpt, &text[..7]).unwrap();
    let logits = one.read(cpu.level(), &gpt, &text[7..12]).unwrap().to_vec();
    assert_eq!(one.tokens(), &text[7..12]);
    assert_eq!(other.read(cpu.level(), &gpt, &text[7..12]).unwrap(), logits);
    let error = one.read(cpu.level(), &gpt, &[1, 11]).unwrap_err();
    assert_eq!(error, LanguageError::Token { place: 1, token: 11, vocabulary: VOCABULARY });
    assert_eq!(one.tokens(), &text[7..12], "what is refused is not read");
}

#[test]
fn what_was_learnt_is_said() {
    // Counting round and round is learnt quickly.
    let config = LanguageConfig { learning_rate: 1e-2, warm_up: 5, anneal_updates: 100, ..config() };
    let cpu = Cpu::new(1);
    let mut trainer = Trainer::new(cpu.level(), config.clone(), VOCABULARY, 4).unwrap();
    for step in 0..100 {
        let sequences: Vec<u32> =
            (0..8).flat_map(|row| (0..10).map(move |i| (step + 3 * row + i) % VOCABULARY as u32)).collect();
        trainer.step(&cpu, &sequences).unwrap();
    }
    let (mut reader, mut random) = (Reader::new(&config, VOCABULARY).unwrap(), Stream::new(1, 1));
    let sampling = Sampling { temperature: 0.5, top_k: 3 };
    let mut token = 5;
    for _ in 0..40 {
        let logits = reader.read(cpu.level(), trainer.model(), &[token]).unwrap();
        let next = sampling.choose(logits, &mut random);
        assert_eq!(next, (token + 1) % VOCABULARY as u32);
        token = next;
    }
}
