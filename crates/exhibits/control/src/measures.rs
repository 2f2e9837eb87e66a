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
        Some(Box::new(evaluation.read::<ReturnsEvaluation>()?))
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
