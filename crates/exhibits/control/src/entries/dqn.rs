//! Deep Q-learning in control experiments: config fields, metrics, and the implementation of `ControlAlgorithm`.

use crate::learner::{ControlAlgorithm, ControlEntry, IterationReport};
use serde_json::Value;
use vivarium_agents::dqn::{
    self, ControlProblem, Dqn, DqnConfig, DqnProblem, DqnReport, DqnWork, ProblemSpec, best,
};
use vivarium_agents::ppo::PolicyAndValue;
use vivarium_agents::{Episode, Learner, LearnerError};
use vivarium_config::Config;
use vivarium_envs::Environment;
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::Tensor;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::info::Field;
use vivarium_lab::metrics;
use vivarium_lab::protocol::MetricInfo;

/// Maximum total number of weights in the matrices that connect hidden layers, limited by browser memory.
const MAX_WEIGHTS: u64 = 1 << 20;

/// Names of the DQN config fields that control experiments omit: curriculum (requires difficulty levels) and
/// demonstrations (require a solver).
const UNUSED_FIELDS: [&str; 4] =
    ["curriculum_threshold", "curriculum_episodes", "demonstrations", "demonstration_temperature"];

/// Returns the config fields of DQN in a control experiment, with the default values in `defaults`.
pub(super) fn fields(defaults: &DqnConfig) -> Vec<Field> {
    let mut fields = defaults.fields();
    fields.retain(|field| !UNUSED_FIELDS.contains(&field.name()));
    fields
}

/// Reads the `dqn` section of an experiment's config, and checks relations between the fields of the section. Every
/// field must be in its range.
///
/// # Errors
/// [`LabError::Invalid`] if the fields are inconsistent or would exceed memory.
pub(crate) fn read(config: &Value) -> Result<DqnConfig, LabError> {
    let own = DqnConfig::from_json(config)?;
    own.check()?;
    let weights: u64 = own.hidden.windows(2).map(|pair| u64::from(pair[0]) * u64::from(pair[1])).sum();
    if weights > MAX_WEIGHTS {
        let allowed =
            format!("the hidden layers must have at most {MAX_WEIGHTS} weights, but have {weights}");
        return Err(own.refused("hidden", allowed).into());
    }
    Ok(own)
}

vivarium_lab::metrics! {
    /// Learning rate and gradient norm, which both DQN and PPO report.
    const SHARED: DqnReport as report {
        /// How far a gradient step moves the weights of the network. Decays by schedule, and is halved whenever
        /// training diverges.
        learning_rate = report.learning_rate, "Learning rate", 0.0..;
        /// How strongly the loss changes with the weights. Mean gradient norm before clipping.
        gradient_norm = report.gradient_norm, "Gradient norm", 0.0..;
    }
}

vivarium_lab::metrics! {
    /// Metrics that only DQN reports for each training iteration.
    const METRICS: DqnReport as report {
        /// DQN: how wrong the network is about its actions, as training reduces it. Mean Huber loss of the
        /// temporal-difference errors, weighted by importance sampling.
        loss = report.loss, "Loss", 0.0..;
        /// DQN: how good the network rates the sampled actions. Mean of their Q-values, the expected rewards to come.
        value_mean = report.value_mean, "Mean value" in "reward";
        /// DQN: how far the predicted rewards of the actions are from what followed. Mean absolute temporal-difference
        /// error.
        error_mean = report.error_mean, "Mean TD error" in "reward", 0.0..;
        /// DQN: fraction of actions that are chosen at random, to try others (exploration rate ε).
        epsilon = report.epsilon, "Exploration ε" in "share", 0.0..=1.0;
    }
}

/// Returns the descriptions of the metrics that only DQN reports.
pub(super) fn metrics() -> Vec<MetricInfo> {
    metrics::described(METRICS)
}

impl ControlEntry for Dqn<ControlProblem> {
    fn read(config: &Value) -> Result<DqnConfig, LabError> {
        read(config)
    }

    fn iteration(report: &DqnReport) -> IterationReport {
        let means = report.return_mean.zip(report.length_mean);
        IterationReport {
            steps: report.counters.steps,
            ended: means.map(|(mean, length)| (report.episodes, mean, length)),
            values: [metrics::values(SHARED, report), metrics::values(METRICS, report)].concat(),
        }
    }

    fn phase(&self, _: bool) -> &'static str {
        match self.next_work() {
            DqnWork::Act => "rollout",
            DqnWork::Pretrain | DqnWork::Learn => "update",
        }
    }

    fn set_environment(&mut self, environment: Environment) -> Result<(), LearnerError> {
        self.set_environment(environment)
    }
}

impl ControlAlgorithm for Dqn<ControlProblem> {
    fn environment(&self) -> Environment {
        self.params().clone()
    }

    fn discount(&self) -> f32 {
        self.config().discount
    }

    fn num_envs(&self) -> u32 {
        self.config().num_envs
    }

    fn iterations(&self, steps: u32) -> u32 {
        let config = self.config();
        let samples = f64::from(steps) * f64::from(config.num_envs) * f64::from(config.replay_ratio);
        (samples / (f64::from(config.iteration) * f64::from(config.minibatch))).ceil() as u32
    }

    fn learning_rates(&self) -> [&'static str; 2] {
        ["dqn.learning_rate", "dqn.final_learning_rate"]
    }

    fn learned(&self) -> Vec<Tensor> {
        self.learned()
    }

    fn saves_midway(&self) -> bool {
        true
    }

    /// Returns the greedy actions, which do not depend on the seed or the step.
    fn act(&self, observations: &[f32], _: u64, _: u32) -> Vec<f32> {
        ControlAlgorithm::greedy(self, observations)
    }

    fn greedy(&self, observations: &[f32]) -> Vec<f32> {
        let mut actions = vec![0; observations.len() / self.params().spec().observation_len];
        self.greedy(&Cpu::new(1), observations, &mut actions);
        actions.into_iter().map(f32::from).collect()
    }

    /// Returns, for each observation, probability 1 for the greedy action, 0 for all other actions, and the greedy
    /// action's Q-value.
    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue {
        let ProblemSpec { state_len, actions: count, .. } = ControlProblem::spec(self.params());
        let rows = observations.len() / state_len;
        let mut worth = vec![0.0; rows * count];
        dqn::values::<ControlProblem>(&Cpu::new(1), self.network(), self.params(), observations, &mut worth);
        let mut policy_and_value =
            PolicyAndValue { policy: vec![0.0; worth.len()], values: Vec::with_capacity(rows) };
        for (policy, worth) in policy_and_value.policy.chunks_exact_mut(count).zip(worth.chunks_exact(count))
        {
            let best = best(worth);
            policy[best] = 1.0;
            policy_and_value.values.push(worth[best]);
        }
        policy_and_value
    }

    fn evaluate(&self, cpu: &Cpu, episodes: Episodes<'_>) -> Result<Vec<Episode>, LearnerError> {
        self.evaluate(cpu, episodes.count as usize, episodes.seed)
    }

    #[cfg(feature = "gpu")]
    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        ("dqn.minibatch", "reduce it or the size of the network".into())
    }
}
