//! Evaluation of control experiments by the returns of complete episodes.

use crate::protocol::ReturnsEvaluation;
use serde_json::{Value, json};
use vivarium_config::shortest;
use vivarium_envs::EnvSpec;
use vivarium_lab::measures::{
    EvaluatedMeasure, EvaluationChart, EvaluationContext, EvaluationReport, EvaluationSchedule, Measures,
    RunStatus, ScoreScale,
};
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::protocol::Evaluation;
use vivarium_lab::{interval, text};

const RETURN: [&str; 4] = ["return", "eval_return_mean", "Evaluated return", "mean over greedy episodes"];

/// Evaluations of a control experiment: measures, schedule and text report. The field is the static description of the
/// environment.
pub(crate) struct ControlMeasures(pub(crate) &'static EnvSpec);

impl Measures for ControlMeasures {
    fn goal_help(&self) -> String {
        format!("trains until solved: a mean return of {}", self.0.solved)
    }

    fn evaluated(&self) -> &'static [EvaluatedMeasure] {
        const {
            &[
                EvaluatedMeasure::new(RETURN, MetricRange::ANY).drawn_in(EvaluationChart::First),
                EvaluatedMeasure::new(
                    ["return_std", "eval_return_std", "Evaluated return std", ""],
                    MetricRange::NONNEGATIVE,
                ),
                EvaluatedMeasure::new(
                    ["length", "eval_length_mean", "Evaluated length", "steps"],
                    MetricRange::NONNEGATIVE,
                ),
            ]
        }
    }

    fn task_section(&self) -> Option<&'static str> {
        Some("world")
    }

    fn schedule(&self) -> EvaluationSchedule {
        EvaluationSchedule {
            interval: 1 << 14,
            trials_label: "100 evaluation episodes",
            confirmation_factor: Some(10),
        }
    }

    fn scale(&self) -> Option<ScoreScale> {
        Some(ScoreScale { worst: shortest(self.0.returns.0), solved: shortest(self.0.solved) })
    }

    fn status(&self, of: &RunStatus<'_>) -> Vec<String> {
        // The evaluated (greedy) return takes precedence over the training return.
        match (of.evaluated("return"), of.metric("return_mean")) {
            (Some(value), _) => vec![format!("return {}", text::number(value))],
            (None, Some(value)) => vec![format!("return {} in training", text::number(value))],
            (None, None) => Vec::new(),
        }
    }

    fn report(&self, evaluation: &Evaluation) -> Option<Box<dyn EvaluationReport>> {
        let returns = (self.0.returns.0.into(), self.0.returns.1.into());
        Some(Box::new(ReturnsReport { evaluation: evaluation.read()?, returns }))
    }
}

/// Report of the returns of complete episodes.
struct ReturnsReport {
    evaluation: ReturnsEvaluation,
    /// Worst and best return of an episode; see [`EnvSpec::returns`].
    returns: (f64, f64),
}

impl ReturnsReport {
    /// Returns the 95 % confidence interval of the mean return, within the range of returns. The range is approximate and
    /// therefore extended by the returns of the episodes.
    fn interval(&self) -> (f64, f64) {
        let ReturnsEvaluation { mean, std, episodes, min, max, .. } = self.evaluation;
        let (low, high) = interval::of_mean(mean, std, episodes);
        (low.max(self.returns.0.min(min)), high.min(self.returns.1.max(max)))
    }
}

impl EvaluationReport for ReturnsReport {
    fn sentence(&self) -> String {
        let ReturnsEvaluation { mean, std, episodes, min, max, .. } = &self.evaluation;
        format!(
            "Return {} ± {} (standard deviation) over {} evaluation episodes, from {} to {}.",
            text::number(*mean),
            text::number(*std),
            episodes,
            text::number(*min),
            text::number(*max)
        )
    }

    /// Formats the evaluation result as a table, with the confidence interval of the mean return.
    fn table(&self, subject: &EvaluationContext<'_>) -> String {
        let (low, high) = self.interval();
        let of = &self.evaluation;
        let solved = subject.solved.unwrap_or(f64::INFINITY);
        let verdict = if of.mean >= solved { "solved" } else { "not solved" };
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
            episodes = of.episodes,
            steps = text::whole(subject.trained),
            mean = of.mean,
            std = of.std,
            min = of.min,
            max = of.max,
            length = of.length,
            terminated = 100.0 * of.terminated,
        )
    }

    fn json(&self, subject: &EvaluationContext<'_>) -> Value {
        let (low, high) = self.interval();
        let of = &self.evaluation;
        json!({
            "episodes": of.episodes,
            "mean": of.mean,
            "std": of.std,
            "min": of.min,
            "max": of.max,
            "mean_low": low,
            "mean_high": high,
            "length": of.length,
            "terminated": of.terminated,
            "solved": subject.solved.is_some_and(|solved| of.mean >= solved),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_the_mean_return_is_within_the_range_of_returns() {
        let report = |returns| ReturnsReport {
            evaluation: ReturnsEvaluation {
                mean: 499.0,
                std: 10.0,
                episodes: 101,
                min: 400.0,
                max: 500.0,
                length: 499.0,
                terminated: 0.01,
            },
            returns,
        };
        // t(0.975, 100) = 1.984, and the standard error is 1.
        let (low, high) = report((0.0, 500.0)).interval();
        assert!((low - 497.016).abs() < 1e-3 && (high - 500.0).abs() < 1e-9, "{low} {high}");
        let (_, high) = report((-600.0, 300.0)).interval();
        assert!((high - 500.0).abs() < 1e-9, "a return beyond the approximate range counts: {high}");
    }
}
