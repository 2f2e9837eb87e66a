//! Rows of a comparison: settings that differ, and numbers of the runs.

use super::group::{ComparedGroup, GroupedRun};
use super::number_format::NumberFormat;
use crate::runs::settings;
use crate::seed_mean::SeedMean;
use clap::ValueEnum;
use serde_json::Value;
use std::path::{Component, Path, PathBuf};
use vivarium_lab::goal::Goal;

/// Comparison of runs and studies.
pub struct RunComparison {
    pub groups: Vec<ComparedGroup>,
    /// Step of the results; `None` for the end of each run.
    pub at: Option<u64>,
    pub threshold: Option<Goal>,
    /// Index of the baseline in `groups`.
    pub baseline: Option<usize>,
    /// Names in tables that replace the paths of groups: index in `groups` and text.
    pub labels: Vec<(usize, String)>,
    /// Settings in which the groups differ, and their value in each group.
    pub settings: Vec<(String, Vec<Value>)>,
    pub quantities: Vec<Quantity>,
    /// Whether tables have the rows [`RowKind::Summary`].
    pub has_summary: bool,
}

/// Rows of a comparison, which the user selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowKind {
    /// Settings that differ
    Settings,
    /// Number of runs, state, steps, training time and best evaluation
    Summary,
    /// Metrics, or those of --metric
    Metrics,
}

/// A number that the runs of all groups have: a row of the comparison.
pub struct Quantity {
    /// Name in machine-readable formats.
    pub name: String,
    /// Name in tables.
    pub label: String,
    /// Values of the runs of each group.
    pub values: Vec<Vec<f64>>,
    /// Number of runs of each group.
    pub runs: Vec<usize>,
    /// Rows that the number belongs to. The numbers of a threshold, which is an option of its own, are always shown.
    pub kind: Option<RowKind>,
    /// Whether the mean requires a value of every run: a mean over the runs that reached a threshold would be misleading.
    pub needs_all: bool,
    pub format: NumberFormat,
}

impl RunComparison {
    /// Creates the comparison of `groups`, whose results are those at the step `at`.
    pub fn new(
        groups: Vec<ComparedGroup>,
        at: Option<u64>,
        threshold: Option<Goal>,
        baseline: Option<usize>,
    ) -> Self {
        let runs: Vec<Vec<_>> =
            groups.iter().map(|group| group.runs.iter().map(|compared| &compared.run).collect()).collect();
        let settings = settings::differing(&runs);
        let is_shown = |metric: &Quantity| settings::is_shown(&runs, metric.values.iter().any(Vec::is_empty));
        let mut quantities = vec![
            Quantity::new("steps", &groups, "steps", RowKind::Summary, NumberFormat::Whole),
            Quantity::new("elapsed", &groups, "time", RowKind::Summary, NumberFormat::Duration),
        ];
        if at.is_some() {
            // The last evaluation of a run may be earlier than the step of the comparison.
            let evaluated =
                Quantity::new("evaluated", &groups, "evaluated after", RowKind::Summary, NumberFormat::Whole);
            quantities.extend(Some(evaluated).filter(|of| of.values.iter().any(|values| !values.is_empty())));
        }
        quantities.extend(best(&groups));
        if let Some(goal) = &threshold {
            quantities.extend(threshold_quantities(&groups, goal));
        }
        for name in metric_names(&groups) {
            let metric = Quantity::new(name, &groups, name, RowKind::Metrics, NumberFormat::Number);
            if is_shown(&metric) {
                quantities.push(metric);
            }
        }
        Self { groups, at, threshold, baseline, labels: Vec::new(), settings, quantities, has_summary: true }
    }

    /// Keeps only the rows `kinds`, and the rows of the threshold.
    pub fn keep_rows(&mut self, kinds: &[RowKind]) {
        if !kinds.contains(&RowKind::Settings) {
            self.settings.clear();
        }
        self.quantities.retain(|quantity| quantity.kind.is_none_or(|kind| kinds.contains(&kind)));
        self.has_summary = kinds.contains(&RowKind::Summary);
    }

    /// Returns the folder that has the folders of all groups.
    pub fn common_folder(&self) -> PathBuf {
        let mut parents = self.groups.iter().map(|group| group.group.path.parent().unwrap_or(Path::new("")));
        let first = parents.next().unwrap_or(Path::new(""));
        parents.fold(first.to_owned(), |common, parent| {
            let is_equal = |(a, b): &(Component, Component)| a == b;
            common.components().zip(parent.components()).take_while(is_equal).map(|(part, _)| part).collect()
        })
    }
}

impl Quantity {
    /// Returns the number `name` of the runs: `steps`, `elapsed`, `evaluated` or a metric.
    fn new(name: &str, groups: &[ComparedGroup], label: &str, kind: RowKind, format: NumberFormat) -> Self {
        let values = groups.iter().map(|group| group.named(name)).collect();
        let runs = run_counts(groups);
        let kind = Some(kind);
        Self { name: name.into(), label: label.into(), values, runs, kind, needs_all: false, format }
    }

    /// Returns whether some runs of the group `index` lack the value.
    pub fn is_incomplete(&self, index: usize) -> bool {
        self.values[index].len() < self.runs[index]
    }

    /// Returns the mean of the group `index`; `None` if no run has the value, or if a run lacks a value that all runs need.
    pub fn mean(&self, index: usize) -> Option<SeedMean> {
        SeedMean::of(self.complete(index)?)
    }

    /// Returns the difference of the means of the groups `index` and `baseline`.
    pub fn difference(&self, index: usize, baseline: usize) -> Option<SeedMean> {
        SeedMean::difference(self.complete(index)?, self.complete(baseline)?)
    }

    /// Returns the median over all runs of the group `index`, of which a run without the value counts as larger than all values;
    /// `None` unless more than half of the runs have the value.
    pub fn censored_median(&self, index: usize) -> Option<f64> {
        let mut values = self.values[index].clone();
        values.sort_by(f64::total_cmp);
        let runs = self.runs[index];
        let (low, high) = (values.get((runs - 1) / 2)?, values.get(runs / 2)?);
        Some(low.midpoint(*high))
    }

    /// Returns the values of the group `index`; `None` if a run lacks a value that all runs need.
    fn complete(&self, index: usize) -> Option<&[f64]> {
        (!self.needs_all || !self.is_incomplete(index)).then_some(&self.values[index])
    }
}

/// Returns the best score of each run, as front ends show it; `None` if the scores of the experiments are different measures.
fn best(groups: &[ComparedGroup]) -> Option<Quantity> {
    let name_of = |compared: &GroupedRun| compared.run.score.map(|score| score.shown(0.0).0);
    let mut names = groups.iter().flat_map(|group| &group.runs).map(name_of);
    let name = names.next()?;
    if !names.all(|next| next == name) {
        return None;
    }
    let shown = |GroupedRun { run, results, .. }: &GroupedRun| {
        let best = results.best?;
        Some(run.score.map_or(best, |score| score.shown(best).1))
    };
    Some(Quantity {
        name: format!("best_{}", name.unwrap_or("score")),
        label: format!("best {}", name.unwrap_or("score")),
        values: groups.iter().map(|group| group.numbers(shown)).collect(),
        runs: run_counts(groups),
        kind: Some(RowKind::Summary),
        needs_all: false,
        format: NumberFormat::Number,
    })
}

/// Names of the quantities of [`threshold_quantities`].
pub const STEPS_TO_THRESHOLD: &str = "steps_to_threshold";
pub const SECONDS_TO_THRESHOLD: &str = "seconds_to_threshold";

/// Returns the number of runs of each group.
fn run_counts(groups: &[ComparedGroup]) -> Vec<usize> {
    groups.iter().map(|group| group.runs.len()).collect()
}

/// Returns the steps and the training time until the runs reached the threshold `goal`.
fn threshold_quantities(groups: &[ComparedGroup], goal: &Goal) -> [Quantity; 2] {
    let quantity = |name: &str, label: String, number: fn((u64, f64)) -> f64, format| Quantity {
        name: name.into(),
        label,
        values: groups.iter().map(|group| group.numbers(|run| run.reached.map(number))).collect(),
        runs: run_counts(groups),
        kind: None,
        needs_all: true,
        format,
    };
    [
        quantity(
            STEPS_TO_THRESHOLD,
            format!("steps to {goal}"),
            |(steps, _)| steps as f64,
            NumberFormat::Whole,
        ),
        quantity(
            SECONDS_TO_THRESHOLD,
            format!("time to {goal}"),
            |(_, seconds)| seconds,
            NumberFormat::Duration,
        ),
    ]
}

/// Returns the names of the metrics of all runs: evaluation measures first.
pub fn metric_names(groups: &[ComparedGroup]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in groups.iter().flat_map(|group| &group.runs).flat_map(|run| &run.results.metrics) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names.sort_by_key(|name| !name.starts_with("eval_"));
    names
}
