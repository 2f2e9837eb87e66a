//! Scoring of quiz questions: log-likelihoods of the four possible endings of a sentence.

use super::tokens::Probabilities;
use crate::protocol::LanguageAnswer;
use vivarium_kernels::Level;
use vivarium_kernels::rng::Stream;
use vivarium_lm::encyclopedia::Question;
use vivarium_lm::{Gpt, IncrementalDecoder, LanguageConfig, LanguageError, Tokenizer, WordCache};

/// Maximum number of quiz answers of an evaluation that are stored for display.
pub(super) const MAX_ANSWERS: usize = 64;

/// Seed of the pseudorandom order in which the four endings of a quiz question are displayed.
const ORDER: u64 = 0x9017;

/// Language model under evaluation, with its config and tokenizer.
pub(super) struct EvaluatedModel<'a> {
    pub(super) config: &'a LanguageConfig,
    pub(super) gpt: &'a mut Gpt,
    pub(super) tokenizer: &'a Tokenizer,
}

/// Computes log-likelihoods of a sentence's possible endings after a prompt. All endings reuse the KV cache of the
/// prompt.
pub(super) struct SentenceScorer {
    decoder: IncrementalDecoder,
    words: WordCache,
    /// Prompt that was processed last. The KV cache of `decoder` holds the keys and values of its tokens (`tokens`);
    /// `logits` holds the logits of the token after the prompt.
    prompt: String,
    tokens: Vec<u32>,
    logits: Vec<f32>,
}

impl SentenceScorer {
    pub(super) fn new(candidate: &EvaluatedModel<'_>) -> Result<Self, LanguageError> {
        let decoder = IncrementalDecoder::new(candidate.config, candidate.gpt.vocabulary())?;
        let (prompt, tokens, logits) = (String::new(), Vec::new(), Vec::new());
        Ok(Self { decoder, words: WordCache::default(), prompt, tokens, logits })
    }

    /// Returns the log-likelihood of the ending `end` after the prompt `prompt`, summed over the tokens of the ending,
    /// in nats.
    pub(super) fn log_likelihood(
        &mut self,
        level: Level,
        candidate: &EvaluatedModel<'_>,
        prompt: &str,
        end: &str,
    ) -> Result<f64, LanguageError> {
        if self.prompt != prompt || self.logits.is_empty() {
            self.process_prompt(level, candidate, prompt)?;
        }
        let mut tokens = Vec::new();
        candidate.tokenizer.encode(end, &mut self.words, &mut tokens)?;
        // The prompt is processed again if prompt and ending exceed the context, or if the previous ending has
        // displaced the prompt from the cache.
        let fits = self.tokens.len() + tokens.len() <= candidate.gpt.context();
        if !fits || !self.decoder.tokens().starts_with(&self.tokens) {
            self.process_prompt(level, candidate, prompt)?;
        } else {
            self.decoder.rewind(self.tokens.len());
        }
        let Some((last, others)) = tokens.split_last() else { return Ok(0.0) };
        let mut logits = &self.logits[..];
        let mut sum = 0.0;
        for &token in others {
            sum += Probabilities::new(logits).log_of(token);
            logits = self.decoder.forward(level, candidate.gpt, &[token])?;
        }
        Ok(sum + Probabilities::new(logits).log_of(*last))
    }

    /// Computes the model's forward pass on a prompt: fills the KV cache, and stores the tokens of the prompt and the
    /// logits of the token after the prompt.
    fn process_prompt(
        &mut self,
        level: Level,
        candidate: &EvaluatedModel<'_>,
        prompt: &str,
    ) -> Result<(), LanguageError> {
        self.tokens.clear();
        candidate.tokenizer.encode(prompt, &mut self.words, &mut self.tokens)?;
        self.decoder.clear();
        self.logits.clear();
        self.logits.extend_from_slice(self.decoder.forward(level, candidate.gpt, &self.tokens)?);
        prompt.clone_into(&mut self.prompt);
        Ok(())
    }
}

/// Converts the scores of a quiz question's four endings to the answer that front ends display. `by_byte` holds the
/// log-likelihood per byte of each ending. The displayed order of the endings depends only on `number`, the question's
/// index.
pub(super) fn answer(question: &Question, number: u32, by_byte: &[f64; 4]) -> LanguageAnswer {
    let mut order = [0, 1, 2, 3];
    Stream::new(ORDER, number).shuffle(&mut order);
    let endings: Vec<String> = question.endings().collect();
    // Softmax of the log-likelihoods per byte, scaled by the mean length.
    let length = endings.iter().map(String::len).sum::<usize>() as f64 / 4.0;
    let likeliest = by_byte.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = by_byte.map(|value| (length * (value - likeliest)).exp());
    let whole: f64 = weights.iter().sum();
    let place = |end: usize| order.iter().position(|&other| other == end).unwrap_or(0) as u32;
    let chosen = (0..4).max_by(|&one, &other| by_byte[one].total_cmp(&by_byte[other])).unwrap_or(0);
    LanguageAnswer {
        prompt: question.prompt.clone(),
        endings: order.map(|end| endings[end].trim_start().to_owned()),
        probabilities: order.map(|end| (weights[end] / whole) as f32),
        right: place(0),
        chosen: place(chosen),
        topic: question.relation.name().into(),
        elsewhere: question.elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::simd;

    #[test]
    fn scores_do_not_depend_on_previous_endings() {
        let config =
            LanguageConfig { context: 16, layers: 1, heads: 2, width: 16, ..LanguageConfig::default() };
        let tokenizer = Tokenizer::bpe_of_text("The capital of Peru is Lima.", 257).unwrap();
        let mut gpt = Gpt::new(&config, tokenizer.vocabulary(), 3).unwrap();
        let candidate = EvaluatedModel { config: &config, gpt: &mut gpt, tokenizer: &tokenizer };
        let prompt = "The capital is";
        // The first and the third ending exceed the context.
        let ends = [" Washington", " X", " Reykjavik", " Y"];
        let mut scorer = SentenceScorer::new(&candidate).unwrap();
        for end in ends {
            let alone = SentenceScorer::new(&candidate)
                .unwrap()
                .log_likelihood(simd::level(), &candidate, prompt, end)
                .unwrap();
            let after_others = scorer.log_likelihood(simd::level(), &candidate, prompt, end).unwrap();
            assert_eq!(after_others, alone, "{end}");
        }
    }
}
