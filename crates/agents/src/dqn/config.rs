//! What a person may choose about the learner: fields, what they mean, what is allowed.

use crate::schedule::{half_cosine, line};
use serde::{Deserialize, Serialize};
use vivarium_config::{ConfigError, Described};

/// Everything that can be chosen about a run of deep Q-learning. Where a field's own text says so, 0 or false turns a
/// feature off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DqnConfig {
    /// Units of each hidden layer.
    pub hidden: Vec<u32>,
    /// Normalise each hidden layer before its activation.
    pub layer_norm: bool,
    /// A value and advantages rather than a number for each action by itself.
    pub dueling: bool,
    /// The learning network chooses the action whose value the target network tells.
    pub double: bool,
    /// Environments that are stepped side by side.
    pub lanes: u32,
    /// γ.
    pub discount: f32,
    /// Steps whose rewards a return adds up before it trusts the network.
    pub return_steps: u32,
    /// Returns end before an action that was tried at random.
    pub cut_at_exploration: bool,
    /// Share of random actions at the start.
    pub epsilon: f32,
    /// Share of random actions once `epsilon_steps` are over.
    pub final_epsilon: f32,
    /// Environment steps over which that share falls.
    pub epsilon_steps: u64,
    /// Transitions kept to learn from.
    pub replay: u32,
    /// Transitions that there must be before the first gradient step.
    pub warm_up: u32,
    /// How often each transition is learnt from, on average.
    pub passes: f32,
    /// Transitions per gradient step.
    pub minibatch: u32,
    /// α of prioritised replay; 0: all transitions alike.
    pub priority_exponent: f32,
    /// β at the start.
    pub importance_exponent: f32,
    /// Samples over which β rises to 1; 0: it stays.
    pub importance_samples: u64,
    /// Gradient steps between copies of the network into the target network; 0: none, targets come from the network.
    pub target_every: u32,
    /// Share of the network that the target network takes over at every gradient step; 0: it is copied instead.
    pub target_rate: f32,
    /// The error from which the loss grows in a straight line; 0: it is quadratic throughout.
    pub huber: f32,
    /// Adam's step size at the start.
    pub learning_rate: f32,
    /// Adam's step size once `anneal_samples` are over.
    pub final_learning_rate: f32,
    /// Samples over which the step size falls; 0: it stays.
    pub anneal_samples: u64,
    /// Gradients longer than this are shortened to it; 0: never.
    pub max_gradient_norm: f32,
    /// Success rate at the present difficulty from which the next one opens; 0: no curriculum.
    pub curriculum_threshold: f32,
    /// Episodes that a success rate is measured over.
    pub curriculum_episodes: u32,
    /// Samples with a solver's best actions to learn from first; 0: none.
    pub lessons: u64,
    /// Difference of values at which a lesson takes one action for much better than another.
    pub lesson_temperature: f32,
    /// Gradient steps of an iteration.
    pub iteration: u32,
}

impl Default for DqnConfig {
    fn default() -> Self {
        Self {
            hidden: vec![128, 64],
            layer_norm: true,
            dueling: true,
            double: true,
            lanes: 32,
            discount: 0.99,
            return_steps: 3,
            cut_at_exploration: false,
            epsilon: 1.0,
            final_epsilon: 0.05,
            epsilon_steps: 50_000,
            replay: 65_536,
            warm_up: 2_048,
            passes: 4.0,
            minibatch: 64,
            priority_exponent: 0.5,
            importance_exponent: 0.4,
            importance_samples: 1_000_000,
            target_every: 250,
            target_rate: 0.0,
            huber: 1.0,
            learning_rate: 1e-3,
            final_learning_rate: 1e-4,
            anneal_samples: 2_000_000,
            max_gradient_norm: 10.0,
            curriculum_threshold: 0.7,
            curriculum_episodes: 200,
            lessons: 0,
            lesson_temperature: 0.5,
            iteration: 500,
        }
    }
}

impl DqnConfig {
    /// Checks every field against its range, and the fields against each other.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that is not allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        // A minibatch is drawn without looking whether there are enough transitions.
        if self.warm_up > self.replay {
            return Err(self.refused("warm_up", format!("at most replay, which is {}", self.replay)));
        }
        if self.minibatch > self.warm_up {
            return Err(self.refused("minibatch", format!("at most warm_up, which is {}", self.warm_up)));
        }
        Ok(())
    }

    /// Share of random actions after so many environment steps: a straight line from the first to the final one over
    /// `epsilon_steps`, then constant.
    #[must_use]
    pub fn epsilon_at(&self, steps: u64) -> f32 {
        line(self.epsilon, self.final_epsilon, steps, self.epsilon_steps)
    }

    /// β after so many samples: a straight line to 1 over `importance_samples`.
    #[must_use]
    pub fn importance_exponent_at(&self, samples: u64) -> f32 {
        line(self.importance_exponent, 1.0, samples, self.importance_samples)
    }

    /// Adam's step size after so many samples: half a cosine from the first to the final one over `anneal_samples`, then
    /// constant.
    #[must_use]
    pub fn learning_rate_at(&self, samples: u64) -> f32 {
        half_cosine(self.learning_rate, self.final_learning_rate, samples, self.anneal_samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_config::assert_described;

    #[test]
    fn the_default_is_allowed_and_every_field_is_described_once() {
        let config = DqnConfig::default();
        config.check().unwrap();
        assert_described(&config);
    }

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change: fn(&mut DqnConfig)| {
            let mut config = DqnConfig::default();
            change(&mut config);
            config.check().unwrap_err()
        };
        assert_eq!(refused(|c| c.discount = 1.5).field, "discount");
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "learning_rate");
        assert_eq!(refused(|c| c.return_steps = 0).field, "return_steps");
        assert_eq!(refused(|c| c.hidden = vec![0]).field, "hidden");
        let error = refused(|c| c.warm_up = 100_000);
        assert_eq!(error.field, "warm_up");
        assert!(error.allowed.contains("65536"), "{}", error.allowed);
        assert_eq!(refused(|c| c.minibatch = 4_096).field, "minibatch");
    }

    #[test]
    fn schedules_reach_their_ends_and_stay() {
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
    fn tells_live_changes_from_others() {
        let config = DqnConfig::default();
        config.check_live(&DqnConfig { double: false, epsilon: 0.5, ..config.clone() }).unwrap();
        let error = config.check_live(&DqnConfig { dueling: false, ..config.clone() }).unwrap_err();
        assert_eq!((error.field, error.value.as_str()), ("dueling", "false"));
    }
}
