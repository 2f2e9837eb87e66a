//! Exams of the model beside training.

use super::exam::Exam;
use super::quiz::Candidate;
use super::text::Text;
use super::trained::TrainedModel;
use super::training::Training;
use crate::protocol::{LanguageBaselines, LanguageEvaluation, LanguageExamRow, LanguageQuizView};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::MetricRow;

/// The most exams whose outcome is kept.
const MOST_EXAMS: usize = 512;

/// The exam that is held now and then, and those before.
#[derive(Default)]
pub(super) struct Exams {
    under_way: Option<Exam>,
    /// What came of exams, the oldest first.
    pub(super) rows: Vec<LanguageExamRow>,
    /// The last exam's questions.
    pub(super) quiz: LanguageQuizView,
}

impl Exams {
    /// Whether one is under way, or it is time for the next.
    pub(super) fn is_due(&self, training: &Training) -> bool {
        let updates = training.updates();
        let was_examined = self.rows.last().is_some_and(|last| last.updates == updates);
        self.under_way.is_some() || (training.chosen.exam.is_at(updates) && !was_examined)
    }

    /// A slice of the exam. Returns what to report once it is over.
    ///
    /// # Errors
    /// [`LabError`] where text or model cannot go on.
    pub(super) fn advance(
        &mut self,
        cpu: &Cpu,
        training: &mut Training,
        text: &Text,
    ) -> Result<Option<MetricRow>, LabError> {
        let Some(reading) = &training.reading else { return Ok(None) };
        let config = &training.chosen.exam;
        let begin = || Exam::new(&reading.held_out, config.windows, config.questions as usize, 0);
        let mut exam = self.under_way.take().unwrap_or_else(begin);
        if advance(&mut exam, cpu, training, text)? {
            exam.show(&mut self.quiz, true);
            self.under_way = Some(exam);
            return Ok(None);
        }
        exam.show(&mut self.quiz, false);
        let outcome = outcome(&exam, training);
        self.keep(&outcome, training);
        let counted = |of: fn(&LanguageBaselines) -> f64| outcome.baselines.as_ref().map(of);
        let values = [
            ("validation_loss", Some(outcome.loss)),
            ("perplexity", Some(outcome.perplexity)),
            ("uniform", counted(|of| of.uniform)),
            ("unigram", counted(|of| of.unigram)),
            ("bigram", counted(|of| of.bigram)),
            ("trigram", counted(|of| of.trigram)),
            ("quiz", outcome.quiz.as_ref().and_then(|quiz| quiz.all.share())),
        ];
        Ok(Some(training.row(training.updates(), values)))
    }

    /// Keeps what came of an exam. Where that becomes too much, every second of the earlier ones is left out.
    fn keep(&mut self, outcome: &LanguageEvaluation, training: &Training) {
        let updates = training.updates();
        self.rows.push(LanguageExamRow {
            tokens: training.tokens(updates),
            updates,
            loss: outcome.loss,
            quiz: outcome.quiz.as_ref().and_then(|quiz| quiz.all.share()),
        });
        if self.rows.len() > MOST_EXAMS {
            let (mut place, last) = (0, self.rows.len());
            self.rows.retain(|_| {
                place += 1;
                place % 2 == 1 || place == last
            });
        }
    }
}

/// A slice of an exam of the model as it is. Returns whether there is more.
///
/// # Errors
/// [`LabError`] where text or model cannot go on.
pub(super) fn advance(
    exam: &mut Exam,
    cpu: &Cpu,
    training: &mut Training,
    text: &Text,
) -> Result<bool, LabError> {
    let Training { model: Some(model), reading: Some(reading), chosen, .. } = training else {
        return Ok(false);
    };
    let TrainedModel { tokenizer, trainer } = model;
    let mut candidate = Candidate { config: &chosen.learner, gpt: trainer.model_mut(), tokenizer };
    let more = exam.advance(cpu, &mut candidate, &mut reading.held_out, &text.questions);
    more.map_err(|stopped| stopped.refused(&chosen.data))
}

/// What has come of an exam.
pub(super) fn outcome(exam: &Exam, training: &Training) -> LanguageEvaluation {
    let vocabulary = training.model.as_ref().map_or(0, |model| model.tokenizer.vocabulary());
    let baselines = training.reading.as_ref().and_then(|reading| reading.baselines);
    exam.outcome(&training.chosen.learner, vocabulary, baselines)
}
