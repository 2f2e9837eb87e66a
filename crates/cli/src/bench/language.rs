//! Benchmark suite `language`: training speed of transformers in tokens per second.

use super::{BenchFigure, Reporter};
use crate::error::CliError;
use crate::machine;
use std::time::Instant;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_lm::{LanguageConfig, LanguageError, LanguagePreset, LanguageTrainer};

/// Vocabulary size of the character-level Shakespeare corpus, in characters.
const SHAKESPEARE_VOCABULARY: usize = 65;

/// Runs the benchmark suite `language` and reports the results. The benchmark of each preset measures gradient steps
/// on random tokens: forward and backward pass, gradient clipping and AdamW.
///
/// # Errors
/// [`CliError::Failed`] if training diverged.
pub fn run(reporter: &mut Reporter) -> Result<(), CliError> {
    let threads = machine::cores();
    for preset in LanguagePreset::ALL {
        let name = format!("language/{}/all", preset.name());
        if reporter.selects(&name) {
            let tokens =
                tokens_per_second(preset, threads, reporter.seconds()).map_err(CliError::failed_by)?;
            reporter.report(BenchFigure::new(name, tokens, "tokens/s").on(threads));
        }
    }
    Ok(())
}

/// Creates the learner of a preset. A preset with a character vocabulary gets the vocabulary size of Shakespeare's
/// works.
///
/// # Errors
/// [`LanguageError`] if the preset is invalid.
pub fn learner(preset: LanguagePreset) -> Result<LanguageTrainer, LanguageError> {
    let config = LanguageConfig::of(preset);
    let vocabulary = if config.vocabulary == 0 { SHAKESPEARE_VOCABULARY } else { config.vocabulary as usize };
    LanguageTrainer::new(config, vocabulary, 1)
}

/// Returns the training tokens per second of the fastest gradient step of a preset within `seconds` seconds.
///
/// # Errors
/// [`LanguageError`] if training diverged.
pub fn tokens_per_second(preset: LanguagePreset, threads: usize, seconds: f64) -> Result<f64, LanguageError> {
    let cpu = Cpu::new(threads);
    let mut trainer = learner(preset)?;
    let vocabulary = trainer.model().vocabulary();
    let (batch, context) = (trainer.config().batch as usize, trainer.config().context as usize);
    let mut random = Stream::new(1, 1);
    let mut sequences = vec![0; batch * (context + 1)];
    let (mut best, mut steps, start) = (f64::INFINITY, 0, Instant::now());
    while steps < 3 || start.elapsed().as_secs_f64() < seconds {
        sequences.fill_with(|| random.below(vocabulary as u32));
        let begin = Instant::now();
        trainer.step(&cpu, &sequences)?;
        best = best.min(begin.elapsed().as_secs_f64());
        steps += 1;
    }
    Ok((batch * context) as f64 / best)
}
