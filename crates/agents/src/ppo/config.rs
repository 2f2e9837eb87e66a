//! What a person may choose about the learner: fields, what they mean, what is allowed.

use vivarium_config::{Config, ConfigError};
use vivarium_learn::schedule::line;

vivarium_config::choice! {
    /// Nonlinearity of the hidden layers.
    pub enum Activation {
        /// Hyperbolic tangent.
        Tanh = "tanh",
        /// Rectified linear unit.
        Relu = "relu",
    }
}

vivarium_config::config! {
    /// Everything that can be chosen about a PPO run. Where a field's own text says so, 0 turns a feature off.
    #[derive(Clone)]
    pub struct PpoConfig {
        ["ppo"]
        /// How many environments are stepped side by side. More make the gradient steadier and the computer busier.
        num_envs: u32 = 256, "Environments", integer(1, 65_536);
        /// Steps that each environment takes between two updates of the network.
        horizon: u32 = 64, "Horizon" in "steps", integer(1, 8_192);
        /// How many times an update goes through the collected steps.
        epochs: u32 = 4, "Epochs", integer(1, 64);
        /// Samples averaged into one gradient step. Smaller ones make more and noisier steps.
        minibatch: u32 = 2048, "Minibatch" in "samples", integer(2, 1 << 20);
        /// Size of an optimizer step. Too small learns slowly, too large forgets everything at once.
        learning_rate: f32 = 2.5e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// The learning rate once it has fallen for the whole annealing time.
        final_learning_rate: f32 = 2.5e-4, "Final learning rate", logarithmic(0.0, 1.0), live;
        /// Over how many steps the learning rate falls in a straight line to the final one. 0 keeps it as it is.
        anneal_steps: u64 = 1_000_000, "Annealing time" in "environment steps", integer(0, 1_000_000_000_000), live;
        /// How much a reward one step later is worth. 0.99 looks about a hundred steps ahead.
        discount: f32 = 0.99, "Discount γ", number(0.0, 1.0);
        /// How far advantages trust rewards seen (1) over the value network's guess (0).
        gae_lambda: f32 = 0.95, "GAE λ", number(0.0, 1.0);
        /// How far an update may move the probability of an action before it stops being rewarded for it.
        clip_range: f32 = 0.2, "Clip range ε", number(0.001, 10.0), live;
        /// How far an update may move a value, in units of the (normalized) return. 0 turns the limit off.
        value_clip_range: f32 = 0.0, "Value clip range", number(0.0, 1000.0), live;
        /// Reward for staying undecided. It keeps the policy exploring; too much keeps it from ever deciding.
        entropy_coefficient: f32 = 0.0, "Entropy bonus", number(0.0, 10.0), live;
        /// The entropy bonus once it has changed for the whole entropy time.
        final_entropy_coefficient: f32 = 0.0, "Final entropy bonus", number(0.0, 10.0), live;
        /// Over how many steps the entropy bonus changes in a straight line to the final one. 0 keeps it as it is.
        entropy_steps: u64 = 0, "Entropy time" in "environment steps", integer(0, 1_000_000_000_000), live;
        /// How much the value network's error counts beside the policy's.
        value_coefficient: f32 = 0.5, "Value loss weight", number(0.0, 100.0), live;
        /// An update ends early once an epoch has moved the policy this far on average. 0 turns the limit off.
        target_kl: f32 = 0.0, "KL limit" in "nat", number(0.0, 100.0), live;
        /// A longer gradient is shortened to this length. 0 turns the limit off.
        max_gradient_norm: f32 = 0.5, "Gradient norm limit", number(0.0, 1e6), live;
        /// Scale the advantages of a minibatch to mean 0 and deviation 1.
        normalize_advantages: bool = true, "Normalize advantages", flag();
        /// Scale what the network sees by the mean and deviation seen so far.
        normalize_observations: bool = true, "Normalize observations", flag();
        /// Scale rewards by the deviation of the discounted return seen so far.
        normalize_rewards: bool = true, "Normalize rewards", flag();
        /// Units of each hidden layer, first to last.
        hidden: Vec<u32> = vec![64, 64], "Hidden layers" in "units", integers(1, 4096, 8);
        /// Nonlinearity of the hidden layers.
        activation: Activation = Activation::Tanh, "Activation", choice(Activation::NAMES);
        /// Policy and value read the same hidden layers instead of having their own: half the work, some interference.
        shared_torso: bool = false, "Shared hidden layers", flag();
        /// Logarithm of the standard deviation with which a continuous policy starts to explore.
        initial_log_std: f32 = 0.0, "First log deviation", number(-10.0, 5.0);
        /// Added to the denominator of an Adam step.
        adam_epsilon: f32 = 1e-5, "Adam ε", logarithmic(1e-12, 1.0);
        /// Share by which weights shrink per unit of learning rate. Biases are left alone.
        weight_decay: f32 = 0.0, "Weight decay", number(0.0, 1.0);
        /// Environments start at different times of their episode, so that they do not all reach the time limit together.
        stagger: bool = false, "Staggered start", flag();
    }
}

/// Samples of one iteration, `num_envs × horizon`, may not exceed this: they are kept in memory.
pub const MAX_BATCH: u64 = 1 << 24;

impl PpoConfig {
    /// Samples of one iteration.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.num_envs as usize * self.horizon as usize
    }

    /// Checks every field against its range, and the fields against each other.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that is not allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        let batch = u64::from(self.num_envs) * u64::from(self.horizon);
        if batch > MAX_BATCH {
            let allowed = format!("num_envs × horizon must be at most {MAX_BATCH}, here it is {batch}");
            return Err(self.refused("horizon", allowed));
        }
        if batch < 2 {
            return Err(
                self.refused("horizon", "num_envs × horizon must be at least 2, the smallest minibatch")
            );
        }
        if u64::from(self.minibatch) > batch {
            return Err(self.refused("minibatch", format!("at most num_envs × horizon, which is {batch}")));
        }
        Ok(())
    }

    /// Weight of the entropy bonus after `steps` environment steps: a straight line from the first to the final one over
    /// `entropy_steps`, then constant.
    #[must_use]
    pub fn entropy_coefficient_at(&self, steps: u64) -> f32 {
        line(self.entropy_coefficient, self.final_entropy_coefficient, steps, self.entropy_steps)
    }

    /// Adam's step size after `steps` environment steps: a straight line from the first to the final one over
    /// `anneal_steps`, then constant.
    #[must_use]
    pub fn learning_rate_at(&self, steps: u64) -> f32 {
        line(self.learning_rate, self.final_learning_rate, steps, self.anneal_steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::refusal;

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change| refusal(PpoConfig::check, change);
        let error = refused(|c| c.discount = 1.5);
        assert_eq!((error.field, error.value.as_str()), ("ppo.discount", "1.5"));
        assert!(error.allowed.contains("0 to 1"), "{}", error.allowed);
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "ppo.learning_rate");
        assert_eq!(refused(|c| c.num_envs = 0).field, "ppo.num_envs");
        assert_eq!(refused(|c| c.hidden = vec![64, 0]).field, "ppo.hidden");
        assert_eq!(refused(|c| c.hidden = vec![8; 9]).field, "ppo.hidden");
        assert_eq!(refused(|c| c.minibatch = 1 << 20).field, "ppo.minibatch");
        assert_eq!(refused(|c| (c.num_envs, c.horizon) = (1, 1)).field, "ppo.horizon");
        let error = refused(|c| (c.num_envs, c.horizon) = (65_536, 8_192));
        assert_eq!(error.field, "ppo.horizon");
    }

    #[test]
    fn learning_rate_falls_in_a_straight_line_and_stays() {
        let mut config = PpoConfig {
            learning_rate: 1.0,
            final_learning_rate: 0.2,
            anneal_steps: 100,
            ..Default::default()
        };
        assert_eq!(config.learning_rate_at(0), 1.0);
        assert!((config.learning_rate_at(50) - 0.6).abs() < 1e-6);
        assert_eq!(config.learning_rate_at(100), 0.2);
        assert_eq!(config.learning_rate_at(u64::MAX), 0.2);
        config.anneal_steps = 0;
        assert_eq!(config.learning_rate_at(u64::MAX), 1.0);
    }

    #[test]
    fn the_entropy_bonus_changes_in_a_straight_line_and_stays() {
        let mut config = PpoConfig { entropy_coefficient: 0.5, entropy_steps: 100, ..Default::default() };
        let at =
            |config: &PpoConfig| [0, 50, 100, u64::MAX].map(|steps| config.entropy_coefficient_at(steps));
        assert_eq!(at(&config), [0.5, 0.25, 0.0, 0.0]);
        config.entropy_steps = 0;
        assert_eq!(at(&config), [0.5; 4]);
    }

    #[test]
    fn tells_live_changes_from_others() {
        let config = PpoConfig::default();
        config.check_live(&PpoConfig { learning_rate: 1e-4, clip_range: 0.1, ..config.clone() }).unwrap();
        let error = config.check_live(&PpoConfig { num_envs: 8, ..config.clone() }).unwrap_err();
        assert_eq!((error.field, error.value.as_str()), ("ppo.num_envs", "8"));
        assert!(error.allowed.contains("256"), "{}", error.allowed);
    }

    #[test]
    fn json_may_leave_out_fields() {
        let json = serde_json::json!({ "ppo": { "num_envs": 8, "activation": "relu" } });
        let expected = PpoConfig { num_envs: 8, activation: Activation::Relu, ..Default::default() };
        assert_eq!(PpoConfig::from_json(&json), Ok(expected));
    }
}
