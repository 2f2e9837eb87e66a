//! Hyperparameters of AlphaZero: fields, help texts, ranges, defaults.

use vivarium_config::{Config, ConfigError};
use vivarium_learn::schedule::{cosine_annealing, linear};

vivarium_config::config! {
    /// Hyperparameters of an AlphaZero run. The value 0 disables a feature if the field's help says so.
    #[derive(Clone)]
    pub struct AlphaZeroConfig {
        ["network"]
        /// Number of units per layer of the network. The cost of an evaluation grows with the square of the width.
        width: u32 = 128, "Width" in "units", integer(8, 1_024);
        /// Number of residual blocks of the network, two layers each.
        blocks: u32 = 3, "Blocks", integer(1, 32);
        ["search"]
        /// Number of simulations per searched move.
        #[doc(alias = "num_simulations")]
        #[doc(alias = "n_simulations")]
        simulations: u32 = 100, "Simulations" in "per search", integer(1, 10_000), live;
        /// Share of the self-play moves that are searched. All other moves use a one-ply lookahead, which is cheaper
        /// and gives more games and value targets.
        search_share: f32 = 1.0, "Searched moves", number(0.0, 1.0), live;
        /// Number of games at the start of the run that are played without search. A search with an untrained value
        /// head gains little.
        games_before_search: u64 = 0, "Games before search" in "games", integer(0, 1_000_000_000), live;
        /// Exploration constant of PUCT: weight of the prior relative to the action values.
        #[doc(alias = "c_puct")]
        #[doc(alias = "cpuct")]
        exploration: f32 = 1.25, "Exploration constant", number(0.0, 100.0), live;
        /// Concentration α of the Dirichlet noise at the root. A small α concentrates the noise on few actions.
        #[doc(alias = "dirichlet_alpha")]
        noise_concentration: f32 = 0.5, "Noise concentration α", logarithmic(0.001, 1_000.0), live;
        /// Weight of the Dirichlet noise in the priors at the root. 0 disables the noise.
        #[doc(alias = "dirichlet_epsilon")]
        #[doc(alias = "exploration_fraction")]
        noise_fraction: f32 = 0.25, "Noise fraction", number(0.0, 1.0), live;
        /// Temperature of the softmax over the equities of a one-ply lookahead. This softmax is the policy target of
        /// moves without search.
        tolerance: f32 = 0.01, "Tolerance" in "of the largest value", logarithmic(0.0001, 1.0), live;
        ["self_play"]
        /// Number of self-play workers. A worker is a group of games that runs on one core at a time. Use at least as
        /// many workers as cores. Results depend on the number of workers, not on the number of cores.
        workers: u32 = 4, "Workers", integer(1, 256);
        /// Number of concurrent games per worker; their states are evaluated in common batches. More games fill the
        /// batches better, but samples become older before they are trained on.
        games: u32 = 64, "Games" in "per worker", integer(1, 1_024);
        /// Number of moves at the start of a game that are sampled: in proportion to visit counts after a search, else
        /// by the softmax of the moves' equities (expected points). Later moves are greedy.
        temperature_moves: u32 = 10, "Temperature moves" in "per game", integer(0, 1_000), live;
        /// Temperature of the sampled moves. 1 samples in proportion to the visits; lower values favor the best move.
        temperature: f32 = 1.0, "Temperature", number(0.01, 10.0), live;
        /// Share of the self-play games that begin at a random state instead of the initial state. In backgammon, equal parts of these games
        /// begin after one to four random plays, after a hit during the bear-off and in a back game: self-play reaches few such
        /// positions. In Connect Four, four stones are in random columns.
        varied_starts: f32 = 0.0, "Varied starts" in "of the games", number(0.0, 1.0), live;
        /// Number of self-play samples per generation. Metrics are reported after each generation.
        generation: u32 = 65_536, "Generation" in "samples", integer(256, 1 << 26), live;
        ["learning"]
        /// Initial λ of the TD(λ) value targets. 1 uses only the outcome of the game, 0 only the estimate of the state
        /// by search or one-ply lookahead.
        #[doc(alias = "td_lambda")]
        trace: f32 = 0.95, "Trace λ", number(0.0, 1.0), live;
        /// Final λ of the TD(λ) value targets.
        final_trace: f32 = 0.7, "Final trace λ", number(0.0, 1.0), live;
        /// Number of samples over which λ changes linearly from its initial to its final value. 0 keeps λ constant.
        trace_samples: u64 = 4_000_000, "λ decay steps" in "samples", integer(0, 1_000_000_000_000), live;
        /// Capacity of the replay buffer. The newest samples are kept; each takes at most about 150 bytes.
        #[doc(alias = "buffer_size")]
        replay_capacity: u32 = 131_072, "Replay capacity" in "samples", integer(256, 1 << 22);
        /// Mean number of times that a sample is drawn for training. Values far above 1 overfit.
        replay_ratio: f32 = 1.0, "Replay ratio", number(0.0, 16.0), live;
        /// Number of samples per gradient step.
        #[doc(alias = "batch_size")]
        #[doc(alias = "minibatch_size")]
        minibatch: u32 = 512, "Minibatch" in "samples", integer(16, 1 << 16);
        /// Weight of the value loss relative to the policy loss.
        value_coefficient: f32 = 1.0, "Value loss weight", number(0.0, 100.0), live;
        /// Initial learning rate of AdamW.
        learning_rate: f32 = 1e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// Learning rate after annealing.
        final_learning_rate: f32 = 1e-4, "Final learning rate", logarithmic(0.0, 1.0), live;
        /// Number of samples over which the learning rate falls to its final value, by a half cosine. 0 keeps the
        /// learning rate constant.
        anneal_samples: u64 = 20_000_000, "Annealing time" in "samples", integer(0, 1_000_000_000_000), live;
        /// Decoupled weight decay of AdamW, applied to weight matrices only.
        weight_decay: f32 = 1e-5, "Weight decay", number(0.0, 1.0), live;
        /// Maximum gradient norm. 0 disables clipping.
        #[doc(alias = "max_grad_norm")]
        #[doc(alias = "grad_clip")]
        max_gradient_norm: f32 = 5.0, "Gradient clipping", number(0.0, 1e6), live;
        /// Time constant of the exponential moving average (EMA) of the weights. Self-play and promotion matches use
        /// the averaged weights.
        ema_steps: u32 = 300, "EMA time constant" in "gradient steps", integer(1, 1_000_000), live;
        ["promotion"]
        /// Number of generations between promotion matches. 0 disables gating: the newest network always counts as the
        /// best.
        match_every: u32 = 5, "Match interval" in "generations", integer(0, 1_000_000), live;
        /// Number of pairs of games per promotion match. Both games of a pair have the same dice and swapped seats.
        match_pairs: u32 = 100, "Match length" in "pairs of games", integer(1, 10_000), live;
        /// Mean points per game above which the newest network is promoted after a match.
        match_margin: f32 = 0.0, "Match margin" in "points per game", number(-3.0, 3.0), live;
    }
}

/// Maximum of `workers × games`, the number of concurrent games. Every game has a search tree in memory.
pub const MAX_GAMES: u32 = 8_192;

/// Size of the policy-value network: width and depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkSize {
    /// Number of units of each fully connected layer.
    pub width: usize,
    /// Number of residual blocks, two layers each.
    pub blocks: usize,
}

impl NetworkSize {
    /// Network size for benchmarks; about 283,000 weights with the inputs and outputs of backgammon.
    pub const REFERENCE: Self = Self { width: 128, blocks: 3 };
    /// Small network: trains and evaluates fast.
    pub const SMALL: Self = Self { width: 64, blocks: 2 };
    /// Large network: plays stronger than the smaller networks, but is slower to train and to evaluate.
    pub const LARGE: Self = Self { width: 256, blocks: 4 };
}

impl AlphaZeroConfig {
    /// Checks each hyperparameter against its range, and the constraints between hyperparameters.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid field.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        if self.workers * self.games > MAX_GAMES {
            let games = self.workers * self.games;
            let allowed = format!("workers × games must be at most {MAX_GAMES}, here it is {games}");
            return Err(self.refused("games", allowed));
        }
        if self.minibatch > self.replay_capacity {
            return Err(self.refused(
                "minibatch",
                format!("at most replay_capacity, which is {}", self.replay_capacity),
            ));
        }
        Ok(())
    }

    /// Returns the size of the network: width and number of blocks.
    #[must_use]
    pub fn size(&self) -> NetworkSize {
        NetworkSize { width: self.width as usize, blocks: self.blocks as usize }
    }

    /// Returns the learning rate after `samples` self-play samples: falls by half a cosine from the initial to the
    /// final learning rate over `anneal_samples` samples, then remains constant.
    #[must_use]
    pub fn learning_rate_at(&self, samples: u64) -> f32 {
        cosine_annealing(self.learning_rate, self.final_learning_rate, samples, self.anneal_samples)
    }

    /// Returns λ of the TD(λ) value targets after `samples` self-play samples: changes linearly from the initial to
    /// the final λ over `trace_samples` samples, then remains constant.
    #[must_use]
    pub fn trace_at(&self, samples: u64) -> f32 {
        linear(self.trace, self.final_trace, samples, self.trace_samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::refusal;

    #[test]
    fn rejects_values_out_of_range() {
        let refused = |change| refusal(AlphaZeroConfig::check, change);
        let error = refused(|c| c.trace = 1.5);
        assert_eq!((error.field, error.value.as_str()), ("learning.trace", "1.5"));
        assert!(error.allowed.contains("0 to 1"), "{}", error.allowed);
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learning.learning_rate");
        assert_eq!(refused(|c| c.games = 0).field, "self_play.games");
        assert_eq!(refused(|c| (c.workers, c.games) = (64, 1024)).field, "self_play.games");
        let error = refused(|c| (c.minibatch, c.replay_capacity) = (8_192, 4_096));
        assert_eq!(error.field, "learning.minibatch");
        assert!(error.allowed.contains("4096"), "{}", error.allowed);
    }

    #[test]
    fn learning_rate_anneals_to_its_final_value() {
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
    fn trace_anneals_linearly() {
        let mut config =
            AlphaZeroConfig { trace: 1.0, final_trace: 0.5, trace_samples: 100, ..Default::default() };
        assert_eq!([0, 50, 100, u64::MAX].map(|samples| config.trace_at(samples)), [1.0, 0.75, 0.5, 0.5]);
        config.trace_samples = 0;
        assert_eq!(config.trace_at(u64::MAX), 1.0);
    }

    #[test]
    fn rejects_changes_of_fields_that_are_not_live() {
        let config = AlphaZeroConfig::default();
        config.check_live(&AlphaZeroConfig { simulations: 50, trace: 1.0, ..config.clone() }).unwrap();
        let error = config.check_live(&AlphaZeroConfig { width: 64, ..config.clone() }).unwrap_err();
        assert_eq!((error.field, error.value.as_str()), ("network.width", "64"));
        assert!(error.allowed.contains("128"), "{}", error.allowed);
    }
}
