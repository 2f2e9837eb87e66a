//! Data exchanged between host and device: settings and state that the host uploads, and results that it reads back
//! after each iteration.

use super::super::config::PpoConfig;
use super::super::learner::rng_stream;
use super::super::network::{KL, MEASUREMENTS};
use super::super::normalize::Moments;
use super::super::report::{PpoCounters, PpoReport, PpoSums};
use super::super::running::EpisodeTally;
use super::super::state::PpoState;
use super::super::update::order_stream;
use super::layout::{LOG_LEN, PpoLayout, env_row, halted, progress, setting};
use vivarium_gpu::floats;
use vivarium_gpu::worlds::{reset_key, step_key};
use vivarium_kernels::rng;
use vivarium_learn::NotFinite;

/// Counters of the run at the start of an iteration, as the host computes them without a readback from the device.
#[derive(Clone, Copy, Debug)]
pub(super) struct IterationStart {
    pub counters: PpoCounters,
    /// Number of observations that the running mean and variance of the observations include.
    pub observations: f64,
    /// Number of discounted returns that the running mean and variance of the returns include.
    pub returns: f64,
}

impl IterationStart {
    pub fn of(state: &PpoState) -> Self {
        Self {
            counters: state.counters,
            observations: state.observation_moments.first().map_or(0.0, |moments| moments.count),
            returns: state.return_moments.count,
        }
    }

    /// Returns the counters after an iteration of `updates` gradient steps that starts with the counters `self`. The
    /// number of episodes remains unchanged, because only the readback contains the number of finished episodes.
    pub fn next(&self, config: &PpoConfig, updates: u64) -> Self {
        let batch = config.batch() as u64;
        let PpoCounters { steps, iterations, updates: before, episodes } = self.counters;
        let counted = if config.normalize_observations { batch as f64 } else { 0.0 };
        Self {
            counters: PpoCounters {
                steps: steps + batch,
                iterations: iterations + 1,
                updates: before + updates,
                episodes,
            },
            observations: self.observations + counted,
            returns: self.returns + batch as f64,
        }
    }
}

/// Iteration that was submitted to the device, and whose results have not been read back.
#[derive(Clone, Copy, Debug)]
pub(super) struct SubmittedIteration {
    pub start: IterationStart,
    /// Counters of the run at the start of the following iteration, if the update does not stop early.
    pub next: IterationStart,
    pub learning_rate: f32,
    /// Whether a KL limit may stop the update of this iteration early. The number of gradient steps is then unknown
    /// until the readback.
    pub may_end_early: bool,
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// Encodes the contents of the device's settings buffer for one iteration, and writes them to `words`. `start` holds
/// the counters of the run at the start of the iteration, `constants` the constants of the environment's dynamics.
/// The word offsets are in [`setting`](super::layout::setting).
pub(super) fn settings(
    words: &mut Vec<u32>,
    layout: &PpoLayout,
    config: &PpoConfig,
    constants: &[f32],
    seed: u64,
    start: &IterationStart,
) {
    let batch = config.batch() as f64;
    let counters = start.counters;
    words.clear();
    words.resize(layout.settings(), 0);
    let share = |before: f64| (batch / (before + batch)) as f32;
    let observed = if config.normalize_observations { share(start.observations) } else { 0.0 };
    for (at, value) in [
        (setting::FIRST_STEP, (counters.iterations.wrapping_mul(u64::from(config.horizon))) as u32),
        (setting::DISCOUNT, config.discount.to_bits()),
        (setting::LAMBDA, config.gae_lambda.to_bits()),
        (setting::NORMALIZE_OBSERVATIONS, u32::from(config.normalize_observations)),
        (setting::NORMALIZE_REWARDS, u32::from(config.normalize_rewards)),
        (setting::OBSERVATION_SHARE, observed.to_bits()),
        (setting::RETURN_SHARE, share(start.returns).to_bits()),
        (setting::TARGET_KL, config.target_kl.to_bits()),
        (setting::REWARD_CLIP, config.reward_clip.to_bits()),
    ] {
        words[at] = value;
    }
    let pairs = [
        (setting::ACTION_KEY, halves(rng::derive(seed, rng_stream::ACTIONS))),
        (setting::RESET_KEY, reset_key(rng::derive(seed, rng_stream::WORLD))),
        (setting::STEP_KEY, step_key(rng::derive(seed, rng_stream::WORLD))),
    ];
    for (at, pair) in pairs {
        words[at..at + 2].copy_from_slice(&pair);
    }
    for (word, value) in words[setting::CONSTANTS..].iter_mut().zip(constants) {
        *word = value.to_bits();
    }
    let shuffle = rng::derive(seed, rng_stream::SHUFFLE);
    let keys = &mut words[layout.order_keys()..];
    for (epoch, keys) in keys.chunks_exact_mut(2 * layout.rounds).enumerate() {
        let stream = order_stream(config, counters.iterations, epoch as u32);
        for (round, pair) in keys.chunks_exact_mut(2).enumerate() {
            pair.copy_from_slice(&rng::block(shuffle, stream, round as u32));
        }
    }
}

/// Encodes the rows of the device's environment buffer that persist between iterations, from a learner state, as
/// 32-bit words `[row][env]`. The rows are the dimensions of the environment's state, then the quantities from
/// [`PUSH`](super::layout::env_row::PUSH) on.
pub(super) fn env_words(layout: &PpoLayout, state: &PpoState) -> Vec<u32> {
    let mut words = Vec::with_capacity(layout.lasting_rows() * layout.num_envs);
    for dimension in 0..layout.state {
        let column = state.envs.states.iter().skip(dimension).step_by(layout.state);
        words.extend(column.map(|x| x.to_bits()));
    }
    let running = &state.running;
    words.extend(state.envs.pushes.iter().map(|x| x.to_bits()));
    words.extend(&state.envs.ages);
    words.extend(&state.envs.next_episodes);
    words.extend(running.returns.iter().map(|x| x.to_bits()));
    words.extend(&running.lengths);
    words.extend(running.discounted.iter().map(|x| x.to_bits()));
    words.extend(running.whole.iter().map(|&whole| u32::from(whole)));
    words
}

/// Encodes the running mean and variance of each observation dimension, and then of the discounted return, as `f32`
/// bits `[observation + 1][2]`.
pub(super) fn moment_words(state: &PpoState) -> Vec<u32> {
    let all = state.observation_moments.iter().chain([&state.return_moments]);
    all.flat_map(|moments| [moments.mean as f32, moments.variance() as f32]).map(f32::to_bits).collect()
}

/// Results of an iteration that the host has read back: counters and metrics, parameters with optimizer moments, and
/// environments.
pub(super) struct PpoReadback<'a> {
    layout: &'a PpoLayout,
    progress: &'a [u32],
    parameters: [&'a [f32]; 3],
    envs: &'a [u32],
}

impl<'a> PpoReadback<'a> {
    pub fn new(layout: &'a PpoLayout, words: &'a [u32]) -> Self {
        let (progress, rest) = words.split_at(layout.progress());
        let (flat, envs) = rest.split_at(3 * layout.parameters);
        let flat = floats(flat);
        let part = |index: usize| &flat[index * layout.parameters..(index + 1) * layout.parameters];
        Self { layout, progress, parameters: [part(0), part(1), part(2)], envs }
    }

    /// Returns the number of 32-bit words that are read back after an iteration.
    pub fn len(layout: &PpoLayout) -> usize {
        layout.progress() + 3 * layout.parameters + layout.lasting_rows() * layout.num_envs
    }

    fn float(&self, at: usize) -> f64 {
        f64::from(f32::from_bits(self.progress[at]))
    }

    /// Returns the number of gradient steps that the device took in the iteration.
    pub fn updates(&self) -> u64 {
        u64::from(self.progress[progress::UPDATE])
    }

    /// Returns an error if training diverged in the iteration. `updates_before` is the number of gradient steps of
    /// the run before the iteration.
    pub fn check(&self, updates_before: u64) -> Result<(), NotFinite> {
        let what = match self.progress[progress::HALTED] {
            halted::NO => return Ok(()),
            halted::BY_GRADIENT => "the gradient",
            halted::BY_POLICY_LOSS => "the policy loss",
            halted::BY_VALUE_LOSS => "the value loss",
            _ => "an action",
        };
        let by_action = self.progress[progress::HALTED] == halted::BY_ACTION;
        let value = if by_action { f64::NAN } else { self.float(progress::HALTED_VALUE) };
        Err(NotFinite { what, value, updates: updates_before + self.updates() })
    }

    fn tally(&self) -> EpisodeTally {
        EpisodeTally {
            episodes: f64::from(self.progress[progress::SUMMARY]),
            lengths: f64::from(self.progress[progress::SUMMARY + 1]),
            returns: self.float(progress::SUMMARY + 2),
        }
    }

    fn sums(&self) -> PpoSums {
        let layout = self.layout;
        let mut sums = PpoSums::default();
        let log = self.progress[layout.log()..].chunks_exact(LOG_LEN);
        for (update, entry) in log.take(self.updates() as usize).enumerate() {
            let entry = floats(entry);
            if update % layout.epoch_updates == 0 {
                sums.begin_epoch();
            }
            let last = update % layout.epoch_updates == layout.epoch_updates - 1;
            let rows = if last { layout.last_minibatch() } else { layout.minibatch } as u64;
            for (sum, &measured) in sums.measurements.iter_mut().zip(entry) {
                *sum += f64::from(measured);
            }
            sums.samples += rows;
            sums.epoch_kl += f64::from(entry[KL]);
            sums.epoch_samples += rows;
            sums.gradient_norm += f64::from(entry[MEASUREMENTS]);
            sums.updates += 1;
        }
        sums.epochs = self.progress[progress::EPOCH];
        sums
    }

    /// Builds the report of the iteration. `counters` count the run up to the end of the iteration.
    pub fn report(&self, counters: PpoCounters, learning_rate: f32) -> PpoReport {
        let (returns, errors) = (self.float(progress::SUMMARY + 3), self.float(progress::SUMMARY + 4));
        let explained = if returns > 0.0 { 1.0 - errors / returns } else { 0.0 };
        self.sums().report(counters, self.tally(), explained, f64::from(learning_rate))
    }

    /// Returns the counters of the run after the iteration. `before` are the counters before the iteration.
    pub fn counters(&self, before: PpoCounters) -> PpoCounters {
        PpoCounters {
            steps: before.steps + self.layout.batch() as u64,
            iterations: before.iterations + 1,
            updates: before.updates + self.updates(),
            episodes: before.episodes + self.tally().episodes as u64,
        }
    }

    /// Replaces `state`, the learner's state before the iteration, by the state after the iteration. `next` holds the
    /// counters after the iteration. Reuses the memory of `state`.
    pub fn state(&self, state: &mut PpoState, next: &IterationStart) {
        let layout = self.layout;
        let parts = [&mut state.weights, &mut state.first_moment, &mut state.second_moment];
        for (to, from) in parts.into_iter().zip(self.parameters) {
            to.copy_from_slice(from);
        }
        let moments = |quantity: usize, count: f64| {
            let at = progress::MOMENTS + 2 * quantity;
            Moments { count, mean: self.float(at), deviations: self.float(at + 1) * count }
        };
        if next.observations > 0.0 {
            for (dimension, to) in state.observation_moments.iter_mut().enumerate() {
                *to = moments(dimension, next.observations);
            }
        }
        state.return_moments = moments(layout.observation, next.returns);
        state.counters = self.counters(state.counters);

        let row = |row: usize| &self.envs[row * layout.num_envs..(row + 1) * layout.num_envs];
        for dimension in 0..layout.state {
            let column = state.envs.states.iter_mut().skip(dimension).step_by(layout.state);
            column.zip(floats(row(dimension))).for_each(|(to, &from)| *to = from);
        }
        let after = |index: usize| row(layout.state + index);
        state.envs.tick += layout.horizon as u64;
        state.envs.pushes.copy_from_slice(floats(after(env_row::PUSH)));
        state.envs.ages.copy_from_slice(after(env_row::AGE));
        state.envs.next_episodes.copy_from_slice(after(env_row::NEXT_EPISODE));
        let running = &mut state.running;
        running.returns.copy_from_slice(floats(after(env_row::RETURN)));
        running.lengths.copy_from_slice(after(env_row::LENGTH));
        running.discounted.copy_from_slice(floats(after(env_row::DISCOUNTED)));
        running.whole.iter_mut().zip(after(env_row::WHOLE)).for_each(|(to, &from)| *to = from != 0);
    }
}
