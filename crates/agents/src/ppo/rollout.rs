//! Rollout of a block of environments: its storage, and the steps that fill the storage.
//!
//! One thread at a time uses a block, without synchronization. Results do not depend on the number of threads: the
//! number of environments alone determines the blocks, and (seed, environment, step) determines each random number.

use super::advantage::{Trajectory, estimate};
use super::config::PpoConfig;
use super::network::Policy;
use super::normalize::{ExplainedVariance, Moments, merge_columns};
use super::running::{EpisodeTally, RunningEpisodes};
use super::sample::{self, SampleKey, SampleScratch};
use vivarium_envs::{AnyVectorEnv, Autoreset, EnvError, Environment, StepOut};
use vivarium_graph::Workspace;
use vivarium_kernels::{AlignedVec, rng, simd};

/// Maximum number of environments in a [`RolloutBlock`]: the number of environments in a storage block of `VectorEnv`,
/// 64.
pub(crate) const BLOCK_ENVS: usize = 64;

/// Number of values before the observation in the record of a sample: action, log probability, advantage, return,
/// value.
pub(crate) const RECORD: usize = 5;

/// Inputs of a rollout that all blocks of environments share.
pub(crate) struct RolloutContext<'a> {
    pub policy: &'a Policy,
    /// Seed of the random numbers from which actions are sampled.
    pub seed: u64,
    /// Number of steps that every environment took before this rollout.
    pub first_step: u64,
    /// Discount factor γ of the discounted returns.
    pub discount: f32,
    /// Whether the rollout computes the moments of its observations, from which the observation normalizer is
    /// updated.
    pub normalize_observations: bool,
}

/// A block of environments and the data of their rollout; see the [module](self). Arrays have the shape `[step][env]`.
pub(crate) struct RolloutBlock {
    pub env: Box<dyn AnyVectorEnv>,
    pub num_envs: usize,
    first_env: u32,
    /// Normalized observation before each step, `[steps + 1][env][observation]`. The last row holds the observations
    /// after the last step.
    observations: AlignedVec<f32>,
    actions: AlignedVec<f32>,
    log_probabilities: AlignedVec<f32>,
    /// Value estimate of each observation in `observations`, `[steps + 1][env]`.
    values: AlignedVec<f32>,
    rewards: AlignedVec<f32>,
    continues: AlignedVec<f32>,
    final_values: AlignedVec<f32>,
    advantages: AlignedVec<f32>,
    returns: AlignedVec<f32>,
    /// One record per sample, `[samples][RECORD + observation]`, valid after [`finish`](Self::finish). A record holds
    /// the inputs of the loss: action, log probability, advantage, return, value, observation. The values of a record
    /// are contiguous, because minibatches access samples in random order.
    pub records: AlignedVec<f32>,
    pub running: RunningEpisodes,
    /// Count, mean and variance of each observation dimension in this rollout, before normalization.
    pub observation_moments: Vec<Moments>,
    /// Count, mean and variance of the discounted returns of this rollout, before reward normalization.
    pub return_moments: Moments,
    pub tally: EpisodeTally,
    /// Accumulator of the explained variance of this rollout's returns by the value estimates.
    pub explained: ExplainedVariance,
    /// Steps at which the time limit truncated an episode, as flat indices into arrays of the shape `[step][env]`.
    cut_off: Vec<usize>,
    /// Normalized final observation of each truncated episode in `cut_off`, `[cut_off.len()][observation]`.
    cut_off_observations: Vec<f32>,
    buffers: StepScratch,
    /// Result of the last operation that ran on this block in a parallel loop.
    pub outcome: Result<(), EnvError>,
}

/// Scratch memory for one step of a block of environments.
struct StepScratch {
    workspace: Workspace,
    policy: Vec<f32>,
    commands: Vec<f32>,
    sample: SampleScratch,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    final_observations: Vec<f32>,
    carry: Vec<f32>,
}

impl RolloutBlock {
    pub fn new(
        environment: &Environment,
        seed: u64,
        first_env: usize,
        num_envs: usize,
        horizon: usize,
        policy: &Policy,
    ) -> Result<Self, EnvError> {
        let (level, first) = (simd::level(), first_env as u32);
        let env = environment.vector_env(level, seed, first, num_envs, Autoreset::SameStep)?;
        let spec = environment.spec();
        let samples = num_envs * horizon;
        let observation = spec.observation_len;
        Ok(Self {
            env,
            num_envs,
            first_env: first_env as u32,
            observations: AlignedVec::zeros((samples + num_envs) * observation),
            actions: AlignedVec::zeros(samples),
            log_probabilities: AlignedVec::zeros(samples),
            values: AlignedVec::zeros(samples + num_envs),
            rewards: AlignedVec::zeros(samples),
            continues: AlignedVec::zeros(samples),
            final_values: AlignedVec::zeros(samples),
            advantages: AlignedVec::zeros(samples),
            returns: AlignedVec::zeros(samples),
            records: AlignedVec::zeros(samples * (RECORD + observation)),
            running: RunningEpisodes::new(num_envs),
            observation_moments: vec![Moments::default(); observation],
            return_moments: Moments::default(),
            tally: EpisodeTally::default(),
            explained: ExplainedVariance::default(),
            cut_off: Vec::new(),
            cut_off_observations: Vec::new(),
            buffers: StepScratch {
                workspace: policy.network.workspace(),
                policy: vec![0.0; num_envs * policy.width()],
                commands: vec![0.0; num_envs],
                sample: SampleScratch::default(),
                terminated: vec![false; num_envs],
                truncated: vec![false; num_envs],
                final_observations: vec![0.0; num_envs * observation],
                carry: vec![0.0; num_envs],
            },
            outcome: Ok(()),
        })
    }

    /// Sets the age of each environment's current episode to a random number of steps below the time limit. The
    /// environments thus reach the time limit in different steps. These episodes are excluded from the statistics,
    /// because their real length is shorter.
    pub fn stagger(&mut self, seed: u64) -> Result<(), EnvError> {
        let mut snapshot = self.env.snapshot();
        for (env, age) in snapshot.ages.iter_mut().enumerate() {
            *age = rng::Stream::new(seed, self.first_env + env as u32).below(self.env.spec().step_limit);
        }
        self.env = self.env.restored(&snapshot)?;
        self.running.whole.fill(false);
        Ok(())
    }

    /// Begins a rollout at the current states of the environments: stores their normalized observations in the first
    /// row of `observations`, and resets the statistics of the rollout.
    pub fn begin(&mut self, policy: &Policy) -> Result<(), EnvError> {
        let row = self.num_envs * self.env.spec().observation_len;
        self.env.observations(simd::level(), &mut self.observations[..row])?;
        policy.scaling.apply(&mut self.observations[..row]);
        self.observation_moments.fill(Moments::default());
        self.return_moments = Moments::default();
        self.tally = EpisodeTally::default();
        self.cut_off.clear();
        self.cut_off_observations.clear();
        Ok(())
    }

    /// Takes the steps of the rollout with the indices `steps`, counted from 0, in every environment of the block.
    pub fn advance(
        &mut self,
        context: &RolloutContext,
        steps: std::ops::Range<usize>,
    ) -> Result<(), EnvError> {
        steps.into_iter().try_for_each(|step| self.step(context, step))
    }

    fn step(&mut self, context: &RolloutContext, step: usize) -> Result<(), EnvError> {
        let policy = context.policy;
        let (level, num_envs, width) = (simd::level(), self.num_envs, self.env.spec().observation_len);
        let row = step * num_envs..(step + 1) * num_envs;
        let (seen, next) =
            self.observations[row.start * width..(row.end + num_envs) * width].split_at_mut(num_envs * width);
        let buffers = &mut self.buffers;

        policy.forward(&mut buffers.workspace, seen, &mut buffers.policy, &mut self.values[row.clone()]);
        let draw = SampleKey {
            seed: context.seed,
            step: (context.first_step + step as u64) as u32,
            first_env: self.first_env,
        };
        sample::draw(
            level,
            self.env.spec().actions,
            &buffers.policy,
            policy.log_std(),
            draw,
            &mut buffers.sample,
            &mut self.actions[row.clone()],
            &mut self.log_probabilities[row.clone()],
        );
        sample::commands(self.env.spec().actions, &self.actions[row.clone()], &mut buffers.commands);
        let mut out = StepOut {
            observation: next,
            reward: &mut self.rewards[row.clone()],
            terminated: &mut buffers.terminated,
            truncated: &mut buffers.truncated,
            final_observation: &mut buffers.final_observations,
        };
        self.env.step(level, &buffers.commands, &mut out)?;

        if context.normalize_observations {
            merge_columns(next, &mut self.observation_moments);
        }
        policy.scaling.apply(next);
        self.record_step(row, context);
        Ok(())
    }

    /// Records an environment step in the statistics: rewards, episodes that ended, and final observations of
    /// truncated episodes. `row` is the range of the step in flattened arrays `[step][env]`.
    fn record_step(&mut self, row: std::ops::Range<usize>, context: &RolloutContext) {
        let width = self.env.spec().observation_len;
        let first = row.start;
        self.running.add(&self.rewards[row.clone()], context.discount);
        self.return_moments.merge(&Moments::of(&self.running.discounted));
        self.continues[row].fill(1.0);
        for env in 0..self.num_envs {
            let (terminated, truncated) = (self.buffers.terminated[env], self.buffers.truncated[env]);
            if !(terminated || truncated) {
                continue;
            }
            self.continues[first + env] = 0.0;
            if !terminated {
                let observation = &mut self.buffers.final_observations[env * width..(env + 1) * width];
                context.policy.scaling.apply(observation);
                self.cut_off.push(first + env);
                self.cut_off_observations.extend_from_slice(observation);
            }
            self.running.end(env, &mut self.tally);
        }
    }

    /// Ends a rollout: multiplies the rewards by `reward_scale` and clips the products (unless `reward_scale` is
    /// `None`), estimates values, advantages and returns, and fills `records`. The values include the values of the
    /// last observations, for bootstrapping.
    pub fn finish(&mut self, policy: &Policy, config: &PpoConfig, reward_scale: Option<f32>) {
        let (num_envs, width) = (self.num_envs, self.env.spec().observation_len);
        let samples = self.actions.len();
        let buffers = &mut self.buffers;
        let last = &self.observations[samples * width..];
        policy.forward(&mut buffers.workspace, last, &mut buffers.policy, &mut self.values[samples..]);

        self.final_values.fill(0.0);
        for (cut_off, observations) in
            self.cut_off.chunks(num_envs).zip(self.cut_off_observations.chunks(num_envs * width))
        {
            let rows = cut_off.len();
            let values = &mut buffers.carry[..rows];
            policy.forward(
                &mut buffers.workspace,
                observations,
                &mut buffers.policy[..rows * policy.width()],
                values,
            );
            for (&sample, &value) in cut_off.iter().zip(&*values) {
                self.final_values[sample] = value;
            }
        }
        if let Some(scale) = reward_scale {
            for reward in self.rewards.iter_mut() {
                *reward = (*reward * scale).clamp(-config.reward_clip, config.reward_clip);
            }
        }
        let trajectory = Trajectory {
            num_envs,
            discount: config.discount,
            lambda: config.gae_lambda,
            rewards: &self.rewards,
            values: &self.values,
            continues: &self.continues,
            final_values: &self.final_values,
        };
        estimate(&trajectory, &mut buffers.carry, &mut self.advantages, &mut self.returns);
        self.explained = ExplainedVariance::of(&self.values[..samples], &self.returns);
        let observations = self.observations.chunks_exact(width);
        for (sample, (record, observation)) in
            self.records.chunks_exact_mut(RECORD + width).zip(observations).enumerate()
        {
            record[0] = self.actions[sample];
            record[1] = self.log_probabilities[sample];
            record[2] = self.advantages[sample];
            record[3] = self.returns[sample];
            record[4] = self.values[sample];
            record[RECORD..].iter_mut().zip(observation).for_each(|(to, &from)| *to = from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ppo::network::network;
    use crate::ppo::normalize::ObservationNormalizer;
    use vivarium_envs::{CartPole, CompiledWorld, MountainCar, Pendulum, StepBuffers, World};
    use vivarium_kernels::simd;

    const NUM_ENVS: usize = 40;
    const HORIZON: usize = 60;

    fn policy<W: CompiledWorld>() -> Policy {
        let network = network(&PpoConfig::default(), W::OBSERVATION_LEN, W::ACTIONS);
        let mut policy = Policy::new(&network, W::OBSERVATION_LEN, W::ACTIONS, 5).unwrap();
        // Arbitrary moments that change the observations.
        let moments = Moments { count: 10.0, mean: 0.25, deviations: 40.0 };
        policy.scaling = ObservationNormalizer::from_moments(&vec![moments; W::OBSERVATION_LEN]);
        policy
    }

    fn forward(policy: &Policy, seen: &[f32], num_envs: usize) -> (Vec<f32>, Vec<f32>) {
        let mut scaled = seen.to_vec();
        policy.scaling.apply(&mut scaled);
        let (mut output, mut values) = (vec![0.0; num_envs * policy.width()], vec![0.0; num_envs]);
        policy.forward(&mut policy.network.workspace(), &scaled, &mut output, &mut values);
        (output, values)
    }

    /// Repeats the actions of a rollout in a copy of its environments, and compares the results with the recorded
    /// values of the rollout.
    fn agrees_with_a_replay<W: CompiledWorld>() {
        let policy = policy::<W>();
        let mut block =
            RolloutBlock::new(&Environment::of::<W>(), 3, 64, NUM_ENVS, HORIZON, &policy).unwrap();
        block.stagger(9).unwrap();
        let mut env = block.env.restored(&block.env.snapshot()).unwrap();
        let context = RolloutContext {
            policy: &policy,
            seed: 1,
            first_step: 7,
            discount: 0.9,
            normalize_observations: true,
        };
        block.begin(&policy).unwrap();
        block.advance(&context, 0..25).unwrap();
        block.advance(&context, 25..HORIZON).unwrap();
        let scale = 0.5;
        let config = PpoConfig { discount: 0.9, gae_lambda: 0.8, reward_clip: 0.4, ..Default::default() };
        block.finish(&policy, &config, Some(scale));

        let mut seen = vec![0.0; NUM_ENVS * W::OBSERVATION_LEN];
        env.observations(simd::level(), &mut seen).unwrap();
        let mut out = StepBuffers::new::<W>(NUM_ENVS);
        let mut commands = vec![0.0; NUM_ENVS];
        let (mut cut_off, mut terminated) = (0, 0);
        let mut discounted = [0.0; NUM_ENVS];
        let mut all_discounted = Vec::new();
        for step in 0..HORIZON {
            let row = step * NUM_ENVS..(step + 1) * NUM_ENVS;
            let (output, values) = forward(&policy, &seen, NUM_ENVS);
            assert_eq!(block.values[row.clone()], values[..]);
            if policy.width() > 1 {
                for (env, logs) in output.chunks_exact(policy.width()).enumerate() {
                    let action = block.actions[row.start + env] as usize;
                    assert_eq!(block.log_probabilities[row.start + env], logs[action]);
                }
            }
            sample::commands(W::ACTIONS, &block.actions[row.clone()], &mut commands);
            env.step(simd::level(), &commands, &mut out.out()).unwrap();
            let (_, final_values) = forward(&policy, &out.final_observation, NUM_ENVS);
            for env in 0..NUM_ENVS {
                let sample = row.start + env;
                assert_eq!(
                    block.rewards[sample],
                    (out.reward[env] * scale).clamp(-config.reward_clip, config.reward_clip)
                );
                let ended = out.terminated[env] || out.truncated[env];
                assert_eq!(block.continues[sample], if ended { 0.0 } else { 1.0 });
                let is_cut_off = out.truncated[env] && !out.terminated[env];
                assert_eq!(block.final_values[sample], if is_cut_off { final_values[env] } else { 0.0 });
                cut_off += usize::from(is_cut_off);
                terminated += usize::from(out.terminated[env]);
                discounted[env] = discounted[env] * 0.9 + out.reward[env];
                all_discounted.push(discounted[env]);
                if ended {
                    discounted[env] = 0.0;
                }
            }
            seen.copy_from_slice(&out.observation);
        }
        assert_eq!(block.values[HORIZON * NUM_ENVS..], forward(&policy, &seen, NUM_ENVS).1[..]);
        assert!(cut_off + terminated > 0, "no episode ended in the test");
        if W::NAME != CartPole::NAME {
            assert!(cut_off > 0, "no episode was truncated in the test");
        }
        let expected = Moments::of(&all_discounted);
        assert_eq!(block.return_moments.count, expected.count);
        assert!((block.return_moments.mean - expected.mean).abs() < 1e-6 * expected.mean.abs().max(1.0));
        assert!((block.return_moments.variance() / expected.variance() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_rollout_agrees_with_a_replay_of_its_actions() {
        agrees_with_a_replay::<CartPole>();
        agrees_with_a_replay::<MountainCar>();
        agrees_with_a_replay::<Pendulum>();
    }

    #[test]
    fn only_episodes_observed_from_their_start_are_counted() {
        let policy = policy::<MountainCar>();
        let mut block =
            RolloutBlock::new(&Environment::of::<MountainCar>(), 3, 0, NUM_ENVS, 199, &policy).unwrap();
        block.stagger(9).unwrap();
        let mut context = RolloutContext {
            policy: &policy,
            seed: 1,
            first_step: 0,
            discount: 1.0,
            normalize_observations: false,
        };
        // Within 199 steps every environment is truncated once, but none takes 200 steps after it.
        block.begin(&policy).unwrap();
        block.advance(&context, 0..199).unwrap();
        assert_eq!(block.tally, EpisodeTally::default());
        context.first_step = 199;
        block.begin(&policy).unwrap();
        block.advance(&context, 0..199).unwrap();
        assert!(block.tally.episodes > 0.0);
        assert_eq!(block.tally.lengths, 200.0 * block.tally.episodes);
        assert_eq!(block.tally.returns, -200.0 * block.tally.episodes);
    }
}
