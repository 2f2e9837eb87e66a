//! What comes before training: the text, a tokenizer, a model, and the first look into the text.

use super::learning::{Opening, Reading};
use super::preparation::{Next, Preparation};
use super::refusal::{refused_text, shown};
use super::text::{ARTICLES, EDITION, Identity, Text};
use super::trained::TrainedModel;
use crate::entries::{Chosen, check_size};
use std::sync::Arc;
use vivarium_lab::error::LabError;
use vivarium_lm::encyclopedia::Author;
use vivarium_lm::{Position, Trainer};

/// The text, and what is made from it.
#[derive(Default)]
pub(super) struct Beginning {
    pub(super) text: Option<Text>,
    /// The text that training began with.
    pub(super) began_with: Option<Identity>,
    author: Option<Author>,
    tokenizer: Option<Preparation>,
    opening: Option<Opening>,
}

impl Beginning {
    /// Writes a slice of the built-in text. Any other one has to be brought.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a text that is missing.
    pub(super) fn write_text(&mut self, chosen: &Chosen) -> Result<(), LabError> {
        if !chosen.data.is_empty() {
            let allowed = "this text has not been brought yet, and there is nothing to learn from before";
            return Err(LabError::invalid("data", shown(&chosen.data), allowed));
        }
        let mut author = self.author.take().unwrap_or_else(|| Author::new(EDITION, chosen.bytes));
        if author.advance(ARTICLES) {
            self.author = Some(author);
            return Ok(());
        }
        self.take_text(&chosen.data, Text::built_in(author.encyclopedia())?)
    }

    /// Takes up the text called `name`, which must be the one that training began with.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if it is another one.
    pub(super) fn take_text(&mut self, name: &str, text: Text) -> Result<(), LabError> {
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
        chosen: &Chosen,
        seed: u64,
    ) -> Result<Option<TrainedModel>, LabError> {
        let Some(text) = &self.text else { return Ok(None) };
        let learner = &chosen.learner;
        let preparation = self.tokenizer.take();
        let preparation = preparation.unwrap_or_else(|| Preparation::new(&text.corpus, learner.vocabulary));
        match preparation.advance(&text.corpus) {
            Ok(Next::Slice(next)) => {
                self.tokenizer = Some(next);
                Ok(None)
            }
            Ok(Next::Made(tokenizer)) => {
                check_size(learner, tokenizer.vocabulary())?;
                let trainer = Trainer::new(learner.clone(), tokenizer.vocabulary(), seed);
                let trainer = trainer?;
                Ok(Some(TrainedModel { tokenizer: Arc::new(tokenizer), trainer }))
            }
            Err(failure) => Err(failure.refused(&chosen.data)),
        }
    }

    /// Goes to the place in the text where training goes on, in slices. Returns the text opened there.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a text that cannot be learned from.
    pub(super) fn open_text(
        &mut self,
        chosen: &Chosen,
        model: &TrainedModel,
        position: Position,
        seed: u64,
    ) -> Result<Option<Reading>, LabError> {
        let Some(text) = &self.text else { return Ok(None) };
        let context = chosen.learner.context as usize;
        let opening = self.opening.take();
        let mut opening = opening.unwrap_or_else(|| Opening::new(text, &model.tokenizer, context, seed));
        let more = opening.advance(position);
        if more.map_err(|error| refused_text(&chosen.data, &error))? {
            self.opening = Some(opening);
            return Ok(None);
        }
        Ok(Some(opening.reading()))
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
