//! Hyperparameters of PPO, with labels, help and ranges.

use vivarium_config::{Config, ConfigError};
use vivarium_learn::schedule::linear;

vivarium_config::choice! {
    /// Activation function of the hidden layers.
    pub enum Activation {
        /// Hyperbolic tangent.
        Tanh = "tanh",
        /// Rectified linear unit.
        Relu = "relu",
    }
}

vivarium_config::config! {
    /// Hyperparameters of PPO. The value 0 disables a feature if the field's help says so.
    #[derive(Clone)]
    pub struct PpoConfig {
        ["ppo"]
        /// Number of environments that are stepped together.
        #[doc(alias = "n_envs")]
        num_envs: u32 = 256, "Environments", integer(1, 65_536);
        /// Number of environment steps per environment in a rollout.
        #[doc(alias = "n_steps")]
        #[doc(alias = "num_steps")]
        #[doc(alias = "rollout_length")]
        horizon: u32 = 64, "Horizon" in "steps", integer(1, 8_192);
        /// Number of passes over the samples of a rollout in its update.
        #[doc(alias = "n_epochs")]
        #[doc(alias = "num_epochs")]
        #[doc(alias = "update_epochs")]
        epochs: u32 = 4, "Epochs", integer(1, 64);
        /// Number of samples per gradient step.
        #[doc(alias = "batch_size")]
        #[doc(alias = "minibatch_size")]
        minibatch: u32 = 2048, "Minibatch size" in "samples", integer(2, 1 << 20);
        /// Initial learning rate of AdamW.
        learning_rate: f32 = 2.5e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// Learning rate after the decay.
        final_learning_rate: f32 = 2.5e-4, "Final learning rate", logarithmic(0.0, 1.0), live;
        /// Number of environment steps over which the learning rate decays linearly to its final value. 0 keeps the
        /// learning rate constant.
        #[doc(alias = "anneal_lr")]
        anneal_steps: u64 = 1_000_000, "Learning-rate decay steps" in "environment steps", integer(0, 1_000_000_000_000), live;
        /// Discount factor γ of future rewards. 0.99 has a horizon of about 100 steps.
        #[doc(alias = "gamma")]
        discount: f32 = 0.99, "Discount γ", number(0.0, 1.0);
        /// λ of generalized advantage estimation: 1 uses Monte Carlo returns, 0 one-step temporal-difference errors.
        #[doc(alias = "lam")]
        gae_lambda: f32 = 0.95, "GAE λ", number(0.0, 1.0);
        /// Clip range of the probability ratio in the surrogate objective.
        #[doc(alias = "clip_coef")]
        #[doc(alias = "clip_ratio")]
        #[doc(alias = "clip_epsilon")]
        clip_range: f32 = 0.2, "Clip range ε", number(0.001, 10.0), live;
        /// Clip range of the value loss: maximum difference from the old value estimate, in units of the normalized
        /// return. 0 disables value clipping.
        #[doc(alias = "clip_range_vf")]
        #[doc(alias = "clip_vloss")]
        value_clip_range: f32 = 0.0, "Value clip range", number(0.0, 1000.0), live;
        /// Initial weight of the entropy bonus, which encourages exploration.
        #[doc(alias = "ent_coef")]
        #[doc(alias = "entropy_coef")]
        entropy_coefficient: f32 = 0.0, "Entropy bonus", number(0.0, 10.0), live;
        /// Weight of the entropy bonus after the decay.
        final_entropy_coefficient: f32 = 0.0, "Final entropy bonus", number(0.0, 10.0), live;
        /// Number of environment steps over which the entropy bonus changes linearly to its final value. 0 keeps the
        /// entropy bonus constant.
        entropy_steps: u64 = 0, "Entropy decay steps" in "environment steps", integer(0, 1_000_000_000_000), live;
        /// Weight of the value loss in the total loss.
        #[doc(alias = "vf_coef")]
        #[doc(alias = "value_coef")]
        value_coefficient: f32 = 0.5, "Value loss weight", number(0.0, 100.0), live;
        /// Change of the policy at which an update stops after an epoch, as approximate KL divergence from the old
        /// policy. 0 disables early stopping.
        target_kl: f32 = 0.0, "Target KL" in "nat", number(0.0, 100.0), live;
        /// Maximum gradient norm. 0 disables clipping.
        #[doc(alias = "max_grad_norm")]
        #[doc(alias = "grad_clip")]
        max_gradient_norm: f32 = 0.5, "Gradient norm limit", number(0.0, 1e6), live;
        /// Normalizes the advantages of each minibatch to mean 0 and standard deviation 1, except in a minibatch of
        /// one sample.
        #[doc(alias = "norm_adv")]
        normalize_advantages: bool = true, "Normalize advantages", flag();
        /// Normalizes observations by their running mean and standard deviation, which random actions initialize.
        normalize_observations: bool = true, "Normalize observations", flag();
        /// Divides rewards by the running standard deviation of the discounted return.
        normalize_rewards: bool = true, "Normalize rewards", flag();
        /// Maximum absolute value of a normalized reward. Larger rewards are clipped.
        reward_clip: f32 = 10.0, "Reward clip", number(0.01, 1e6), live;
        /// Number of units of each hidden layer, first to last.
        #[doc(alias = "net_arch")]
        #[doc(alias = "hidden_sizes")]
        #[doc(alias = "layers")]
        hidden: Vec<u32> = vec![64, 64], "Hidden layers" in "units", integers(1, 4096, 8);
        /// Activation function of the hidden layers.
        activation: Activation = Activation::Tanh, "Activation", choice(Activation::NAMES);
        /// Whether policy and value network share their hidden layers.
        shared_torso: bool = false, "Shared hidden layers", flag();
        /// Initial log standard deviation of a Gaussian policy.
        #[doc(alias = "log_std_init")]
        initial_log_std: f32 = 0.0, "Initial log std", number(-10.0, 5.0);
        /// ε of AdamW, added to the denominator.
        #[doc(alias = "adam_eps")]
        adam_epsilon: f32 = 1e-5, "Adam ε", logarithmic(1e-12, 1.0);
        /// Decoupled weight decay of AdamW. Biases are not decayed.
        weight_decay: f32 = 0.0, "Weight decay", number(0.0, 1.0);
        /// Starts each environment at a random age of its episode, so that the environments reach the time limit in
        /// different steps.
        stagger: bool = false, "Staggered start", flag();
    }
}

/// Maximum number of samples of an iteration, `num_envs × horizon`. More samples would need too much memory.
pub const MAX_BATCH: u64 = 1 << 24;

impl PpoConfig {
    /// Returns the number of samples that the rollout of an iteration collects, `num_envs × horizon`.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.num_envs as usize * self.horizon as usize
    }

    /// Checks each hyperparameter against its range, and the relations between hyperparameters.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid field.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        let batch = u64::from(self.num_envs) * u64::from(self.horizon);
        if batch > MAX_BATCH {
            let allowed = format!("num_envs × horizon must be at most {MAX_BATCH}, but is {batch}");
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

    /// Returns the weight of the entropy bonus after `steps` environment steps: changes linearly from the initial to
    /// the final value over `entropy_steps` steps, then remains constant.
    #[must_use]
    pub fn entropy_coefficient_at(&self, steps: u64) -> f32 {
        linear(self.entropy_coefficient, self.final_entropy_coefficient, steps, self.entropy_steps)
    }

    /// Returns the learning rate after `steps` environment steps: changes linearly from the initial to the final
    /// value over `anneal_steps` steps, then remains constant.
    #[must_use]
    pub fn learning_rate_at(&self, steps: u64) -> f32 {
        linear(self.learning_rate, self.final_learning_rate, steps, self.anneal_steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::refusal;

    #[test]
    fn rejects_invalid_fields_by_name() {
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
    fn learning_rate_decays_linearly_then_stays_constant() {
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
    fn entropy_bonus_changes_linearly_then_stays_constant() {
        let mut config = PpoConfig { entropy_coefficient: 0.5, entropy_steps: 100, ..Default::default() };
        let at =
            |config: &PpoConfig| [0, 50, 100, u64::MAX].map(|steps| config.entropy_coefficient_at(steps));
        assert_eq!(at(&config), [0.5, 0.25, 0.0, 0.0]);
        config.entropy_steps = 0;
        assert_eq!(at(&config), [0.5; 4]);
    }

    #[test]
    fn only_live_fields_may_change() {
        let config = PpoConfig::default();
        config.check_live(&PpoConfig { learning_rate: 1e-4, clip_range: 0.1, ..config.clone() }).unwrap();
        let error = config.check_live(&PpoConfig { num_envs: 8, ..config.clone() }).unwrap_err();
        assert_eq!((error.field, error.value.as_str()), ("ppo.num_envs", "8"));
        assert!(error.allowed.contains("256"), "{}", error.allowed);
    }

    #[test]
    fn json_may_omit_fields() {
        let json = serde_json::json!({ "ppo": { "num_envs": 8, "activation": "relu" } });
        let expected = PpoConfig { num_envs: 8, activation: Activation::Relu, ..Default::default() };
        assert_eq!(PpoConfig::from_json(&json), Ok(expected));
    }
}
