//! Self-play of AlphaZero: games per minute, and the share of the network's forward pass in the computing time.

use crate::bench::{BenchFigure, Reporter};
use crate::error::CliError;
use std::sync::OnceLock;
use std::time::Instant;
use vivarium_agents::Learner;
use vivarium_agents::alphazero::{AlphaZero, AlphaZeroConfig, SelfPlayGame, TimeBreakdown};
use vivarium_graph::Cpu;

/// Number of self-play games without search with which the network is trained before the measurement. Games of an
/// untrained network would be atypically long.
const PRETRAINING_GAMES: u64 = 5_000;
/// Number of self-play iterations with search before the measurement. Afterwards the search trees have their typical
/// size.
const WARM_UP_ITERATIONS: usize = 3;

/// Runs the self-play benchmarks of a game and reports the results.
///
/// # Errors
/// [`CliError::Failed`] if self-play fails.
pub fn run<G: SelfPlayGame>(reporter: &mut Reporter) -> Result<(), CliError> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let (rate_name, share_name) =
        (format!("{}/self_play/all", G::NAME), format!("{}/forward_share", G::NAME));
    if !reporter.selects(&rate_name) && !reporter.selects(&share_name) {
        return Ok(());
    }
    let measured = measure::<G>(all, 20.0 * reporter.seconds()).map_err(CliError::failed_by)?;
    reporter.note(&format!(
        "{:.0} simulations per second, {:.1} decisions per game",
        measured.simulations, measured.length
    ));
    reporter.report(BenchFigure::new(rate_name, measured.games, "games/min").on(all));
    let TimeBreakdown { encoding, forward, search } = measured.time;
    let share = 100.0 * forward / (encoding + forward + search);
    reporter.report(BenchFigure::new(share_name, share, "%").on(all));
    Ok(())
}

/// Measured speed of self-play, and its computing time by kind of work.
struct SelfPlaySpeed {
    /// Number of finished games per minute.
    games: f64,
    /// Number of search simulations per second.
    simulations: f64,
    /// Mean number of decisions per game.
    length: f64,
    time: TimeBreakdown,
}

/// Measures self-play with the default network and 100 simulations per decision, without gradient steps, for about
/// `seconds` seconds.
fn measure<G: SelfPlayGame>(
    threads: usize,
    seconds: f64,
) -> Result<SelfPlaySpeed, vivarium_agents::LearnerError> {
    let cpu = Cpu::new(threads);
    let config = AlphaZeroConfig {
        width: 128,
        blocks: 3,
        simulations: 100,
        search_share: 1.0,
        games_before_search: PRETRAINING_GAMES,
        generation: 2_048,
        match_every: 0,
        ..G::config()
    };
    let mut learner = AlphaZero::<G>::new(config.clone(), 1)?;
    while learner.counters().games < PRETRAINING_GAMES {
        learner.advance(&cpu)?;
    }
    learner.set_config(AlphaZeroConfig {
        replay_ratio: 0.0,
        trace: 1.0,
        final_trace: 1.0,
        games_before_search: 0,
        ..config
    })?;
    for _ in 0..WARM_UP_ITERATIONS {
        learner.advance(&cpu)?;
    }
    learner.set_clock(Some(clock));
    let (start, before) = (Instant::now(), learner.counters());
    let (mut time, mut reports) = (TimeBreakdown::default(), 0);
    while start.elapsed().as_secs_f64() < seconds || reports < 2 {
        if let Some(spent) = learner.advance(&cpu)?.finished().and_then(|report| report.time) {
            time.encoding += spent.encoding;
            time.forward += spent.forward;
            time.search += spent.search;
            reports += 1;
        }
    }
    let elapsed = start.elapsed().as_secs_f64();
    let after = learner.counters();
    let games = (after.games - before.games) as f64;
    Ok(SelfPlaySpeed {
        games: 60.0 * games / elapsed,
        simulations: (after.simulations - before.simulations) as f64 / elapsed,
        length: (after.decisions - before.decisions) as f64 / games.max(1.0),
        time,
    })
}

/// Returns the time in seconds since the first call of this function, as the clock of the learner.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
