//! A block of lanes: its environments, and what they went through since the last update.
//!
//! A block belongs to one worker at a time and asks nobody while it steps. How lanes are divided into blocks follows
//! from their number alone, and every random number from (seed, lane, step), so that threads change nothing.

use super::advantage::{Trajectory, estimate};
use super::normalize::{Explained, Moments, REWARD_LIMIT, merge_columns};
use super::policy::Policy;
use super::running::{Running, Tally};
use super::sample::{self, Draw, Scratch};
use vivarium_envs::{Autoreset, EnvError, StepOut, VectorEnv, World};
use vivarium_graph::Workspace;
use vivarium_kernels::{AlignedVec, rng, simd};

/// Lanes are divided into blocks of at most this many. Environments come in blocks of 64.
pub(crate) const BLOCK_LANES: usize = 64;

/// Numbers of a sample's record beside its observation.
pub(crate) const RECORD: usize = 5;

/// What all blocks need for a part of a rollout.
pub(crate) struct Context<'a> {
    pub policy: &'a Policy,
    /// Seed of the actions.
    pub seed: u64,
    /// Steps that every lane has taken before this rollout.
    pub first_step: u64,
    /// γ.
    pub discount: f32,
    /// Whether anybody wants to know the observations' moments.
    pub normalize_observations: bool,
}

/// See the [module](self). Arrays of a rollout are `[step][lane]`.
pub(crate) struct Block<W: World> {
    pub env: VectorEnv<W>,
    pub lanes: usize,
    first_lane: u32,
    /// Normalized, `[steps + 1][lane][observation]`.
    observations: AlignedVec<f32>,
    actions: AlignedVec<f32>,
    log_probabilities: AlignedVec<f32>,
    /// `[steps + 1][lane]`.
    values: AlignedVec<f32>,
    rewards: AlignedVec<f32>,
    continues: AlignedVec<f32>,
    final_values: AlignedVec<f32>,
    advantages: AlignedVec<f32>,
    returns: AlignedVec<f32>,
    /// Once finished, `[samples][RECORD + observation]`: all that the loss reads of a sample side by side, because a
    /// minibatch takes samples from all over. Action, log probability, advantage, return, value, observation.
    pub records: AlignedVec<f32>,
    pub running: Running,
    /// Of this rollout's observations, dimension by dimension, and of its discounted returns.
    pub observation_moments: Vec<Moments>,
    pub return_moments: Moments,
    pub tally: Tally,
    /// How well this rollout's values foretold its returns.
    pub explained: Explained,
    /// Where the time limit cut an episode off, and the normalized observation there.
    cut_off: Vec<usize>,
    cut_off_observations: Vec<f32>,
    buffers: Buffers,
    /// Of the last piece of work; for whoever collects the blocks' errors.
    pub outcome: Result<(), EnvError>,
}

/// Scratch of one step.
struct Buffers {
    workspace: Workspace,
    policy: Vec<f32>,
    commands: Vec<f32>,
    sample: Scratch,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    final_observations: Vec<f32>,
    carry: Vec<f32>,
}

impl<W: World> Block<W> {
    pub fn new(
        params: W::Params,
        seed: u64,
        first_lane: usize,
        lanes: usize,
        horizon: usize,
        policy: &Policy,
    ) -> Result<Self, EnvError> {
        let env = VectorEnv::new(params, seed, first_lane as u32, lanes, Autoreset::SameStep)?;
        let samples = lanes * horizon;
        let observation = W::OBSERVATION_LEN;
        Ok(Self {
            env,
            lanes,
            first_lane: first_lane as u32,
            observations: AlignedVec::zeros((samples + lanes) * observation),
            actions: AlignedVec::zeros(samples),
            log_probabilities: AlignedVec::zeros(samples),
            values: AlignedVec::zeros(samples + lanes),
            rewards: AlignedVec::zeros(samples),
            continues: AlignedVec::zeros(samples),
            final_values: AlignedVec::zeros(samples),
            advantages: AlignedVec::zeros(samples),
            returns: AlignedVec::zeros(samples),
            records: AlignedVec::zeros(samples * (RECORD + observation)),
            running: Running::new(lanes),
            observation_moments: vec![Moments::default(); observation],
            return_moments: Moments::default(),
            tally: Tally::default(),
            explained: Explained::default(),
            cut_off: Vec::new(),
            cut_off_observations: Vec::new(),
            buffers: Buffers {
                workspace: policy.network.workspace(),
                policy: vec![0.0; lanes * policy.width()],
                commands: vec![0.0; lanes],
                sample: Scratch::default(),
                terminated: vec![false; lanes],
                truncated: vec![false; lanes],
                final_observations: vec![0.0; lanes * observation],
                carry: vec![0.0; lanes],
            },
            outcome: Ok(()),
        })
    }

    /// Moves every lane to a random age of its episode, which is then not counted: it began in the middle.
    pub fn stagger(&mut self, seed: u64) -> Result<(), EnvError> {
        let mut snapshot = self.env.snapshot();
        for (lane, age) in snapshot.ages.iter_mut().enumerate() {
            *age = rng::Stream::new(seed, self.first_lane + lane as u32).below(W::STEP_LIMIT);
        }
        self.env = VectorEnv::restore(&snapshot)?;
        self.running.whole.fill(false);
        Ok(())
    }

    /// Begins a rollout: the last observation of the one before is the first of this one.
    pub fn begin(&mut self, policy: &Policy) -> Result<(), EnvError> {
        let row = self.lanes * W::OBSERVATION_LEN;
        self.env.observations(simd::level(), &mut self.observations[..row])?;
        policy.scaling.apply(&mut self.observations[..row]);
        self.observation_moments.fill(Moments::default());
        self.return_moments = Moments::default();
        self.tally = Tally::default();
        self.cut_off.clear();
        self.cut_off_observations.clear();
        Ok(())
    }

    /// Takes the steps `steps` of the rollout.
    pub fn advance(&mut self, context: &Context, steps: std::ops::Range<usize>) -> Result<(), EnvError> {
        steps.into_iter().try_for_each(|step| self.step(context, step))
    }

    fn step(&mut self, context: &Context, step: usize) -> Result<(), EnvError> {
        let policy = context.policy;
        let (level, lanes, width) = (simd::level(), self.lanes, W::OBSERVATION_LEN);
        let row = step * lanes..(step + 1) * lanes;
        let (seen, next) =
            self.observations[row.start * width..(row.end + lanes) * width].split_at_mut(lanes * width);
        let buffers = &mut self.buffers;

        policy.forward(&mut buffers.workspace, seen, &mut buffers.policy, &mut self.values[row.clone()]);
        let draw = Draw {
            seed: context.seed,
            step: (context.first_step + step as u64) as u32,
            first_lane: self.first_lane,
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
        self.account(row, context);
        Ok(())
    }

    /// Books rewards and ends of episodes.
    fn account(&mut self, row: std::ops::Range<usize>, context: &Context) {
        let width = W::OBSERVATION_LEN;
        let first = row.start;
        self.running.add(&self.rewards[row.clone()], context.discount);
        self.return_moments.merge(&Moments::of(&self.running.discounted));
        self.continues[row].fill(1.0);
        for lane in 0..self.lanes {
            let (terminated, truncated) = (self.buffers.terminated[lane], self.buffers.truncated[lane]);
            if !(terminated || truncated) {
                continue;
            }
            self.continues[first + lane] = 0.0;
            if !terminated {
                let observation = &mut self.buffers.final_observations[lane * width..(lane + 1) * width];
                context.policy.scaling.apply(observation);
                self.cut_off.push(first + lane);
                self.cut_off_observations.extend_from_slice(observation);
            }
            self.running.end(lane, &mut self.tally);
        }
    }

    /// Ends a rollout: values of the states that it ended in, advantages and returns of rewards times `reward_scale`
    /// (as they are where there is none).
    pub fn finish(&mut self, policy: &Policy, discount: f32, lambda: f32, reward_scale: Option<f32>) {
        let (lanes, width) = (self.lanes, W::OBSERVATION_LEN);
        let samples = self.actions.len();
        let buffers = &mut self.buffers;
        let last = &self.observations[samples * width..];
        policy.forward(&mut buffers.workspace, last, &mut buffers.policy, &mut self.values[samples..]);

        self.final_values.fill(0.0);
        for (cut_off, observations) in
            self.cut_off.chunks(lanes).zip(self.cut_off_observations.chunks(lanes * width))
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
                *reward = (*reward * scale).clamp(-REWARD_LIMIT, REWARD_LIMIT);
            }
        }
        let trajectory = Trajectory {
            lanes,
            discount,
            lambda,
            rewards: &self.rewards,
            values: &self.values,
            continues: &self.continues,
            final_values: &self.final_values,
        };
        estimate(&trajectory, &mut buffers.carry, &mut self.advantages, &mut self.returns);
        self.explained = Explained::of(&self.values[..samples], &self.returns);
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
    use crate::ppo::config::PpoConfig;
    use crate::ppo::network::network;
    use crate::ppo::normalize::Scaling;
    use vivarium_envs::{CartPole, MountainCar, Pendulum, StepBuffers};
    use vivarium_kernels::simd;

    const LANES: usize = 40;
    const HORIZON: usize = 60;

    fn policy<W: World>() -> Policy {
        let network = network(&PpoConfig::default(), W::OBSERVATION_LEN, W::ACTIONS);
        let mut policy = Policy::new(&network, W::OBSERVATION_LEN, W::ACTIONS, 5).unwrap();
        // Any moments will do, so long as they change observations.
        let moments = Moments { count: 10.0, mean: 0.25, deviations: 40.0 };
        policy.scaling = Scaling::from_moments(&vec![moments; W::OBSERVATION_LEN]);
        policy
    }

    fn forward(policy: &Policy, seen: &[f32], lanes: usize) -> (Vec<f32>, Vec<f32>) {
        let mut scaled = seen.to_vec();
        policy.scaling.apply(&mut scaled);
        let (mut output, mut values) = (vec![0.0; lanes * policy.width()], vec![0.0; lanes]);
        policy.forward(&mut policy.network.workspace(), &scaled, &mut output, &mut values);
        (output, values)
    }

    /// Takes the rollout's actions again in an environment of its own, and checks everything that was written down.
    fn agrees_with_a_replay<W: World>() {
        let policy = policy::<W>();
        let mut block = Block::<W>::new(W::Params::default(), 3, 64, LANES, HORIZON, &policy).unwrap();
        block.stagger(9).unwrap();
        let mut env = block.env.clone();
        let context =
            Context { policy: &policy, seed: 1, first_step: 7, discount: 0.9, normalize_observations: true };
        block.begin(&policy).unwrap();
        block.advance(&context, 0..25).unwrap();
        block.advance(&context, 25..HORIZON).unwrap();
        let scale = 0.5;
        block.finish(&policy, 0.9, 0.8, Some(scale));

        let mut seen = vec![0.0; LANES * W::OBSERVATION_LEN];
        env.observations(simd::level(), &mut seen).unwrap();
        let mut out = StepBuffers::new::<W>(LANES);
        let mut commands = vec![0.0; LANES];
        let (mut cut_off, mut terminated) = (0, 0);
        let mut discounted = [0.0; LANES];
        let mut all_discounted = Vec::new();
        for step in 0..HORIZON {
            let row = step * LANES..(step + 1) * LANES;
            let (output, values) = forward(&policy, &seen, LANES);
            assert_eq!(block.values[row.clone()], values[..]);
            if policy.width() > 1 {
                for (lane, logs) in output.chunks_exact(policy.width()).enumerate() {
                    let action = block.actions[row.start + lane] as usize;
                    assert_eq!(block.log_probabilities[row.start + lane], logs[action]);
                }
            }
            sample::commands(W::ACTIONS, &block.actions[row.clone()], &mut commands);
            env.step(simd::level(), &commands, &mut out.out()).unwrap();
            let (_, final_values) = forward(&policy, &out.final_observation, LANES);
            for lane in 0..LANES {
                let sample = row.start + lane;
                assert_eq!(
                    block.rewards[sample],
                    (out.reward[lane] * scale).clamp(-REWARD_LIMIT, REWARD_LIMIT)
                );
                let ended = out.terminated[lane] || out.truncated[lane];
                assert_eq!(block.continues[sample], if ended { 0.0 } else { 1.0 });
                let is_cut_off = out.truncated[lane] && !out.terminated[lane];
                assert_eq!(block.final_values[sample], if is_cut_off { final_values[lane] } else { 0.0 });
                cut_off += usize::from(is_cut_off);
                terminated += usize::from(out.terminated[lane]);
                discounted[lane] = discounted[lane] * 0.9 + out.reward[lane];
                all_discounted.push(discounted[lane]);
                if ended {
                    discounted[lane] = 0.0;
                }
            }
            seen.copy_from_slice(&out.observation);
        }
        assert_eq!(block.values[HORIZON * LANES..], forward(&policy, &seen, LANES).1[..]);
        assert!(cut_off + terminated > 0, "the test saw no end of an episode");
        if W::NAME != CartPole::NAME {
            assert!(cut_off > 0, "the test saw no episode cut off");
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
    fn only_episodes_seen_from_their_start_are_counted() {
        let policy = policy::<MountainCar>();
        let mut block = Block::<MountainCar>::new(Default::default(), 3, 0, LANES, 199, &policy).unwrap();
        block.stagger(9).unwrap();
        let mut context =
            Context { policy: &policy, seed: 1, first_step: 0, discount: 1.0, normalize_observations: false };
        // Within 199 steps every lane is cut off once, but none has taken 200 steps since.
        block.begin(&policy).unwrap();
        block.advance(&context, 0..199).unwrap();
        assert_eq!(block.tally, Tally::default());
        context.first_step = 199;
        block.begin(&policy).unwrap();
        block.advance(&context, 0..199).unwrap();
        assert!(block.tally.episodes > 0.0);
        assert_eq!(block.tally.lengths, 200.0 * block.tally.episodes);
        assert_eq!(block.tally.returns, -200.0 * block.tally.episodes);
    }
}
