//! Hyperparameters of deep Q-learning, with labels, help and ranges.

use vivarium_config::{Config, ConfigError};
use vivarium_learn::schedule::{cosine_annealing, linear};

vivarium_config::config! {
    /// Hyperparameters of deep Q-learning. The value 0 or `false` disables a feature if the field's help says so.
    #[derive(Clone)]
    pub struct DqnConfig {
        ["dqn"]
        /// Number of units of each hidden layer, first to last.
        #[doc(alias = "net_arch")]
        #[doc(alias = "hidden_sizes")]
        #[doc(alias = "layers")]
        hidden: Vec<u32> = vec![128, 64], "Hidden layers" in "units", integers(1, 2_048, 6);
        /// Layer normalization before the activation of each hidden layer.
        layer_norm: bool = true, "Layer normalization", flag();
        /// Separate heads for the state value and the action advantages.
        dueling: bool = true, "Dueling heads", flag();
        /// Selects the next action with the online network, but evaluates the action with the target network. This
        /// reduces the overestimation of action values.
        double: bool = true, "Double Q-learning", flag(), live;
        /// Number of environments that are stepped together.
        #[doc(alias = "n_envs")]
        num_envs: u32 = 32, "Environments", integer(1, 16_384);
        /// Discount factor γ of future rewards. 1 disables discounting.
        #[doc(alias = "gamma")]
        discount: f32 = 0.99, "Discount γ", number(0.0, 1.0);
        /// Number of rewards per n-step return before bootstrapping. The end of an episode shortens a return; 1 is
        /// one-step Q-learning.
        #[doc(alias = "n_steps")]
        n_step: u32 = 3, "n-step return" in "steps", integer(1, 5);
        /// Ends an n-step return before a nongreedy action.
        watkins_cutoff: bool = false, "Watkins cutoff", flag();
        /// Initial probability ε of a random action.
        #[doc(alias = "exploration_initial_eps")]
        #[doc(alias = "start_e")]
        epsilon: f32 = 1.0, "Exploration ε", number(0.0, 1.0), live;
        /// Probability of a random action after the decay.
        #[doc(alias = "exploration_final_eps")]
        #[doc(alias = "end_e")]
        final_epsilon: f32 = 0.05, "Final ε", number(0.0, 1.0), live;
        /// Number of environment steps over which ε decays linearly to its final value. 0 keeps ε constant.
        #[doc(alias = "exploration_fraction")]
        epsilon_steps: u64 = 50_000, "ε decay steps" in "environment steps", integer(0, 1_000_000_000_000), live;
        /// Maximum number of transitions in the replay buffer.
        #[doc(alias = "buffer_size")]
        replay_capacity: u32 = 65_536, "Replay capacity" in "transitions", integer(64, 1 << 22);
        /// Number of transitions collected before the first gradient step.
        #[doc(alias = "learning_starts")]
        warm_up: u32 = 2_048, "Warm-up" in "transitions", integer(2, 1 << 22);
        /// Average number of times that a transition is sampled.
        #[doc(alias = "train_freq")]
        #[doc(alias = "gradient_steps")]
        replay_ratio: f32 = 4.0, "Replay ratio", logarithmic(0.01, 256.0), live;
        /// Number of samples per gradient step.
        #[doc(alias = "batch_size")]
        #[doc(alias = "minibatch_size")]
        minibatch: u32 = 64, "Minibatch size" in "samples", integer(2, 16_384);
        /// Exponent α of prioritized replay. 0 samples uniformly.
        priority_exponent: f32 = 0.5, "Priority α", number(0.0, 1.0), live;
        /// Initial exponent β of the importance-sampling weights, which correct for prioritized sampling. 0 disables
        /// the correction.
        importance_exponent: f32 = 0.4, "Importance β", number(0.0, 1.0), live;
        /// Number of samples over which β rises linearly to 1. 0 keeps β constant.
        importance_samples: u64 = 1_000_000, "β annealing steps" in "samples", integer(0, 1_000_000_000_000), live;
        /// Number of gradient steps between copies of the online network to the target network. 0 bootstraps from the
        /// online network, unless τ is above 0.
        #[doc(alias = "target_update_interval")]
        #[doc(alias = "target_network_frequency")]
        target_every: u32 = 250, "Target update interval" in "gradient steps", integer(0, 1_000_000), live;
        /// Polyak averaging rate τ of the target network, applied at every gradient step. 0 copies the online network
        /// at intervals instead.
        #[doc(alias = "tau")]
        target_rate: f32 = 0.0, "Polyak rate τ", number(0.0, 1.0), live;
        /// Threshold κ of the Huber loss, above which the loss is linear. 0 uses half the squared error.
        huber: f32 = 1.0, "Huber κ", logarithmic(0.0, 1_000.0);
        /// Initial learning rate of Adam.
        learning_rate: f32 = 1e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// Learning rate after the decay.
        final_learning_rate: f32 = 1e-4, "Final learning rate", logarithmic(0.0, 1.0), live;
        /// Number of samples over which the learning rate decays to its final value, by half a cosine. 0 keeps the
        /// learning rate constant.
        anneal_samples: u64 = 2_000_000, "Learning-rate decay steps" in "samples", integer(0, 1_000_000_000_000), live;
        /// Maximum gradient norm. 0 disables clipping.
        #[doc(alias = "max_grad_norm")]
        #[doc(alias = "grad_clip")]
        max_gradient_norm: f32 = 10.0, "Gradient norm limit", logarithmic(0.0, 1_000.0), live;
        /// Success rate at the hardest open level at which the next level opens. 0 opens all levels at once.
        curriculum_threshold: f32 = 0.7, "Success threshold", number(0.0, 1.0), live;
        /// Number of episodes at the hardest open level over which the success rate is measured.
        curriculum_episodes: u32 = 200, "Success window" in "episodes", integer(1, 1_000_000), live;
        /// Number of samples of a solver's optimal actions that the network is pretrained on. 0 disables pretraining.
        demonstrations: u64 = 0, "Demonstrations" in "samples", integer(0, 1_000_000_000_000), live;
        /// Temperature of the softmax over action values in the demonstration loss.
        demonstration_temperature: f32 = 0.5, "Demonstration temperature", logarithmic(0.001, 100.0);
        /// Number of gradient steps between two reports.
        iteration: u32 = 500, "Report interval" in "gradient steps", integer(1, 1_000_000);
    }
}

impl DqnConfig {
    /// Checks each hyperparameter against its range, and the relations between hyperparameters.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid field.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        // Sampling a minibatch does not check that the replay buffer has enough transitions.
        if self.warm_up > self.replay_capacity {
            return Err(self
                .refused("warm_up", format!("at most replay_capacity, which is {}", self.replay_capacity)));
        }
        if self.minibatch > self.warm_up {
            return Err(self.refused("minibatch", format!("at most warm_up, which is {}", self.warm_up)));
        }
        Ok(())
    }

    /// Returns the exploration rate ε after `steps` environment steps: changes linearly from the initial to the final
    /// value over `epsilon_steps` steps, then remains constant.
    #[must_use]
    pub fn epsilon_at(&self, steps: u64) -> f32 {
        linear(self.epsilon, self.final_epsilon, steps, self.epsilon_steps)
    }

    /// Returns the exponent β of the importance-sampling weights after `samples` samples: rises linearly from the
    /// initial value to 1 over `importance_samples` samples.
    #[must_use]
    pub fn importance_exponent_at(&self, samples: u64) -> f32 {
        linear(self.importance_exponent, 1.0, samples, self.importance_samples)
    }

    /// Returns the learning rate after `samples` samples: falls by half a cosine from the initial to the final value
    /// over `anneal_samples` samples, then remains constant.
    #[must_use]
    pub fn learning_rate_at(&self, samples: u64) -> f32 {
        cosine_annealing(self.learning_rate, self.final_learning_rate, samples, self.anneal_samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::refusal;

    #[test]
    fn rejects_invalid_fields_by_name() {
        let refused = |change| refusal(DqnConfig::check, change);
        assert_eq!(refused(|c| c.discount = 1.5).field, "dqn.discount");
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "dqn.learning_rate");
        assert_eq!(refused(|c| c.n_step = 0).field, "dqn.n_step");
        assert_eq!(refused(|c| c.hidden = vec![0]).field, "dqn.hidden");
        let error = refused(|c| c.warm_up = 100_000);
        assert_eq!(error.field, "dqn.warm_up");
        assert!(error.allowed.contains("65536"), "{}", error.allowed);
        assert_eq!(refused(|c| c.minibatch = 4_096).field, "dqn.minibatch");
    }

    #[test]
    fn schedules_reach_their_final_values_and_stay_constant() {
        let config = DqnConfig {
            epsilon: 1.0,
            final_epsilon: 0.5,
            epsilon_steps: 100,
            importance_exponent: 0.5,
            importance_samples: 10,
            learning_rate: 1.0,
            final_learning_rate: 0.25,
            anneal_samples: 50,
            ..Default::default()
        };
        assert_eq!([0, 50, 100, u64::MAX].map(|steps| config.epsilon_at(steps)), [1.0, 0.75, 0.5, 0.5]);
        assert_eq!([0, 5, 10, 11].map(|n| config.importance_exponent_at(n)), [0.5, 0.75, 1.0, 1.0]);
        assert_eq!([0, 25, 50, 99].map(|n| config.learning_rate_at(n)), [1.0, 0.625, 0.25, 0.25]);
        let never =
            DqnConfig { epsilon_steps: 0, importance_samples: 0, anneal_samples: 0, ..config.clone() };
        assert_eq!(never.epsilon_at(99), 1.0);
        assert_eq!(never.importance_exponent_at(99), 0.5);
        assert_eq!(never.learning_rate_at(99), 1.0);
    }

    #[test]
    fn only_live_fields_may_change() {
        let config = DqnConfig::default();
        config.check_live(&DqnConfig { double: false, epsilon: 0.5, ..config.clone() }).unwrap();
        let error = config.check_live(&DqnConfig { dueling: false, ..config.clone() }).unwrap_err();
        assert_eq!((error.field, error.value.as_str()), ("dqn.dueling", "false"));
    }
}
