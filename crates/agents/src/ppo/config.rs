//! What a person may choose about the learner: fields, what they mean, what is allowed.

use crate::schedule::line;
use serde::{Deserialize, Serialize};
use vivarium_config::{ConfigError, Described};

/// The nonlinearity of the hidden layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// Hyperbolic tangent.
    Tanh,
    /// Rectified linear unit.
    Relu,
}

/// Everything that can be chosen about a PPO run. Where a field's own text says so, 0 turns a feature off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PpoConfig {
    /// Environments stepped side by side.
    pub lanes: u32,
    /// Steps that each environment takes between two updates.
    pub horizon: u32,
    /// Passes over the collected samples per update.
    pub epochs: u32,
    /// Samples per gradient step; the last of an epoch is smaller where it does not divide.
    pub minibatch: u32,
    /// γ.
    pub discount: f32,
    /// λ of generalised advantage estimation.
    pub gae_lambda: f32,
    /// ε of the clipped surrogate.
    pub clip_range: f32,
    /// How far a value may move from the old one before its loss stops falling; 0: no limit.
    pub value_clip_range: f32,
    /// Weight of the entropy bonus.
    pub entropy_coefficient: f32,
    /// Weight of the value loss.
    pub value_coefficient: f32,
    /// Adam's step size at the start.
    pub learning_rate: f32,
    /// Adam's step size once `anneal_steps` are over.
    pub final_learning_rate: f32,
    /// Environment steps over which the step size falls in a straight line; 0: it stays.
    pub anneal_steps: u64,
    /// An epoch that moved the policy by more than this ends the update; 0: never.
    pub target_kl: f32,
    /// Gradients longer than this are shortened to it; 0: never.
    pub max_gradient_norm: f32,
    /// Scale advantages to mean 0 and deviation 1 within a minibatch.
    pub normalise_advantages: bool,
    /// Scale observations by their running mean and deviation.
    pub normalise_observations: bool,
    /// Scale rewards by the running deviation of the discounted return.
    pub normalise_rewards: bool,
    /// Units of each hidden layer.
    pub hidden: Vec<u32>,
    /// Nonlinearity of the hidden layers.
    pub activation: Activation,
    /// Policy and value share the hidden layers.
    pub shared_torso: bool,
    /// Logarithm of the first standard deviation of a continuous policy.
    pub initial_log_std: f32,
    /// Adam's ε.
    pub adam_epsilon: f32,
    /// Decoupled weight decay.
    pub weight_decay: f32,
    /// Environments start at a random step of their episode's time limit, so that they do not all end together.
    pub stagger: bool,
}

impl Default for PpoConfig {
    fn default() -> Self {
        Self {
            lanes: 256,
            horizon: 64,
            epochs: 4,
            minibatch: 2048,
            discount: 0.99,
            gae_lambda: 0.95,
            clip_range: 0.2,
            value_clip_range: 0.0,
            entropy_coefficient: 0.0,
            value_coefficient: 0.5,
            learning_rate: 2.5e-3,
            final_learning_rate: 2.5e-4,
            anneal_steps: 1_000_000,
            target_kl: 0.0,
            max_gradient_norm: 0.5,
            normalise_advantages: true,
            normalise_observations: true,
            normalise_rewards: true,
            hidden: vec![64, 64],
            activation: Activation::Tanh,
            shared_torso: false,
            initial_log_std: 0.0,
            adam_epsilon: 1e-5,
            weight_decay: 0.0,
            stagger: false,
        }
    }
}

/// Samples of one iteration, `lanes × horizon`, may not exceed this: they are kept in memory.
pub const MAX_BATCH: u64 = 1 << 24;

impl PpoConfig {
    /// Samples of one iteration.
    #[must_use]
    pub fn batch(&self) -> usize {
        self.lanes as usize * self.horizon as usize
    }

    /// Checks every field against its range, and the fields against each other.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that is not allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        let batch = u64::from(self.lanes) * u64::from(self.horizon);
        if batch > MAX_BATCH {
            let allowed = format!("lanes × horizon must be at most {MAX_BATCH}, here it is {batch}");
            return Err(self.refused("horizon", allowed));
        }
        if batch < 2 {
            return Err(self.refused("horizon", "lanes × horizon must be at least 2, the smallest minibatch"));
        }
        if u64::from(self.minibatch) > batch {
            return Err(self.refused("minibatch", format!("at most lanes × horizon, which is {batch}")));
        }
        Ok(())
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
    use vivarium_config::assert_described;

    #[test]
    fn the_default_is_allowed_and_every_field_is_described_once() {
        let config = PpoConfig::default();
        config.check().unwrap();
        assert_described(&config);
    }

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change: fn(&mut PpoConfig)| {
            let mut config = PpoConfig::default();
            change(&mut config);
            config.check().unwrap_err()
        };
        let error = refused(|c| c.discount = 1.5);
        assert_eq!((error.field, error.value.as_str()), ("discount", "1.5"));
        assert!(error.allowed.contains("0 to 1"), "{}", error.allowed);
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learning_rate");
        assert_eq!(refused(|c| c.lanes = 0).field, "lanes");
        assert_eq!(refused(|c| c.hidden = vec![64, 0]).field, "hidden");
        assert_eq!(refused(|c| c.hidden = vec![8; 9]).field, "hidden");
        assert_eq!(refused(|c| c.minibatch = 1 << 20).field, "minibatch");
        assert_eq!(refused(|c| (c.lanes, c.horizon) = (1, 1)).field, "horizon");
        let error = refused(|c| (c.lanes, c.horizon) = (65_536, 8_192));
        assert_eq!(error.field, "horizon");
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
    fn tells_live_changes_from_others() {
        let config = PpoConfig::default();
        config.check_live(&PpoConfig { learning_rate: 1e-4, clip_range: 0.1, ..config.clone() }).unwrap();
        let error = config.check_live(&PpoConfig { lanes: 8, ..config.clone() }).unwrap_err();
        assert_eq!((error.field, error.value.as_str()), ("lanes", "8"));
        assert!(error.allowed.contains("256"), "{}", error.allowed);
    }

    #[test]
    fn json_may_leave_out_fields_but_not_invent_them() {
        let config: PpoConfig = serde_json::from_str(r#"{"lanes": 8, "activation": "relu"}"#).unwrap();
        assert_eq!(config, PpoConfig { lanes: 8, activation: Activation::Relu, ..Default::default() });
        let error = serde_json::from_str::<PpoConfig>(r#"{"lane": 8}"#).unwrap_err().to_string();
        assert!(error.contains("`lane`") && error.contains("`lanes`"), "{error}");
    }
}
