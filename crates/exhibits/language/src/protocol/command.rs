//! What a person may ask for.

use serde::{Deserialize, Serialize};

/// What a person may ask of a language model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LanguageCommand {
    /// Has the model write on where a prompt ends, in place of what it is writing. Refused before there is a tokenizer, and
    /// for a prompt that is longer than the model sees at once or has characters that it does not know.
    Write {
        /// Empty: the beginning of a document.
        prompt: String,
        /// 0 to 2, as in [`LanguageSampling`](super::LanguageSampling).
        temperature: f32,
        /// Only so many of the likeliest tokens may be chosen; 0: all of them.
        top_k: u32,
        /// The most tokens that are written, 1 to 2,000.
        tokens: u32,
    },
    /// Has the model go on from another token in the text that is shown: what follows is given up. Refused for a text that is
    /// shown no longer, and a place or a token that there is not.
    GoOn {
        /// Which text, as [`LanguageDraft::writing`](super::LanguageDraft::writing).
        writing: u32,
        /// The place in it, counted from 0.
        place: u32,
        /// The token that stands there from now on.
        token: u32,
        /// As in [`LanguageCommand::Write`].
        temperature: f32,
        /// As in [`LanguageCommand::Write`].
        top_k: u32,
        /// As in [`LanguageCommand::Write`].
        tokens: u32,
    },
    /// Ends a person's text that is being written where it is. Once it has ended, the playground is given back to the samples.
    StopWriting,
    /// What is written every so often from now on, as long as a person's text is not.
    SetSamples {
        /// As in [`LanguageCommand::Write`]. One that the model cannot read once it is there is replaced by none.
        prompt: String,
        /// 0 to 2.
        temperature: f32,
        /// Only so many of the likeliest tokens may be chosen; 0: all of them.
        top_k: u32,
        /// The most tokens that are written, 1 to 2,000.
        tokens: u32,
        /// Seconds of view time between two of them, 1 to 600; `None`: none are written.
        every_seconds: Option<f32>,
    },
}
