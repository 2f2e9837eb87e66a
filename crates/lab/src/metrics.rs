//! Metric definitions: name, label, unit, help, range and value of each metric of a learner's report.

pub use crate::metric_range::MetricRange;

use crate::protocol::{MetricInfo, MetricRow};

/// Definition of a metric that is computed from a learner's report of type `R`.
pub struct Metric<R> {
    words: [&'static str; 4],
    range: fn() -> MetricRange,
    value: fn(&R) -> Option<f64>,
}

impl<R> Metric<R> {
    /// Creates a metric from its name (such as `policy_loss`), display label, unit (empty for a pure number) and help
    /// sentence. `range` returns the range of the possible values. `value` reads the metric from a report, and returns
    /// `None` if the report lacks the metric.
    #[must_use]
    pub const fn new(
        [name, label, unit]: [&'static str; 3],
        help: &'static str,
        range: fn() -> MetricRange,
        value: fn(&R) -> Option<f64>,
    ) -> Self {
        Self { words: [name, label, unit, help.trim_ascii()], range, value }
    }
}

/// Returns the name and the value of each metric of `report`; omits metrics that the report lacks.
pub fn values<R>(metrics: &[Metric<R>], report: &R) -> Vec<(String, f64)> {
    let known = |metric: &Metric<R>| Some((metric.words[0].to_owned(), (metric.value)(report)?));
    metrics.iter().filter_map(known).collect()
}

impl MetricRow {
    /// Creates a metric row with the metrics of a report, at `steps` training steps.
    #[must_use]
    pub fn of<R>(steps: u64, metrics: &[Metric<R>], report: &R) -> Self {
        Self { steps, values: values(metrics, report), notice: None }
    }
}

/// Returns the descriptions of the metrics, for front ends.
#[must_use]
pub fn described<R>(metrics: &[Metric<R>]) -> Vec<MetricInfo> {
    metrics
        .iter()
        .map(|Metric { words: [name, label, unit, help], range, .. }| {
            MetricInfo::new(name, label, unit, help).within(range())
        })
        .collect()
}

/// Declares the metrics of a report.
///
/// Each metric has a doc comment (also its help text), a name, an expression for its value (a number or an `Option`), a
/// label, an optional unit, and an optional range.
///
/// ```
/// use vivarium_lab::metrics;
///
/// struct Report {
///     entropy: f64,
///     loss: Option<f64>,
/// }
///
/// vivarium_lab::metrics! {
///     /// Metrics of an iteration.
///     const METRICS: Report as report {
///         /// Entropy of the policy.
///         entropy = report.entropy, "Entropy" in "nat", 0.0..;
///         /// Mean loss of the samples.
///         loss = report.loss, "Loss";
///     }
/// }
///
/// let report = Report { entropy: 0.5, loss: None };
/// assert_eq!(metrics::values(METRICS, &report), [("entropy".to_owned(), 0.5)]);
/// let [entropy, loss] = &metrics::described(METRICS)[..] else { panic!("two metrics are declared") };
/// assert_eq!((loss.label.as_str(), loss.range.to_string()), ("Loss", "any number".to_owned()));
/// assert_eq!(entropy.range.to_string(), "at least 0");
/// ```
#[macro_export]
macro_rules! metrics {
    (
        $(#[doc = $about:literal])*
        $visible:vis const $metrics:ident: $report:ty as $value_of:ident {
            $(
                $(#[doc = $help:literal])+
                $name:ident = $value:expr, $label:literal $(in $unit:literal)? $(, $range:expr)?;
            )+
        }
    ) => {
        $(#[doc = $about])*
        $visible const $metrics: &[$crate::metrics::Metric<$report>] = &[$(
            $crate::metrics::Metric::new(
                [stringify!($name), $label, concat!("" $(, $unit)?)],
                concat!($($help),+),
                || [$(($range).into(),)? $crate::metrics::MetricRange::ANY][0],
                |$value_of| $value.into(),
            ),
        )+];
    };
}
