//! History of the periodic samples of generated text.

use super::LanguageSampling;
use serde::{Deserialize, Serialize};

/// JSON document `samples`: texts that the model generated from the same prompt at intervals during training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageSamples {
    /// Prompt that all samples continue.
    pub prompt: String,
    /// Sampling settings: temperature, top-k and length.
    pub settings: LanguageSampling,
    /// Seconds between the starts of two samples; `None` disables samples.
    #[serde(serialize_with = "vivarium_lab::protocol::shortest_option")]
    pub every_seconds: Option<f32>,
    /// Samples, oldest first, at most 64. A 65th sample drops the sample between whose neighbors the number of gradient
    /// steps grows by the smallest factor; the newest sample is always included.
    pub samples: Vec<LanguageSample>,
}

/// Periodic sample: text that the model generated after a certain number of gradient steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageSample {
    /// Number of gradient steps of the model at the start of the sample.
    pub updates: u64,
    /// Number of training tokens of the model at the start of the sample.
    pub tokens: u64,
    /// Training loss of the model at the start of the sample, in nats per token; `None` before the first gradient step.
    pub loss: Option<f64>,
    /// Generated text of the sample, without the prompt.
    pub text: String,
}
