//! From the logits of all tokens to the one that comes next.

use vivarium_kernels::rng::Stream;

/// How a token is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// What logits are divided by: below 1 the likely tokens become likelier still, above 1 all become more alike. 0 takes the
    /// likeliest.
    pub temperature: f32,
    /// Only so many of the likeliest tokens may be chosen; 0: all of them.
    pub top_k: usize,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { temperature: 0.8, top_k: 50 }
    }
}

impl Sampling {
    /// The token that comes next.
    ///
    /// # Panics
    /// If there are no logits.
    pub fn choose(&self, logits: &[f32], random: &mut Stream) -> u32 {
        let count = match self.top_k {
            _ if self.temperature <= 0.0 => 1,
            0 => logits.len(),
            top_k => top_k,
        };
        let order = likeliest(logits, count);
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

/// The tokens with the highest logits, at most `count`: the likeliest first, of equal ones that with the lower number.
#[must_use]
pub fn likeliest(logits: &[f32], count: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..logits.len() as u32).collect();
    let by_logit = |a: &u32, b: &u32| logits[*b as usize].total_cmp(&logits[*a as usize]).then(a.cmp(b));
    if count < order.len() {
        order.select_nth_unstable_by(count, by_logit);
        order.truncate(count);
    }
    // In one order, whatever the selection left.
    order.sort_unstable_by(by_logit);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_as_often_as_their_logits_say() {
        let (logits, mut random) = ([1.0f32.ln(), 4.0f32.ln(), 3.0f32.ln(), 2.0f32.ln()], Stream::new(1, 2));
        let mut shares = |sampling: Sampling| {
            let mut counts = [0; 4];
            (0..20_000).for_each(|_| counts[sampling.choose(&logits, &mut random) as usize] += 1);
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
                assert!((share - expected).abs() < 0.015, "{temperature}, {top_k}: {share} for {expected}");
            }
        }
    }
}
