//! Language: a transformer that learns to continue text, and what comes before and beside its training.
//!
//! First there is the text, then a tokenizer is made from it, then training goes on with an evaluation now and then. A text
//! that is not built in is the front end's to bring, see [`Experiment::bring_data`](vivarium_lab::Experiment::bring_data).

mod beginning;
mod checkpoint;
#[cfg(feature = "gpu")]
mod device;
mod entries;
mod evaluation;
mod evaluations;
mod experiment;
mod family;
#[cfg(feature = "gpu")]
mod gpu_learner;
mod learning;
mod map;
mod measures;
mod model;
mod peak;
mod picture;
mod playground;
mod preparation;
pub mod protocol;
mod quiz;
mod readings;
mod refusal;
mod text;
mod text_checksum;
mod tokens;
mod trained;
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
pub(crate) const HOTTEST: f32 = 2.0;

/// The most tokens that are written in one go.
pub(crate) const LONGEST_WRITING: u32 = 2_000;

/// Seconds between two samples: the fewest, and the most.
pub(crate) const SAMPLE_SECONDS: [f32; 2] = [1.0, 600.0];
