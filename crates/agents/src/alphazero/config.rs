//! What a person may choose about the learner: fields, what they mean, what is allowed.

use super::network::NetworkSize;
use vivarium_config::{Config, ConfigError};
use vivarium_learn::schedule::{half_cosine, line};

vivarium_config::config! {
    /// Everything that can be chosen about an AlphaZero run. Where a field's own text says so, 0 turns a feature off.
    #[derive(Clone)]
    pub struct AlphaZeroConfig {
        ["network"]
        /// Units of every layer of the network. Doubling them makes a state four times as dear to judge.
        width: u32 = 128, "Width" in "units", integer(8, 1_024);
        /// Residual blocks of the network, two layers each.
        blocks: u32 = 3, "Blocks", integer(1, 32);
        ["search"]
        /// Simulations of a searched move. More choose better and take longer.
        simulations: u32 = 100, "Simulations" in "per search", integer(1, 10_000), live;
        /// Share of the moves that are searched. All others look one move ahead, which is cheap: more games, and more
        /// outcomes to learn values from.
        search_share: f32 = 1.0, "Searched moves", number(0.0, 1.0), live;
        /// So many games at the start of the run are played without any search, for a search that knows no values yet is
        /// wasted.
        games_before_search: u64 = 0, "Games before search" in "games", integer(0, 1_000_000_000), live;
        /// Weight of the policy beside the values found so far when a search chooses where to look next.
        exploration: f32 = 1.25, "Exploration", number(0.0, 100.0), live;
        /// Concentration of the Dirichlet noise at the root of a search. Small numbers put the noise on few actions.
        noise_concentration: f32 = 0.5, "Noise concentration α", logarithmic(0.001, 1_000.0), live;
        /// How much of the policy at the root of a search is noise, so that self-play tries what the network would not. 0
        /// adds none.
        noise_fraction: f32 = 0.25, "Noise", number(0.0, 1.0), live;
        /// Where a move looks one move ahead: by how much less than the best a move may be worth before the policy learns
        /// to pass over it.
        tolerance: f32 = 0.01, "Tolerance" in "of the largest value", logarithmic(0.0001, 1.0), live;
        ["self_play"]
        /// Groups of games that are played side by side, each on one core at a time. At least as many as there are cores
        /// keep all of them busy; the run depends on this number, not on how many cores there are.
        workers: u32 = 4, "Workers", integer(1, 256);
        /// Games that a worker plays at once, their states judged together. More fill the network's batches better and
        /// make what is learned from older.
        games: u32 = 64, "Games" in "per worker", integer(1, 1_024);
        /// Moves at the start of a game that are drawn by their visits or values; later the best is taken.
        temperature_moves: u32 = 10, "Temperature moves" in "per game", integer(0, 1_000), live;
        /// Of the drawn moves: 1 draws in proportion to visits, less prefers the best, more evens out.
        temperature: f32 = 1.0, "Temperature", number(0.01, 10.0), live;
        /// Samples between two reports.
        generation: u32 = 65_536, "Generation" in "samples", integer(256, 1 << 26), live;
        ["learning"]
        /// At the start, how far value targets trust what came later (1: the outcome alone) over what the decision seemed
        /// worth (0). Much learns quickly when little is known yet.
        trace: f32 = 0.95, "Trace λ", number(0.0, 1.0), live;
        /// The same once it has changed for the whole time. Less is steadier and leans on what is known already.
        final_trace: f32 = 0.7, "Final trace λ", number(0.0, 1.0), live;
        /// Over how many samples the trace changes to the final one. 0 keeps it as it is.
        trace_samples: u64 = 4_000_000, "Trace time" in "samples", integer(0, 1_000_000_000_000), live;
        /// Samples kept to learn from, the newest ones. Each takes about 150 bytes.
        replay: u32 = 131_072, "Replay" in "samples", integer(256, 1 << 22);
        /// How often each sample is learned from, on average. Much more than once learns games by heart.
        replay_ratio: f32 = 1.0, "Replay ratio", number(0.0, 16.0), live;
        /// Samples averaged into one gradient step.
        minibatch: u32 = 512, "Minibatch" in "samples", integer(16, 1 << 16);
        /// How much the value heads' error counts beside the policy's.
        value_coefficient: f32 = 1.0, "Value loss weight", number(0.0, 100.0), live;
        /// Size of an optimizer step. Too small learns slowly, too large forgets everything at once.
        learning_rate: f32 = 1e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// The learning rate once it has fallen for the whole annealing time.
        final_learning_rate: f32 = 1e-4, "Final learning rate", logarithmic(0.0, 1.0), live;
        /// Over how many samples the learning rate falls to the final one. 0 keeps it as it is.
        anneal_samples: u64 = 20_000_000, "Annealing time" in "samples", integer(0, 1_000_000_000_000), live;
        /// Share by which weights shrink per unit of learning rate. Biases are left alone.
        weight_decay: f32 = 1e-5, "Weight decay", number(0.0, 1.0), live;
        /// Longer gradients are shortened to this. 0 never does.
        max_gradient_norm: f32 = 5.0, "Gradient limit", number(0.0, 1e6), live;
        /// The network that plays is the average of about so many of the newest steps: steadier than the newest alone.
        averaging: u32 = 300, "Averaging" in "gradient steps", integer(1, 1_000_000), live;
        ["promotion"]
        /// How often the newest network plays a match against the best so far. 0 plays none: the newest counts as the
        /// best.
        match_every: u32 = 5, "Match every" in "generations", integer(0, 1_000_000), live;
        /// Games of such a match, two of the same dice each, with seats swapped.
        match_pairs: u32 = 100, "Match length" in "pairs of games", integer(1, 10_000), live;
        /// By how much the newest network has to win a match to become the best.
        match_margin: f32 = 0.0, "Match margin" in "points per game", number(-3.0, 3.0), live;
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
    use vivarium_config::refusal;

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change| refusal(AlphaZeroConfig::check, change);
        let error = refused(|c| c.trace = 1.5);
        assert_eq!((error.field, error.value.as_str()), ("learning.trace", "1.5"));
        assert!(error.allowed.contains("0 to 1"), "{}", error.allowed);
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learning.learning_rate");
        assert_eq!(refused(|c| c.games = 0).field, "self_play.games");
        assert_eq!(refused(|c| (c.workers, c.games) = (64, 1024)).field, "self_play.games");
        let error = refused(|c| (c.minibatch, c.replay) = (8_192, 4_096));
        assert_eq!(error.field, "learning.minibatch");
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
        assert_eq!((error.field, error.value.as_str()), ("network.width", "64"));
        assert!(error.allowed.contains("128"), "{}", error.allowed);
    }
}
