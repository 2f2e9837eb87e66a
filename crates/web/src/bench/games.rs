//! Benchmark of backgammon self-play with MCTS.

use super::measurement::{CpuBenchmark, on_cpu};
use crate::clock::now;
use serde_json::{Value, json};
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::LabError;

/// Number of self-play games without search that the network is trained on before the measurement, so that measured
/// games have a typical length.
const GAMES_WITHOUT_SEARCH: u64 = 2000;
/// Number of decisions with search per concurrent game before the measurement, so that the measured searches reuse
/// subtrees of earlier searches.
const WARM_UP_DECISIONS: u64 = 3;
/// Duration of the measurement of self-play, in milliseconds.
const MEASURED_MS: f64 = 20_000.0;

pub const BENCHMARKS: &[CpuBenchmark] = &[CpuBenchmark {
    name: "backgammon/self_play/all",
    run: |name, cpu, _| Ok(vec![on_cpu(name, games_per_minute(cpu)?, "games/min", cpu.threads())]),
}];

/// Returns self-play games per minute with 100 simulations per decision and a network of 128 units and 3 residual
/// blocks, without training. `vivarium bench` measures the same quantity.
fn games_per_minute(cpu: &Cpu) -> Result<f64, LabError> {
    let config = json!({
        "network": { "width": 128, "blocks": 3 },
        "search": { "search_share": 1.0, "simulations": 100, "games_before_search": GAMES_WITHOUT_SEARCH },
        "promotion": { "match_every": 0 },
        "ladder": { "every": 0 },
    });
    let mut experiment = REGISTRY.create("backgammon", &config, 1)?;
    while experiment.progress().episodes < GAMES_WITHOUT_SEARCH {
        experiment.advance(cpu)?;
    }
    let settled = [("learning.replay_ratio", 0.0), ("learning.trace", 1.0), ("learning.final_trace", 1.0)];
    for (path, value) in settled {
        experiment.set(path, &value.into())?;
    }
    let config = experiment.config();
    let of = |path| config.pointer(path).and_then(Value::as_u64).unwrap_or(1);
    let warm =
        experiment.progress().steps + WARM_UP_DECISIONS * of("/self_play/workers") * of("/self_play/games");
    while experiment.progress().steps < warm {
        experiment.advance(cpu)?;
    }
    let (start, before) = (now(), experiment.progress().episodes);
    while now() - start < MEASURED_MS {
        experiment.advance(cpu)?;
    }
    let games = experiment.progress().episodes - before;
    Ok(60_000.0 * games as f64 / (now() - start))
}
