//! The PPO learner: its state, and the two parts of an iteration, rollout and update.

use super::config::PpoConfig;
use super::network::{Policy, Scheduled, network};
use super::normalize::{ExplainedVariance, Moments, ObservationNormalizer, merge_columns, reward_scale};
use super::report::{PpoCounters, PpoReport};
use super::rollout::{BLOCK_ENVS, RolloutBlock, RolloutContext};
use super::running::EpisodeTally;
use super::state::PpoState;
use super::update::{PpoUpdater, UpdateContext};
use crate::error::LearnerError;
use vivarium_envs::{Autoreset, EnvError, EnvSpec, Environment, StepBuffers};
use vivarium_graph::Cpu;
use vivarium_kernels::{rng, simd};
use vivarium_learn::NotFinite;

/// Stream indices for `rng::derive`, one for each use of random numbers, such as the initial weights. `rng::derive`
/// computes the seed of a use from the run's seed and the stream index.
pub(crate) mod rng_stream {
    pub const WEIGHTS: u32 = 10;
    pub const WORLD: u32 = 11;
    pub const ACTIONS: u32 = 12;
    pub const SHUFFLE: u32 = 13;
    pub const STAGGER: u32 = 14;
    pub const EVALUATION: u32 = 15;
    pub const MOMENTS: u32 = 16;
}

/// Maximum number of samples that one call of [`Ppo::roll`] collects. A call takes at least one step of all
/// environments, even if there are more environments than this maximum.
const SLICE_SAMPLES: usize = 8_192;

/// Learner that trains a policy by PPO in one environment; see the [module](super).
///
/// A run depends on config, environment parameters, seed and SIMD level alone. A run does not depend on the number of
/// threads or on calls that take `&self`.
pub struct Ppo {
    pub(crate) config: PpoConfig,
    pub(crate) environment: Environment,
    pub(crate) seed: u64,
    pub(crate) policy: Policy,
    pub(crate) updater: PpoUpdater,
    pub(crate) blocks: Vec<RolloutBlock>,
    pub(crate) observation_moments: Vec<Moments>,
    pub(crate) return_moments: Moments,
    pub(crate) counters: PpoCounters,
    pub(crate) boundary: PpoState,
    pub(super) phase: PpoPhase,
}

/// Part of the iteration in progress, which selects the work of the next call of
/// [`advance`](vivarium_learn::Learner::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PpoPhase {
    /// Rollout. `step` is the index of the next environment step of the rollout, counted from 0.
    Rollout { step: usize },
    /// Update: gradient steps on the samples of the finished rollout.
    Update,
}

/// Kind of work of a call of [`advance`](vivarium_learn::Learner::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PpoWork {
    /// Environment steps of the rollout, and advantage estimation after the last step.
    Rollout,
    /// Gradient steps on the samples of the rollout.
    Update,
}

impl Ppo {
    /// Creates a learner with randomly initialized weights.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid field of the config or of the environment parameters.
    pub fn new(config: PpoConfig, environment: Environment, seed: u64) -> Result<Self, LearnerError> {
        config.check()?;
        let EnvSpec { observation_len, actions, .. } = *environment.spec();
        let network = network(&config, observation_len, actions);
        let weights = rng::derive(seed, rng_stream::WEIGHTS);
        let policy = Policy::new(&network, observation_len, actions, weights)?;
        let updater = PpoUpdater::new(&config, &network, &policy, observation_len)?;
        let (num_envs, horizon) = (config.num_envs as usize, config.horizon as usize);
        let blocks = (0..num_envs)
            .step_by(BLOCK_ENVS)
            .map(|first| {
                let size = BLOCK_ENVS.min(num_envs - first);
                let mut block = RolloutBlock::new(
                    &environment,
                    rng::derive(seed, rng_stream::WORLD),
                    first,
                    size,
                    horizon,
                    &policy,
                )?;
                if config.stagger {
                    block.stagger(rng::derive(seed, rng_stream::STAGGER))?;
                }
                Ok(block)
            })
            .collect::<Result<Vec<_>, LearnerError>>()?;
        let observation_moments = if config.normalize_observations {
            initial_moments(&config, &environment, rng::derive(seed, rng_stream::MOMENTS))?
        } else {
            vec![Moments::default(); observation_len]
        };
        let mut learner = Self {
            observation_moments,
            return_moments: Moments::default(),
            counters: PpoCounters::default(),
            boundary: PpoState::default(),
            phase: PpoPhase::Rollout { step: 0 },
            config,
            environment,
            seed,
            policy,
            updater,
            blocks,
        };
        learner.begin_iteration()?;
        Ok(learner)
    }

    /// Returns the environment that the learner is trained in, with its physical parameters.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Returns the counters of the run, including the part of the current iteration that is done.
    pub fn counters(&self) -> PpoCounters {
        self.counters
    }

    /// Returns the number of trainable parameters of actor and critic.
    pub fn parameter_count(&self) -> usize {
        self.policy.network.parameter_count()
    }

    /// Replaces the environment's physical parameters from the next environment step on.
    ///
    /// # Errors
    /// [`LearnerError::World`] if a parameter is out of range or `environment` has another name than the learner's
    /// environment; the learner is unchanged then.
    pub fn set_environment(&mut self, environment: Environment) -> Result<(), LearnerError> {
        for block in &mut self.blocks {
            block.env.set_params(&environment)?;
        }
        self.environment = environment;
        Ok(())
    }

    /// Continues the rollout from its environment step with index `step`. After the last step, estimates the
    /// advantages and begins the update.
    pub(super) fn roll(&mut self, cpu: &Cpu, step: usize) -> Result<(), LearnerError> {
        let (num_envs, horizon) = (self.config.num_envs as usize, self.config.horizon as usize);
        let end = horizon.min(step + (SLICE_SAMPLES / num_envs).max(1));
        let context = RolloutContext {
            policy: &self.policy,
            seed: rng::derive(self.seed, rng_stream::ACTIONS),
            first_step: self.counters.iterations * horizon as u64,
            discount: self.config.discount,
            normalize_observations: self.config.normalize_observations,
        };
        each(cpu, &mut self.blocks, |block| block.advance(&context, step..end)).map_err(
            |error| match error {
                // The action is NaN, the only output of a policy that an environment rejects.
                EnvError::Action { value, .. } => {
                    let updates = self.counters.updates;
                    LearnerError::from(NotFinite { what: "an action", value: value.into(), updates })
                }
                error => LearnerError::from(error),
            },
        )?;
        self.counters.steps += ((end - step) * num_envs) as u64;
        if end < horizon {
            self.phase = PpoPhase::Rollout { step: end };
            return Ok(());
        }
        for block in &self.blocks {
            for (total, moments) in self.observation_moments.iter_mut().zip(&block.observation_moments) {
                total.merge(moments);
            }
            self.return_moments.merge(&block.return_moments);
            self.counters.episodes += block.tally.episodes as u64;
        }
        let scale = self.config.normalize_rewards.then(|| reward_scale(&self.return_moments));
        let (policy, config) = (&self.policy, &self.config);
        each(cpu, &mut self.blocks, |block| {
            block.finish(policy, config, scale);
            Ok(())
        })?;
        self.updater.begin();
        self.phase = PpoPhase::Update;
        Ok(())
    }

    /// Takes a gradient step, or processes a part of a large minibatch. Returns whether the update, with all its
    /// epochs, is finished.
    pub(super) fn update(&mut self, cpu: &Cpu) -> Result<bool, NotFinite> {
        let Self { config, policy, updater, blocks, counters, seed, .. } = self;
        let context = UpdateContext {
            config,
            blocks,
            scheduled: Scheduled::at(config, counters.steps),
            seed: rng::derive(*seed, rng_stream::SHUFFLE),
            iterations: counters.iterations,
            updates: counters.updates,
        };
        let before = updater.sums.updates;
        let is_finished = updater.advance(cpu, policy, &context)?;
        counters.updates += updater.sums.updates - before;
        Ok(is_finished)
    }

    /// Ends the iteration: builds its report, and begins the next iteration. Returns the report.
    pub(super) fn end_iteration(&mut self) -> Result<PpoReport, LearnerError> {
        self.counters.iterations += 1;
        let mut tally = EpisodeTally::default();
        let mut explained = ExplainedVariance::default();
        for block in &self.blocks {
            tally += block.tally;
            explained.merge(&block.explained);
        }
        let learning_rate = f64::from(self.config.learning_rate_at(self.counters.steps));
        let report = self.updater.sums.report(self.counters, tally, explained.share(), learning_rate);
        self.begin_iteration()?;
        Ok(report)
    }

    /// Begins an iteration: computes the observation normalizer from the running moments, begins the rollout of every
    /// block of environments, and captures the learner's state.
    pub(crate) fn begin_iteration(&mut self) -> Result<(), LearnerError> {
        self.policy.scaling = if self.config.normalize_observations {
            ObservationNormalizer::from_moments(&self.observation_moments)
        } else {
            ObservationNormalizer::identity(self.environment.spec().observation_len)
        };
        for block in &mut self.blocks {
            block.begin(&self.policy)?;
        }
        self.phase = PpoPhase::Rollout { step: 0 };
        self.capture_state();
        Ok(())
    }
}

/// Computes mean and variance of each observation dimension under random actions, over as many environment steps as
/// an iteration has.
///
/// The first iteration normalizes observations with these moments, as in random network distillation (Burda et al.
/// 2018, <https://arxiv.org/abs/1810.12894>, which initializes the normalization with random actions before
/// training). Otherwise the first update would train the network on raw observations and the second on normalized
/// ones. The steps take place in environments of their own and do not count as training.
fn initial_moments(
    config: &PpoConfig,
    environment: &Environment,
    seed: u64,
) -> Result<Vec<Moments>, EnvError> {
    let (num_envs, width) = (config.num_envs as usize, environment.spec().observation_len);
    let mut env = environment.vector_env(simd::level(), seed, 0, num_envs, Autoreset::SameStep)?;
    let mut buffers = StepBuffers::with_width(num_envs, width);
    let mut actions = vec![0.0; num_envs];
    let mut moments = vec![Moments::default(); width];
    for _ in 0..config.horizon {
        // `random_steps` is not used, because it would add a second copy of the dynamics to the wasm modules.
        env.random_actions(simd::level(), &mut actions)?;
        env.step(simd::level(), &actions, &mut buffers.out())?;
        merge_columns(&buffers.observation, &mut moments);
    }
    Ok(moments)
}

/// Calls `work` for every block of environments, in parallel on the threads of `cpu`. Returns the error of the first
/// block (in the order of `blocks`) for which `work` failed.
fn each(
    cpu: &Cpu,
    blocks: &mut [RolloutBlock],
    work: impl Fn(&mut RolloutBlock) -> Result<(), EnvError> + Sync,
) -> Result<(), EnvError> {
    cpu.for_each(blocks, |_, block| block.outcome = work(block));
    blocks.iter_mut().try_for_each(|block| std::mem::replace(&mut block.outcome, Ok(())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ppo::rollout::RECORD;
    use vivarium_envs::MountainCar;
    use vivarium_learn::Learner;

    #[test]
    fn the_first_rollout_is_normalized() {
        let config = PpoConfig { num_envs: 64, horizon: 32, minibatch: 256, ..Default::default() };
        let mut ppo = Ppo::new(config, Environment::of::<MountainCar>(), 3).unwrap();
        let cpu = Cpu::new(1);
        while ppo.next_work() == PpoWork::Rollout {
            ppo.advance(&cpu).unwrap();
        }
        // Raw positions have a deviation of about 0.06, raw velocities of 0.005.
        for dimension in 0..2 {
            let column: Vec<f32> = ppo.blocks[0]
                .records
                .chunks_exact(RECORD + 2)
                .map(|record| record[RECORD + dimension])
                .collect();
            let moments = Moments::of(&column);
            assert!(moments.mean.abs() < 0.5, "{moments:?}");
            assert!((0.5..2.0).contains(&moments.variance()), "{moments:?}");
        }
    }
}
