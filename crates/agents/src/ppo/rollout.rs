//! Rollout storage and collection for a block of environments.
//!
//! A block belongs to one thread at a time and needs no synchronization. Results do not depend on the number of
//! threads: the number of environments alone determines the blocks, and (seed, environment, step) determines each
//! random number.

use super::advantage::{Trajectory, estimate};
use super::config::PpoConfig;
use super::network::Policy;
use super::normalize::{ExplainedVariance, Moments, merge_columns};
use super::running::{EpisodeTally, RunningEpisodes};
use super::sample::{self, SampleKey, SampleScratch};
use vivarium_envs::{Autoreset, EnvError, StepOut, VectorEnv, World};
use vivarium_graph::Workspace;
use vivarium_kernels::{AlignedVec, rng, simd};

/// Maximum number of environments in a block; [`VectorEnv`] stores environments in blocks of 64.
pub(crate) const BLOCK_ENVS: usize = 64;

/// Number of values that precede the observation in a sample's record: action, log probability, advantage, return,
/// value.
pub(crate) const RECORD: usize = 5;

/// Inputs of a rollout that are the same for all blocks of environments.
pub(crate) struct RolloutContext<'a> {
    pub policy: &'a Policy,
    /// Seed of the action samples.
    pub seed: u64,
    /// Number of steps that every environment has taken before this rollout.
    pub first_step: u64,
    /// Discount γ.
    pub discount: f32,
    /// Whether to update the moments of the observations, for the observation normalizer.
    pub normalize_observations: bool,
}

/// Rollout of a block of environments; see the [module](self). Arrays are `[step][env]`.
pub(crate) struct RolloutBlock<W: World> {
    pub env: VectorEnv<W>,
    pub num_envs: usize,
    first_env: u32,
    /// Normalized observations, `[steps + 1][env][observation]`.
    observations: AlignedVec<f32>,
    actions: AlignedVec<f32>,
    log_probabilities: AlignedVec<f32>,
    /// Value estimates, `[steps + 1][env]`.
    values: AlignedVec<f32>,
    rewards: AlignedVec<f32>,
    continues: AlignedVec<f32>,
    final_values: AlignedVec<f32>,
    advantages: AlignedVec<f32>,
    returns: AlignedVec<f32>,
    /// Records of all samples, `[samples][RECORD + observation]`, valid after [`finish`](Self::finish). A record holds
    /// the inputs of the loss: action, log probability, advantage, return, value, observation. The values of a record
    /// are contiguous, because minibatches access samples in random order.
    pub records: AlignedVec<f32>,
    pub running: RunningEpisodes,
    /// Moments of this rollout's observations, per dimension.
    pub observation_moments: Vec<Moments>,
    /// Moments of this rollout's discounted returns.
    pub return_moments: Moments,
    pub tally: EpisodeTally,
    /// Explained variance of this rollout's returns by the value estimates.
    pub explained: ExplainedVariance,
    /// Flat indices into arrays `[step][env]` of the environment steps at which the time limit truncated an episode.
    cut_off: Vec<usize>,
    /// Normalized final observations of the truncated episodes, `[cut_off.len()][observation]`.
    cut_off_observations: Vec<f32>,
    buffers: StepScratch,
    /// Result of the last parallel operation on this block.
    pub outcome: Result<(), EnvError>,
}

/// Scratch memory of one environment step.
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

impl<W: World> RolloutBlock<W> {
    pub fn new(
        params: W::Params,
        seed: u64,
        first_env: usize,
        num_envs: usize,
        horizon: usize,
        policy: &Policy,
    ) -> Result<Self, EnvError> {
        let env =
            VectorEnv::new(simd::level(), params, seed, first_env as u32, num_envs, Autoreset::SameStep)?;
        let samples = num_envs * horizon;
        let observation = W::OBSERVATION_LEN;
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

    /// Sets the age of every environment's present episode to a random number of steps below the time limit. These
    /// episodes are excluded from the episode statistics, because their real length is shorter.
    pub fn stagger(&mut self, seed: u64) -> Result<(), EnvError> {
        let mut snapshot = self.env.snapshot();
        for (env, age) in snapshot.ages.iter_mut().enumerate() {
            *age = rng::Stream::new(seed, self.first_env + env as u32).below(W::STEP_LIMIT);
        }
        self.env = VectorEnv::restore(&snapshot)?;
        self.running.whole.fill(false);
        Ok(())
    }

    /// Begins a rollout at the environments' present states: stores and normalizes the first observations, and resets
    /// the rollout's statistics.
    pub fn begin(&mut self, policy: &Policy) -> Result<(), EnvError> {
        let row = self.num_envs * W::OBSERVATION_LEN;
        self.env.observations(simd::level(), &mut self.observations[..row])?;
        policy.scaling.apply(&mut self.observations[..row]);
        self.observation_moments.fill(Moments::default());
        self.return_moments = Moments::default();
        self.tally = EpisodeTally::default();
        self.cut_off.clear();
        self.cut_off_observations.clear();
        Ok(())
    }

    /// Takes environment steps `steps` of the rollout, counted from 0, in every environment of the block.
    pub fn advance(
        &mut self,
        context: &RolloutContext,
        steps: std::ops::Range<usize>,
    ) -> Result<(), EnvError> {
        steps.into_iter().try_for_each(|step| self.step(context, step))
    }

    fn step(&mut self, context: &RolloutContext, step: usize) -> Result<(), EnvError> {
        let policy = context.policy;
        let (level, num_envs, width) = (simd::level(), self.num_envs, W::OBSERVATION_LEN);
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
            W::ACTIONS,
            &buffers.policy,
            policy.log_std(),
            draw,
            &mut buffers.sample,
            &mut self.actions[row.clone()],
            &mut self.log_probabilities[row.clone()],
        );
        sample::commands(W::ACTIONS, &self.actions[row.clone()], &mut buffers.commands);
        let mut out = StepOut {
            observation: next,
            reward: &mut self.rewards[row.clone()],
            terminated: &mut buffers.terminated,
            truncated: &mut buffers.truncated,
            final_observation: &mut buffers.final_observations,
        };
        self.env.step(level, &buffers.commands, &mut out)?;

        if context.normalize_observations {
            merge_columns::<W::Observation<f64>>(next, &mut self.observation_moments);
        }
        policy.scaling.apply(next);
        self.record_step(row, context);
        Ok(())
    }

    /// Adds the rewards of an environment step to the episode statistics. Adds the episodes that ended to the tally,
    /// and stores the final observations of truncated episodes. `row` is the step's range in flattened arrays
    /// `[step][env]`.
    fn record_step(&mut self, row: std::ops::Range<usize>, context: &RolloutContext) {
        let width = W::OBSERVATION_LEN;
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

    /// Ends a rollout: multiplies rewards by `reward_scale` and clips them (`None`: neither), computes the values for
    /// bootstrapping, advantages and returns, and fills `records`.
    pub fn finish(&mut self, policy: &Policy, config: &PpoConfig, reward_scale: Option<f32>) {
        let (num_envs, width) = (self.num_envs, W::OBSERVATION_LEN);
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
    use vivarium_envs::{CartPole, MountainCar, Pendulum, StepBuffers};
    use vivarium_kernels::simd;

    const NUM_ENVS: usize = 40;
    const HORIZON: usize = 60;

    fn policy<W: World>() -> Policy {
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

    /// Replays the rollout's actions in a separate environment and compares all recorded values.
    fn agrees_with_a_replay<W: World>() {
        let policy = policy::<W>();
        let mut block =
            RolloutBlock::<W>::new(W::Params::default(), 3, 64, NUM_ENVS, HORIZON, &policy).unwrap();
        block.stagger(9).unwrap();
        let mut env = block.env.clone();
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
            RolloutBlock::<MountainCar>::new(Default::default(), 3, 0, NUM_ENVS, 199, &policy).unwrap();
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
