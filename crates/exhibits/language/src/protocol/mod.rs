//! What a person and a model that learns to continue text say to each other: how its training goes, a draft that it goes on with
//! where a person's prompt ends, samples from its beginnings until now, a quiz, and a map of its tokens.
//!
//! The documents of a frame are [`LanguageDocuments`]. Its arrays:
//!
//! | array | type, shape | what |
//! | --- | --- | --- |
//! | `embeddings/positions` | n, 2 | where its tokens lie: the two directions in which their embeddings differ most, from −1 to 1 |
//! | `attention` | bytes; heads, n, n | of the layer that is asked for: which token (row) looks at which (column), 255 for all of its attention, over the last tokens of the draft, as many as the model sees, at most 256 |
//! | `attention/first` | 1 | the place of the first of them in [`LanguageDraft::tokens`] |
//!
//! [`LanguageView`] says when they come. Writing goes on in every frame, whether training is paused or not.

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
