//! The text that is learned from.

use super::refusal::{refused_text, shown};
use super::text_checksum;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use vivarium_lab::error::LabError;
use vivarium_lm::data::Scratch;
use vivarium_lm::encyclopedia::{Encyclopedia, Question};
use vivarium_lm::{Corpus, DataError, Source};

/// Characters of a text's beginning that are kept to be shown.
const MOST_SHOWN: usize = 600;

/// The seed that the encyclopedia is written from: all runs read the same one.
pub(super) const EDITION: u64 = 1;

/// Articles of it that are written in a slice: a millisecond.
pub(super) const ARTICLES: usize = 16;

/// Text, and what can be asked about it.
pub(super) struct Text {
    pub(super) corpus: Arc<Corpus>,
    /// How it begins.
    pub(super) beginning: String,
    /// In a random order; none about other texts than the built-in one.
    pub(super) questions: Vec<Question>,
    checksum: u32,
}

/// What a text is known by again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Identity {
    bytes: u64,
    pieces: u32,
    /// See [`text_checksum::of`]; files of earlier versions of the program have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<u32>,
}

impl Text {
    /// The encyclopedia.
    pub(super) fn built_in(encyclopedia: Encyclopedia) -> Result<Self, LabError> {
        let questions = encyclopedia.questions();
        Self::of("", encyclopedia.into_sources(), questions)
    }

    /// The text called `name` that a front end brings.
    pub(super) fn brought(name: &str, sources: Vec<Box<dyn Source>>) -> Result<Self, LabError> {
        Self::of(name, sources, Vec::new())
    }

    fn of(name: &str, sources: Vec<Box<dyn Source>>, questions: Vec<Question>) -> Result<Self, LabError> {
        let refused = |error: &DataError| refused_text(name, error);
        let checksum = text_checksum::of(&sources).map_err(|error| refused(&error))?;
        let corpus = Corpus::new(sources).map_err(|error| refused(&error))?;
        let mut beginning = String::new();
        // What cannot be read is refused where it is learned from.
        let _ = corpus.read(0, &mut Scratch::default(), |document| {
            beginning.extend(document.text.chars().take(MOST_SHOWN.saturating_sub(beginning.len())));
            Ok(())
        });
        Ok(Self { corpus: Arc::new(corpus), beginning, questions, checksum })
    }

    pub(super) fn identity(&self) -> Identity {
        let checksum = Some(self.checksum);
        Identity { bytes: self.corpus.bytes(), pieces: self.corpus.pieces(), checksum }
    }

    /// Refuses the text called `name` where training began with another one.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the size of both, or saying that the checksums differ.
    pub(super) fn check(&self, name: &str, began_with: Identity) -> Result<(), LabError> {
        let found = self.identity();
        let how = if (found.bytes, found.pieces) != (began_with.bytes, began_with.pieces) {
            format!(
                "that had {} bytes in {} pieces, this has {} bytes in {}",
                began_with.bytes, began_with.pieces, found.bytes, found.pieces
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
