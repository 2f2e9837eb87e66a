//! Periodic evaluations of the model on held-out text and quiz questions, during training.

use super::evaluation::RunningEvaluation;
use super::quiz::EvaluatedModel;
use super::text::TrainingText;
use super::trained_model::TrainedModel;
use super::training::LanguageTraining;
use crate::entries::EVALUATION;
use crate::protocol::{LanguageAnswer, LanguageBaselines, LanguageEvaluation, LanguageEvaluationRow};
use crate::protocol::{LanguageQuizView, LanguageScore};
use serde::{Deserialize, Serialize};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::MetricRow;

/// Maximum number of stored results of evaluations during training.
const MAX_EVALUATIONS: usize = 512;

/// Result of the last completed evaluation: its metrics and the quiz answers that front ends show. A checkpoint contains
/// it, so that an opened model shows its result without another evaluation. Numbers have at most nine decimals, so that
/// JSON represents them exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "SavedEvaluation", into = "SavedEvaluation")]
pub(super) struct LastEvaluation {
    metrics: Vec<(String, f64)>,
    quiz: LanguageQuizView,
}

/// [`LastEvaluation`] in a checkpoint: metrics, topics with the numbers of questions and correct answers, and answers.
/// Tuples, because code that reads structs from JSON is large.
type SavedEvaluation = (Vec<(String, f64)>, Vec<(String, [u32; 2])>, Vec<SavedAnswer>);

/// [`LanguageAnswer`] in a checkpoint: prompt, endings, probabilities, right and chosen ending, topic, elsewhere. The
/// probabilities are f64 numbers: an f32 number with six decimals has more decimals as a number of JSON.
type SavedAnswer = (String, [String; 4], [f64; 4], [u32; 2], String, bool);

/// Returns the number with `decimals` decimals that is next to `value`.
fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (value * scale).round() / scale
}

impl From<LastEvaluation> for SavedEvaluation {
    fn from(LastEvaluation { metrics, quiz }: LastEvaluation) -> Self {
        let topics = quiz.topics.into_iter().map(|(topic, score)| (topic, [score.asked, score.right]));
        let answers = quiz.answers.into_iter().map(|answer| {
            let LanguageAnswer { prompt, endings, probabilities, right, chosen, topic, elsewhere } = answer;
            let probabilities = probabilities.map(|probability| rounded(probability.into(), 6));
            (prompt, endings, probabilities, [right, chosen], topic, elsewhere)
        });
        (metrics, topics.collect(), answers.collect())
    }
}

impl From<SavedEvaluation> for LastEvaluation {
    fn from((metrics, topics, answers): SavedEvaluation) -> Self {
        let sum = |of: usize| topics.iter().fold(0, |sum: u32, (_, counts)| sum.saturating_add(counts[of]));
        let (asked, right) = (sum(0), sum(1));
        let topics =
            topics.into_iter().map(|(topic, [asked, right])| (topic, LanguageScore { asked, right }));
        let answers =
            answers.into_iter().map(|(prompt, endings, probabilities, [right, chosen], topic, elsewhere)| {
                let probabilities = probabilities.map(|probability| probability as f32);
                LanguageAnswer { prompt, endings, probabilities, right, chosen, topic, elsewhere }
            });
        let (topics, answers) = (topics.collect(), answers.collect());
        Self { metrics, quiz: LanguageQuizView { running: false, asked, right, topics, answers } }
    }
}

impl LastEvaluation {
    fn new(evaluation: &RunningEvaluation, training: &LanguageTraining) -> Self {
        let mut metrics = MetricRow::of(0, EVALUATION, &outcome(evaluation, training)).values;
        metrics.iter_mut().for_each(|(_, value)| *value = rounded(*value, 9));
        let mut quiz = LanguageQuizView::default();
        evaluation.show(&mut quiz, false);
        let answers = quiz.answers.iter_mut().flat_map(|answer| &mut answer.probabilities);
        answers.for_each(|probability| *probability = rounded((*probability).into(), 6) as f32);
        Self { metrics, quiz }
    }

    /// Returns the metrics after `tokens` tokens.
    pub(super) fn metrics(&self, tokens: u64) -> MetricRow {
        MetricRow { steps: tokens, values: self.metrics.clone(), notice: None }
    }

    fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }

    /// Returns the row of the result in the list of evaluations, after `updates` gradient steps and `tokens` tokens;
    /// `None` in a damaged file.
    fn row(&self, updates: u64, tokens: u64) -> Option<LanguageEvaluationRow> {
        let loss = self.metric("validation_loss")?;
        Some(LanguageEvaluationRow { tokens, updates, loss, quiz: self.metric("quiz") })
    }

    /// Returns the losses of n-gram models on the same text.
    pub(super) fn baselines(&self) -> Option<LanguageBaselines> {
        Some(LanguageBaselines {
            uniform: self.metric("uniform")?,
            unigram: self.metric("unigram")?,
            bigram: self.metric("bigram")?,
            trigram: self.metric("trigram")?,
        })
    }
}

/// Periodic evaluations of a run: the evaluation in progress, and the results of the completed evaluations.
#[derive(Default)]
pub(super) struct LanguageEvaluations {
    current: Option<RunningEvaluation>,
    /// Results of the completed evaluations, oldest first.
    pub(super) rows: Vec<LanguageEvaluationRow>,
    /// Result of the last completed evaluation; `None` before an evaluation is complete.
    pub(super) last: Option<LastEvaluation>,
    /// Quiz answers of the evaluation in progress, or of the last evaluation.
    pub(super) quiz: LanguageQuizView,
}

impl LanguageEvaluations {
    /// Restores the evaluations of a checkpoint. A file with weights only has no rows; the result of its model becomes
    /// the first row of the new run.
    pub(super) fn restore(mut rows: Vec<LanguageEvaluationRow>, last: Option<LastEvaluation>) -> Self {
        if rows.is_empty() {
            rows.extend(last.as_ref().and_then(|last| last.row(0, 0)));
        }
        let quiz = last.as_ref().map(|last| last.quiz.clone()).unwrap_or_default();
        Self { current: None, rows, last, quiz }
    }

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
        let last = LastEvaluation::new(&evaluation, training);
        let (updates, tokens) = (training.updates(), training.tokens(training.updates()));
        let metrics = last.metrics(tokens);
        self.quiz = last.quiz.clone();
        self.keep(last.row(updates, tokens));
        self.last = Some(last);
        Ok(Some(metrics))
    }

    /// Stores the result of a completed evaluation. If more than [`MAX_EVALUATIONS`] results are stored afterwards,
    /// drops every second result.
    fn keep(&mut self, row: Option<LanguageEvaluationRow>) {
        self.rows.extend(row);
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
