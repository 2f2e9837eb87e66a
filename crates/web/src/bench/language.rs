//! Benchmarks of language models: training and generation in tokens per second.

use super::measurement::{CpuBenchmark, Figure, MEASUREMENT_MS, on_cpu};
use crate::clock::now;
use crate::error::SessionError;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_lab::LabError;
use vivarium_lm::{Gpt, IncrementalDecoder, LanguageConfig, LanguageError, LanguagePreset, LanguageTrainer};

/// Vocabulary size of a character tokenizer for the works of Shakespeare.
const CHARACTERS: usize = 65;

pub const BENCHMARKS: &[CpuBenchmark] = &[
    CpuBenchmark {
        name: "language/tiny/1",
        run: |name, _, _| tokens_per_second(name, &Cpu::new(1), training_speed, LanguagePreset::Tiny),
    },
    CpuBenchmark {
        name: "language/tiny/all",
        run: |name, cpu, _| tokens_per_second(name, cpu, training_speed, LanguagePreset::Tiny),
    },
    CpuBenchmark {
        name: "language/shakespeare-char/1",
        run: |name, _, _| {
            tokens_per_second(name, &Cpu::new(1), training_speed, LanguagePreset::ShakespeareChar)
        },
    },
    CpuBenchmark {
        name: "language/shakespeare-char/all",
        run: |name, cpu, _| tokens_per_second(name, cpu, training_speed, LanguagePreset::ShakespeareChar),
    },
    CpuBenchmark {
        name: "language/wiki-small/1",
        run: |name, _, _| tokens_per_second(name, &Cpu::new(1), training_speed, LanguagePreset::WikiSmall),
    },
    CpuBenchmark {
        name: "language/wiki-small/all",
        run: |name, cpu, _| tokens_per_second(name, cpu, training_speed, LanguagePreset::WikiSmall),
    },
    CpuBenchmark {
        name: "language/wiki-small/generate/1",
        run: |name, _, _| tokens_per_second(name, &Cpu::new(1), generation_speed, LanguagePreset::WikiSmall),
    },
];

/// Returns the result of the measurement `measure` for a preset.
fn tokens_per_second(
    name: &str,
    cpu: &Cpu,
    measure: fn(&Cpu, LanguagePreset) -> Result<f64, LanguageError>,
    preset: LanguagePreset,
) -> Result<Vec<Figure>, SessionError> {
    let value = measure(cpu, preset)
        .map_err(|error| LabError::invalid("learner", preset.name(), error.to_string()))?;
    Ok(vec![on_cpu(name, value, "tokens/s", cpu.threads())])
}

/// Returns the config of a preset, and the vocabulary size of the tokenizer that the preset uses.
fn config_and_vocabulary(preset: LanguagePreset) -> (LanguageConfig, usize) {
    let config = LanguageConfig::of(preset);
    let vocabulary = if config.vocabulary == 0 { CHARACTERS } else { config.vocabulary as usize };
    (config, vocabulary)
}

/// Returns the trained tokens per second, from the fastest gradient step on random tokens. `vivarium bench` measures
/// the same quantity.
fn training_speed(cpu: &Cpu, preset: LanguagePreset) -> Result<f64, LanguageError> {
    let (config, vocabulary) = config_and_vocabulary(preset);
    let (batch, context) = (config.batch as usize, config.context as usize);
    let mut trainer = LanguageTrainer::new(config, vocabulary, 1)?;
    let mut random = Stream::new(1, 1);
    let mut sequences = vec![0; batch * (context + 1)];
    let (mut best, mut steps, end) = (f64::INFINITY, 0, now() + 2.0 * MEASUREMENT_MS);
    while steps < 3 || now() < end {
        sequences.fill_with(|| random.below(vocabulary as u32));
        let began = now();
        trainer.step(cpu, &sequences)?;
        best = best.min(now() - began);
        steps += 1;
    }
    Ok(1e3 * (batch * context) as f64 / best)
}

/// Returns the tokens per second of incremental decoding with a KV cache, mean over sequences of the full context
/// length.
fn generation_speed(cpu: &Cpu, preset: LanguagePreset) -> Result<f64, LanguageError> {
    let (config, vocabulary) = config_and_vocabulary(preset);
    let gpt = Gpt::new(&config, vocabulary, 1)?;
    let mut decoder = IncrementalDecoder::new(&config, vocabulary)?;
    let mut random = Stream::new(1, 1);
    let (mut tokens, start) = (0, now());
    while now() < start + MEASUREMENT_MS {
        decoder.clear();
        for _ in 0..config.context {
            decoder.forward(cpu.level(), &gpt, &[random.below(vocabulary as u32)])?;
            tokens += 1;
        }
    }
    Ok(1e3 * f64::from(tokens) / (now() - start))
}
