//! Unigram, bigram and trigram baselines for the held-out loss, with interpolated Witten–Bell smoothing.
//!
//! Smoothing after Witten & Bell 1991, "The zero-frequency problem", in the interpolated form of Chen & Goodman 1999,
//! "An Empirical Study of Smoothing Techniques for Language Modeling" (<https://doi.org/10.1006/csla.1999.0128>). For a
//! context that occurs c times with d distinct successors, p(w) = (c(w) + d · p′(w)) / (c + d). p′ is the distribution
//! of the context without its first token; the unigram model interpolates with the uniform distribution. There are no
//! tuned parameters.

use crate::tokenizer::FastMap;

/// Held-out losses of n-gram models: cross-entropies in nats per token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baselines {
    /// Loss of the uniform distribution: ln(vocabulary size).
    pub uniform: f64,
    /// Loss of the unigram model, which predicts the relative frequency of each token.
    pub unigram: f64,
    /// Loss of the bigram model, which conditions on the previous token.
    pub bigram: f64,
    /// Loss of the trigram model, which conditions on the two previous tokens.
    pub trigram: f64,
}

impl Baselines {
    /// Counts the n-grams of the tokens `training`, and returns the losses on the tokens `validation`; `None` if either
    /// list is empty.
    ///
    /// # Panics
    /// Panics if a token is not below `vocabulary`.
    #[must_use]
    pub fn new(vocabulary: usize, training: &[u32], validation: &[u32]) -> Option<Self> {
        let mut counting = BaselineCounter::new(vocabulary);
        while counting.advance(training, validation, usize::MAX) {}
        counting.baselines()
    }
}

/// Incremental computation of [`Baselines`]: counts n-grams of the training tokens, then predicts the validation
/// tokens.
pub struct BaselineCounter {
    counts: NgramCounts,
    /// Number of training tokens counted so far.
    counted: usize,
    /// Number of validation tokens predicted so far.
    predicted: usize,
    /// Sums of the losses over the validation tokens predicted so far, in nats: unigram, bigram and trigram model.
    sums: [f64; 3],
}

impl BaselineCounter {
    /// Creates the computation for a vocabulary of `vocabulary` tokens; no n-grams are counted yet.
    #[must_use]
    pub fn new(vocabulary: usize) -> Self {
        Self { counts: NgramCounts::new(vocabulary), counted: 0, predicted: 0, sums: [0.0; 3] }
    }

    /// Counts up to `most` further tokens of `training`. After the last training token, each call predicts up to `most`
    /// tokens of `validation`. Returns whether tokens remain. Every call must pass the same arguments `training` and
    /// `validation`.
    ///
    /// # Panics
    /// Panics if a token is not below the vocabulary size.
    pub fn advance(&mut self, training: &[u32], validation: &[u32], most: usize) -> bool {
        let Self { counts, counted, predicted, sums } = self;
        let slice = |done: usize, tokens: &[u32]| done..tokens.len().min(done.saturating_add(most));
        if *counted < training.len() {
            for place in slice(*counted, training) {
                counts.add(&training[place.saturating_sub(2)..place], training[place]);
                *counted += 1;
            }
        } else {
            for place in slice(*predicted, validation) {
                let context = &validation[place.saturating_sub(2)..place];
                let probabilities = counts.probabilities(context, validation[place]);
                sums.iter_mut().zip(probabilities).for_each(|(sum, probability)| *sum -= probability.ln());
                *predicted += 1;
            }
        }
        *counted < training.len() || *predicted < validation.len()
    }

    /// Returns the fraction of tokens processed so far, 0 to 1. `tokens` is the total number of training and validation
    /// tokens.
    #[must_use]
    pub fn done(&self, tokens: usize) -> f64 {
        (self.counted + self.predicted) as f64 / tokens.max(1) as f64
    }

    /// Returns the mean losses over the validation tokens predicted so far; `None` if no token has been counted or
    /// predicted.
    #[must_use]
    pub fn baselines(&self) -> Option<Baselines> {
        if self.counted == 0 || self.predicted == 0 {
            return None;
        }
        let [unigram, bigram, trigram] = self.sums.map(|sum| sum / self.predicted as f64);
        Some(Baselines { uniform: (self.counts.unigrams.len() as f64).ln(), unigram, bigram, trigram })
    }
}

/// Statistics of the tokens that follow one n-gram context: number of occurrences, and number of distinct tokens.
#[derive(Clone, Copy, Default)]
struct ContextCounts {
    /// Number of tokens that followed the context in the training text: c in the smoothing formula of the
    /// [module](self).
    total: u32,
    /// Number of distinct tokens that followed the context: d in the smoothing formula of the [module](self).
    distinct: u32,
}

impl ContextCounts {
    /// Counts one more token that follows the context. `before` is the number of times that the same token has followed
    /// the context before.
    fn add(&mut self, before: u32) {
        self.total += 1;
        self.distinct += u32::from(before == 0);
    }

    /// Returns the smoothed probability that a certain token follows the context, if the token has followed the context
    /// `count` times. `lower` is the token's probability according to the model of the next lower order.
    fn probability(self, count: u32, lower: f64) -> f64 {
        let distinct = f64::from(self.distinct);
        match self.total {
            0 => lower,
            total => (f64::from(count) + distinct * lower) / (f64::from(total) + distinct),
        }
    }
}

/// Unigram, bigram and trigram counts of the training tokens.
struct NgramCounts {
    unigrams: Vec<u32>,
    empty_context: ContextCounts,
    bigrams: FastMap<u64, u32>,
    one_token_contexts: Vec<ContextCounts>,
    trigrams: FastMap<(u64, u32), u32>,
    two_token_contexts: FastMap<u64, ContextCounts>,
}

fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// Increments the count of `key` in a table of n-gram counts. Returns the count before the increment.
fn increment<K: std::hash::Hash + Eq>(table: &mut FastMap<K, u32>, key: K) -> u32 {
    let count = table.entry(key).or_default();
    *count += 1;
    *count - 1
}

impl NgramCounts {
    fn new(vocabulary: usize) -> Self {
        Self {
            unigrams: vec![0; vocabulary],
            empty_context: ContextCounts::default(),
            bigrams: FastMap::default(),
            one_token_contexts: vec![ContextCounts::default(); vocabulary],
            trigrams: FastMap::default(),
            two_token_contexts: FastMap::default(),
        }
    }

    /// Increments the unigram, bigram and trigram counts of `token`, which follows the tokens `context`.
    fn add(&mut self, context: &[u32], token: u32) {
        let unigram = &mut self.unigrams[token as usize];
        self.empty_context.add(*unigram);
        *unigram += 1;
        let [.., last] = *context else { return };
        let before = increment(&mut self.bigrams, pair(last, token));
        self.one_token_contexts[last as usize].add(before);
        let [.., first, _] = *context else { return };
        let before = increment(&mut self.trigrams, (pair(first, last), token));
        self.two_token_contexts.entry(pair(first, last)).or_default().add(before);
    }

    /// Returns the unigram, bigram and trigram probability of `token` after `context`. After a context of one token,
    /// the trigram model returns the bigram probability; after an empty context, all three models return the unigram
    /// probability.
    fn probabilities(&self, context: &[u32], token: u32) -> [f64; 3] {
        let uniform = 1.0 / self.unigrams.len() as f64;
        let unigram = self.empty_context.probability(self.unigrams[token as usize], uniform);
        let [.., last] = *context else { return [unigram; 3] };
        let count = self.bigrams.get(&pair(last, token)).copied().unwrap_or(0);
        let bigram = self.one_token_contexts[last as usize].probability(count, unigram);
        let [.., first, _] = *context else { return [unigram, bigram, bigram] };
        let successors = self.two_token_contexts.get(&pair(first, last)).copied().unwrap_or_default();
        let count = self.trigrams.get(&(pair(first, last), token)).copied().unwrap_or(0);
        [unigram, bigram, successors.probability(count, bigram)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::rng::Stream;

    fn random_tokens(length: usize, vocabulary: u32) -> Vec<u32> {
        let mut stream = Stream::new(1, 2);
        // Skewed frequencies; each token depends on the previous one.
        let mut last = 0;
        let mut next = || {
            last = (last + stream.below(vocabulary).min(stream.below(vocabulary))) % vocabulary;
            last
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn probabilities_are_those_of_the_formula_and_sum_to_one() {
        let (tokens, vocabulary) = (random_tokens(60, 6), 8);
        let mut counting = BaselineCounter::new(vocabulary);
        counting.advance(&tokens, &[], usize::MAX);
        let counts = counting.counts;
        // Direct evaluation of the formula.
        let slow = |context: &[u32], token: u32| {
            let mut probability = 1.0 / vocabulary as f64;
            for length in 0..=context.len() {
                let context = &context[context.len() - length..];
                let after = tokens.windows(length + 1).filter(|part| &part[..length] == context);
                let after: Vec<u32> = after.map(|part| part[length]).collect();
                let mut different = after.clone();
                different.sort_unstable();
                different.dedup();
                if !after.is_empty() {
                    let count = after.iter().filter(|&&other| other == token).count() as f64;
                    let (times, different) = (after.len() as f64, different.len() as f64);
                    probability = (count + different * probability) / (times + different);
                }
            }
            probability
        };
        for first in 0..vocabulary as u32 {
            for second in 0..vocabulary as u32 {
                let mut sums = [0.0; 3];
                for token in 0..vocabulary as u32 {
                    let found = counts.probabilities(&[first, second], token);
                    let expected = [slow(&[], token), slow(&[second], token), slow(&[first, second], token)];
                    for ((sum, found), expected) in sums.iter_mut().zip(found).zip(expected) {
                        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
                        *sum += found;
                    }
                }
                assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12), "{sums:?}");
            }
        }
    }

    #[test]
    fn entropies_are_those_of_the_source() {
        // A three-bit shift register; the new bit is 1 with probability 1/4.
        let mut stream = Stream::new(5, 0);
        let mut last = 0;
        let mut next = |_| {
            last = (2 * last + u32::from(stream.below(4) == 0)) % 8;
            last
        };
        let text: Vec<u32> = (0..400_000).map(&mut next).collect();
        let (training, validation) = text.split_at(300_000);
        let found = Baselines::new(8, training, validation).unwrap();
        let entropy = -(0.75 * 0.75f64.ln() + 0.25 * 0.25f64.ln());
        assert!((found.uniform - 8f64.ln()).abs() < 1e-12);
        assert!((found.bigram - entropy).abs() < 0.01, "{found:?}");
        assert!((found.trigram - entropy).abs() < 0.01, "{found:?}");
        assert!((found.unigram - 3.0 * entropy).abs() < 0.01, "{found:?}");
    }

    #[test]
    fn incremental_and_single_call_agree() {
        let tokens = random_tokens(3_000, 40);
        let (training, validation) = tokens.split_at(2_500);
        for most in [1, 7, 499, 2_500] {
            let (mut counting, mut slices) = (BaselineCounter::new(40), 1);
            while counting.advance(training, validation, most) {
                slices += 1;
            }
            assert_eq!(slices, 2_500_usize.div_ceil(most) + 500_usize.div_ceil(most));
            assert_eq!(counting.baselines(), Baselines::new(40, training, validation));
        }
    }

    #[test]
    fn unseen_tokens_have_a_finite_loss() {
        let found = Baselines::new(10, &[1, 2, 1, 2, 1, 2], &[9, 9, 9]).unwrap();
        assert!(found.unigram > found.uniform && found.unigram.is_finite(), "{found:?}");
        assert!(found.trigram.is_finite());
        assert_eq!(Baselines::new(10, &[], &[1]), None);
        assert_eq!(Baselines::new(10, &[1], &[]), None);
        // A deterministic sequence.
        let again = [1, 2, 3].repeat(1000);
        let found = Baselines::new(10, &again, &again).unwrap();
        assert!(found.bigram < 0.01 && found.unigram > 1.0, "{found:?}");
    }
}
