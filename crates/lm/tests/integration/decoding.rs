//! Incremental decoding with a KV cache matches the forward pass over whole sequences.

use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_lm::{
    Gpt, IncrementalDecoder, LanguageConfig, LanguageError, LanguageNorm, LanguageTrainer, Sampling,
};

const VOCABULARY: usize = 11;

fn config() -> LanguageConfig {
    LanguageConfig { context: 9, layers: 3, heads: 2, width: 20, batch: 8, ..LanguageConfig::default() }
}

fn text(len: usize) -> Vec<u32> {
    (0..len as u32).map(|i| (i * i + i / 3) % VOCABULARY as u32).collect()
}

/// Returns the cross-entropy of a token in nats, given the logits of its distribution.
fn surprise(logits: &[f32], token: u32) -> f64 {
    let sum: f64 = logits.iter().map(|&logit| f64::from(logit).exp()).sum();
    sum.ln() - f64::from(logits[token as usize])
}

#[test]
fn losses_match_training_for_any_split_of_the_text() {
    for (tied, bias, norm) in [(true, true, LanguageNorm::Layer), (false, false, LanguageNorm::Rms)] {
        let config = LanguageConfig { tied, bias, norm, ..config() };
        let cpu = Cpu::new(1);
        let mut gpt = Gpt::new(&config, VOCABULARY, 4).unwrap();
        let sequence = text(10);
        let expected = gpt.loss(&cpu, &sequence).unwrap();
        let mut decoder = IncrementalDecoder::new(&config, VOCABULARY).unwrap();
        let mut sum = 0.0;
        for pair in sequence.windows(2) {
            sum += surprise(decoder.forward(cpu.level(), &gpt, &pair[..1]).unwrap(), pair[1]);
        }
        assert!((sum / 9.0 - expected).abs() < 1e-5, "{} instead of {expected}", sum / 9.0);

        // The logits do not depend on how the sequence is divided among calls.
        let whole = decoder.forward(cpu.level(), &gpt, &[]).is_err();
        assert!(whole);
        let mut chunks = IncrementalDecoder::new(&config, VOCABULARY).unwrap();
        chunks.forward(cpu.level(), &gpt, &sequence[..4]).unwrap();
        chunks.forward(cpu.level(), &gpt, &sequence[4..5]).unwrap();
        let last = chunks.forward(cpu.level(), &gpt, &sequence[5..9]).unwrap();
        decoder.clear();
        let at_once = decoder.forward(cpu.level(), &gpt, &sequence[..9]).unwrap();
        for (a, b) in last.iter().zip(at_once) {
            assert!((a - b).abs() < 1e-6, "{a} and {b}");
        }
    }
}

#[test]
fn the_network_for_export_has_the_logits_of_decoding() {
    for (tied, bias, norm) in [(true, true, LanguageNorm::Layer), (false, false, LanguageNorm::Rms)] {
        let config = LanguageConfig { tied, bias, norm, ..config() };
        let (cpu, gpt) = (Cpu::new(1), Gpt::new(&config, VOCABULARY, 4).unwrap());
        let sequence = text(9);
        let input: Vec<f32> = sequence.iter().map(|&token| token as f32).collect();
        let logits = gpt.inference_network(&config).unwrap().evaluate(1, &input).unwrap().remove(0);
        let mut decoder = IncrementalDecoder::new(&config, VOCABULARY).unwrap();
        for (token, logits) in sequence.iter().zip(logits.chunks_exact(VOCABULARY)) {
            let expected = decoder.forward(cpu.level(), &gpt, &[*token]).unwrap();
            for (a, b) in logits.iter().zip(expected) {
                assert!((a - b).abs() < 1e-5, "{a} and {b}");
            }
        }
    }
}

#[test]
fn a_full_context_restarts_from_the_last_half() {
    let (config, cpu) = (config(), Cpu::new(1));
    let gpt = Gpt::new(&config, VOCABULARY, 4).unwrap();
    let text = text(30);
    let [mut one, mut other] = [0, 1].map(|_| IncrementalDecoder::new(&config, VOCABULARY).unwrap());
    one.forward(cpu.level(), &gpt, &text[..7]).unwrap();
    let logits = one.forward(cpu.level(), &gpt, &text[7..12]).unwrap().to_vec();
    assert_eq!(one.tokens(), &text[7..12]);
    assert_eq!(other.forward(cpu.level(), &gpt, &text[7..12]).unwrap(), logits);
    let error = one.forward(cpu.level(), &gpt, &[1, 11]).unwrap_err();
    assert_eq!(error, LanguageError::Token { place: 1, token: 11, vocabulary: VOCABULARY });
    assert_eq!(one.tokens(), &text[7..12], "rejected tokens are not cached");
}

#[test]
fn a_trained_model_generates_the_training_text() {
    // A repeating sequence is learned quickly.
    let config = LanguageConfig { learning_rate: 1e-2, warm_up: 5, anneal_updates: 100, ..config() };
    let cpu = Cpu::new(1);
    let mut trainer = LanguageTrainer::new(config.clone(), VOCABULARY, 4).unwrap();
    for step in 0..100 {
        let sequences: Vec<u32> =
            (0..8).flat_map(|row| (0..10).map(move |i| (step + 3 * row + i) % VOCABULARY as u32)).collect();
        trainer.step(&cpu, &sequences).unwrap();
    }
    let (mut decoder, mut random) =
        (IncrementalDecoder::new(&config, VOCABULARY).unwrap(), Stream::new(1, 1));
    let sampling = Sampling { temperature: 0.5, top_k: 3 };
    let mut token = 5;
    for _ in 0..40 {
        let logits = decoder.forward(cpu.level(), trainer.model(), &[token]).unwrap();
        let next = sampling.sample(logits, &mut random);
        assert_eq!(next, (token + 1) % VOCABULARY as u32);
        token = next;
    }
}

#[test]
fn the_cache_can_be_truncated() {
    let (config, cpu) = (config(), Cpu::new(1));
    let gpt = Gpt::new(&config, VOCABULARY, 4).unwrap();
    let [mut one, mut other] = [0, 1].map(|_| IncrementalDecoder::new(&config, VOCABULARY).unwrap());
    let [prompt, end] = [&text(4)[..], &[7, 2, 5]];
    one.forward(cpu.level(), &gpt, prompt).unwrap();
    one.forward(cpu.level(), &gpt, &[1, 1, 3, 9]).unwrap();
    one.rewind(prompt.len());
    assert_eq!(one.tokens(), prompt);
    other.forward(cpu.level(), &gpt, prompt).unwrap();
    let expected = other.forward(cpu.level(), &gpt, end).unwrap().to_vec();
    assert_eq!(one.forward(cpu.level(), &gpt, end).unwrap(), expected);
    one.rewind(99);
    assert_eq!(one.tokens().len(), 7, "the cache cannot grow");
    one.rewind(0);
    assert_eq!(one.forward(cpu.level(), &gpt, prompt).unwrap(), {
        other.clear();
        other.forward(cpu.level(), &gpt, prompt).unwrap()
    });
}

/// Returns the attention weights of the first layer by definition, \[heads, n, n\].
fn attention_of_first_layer(gpt: &Gpt, config: &LanguageConfig, tokens: &[u32]) -> Vec<f64> {
    let tensors = gpt.tensors();
    let of = |name: &str| -> Vec<f64> {
        let tensor = tensors.iter().find(|tensor| tensor.name == name).unwrap();
        let vivarium_graph::TensorData::F32(values) = &tensor.values else { panic!("{name} has numbers") };
        values.iter().copied().map(f64::from).collect()
    };
    let (width, heads, n) = (config.width as usize, config.heads as usize, tokens.len());
    let [words, places, scale, shift, weights, bias] = [
        "wte.weight",
        "wpe.weight",
        "h.0.ln_1.weight",
        "h.0.ln_1.bias",
        "h.0.attn.c_attn.weight",
        "h.0.attn.c_attn.bias",
    ]
    .map(of);
    let asks = |place: usize| -> Vec<f64> {
        let x: Vec<f64> = (0..width)
            .map(|i| words[tokens[place] as usize * width + i] + places[place * width + i])
            .collect();
        let mean = x.iter().sum::<f64>() / width as f64;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / width as f64;
        let h: Vec<f64> =
            (0..width).map(|i| (x[i] - mean) / (variance + 1e-5).sqrt() * scale[i] + shift[i]).collect();
        // GPT-2 checkpoints store weights as \[inputs, outputs\].
        (0..2 * width)
            .map(|o| bias[o] + (0..width).map(|i| h[i] * weights[i * 3 * width + o]).sum::<f64>())
            .collect()
    };
    let asked: Vec<Vec<f64>> = (0..n).map(asks).collect();
    let (mut found, head_width) = (Vec::new(), width / heads);
    for head in 0..heads {
        for row in 0..n {
            let score = |column: usize| -> f64 {
                let columns = head * head_width..(head + 1) * head_width;
                let sum: f64 = columns.map(|i| asked[row][i] * asked[column][width + i]).sum();
                (sum / (head_width as f64).sqrt()).exp()
            };
            let whole: f64 = (0..=row).map(score).sum();
            found.extend((0..n).map(|column| if column <= row { score(column) / whole } else { 0.0 }));
        }
    }
    found
}

#[test]
fn attention_weights_match_the_definition() {
    let (config, cpu) = (config(), Cpu::new(1));
    let mut trainer = LanguageTrainer::new(config.clone(), VOCABULARY, 4).unwrap();
    for _ in 0..30 {
        trainer.step(&cpu, &text(10)).unwrap();
    }
    let gpt = trainer.model();
    let mut decoder = IncrementalDecoder::new(&config, VOCABULARY).unwrap();
    assert!(decoder.attention(0, 9).is_empty(), "the cache is empty");
    decoder.forward(cpu.level(), gpt, &text(7)).unwrap();
    let found = decoder.attention(0, 99);
    let expected = attention_of_first_layer(gpt, &config, &text(7));
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert!((f64::from(*found) - expected).abs() < 1e-4, "{found} instead of {expected}");
    }
    // The weights among the last three tokens are a submatrix of the weights among all tokens.
    let part = decoder.attention(0, 3);
    assert_eq!(part.len(), 2 * 3 * 3);
    for (place, weight) in part.iter().enumerate() {
        let (head, row, column) = (place / 9, place / 3 % 3 + 4, place % 3 + 4);
        assert_eq!(*weight, found[head * 49 + row * 7 + column]);
    }
    assert!(decoder.attention(3, 7).is_empty(), "the layer does not exist");
}
