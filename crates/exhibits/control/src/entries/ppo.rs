//! PPO in control experiments: config fields, metrics, and the implementation of the interface `ControlAlgorithm`.

use crate::learner::{ControlAlgorithm, ControlEntry, IterationReport};
use serde_json::Value;
use vivarium_agents::ppo::{ActionSelection, PolicyAndValue, Ppo, PpoConfig, PpoReport, PpoWork};
use vivarium_agents::{Episode, Learner, LearnerError};
use vivarium_config::Config;
use vivarium_envs::Environment;
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::Tensor;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::metrics;
use vivarium_lab::protocol::MetricInfo;

/// Maximum number of samples (environment steps) per iteration, limited by browser memory.
const MAX_SAMPLES: u64 = 1 << 20;

/// Maximum total number of weights in the matrices that connect hidden layers. Limited by browser memory and by the
/// duration of orthogonal initialization, which is cubic in the layer width.
const MAX_WEIGHTS: u64 = 1 << 20;

/// Returns the PPO config from which the default config of each control experiment is derived. The config has fewer
/// parallel environments than `PpoConfig::default()`, because small batches are more sample-efficient.
pub(super) fn few_environments() -> PpoConfig {
    PpoConfig { num_envs: 128, minibatch: 1024, ..PpoConfig::default() }
}

/// Reads the `ppo` section of an experiment's config, and checks relations between the fields of the section. Every
/// field must be in its range.
///
/// # Errors
/// [`LabError::Invalid`] if the fields are inconsistent or would exceed memory.
pub(crate) fn read(config: &Value) -> Result<PpoConfig, LabError> {
    let ppo = PpoConfig::from_json(config)?;
    ppo.check()?;
    if ppo.batch() as u64 > MAX_SAMPLES {
        let allowed =
            format!("ppo.num_envs × ppo.horizon must be at most {MAX_SAMPLES}, but is {}", ppo.batch());
        return Err(ppo.refused("horizon", allowed).into());
    }
    let weights: u64 = ppo.hidden.windows(2).map(|pair| u64::from(pair[0]) * u64::from(pair[1])).sum();
    if weights > MAX_WEIGHTS {
        let allowed =
            format!("the hidden layers must have at most {MAX_WEIGHTS} weights, but have {weights}");
        return Err(ppo.refused("hidden", allowed).into());
    }
    Ok(ppo)
}

vivarium_lab::metrics! {
    /// Metrics that PPO reports for each training iteration.
    const METRICS: PpoReport as report {
        /// Number that an update reduces so that actions with good results become more probable. It is the negative
        /// clipped surrogate objective; its absolute value is not meaningful.
        policy_loss = report.policy_loss, "Policy loss";
        /// How wrong the network is about the rewards to come. Half the mean squared error of the value estimates, in
        /// normalized units if rewards are normalized.
        value_loss = report.value_loss, "Value loss", 0.0..;
        /// How undecided the agent is between its actions. Mean entropy of the policy; it falls as the policy becomes
        /// deterministic.
        entropy = report.entropy, "Entropy" in "nat";
        /// How much an update changes the behavior of the agent. Approximate KL divergence of the new from the old
        /// policy in the last epoch of an update; above 0.05 is large.
        approx_kl = report.approximate_kl, "Approximate KL" in "nat";
        /// Fraction of samples in which an update would change the agent more than PPO allows: their probability ratio
        /// left the clip range.
        clip_fraction = report.clip_fraction, "Clip fraction" in "share", 0.0..=1.0;
        /// How well the network predicts the rewards to come: 1 is perfect, 0 as good as the mean. Explained variance
        /// of the returns by the value estimates.
        explained_variance = report.explained_variance, "Explained variance", ..=1.0;
        /// How far a gradient step moves the weights of the network. Decays by schedule, and is halved whenever
        /// training diverges.
        learning_rate = report.learning_rate, "Learning rate", 0.0..;
        /// How strongly the loss changes with the weights. Mean gradient norm before clipping.
        gradient_norm = report.gradient_norm, "Gradient norm", 0.0..;
    }
}

/// Returns the descriptions of the metrics of PPO. The entropy of discrete actions is at least 0; the differential entropy
/// of continuous actions may be negative.
pub(super) fn metrics(has_discrete_actions: bool) -> Vec<MetricInfo> {
    let described = metrics::described(METRICS).into_iter();
    let is_nonnegative = |metric: &MetricInfo| has_discrete_actions && metric.name == "entropy";
    described.map(|metric| if is_nonnegative(&metric) { metric.within(0.0..) } else { metric }).collect()
}

impl ControlEntry for Ppo {
    fn read(config: &Value) -> Result<PpoConfig, LabError> {
        read(config)
    }

    fn iteration(report: &PpoReport) -> IterationReport {
        let means = report.return_mean.zip(report.length_mean);
        IterationReport {
            steps: report.counters.steps,
            ended: means.map(|(mean, length)| (report.episodes, mean, length)),
            values: metrics::values(METRICS, report),
        }
    }

    fn phase(&self, is_on_gpu: bool) -> &'static str {
        match self.next_work() {
            _ if is_on_gpu => "iteration",
            PpoWork::Rollout => "rollout",
            PpoWork::Update => "update",
        }
    }

    fn set_environment(&mut self, environment: Environment) -> Result<(), LearnerError> {
        self.set_environment(environment)
    }
}

impl ControlAlgorithm for Ppo {
    fn environment(&self) -> Environment {
        self.environment().clone()
    }

    fn discount(&self) -> f32 {
        self.config().discount
    }

    fn num_envs(&self) -> u32 {
        self.config().num_envs
    }

    fn iterations(&self, steps: u32) -> u32 {
        steps.div_ceil(self.config().horizon)
    }

    fn learning_rates(&self) -> [&'static str; 2] {
        ["ppo.learning_rate", "ppo.final_learning_rate"]
    }

    fn learned(&self) -> Vec<Tensor> {
        self.learned()
    }

    fn saves_midway(&self) -> bool {
        false
    }

    fn act(&self, observations: &[f32], seed: u64, step: u32) -> Vec<f32> {
        self.act(observations, ActionSelection::Sampled { seed, step })
    }

    fn greedy(&self, observations: &[f32]) -> Vec<f32> {
        self.act(observations, ActionSelection::Greedy)
    }

    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue {
        self.policy_and_value(observations)
    }

    fn evaluate(&self, cpu: &Cpu, episodes: Episodes<'_>) -> Result<Vec<Episode>, LearnerError> {
        self.evaluate(cpu, episodes.count, episodes.seed)
    }

    #[cfg(feature = "gpu")]
    fn too_large(&self, error: &GpuError) -> (&'static str, String) {
        let config = self.config();
        let GpuError::BufferTooLarge { what, needed, allowed } = error else {
            return ("ppo.num_envs", "reduce it or ppo.minibatch".into());
        };
        let of_a_minibatch = what.contains(&format!("for {} rows", config.minibatch));
        let (field, value) = if of_a_minibatch && config.minibatch != config.num_envs {
            ("ppo.minibatch", config.minibatch)
        } else {
            ("ppo.num_envs", config.num_envs)
        };
        // The buffer size is proportional to the field's value.
        let fits = (u128::from(value) * u128::from(*allowed) / u128::from(*needed)).max(1);
        (field, format!("at most about {fits} with the other fields unchanged"))
    }
}
