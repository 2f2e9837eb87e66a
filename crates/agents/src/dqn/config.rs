//! What a person may choose about the learner: fields, what they mean, what is allowed.

use vivarium_config::{Config, ConfigError};
use vivarium_learn::schedule::{half_cosine, line};

vivarium_config::config! {
    /// Everything that can be chosen about a run of deep Q-learning. Where a field's own text says so, 0 or false turns a
    /// feature off.
    #[derive(Clone)]
    pub struct DqnConfig {
        ["dqn"]
        /// Units of each hidden layer of the network, from the input on.
        hidden: Vec<u32> = vec![128, 64], "Hidden layers" in "units", integers(1, 2_048, 6);
        /// Normalizes what each hidden layer says before its activation, which keeps training steady.
        layer_norm: bool = true, "Layer norm", flag();
        /// The network tells the value of a situation and each action's advantage apart, so that what is learned from one
        /// action helps to judge all.
        dueling: bool = true, "Dueling heads", flag();
        /// The learning network chooses the best next action and the target network values it. Otherwise the target
        /// network does both, and values what it overrates.
        double: bool = true, "Double targets", flag(), live;
        /// How many environments are stepped side by side.
        num_envs: u32 = 32, "Environments", integer(1, 16_384);
        /// How much a reward one step later counts. 1 looks ahead without end.
        discount: f32 = 0.99, "Discount γ", number(0.0, 1.0);
        /// Rewards that a return adds up before it trusts the network's value. The end of an episode makes it shorter. 1
        /// is plain Q-learning.
        return_steps: u32 = 3, "Steps of a return" in "steps", integer(1, 5);
        /// A return ends before an action that was tried at random, so that no action is blamed for the next one.
        watkins_cutoff: bool = false, "Watkins cutoff", flag();
        /// Share of actions that are tried at random at the start of the run.
        epsilon: f32 = 1.0, "Exploration ε", number(0.0, 1.0), live;
        /// That share once it has fallen all the way.
        final_epsilon: f32 = 0.05, "Final exploration ε", number(0.0, 1.0), live;
        /// Over how many steps it falls in a straight line. 0 keeps it as it is.
        epsilon_steps: u64 = 50_000, "Exploration time" in "environment steps", integer(0, 1_000_000_000_000), live;
        /// The newest transitions that are kept to learn from.
        replay: u32 = 65_536, "Replay" in "transitions", integer(64, 1 << 22);
        /// Transitions to collect before the first gradient step.
        warm_up: u32 = 2_048, "Warm-up" in "transitions", integer(2, 1 << 22);
        /// How often each transition is learned from, on average. More learns more from a step in the world.
        replay_ratio: f32 = 4.0, "Replay ratio", logarithmic(0.01, 256.0), live;
        /// Transitions averaged into one gradient step.
        minibatch: u32 = 64, "Minibatch" in "samples", integer(2, 16_384);
        /// How strongly surprising transitions are preferred. 0 draws all alike.
        priority_exponent: f32 = 0.5, "Priority α", number(0.0, 1.0), live;
        /// How far preferred transitions are weighed down to make up for it, at the start. 0 does not.
        importance_exponent: f32 = 0.4, "Importance β", number(0.0, 1.0), live;
        /// Samples over which β rises to 1 in a straight line. 0 keeps it as it is.
        importance_samples: u64 = 1_000_000, "Importance time" in "samples", integer(0, 1_000_000_000_000), live;
        /// Gradient steps after which the target network becomes a copy of the learning one. 0 takes targets from the
        /// learning network itself, unless there is a target rate.
        target_every: u32 = 250, "Target interval" in "gradient steps", integer(0, 1_000_000), live;
        /// Share of the learning network that the target network takes over at every gradient step. 0 copies it at
        /// intervals instead.
        target_rate: f32 = 0.0, "Target rate τ", number(0.0, 1.0), live;
        /// Errors larger than this count in proportion rather than squared. 0 squares all.
        huber: f32 = 1.0, "Huber δ", logarithmic(0.0, 1_000.0);
        /// Size of an optimizer step. Too small learns slowly, too large forgets everything at once.
        learning_rate: f32 = 1e-3, "Learning rate", logarithmic(1e-7, 1.0), live;
        /// The learning rate once it has fallen for the whole annealing time.
        final_learning_rate: f32 = 1e-4, "Final learning rate", logarithmic(0.0, 1.0), live;
        /// Over how many samples the learning rate falls, by half a cosine. 0 keeps it as it is.
        anneal_samples: u64 = 2_000_000, "Annealing time" in "samples", integer(0, 1_000_000_000_000), live;
        /// Gradients longer than this are shortened to it. 0 leaves them as they are.
        max_gradient_norm: f32 = 10.0, "Longest gradient", logarithmic(0.0, 1_000.0), live;
        /// Where a problem has levels of difficulty: the next one opens once this share of the episodes at the hardest
        /// open one succeed. 0 opens all at once.
        curriculum_threshold: f32 = 0.7, "Success threshold", number(0.0, 1.0), live;
        /// Episodes at the hardest open level that this share is measured over.
        curriculum_episodes: u32 = 200, "Success window" in "episodes", integer(1, 1_000_000), live;
        /// Where a problem has a solver: situations with their best actions that the network learns from before it tries
        /// for itself. 0 has none.
        demonstrations: u64 = 0, "Demonstrations" in "samples", integer(0, 1_000_000_000_000), live;
        /// Differences of value much larger than this count as told apart in a demonstration.
        demonstration_temperature: f32 = 0.5, "Demonstration temperature", logarithmic(0.001, 100.0);
        /// Gradient steps between two reports.
        iteration: u32 = 500, "Iteration" in "gradient steps", integer(1, 1_000_000);
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
    use vivarium_config::refusal;

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |change| refusal(DqnConfig::check, change);
        assert_eq!(refused(|c| c.discount = 1.5).field, "dqn.discount");
        assert_eq!(refused(|c| c.learning_rate = f32::NAN).field, "dqn.learning_rate");
        assert_eq!(refused(|c| c.return_steps = 0).field, "dqn.return_steps");
        assert_eq!(refused(|c| c.hidden = vec![0]).field, "dqn.hidden");
        let error = refused(|c| c.warm_up = 100_000);
        assert_eq!(error.field, "dqn.warm_up");
        assert!(error.allowed.contains("65536"), "{}", error.allowed);
        assert_eq!(refused(|c| c.minibatch = 4_096).field, "dqn.minibatch");
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
        assert_eq!((error.field, error.value.as_str()), ("dqn.dueling", "false"));
    }
}
