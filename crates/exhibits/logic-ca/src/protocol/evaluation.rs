//! Evaluation results of a hard circuit (each gate computes its most probable function).

use serde::{Deserialize, Serialize};

/// Evaluation of the hard circuit (each gate computes its most probable function): accuracy on new boards and
/// generalization tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename = "logic")]
pub struct LogicEvaluation {
    /// Fraction of cells whose target channels (which are compared with the target) are all correct after the number of
    /// automaton steps in training. The boards were not used for training, unless training uses the 512 neighborhoods
    /// of 3×3 cells.
    pub accuracy: f64,
    /// Number of wrong bits in the target channels (which are compared with the target) of all cells, over all
    /// evaluated boards.
    pub wrong_bits: u64,
    /// Number of evaluated boards.
    pub boards: u32,
    /// Number of gates of the simplified circuit.
    pub gates: u64,
    /// Logic depth of the simplified circuit: gates on the longest path from input to output.
    pub depth: u64,
    /// Results of the generalization tests that apply to the training target.
    pub tests: Vec<LogicTest>,
}

/// Result of a generalization test of the hard circuit (each gate computes its most probable function), for example on
/// larger boards or after damage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LogicTest {
    /// Name of the test, such as `damage`.
    pub name: String,
    /// Label of the test, such as "After damage".
    pub label: String,
    /// Fraction of correct cells, 0 to 1; `None` if the test was skipped because of its duration.
    pub accuracy: Option<f64>,
    /// Description of the test and of the condition for a correct cell, in one or two sentences.
    pub help: String,
}
