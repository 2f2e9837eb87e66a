//! History of periodic samples.

use super::LanguageSampling;
use serde::{Deserialize, Serialize};

/// Document `samples`: periodic samples from the same prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageSamples {
    /// Prompt of the samples.
    pub prompt: String,
    /// Sampling settings.
    pub settings: LanguageSampling,
    /// Seconds between samples; `None` disables samples.
    #[serde(serialize_with = "vivarium_lab::protocol::shortest_option")]
    pub every_seconds: Option<f32>,
    /// Samples, oldest first, at most 64. Later samples are thinned out by the ratio of gradient steps; the newest is
    /// always included.
    pub samples: Vec<LanguageSample>,
}

/// Generated sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageSample {
    /// Number of gradient steps at the start of the sample.
    pub updates: u64,
    /// Number of training tokens at the start of the sample.
    pub tokens: u64,
    /// Training loss at the start of the sample in nats per token; `None` before the first gradient step.
    pub loss: Option<f64>,
    /// Generated text without the prompt.
    pub text: String,
}
