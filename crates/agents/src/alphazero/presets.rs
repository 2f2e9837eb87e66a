//! Configs that learn the games quickly: chosen for strength by the time on the clock.

use super::config::AlphaZeroConfig;

impl AlphaZeroConfig {
    /// The config that suits the game of this name, as [`Learnable::NAME`](super::Learnable::NAME) gives it; the general
    /// default for any other.
    #[must_use]
    pub fn default_for(game: &str) -> Self {
        match game {
            // Dice make games differ by themselves, and looking one move ahead is a strong teacher of values: most
            // of the time goes into many games, some of it into searches that teach the policy.
            "backgammon" => Self {
                search_share: 0.0,
                noise_concentration: 0.3,
                drawn_moves: 0,
                trace: 0.9,
                minibatch: 128,
                ..Self::default()
            },
            // Every game would be the same: draw the first moves, and search all of them.
            "connect-four" => Self { width: 64, trace: 1.0, ..Self::default() },
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
