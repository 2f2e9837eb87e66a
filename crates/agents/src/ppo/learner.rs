//! The learner: rollout and update in turns, a slice at a time.

use super::config::PpoConfig;
use super::network::network;
use super::normalize::{Explained, Moments, Scaling, reward_scale};
use super::policy::{Policy, Scheduled};
use super::report::{Counters, Report};
use super::rollout::{BLOCK_LANES, Block, Context};
use super::running::Tally;
use super::state::State;
use super::update::{Turn, Updater};
use crate::error::LearnerError;
use vivarium_config::Config;
use vivarium_envs::{EnvError, World};
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_learn::NotFinite;

/// Purposes of random numbers: each draws from a seed of its own.
pub(crate) mod purpose {
    pub const WEIGHTS: u32 = 10;
    pub const WORLD: u32 = 11;
    pub const ACTIONS: u32 = 12;
    pub const SHUFFLE: u32 = 13;
    pub const STAGGER: u32 = 14;
    pub const EVALUATION: u32 = 15;
}

/// Samples that a slice of a rollout makes at most, unless one step of all lanes is more.
const SLICE_SAMPLES: usize = 8_192;

/// Proximal policy optimization in the world `W`.
///
/// A run depends on config, world and seed alone, not on the number of threads or on how often it is looked at.
/// (Between SIMD levels it differs by rounding.)
pub struct Ppo<W: World> {
    pub(crate) config: PpoConfig,
    pub(crate) world: W::Params,
    pub(crate) seed: u64,
    pub(crate) policy: Policy,
    pub(crate) updater: Updater,
    pub(crate) blocks: Vec<Block<W>>,
    pub(crate) observation_moments: Vec<Moments>,
    pub(crate) return_moments: Moments,
    pub(crate) counters: Counters,
    pub(crate) boundary: State,
    phase: Phase,
}

/// What the next slice does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Go on with the rollout at this step.
    Rollout { step: usize },
    /// The next gradient step.
    Update,
}

/// What a slice of work did.
pub type Slice = vivarium_learn::Slice<Work, Report>;

/// Parts of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Acting in the world, and judging what came of it.
    Rollout,
    /// Gradient steps.
    Update,
}

impl<W: World> Ppo<W> {
    /// A learner that knows nothing yet.
    ///
    /// # Errors
    /// [`LearnerError`] naming the field of the config or the world that is not acceptable.
    pub fn new(config: PpoConfig, world: W::Params, seed: u64) -> Result<Self, LearnerError> {
        config.check()?;
        let network = network(&config, W::OBSERVATION_LEN, W::ACTIONS);
        let weights = rng::derive(seed, purpose::WEIGHTS);
        let policy = Policy::new(&network, W::OBSERVATION_LEN, W::ACTIONS, weights)?;
        let updater = Updater::new(&config, &network, &policy, W::OBSERVATION_LEN)?;
        let (lanes, horizon) = (config.num_envs as usize, config.horizon as usize);
        let blocks = (0..lanes)
            .step_by(BLOCK_LANES)
            .map(|first| {
                let size = BLOCK_LANES.min(lanes - first);
                let mut block =
                    Block::new(world, rng::derive(seed, purpose::WORLD), first, size, horizon, &policy)?;
                if config.stagger {
                    block.stagger(rng::derive(seed, purpose::STAGGER))?;
                }
                Ok(block)
            })
            .collect::<Result<Vec<_>, LearnerError>>()?;
        let mut learner = Self {
            observation_moments: vec![Moments::default(); W::OBSERVATION_LEN],
            return_moments: Moments::default(),
            counters: Counters::default(),
            boundary: State::default(),
            phase: Phase::Rollout { step: 0 },
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

    /// The config in use.
    pub fn config(&self) -> &PpoConfig {
        &self.config
    }

    /// The world in use.
    pub fn world(&self) -> &W::Params {
        &self.world
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Totals so far, the present iteration included.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How many numbers the network learns.
    pub fn parameter_count(&self) -> usize {
        self.policy.network.parameter_count()
    }

    /// Takes over another config that differs in live fields alone, from the next slice on.
    ///
    /// # Errors
    /// [`LearnerError::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: PpoConfig) -> Result<(), LearnerError> {
        config.check()?;
        Ok(self.config.change(config)?)
    }

    /// Changes the world while the run goes on, from the next step on.
    ///
    /// # Errors
    /// [`LearnerError::World`] if a field is out of range; nothing is changed then.
    pub fn set_world(&mut self, world: W::Params) -> Result<(), LearnerError> {
        for block in &mut self.blocks {
            block.env.set_params(world)?;
        }
        self.world = world;
        Ok(())
    }

    /// What the next slice will do.
    pub fn next_work(&self) -> Work {
        match self.phase {
            Phase::Rollout { .. } => Work::Rollout,
            Phase::Update => Work::Update,
        }
    }

    /// Does one bounded slice of work: some steps of all environments, or a gradient step.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] where training diverged.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Slice, LearnerError> {
        // A slice is many short pieces of work: from outside, each of them would wake the threads anew.
        cpu.install(|| match self.phase {
            Phase::Rollout { step } => {
                self.roll(cpu, step)?;
                Ok(Slice { work: Work::Rollout, report: None })
            }
            Phase::Update => {
                let report = if self.update(cpu)? { Some(self.end_iteration()?) } else { None };
                Ok(Slice { work: Work::Update, report })
            }
        })
    }

    /// Advances until an iteration is finished.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn iterate(&mut self, cpu: &Cpu) -> Result<Report, LearnerError> {
        cpu.install(|| {
            loop {
                if let Some(report) = self.advance(cpu)?.report {
                    return Ok(report);
                }
            }
        })
    }

    fn roll(&mut self, cpu: &Cpu, step: usize) -> Result<(), LearnerError> {
        let (lanes, horizon) = (self.config.num_envs as usize, self.config.horizon as usize);
        let end = horizon.min(step + (SLICE_SAMPLES / lanes).max(1));
        let context = Context {
            policy: &self.policy,
            seed: rng::derive(self.seed, purpose::ACTIONS),
            first_step: self.counters.iterations * horizon as u64,
            discount: self.config.discount,
            normalize_observations: self.config.normalize_observations,
        };
        each(cpu, &mut self.blocks, |block| block.advance(&context, step..end)).map_err(
            |error| match error {
                // The only action that a policy can choose and a world refuses.
                EnvError::Action { value, .. } => {
                    let updates = self.counters.updates;
                    LearnerError::from(NotFinite { what: "an action", value: value.into(), updates })
                }
                error => LearnerError::from(error),
            },
        )?;
        self.counters.steps += ((end - step) * lanes) as u64;
        if end < horizon {
            self.phase = Phase::Rollout { step: end };
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
        let (policy, discount, lambda) = (&self.policy, self.config.discount, self.config.gae_lambda);
        each(cpu, &mut self.blocks, |block| {
            block.finish(policy, discount, lambda, scale);
            Ok(())
        })?;
        self.updater.begin();
        self.phase = Phase::Update;
        Ok(())
    }

    /// Takes a gradient step and returns whether it was the last of the update.
    fn update(&mut self, cpu: &Cpu) -> Result<bool, NotFinite> {
        let Self { config, policy, updater, blocks, counters, seed, .. } = self;
        let turn = Turn {
            config,
            blocks,
            scheduled: Scheduled::at(config, counters.steps),
            seed: rng::derive(*seed, purpose::SHUFFLE),
            iterations: counters.iterations,
            updates: counters.updates,
        };
        let before = updater.sums.updates;
        let is_finished = updater.advance(cpu, policy, &turn)?;
        counters.updates += updater.sums.updates - before;
        Ok(is_finished)
    }

    fn end_iteration(&mut self) -> Result<Report, LearnerError> {
        self.counters.iterations += 1;
        let mut tally = Tally::default();
        let mut explained = Explained::default();
        for block in &self.blocks {
            tally += block.tally;
            explained.merge(&block.explained);
        }
        let learning_rate = f64::from(self.config.learning_rate_at(self.counters.steps));
        let report = self.updater.sums.report(self.counters, tally, explained.share(), learning_rate);
        self.begin_iteration()?;
        Ok(report)
    }

    /// Normalizes with what was seen so far, and remembers this moment to save.
    pub(crate) fn begin_iteration(&mut self) -> Result<(), LearnerError> {
        self.policy.scaling = if self.config.normalize_observations && self.counters.iterations > 0 {
            Scaling::from_moments(&self.observation_moments)
        } else {
            Scaling::identity(W::OBSERVATION_LEN)
        };
        for block in &mut self.blocks {
            block.begin(&self.policy)?;
        }
        self.phase = Phase::Rollout { step: 0 };
        self.remember();
        Ok(())
    }
}

/// Runs `work` for every block, over the threads; the first block's error comes first.
fn each<W: World>(
    cpu: &Cpu,
    blocks: &mut [Block<W>],
    work: impl Fn(&mut Block<W>) -> Result<(), EnvError> + Sync,
) -> Result<(), EnvError> {
    cpu.for_each(blocks, |_, block| block.outcome = work(block));
    blocks.iter_mut().try_for_each(|block| std::mem::replace(&mut block.outcome, Ok(())))
}
