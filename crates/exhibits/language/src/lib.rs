//! Language-model experiment: training of a transformer, evaluation, quiz and text generation.
//!
//! - [`FAMILY`]: registry entry that creates and restores the experiment `language`. [`DESCRIPTIONS`]: its
//!   static description and evaluations.
//! - [`LanguageExhibit`]: an *exhibit*, which is an experiment with the view, JSON document and command types that
//!   front ends use.
//! - [`protocol`]: views, JSON documents and commands.
//! - [`Model`]: model of a checkpoint, for text generation.
//!
//! ```
//! use vivarium_exhibit_language::FAMILY;
//!
//! let config = FAMILY.configure("language", &serde_json::json!({ "preset": "tiny" }))?;
//! assert_eq!(config["learner"]["layers"], 2);
//! # Ok::<(), vivarium_lab::LabError>(())
//! ```
//!
//! A run has these phases: generate or load the training text, build the tokenizer, load the first shuffle buffer and
//! compute the n-gram baselines, train. Evaluations on held-out text and on quiz questions interrupt training at fixed
//! gradient steps. Each call of `advance` takes some milliseconds, so that a browser stays responsive.
//!
//! The experiment reads no files. It requests a missing text by name, and the front end supplies the text with
//! [`Experiment::bring_data`](vivarium_lab::Experiment::bring_data). A text that cannot be tokenized is rejected, and
//! the run requests another text. A checkpoint contains the tokenizer, the training state, the position in the text,
//! and the size and checksum of the text. Training resumes bit-identically with the same text; text generation from a
//! checkpoint does not require the training text.

mod checkpoint;
mod entries;
mod evaluation;
mod evaluations;
mod experiment;
mod failure;
mod family;
mod frames;
mod hugging_face;
mod loading;
mod measures;
mod model;
mod peak_flops;
mod playground;
pub mod protocol;
mod quiz;
mod readings;
mod setup;
mod text;
mod text_checksum;
mod token_map;
mod tokenizer_build;
mod tokens;
mod trained_model;
mod training;

pub use family::{DESCRIPTIONS, FAMILY, NETWORK_EXPORTS};
pub use hugging_face::{HUGGING_FACE_FILES, HuggingFaceModel, hugging_face};
pub use model::Model;

use protocol::{LanguageCommand, LanguageDocuments, LanguageView};
use vivarium_lab::Exhibit;

/// Language-model experiment with its view, JSON document and command types.
pub type LanguageExhibit =
    dyn Exhibit<View = LanguageView, Documents = LanguageDocuments, Command = LanguageCommand>;

/// Registered name of the experiment.
pub(crate) const NAME: &str = "language";

/// Maximum sampling temperature that a user can request.
pub(crate) const MAX_TEMPERATURE: f32 = 2.0;

/// Maximum number of tokens that a user can request for a generated text.
pub(crate) const MAX_GENERATED_TOKENS: u32 = 2_000;

/// Minimum and maximum interval between the starts of two periodic samples of generated text, in seconds.
pub(crate) const SAMPLE_SECONDS: [f32; 2] = [1.0, 600.0];
