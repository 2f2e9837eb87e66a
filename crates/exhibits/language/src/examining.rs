//! Exams of the model beside training.

use super::exam::{Candidate, Exam, Stopped};
use super::experiment::{LanguageExperiment, TrainedModel};
use super::refused_text;
use crate::protocol::LanguageExamRow;
use crate::protocol::{LanguageBaselines, LanguageEvaluation};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;

/// The most exams whose outcome is kept.
const MOST_EXAMS: usize = 512;

impl LanguageExperiment {
    /// A slice of the exam that is held now and then beside training.
    pub(super) fn examine(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        let (Some(held_out), windows) =
            (self.reading.as_ref().map(|reading| &reading.held_out), self.chosen.exam.windows)
        else {
            return Ok(());
        };
        let questions = self.chosen.exam.questions as usize;
        let mut exam = self.exam.take().unwrap_or_else(|| Exam::new(held_out, windows, questions, 0));
        if self.advance_exam(cpu, &mut exam)? {
            exam.show(&mut self.quiz, true);
            self.exam = Some(exam);
            return Ok(());
        }
        exam.show(&mut self.quiz, false);
        let outcome = self.outcome(&exam);
        self.keep(&outcome);
        let counted = |of: fn(&LanguageBaselines) -> f64| outcome.baselines.as_ref().map(of);
        self.tell([
            ("validation_loss", Some(outcome.loss)),
            ("perplexity", Some(outcome.perplexity)),
            ("uniform", counted(|of| of.uniform)),
            ("unigram", counted(|of| of.unigram)),
            ("bigram", counted(|of| of.bigram)),
            ("trigram", counted(|of| of.trigram)),
            ("quiz", outcome.quiz.as_ref().and_then(|quiz| quiz.all.share())),
        ]);
        Ok(())
    }

    /// Keeps what came of an exam. Where that becomes too much, every second of the earlier ones is left out.
    fn keep(&mut self, outcome: &LanguageEvaluation) {
        let updates = self.updates();
        self.exams.push(LanguageExamRow {
            tokens: updates * self.tokens_per_update(),
            updates,
            loss: outcome.loss,
            quiz: outcome.quiz.as_ref().and_then(|quiz| quiz.all.share()),
        });
        if self.exams.len() > MOST_EXAMS {
            let (mut place, last) = (0, self.exams.len());
            self.exams.retain(|_| {
                place += 1;
                place % 2 == 1 || place == last
            });
        }
    }

    /// A slice of an exam of the model as it is. Returns whether there is more.
    pub(super) fn advance_exam(&mut self, cpu: &Cpu, exam: &mut Exam) -> Result<bool, LabError> {
        let Self { text: Some(text), model: Some(model), reading: Some(reading), chosen, .. } = self else {
            return Ok(false);
        };
        let TrainedModel { tokenizer, trainer } = model;
        let mut candidate = Candidate { config: &chosen.learner, gpt: trainer.model_mut(), tokenizer };
        exam.advance(cpu, &mut candidate, &mut reading.held_out, &text.questions).map_err(|stopped| {
            match stopped {
                Stopped::Text(error) => refused_text(&chosen.data, &error),
                Stopped::Model(error) => error,
            }
        })
    }

    pub(super) fn outcome(&self, exam: &Exam) -> LanguageEvaluation {
        let vocabulary = self.model.as_ref().map_or(0, |model| model.tokenizer.vocabulary());
        let baselines = self.reading.as_ref().and_then(|reading| reading.baselines);
        exam.outcome(&self.chosen.learner, vocabulary, baselines)
    }
}
