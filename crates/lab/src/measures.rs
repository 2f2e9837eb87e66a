//! What is measured of an experiment, and in which words a front end reports it. Each family says so of its experiments.

use crate::protocol::Evaluation;
use crate::readings::Readings;
use crate::text;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// How an experiment is measured.
#[derive(Clone)]
pub struct Measures {
    /// The measurements that front ends show of a run.
    pub readings: Readings,
    /// When a run ends, and an goal_help to give it, such as "trains until stopped, or --until 'points>=0'".
    pub goal_help: String,
    /// What evaluations measure, by name in [`Evaluation::measures`]; the first says how good a state is, more being better.
    pub evaluated: &'static [Evaluated],
    /// The first of these from which the experiment counts as solved, where there is such a value.
    pub solved: Option<f64>,
    /// Its worst value, or nearly: the other end of a scale that ends where the experiment counts as solved.
    pub worst: Option<f64>,
    /// What evaluations are made of, in words, such as "100 evaluation episodes".
    pub trials_label: &'static str,
    /// Trials (episodes, boards, pairs of games) of an evaluation where nobody asks for another number, by the whole config.
    pub trials: fn(&Value) -> u32,
    /// How many times as many trials decide whether a goal is reached that was reached in these; `None` where everything there
    /// is is tried anyway.
    pub confirmation_factor: Option<u32>,
    /// Steps up to the first evaluation, so many that evaluations take about a tenth of the time.
    pub evaluation_interval: u64,
    /// What a checkpoint does not hold, so that a run that is taken up again does not go on exactly.
    pub unsaved_state: Option<&'static str>,
    /// Whether a run reports how much memory it takes: its data may be larger.
    pub reports_memory: bool,
    /// The name of the number of evaluations that stands beside the first of the [curves](Readings::curves): the same
    /// quantity, measured by evaluation.
    pub headline_evaluation: Option<&'static str>,
    /// The name of a number of evaluations that is not shown, as another one says the same.
    pub hidden: Option<&'static str>,
    /// How a run stands, the most telling part first: from the newest metrics and the last evaluation.
    pub status: fn(&RunStatus<'_>) -> Vec<String>,
    /// An evaluation in a sentence.
    pub sentence: fn(&Evaluation) -> String,
    /// An evaluation as a table.
    pub table: fn(&EvaluationContext<'_>) -> String,
    /// An evaluation as the fields of a JSON object.
    pub json: fn(&EvaluationContext<'_>) -> Value,
}

/// A number that evaluations measure.
pub struct Evaluated {
    /// What it is called in a goal, such as `return`.
    pub measure: &'static str,
    /// What it is called in a run's files, such as `eval_return_mean`.
    pub name: &'static str,
    /// For a person.
    pub label: &'static str,
    /// Empty for a pure number.
    pub unit: &'static str,
}

/// An evaluation, and of what.
pub struct EvaluationContext<'a> {
    /// The experiment, such as "Mountain car".
    pub title: &'a str,
    /// Steps that it was trained for.
    pub trained: u64,
    /// As [`Measures::solved`].
    pub solved: Option<f64>,
    /// The evaluation.
    pub evaluation: &'a Evaluation,
}

/// An evaluation as a family's own document, and in which words it is reported.
pub trait EvaluationReport: DeserializeOwned {
    /// In a sentence.
    fn sentence(&self) -> String;

    /// As a table.
    fn table(&self, subject: &EvaluationContext<'_>) -> String {
        let _ = subject;
        self.sentence()
    }

    /// As the fields of a JSON object.
    fn json(&self, subject: &EvaluationContext<'_>) -> Value {
        json!({ "evaluation": subject.evaluation.details })
    }
}

/// What is known of a run while it goes on.
pub struct RunStatus<'a> {
    /// The newest value of each metric.
    pub metrics: &'a [(String, f64)],
    /// The last evaluation.
    pub evaluation: Option<&'a Evaluation>,
}

impl RunStatus<'_> {
    /// The newest value of a metric.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// The newest value of a metric after its name, such as "loss 0.25".
    #[must_use]
    pub fn named(&self, label: &str, name: &str) -> Option<String> {
        self.metric(name).map(|value| format!("{label} {}", text::number(value)))
    }

    /// What the last evaluation measured.
    #[must_use]
    pub fn evaluated(&self, measure: &str) -> Option<f64> {
        self.evaluation?.measure(measure)
    }
}

/// The most trials that any experiment takes.
const MOST_TRIALS: u32 = 10_000;

impl Measures {
    /// Those of an experiment whose evaluations are `E`, nothing else being known about it.
    #[must_use]
    pub fn of<E: EvaluationReport>() -> Self {
        Self {
            sentence: |evaluation| evaluation.read::<E>().map_or(String::new(), |read| read.sentence()),
            table: |subject| subject.evaluation.read::<E>().map_or(String::new(), |read| read.table(subject)),
            json: |subject| subject.evaluation.read::<E>().map_or(Value::Null, |read| read.json(subject)),
            ..Self::default()
        }
    }

    /// So many of its steps, in words: `1 epoch`, `2.00M tokens`.
    #[must_use]
    pub fn count(&self, steps: u64) -> String {
        let unit = self.readings.unit;
        let unit = if steps == 1 { unit.trim_end_matches('s') } else { unit };
        format!("{} {unit}", text::whole(steps))
    }

    /// Trials that decide whether a goal is reached that was reached in a few of them; `None` where all are tried anyway.
    #[must_use]
    pub fn confirming_trials(&self, config: &Value) -> Option<u32> {
        Some((self.confirmation_factor? * (self.trials)(config)).min(MOST_TRIALS))
    }

    /// Whether a number of a run's files is shown.
    #[must_use]
    pub fn is_shown(&self, name: &str) -> bool {
        self.hidden != Some(name)
    }

    /// The name in a run's files of what says how good a state is.
    #[must_use]
    pub fn quality(&self) -> &'static str {
        self.evaluated.first().map_or("", |first| first.name)
    }
}

impl Default for Measures {
    /// Of an experiment that nothing is known about.
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
