//! History of the periodic samples of generated text.

use crate::protocol::{LanguageSample, LanguageSamples, LanguageSampling};

/// Maximum number of stored samples of generated text.
const MAX_SAMPLES: usize = 64;

/// Returns an empty sample history with the default sample settings.
pub(super) fn none() -> LanguageSamples {
    LanguageSamples {
        prompt: String::new(),
        settings: LanguageSampling { temperature: 0.8, top_k: 50, tokens: 80, min_tokens: 0 },
        every_seconds: Some(10.0),
        samples: Vec::new(),
    }
}

/// Adds a sample to the history. If the history then has more than [`MAX_SAMPLES`] samples, drops the sample between
/// whose neighbors the number of gradient steps grows by the smallest factor. Early samples therefore stay dense.
pub(super) fn keep(samples: &mut Vec<LanguageSample>, sample: LanguageSample) {
    samples.push(sample);
    if samples.len() <= MAX_SAMPLES {
        return;
    }
    let ratio =
        |place: usize| (samples[place + 1].updates + 1) as f64 / (samples[place - 1].updates + 1) as f64;
    let inner = 1..samples.len() - 1;
    let closest = inner.min_by(|&one, &other| ratio(one).total_cmp(&ratio(other)));
    closest.into_iter().for_each(|place| drop(samples.remove(place)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_newest_stay_and_early_ones_are_dense() {
        let mut samples = Vec::new();
        for updates in (0..100_000).step_by(100) {
            keep(&mut samples, LanguageSample { updates, tokens: 0, loss: None, text: String::new() });
        }
        assert_eq!(samples.len(), MAX_SAMPLES);
        let steps: Vec<u64> = samples.iter().map(|sample| sample.updates).collect();
        assert_eq!((steps[0], steps[MAX_SAMPLES - 1]), (0, 99_900));
        assert!(steps.is_sorted_by(|one, other| one < other));
        let early = steps.iter().filter(|&&step| step < 10_000).count();
        assert!((24..=48).contains(&early), "{early} of {MAX_SAMPLES} are of the first tenth: {steps:?}");
    }
}
