//! Commands from the page to the language-model experiment.

use super::LanguageSampling;
use serde::{Deserialize, Serialize};

/// User command to the language-model experiment, which controls the generation of texts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LanguageCommand {
    /// Generates text after a prompt, replacing the displayed text. Fails if the tokenizer is not built yet, the prompt
    /// is longer than the context, or the prompt contains characters outside the vocabulary.
    Generate {
        /// Prompt that the generated text continues; empty starts a new document.
        prompt: String,
        /// Sampling settings.
        sampling: LanguageSampling,
    },
    /// Replaces a token of the displayed text, discards the following tokens, and continues the generation from there.
    /// Fails if the text is no longer displayed, or if the position or the token does not exist.
    ContinueFrom {
        /// ID of the text whose token is replaced; must equal the displayed text's
        /// [`LanguageDraft::id`](super::LanguageDraft::id).
        draft: u32,
        /// Index of the token to replace in the displayed text, from 0.
        position: u32,
        /// Replacement token: its index in the vocabulary.
        token: u32,
        /// Sampling settings.
        sampling: LanguageSampling,
    },
    /// Stops generating the user's text. If the text is already complete, removes it and displays the periodic samples
    /// again.
    StopGenerating,
    /// Changes the settings of the periodic samples, which are generated while there is no user text.
    SetSamples {
        /// Prompt that all samples continue; empty starts a new document. If the prompt was set before the tokenizer
        /// was built and cannot be encoded, samples use an empty prompt.
        prompt: String,
        /// Sampling settings of each sample.
        sampling: LanguageSampling,
        /// Seconds between the starts of two samples, 1 to 600; `None` disables samples.
        every_seconds: Option<f32>,
    },
}
