//! Registry entries of the board games: config schema, presets, metrics.

use crate::match_runner::MAX_PAIRS;
use crate::player_pool::{fixed, label};
use crate::protocol::GameInfo;
use crate::readings::readings;
use crate::rules::TableGame;
use crate::search_size::MAX_SIMULATIONS;
use crate::thumbnails::MAX_THUMBNAILS;
use serde_json::Value;
use vivarium_agents::alphazero::{AlphaZeroConfig, NetworkSize, Report};
use vivarium_config::Config;
use vivarium_lab::config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, PresetInfo, Schema};
use vivarium_lab::metrics::{self, MetricRange};
use vivarium_lab::protocol::{MetricInfo, MetricRow};

vivarium_config::config! {
    /// Settings of the ladder: periodic matches against reference players, which measure playing strength during
    /// training.
    #[derive(Clone)]
    struct LadderConfig {
        ["ladder"]
        /// Number of generations between matches against the reference players of the ladder. 0 disables the ladder.
        every: u32 = 1, "Ladder interval" in "generations", integer(0, 1000), live;
        /// Number of pairs of games per reference player. Both games of a pair have the same dice and swapped seats.
        pairs: u32 = 50, "Pairs of games", integer(2, 1000), live;
    }
}

/// Returns the config of the ladder (periodic matches against reference players): interval in generations (0: never)
/// and number of pairs of games per reference player.
pub(crate) fn ladder(config: &Value) -> (u32, u32) {
    let LadderConfig { every, pairs } = LadderConfig::from_json(config).unwrap_or_default();
    (every, pairs)
}

/// Returns the config schema of the experiment of game `G`: fields with defaults and ranges, and presets.
pub(crate) fn schema<G: TableGame>() -> Schema {
    let mut fields = G::config().fields();
    fields.extend(LadderConfig::default().fields());
    let presets = presets::<G>(&config::defaults(&fields));
    Schema { name: G::NAME, fields, presets, check: |config| read(config).map(drop) }
}

/// Returns the static description of the experiment of game `G` for front ends.
pub(crate) fn describe<G: TableGame>() -> ExperimentInfo {
    let world = GameInfo {
        outcomes: G::outcomes(),
        most_equity: G::MAX_VALUE,
        equity_unit: G::EQUITY_UNIT.into(),
        opponents: fixed::<G>(),
        largest_search: MAX_SIMULATIONS,
        max_thumbnails: MAX_THUMBNAILS,
        largest_match: MAX_PAIRS,
    };
    let readings = readings(G::HARDEST_WINS);
    ExperimentInfo::new([G::TITLE, G::SUMMARY], &world, schema::<G>(), metrics::<G>(), readings)
}

/// Returns the presets of game `G`, each reduced to its differences from the default config `defaults`.
fn presets<G: TableGame>(defaults: &Value) -> Vec<PresetInfo> {
    let mut presets = G::presets();
    for preset in &mut presets {
        let mut config = defaults.clone();
        config::merge(&mut config, &preset.config);
        preset.config = config::difference(&config, defaults);
    }
    presets
}

/// Maximum number of parameters of a network. Training keeps about twenty copies in memory (newest, best, rollback,
/// gradients, moments): about 4 GB natively.
const MAX_WEIGHTS: u64 = if cfg!(target_arch = "wasm32") { 8_000_000 } else { 48_000_000 };

/// Reads the learner's config from an experiment config whose fields are in range, and checks relations between fields.
///
/// # Errors
/// [`LabError::Invalid`] if fields contradict each other or the network is too large.
pub(crate) fn read(config: &Value) -> Result<AlphaZeroConfig, LabError> {
    let read = AlphaZeroConfig::from_json(config)?;
    read.check()?;
    let weights = least_weights(read.size());
    if weights > MAX_WEIGHTS {
        let allowed = format!(
            "at most {MAX_WEIGHTS} parameters, here {weights} with {} blocks; reduce width or blocks",
            read.blocks
        );
        return Err(read.refused("width", allowed).into());
    }
    Ok(read)
}

/// Returns a lower bound of the number of parameters of a network: the weights of the residual blocks, which have two
/// layers each.
pub(crate) fn least_weights(size: NetworkSize) -> u64 {
    2 * (size.blocks * size.width * size.width) as u64
}

vivarium_lab::metrics! {
    /// Metrics of a training generation (self-play, then gradient steps).
    const METRICS: Report as report {
        /// How far the network's first guess of a move is from the result of the search. Cross-entropy of the network's
        /// policy and the policy target, mean over the samples.
        policy_loss = report.policy_loss, "Policy loss" in "nat", 0.0..;
        /// How wrong the network is about the outcome of games. Binary cross-entropy of the outcome probabilities and
        /// the value target, summed over the outcomes, mean over the samples.
        value_loss = report.value_loss, "Value loss" in "nat", 0.0..;
        /// Mean length of finished self-play games in decisions.
        game_length = report.length_mean, "Game length" in "decisions", 0.0..;
        /// Mean points of the winner of a self-play game.
        game_points = report.points_mean, "Points per game" in "points", 0.0..;
        /// Mean points per game of the newest network in the promotion match.
        match_points = report.score.map(|score| score.points.mean), "Points against the best" in "points per game";
        /// Number of promotions of the newest network to the best network.
        promotions = report.counters.promotions as f64, "Promotions", 0.0..;
        /// Mean gradient norm of the gradient steps, before clipping.
        gradient_norm = report.gradient_norm, "Gradient norm", 0.0..;
        /// Current learning rate, after annealing and rollbacks.
        learning_rate = report.learning_rate, "Learning rate", 0.0..;
        /// Share of self-play time spent on forward passes.
        time_forward = report.time.map(|time| time.forward / time.total()), "Forward time" in "share", 0.0..=1.0;
        /// Share of self-play time spent on encoding states.
        time_encoding = report.time.map(|time| time.encoding / time.total()), "Encoding time" in "share", 0.0..=1.0;
        /// Share of self-play time spent on search trees, rules and move selection.
        time_search = report.time.map(|time| time.search / time.total()), "Search time" in "share", 0.0..=1.0;
    }
}

/// Converts the report of a finished training generation to a metric row.
pub(crate) fn row(report: &Report) -> MetricRow {
    MetricRow::of(report.counters.decisions, METRICS, report)
}

fn metrics<G: TableGame>() -> Vec<MetricInfo> {
    let most = f64::from(G::MAX_VALUE);
    let points = MetricRange::from(-most..=most);
    let mut all = metrics::described(METRICS);
    for metric in all.iter_mut().filter(|metric| metric.name == "match_points") {
        metric.range = points;
    }
    for (name, player) in G::opponents() {
        let who = label(player);
        let help = "Mean points per game of the newest network, without search, with swapped seats and the same dice.";
        let label = format!("Points against {who}");
        all.push(MetricInfo::new(&format!("points_{name}"), &label, "points per game", help).within(points));
        let help = "Share of games that the newest network wins, without search; a draw counts half.";
        let label = format!("Wins against {who}");
        all.push(MetricInfo::new(&format!("wins_{name}"), &label, "share", help).within(0.0..=1.0));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use vivarium_envs::backgammon::State as Backgammon;

    #[test]
    fn defaults_are_those_of_the_learner() {
        fn check<G: TableGame>() {
            let config = schema::<G>().configure(&json!({})).unwrap();
            assert_eq!(read(&config), Ok(G::config()));
        }
        vivarium_agents::each_game!(check());
    }

    #[test]
    fn rejects_networks_that_are_too_large() {
        let large = |blocks: u32| json!({ "network": { "width": 1024, "blocks": blocks } });
        let error = schema::<Backgammon>().configure(&large(32)).unwrap_err().to_string();
        assert!(error.contains("network.width = 1024") && error.contains("48000000"), "{error}");
        schema::<Backgammon>().configure(&large(16)).unwrap();
    }
}
