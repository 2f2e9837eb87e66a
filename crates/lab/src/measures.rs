//! Evaluation measures, default goals and report formats of experiments. Each family declares them for its experiments.

use crate::metric_range::MetricRange;
use crate::protocol::Evaluation;
use crate::readings::Readings;
use crate::text;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Evaluation measures, goals and report formats of an experiment.
#[derive(Clone)]
pub struct Measures {
    /// Measurements and charts of a run that front ends display.
    pub readings: Readings,
    /// Default stop condition and an example goal, such as "trains until stopped, or --until 'points>=0'".
    pub goal_help: String,
    /// Measures of an evaluation, with the names in [`Evaluation::measures`]. The first one is the evaluation score;
    /// higher is better.
    pub evaluated: &'static [EvaluatedMeasure],
    /// Minimum evaluation score at which the experiment counts as solved; `None` if the experiment has no such
    /// threshold.
    pub solved: Option<f64>,
    /// Lower end of the progress scale: approximately the lowest evaluation score. The upper end is `solved`.
    pub worst: Option<f64>,
    /// Number of trials of a default evaluation as text, such as "100 evaluation episodes".
    pub trials_label: &'static str,
    /// Default number of trials (episodes, boards, pairs of games) of an evaluation, given the complete config.
    pub trials: fn(&Value) -> u32,
    /// Number of trials of a confirming evaluation, as a multiple of `trials`. A confirming evaluation follows when an
    /// evaluation first reaches the goal. `None` if evaluations are exhaustive.
    pub confirmation_factor: Option<u32>,
    /// Number of training steps before the first evaluation, and minimum number of training steps between two
    /// evaluations, chosen so that evaluations take about a tenth of the time.
    pub evaluation_interval: u64,
    /// Name of the state that a checkpoint omits and a resumed run rebuilds; `None` if a resumed run is exact.
    pub unsaved_state: Option<&'static str>,
    /// Whether a run reports how much memory it occupies.
    pub reports_memory: bool,
    /// Name of the evaluation metric that measures the same quantity as the first charted metric (see
    /// [`Readings::curves`]). Both metrics are drawn in one chart.
    pub headline_evaluation: Option<&'static str>,
    /// Name of an evaluation metric that front ends do not show, because another metric contains the same information.
    pub hidden: Option<&'static str>,
    /// Formats the newest metrics and the last evaluation for the progress line, most important part first.
    pub status: fn(&RunStatus<'_>) -> Vec<String>,
    /// Formats an evaluation as a sentence.
    pub sentence: fn(&Evaluation) -> String,
    /// Formats an evaluation as a table.
    pub table: fn(&EvaluationContext<'_>) -> String,
    /// Converts an evaluation to the fields of a JSON object.
    pub json: fn(&EvaluationContext<'_>) -> Value,
}

/// Description of one measure of an evaluation: names, label and unit.
pub struct EvaluatedMeasure {
    /// Name of the measure in stop conditions (`--until`), such as `return`.
    pub measure: &'static str,
    /// Name of the metric in the run's files, such as `eval_return_mean`.
    pub name: &'static str,
    /// Display name of the measure.
    pub label: &'static str,
    /// Unit of the measure; empty for a pure number.
    pub unit: &'static str,
    /// Range of the measure's possible values.
    pub range: MetricRange,
}

/// An evaluation to format, with the facts about the evaluated run that its table shows.
pub struct EvaluationContext<'a> {
    /// Title of the experiment, such as "MountainCar".
    pub title: &'a str,
    /// Number of training steps of the evaluated run.
    pub trained: u64,
    /// Minimum evaluation score at which the experiment counts as solved; see [`Measures::solved`].
    pub solved: Option<f64>,
    /// Evaluation to format.
    pub evaluation: &'a Evaluation,
}

/// Evaluation result of a family, as parsed from JSON, with its report formats: sentence, table and JSON.
pub trait EvaluationReport: DeserializeOwned {
    /// Formats the evaluation as a sentence.
    fn sentence(&self) -> String;

    /// Formats the evaluation as a table.
    fn table(&self, subject: &EvaluationContext<'_>) -> String {
        let _ = subject;
        self.sentence()
    }

    /// Converts the evaluation to the fields of a JSON object.
    fn json(&self, subject: &EvaluationContext<'_>) -> Value {
        json!({ "evaluation": subject.evaluation.details })
    }
}

/// Newest metrics and last evaluation of a run, from which the progress line is formatted.
pub struct RunStatus<'a> {
    /// Name and newest value of each metric of the run.
    pub metrics: &'a [(String, f64)],
    /// Last evaluation of the run; `None` before the first.
    pub evaluation: Option<&'a Evaluation>,
}

impl RunStatus<'_> {
    /// Returns the newest value of the metric `name`, or `None` if the run has not reported it.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// Returns `label` with the newest value of the metric `name`, such as "loss 0.25"; `None` if the run has not
    /// reported it.
    #[must_use]
    pub fn named(&self, label: &str, name: &str) -> Option<String> {
        self.metric(name).map(|value| format!("{label} {}", text::number(value)))
    }

    /// Returns a measure of the last evaluation by its name, or `None` if there is no evaluation or no such measure.
    #[must_use]
    pub fn evaluated(&self, measure: &str) -> Option<f64> {
        self.evaluation?.measure(measure)
    }
}

/// Maximum number of trials (episodes, boards, pairs of games) of an evaluation.
const MOST_TRIALS: u32 = 10_000;

impl Measures {
    /// Creates measures whose report formats `E` defines; all other fields have their defaults.
    #[must_use]
    pub fn of<E: EvaluationReport>() -> Self {
        Self {
            sentence: |evaluation| evaluation.read::<E>().map_or(String::new(), |read| read.sentence()),
            table: |subject| subject.evaluation.read::<E>().map_or(String::new(), |read| read.table(subject)),
            json: |subject| subject.evaluation.read::<E>().map_or(Value::Null, |read| read.json(subject)),
            ..Self::default()
        }
    }

    /// Formats a number of training steps with the run's unit: `1 epoch`, `2.00M tokens`.
    #[must_use]
    pub fn count(&self, steps: u64) -> String {
        let unit = self.readings.unit;
        let unit = if steps == 1 { unit.trim_end_matches('s') } else { unit };
        format!("{} {unit}", text::whole(steps))
    }

    /// Returns the number of trials of a confirming evaluation (run when an evaluation first reaches the goal), given
    /// the complete config; `None` if evaluations are exhaustive.
    #[must_use]
    pub fn confirming_trials(&self, config: &Value) -> Option<u32> {
        Some((self.confirmation_factor? * (self.trials)(config)).min(MOST_TRIALS))
    }

    /// Returns whether front ends show the metric `name`; see [`hidden`](Self::hidden).
    #[must_use]
    pub fn is_shown(&self, name: &str) -> bool {
        self.hidden != Some(name)
    }

    /// Returns the metric name of the evaluation score, the first of [`evaluated`](Self::evaluated).
    #[must_use]
    pub fn quality(&self) -> &'static str {
        self.evaluated.first().map_or("", |first| first.name)
    }
}

impl Default for Measures {
    /// Creates default measures: no evaluated measures, and reports in the form of raw JSON.
    fn default() -> Self {
        Self {
            readings: Readings::unknown(),
            goal_help: String::new(),
            evaluated: &[],
            solved: None,
            worst: None,
            trials_label: "an evaluation",
            trials: |_| 100,
            confirmation_factor: None,
            evaluation_interval: 1 << 14,
            unsaved_state: None,
            reports_memory: false,
            headline_evaluation: None,
            hidden: None,
            status: |_| Vec::new(),
            sentence: |evaluation| evaluation.details.to_string(),
            table: |subject| subject.evaluation.details.to_string(),
            json: |subject| subject.evaluation.details.clone(),
        }
    }
}
