//! LanguageEvaluations of the model beside training.

use super::evaluation::RunningEvaluation;
use super::quiz::EvaluatedModel;
use super::text::TrainingText;
use super::trained_model::TrainedModel;
use super::training::Training;
use crate::entries::EVALUATION;
use crate::protocol::{LanguageEvaluation, LanguageEvaluationRow, LanguageQuizView};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::MetricRow;

/// The most evaluations whose outcome is kept.
const MOST_EVALUATIONS: usize = 512;

/// The evaluation that is held now and then, and those before.
#[derive(Default)]
pub(super) struct LanguageEvaluations {
    current: Option<RunningEvaluation>,
    /// What came of evaluations, the oldest first.
    pub(super) rows: Vec<LanguageEvaluationRow>,
    /// The last evaluation's questions.
    pub(super) quiz: LanguageQuizView,
}

impl LanguageEvaluations {
    /// Whether one is under way, or it is time for the next.
    pub(super) fn is_due(&self, training: &Training) -> bool {
        let updates = training.updates();
        let was_evaluated = self.rows.last().is_some_and(|last| last.updates == updates);
        self.current.is_some() || (training.settings.evaluation.is_at(updates) && !was_evaluated)
    }

    /// A slice of the evaluation. Returns what to report once it is over.
    ///
    /// # Errors
    /// [`LabError`] where text or model cannot go on.
    pub(super) fn advance(
        &mut self,
        cpu: &Cpu,
        training: &mut Training,
        text: &TrainingText,
    ) -> Result<Option<MetricRow>, LabError> {
        let Some(loaded_text) = &training.loaded_text else { return Ok(None) };
        let config = &training.settings.evaluation;
        let begin =
            || RunningEvaluation::new(&loaded_text.held_out, config.windows, config.questions as usize, 0);
        let mut evaluation = self.current.take().unwrap_or_else(begin);
        if advance(&mut evaluation, cpu, training, text)? {
            evaluation.show(&mut self.quiz, true);
            self.current = Some(evaluation);
            return Ok(None);
        }
        evaluation.show(&mut self.quiz, false);
        let outcome = outcome(&evaluation, training);
        self.keep(&outcome, training);
        Ok(Some(MetricRow::of(training.tokens(training.updates()), EVALUATION, &outcome)))
    }

    /// Keeps what came of an evaluation. Where that becomes too much, every second of the earlier ones is left out.
    fn keep(&mut self, outcome: &LanguageEvaluation, training: &Training) {
        let updates = training.updates();
        self.rows.push(LanguageEvaluationRow {
            tokens: training.tokens(updates),
            updates,
            loss: outcome.loss,
            quiz: outcome.quiz_share(),
        });
        if self.rows.len() > MOST_EVALUATIONS {
            let (mut place, last) = (0, self.rows.len());
            self.rows.retain(|_| {
                place += 1;
                place % 2 == 1 || place == last
            });
        }
    }
}

/// A slice of an evaluation of the model as it is. Returns whether there is more.
///
/// # Errors
/// [`LabError`] where text or model cannot go on.
pub(super) fn advance(
    evaluation: &mut RunningEvaluation,
    cpu: &Cpu,
    training: &mut Training,
    text: &TrainingText,
) -> Result<bool, LabError> {
    let Training { model: Some(model), loaded_text: Some(loaded_text), settings, .. } = training else {
        return Ok(false);
    };
    let TrainedModel { tokenizer, trainer } = model;
    let mut candidate = EvaluatedModel { config: &settings.learner, gpt: trainer.model_mut(), tokenizer };
    let more = evaluation.advance(cpu, &mut candidate, &mut loaded_text.held_out, &text.questions);
    more.map_err(|failure| failure.refused(&settings.data))
}

/// What has come of an evaluation.
pub(super) fn outcome(evaluation: &RunningEvaluation, training: &Training) -> LanguageEvaluation {
    let vocabulary = training.model.as_ref().map_or(0, |model| model.tokenizer.vocabulary());
    let baselines = training.loaded_text.as_ref().and_then(|loaded_text| loaded_text.baselines);
    evaluation.outcome(&training.settings.learner, vocabulary, baselines)
}
