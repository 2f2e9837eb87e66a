//! Backgammon: whole games of self-play a minute, every decision searched.

use super::Figure;
use crate::clock::now;
use crate::problem::Problem;
use vivarium_agents::alphazero::{AlphaZero, AlphaZeroConfig, AlphaZeroError, Learnable, NetworkSize};
use vivarium_envs::backgammon::State;
use vivarium_graph::Cpu;

/// Games without search before the measurement: enough for the network to play games of a usual length.
const TAUGHT: u64 = 2000;
/// Decisions of every game between the beginning of the searches and the measurement: their trees have grown.
const WARM: u64 = 3;
/// How long self-play is measured, in milliseconds.
const MEASURED: f64 = 20_000.0;

/// Measures one of these figures; nothing where the name is another's.
pub fn measure(name: &str, cpu: &Cpu) -> Result<Vec<Figure>, Problem> {
    Ok(match name {
        "backgammon/self_play/all" => {
            let rate = games_per_minute(cpu).map_err(|error| Problem::new(error.to_string(), ""))?;
            vec![Figure::on_cpu(name, rate, "games/min", cpu.threads())]
        }
        _ => Vec::new(),
    })
}

/// The reference network, 100 simulations for every decision, without learning meanwhile: as `vivarium bench` does it.
fn games_per_minute(cpu: &Cpu) -> Result<f64, AlphaZeroError> {
    let NetworkSize { width, blocks } = NetworkSize::REFERENCE;
    let taught = AlphaZeroConfig {
        width: width as u32,
        blocks: blocks as u32,
        simulations: 100,
        search_share: 1.0,
        games_before_search: TAUGHT,
        match_every: 0,
        ..AlphaZeroConfig::default_for(<State as Learnable>::NAME)
    };
    let mut learner = AlphaZero::<State>::new(taught.clone(), 1)?;
    while learner.counters().games < TAUGHT {
        learner.advance(cpu)?;
    }
    let all = u64::from(taught.workers * taught.games);
    learner.set_config(AlphaZeroConfig { passes: 0.0, trace: 1.0, games_before_search: 0, ..taught })?;
    let warm = learner.counters().decisions + WARM * all;
    while learner.counters().decisions < warm {
        learner.advance(cpu)?;
    }
    let (start, before) = (now(), learner.counters().games);
    while now() - start < MEASURED {
        learner.advance(cpu)?;
    }
    let games = learner.counters().games - before;
    Ok(60_000.0 * games as f64 / (now() - start))
}
