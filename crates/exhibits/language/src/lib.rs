//! Language: a transformer that learns to continue text, and what comes before and beside its training.
//!
//! First there is the text, then a tokenizer is made from it, then training goes on with an evaluation now and then. A text
//! that is not built in is the front end's to bring, see [`Experiment::bring_data`](vivarium_lab::Experiment::bring_data).

mod checkpoint;
#[cfg(feature = "gpu")]
mod device;
mod entries;
mod evaluation;
mod evaluations;
mod experiment;
mod failure;
mod family;
mod frames;
#[cfg(feature = "gpu")]
mod gpu_learner;
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

pub use entries::info;
pub use family::FAMILY;
pub use measures::measures;
pub use model::Model;

use protocol::{LanguageCommand, LanguageDocuments, LanguageView};
use vivarium_lab::Exhibit;

/// A transformer that learns to continue text.
pub type LanguageExhibit =
    dyn Exhibit<View = LanguageView, Documents = LanguageDocuments, Command = LanguageCommand>;

/// The registered name.
pub(crate) const NAME: &str = "language";

/// The highest temperature: above it nothing is left of what a model has learned.
pub(crate) const MAX_TEMPERATURE: f32 = 2.0;

/// The most tokens that are written in one go.
pub(crate) const MAX_GENERATED_TOKENS: u32 = 2_000;

/// Seconds between two samples: the fewest, and the most.
pub(crate) const SAMPLE_SECONDS: [f32; 2] = [1.0, 600.0];
