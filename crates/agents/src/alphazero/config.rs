//! What a person may choose about the learner: fields, what they mean, what is allowed.

use super::network::NetworkSize;
use crate::schedule::{half_cosine, line};
use serde::{Deserialize, Serialize};
use vivarium_config::{ConfigError, Described};

/// Everything that can be chosen about an AlphaZero run. Where a field's own text says so, 0 turns a feature off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlphaZeroConfig {
    /// Units of every layer of the network.
    pub width: u32,
    /// Residual blocks, of two layers each.
    pub blocks: u32,
    /// Groups of games that are played side by side.
    pub workers: u32,
    /// Games of a group, evaluated together.
    pub games: u32,
    /// Simulations of a searched move.
    pub simulations: u32,
    /// Share of the moves that are searched; all others look one move ahead.
    pub search_share: f32,
    /// Games without any search at the start of the run.
    pub games_before_search: u64,
    /// The weight of the prior in the search.
    pub exploration: f32,
    /// Concentration of the noise at a search's root.
    pub noise_concentration: f32,
    /// How much of the priors at a search's root is noise; 0: none.
    pub noise_fraction: f32,
    /// Moves at the start of a game that are drawn rather than the best taken.
    pub drawn_moves: u32,
    /// Temperature of those draws.
    pub temperature: f32,
    /// By how much less than the best a move may be worth before it becomes improbable, as a share of the largest
    /// value of a game.
    pub tolerance: f32,
    /// λ at the start: how much the value targets trust what came later over what the decision seemed worth.
    pub trace: f32,
    /// λ once `trace_samples` are over.
    pub final_trace: f32,
    /// Samples over which λ changes; 0: it is the first one throughout.
    pub trace_samples: u64,
    /// Samples kept to learn from.
    pub replay: u32,
    /// How often each sample is learnt from, on average.
    pub passes: f32,
    /// Samples per gradient step.
    pub minibatch: u32,
    /// Weight of the value loss beside the policy's.
    pub value_coefficient: f32,
    /// Adam's step size at the start.
    pub learning_rate: f32,
    /// Adam's step size once `anneal_samples` are over.
    pub final_learning_rate: f32,
    /// Samples over which the step size falls; 0: it stays.
    pub anneal_samples: u64,
    /// Decoupled weight decay.
    pub weight_decay: f32,
    /// Gradients longer than this are shortened to it; 0: never.
    pub max_gradient_norm: f32,
    /// Gradient steps over which the network that plays is averaged.
    pub averaging: u32,
    /// Samples of a generation.
    pub generation: u32,
    /// Generations between matches against the best network so far; 0: no matches, the newest counts as best.
    pub match_every: u32,
    /// Pairs of games of such a match.
    pub match_pairs: u32,
    /// Points a game that the newest network has to win by to become the best.
    pub match_margin: f32,
}

impl Default for AlphaZeroConfig {
    fn default() -> Self {
        Self {
            width: 128,
            blocks: 3,
            workers: 4,
            games: 64,
            simulations: 100,
            search_share: 1.0,
            games_before_search: 0,
            exploration: 1.25,
            noise_concentration: 0.5,
            noise_fraction: 0.25,
            drawn_moves: 10,
            temperature: 1.0,
            tolerance: 0.01,
            trace: 0.95,
            final_trace: 0.7,
            trace_samples: 4_000_000,
            replay: 131_072,
            passes: 1.0,
            minibatch: 512,
            value_coefficient: 1.0,
            learning_rate: 1e-3,
            final_learning_rate: 1e-4,
            anneal_samples: 20_000_000,
            weight_decay: 1e-5,
            max_gradient_norm: 5.0,
            averaging: 300,
            generation: 65_536,
            match_every: 5,
            match_pairs: 100,
            match_margin: 0.0,
        }
    }
}

/// `workers × games` may not exceed this: every game has a search tree in memory.
pub const MAX_GAMES: u32 = 8_192;

impl AlphaZeroConfig {
    /// Checks every field against its range, and the fields against each other.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that is not allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        if self.workers * self.games > MAX_GAMES {
            let games = self.workers * self.games;
            let allowed = format!("workers × games must be at most {MAX_GAMES}, here it is {games}");
            return Err(self.refused("games", allowed));
        }
        if self.minibatch > self.replay {
            return Err(self.refused("minibatch", format!("at most replay, which is {}", self.replay)));
        }
        Ok(())
    }

    /// How large the network is.
    #[must_use]
    pub fn size(&self) -> NetworkSize {
        NetworkSize { width: self.width as usize, blocks: self.blocks as usize }
    }

    /// Adam's step size after so many samples were made: half a cosine from the first to the final one over
    /// `anneal_samples`, then constant.
    #[must_use]
    pub fn learning_rate_at(&self, samples: u64) -> f32 {
        half_cosine(self.learning_rate, self.final_learning_rate, samples, self.anneal_samples)
    }

    /// λ after so many samples were made: a straight line from the first to the final one over `trace_samples`, then
    /// constant.
    #[must_use]
    pub fn trace_at(&self, samples: u64) -> f32 {
        line(self.trace, self.final_trace, samples, self.trace_samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::assert_described;

    #[test]
    fn the_default_is_allowed_and_every_field_is_described_once() {
        let config = AlphaZeroConfig::default();
        config.check().unwrap();
        assert_described(&config);
    }

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change: fn(&mut AlphaZeroConfig)| {
            let mut config = AlphaZeroConfig::default();
            change(&mut config);
            config.check().unwrap_err()
        };
        let error = refused(|c| c.trace = 1.5);
        assert_eq!((error.field, error.value.as_str()), ("trace", "1.5"));
        assert!(error.allowed.contains("0 to 1"), "{}", error.allowed);
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learning_rate");
        assert_eq!(refused(|c| c.games = 0).field, "games");
        assert_eq!(refused(|c| (c.workers, c.games) = (64, 1024)).field, "games");
        let error = refused(|c| (c.minibatch, c.replay) = (8_192, 4_096));
        assert_eq!(error.field, "minibatch");
        assert!(error.allowed.contains("4096"), "{}", error.allowed);
    }

    #[test]
    fn learning_rate_falls_to_the_final_one_and_stays() {
        let mut config = AlphaZeroConfig {
            learning_rate: 1.0,
            final_learning_rate: 0.2,
            anneal_samples: 100,
            ..Default::default()
        };
        assert_eq!(config.learning_rate_at(0), 1.0);
        assert!((config.learning_rate_at(50) - 0.6).abs() < 1e-6);
        assert_eq!(config.learning_rate_at(100), 0.2);
        assert_eq!(config.learning_rate_at(u64::MAX), 0.2);
        config.anneal_samples = 0;
        assert_eq!(config.learning_rate_at(u64::MAX), 1.0);
    }

    #[test]
    fn the_trace_changes_in_a_straight_line_and_stays() {
        let mut config =
            AlphaZeroConfig { trace: 1.0, final_trace: 0.5, trace_samples: 100, ..Default::default() };
        assert_eq!([0, 50, 100, u64::MAX].map(|samples| config.trace_at(samples)), [1.0, 0.75, 0.5, 0.5]);
        config.trace_samples = 0;
        assert_eq!(config.trace_at(u64::MAX), 1.0);
    }

    #[test]
    fn tells_live_changes_from_others() {
        let config = AlphaZeroConfig::default();
        config.check_live(&AlphaZeroConfig { simulations: 50, trace: 1.0, ..config.clone() }).unwrap();
        let error = config.check_live(&AlphaZeroConfig { width: 64, ..config.clone() }).unwrap_err();
        assert_eq!((error.field, error.value.as_str()), ("width", "64"));
        assert!(error.allowed.contains("128"), "{}", error.allowed);
    }
}
