//! What simple counting achieves on a text: levels for a loss curve to fall below.
//!
//! Counts are smoothed by interpolation after Witten and Bell ("The zero-frequency problem", 1991, in the form of Chen and
//! Goodman, "An Empirical Study of Smoothing Techniques for Language Modeling", 1999): after a context seen c times with
//! d different followers, p(w) = (c(w) + d · p′(w)) / (c + d), where p′ is that of the context without its first token,
//! and below the single token the uniform one. It has no parameter that somebody could have tuned.

use crate::tokenizer::Table;

/// Cross-entropies on held-out text, in nats per token: what a model that counts would have as its loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baselines {
    /// Every token is as likely as any other.
    pub uniform: f64,
    /// Tokens are as likely as they are frequent.
    pub unigram: f64,
    /// They depend on the token before.
    pub bigram: f64,
    /// They depend on the two tokens before.
    pub trigram: f64,
}

impl Baselines {
    /// Counts `training` and predicts `validation`, tokens below `vocabulary`; `None` if either is empty.
    ///
    /// # Panics
    /// If a token is not below `vocabulary`.
    #[must_use]
    pub fn new(vocabulary: usize, training: &[u32], validation: &[u32]) -> Option<Self> {
        let mut counting = Counting::new(vocabulary);
        while counting.advance(training, validation, usize::MAX) {}
        counting.baselines()
    }
}

/// Counts one text and predicts another, some tokens at a time.
pub struct Counting {
    counts: Counts,
    /// How many tokens have been counted, and predicted.
    counted: usize,
    predicted: usize,
    /// The losses of those that were predicted: by one token, two and three.
    sums: [f64; 3],
}

impl Counting {
    /// Of tokens below `vocabulary`.
    #[must_use]
    pub fn new(vocabulary: usize) -> Self {
        Self { counts: Counts::new(vocabulary), counted: 0, predicted: 0, sums: [0.0; 3] }
    }

    /// Counts up to `most` tokens of `training`, or predicts as many of `validation` once all are counted. Both are the same
    /// every time. Returns whether there are more.
    ///
    /// # Panics
    /// As [`Baselines::new`].
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

    /// The share that is done of so many tokens in both.
    #[must_use]
    pub fn done(&self, tokens: usize) -> f64 {
        (self.counted + self.predicted) as f64 / tokens.max(1) as f64
    }

    /// What came of it; `None` if nothing was counted or predicted.
    #[must_use]
    pub fn baselines(&self) -> Option<Baselines> {
        if self.counted == 0 || self.predicted == 0 {
            return None;
        }
        let [unigram, bigram, trigram] = self.sums.map(|sum| sum / self.predicted as f64);
        Some(Baselines { uniform: (self.counts.ones.len() as f64).ln(), unigram, bigram, trigram })
    }
}

/// How often a context was followed by anything, and by how many different tokens.
#[derive(Clone, Copy, Default)]
struct Followed {
    times: u32,
    different: u32,
}

impl Followed {
    /// Counts a follower that has been seen `before` so many times after this context.
    fn add(&mut self, before: u32) {
        self.times += 1;
        self.different += u32::from(before == 0);
    }

    /// The smoothed probability of a token that followed `count` times, where the shorter context has `lower`.
    fn probability(self, count: u32, lower: f64) -> f64 {
        let different = f64::from(self.different);
        match self.times {
            0 => lower,
            times => (f64::from(count) + different * lower) / (f64::from(times) + different),
        }
    }
}

/// How often tokens, pairs and triples occur.
struct Counts {
    ones: Vec<u32>,
    any: Followed,
    pairs: Table<u64, u32>,
    after_one: Vec<Followed>,
    triples: Table<(u64, u32), u32>,
    after_two: Table<u64, Followed>,
}

fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// Adds one to what a table has under a key; returns what it had.
fn increment<K: std::hash::Hash + Eq>(table: &mut Table<K, u32>, key: K) -> u32 {
    let count = table.entry(key).or_default();
    *count += 1;
    *count - 1
}

impl Counts {
    fn new(vocabulary: usize) -> Self {
        Self {
            ones: vec![0; vocabulary],
            any: Followed::default(),
            pairs: Table::default(),
            after_one: vec![Followed::default(); vocabulary],
            triples: Table::default(),
            after_two: Table::default(),
        }
    }

    /// Counts a token after those of `context`, of which the last two matter.
    fn add(&mut self, context: &[u32], token: u32) {
        let one = &mut self.ones[token as usize];
        self.any.add(*one);
        *one += 1;
        let [.., last] = *context else { return };
        let before = increment(&mut self.pairs, pair(last, token));
        self.after_one[last as usize].add(before);
        let [.., first, _] = *context else { return };
        let before = increment(&mut self.triples, (pair(first, last), token));
        self.after_two.entry(pair(first, last)).or_default().add(before);
    }

    /// How likely a token is by itself, after the last token of `context`, and after the last two; where there are fewer,
    /// as after those that there are.
    fn probabilities(&self, context: &[u32], token: u32) -> [f64; 3] {
        let uniform = 1.0 / self.ones.len() as f64;
        let one = self.any.probability(self.ones[token as usize], uniform);
        let [.., last] = *context else { return [one; 3] };
        let count = self.pairs.get(&pair(last, token)).copied().unwrap_or(0);
        let two = self.after_one[last as usize].probability(count, one);
        let [.., first, _] = *context else { return [one, two, two] };
        let followed = self.after_two.get(&pair(first, last)).copied().unwrap_or_default();
        let count = self.triples.get(&(pair(first, last), token)).copied().unwrap_or(0);
        [one, two, followed.probability(count, two)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::rng::Stream;

    fn drawn(length: usize, vocabulary: u32) -> Vec<u32> {
        let mut stream = Stream::new(1, 2);
        // Low tokens are more frequent, and each depends on the last.
        let mut last = 0;
        let mut next = || {
            last = (last + stream.below(vocabulary).min(stream.below(vocabulary))) % vocabulary;
            last
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn probabilities_are_those_of_the_formula_and_sum_to_one() {
        let (tokens, vocabulary) = (drawn(60, 6), 8);
        let mut counting = Counting::new(vocabulary);
        counting.advance(&tokens, &[], usize::MAX);
        let counts = counting.counts;
        // The definition, by counting anew each time.
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
        // Three bits on their way: each token drops the oldest and takes in one that is set once in four times.
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
    fn slices_come_to_what_the_whole_comes_to() {
        let tokens = drawn(3_000, 40);
        let (training, validation) = tokens.split_at(2_500);
        for most in [1, 7, 499, 2_500] {
            let (mut counting, mut slices) = (Counting::new(40), 1);
            while counting.advance(training, validation, most) {
                slices += 1;
            }
            assert_eq!(slices, 2_500_usize.div_ceil(most) + 500_usize.div_ceil(most));
            assert_eq!(counting.baselines(), Baselines::new(40, training, validation));
        }
    }

    #[test]
    fn what_was_never_seen_costs_and_is_not_impossible() {
        let found = Baselines::new(10, &[1, 2, 1, 2, 1, 2], &[9, 9, 9]).unwrap();
        assert!(found.unigram > found.uniform && found.unigram.is_finite(), "{found:?}");
        assert!(found.trigram.is_finite());
        assert_eq!(Baselines::new(10, &[], &[1]), None);
        assert_eq!(Baselines::new(10, &[1], &[]), None);
        // Without noise nothing remains to be predicted.
        let again = [1, 2, 3].repeat(1000);
        let found = Baselines::new(10, &again, &again).unwrap();
        assert!(found.bigram < 0.01 && found.unigram > 1.0, "{found:?}");
    }
}
