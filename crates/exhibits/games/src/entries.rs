//! Board games: AlphaZero learns them by playing itself.

use crate::match_runner::MOST_PAIRS;
use crate::player_pool::{fixed, label};
use crate::protocol::GameInfo;
use crate::readings::readings;
use crate::rules::TableGame;
use crate::search_size::LARGEST_SEARCH;
use crate::wall::LARGEST_WALL;
use serde_json::{Value, json};
use vivarium_agents::alphazero::{AlphaZeroConfig, NetworkSize, Report, SelfPlayGame};
use vivarium_config::Config;
use vivarium_envs::backgammon::State as Backgammon;
use vivarium_lab::config;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, PresetInfo, Schema, preset};
use vivarium_lab::metrics;
use vivarium_lab::protocol::{MetricInfo, MetricRow};

pub(crate) fn is_backgammon(name: &str) -> bool {
    name == Backgammon::NAME
}

vivarium_config::config! {
    /// How often strength is measured. The learner knows nothing of it.
    #[derive(Clone)]
    struct LadderConfig {
        ["ladder"]
        /// After so many generations the newest network plays opponents that do not learn; 0: never.
        every: u32 = 1, "Measured every" in "generations", integer(0, 1000), live;
        /// Pairs of games against each of them, with seats changed and the same dice. More measure better and take longer.
        pairs: u32 = 50, "Pairs of games", integer(2, 1000), live;
    }
}

/// After how many generations strength is measured, 0 for never, and with how many pairs of games.
pub(crate) fn ladder(config: &Value) -> (u32, u32) {
    let LadderConfig { every, pairs } = LadderConfig::from_json(config).unwrap_or_default();
    (every, pairs)
}

/// What configs the experiment may have.
pub(crate) fn schema<G: TableGame>() -> Schema {
    let mut fields = AlphaZeroConfig::default_for(G::NAME).fields();
    fields.extend(LadderConfig::default().fields());
    let presets = presets::<G>(&config::defaults(&fields));
    Schema { name: G::NAME, fields, presets, check: |config| read(config).map(drop) }
}

/// Everything about the experiment that does not change while it runs.
pub(crate) fn describe<G: TableGame>() -> ExperimentInfo {
    let world = GameInfo {
        outcomes: G::outcomes(),
        most_equity: G::MAX_VALUE,
        equity_unit: G::EQUITY_UNIT.into(),
        opponents: fixed::<G>(),
        largest_search: LARGEST_SEARCH,
        largest_wall: LARGEST_WALL,
        largest_match: MOST_PAIRS,
    };
    let readings = readings(is_backgammon(G::NAME));
    ExperimentInfo::new([G::TITLE, G::SUMMARY], &world, schema::<G>(), metrics::<G>(), readings)
}

fn presets<G: TableGame>(defaults: &Value) -> Vec<PresetInfo> {
    let size = |width: u32, blocks: u32| json!({ "network": { "width": width, "blocks": blocks } });
    let of = |name, label, changes: &Value| {
        let mut config = defaults.clone();
        config::merge(&mut config, changes);
        preset(name, label, config::difference(&config, defaults))
    };
    let (small, large) = (size(64, 2), size(256, 4));
    let help_large = "256 wide and 4 blocks deep: stronger for whoever has the time.";
    if is_backgammon(G::NAME) {
        let searching =
            json!({ "search": { "search_share": 1.0, "games_before_search": 2000, "simulations": 100 } });
        return vec![
            of("reference", "Reference network", &json!({})).with_help(
                "128 wide and 3 blocks deep, learning mostly by looking one move ahead: strong within half \
                 an hour.",
            ),
            of("small", "Small network", &small)
                .with_help("64 wide and 2 blocks deep: quick to learn, and weaker in the end."),
            of("large", "Large network", &large).with_help(help_large),
            of("searching", "Search every move", &searching).with_help(
                "Every move of self-play is searched with 100 simulations, as AlphaZero does: fewer games, \
                 better ones.",
            ),
        ];
    }
    let searching = json!({ "search": { "search_share": 1.0 } });
    vec![
        of("quick", "Quick", &json!({})).with_help("From nothing to strong play within minutes."),
        of("large", "Large network", &large).with_help(help_large),
        of("searching", "Search every move", &searching)
            .with_help("Every move of self-play is searched, as AlphaZero does."),
    ]
}

/// The most numbers that a network may learn: it is held some twenty times, as the one that learns, the best, the one that is
/// gone back to, with gradients and moments, which takes some four gigabytes; a page has one.
const MOST_WEIGHTS: u64 = if cfg!(target_arch = "wasm32") { 8_000_000 } else { 48_000_000 };

/// The learner's own config from a config whose fields are all in range, after checking what must hold between them.
///
/// # Errors
/// [`LabError::Invalid`] where the fields do not go together, or would not fit in memory.
pub(crate) fn read(config: &Value) -> Result<AlphaZeroConfig, LabError> {
    let read = AlphaZeroConfig::from_json(config)?;
    read.check()?;
    let weights = least_weights(read.size());
    if weights > MOST_WEIGHTS {
        let allowed = format!(
            "the network may learn at most {MOST_WEIGHTS} numbers, and with {} blocks it has {weights}",
            read.blocks
        );
        return Err(read.refused("width", allowed).into());
    }
    Ok(read)
}

/// Numbers that a network of this size has at least: those of its blocks, which are two layers each.
pub(crate) fn least_weights(size: NetworkSize) -> u64 {
    2 * (size.blocks * size.width * size.width) as u64
}

vivarium_lab::metrics! {
    /// What is measured of a generation.
    const METRICS: Report as report {
        /// Cross-entropy of the network's policy with the one that is learned from.
        policy_loss = report.policy_loss, "Policy loss" in "nat";
        /// Cross-entropy of the outcome_probabilities that the network gives with how the games went.
        value_loss = report.value_loss, "Value loss" in "nat";
        /// Mean length of the games of self-play that ended.
        game_length = report.length_mean, "Game length" in "decisions";
        /// Mean points that a game of self-play was won by.
        game_points = report.points_mean, "Points of a game" in "points";
        /// What the newest network won a game in the match against the best so far.
        match_points = report.score.map(|score| score.points.mean), "Points against the best" in "points per game";
        /// Networks that won such a match and became the best.
        promotions = report.counters.promotions as f64, "Promotions";
        /// Mean length of the gradient before it is clipped.
        gradient_norm = report.gradient_norm, "Gradient norm";
        /// In use, after annealing and roll-backs.
        learning_rate = report.learning_rate, "Learning rate";
        /// Share of the workers' time that the network's forward pass takes.
        time_forward = report.time.map(|time| time.forward / time.total()), "Time in the network" in "share";
        /// Share of the workers' time that writing states down for the network takes.
        time_encoding = report.time.map(|time| time.encoding / time.total()), "Time encoding" in "share";
        /// Share of the workers' time that trees, rules and choices take.
        time_search = report.time.map(|time| time.search / time.total()), "Time searching" in "share";
    }
}

/// A finished generation as a row of metrics.
pub(crate) fn row(report: &Report) -> MetricRow {
    MetricRow::of(report.counters.decisions, METRICS, report)
}

fn metrics<G: TableGame>() -> Vec<MetricInfo> {
    let mut all = metrics::described(METRICS);
    for (name, player) in G::opponents() {
        let who = label(player);
        all.push(MetricInfo::new(
            &format!("points_{name}"),
            &format!("Points against {who}"),
            "points per game",
            "What the newest network wins a game, without search, with seats changed and the same dice.",
        ));
        all.push(MetricInfo::new(
            &format!("wins_{name}"),
            &format!("Wins against {who}"),
            "share",
            "The share of games that the newest network wins, without search, a draw counting half.",
        ));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::connect_four::ConnectFour;

    #[test]
    fn the_default_is_the_learners_own_for_each_game() {
        fn check<G: TableGame>() {
            let config = schema::<G>().configure(&json!({})).unwrap();
            assert_eq!(read(&config), Ok(AlphaZeroConfig::default_for(G::NAME)));
        }
        check::<Backgammon>();
        check::<ConnectFour>();
    }

    #[test]
    fn what_would_not_fit_in_memory_is_refused() {
        let large = |blocks: u32| json!({ "network": { "width": 1024, "blocks": blocks } });
        let error = schema::<Backgammon>().configure(&large(32)).unwrap_err().to_string();
        assert!(error.contains("network.width = 1024") && error.contains("48000000"), "{error}");
        schema::<Backgammon>().configure(&large(16)).unwrap();
    }
}
