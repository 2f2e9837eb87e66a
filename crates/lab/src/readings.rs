//! Readings: the measurements, charts and labels that front ends show of a run. Each family declares them for its
//! experiments.

use crate::text;
use serde::Serialize;
use serde_json::Value;

/// Texts, numbers and charts that front ends display for every run of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Readings {
    /// Unit of the run's training steps in the plural, such as "epochs" or "tokens".
    pub unit: &'static str,
    /// Main metric of the experiment, displayed most prominently; `None` if the exhibit displays its main metric
    /// itself.
    pub headline: Option<Reading>,
    /// Numbers that front ends display in rows below the main metric: one inner list for each row.
    pub figures: Vec<Vec<Reading>>,
    /// Names of the metrics in the large chart; empty if the family draws its own chart.
    pub large: Vec<&'static str>,
    /// Names of the metrics in the small charts, at most four per config. If several elements have a condition that the
    /// config satisfies, front ends use the first of these elements.
    pub small: Vec<Curves>,
    /// Names of the metrics that measure the learner's performance, most important first. The first metric that has a
    /// value summarizes a run.
    pub results: Vec<&'static str>,
    /// Metric and its minimum value at which a run counts as solved; `None` if the experiment has no such threshold.
    pub solved: Option<Threshold>,
}

/// Number that front ends display for a run, such as the number of steps or the mean return: its source and its label.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Reading {
    /// Source of the displayed number: the training progress of the run, a metric, or a JSON document of the exhibit.
    pub source: ReadingSource,
    /// Name of the displayed number. If the source is the training progress: `steps`, `updates`, `episodes` or `speed`.
    /// If the source is a metric: the metric's name. If the source is a JSON document: a name that the exhibit defines.
    pub name: &'static str,
    /// Label with which front ends display the number.
    pub label: &'static str,
    /// Explanation of the displayed number in one sentence; empty if the label suffices or the metric has a help text.
    pub help: &'static str,
    /// Whether the number is hidden while its value is 0 or not available.
    pub optional: bool,
}

/// Source of a displayed number: the training progress of the run, a metric, or a JSON document of the exhibit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReadingSource {
    /// The training progress of the run: numbers of `steps`, `updates` and `episodes` so far, and `speed` in steps per
    /// second.
    Progress,
    /// The newest value of a metric of the run.
    Metric,
    /// A JSON document of the exhibit, from which the exhibit's own code in the front end reads the number.
    Exhibit,
}

impl Reading {
    /// Creates a displayed number whose source is the run's training progress. `name` is `steps`, `updates`, `episodes`
    /// or `speed` (in steps per second).
    #[must_use]
    pub const fn progress(name: &'static str, label: &'static str) -> Self {
        Self { source: ReadingSource::Progress, name, label, help: "", optional: false }
    }

    /// Creates a displayed number whose source is the newest value of the metric `name`.
    #[must_use]
    pub const fn metric(name: &'static str, label: &'static str) -> Self {
        Self { source: ReadingSource::Metric, name, label, help: "", optional: false }
    }

    /// Creates a displayed number whose source is a JSON document of the exhibit; the exhibit defines the meaning of
    /// `name`.
    #[must_use]
    pub const fn exhibit(name: &'static str, label: &'static str) -> Self {
        Self { source: ReadingSource::Exhibit, name, label, help: "", optional: false }
    }

    /// Returns a copy of the displayed number with `help`, one sentence, as its help text.
    #[must_use]
    pub const fn with_help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }

    /// Returns a copy of the displayed number that front ends hide while its value is 0 or not available.
    #[must_use]
    pub const fn or_none(mut self) -> Self {
        self.optional = true;
        self
    }
}

/// List of metrics that front ends draw in the small charts, for all configs or only for configs that satisfy a
/// condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Curves {
    /// Condition on the config under which front ends draw `metrics`; `None` for all configs.
    pub when: Option<FieldCondition>,
    /// Names of the metrics to draw as curves.
    pub metrics: Vec<&'static str>,
}

/// Condition on a config: the field at a given path has a given value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FieldCondition {
    /// Dotted path of the config field whose value is compared, such as `task.start`.
    pub path: &'static str,
    /// Value of the config field for which the condition holds.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub value: Value,
}

/// Metric and its minimum value at which a run counts as solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Threshold {
    /// Name of the metric that decides whether a run counts as solved.
    pub metric: &'static str,
    /// Minimum value of the metric at which the run counts as solved.
    pub from: f64,
}

impl Curves {
    /// Creates the list of metrics that front ends draw as curves for every config.
    #[must_use]
    pub fn of(metrics: &[&'static str]) -> Self {
        Self { when: None, metrics: metrics.to_vec() }
    }

    /// Creates the list of metrics that front ends draw as curves if the config field at `path` equals `value`.
    #[must_use]
    pub fn when(path: &'static str, value: impl Into<Value>, metrics: &[&'static str]) -> Self {
        Self { when: Some(FieldCondition { path, value: value.into() }), metrics: metrics.to_vec() }
    }
}

impl Readings {
    /// Returns the readings of an experiment that is not known: no displayed numbers and no charts. The unit of
    /// training steps is "steps".
    #[must_use]
    pub fn unknown() -> Self {
        Self { unit: "steps", ..Self::default() }
    }

    /// Formats a number of training steps with the run's unit: `1 epoch`, `2.00M tokens`.
    #[must_use]
    pub fn count(&self, steps: u64) -> String {
        let unit = if steps == 1 { self.unit.trim_end_matches('s') } else { self.unit };
        format!("{} {unit}", text::whole(steps))
    }

    /// Finds the entry of [`figures`](Self::figures) whose source is the training progress and whose name is `name`,
    /// such as `updates`. Returns `None` if front ends do not display this number.
    #[must_use]
    pub fn progress(&self, name: &str) -> Option<&Reading> {
        let of_progress = |figure: &&Reading| figure.source == ReadingSource::Progress && figure.name == name;
        self.figures.iter().flatten().find(of_progress)
    }

    /// Returns the names of the metrics that front ends draw in the small charts of a run with the config `config`.
    #[must_use]
    pub fn small(&self, config: &Value) -> &[&'static str] {
        let holds = |curves: &&Curves| {
            let when = curves.when.as_ref();
            when.is_none_or(|field| vivarium_config::get(config, field.path) == Some(&field.value))
        };
        self.small.iter().find(holds).map_or(&[], |curves| &curves.metrics)
    }

    /// Returns the names of all metrics that front ends draw for a run with the config `config`: main metric, large
    /// chart, small charts. Each name occurs once.
    #[must_use]
    pub fn curves(&self, config: &Value) -> Vec<&'static str> {
        let is_metric = |headline: &&Reading| headline.source == ReadingSource::Metric;
        let headline = self.headline.as_ref().filter(is_metric).map(|headline| headline.name);
        let mut curves: Vec<&'static str> = Vec::new();
        for name in headline.iter().chain(&self.large).chain(self.small(config)) {
            if !curves.contains(name) {
                curves.push(name);
            }
        }
        curves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn readings() -> Readings {
        Readings {
            unit: "steps",
            headline: Some(Reading::metric("return_mean", "Mean return")),
            figures: vec![vec![Reading::progress("steps", "Steps"), Reading::metric("episodes", "Episodes")]],
            large: vec!["return_mean"],
            small: vec![Curves::when("learner", "dqn", &["loss"]), Curves::of(&["policy_loss", "entropy"])],
            ..Readings::default()
        }
    }

    #[test]
    fn the_curves_are_those_of_the_config() {
        let readings = readings();
        assert_eq!(readings.small(&json!({ "learner": "dqn" })), ["loss"]);
        for other in [json!({ "learner": "ppo" }), json!({}), Value::Null] {
            assert_eq!(readings.small(&other), ["policy_loss", "entropy"], "{other}");
        }
        assert!(Readings::unknown().small(&Value::Null).is_empty());
    }

    #[test]
    fn the_headline_comes_first_and_no_curve_twice() {
        assert_eq!(readings().curves(&json!({})), ["return_mean", "policy_loss", "entropy"]);
        let own = Readings { headline: Some(Reading::exhibit("perplexity", "Perplexity")), ..readings() };
        assert_eq!(own.curves(&json!({ "learner": "dqn" })), ["return_mean", "loss"]);
    }

    #[test]
    fn a_figure_of_the_progress_is_not_one_of_a_metric() {
        assert_eq!(readings().progress("steps").map(|figure| figure.label), Some("Steps"));
        assert_eq!(readings().progress("episodes"), None);
    }
}
