//! How well a hard circuit does what it was taught.

use serde::{Deserialize, Serialize};

/// How well a hard circuit does what it was taught, and what it was not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "logic")]
pub struct LogicEvaluation {
    /// Share of cells whose target channels are all right after the steps of the config, on boards that no epoch has
    /// seen, or on all 512 neighborhoods where the rule of Life is learned.
    pub accuracy: f64,
    /// Wrong bits over all boards.
    pub wrong_bits: u64,
    /// Boards that it was tried on.
    pub boards: u32,
    /// Gates of the circuit, everything superfluous left out.
    pub gates: u64,
    /// Gates one after another, at most.
    pub depth: u64,
    /// Harder tests, those that make sense for what is learned.
    pub tests: Vec<LogicTest>,
}

/// One test of a hard circuit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LogicTest {
    /// Such as `damage`.
    pub name: String,
    /// For a person, such as "Damage".
    pub label: String,
    /// Share of what is tested that is right; `None` where that takes too long to find out.
    pub accuracy: Option<f64>,
    /// One or two sentences: what is done and what counts.
    pub help: String,
}
