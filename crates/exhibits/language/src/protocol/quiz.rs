//! Questions about the built-in text.

use crate::protocol::LanguageScore;
use serde::{Deserialize, Serialize};

/// The document `quiz`: how the model answers questions, in the evaluation under way or else in the last one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageQuizView {
    /// Whether there are more questions to come.
    pub running: bool,
    /// Questions so far.
    pub asked: u32,
    /// Those that were answered rightly.
    pub right: u32,
    /// The same by what they ask for, such as "capitals of countries".
    pub topics: Vec<(String, LanguageScore)>,
    /// The first of them, at most 64.
    pub answers: Vec<LanguageAnswer>,
}

/// The beginning of a sentence, four ways to end it, and which one the model finds likeliest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LanguageAnswer {
    /// How the sentence begins.
    pub prompt: String,
    /// How it may end. A question has its ends in the same order every time.
    pub ends: [String; 4],
    /// How likely the model finds each of them beside the others, by byte; together 1.
    pub shares: [f32; 4],
    /// The place of the right one.
    pub right: u32,
    /// The place of the likeliest.
    pub chosen: u32,
    /// What is asked for, such as "capitals of countries".
    pub topic: String,
    /// Whether the text states it only in articles about something else.
    pub elsewhere: bool,
}
