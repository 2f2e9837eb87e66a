//! Metrics, each declared once: what it is called, what it measures, and how it is read off a learner's report.

use crate::protocol::{MetricInfo, MetricRow};

/// A measurement of a report `R`.
pub struct Metric<R> {
    words: [&'static str; 4],
    value: fn(&R) -> Option<f64>,
}

impl<R> Metric<R> {
    /// A metric by its name, such as `policy_loss`, the label that a person sees, its unit, empty for a pure number, one sentence
    /// that says what it measures, and how it is read off; `None` where a report does not have it.
    #[must_use]
    pub const fn new(
        [name, label, unit]: [&'static str; 3],
        help: &'static str,
        value: fn(&R) -> Option<f64>,
    ) -> Self {
        Self { words: [name, label, unit, help.trim_ascii()], value }
    }
}

/// Name and value of each metric of a report that has it.
pub fn values<R>(metrics: &[Metric<R>], report: &R) -> Vec<(String, f64)> {
    let known = |metric: &Metric<R>| Some((metric.words[0].to_owned(), (metric.value)(report)?));
    metrics.iter().filter_map(known).collect()
}

impl MetricRow {
    /// The metrics of a report, taken after so many [`steps`](Self::steps).
    #[must_use]
    pub fn of<R>(steps: u64, metrics: &[Metric<R>], report: &R) -> Self {
        Self { steps, values: values(metrics, report), notice: None }
    }
}

/// What each metric means, for front ends.
#[must_use]
pub fn described<R>(metrics: &[Metric<R>]) -> Vec<MetricInfo> {
    metrics
        .iter()
        .map(|Metric { words: [name, label, unit, help], .. }| MetricInfo::new(name, label, unit, help))
        .collect()
}

/// Declares the metrics of a report.
///
/// Each has a doc comment, which is also its help text, a name, how it is read off the report (a number, or an option of one
/// that not every report has), a label, and a unit where there is one.
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
///     /// What is measured of an iteration.
///     const METRICS: Report as report {
///         /// How undecided the policy is.
///         entropy = report.entropy, "Entropy" in "nat";
///         /// Mean loss of the samples, where there were any.
///         loss = report.loss, "Loss";
///     }
/// }
///
/// let report = Report { entropy: 0.5, loss: None };
/// assert_eq!(metrics::values(METRICS, &report), [("entropy".to_owned(), 0.5)]);
/// assert_eq!(metrics::described(METRICS)[1].label, "Loss");
/// ```
#[macro_export]
macro_rules! metrics {
    (
        $(#[doc = $about:literal])*
        $visible:vis const $metrics:ident: $report:ty as $value_of:ident {
            $(
                $(#[doc = $help:literal])+
                $name:ident = $value:expr, $label:literal $(in $unit:literal)?;
            )+
        }
    ) => {
        $(#[doc = $about])*
        $visible const $metrics: &[$crate::metrics::Metric<$report>] = &[$(
            $crate::metrics::Metric::new(
                [stringify!($name), $label, concat!("" $(, $unit)?)],
                concat!($($help),+),
                |$value_of| $value.into(),
            ),
        )+];
    };
}
