//! The text that is learned from.

use super::failure::{refused_text, shown};
use super::text_checksum;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use vivarium_lab::error::LabError;
use vivarium_lm::data::ReadBuffers;
use vivarium_lm::encyclopedia::{Encyclopedia, Question};
use vivarium_lm::{ByteSource, Corpus, DataError};

/// Characters of a text's beginning that are kept to be shown.
const MOST_SHOWN: usize = 600;

/// The seed that the encyclopedia is written from: all runs read the same one.
pub(super) const EDITION: u64 = 1;

/// Articles of it that are written in a slice: a millisecond.
pub(super) const ARTICLES: usize = 16;

/// Text, and what can be asked about it.
pub(super) struct TrainingText {
    pub(super) corpus: Arc<Corpus>,
    /// How it begins.
    pub(super) excerpt: String,
    /// In a random order; none about other texts than the built-in one.
    pub(super) questions: Vec<Question>,
    checksum: u32,
}

/// What a text is known by again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextIdentity {
    bytes: u64,
    #[serde(rename = "pieces")]
    chunks: u32,
    /// See [`text_checksum::of`]; files of earlier versions of the program have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<u32>,
}

impl TrainingText {
    /// The encyclopedia.
    pub(super) fn built_in(encyclopedia: Encyclopedia) -> Result<Self, LabError> {
        let questions = encyclopedia.questions();
        Self::of("", encyclopedia.into_sources(), questions)
    }

    /// The text called `name` that a front end brings.
    pub(super) fn brought(name: &str, sources: Vec<Box<dyn ByteSource>>) -> Result<Self, LabError> {
        Self::of(name, sources, Vec::new())
    }

    fn of(name: &str, sources: Vec<Box<dyn ByteSource>>, questions: Vec<Question>) -> Result<Self, LabError> {
        let refused = |error: &DataError| refused_text(name, error);
        let checksum = text_checksum::of(&sources).map_err(|error| refused(&error))?;
        let corpus = Corpus::new(sources).map_err(|error| refused(&error))?;
        let mut excerpt = String::new();
        // What cannot be read is refused where it is learned from.
        let _ = corpus.read(0, &mut ReadBuffers::default(), |document| {
            excerpt.extend(document.text.chars().take(MOST_SHOWN.saturating_sub(excerpt.len())));
            Ok(())
        });
        Ok(Self { corpus: Arc::new(corpus), excerpt, questions, checksum })
    }

    pub(super) fn identity(&self) -> TextIdentity {
        let checksum = Some(self.checksum);
        TextIdentity { bytes: self.corpus.bytes(), chunks: self.corpus.chunks(), checksum }
    }

    /// Refuses the text called `name` where training began with another one.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the size of both, or saying that the checksums differ.
    pub(super) fn check(&self, name: &str, began_with: TextIdentity) -> Result<(), LabError> {
        let found = self.identity();
        let how = if (found.bytes, found.chunks) != (began_with.bytes, began_with.chunks) {
            format!(
                "that had {} bytes in {} chunks, this has {} bytes in {}",
                began_with.bytes, began_with.chunks, found.bytes, found.chunks
            )
        } else if began_with.checksum.is_some_and(|checksum| checksum != self.checksum) {
            "it is as long, but its checksum is another one".to_owned()
        } else {
            return Ok(());
        };
        let allowed = format!("it is not the text that training began with: {how}");
        Err(LabError::invalid("data", shown(name), allowed))
    }
}
