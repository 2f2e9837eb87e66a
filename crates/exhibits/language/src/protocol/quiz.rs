//! Multiple-choice quiz about the built-in training text, for front ends.

use crate::protocol::LanguageScore;
use serde::{Deserialize, Serialize};

/// JSON document `quiz`: quiz answers of the evaluation in progress, or of the last evaluation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageQuizView {
    /// Whether the evaluation whose answers are shown is in progress.
    pub running: bool,
    /// Number of quiz questions asked so far.
    pub asked: u32,
    /// Number of quiz questions answered correctly so far.
    pub right: u32,
    /// Scores of the quiz questions by topic, such as "capitals of countries".
    pub topics: Vec<(String, LanguageScore)>,
    /// The first quiz answers of the evaluation, at most 64.
    pub answers: Vec<LanguageAnswer>,
}

/// The model's answer to a multiple-choice quiz question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageAnswer {
    /// Start of the sentence that the model completes.
    pub prompt: String,
    /// The four possible endings of the sentence, in an order that is the same in every evaluation.
    pub endings: [String; 4],
    /// Probability of each ending: softmax over the endings' length-normalized log-likelihoods.
    pub probabilities: [f32; 4],
    /// Index of the correct ending in `endings`.
    pub right: u32,
    /// Index of the most probable ending in `endings`.
    pub chosen: u32,
    /// Topic of the question, such as "capitals of countries".
    pub topic: String,
    /// Whether the training text states the asked fact only in articles about other subjects. Example: the capital of a
    /// country that only articles about cities state.
    pub elsewhere: bool,
}
