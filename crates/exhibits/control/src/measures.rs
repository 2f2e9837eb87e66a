//! Evaluation of control experiments by the returns of complete episodes.

use crate::family::{description, info};
use crate::protocol::ReturnsEvaluation;
use serde_json::{Value, json};
use vivarium_config::shortest;
use vivarium_lab::measures::{EvaluatedMeasure, EvaluationContext, EvaluationReport, Measures, RunStatus};
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::{interval, text};

const EVALUATED: [EvaluatedMeasure; 3] = [
    EvaluatedMeasure {
        measure: "return",
        name: "eval_return_mean",
        label: "Evaluated return",
        unit: "mean over greedy episodes",
        range: MetricRange::ANY,
    },
    EvaluatedMeasure {
        measure: "return_std",
        name: "eval_return_std",
        label: "Evaluated return std",
        unit: "",
        range: MetricRange::NONNEGATIVE,
    },
    EvaluatedMeasure {
        measure: "length",
        name: "eval_length_mean",
        label: "Evaluated length",
        unit: "steps",
        range: MetricRange::NONNEGATIVE,
    },
];

/// Returns the evaluation settings of experiment `name`, which must be one of the control experiments.
#[must_use]
pub fn measures(name: &str) -> Measures {
    let [worst, solved] = description(name).returns.map(shortest);
    Measures {
        readings: info(name).readings,
        goal_help: format!("trains until solved: a mean return of {solved}"),
        evaluated: &EVALUATED,
        solved: Some(solved),
        worst: Some(worst),
        trials_label: "100 evaluation episodes",
        trials: |_| 100,
        confirmation_factor: Some(10),
        evaluation_interval: 1 << 14,
        headline_evaluation: Some("eval_return_mean"),
        status,
        ..Measures::of::<ReturnsEvaluation>()
    }
}

fn status(of: &RunStatus<'_>) -> Vec<String> {
    // The evaluated (greedy) return takes precedence over the training return.
    match (of.evaluated("return"), of.metric("return_mean")) {
        (Some(value), _) => vec![format!("return {}", text::number(value))],
        (None, Some(value)) => vec![format!("return {} in training", text::number(value))],
        (None, None) => Vec::new(),
    }
}

impl EvaluationReport for ReturnsEvaluation {
    fn sentence(&self) -> String {
        format!(
            "Return {} ± {} (standard deviation) over {} evaluation episodes, from {} to {}.",
            text::number(self.mean),
            text::number(self.std),
            self.episodes,
            text::number(self.min),
            text::number(self.max)
        )
    }

    /// Formats the evaluation result as a table, with the confidence interval of the mean return.
    fn table(&self, subject: &EvaluationContext<'_>) -> String {
        let (low, high) = interval::of_mean(self.mean, self.std, self.episodes);
        let solved = subject.solved.unwrap_or(f64::INFINITY);
        let verdict = if self.mean >= solved { "solved" } else { "not solved" };
        format!(
            "\
{title}: {episodes} greedy episodes after {steps} training steps
  mean return  {mean:>9.2}   95 % interval {low:.2} to {high:.2}
  std          {std:>9.2}
  minimum      {min:>9.2}
  maximum      {max:>9.2}
  mean length  {length:>9.1}   steps; {terminated:.0} % ended in a terminal state
  {verdict}: the environment is solved at a mean return of {solved}",
            title = subject.title,
            episodes = self.episodes,
            steps = text::whole(subject.trained),
            mean = self.mean,
            std = self.std,
            min = self.min,
            max = self.max,
            length = self.length,
            terminated = 100.0 * self.terminated,
        )
    }

    fn json(&self, subject: &EvaluationContext<'_>) -> Value {
        let (low, high) = interval::of_mean(self.mean, self.std, self.episodes);
        json!({
            "episodes": self.episodes,
            "mean": self.mean,
            "std": self.std,
            "min": self.min,
            "max": self.max,
            "mean_low": low,
            "mean_high": high,
            "length": self.length,
            "terminated": self.terminated,
            "solved": subject.solved.is_some_and(|solved| self.mean >= solved),
        })
    }
}
