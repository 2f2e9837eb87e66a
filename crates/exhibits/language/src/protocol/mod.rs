//! Protocol of the language-model experiment: views, JSON documents and commands.
//!
//! [`LanguageDocuments`] are the documents of a frame: training state, generated text, samples, quiz, token map. Arrays
//! of a frame:
//!
//! | array | type, shape | content |
//! | --- | --- | --- |
//! | `embeddings/positions` | f32, \[n, 2\] | first two principal components of the token embeddings, −1 to 1 |
//! | `attention` | u8, \[heads, n, n\] | attention weights of the requested layer over the last n ≤ 256 tokens of the
//! draft: query (row) and key (column), 255 is a weight of 1 |
//! | `attention/first` | f32, \[1\] | index in the displayed text (the draft) of the first token that `attention`
//! covers |
//!
//! [`LanguageView`] selects documents and arrays. Each frame generates some tokens, also while training is paused.

mod command;
mod draft;
mod embeddings;
mod evaluation;
mod info;
mod quiz;
mod run;
mod samples;
mod view;

pub use command::LanguageCommand;
pub use draft::{
    LanguageAlternative, LanguageAuthor, LanguageDraft, LanguageDraftStatus, LanguageSampling, LanguageToken,
};
pub use embeddings::{LanguageEmbeddings, LanguageTokenKind};
pub use evaluation::{LanguageBaselines, LanguageEvaluation, LanguageQuiz, LanguageScore};
pub use info::LanguageInfo;
pub use quiz::{LanguageAnswer, LanguageQuizView};
pub use run::{
    LanguageEvaluationRow, LanguageModel, LanguageRun, LanguageStage, LanguageText, LanguageTokenizer,
    LanguageTokenizerKind,
};
pub use samples::{LanguageSample, LanguageSamples};
pub use view::{LanguageDocuments, LanguageView};

/// Declares the TypeScript types of the views, frames and commands of the language model.
#[cfg(feature = "typescript")]
pub fn declare(types: &mut vivarium_lab::typescript::TypeDeclarations) {
    types.family::<LanguageView, LanguageDocuments, LanguageCommand, LanguageEvaluation, LanguageInfo>();
}
