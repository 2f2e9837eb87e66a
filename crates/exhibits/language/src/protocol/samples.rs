//! What the model wrote from its beginnings until now.

use super::LanguageSampling;
use serde::{Deserialize, Serialize};

/// The document `samples`: texts that are written every so often, all from the same prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageSamples {
    /// What they go on from.
    pub prompt: String,
    /// How tokens are chosen.
    pub settings: LanguageSampling,
    /// Seconds between two of them; `None`: none are written.
    #[serde(serialize_with = "vivarium_lab::protocol::shortest_option")]
    pub every_seconds: Option<f32>,
    /// The oldest first, at most 64. The more there were, the fewer of the later ones are kept, since the model learns most at
    /// first; the newest always is.
    pub samples: Vec<LanguageSample>,
}

/// What the model wrote at one time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageSample {
    /// Gradient steps of the model when it began.
    pub updates: u64,
    /// Tokens that it had learned from.
    pub tokens: u64,
    /// Its loss on what it learned from at that time, in nats a token; `None` before it has learned anything.
    pub loss: Option<f64>,
    /// What it wrote where the prompt ends.
    pub text: String,
}
