//! Benchmark of backgammon self-play with MCTS.

use super::measurement::{Figure, on_cpu};
use crate::clock::now;
use crate::error::SessionError;
use serde_json::{Value, json};
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::LabError;

/// Number of self-play games without search on which the network is trained before the measurement, so that games have
/// a typical length.
const TAUGHT: u64 = 2000;
/// Number of decisions with search per game before the measurement, so that the measured searches reuse trees.
const WARM: u64 = 3;
/// Duration of the measurement of self-play, in milliseconds.
const MEASURED: f64 = 20_000.0;

/// Runs the benchmark `name` and returns its results. The list is empty if this file does not define the benchmark.
pub fn measure(name: &str, cpu: &Cpu) -> Result<Vec<Figure>, SessionError> {
    Ok(match name {
        "backgammon/self_play/all" => {
            vec![on_cpu(name, games_per_minute(cpu)?, "games/min", cpu.threads())]
        }
        _ => Vec::new(),
    })
}

/// Returns self-play games per minute of the reference network with 100 simulations per decision, without training.
/// `vivarium bench` measures the same quantity.
fn games_per_minute(cpu: &Cpu) -> Result<f64, LabError> {
    let config = json!({
        "network": { "width": 128, "blocks": 3 },
        "search": { "search_share": 1.0, "simulations": 100, "games_before_search": TAUGHT },
        "promotion": { "match_every": 0 },
        "ladder": { "every": 0 },
    });
    let mut experiment = REGISTRY.create("backgammon", &config, 1)?;
    while experiment.progress().episodes < TAUGHT {
        experiment.advance(cpu)?;
    }
    let settled = [("learning.replay_ratio", 0.0), ("learning.trace", 1.0), ("learning.final_trace", 1.0)];
    for (path, value) in settled {
        experiment.set(path, &value.into())?;
    }
    let config = experiment.config();
    let of = |path| config.pointer(path).and_then(Value::as_u64).unwrap_or(1);
    let warm = experiment.progress().steps + WARM * of("/self_play/workers") * of("/self_play/games");
    while experiment.progress().steps < warm {
        experiment.advance(cpu)?;
    }
    let (start, before) = (now(), experiment.progress().episodes);
    while now() - start < MEASURED {
        experiment.advance(cpu)?;
    }
    let games = experiment.progress().episodes - before;
    Ok(60_000.0 * games as f64 / (now() - start))
}
