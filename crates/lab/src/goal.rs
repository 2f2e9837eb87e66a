//! Goals at which training stops, such as `return>=475`, and their confirmation by a second evaluation.

use crate::error::LabError;
use crate::info::ExperimentInfo;
use crate::measures::Measures;
use crate::metrics::MetricRange;
use crate::protocol::Evaluation;
use crate::{spelling, text};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// Comparison operator of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    AtLeast,
    Above,
    AtMost,
    Below,
}

impl Comparison {
    const ALL: [(Self, &'static str); 4] =
        [(Self::AtLeast, ">="), (Self::AtMost, "<="), (Self::Above, ">"), (Self::Below, "<")];

    fn symbol(self) -> &'static str {
        Self::ALL.iter().find(|(known, _)| *known == self).map_or("", |(_, symbol)| symbol)
    }
}

/// Goal at which training stops: a comparison of an evaluation measure or a training metric with a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    measure: String,
    comparison: Comparison,
    bound: f64,
}

impl Goal {
    /// Creates the goal at which an experiment counts as solved; `None` if no evaluation score counts as solved.
    #[must_use]
    pub fn solved(measures: &dyn Measures) -> Option<Self> {
        let bound = measures.scale()?.solved;
        Some(Self { measure: measures.score().measure.into(), comparison: Comparison::AtLeast, bound })
    }

    /// Returns the name of the compared evaluation measure or training metric.
    #[must_use]
    pub fn measure(&self) -> &str {
        &self.measure
    }

    /// Returns the bound with which the measure is compared.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// Returns whether `value`, a value of the measure, meets the goal; `false` for NaN.
    #[must_use]
    pub fn is_met_by(&self, value: f64) -> bool {
        match self.comparison {
            Comparison::AtLeast => value >= self.bound,
            Comparison::Above => value > self.bound,
            Comparison::AtMost => value <= self.bound,
            Comparison::Below => value < self.bound,
        }
    }

    /// Returns whether any value in the range of the measure meets the goal.
    fn can_be_met(&self, MetricRange { least, most }: MetricRange) -> bool {
        match self.comparison {
            Comparison::AtLeast | Comparison::Above => self.is_met_by(most),
            Comparison::AtMost | Comparison::Below => self.is_met_by(least),
        }
    }

    /// Returns the value of the goal's measure in `evaluation`; `None` if the goal is not reached.
    #[must_use]
    pub fn reached_in(&self, evaluation: &Evaluation) -> Option<f64> {
        evaluation.measure(&self.measure).filter(|&value| self.is_met_by(value))
    }

    /// Checks that the experiment has the measure or metric that the goal compares, and that a value in the range of
    /// this measure can meet the goal.
    ///
    /// # Errors
    /// [`LabError::Invalid`] of the field `until`. For an unknown measure, the error has the known measures and a
    /// spelling suggestion; for an unreachable goal, the range.
    pub fn check(&self, info: &ExperimentInfo, measures: &dyn Measures) -> Result<(), LabError> {
        let refuse = |allowed: String| Err(LabError::invalid("until", self.to_string(), allowed));
        let evaluated = || measures.evaluated().iter().map(|evaluated| evaluated.measure);
        let names = || evaluated().chain(info.metrics.iter().map(|metric| metric.name.as_str()));
        if let Some(range) = range(info, measures, &self.measure) {
            return match self.can_be_met(range) {
                true => Ok(()),
                false => refuse(format!(
                    "the goal is never reached, because {} is {range}; use a bound in this range",
                    self.measure
                )),
            };
        }
        let hint = spelling::nearest(&self.measure, names()).map_or(String::new(), |name| {
            format!("; did you mean {name}{}{}?", self.comparison.symbol(), self.bound)
        });
        refuse(format!(
            "{0} has no measure '{1}'{hint}\nEvaluation measures ({3}): {2}\nTraining metrics: {4}",
            info.name,
            self.measure,
            evaluated().collect::<Vec<_>>().join(", "),
            measures.schedule().trials_label,
            info.metrics.iter().map(|metric| metric.name.as_str()).collect::<Vec<_>>().join(", ")
        ))
    }
}

/// Result of [`evaluate_with_confirmation`].
pub struct ConfirmedEvaluation {
    /// The last evaluation; `None` if the evaluation was stopped.
    pub evaluation: Option<Evaluation>,
    /// Notice to the user if the first evaluation reached the goal and the second did not; otherwise `None`.
    pub notice: Option<String>,
}

/// Evaluates an experiment with the complete config `config` by calls of `evaluate`, whose arguments are the number of
/// trials, such as episodes, and the seed of their random numbers. `evaluate` returns `None` if it was stopped.
///
/// If the evaluation reaches `goal`, a second evaluation with more trials and another seed has to confirm this result,
/// because a few trials may reach a goal by chance.
///
/// # Errors
/// Any error that `evaluate` returns.
pub fn evaluate_with_confirmation<E>(
    measures: &dyn Measures,
    goal: Option<&Goal>,
    config: &Value,
    seed: u64,
    mut evaluate: impl FnMut(u32, u64) -> Result<Option<Evaluation>, E>,
) -> Result<ConfirmedEvaluation, E> {
    let first = evaluate(measures.trials(config), seed)?;
    let reached = goal.zip(first.as_ref()).and_then(|(goal, few)| Some((goal, goal.reached_in(few)?)));
    let Some(((goal, value), trials)) = reached.zip(measures.confirming_trials(config)) else {
        return Ok(ConfirmedEvaluation { evaluation: first, notice: None });
    };
    let evaluation = evaluate(trials, confirmation_seed(seed))?;
    let refuted = evaluation.as_ref().filter(|many| goal.reached_in(many).is_none());
    let notice = refuted.map(|many| {
        format!(
            "Goal {goal} not confirmed: {} in {}, but {} in {trials} other trials.",
            text::number(value),
            measures.schedule().trials_label,
            many.measure(goal.measure()).map_or_else(|| "unknown".into(), text::number)
        )
    });
    Ok(ConfirmedEvaluation { evaluation, notice })
}

/// Returns the random seed of the evaluation that confirms an evaluation with the seed `seed`.
fn confirmation_seed(seed: u64) -> u64 {
    // Fibonacci hashing: 2⁶⁴ over the golden ratio.
    !seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Returns the range of an evaluation measure or a training metric; `None` if the experiment has no such measure.
fn range(info: &ExperimentInfo, measures: &dyn Measures, name: &str) -> Option<MetricRange> {
    let evaluated = measures.evaluated().iter().find(|evaluated| evaluated.measure == name);
    let metric = || info.metrics.iter().find(|metric| metric.name == name);
    evaluated.map(|evaluated| evaluated.range).or_else(|| Some(metric()?.range))
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const SHAPE: &str = "use a measure, one of >= > <= <, and a number, in quotes: 'return>=475'";
        let split = Comparison::ALL.iter().find_map(|(comparison, symbol)| {
            let (measure, bound) = text.split_once(symbol)?;
            Some((*comparison, measure.trim(), bound.trim()))
        });
        let Some((comparison, measure, bound)) = split else {
            return Err(SHAPE.to_owned());
        };
        if measure.is_empty() || !measure.chars().all(|c| c.is_alphanumeric() || "_/.-".contains(c)) {
            return Err(format!("'{measure}' is not a valid name of a measure; {SHAPE}"));
        }
        match bound.parse::<f64>() {
            Ok(bound) if bound.is_finite() => Ok(Self { measure: measure.to_owned(), comparison, bound }),
            _ => Err(format!("'{bound}' is not a number; {SHAPE}")),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.measure, self.comparison.symbol(), self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_read_as_they_are_written() {
        let goal: Goal = " return >= 475 ".parse().unwrap();
        assert_eq!((goal.measure(), goal.bound()), ("return", 475.0));
        assert_eq!(goal.to_string(), "return>=475");
        assert!(goal.is_met_by(475.0) && !goal.is_met_by(474.9) && !goal.is_met_by(f64::NAN));
        let goal: Goal = "entropy<0.1".parse().unwrap();
        assert!(goal.is_met_by(0.05) && !goal.is_met_by(0.1));
        for text in ["return>-110.5", "value_loss<=1e-3"] {
            assert_eq!(text.parse::<Goal>().unwrap().to_string(), text.replace("1e-3", "0.001"));
        }
    }

    #[test]
    fn the_error_for_an_invalid_goal_shows_the_format() {
        for text in
            ["", "return", "475", ">=475", "return>=", "return>=many", "return=475", "a b>=1", "return>=inf"]
        {
            let error = text.parse::<Goal>().unwrap_err();
            assert!(error.contains("'return>=475'"), "{text}: {error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics_and_every_goal_round_trips(text in "[a-z_]{0,6}[<>=]{0,2}[-+0-9.einf]{0,6}|.*") {
            if let Ok(goal) = text.parse::<Goal>() {
                assert_eq!(goal.to_string().parse(), Ok(goal));
            }
        }
    }
}
