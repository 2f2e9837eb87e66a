//! Configs that learn the games quickly: chosen for strength by the time on the clock.

use super::config::AlphaZeroConfig;
use super::game::Learnable;
use vivarium_envs::backgammon::State;

impl AlphaZeroConfig {
    /// The config that suits the game of this name, as [`Learnable::NAME`] gives it; the general
    /// default for any other.
    #[must_use]
    pub fn default_for(game: &str) -> Self {
        match game {
            // Dice make games differ by themselves, and looking one move ahead is a strong teacher of values: most
            // of the time goes into many games. Searches teach the policy once there are values to search by.
            "backgammon" => Self {
                search_share: 0.05,
                games_before_search: 30_000,
                exploration: State::puct().exploration,
                noise_concentration: 0.3,
                temperature_moves: 0,
                minibatch: 128,
                final_learning_rate: 5e-5,
                anneal_samples: 40_000_000,
                ..Self::default()
            },
            // Without dice the first moves are drawn. A move in four is searched, and the others make it four times as
            // many games (Wu, "Accelerating self-play learning in Go", 2019: playout cap randomization).
            "connect-four" => Self {
                width: 64,
                search_share: 0.25,
                tolerance: 0.05,
                final_trace: 0.8,
                trace_samples: 1_000_000,
                replay: 65_536,
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
