//! The learner: its state, and the two parts of an iteration, rollout and update.

use super::config::PpoConfig;
use super::network::{Policy, Scheduled, network};
use super::normalize::{ExplainedVariance, Moments, ObservationNormalizer, merge_columns, reward_scale};
use super::report::{PpoCounters, PpoReport};
use super::rollout::{BLOCK_ENVS, RolloutBlock, RolloutContext};
use super::running::EpisodeTally;
use super::state::PpoState;
use super::update::{PpoUpdater, UpdateContext};
use crate::error::LearnerError;
use vivarium_envs::{Autoreset, EnvError, StepBuffers, VectorEnv, World};
use vivarium_graph::Cpu;
use vivarium_kernels::{rng, simd};
use vivarium_learn::NotFinite;

/// Stream indices for `rng::derive`. Each kind of random decision uses a seed of its own, derived from the run's seed.
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
/// environments, even if `num_envs` exceeds this maximum.
const SLICE_SAMPLES: usize = 8_192;

/// PPO learner in environment `W`; see the [module](super).
///
/// A run depends on config, environment parameters, seed and SIMD level alone. It does not depend on the number of
/// threads or on calls that take `&self`.
pub struct Ppo<W: World> {
    pub(crate) config: PpoConfig,
    pub(crate) world: W::Params,
    pub(crate) seed: u64,
    pub(crate) policy: Policy,
    pub(crate) updater: PpoUpdater,
    pub(crate) blocks: Vec<RolloutBlock<W>>,
    pub(crate) observation_moments: Vec<Moments>,
    pub(crate) return_moments: Moments,
    pub(crate) counters: PpoCounters,
    pub(crate) boundary: PpoState,
    pub(super) phase: PpoPhase,
}

/// Position in an iteration: the work that the next call of [`advance`](vivarium_learn::Learner::advance) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PpoPhase {
    /// Continue the rollout at environment step `step`, counted from 0.
    Rollout { step: usize },
    /// Take the next gradient step of the update.
    Update,
}

/// Kind of work of a call of [`advance`](vivarium_learn::Learner::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PpoWork {
    /// Rollout: environment steps and advantage estimation.
    Rollout,
    /// Gradient steps.
    Update,
}

impl<W: World> Ppo<W> {
    /// Creates a learner with initial weights.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid field of config or environment parameters.
    pub fn new(config: PpoConfig, world: W::Params, seed: u64) -> Result<Self, LearnerError> {
        config.check()?;
        let network = network(&config, W::OBSERVATION_LEN, W::ACTIONS);
        let weights = rng::derive(seed, rng_stream::WEIGHTS);
        let policy = Policy::new(&network, W::OBSERVATION_LEN, W::ACTIONS, weights)?;
        let updater = PpoUpdater::new(&config, &network, &policy, W::OBSERVATION_LEN)?;
        let (num_envs, horizon) = (config.num_envs as usize, config.horizon as usize);
        let blocks = (0..num_envs)
            .step_by(BLOCK_ENVS)
            .map(|first| {
                let size = BLOCK_ENVS.min(num_envs - first);
                let mut block = RolloutBlock::new(
                    world,
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
            initial_moments::<W>(&config, world, rng::derive(seed, rng_stream::MOMENTS))?
        } else {
            vec![Moments::default(); W::OBSERVATION_LEN]
        };
        let mut learner = Self {
            observation_moments,
            return_moments: Moments::default(),
            counters: PpoCounters::default(),
            boundary: PpoState::default(),
            phase: PpoPhase::Rollout { step: 0 },
            config,
            world,
            seed,
            policy,
            updater,
            blocks,
        };
        learner.begin_iteration()?;
        Ok(learner)
    }

    /// Returns the environment's physical parameters.
    pub fn world(&self) -> &W::Params {
        &self.world
    }

    /// Returns the counters of the run so far, including the present iteration.
    pub fn counters(&self) -> PpoCounters {
        self.counters
    }

    /// Returns the number of trainable parameters.
    pub fn parameter_count(&self) -> usize {
        self.policy.network.parameter_count()
    }

    /// Changes the environment's physical parameters from the next step on.
    ///
    /// # Errors
    /// [`LearnerError::World`] if a parameter is out of range; the learner is unchanged then.
    pub fn set_world(&mut self, world: W::Params) -> Result<(), LearnerError> {
        for block in &mut self.blocks {
            block.env.set_params(world)?;
        }
        self.world = world;
        Ok(())
    }

    /// Continues the rollout at environment step `step`. After the last step, estimates the advantages and begins the
    /// update.
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

    /// Takes a gradient step, or processes a part of its minibatch. Returns whether the update (all epochs) is
    /// finished.
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

    /// Ends the iteration, and begins the next one. Returns the report.
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

    /// Begins an iteration: updates the observation normalizer from the running moments, begins the rollout of every
    /// block, and captures the learner's state.
    pub(crate) fn begin_iteration(&mut self) -> Result<(), LearnerError> {
        self.policy.scaling = if self.config.normalize_observations {
            ObservationNormalizer::from_moments(&self.observation_moments)
        } else {
            ObservationNormalizer::identity(W::OBSERVATION_LEN)
        };
        for block in &mut self.blocks {
            block.begin(&self.policy)?;
        }
        self.phase = PpoPhase::Rollout { step: 0 };
        self.capture_state();
        Ok(())
    }
}

/// Returns the moments of the observations of random actions, over as many environment steps as an iteration has.
///
/// The first iteration normalizes with them, as in random network distillation (Burda et al. 2018,
/// <https://arxiv.org/abs/1810.12894>, which initializes the normalization with random actions before training).
/// Otherwise the first update would train the network on raw observations and the second on normalized ones. The steps
/// take place in environments of their own and do not count as training.
fn initial_moments<W: World>(
    config: &PpoConfig,
    world: W::Params,
    seed: u64,
) -> Result<Vec<Moments>, EnvError> {
    let num_envs = config.num_envs as usize;
    let mut env = VectorEnv::<W>::new(simd::level(), world, seed, 0, num_envs, Autoreset::SameStep)?;
    let mut buffers = StepBuffers::new::<W>(num_envs);
    let mut actions = vec![0.0; num_envs];
    let mut moments = vec![Moments::default(); W::OBSERVATION_LEN];
    for _ in 0..config.horizon {
        // Not `random_steps`, which would be a second copy of the dynamics in the wasm modules.
        env.random_actions(simd::level(), &mut actions)?;
        env.step(simd::level(), &actions, &mut buffers.out())?;
        merge_columns::<W::Observation<f64>>(&buffers.observation, &mut moments);
    }
    Ok(moments)
}

/// Runs `work` for every block of environments in parallel, a block on one thread. Returns the error of the first block
/// (in the order of `blocks`) for which `work` failed.
fn each<W: World>(
    cpu: &Cpu,
    blocks: &mut [RolloutBlock<W>],
    work: impl Fn(&mut RolloutBlock<W>) -> Result<(), EnvError> + Sync,
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
        let mut ppo = Ppo::<MountainCar>::new(config, Default::default(), 3).unwrap();
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
