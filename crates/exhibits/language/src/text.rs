//! Training text of a run, with its checksum and quiz questions.

use super::failure::{refused_text, shown};
use super::text_checksum;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use vivarium_lab::error::LabError;
use vivarium_lm::data::ReadBuffers;
use vivarium_lm::encyclopedia::{Encyclopedia, Question};
use vivarium_lm::{ByteSource, Corpus, DataError};

/// Maximum number of characters of the training text's excerpt that is displayed.
const EXCERPT_CHARACTERS: usize = 600;

/// Seed with which the built-in encyclopedia is generated, equal for all runs.
pub(super) const EDITION: u64 = 1;

/// Number of encyclopedia articles that one call of `write_text` generates. A call takes about one millisecond.
pub(super) const ARTICLES: usize = 16;

/// Training text of a run, with quiz questions.
pub(super) struct TrainingText {
    pub(super) corpus: Arc<Corpus>,
    /// First characters of the training text, for display.
    pub(super) excerpt: String,
    /// Quiz questions in random order; empty for texts other than the built-in encyclopedia.
    pub(super) questions: Vec<Question>,
    checksum: u32,
}

/// Identity of a training text: size, number of chunks and checksum. A resumed run must use the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextIdentity {
    pub(super) bytes: u64,
    #[serde(rename = "pieces")]
    pub(super) chunks: u32,
    /// Checksum that [`text_checksum::of`] returns; `None` in checkpoints of older program versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<u32>,
}

impl TrainingText {
    /// Creates the training text and the quiz questions from the generated encyclopedia.
    pub(super) fn built_in(encyclopedia: Encyclopedia) -> Result<Self, LabError> {
        let questions = encyclopedia.questions();
        Self::of("", encyclopedia.into_sources(), questions)
    }

    /// Creates the training text named `name` from files, or other byte sources, that a front end supplies.
    pub(super) fn brought(name: &str, sources: Vec<Box<dyn ByteSource>>) -> Result<Self, LabError> {
        Self::of(name, sources, Vec::new())
    }

    fn of(name: &str, sources: Vec<Box<dyn ByteSource>>, questions: Vec<Question>) -> Result<Self, LabError> {
        let refused = |error: &DataError| refused_text(name, error);
        let checksum = text_checksum::of(&sources).map_err(|error| refused(&error))?;
        let corpus = Corpus::new(sources).map_err(|error| refused(&error))?;
        let mut excerpt = String::new();
        // Read errors are ignored here; tokenization reports them.
        let _ = corpus.read(0, &mut ReadBuffers::default(), |document| {
            excerpt.extend(document.text.chars().take(EXCERPT_CHARACTERS.saturating_sub(excerpt.len())));
            Ok(())
        });
        Ok(Self { corpus: Arc::new(corpus), excerpt, questions, checksum })
    }

    pub(super) fn identity(&self) -> TextIdentity {
        let checksum = Some(self.checksum);
        TextIdentity { bytes: self.corpus.bytes(), chunks: self.corpus.chunks(), checksum }
    }

    /// Checks that this text, named `name`, has the same size and checksum as `began_with`, the text on which training
    /// started.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the sizes or the checksums differ.
    pub(super) fn check(&self, name: &str, began_with: TextIdentity) -> Result<(), LabError> {
        let found = self.identity();
        let how = if (found.bytes, found.chunks) != (began_with.bytes, began_with.chunks) {
            format!(
                "the original has {} bytes in {} chunks, this text {} bytes in {}",
                began_with.bytes, began_with.chunks, found.bytes, found.chunks
            )
        } else if began_with.checksum.is_some_and(|checksum| checksum != self.checksum) {
            "the size is equal, but the checksum differs".to_owned()
        } else {
            return Ok(());
        };
        let allowed = format!("this is not the original training text: {how}");
        Err(LabError::invalid("data", shown(name), allowed))
    }
}
