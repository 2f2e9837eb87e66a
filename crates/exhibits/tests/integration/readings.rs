//! Readings (metrics that front ends display): every displayed metric is declared and reported.

use crate::evaluations;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use vivarium_exhibits::{REGISTRY, info};
use vivarium_graph::Cpu;
use vivarium_lab::config;
use vivarium_lab::readings::{Reading, ReadingSource, Readings};

/// Maximum number of slices (calls of `advance`) until every metric has been reported.
const SLICES: u32 = 20_000;

/// Returns runs with small learners, each as the name and config of an experiment. Together they contain every list of
/// small charts that the readings define.
fn runs() -> Vec<(&'static str, Value)> {
    let often = |name: &str| match name {
        "backgammon" | "connect-four" => json!({
            "promotion": { "match_every": 1, "match_pairs": 1 },
            "ladder": { "pairs": 2 },
        }),
        "cube2" => json!({ "dqn": { "iteration": 4 } }),
        "cube3" => json!({ "learner": { "iteration": 5 } }),
        "language" => json!({ "evaluation": { "every": 2, "windows": 4, "questions": 4 } }),
        _ => json!({}),
    };
    let with = |mut small: Value, more: Value| {
        config::merge(&mut small, &more);
        small
    };
    let mut runs: Vec<_> =
        evaluations::small().into_iter().map(|(name, small)| (name, with(small, often(name)))).collect();
    let cube2 = runs.iter().find(|(name, _)| *name == "cube2").map(|(_, small)| small.clone()).unwrap();
    runs.push(("cube2", with(cube2, json!({ "dqn": { "demonstrations": 512 } }))));
    let ppo = json!({ "ppo": { "num_envs": 8, "horizon": 64, "minibatch": 256, "hidden": [8] } });
    for name in vivarium_exhibit_control::FAMILY.names() {
        runs.push((name, ppo.clone()));
        if info(name).unwrap().presets.iter().any(|preset| preset.name == "deep-q-learning") {
            let dqn = json!({ "num_envs": 8, "hidden": [8], "warm_up": 256, "replay_capacity": 4096, "minibatch": 64 });
            runs.push((name, json!({ "learner": "dqn", "dqn": dqn })));
        }
    }
    runs
}

fn figures(readings: &Readings) -> impl Iterator<Item = &Reading> {
    readings.headline.iter().chain(readings.figures.iter().flatten())
}

#[test]
fn every_curve_and_figure_is_a_metric_that_the_experiment_reports() {
    static TICKS: AtomicU64 = AtomicU64::new(0);
    let mut charts = BTreeSet::new();
    for (name, small) in runs() {
        let readings = info(name).unwrap().readings;
        let mut experiment = REGISTRY.create(name, &small, 3).unwrap();
        experiment.set_clock(|| TICKS.fetch_add(1, Ordering::Relaxed) as f64 / 1e3);
        let config = experiment.config();
        charts.insert((name, readings.small(&config).to_vec()));
        let of_metrics = figures(&readings).filter(|figure| figure.source == ReadingSource::Metric);
        let mut missing: BTreeSet<&str> =
            readings.curves(&config).into_iter().chain(of_metrics.map(|figure| figure.name)).collect();
        for _ in 0..SLICES {
            experiment.advance(&Cpu::new(1)).unwrap();
            for (metric, _) in experiment.take_metrics().iter().flat_map(|row| &row.values) {
                missing.remove(metric.as_str());
            }
            if missing.is_empty() {
                break;
            }
        }
        assert!(missing.is_empty(), "{name} does not report {missing:?}");
    }
    for name in REGISTRY.names() {
        for small in info(name).unwrap().readings.small {
            assert!(
                charts.contains(&(name, small.metrics.clone())),
                "{name}: no run has {:?}",
                small.metrics
            );
        }
    }
}

#[test]
fn every_result_is_a_described_metric_and_every_condition_a_field() {
    for name in REGISTRY.names() {
        let info = info(name).unwrap();
        let readings = &info.readings;
        let solved = readings.solved.iter().map(|solved| solved.metric);
        for metric in readings.results.iter().copied().chain(solved).chain(readings.curves(&info.defaults)) {
            assert!(info.metrics.iter().any(|known| known.name == metric), "{name} has no {metric}");
        }
        for condition in readings.small.iter().filter_map(|small| small.when.as_ref()) {
            let field = info.fields.iter().find(|field| field.path == condition.path);
            assert!(
                field.is_some_and(|field| field.check(&condition.value).is_ok()),
                "{name}: {condition:?}"
            );
        }
        assert!(readings.small.iter().all(|small| small.metrics.len() <= 4), "{name}");
        for figure in figures(readings).filter(|figure| figure.source == ReadingSource::Progress) {
            let known = ["steps", "updates", "episodes", "speed"];
            assert!(known.contains(&figure.name), "{name}: {figure:?}");
        }
    }
}
