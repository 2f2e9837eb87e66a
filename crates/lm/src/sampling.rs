//! Sampling of the next token from logits: temperature and top-k (Fan et al. 2018, <https://arxiv.org/abs/1805.04833>).

use vivarium_kernels::rng::Stream;

/// Parameters of the sampling of a token. The default is temperature 0.8, top-k 50.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Divisor of the logits. 1 samples from the model's distribution; 0 decodes greedily.
    pub temperature: f32,
    /// Number of most likely tokens to sample from; 0 samples from all tokens.
    pub top_k: usize,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { temperature: 0.8, top_k: 50 }
    }
}

impl Sampling {
    /// Samples a token from `logits`, one logit for each token of the vocabulary.
    ///
    /// # Panics
    /// Panics if `logits` is empty.
    pub fn sample(&self, logits: &[f32], random: &mut Stream) -> u32 {
        let count = match self.top_k {
            _ if self.temperature <= 0.0 => 1,
            0 => logits.len(),
            top_k => top_k,
        };
        let order = top_tokens(logits, count);
        if order.len() == 1 {
            return order[0];
        }
        let largest = logits[order[0] as usize];
        let weight = |token: u32| f64::from((logits[token as usize] - largest) / self.temperature).exp();
        let mut left = f64::from(random.uniform()) * order.iter().map(|&token| weight(token)).sum::<f64>();
        for &token in &order {
            left -= weight(token);
            if left < 0.0 {
                return token;
            }
        }
        order[0]
    }
}

/// Returns the `count` tokens with the highest logits (fewer if the vocabulary is smaller), in descending order of
/// logit. Equal logits are in ascending order of token index.
#[must_use]
pub fn top_tokens(logits: &[f32], count: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..logits.len() as u32).collect();
    let by_logit = |a: &u32, b: &u32| logits[*b as usize].total_cmp(&logits[*a as usize]).then(a.cmp(b));
    if count < order.len() {
        order.select_nth_unstable_by(count, by_logit);
        order.truncate(count);
    }
    // The order of the selection is unspecified.
    order.sort_unstable_by(by_logit);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_frequencies_match_the_softmax() {
        let (logits, mut random) = ([1.0f32.ln(), 4.0f32.ln(), 3.0f32.ln(), 2.0f32.ln()], Stream::new(1, 2));
        let mut shares = |sampling: Sampling| {
            let mut counts = [0; 4];
            (0..20_000).for_each(|_| counts[sampling.sample(&logits, &mut random) as usize] += 1);
            counts.map(|count| f64::from(count) / 20_000.0)
        };
        for (temperature, top_k, expected) in [
            (1.0, 0, [0.1, 0.4, 0.3, 0.2]),
            (1.0, 9, [0.1, 0.4, 0.3, 0.2]),
            (1.0, 2, [0.0, 4.0 / 7.0, 3.0 / 7.0, 0.0]),
            (0.5, 0, [1.0 / 30.0, 16.0 / 30.0, 9.0 / 30.0, 4.0 / 30.0]),
            (0.0, 0, [0.0, 1.0, 0.0, 0.0]),
            (1.0, 1, [0.0, 1.0, 0.0, 0.0]),
        ] {
            for (share, expected) in shares(Sampling { temperature, top_k }).iter().zip(expected) {
                assert!(
                    (share - expected).abs() < 0.015,
                    "temperature {temperature}, top-k {top_k}: {share}, expected {expected}"
                );
            }
        }
    }
}
