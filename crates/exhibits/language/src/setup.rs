//! Setup of a run before training: training text, tokenizer, model, first shuffle buffer.

use super::failure::{refused_text, shown};
use super::loading::{LoadedText, TextLoader};
use super::text::{ARTICLES, EDITION, TextIdentity, TrainingText};
use super::tokenizer_build::{TokenizerBuild, TokenizerBuildStep};
use super::trained_model::TrainedModel;
use crate::entries::{LanguageSettings, check_size};
use vivarium_lab::error::LabError;
use vivarium_lm::encyclopedia::EncyclopediaWriter;
use vivarium_lm::{BatchStream, LanguageLearner};

/// Training text of a run, and the state of the work that precedes training: text generation, tokenizer, loading.
#[derive(Default)]
pub(super) struct RunSetup {
    pub(super) text: Option<TrainingText>,
    /// Size and checksum of the text on which training started; `None` before a text was supplied. A resumed run must
    /// use the same text.
    pub(super) began_with: Option<TextIdentity>,
    /// Generator of the built-in training text; `None` if no generation is in progress.
    author: Option<EncyclopediaWriter>,
    /// Training of the tokenizer; `None` if no tokenizer is being trained.
    tokenizer: Option<TokenizerBuild>,
    /// Loading of the first shuffle buffer; `None` if no loading is in progress.
    opening: Option<TextLoader>,
}

impl RunSetup {
    /// Generates a few more articles of the built-in training text. After the last article, the articles become the
    /// training text of the run.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config names another text that has not been supplied.
    pub(super) fn write_text(&mut self, settings: &LanguageSettings) -> Result<(), LabError> {
        if !settings.data.is_empty() {
            let allowed = "this text has not been loaded; supply it before training";
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

    /// Makes `text` the training text of the run. `name` is the name of the text in the config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if training started with another text.
    pub(super) fn take_text(&mut self, name: &str, text: TrainingText) -> Result<(), LabError> {
        if let Some(began_with) = self.began_with {
            text.check(name, began_with)?;
        }
        self.began_with = Some(text.identity());
        self.text = Some(text);
        Ok(())
    }

    /// Discards the training text and the setup progress. Keeps the size and checksum of the text that training started
    /// with.
    pub(super) fn discard_text(&mut self) {
        *self = Self { began_with: self.began_with, ..Self::default() };
    }

    /// Advances the training of the tokenizer by a bounded amount of work. If this call completes the tokenizer,
    /// returns the tokenizer with a new, untrained model.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the text cannot be used for training.
    pub(super) fn build_tokenizer(
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
                let learner = LanguageLearner::new(learner.clone(), tokenizer.vocabulary(), seed)?;
                Ok(Some(TrainedModel::new(tokenizer, learner)))
            }
            Err(failure) => Err(failure.refused(&settings.data)),
        }
    }

    /// Advances the loading of the training text by a bounded amount of work. If this call completes the loading,
    /// returns the stream of training batches from the learner's position in the text on, and the held-out text with
    /// the n-gram baselines.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the text cannot be used for training.
    pub(super) fn open_text(
        &mut self,
        settings: &LanguageSettings,
        model: &TrainedModel,
        seed: u64,
    ) -> Result<Option<(BatchStream, LoadedText)>, LabError> {
        let Some(text) = &self.text else { return Ok(None) };
        let context = settings.learner.context as usize;
        let opening = self.opening.take();
        let mut opening = opening.unwrap_or_else(|| TextLoader::new(text, &model.tokenizer, context, seed));
        let more = opening.advance(model.training.learner.position());
        if more.map_err(|error| refused_text(&settings.data, &error))? {
            self.opening = Some(opening);
            return Ok(None);
        }
        Ok(Some(opening.finish()))
    }

    /// Returns the finished fraction, 0 to 1, of the work in progress: generation of the text, training of the
    /// tokenizer, or loading.
    pub(super) fn done(&self) -> f64 {
        match self {
            Self { author: Some(author), .. } => author.done(),
            Self { tokenizer: Some(tokenizer), text: Some(text), .. } => tokenizer.done(&text.corpus),
            Self { opening: Some(opening), .. } => opening.done(),
            _ => 0.0,
        }
    }
}
