//! What comes before training: the text, a tokenizer, a model, and the first look into the text.

use super::experiment::{LanguageExperiment, TrainedModel, Work};
use super::learning::Opening;
use super::preparation::{Next, Preparation, Refusal};
use super::text::{ARTICLES, EDITION, Text};
use super::{refused, refused_text, shown};
use crate::entries::check_size;
use std::sync::Arc;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lm::Trainer;
use vivarium_lm::encyclopedia::Author;

/// What is being prepared.
#[derive(Default)]
pub(super) struct Beginning {
    pub(super) author: Option<Author>,
    pub(super) tokenizer: Option<Preparation>,
    pub(super) opening: Option<Opening>,
}

impl LanguageExperiment {
    /// A slice of what comes before training; `false` once there is nothing left of that.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a text that is missing or cannot be learnt from. One that was brought is given back: another
    /// one may be brought in its place.
    pub(super) fn prepare(&mut self) -> Result<bool, LabError> {
        let work = self.work();
        if matches!(work, Work::Exam | Work::Update) {
            return Ok(false);
        }
        self.ran = self.ran.wrapping_add(1);
        let outcome = match work {
            Work::Text => self.write_text(),
            Work::Tokenizer => self.make_tokenizer(),
            _ => self.begin_reading(),
        };
        if outcome.is_err() && self.text.is_some() {
            self.give_text_back();
        }
        outcome.map(|()| true)
    }

    /// Has the built-in text written, in slices. Any other one has to be brought.
    fn write_text(&mut self) -> Result<(), LabError> {
        if let Some(name) = self.missing_data() {
            let allowed = "this text has not been brought yet, and there is nothing to learn from before";
            return Err(LabError::invalid("data", shown(name), allowed));
        }
        let author = self.beginning.author.take();
        let mut author = author.unwrap_or_else(|| Author::new(EDITION, self.chosen.bytes));
        if author.advance(ARTICLES) {
            self.beginning.author = Some(author);
            return Ok(());
        }
        self.take_text(Text::built_in(author.encyclopedia())?)
    }

    /// Takes up a text, which must be the one that training began with.
    pub(super) fn take_text(&mut self, text: Text) -> Result<(), LabError> {
        if let Some(began_with) = self.began_with {
            text.check(&self.chosen.data, began_with)?;
        }
        self.began_with = Some(text.identity());
        self.text = Some(text);
        self.ran = self.ran.wrapping_add(1);
        Ok(())
    }

    /// Forgets a text that cannot be learnt from. Where nothing was learnt from it, any other one will do.
    fn give_text_back(&mut self) {
        self.text = None;
        self.beginning = Beginning::default();
        if self.updates() == 0 {
            (self.model, self.began_with) = (None, None);
            self.playground.clear();
        }
    }

    /// Makes a tokenizer, and once it is there a model.
    fn make_tokenizer(&mut self) -> Result<(), LabError> {
        let Some(text) = &self.text else { return Ok(()) };
        let vocabulary = self.chosen.learner.vocabulary;
        let preparation = self.beginning.tokenizer.take();
        let preparation = preparation.unwrap_or_else(|| Preparation::new(&text.corpus, vocabulary));
        match preparation.advance(&text.corpus) {
            Ok(Next::Slice(next)) => self.beginning.tokenizer = Some(next),
            Ok(Next::Made(tokenizer)) => {
                let learner = &self.chosen.learner;
                check_size(learner, tokenizer.vocabulary())?;
                let trainer = Trainer::new(learner.clone(), tokenizer.vocabulary(), self.run.seed());
                let trainer = trainer.map_err(|error| refused(&error))?;
                self.model = Some(TrainedModel { tokenizer: Arc::new(tokenizer), trainer });
            }
            Err(Refusal::Text(error)) => return Err(refused_text(&self.chosen.data, &error)),
            Err(Refusal::Tokenizer(error)) => {
                return Err(LabError::invalid("data", shown(&self.chosen.data), error.to_string()));
            }
        }
        Ok(())
    }

    /// Goes to the place in the text where training goes on, in slices.
    fn begin_reading(&mut self) -> Result<(), LabError> {
        let (Some(text), Some(model)) = (&self.text, &self.model) else { return Ok(()) };
        let (context, seed) = (self.chosen.learner.context as usize, self.run.seed());
        let opening = self.beginning.opening.take();
        let mut opening = opening.unwrap_or_else(|| Opening::new(text, &model.tokenizer, context, seed));
        let more = opening.advance(self.position);
        if more.map_err(|error| refused_text(&self.chosen.data, &error))? {
            self.beginning.opening = Some(opening);
            return Ok(());
        }
        let reading = opening.reading();
        self.map.count(model.tokenizer.vocabulary(), reading.training.tokens());
        self.reading = Some(reading);
        Ok(())
    }
}
