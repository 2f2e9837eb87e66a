//! What comes before training: the text, a tokenizer, a model, and the first look into the text.

use super::failure::{refused_text, shown};
use super::loading::{LoadedText, TextLoader};
use super::text::{ARTICLES, EDITION, TextIdentity, TrainingText};
use super::tokenizer_build::{TokenizerBuild, TokenizerBuildStep};
use super::trained_model::TrainedModel;
use crate::entries::{LanguageSettings, check_size};
use std::sync::Arc;
use vivarium_lab::error::LabError;
use vivarium_lm::encyclopedia::EncyclopediaWriter;
use vivarium_lm::{LanguageTrainer, TextPosition};

/// The text, and what is made from it.
#[derive(Default)]
pub(super) struct RunSetup {
    pub(super) text: Option<TrainingText>,
    /// The text that training began with.
    pub(super) began_with: Option<TextIdentity>,
    author: Option<EncyclopediaWriter>,
    tokenizer: Option<TokenizerBuild>,
    opening: Option<TextLoader>,
}

impl RunSetup {
    /// Writes a slice of the built-in text. Any other one has to be brought.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a text that is missing.
    pub(super) fn write_text(&mut self, settings: &LanguageSettings) -> Result<(), LabError> {
        if !settings.data.is_empty() {
            let allowed = "this text has not been brought yet, and there is nothing to learn from before";
            return Err(LabError::invalid("data", shown(&settings.data), allowed));
        }
        let mut author =
            self.author.take().unwrap_or_else(|| EncyclopediaWriter::new(EDITION, settings.bytes));
        if author.advance(ARTICLES) {
            self.author = Some(author);
            return Ok(());
        }
        self.take_text(&settings.data, TrainingText::built_in(author.encyclopedia())?)
    }

    /// Takes up the text called `name`, which must be the one that training began with.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if it is another one.
    pub(super) fn take_text(&mut self, name: &str, text: TrainingText) -> Result<(), LabError> {
        if let Some(began_with) = self.began_with {
            text.check(name, began_with)?;
        }
        self.began_with = Some(text.identity());
        self.text = Some(text);
        Ok(())
    }

    /// Forgets a text that cannot be learned from.
    pub(super) fn give_text_back(&mut self) {
        *self = Self { began_with: self.began_with, ..Self::default() };
    }

    /// Makes a tokenizer, in slices. Returns a model with it once it is made.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a text that cannot be learned from.
    pub(super) fn make_tokenizer(
        &mut self,
        settings: &LanguageSettings,
        seed: u64,
    ) -> Result<Option<TrainedModel>, LabError> {
        let Some(text) = &self.text else { return Ok(None) };
        let learner = &settings.learner;
        let build = self.tokenizer.take();
        let build = build.unwrap_or_else(|| TokenizerBuild::new(&text.corpus, learner.vocabulary));
        match build.advance(&text.corpus) {
            Ok(TokenizerBuildStep::Unfinished(next)) => {
                self.tokenizer = Some(next);
                Ok(None)
            }
            Ok(TokenizerBuildStep::Finished(tokenizer)) => {
                check_size(learner, tokenizer.vocabulary())?;
                let trainer = LanguageTrainer::new(learner.clone(), tokenizer.vocabulary(), seed);
                let trainer = trainer?;
                Ok(Some(TrainedModel { tokenizer: Arc::new(tokenizer), trainer }))
            }
            Err(failure) => Err(failure.refused(&settings.data)),
        }
    }

    /// Goes to the place in the text where training goes on, in slices. Returns the text opened there.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a text that cannot be learned from.
    pub(super) fn open_text(
        &mut self,
        settings: &LanguageSettings,
        model: &TrainedModel,
        position: TextPosition,
        seed: u64,
    ) -> Result<Option<LoadedText>, LabError> {
        let Some(text) = &self.text else { return Ok(None) };
        let context = settings.learner.context as usize;
        let opening = self.opening.take();
        let mut opening = opening.unwrap_or_else(|| TextLoader::new(text, &model.tokenizer, context, seed));
        let more = opening.advance(position);
        if more.map_err(|error| refused_text(&settings.data, &error))? {
            self.opening = Some(opening);
            return Ok(None);
        }
        Ok(Some(opening.finish()))
    }

    /// How much is done of what is under way, 0 to 1.
    pub(super) fn done(&self) -> f64 {
        match self {
            Self { author: Some(author), .. } => author.done(),
            Self { tokenizer: Some(tokenizer), text: Some(text), .. } => tokenizer.done(&text.corpus),
            Self { opening: Some(opening), .. } => opening.done(),
            _ => 0.0,
        }
    }
}
