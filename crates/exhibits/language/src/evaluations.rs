//! Periodic evaluations of the model on held-out text and quiz questions, during training.

use super::evaluation::RunningEvaluation;
use super::quiz::EvaluatedModel;
use super::text::TrainingText;
use super::trained_model::TrainedModel;
use super::training::LanguageTraining;
use crate::entries::EVALUATION;
use crate::protocol::{LanguageEvaluation, LanguageEvaluationRow, LanguageQuizView};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::MetricRow;

/// Maximum number of stored results of evaluations during training.
const MAX_EVALUATIONS: usize = 512;

/// Periodic evaluations of a run: the evaluation in progress, and the results of the completed evaluations.
#[derive(Default)]
pub(super) struct LanguageEvaluations {
    current: Option<RunningEvaluation>,
    /// Results of the completed evaluations, oldest first.
    pub(super) rows: Vec<LanguageEvaluationRow>,
    /// Quiz answers of the evaluation in progress, or of the last evaluation.
    pub(super) quiz: LanguageQuizView,
}

impl LanguageEvaluations {
    /// Returns whether an evaluation is in progress or due.
    pub(super) fn is_due(&self, training: &LanguageTraining) -> bool {
        let updates = training.updates();
        let was_evaluated = self.rows.last().is_some_and(|last| last.updates == updates);
        self.current.is_some() || (training.settings.evaluation.is_at(updates) && !was_evaluated)
    }

    /// Advances the evaluation in progress, or starts an evaluation if none is in progress. Returns the metrics if this
    /// call completed the evaluation.
    ///
    /// # Errors
    /// [`LabError`] if the text cannot be read or the model fails.
    pub(super) fn advance(
        &mut self,
        cpu: &Cpu,
        training: &mut LanguageTraining,
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

    /// Stores the result of a completed evaluation. If more than [`MAX_EVALUATIONS`] results are stored afterwards,
    /// drops every second result.
    fn keep(&mut self, outcome: &LanguageEvaluation, training: &LanguageTraining) {
        let updates = training.updates();
        self.rows.push(LanguageEvaluationRow {
            tokens: training.tokens(updates),
            updates,
            loss: outcome.loss,
            quiz: outcome.quiz_share(),
        });
        if self.rows.len() > MAX_EVALUATIONS {
            let (mut place, last) = (0, self.rows.len());
            self.rows.retain(|_| {
                place += 1;
                place % 2 == 1 || place == last
            });
        }
    }
}

/// Advances `evaluation`, which evaluates the model in training, by a bounded amount of work. Returns whether work
/// remains.
///
/// # Errors
/// [`LabError`] if the text cannot be read or the model fails.
pub(super) fn advance(
    evaluation: &mut RunningEvaluation,
    cpu: &Cpu,
    training: &mut LanguageTraining,
    text: &TrainingText,
) -> Result<bool, LabError> {
    let LanguageTraining { model: Some(model), loaded_text: Some(loaded_text), settings, .. } = training
    else {
        return Ok(false);
    };
    let TrainedModel { tokenizer, training } = model;
    let gpt = training.learner.model_mut();
    let mut candidate = EvaluatedModel { config: &settings.learner, gpt, tokenizer };
    let more = evaluation.advance(cpu, &mut candidate, &mut loaded_text.held_out, &text.questions);
    more.map_err(|failure| failure.refused(&settings.data))
}

/// Returns the result of `evaluation`, together with the losses of the n-gram baselines on the held-out text.
pub(super) fn outcome(evaluation: &RunningEvaluation, training: &LanguageTraining) -> LanguageEvaluation {
    let vocabulary = training.model.as_ref().map_or(0, |model| model.tokenizer.vocabulary());
    let baselines = training.loaded_text.as_ref().and_then(|loaded_text| loaded_text.baselines);
    evaluation.outcome(&training.settings.learner, vocabulary, baselines)
}
