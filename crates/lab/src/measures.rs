//! Evaluations of experiments: measures, goals, schedule and report formats. Each family declares them for its
//! experiments.

use crate::metric_range::MetricRange;
use crate::protocol::Evaluation;
use crate::text;
use serde_json::{Value, json};

/// Evaluations of an experiment: measures, size, schedule, and formats of the results.
pub trait Measures: Sync {
    /// Returns a help text about when training stops: the default, and an example of the option `--until`, such as
    /// "trains until stopped, or --until 'points>=0'".
    fn goal_help(&self) -> String;

    /// Returns descriptions of the measures that an evaluation computes, with the names in [`Evaluation::measures`].
    /// The first measure is the evaluation score; higher is better.
    fn evaluated(&self) -> &'static [EvaluatedMeasure];

    /// Returns the size and the schedule of evaluations.
    fn schedule(&self) -> EvaluationSchedule;

    /// Returns the default number of trials (episodes, boards, pairs of games) of an evaluation, given the complete
    /// config.
    fn trials(&self, config: &Value) -> u32 {
        let _ = config;
        100
    }

    /// Returns the scale of the evaluation score; `None` if no score counts as solved.
    fn scale(&self) -> Option<ScoreScale> {
        None
    }

    /// Returns the name of the state that a checkpoint omits and that a resumed run builds again, such as "self-play
    /// games and replay buffer"; `None` if a checkpoint contains the complete state.
    fn unsaved_state(&self) -> Option<&'static str> {
        None
    }

    /// Returns the section of the config that declares the task, such as `world`; `None` if no live field changes the task.
    /// Evaluations before and after a change of the task are not comparable.
    fn task_section(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether a run of the experiment reports its memory usage.
    fn reports_memory(&self) -> bool {
        false
    }

    /// Formats the newest metrics and the last evaluation for the progress line, most important part first.
    fn status(&self, of: &RunStatus<'_>) -> Vec<String>;

    /// Parses the complete result of an evaluation, for its report formats; `None` if the result is of another family.
    fn report(&self, evaluation: &Evaluation) -> Option<Box<dyn EvaluationReport>>;

    /// Returns the evaluation score, the first of [`evaluated`](Self::evaluated).
    fn score(&self) -> &'static EvaluatedMeasure {
        &self.evaluated()[0]
    }

    /// Returns the number of trials of a confirming evaluation (run when an evaluation first reaches the goal), given
    /// the complete config; `None` if evaluations are exhaustive.
    fn confirming_trials(&self, config: &Value) -> Option<u32> {
        Some((self.schedule().confirmation_factor? * self.trials(config)).min(MOST_TRIALS))
    }
}

/// Size and schedule of the evaluations of an experiment.
pub struct EvaluationSchedule {
    /// Number of training steps before the first evaluation, and minimum number of training steps between two
    /// evaluations. Chosen so that evaluations take about a tenth of the run's time.
    pub interval: u64,
    /// Number of trials of a default evaluation as text, such as "100 evaluation episodes".
    pub trials_label: &'static str,
    /// Number of trials of a confirming evaluation, as a multiple of [`Measures::trials`]. A confirming evaluation
    /// follows when an evaluation first reaches the goal. `None` if evaluations are exhaustive.
    pub confirmation_factor: Option<u32>,
}

impl EvaluationSchedule {
    /// Inverse growth rate of the schedule: the distance to the next evaluation is at least the number of steps so
    /// far divided by `GROWTH`.
    const GROWTH: u64 = 8;

    /// Returns the training step of the first evaluation after the training step `steps`. The schedule does not depend
    /// on time; therefore the result of a run depends neither on the speed of the machine nor on interruptions.
    #[must_use]
    pub fn next_after(&self, steps: u64) -> u64 {
        let mut next = self.interval;
        while next <= steps {
            next = next.saturating_add(self.interval.max(next / Self::GROWTH));
        }
        next
    }
}

/// Scale of the evaluation score of an experiment that can be solved.
pub struct ScoreScale {
    /// Approximate lower bound of the experiment's evaluation score.
    pub worst: f64,
    /// Minimum evaluation score at which the experiment counts as solved.
    pub solved: f64,
}

/// Description of one measure of an evaluation: names, label, unit and range.
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
    /// Chart in which front ends draw the measure.
    pub chart: EvaluationChart,
    /// Name of the measure that front ends show instead, if the value is the negative of its value: an evaluation score, of
    /// which higher is better, may be a negative loss.
    pub negative_of: Option<&'static str>,
}

/// Chart in which front ends draw a measure of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationChart {
    /// A chart that shows only this measure.
    Own,
    /// Two charts: a separate chart, and the chart of the first training metric in
    /// [`Readings::curves`](crate::readings::Readings::curves), which measures the same quantity during training.
    First,
    /// No chart, because another measure contains the same information.
    Hidden,
}

impl EvaluatedMeasure {
    /// Creates a measure that has its own chart, from its name in stop conditions, the name of its metric, its display
    /// name, its unit and its range.
    #[must_use]
    pub const fn new([measure, name, label, unit]: [&'static str; 4], range: MetricRange) -> Self {
        Self { measure, name, label, unit, range, chart: EvaluationChart::Own, negative_of: None }
    }

    /// Returns the measure as the negative of the measure `name`.
    #[must_use]
    pub const fn negative_of(self, name: &'static str) -> Self {
        Self { negative_of: Some(name), ..self }
    }

    /// Returns the name and the value as which front ends show the value `value` of the measure: of a negative loss, the loss.
    #[must_use]
    pub fn shown(&self, value: f64) -> (&'static str, f64) {
        self.negative_of.map_or((self.measure, value), |name| (name, -value))
    }

    /// Formats a value of the measure with the name as which front ends show it, such as "return 475".
    #[must_use]
    pub fn format(&self, value: f64) -> String {
        let (name, value) = self.shown(value);
        format!("{name} {}", text::number(value))
    }

    /// Returns the measure with `chart` as its chart.
    #[must_use]
    pub const fn drawn_in(self, chart: EvaluationChart) -> Self {
        Self { chart, ..self }
    }
}

/// An evaluation result to format, with facts about the evaluated run that the formatted table shows.
pub struct EvaluationContext<'a> {
    /// Title of the experiment, such as "MountainCar".
    pub title: &'a str,
    /// Number of training steps of the evaluated run.
    pub trained: u64,
    /// Minimum evaluation score at which the experiment counts as solved; `None` if no score does.
    pub solved: Option<f64>,
    /// Evaluation result that is formatted as a table.
    pub evaluation: &'a Evaluation,
}

/// Evaluation result of a family with its report formats: sentence, table and JSON.
pub trait EvaluationReport {
    /// Formats the evaluation result as one sentence.
    fn sentence(&self) -> String;

    /// Formats the evaluation result as a text table for the terminal.
    fn table(&self, subject: &EvaluationContext<'_>) -> String {
        let _ = subject;
        self.sentence()
    }

    /// Converts the evaluation result to a JSON object.
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
    /// Returns the newest value of the metric `name`, or `None` if the run has not reported this metric.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// Returns the text `label` followed by the newest value of the metric `name`, such as "loss 0.25"; `None` if the
    /// run has not reported this metric.
    #[must_use]
    pub fn named(&self, label: &str, name: &str) -> Option<String> {
        self.metric(name).map(|value| format!("{label} {}", text::number(value)))
    }

    /// Returns the value of the measure `name` in the last evaluation; `None` if there is no evaluation or no such
    /// measure.
    #[must_use]
    pub fn evaluated(&self, measure: &str) -> Option<f64> {
        self.evaluation?.measure(measure)
    }
}

/// Maximum number of trials (episodes, boards, pairs of games) of an evaluation.
const MOST_TRIALS: u32 = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milestones_follow_from_steps_and_grow_apart() {
        let schedule = EvaluationSchedule { interval: 100, trials_label: "", confirmation_factor: None };
        let first = std::iter::successors(Some(0), |steps| Some(schedule.next_after(*steps)));
        let first: Vec<_> = first.skip(1).take(12).collect();
        assert_eq!(first, [100, 200, 300, 400, 500, 600, 700, 800, 900, 1012, 1138, 1280]);
        for (steps, next) in [(0, 100), (99, 100), (100, 200), (1011, 1012), (1012, 1138)] {
            assert_eq!(schedule.next_after(steps), next, "{steps}");
        }
        assert!(schedule.next_after(u64::MAX - 1) == u64::MAX);
    }
}
