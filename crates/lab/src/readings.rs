//! What a front end shows of a run's measurements, and in which words. Each family declares it of its experiments; the native
//! program and the page show what is declared.

use serde::Serialize;
use serde_json::Value;

/// The measurements of a run that front ends show.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Readings {
    /// What the run's steps are called, in the plural.
    pub unit: &'static str,
    /// The number that is shown first and largest; `None` where the exhibit has words of its own for it.
    pub headline: Option<Reading>,
    /// Rows of further numbers.
    pub figures: Vec<Vec<Reading>>,
    /// Metrics of the large chart; none where a family draws a chart of its own.
    pub large: Vec<&'static str>,
    /// Metrics of the small charts, at most four. The first entry whose condition a config meets holds for it.
    pub small: Vec<Curves>,
    /// Metrics that say how well a learner does, the most telling first: the first that was measured describes a run.
    pub results: Vec<&'static str>,
    /// When a run counts as solved; `None` where there is always more to learn.
    pub solved: Option<Threshold>,
}

/// A number with its words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Reading {
    /// Where the number comes from.
    pub source: ReadingSource,
    /// Its name there: a field of the progress or `speed`, a metric, or the exhibit's own name for it.
    pub name: &'static str,
    /// For a person.
    pub label: &'static str,
    /// One sentence that says what it measures; empty where the label says it all, or the metric has one.
    pub help: &'static str,
    /// Whether it is left out while it is unknown or 0.
    pub optional: bool,
}

/// Where a [`Reading`] comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReadingSource {
    /// The run's progress: `steps`, `updates`, `episodes`; and `speed`, which is steps a second.
    Progress,
    /// The newest value of a metric.
    Metric,
    /// A document of the exhibit, which knows how to read it.
    Exhibit,
}

impl Reading {
    /// Of the run's progress.
    #[must_use]
    pub const fn progress(name: &'static str, label: &'static str) -> Self {
        Self { source: ReadingSource::Progress, name, label, help: "", optional: false }
    }

    /// Of a metric.
    #[must_use]
    pub const fn metric(name: &'static str, label: &'static str) -> Self {
        Self { source: ReadingSource::Metric, name, label, help: "", optional: false }
    }

    /// Of the exhibit's own documents.
    #[must_use]
    pub const fn exhibit(name: &'static str, label: &'static str) -> Self {
        Self { source: ReadingSource::Exhibit, name, label, help: "", optional: false }
    }

    /// The same with a sentence that says what it measures.
    #[must_use]
    pub const fn with_help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }

    /// The same, left out while it is unknown or 0.
    #[must_use]
    pub const fn or_none(mut self) -> Self {
        self.optional = true;
        self
    }
}

/// Metrics to draw, for some configs or for all.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Curves {
    /// The configs that it holds for; `None`: all.
    pub when: Option<FieldCondition>,
    /// The names of the metrics.
    pub metrics: Vec<&'static str>,
}

/// Configs in which a field has a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FieldCondition {
    /// The dotted path of the field.
    pub path: &'static str,
    /// Its value.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub value: Value,
}

/// A value of a metric that is worth reaching.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Threshold {
    /// The metric.
    pub metric: &'static str,
    /// Its smallest value that counts.
    pub from: f64,
}

impl Curves {
    /// For all configs.
    #[must_use]
    pub fn of(metrics: &[&'static str]) -> Self {
        Self { when: None, metrics: metrics.to_vec() }
    }

    /// For configs in which the field at `path` is `value`.
    #[must_use]
    pub fn when(path: &'static str, value: impl Into<Value>, metrics: &[&'static str]) -> Self {
        Self { when: Some(FieldCondition { path, value: value.into() }), metrics: metrics.to_vec() }
    }
}

impl Readings {
    /// Of an experiment that nothing is known about.
    #[must_use]
    pub fn unknown() -> Self {
        Self { unit: "steps", ..Self::default() }
    }

    /// The figure of the run's progress with this name, where it is shown.
    #[must_use]
    pub fn progress(&self, name: &str) -> Option<&Reading> {
        let of_progress = |figure: &&Reading| figure.source == ReadingSource::Progress && figure.name == name;
        self.figures.iter().flatten().find(of_progress)
    }

    /// Metrics of the small charts for a config.
    #[must_use]
    pub fn small(&self, config: &Value) -> &[&'static str] {
        let holds = |curves: &&Curves| {
            let when = curves.when.as_ref();
            when.is_none_or(|field| vivarium_config::get(config, field.path) == Some(&field.value))
        };
        self.small.iter().find(holds).map_or(&[], |curves| &curves.metrics)
    }

    /// All metrics that are worth a look for a config, the most important first.
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
