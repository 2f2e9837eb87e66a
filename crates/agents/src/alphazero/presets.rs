//! Default hyperparameters of each game, tuned for strength per wall-clock time.

use super::config::AlphaZeroConfig;
use super::game::SelfPlayGame;
use vivarium_envs::backgammon::State;

impl AlphaZeroConfig {
    /// Returns the default config of the game with this [`SelfPlayGame::NAME`], and the general default for any other
    /// name.
    #[must_use]
    pub fn default_for(game: &str) -> Self {
        match game {
            // The dice provide exploration, and a one-ply lookahead gives good value targets. Therefore most moves are
            // not searched, which gives more games. Searched moves improve the policy once the value heads are trained.
            "backgammon" => Self {
                search_share: 0.05,
                games_before_search: 30_000,
                exploration: State::puct().c_init,
                noise_concentration: 0.3,
                temperature_moves: 0,
                minibatch: 128,
                final_learning_rate: 5e-5,
                anneal_samples: 40_000_000,
                ..Self::default()
            },
            // Without dice, the first moves are sampled. A quarter of the moves is searched, which gives four times as
            // many games (playout cap randomization: Wu 2019, "Accelerating Self-Play Learning in Go",
            // <https://arxiv.org/abs/1902.10565>).
            "connect-four" => Self {
                width: 64,
                search_share: 0.25,
                tolerance: 0.05,
                final_trace: 0.8,
                trace_samples: 1_000_000,
                replay_capacity: 65_536,
                replay_ratio: 2.0,
                minibatch: 128,
                learning_rate: 2e-3,
                anneal_samples: 4_000_000,
                generation: 16_384,
                ..Self::default()
            },
            _ => Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_an_allowed_config_of_its_own() {
        for name in ["backgammon", "connect-four"] {
            let config = AlphaZeroConfig::default_for(name);
            config.check().unwrap();
            assert_ne!(config, AlphaZeroConfig::default(), "{name}");
        }
    }
}
