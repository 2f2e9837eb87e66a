//! Goals at which training stops, such as `--until 'return>=475'`.

use std::fmt;
use std::str::FromStr;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::Measures;
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::spelling;

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
    /// Creates the goal at which an experiment counts as solved; `None` if the experiment has no such score.
    pub fn solved(measures: &dyn Measures) -> Option<Self> {
        let bound = measures.scale()?.solved;
        Some(Self { measure: measures.score().measure.into(), comparison: Comparison::AtLeast, bound })
    }

    /// Returns the name of the compared evaluation measure or training metric.
    pub fn measure(&self) -> &str {
        &self.measure
    }

    /// Returns the bound with which the measure is compared.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// Returns whether `value`, a value of the measure, meets the goal; `false` for NaN.
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

    /// Checks that the experiment has the goal's measure or metric, and that its range contains a value that meets
    /// the goal.
    ///
    /// # Errors
    /// A message: for an unknown measure, the known measures and a spelling suggestion; for an unreachable goal, the
    /// range.
    pub fn check(&self, info: &ExperimentInfo, measures: &dyn Measures) -> Result<(), String> {
        let evaluated = || measures.evaluated().iter().map(|evaluated| evaluated.measure);
        let names = || evaluated().chain(info.metrics.iter().map(|metric| metric.name.as_str()));
        if let Some(range) = range(info, measures, &self.measure) {
            return match self.can_be_met(range) {
                true => Ok(()),
                false => Err(format!(
                    "--until {self}: the goal is never reached, because {} is {range}; use a bound in this range",
                    self.measure
                )),
            };
        }
        let hint = spelling::nearest(&self.measure, names()).map_or(String::new(), |name| {
            format!("; did you mean {name}{}{}?", self.comparison.symbol(), self.bound)
        });
        Err(format!(
            "--until {self}: {0} has no measure '{1}'{hint}\nEvaluation measures ({3}): {2}\nTraining metrics: {4}",
            info.name,
            self.measure,
            evaluated().collect::<Vec<_>>().join(", "),
            measures.schedule().trials_label,
            info.metrics.iter().map(|metric| metric.name.as_str()).collect::<Vec<_>>().join(", ")
        ))
    }
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

    #[test]
    fn an_unreachable_goal_is_rejected_with_the_range() {
        let check = |name: &str, goal: &str| {
            let (info, measures) = (vivarium_exhibits::info(name), vivarium_exhibits::measures(name));
            goal.parse::<Goal>().unwrap().check(&info.unwrap(), measures.unwrap())
        };
        for (name, goal, range) in [
            ("cube2", "solved>=2", "from 0 to 1"),
            ("cube2", "solved>1", "from 0 to 1"),
            ("cube3", "solved_32<0", "from 0 to 1"),
            ("cube3", "moves<-1", "at least 0"),
            ("logic-ca", "accuracy>=100", "from 0 to 1"),
            ("logic-ca", "wrong_bits<0", "at least 0"),
            ("backgammon", "points>=3.5", "from -3 to 3"),
            ("connect-four", "points>1", "from -1 to 1"),
            ("connect-four", "wins_random>1", "from 0 to 1"),
            ("language", "likelihood>0", "at most 0"),
            ("language", "perplexity<1", "at least 1"),
            ("language", "validation_loss<=-0.1", "at least 0"),
            ("cartpole", "explained_variance>=1.5", "at most 1"),
            ("cartpole", "clip_fraction>=20", "from 0 to 1"),
        ] {
            let refused = check(name, goal).unwrap_err();
            assert!(refused.contains("never reached") && refused.contains(range), "{name}: {refused}");
        }
        for (name, goal) in [
            ("cube2", "solved>=1"),
            ("cube2", "solved<=0"),
            ("cartpole", "return>=1e9"),
            ("cartpole", "policy_loss<=-1"),
            ("backgammon", "points>=3"),
            ("language", "likelihood>=-1.5"),
            ("language", "loss<1"),
        ] {
            assert_eq!(check(name, goal), Ok(()), "{name} {goal}");
        }
    }

    #[test]
    fn share_metrics_range_from_0_to_1() {
        for name in vivarium_exhibits::REGISTRY.names() {
            let info = vivarium_exhibits::info(name).unwrap();
            for metric in info.metrics.iter().filter(|metric| metric.unit == "share") {
                assert_eq!(metric.range, MetricRange::SHARE, "{name} {}", metric.name);
            }
        }
    }

    #[test]
    fn the_error_for_an_unknown_measure_suggests_the_nearest() {
        let info = vivarium_exhibits::info("cartpole").unwrap();
        let measures = vivarium_exhibits::measures("cartpole").unwrap();
        let check = |goal: &str| goal.parse::<Goal>().unwrap().check(&info, measures);
        assert_eq!(check("return>=1"), Ok(()));
        assert_eq!(check("approx_kl<1"), Ok(()));
        let error = check("retrun>=475").unwrap_err();
        assert!(error.contains("did you mean return>=475?") && error.contains("entropy"), "{error}");
    }
}
