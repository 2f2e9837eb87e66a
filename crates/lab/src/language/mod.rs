//! Language: a transformer that learns to continue text, and what comes before and beside its training.
//!
//! First there is the text, then a tokenizer is made from it, then training goes on with an exam now and then. A text that is
//! not built in is the door's to bring, see [`Experiment::bring_text`](crate::Experiment::bring_text).

mod beginning;
mod checkpoint;
#[cfg(feature = "gpu")]
mod device;
mod exam;
mod examining;
mod experiment;
mod learning;
mod map;
mod model;
mod peak;
mod picture;
mod playground;
mod preparation;
mod quiz;
mod text;
mod text_checksum;
mod tokens;
mod training;

pub(crate) use experiment::LanguageExperiment;
pub use model::Model;
pub(crate) use text::BUILT_IN;
pub use text::LARGEST_IN_PAGE;
pub use vivarium_lm::{Memory, Source};

use crate::error::LabError;
use vivarium_lm::{DataError, LanguageError};

/// The registered name.
pub(crate) const NAME: &str = "language";

/// The highest temperature: above it nothing is left of what a model has learnt.
pub(crate) const HOTTEST: f32 = 2.0;

/// The most tokens that are written in one go.
pub(crate) const LONGEST_WRITING: u32 = 2_000;

/// Seconds between two samples: the fewest, and the most.
pub(crate) const SAMPLE_SECONDS: [f32; 2] = [1.0, 600.0];

/// The most tokens whose attention to each other is shown.
const MOST_LOOKED_AT: usize = 256;

/// A refusal of the text called `name`, in the lab's words. That a place in it does not exist is a matter of the checkpoint
/// which names the place.
fn refused_text(name: &str, error: &DataError) -> LabError {
    match error {
        DataError::Position { .. } => LabError::checkpoint(error.to_string()),
        other => LabError::invalid("data", shown(name), other.to_string()),
    }
}

/// A refusal by the learner, in the lab's words.
fn refused(error: &LanguageError) -> LabError {
    match error {
        LanguageError::Config(error) => error.clone().into(),
        LanguageError::State(_) => LabError::checkpoint(error.to_string()),
        LanguageError::NotFinite { .. } => LabError::Diverged { message: error.to_string() },
        LanguageError::Prompt { tokens, .. } => {
            LabError::invalid("prompt", format!("{tokens} tokens"), error.to_string())
        }
        LanguageError::Text(_) => LabError::invalid("prompt", "as given", error.to_string()),
        other => LabError::invalid("learner", "as given", other.to_string()),
    }
}

/// What a text is called, for a person.
fn shown(name: &str) -> String {
    if name.is_empty() { BUILT_IN.to_owned() } else { crate::config::shorten(name) }
}
