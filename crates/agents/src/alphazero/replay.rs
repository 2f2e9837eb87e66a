//! Samples of finished self-play games, and the replay buffer: a ring buffer of the newest samples, allocated once.

use super::game::{MAX_HEADS, SelfPlayGame};
use super::report::SelfPlayTally;
use std::collections::VecDeque;

/// Assumed mean number of legal actions per sample. It determines the memory for policy targets. If samples have more
/// legal actions on average, the buffer holds fewer samples than its capacity.
const TYPICAL_ACTIONS: usize = 24;

/// An entry of a policy target: the index of an action, and its probability in units of 1/65,535.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ActionProbability {
    pub action: u16,
    pub quantized: u16,
}

impl ActionProbability {
    /// Creates the entry of an action whose probability is from 0 to 1.
    pub fn new(action: usize, probability: f32) -> Self {
        Self { action: action as u16, quantized: (probability * f32::from(u16::MAX)).round() as u16 }
    }

    /// Returns the probability of the action, from 0 to 1.
    pub fn probability(self) -> f32 {
        f32::from(self.quantized) / f32::from(u16::MAX)
    }
}

/// A training sample: a state, its value target, and the number of entries of its policy target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<G> {
    pub state: G,
    /// Value target: outcome probabilities for the player to move. The first [`SelfPlayGame::HEADS`] entries are
    /// used.
    pub heads: [f32; MAX_HEADS],
    /// Number of entries of the policy target: one per legal action at a decision, 0 at a chance node.
    pub policy_len: u16,
}

/// Training samples of finished self-play games, with the statistics of the self-play that produced them.
#[derive(Clone, Debug)]
pub struct SelfPlaySamples<G> {
    pub(super) samples: Vec<Sample<G>>,
    /// Entries of the policy targets of `samples`, concatenated.
    pub(super) policies: Vec<ActionProbability>,
    pub(super) tally: SelfPlayTally,
}

impl<G> Default for SelfPlaySamples<G> {
    fn default() -> Self {
        Self { samples: Vec::new(), policies: Vec::new(), tally: SelfPlayTally::default() }
    }
}

impl<G> SelfPlaySamples<G> {
    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns whether no game has finished.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Returns the number of finished games.
    pub fn games(&self) -> u64 {
        self.tally.games as u64
    }

    /// Appends the samples of a finished game. `policies` are the entries of their policy targets, concatenated.
    pub(super) fn add_game(
        &mut self,
        samples: impl Iterator<Item = Sample<G>>,
        policies: &[ActionProbability],
    ) {
        self.samples.extend(samples);
        self.policies.extend_from_slice(policies);
    }

    /// Moves all samples and statistics of `other` to the end of these samples.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.samples.append(&mut other.samples);
        self.policies.append(&mut other.policies);
        self.tally += std::mem::take(&mut other.tally);
    }

    /// Removes all samples and statistics, and keeps the memory for the next samples.
    pub(super) fn clear(&mut self) {
        self.samples.clear();
        self.policies.clear();
        self.tally = SelfPlayTally::default();
    }

    /// Iterates over the samples, oldest first, each with its policy target.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Sample<G>, &[ActionProbability])> {
        let mut policies = &self.policies[..];
        self.samples.iter().map(move |sample| {
            let (policy, rest) = policies.split_at(sample.policy_len.into());
            policies = rest;
            (sample, policy)
        })
    }
}

/// Ring buffer of the newest self-play samples with their policy targets.
pub(crate) struct Replay<G> {
    /// Samples, oldest first, each with the index of the first entry of its policy target. The index counts all
    /// entries that were ever added to `policies`, dropped entries included.
    samples: VecDeque<(u64, Sample<G>)>,
    policies: VecDeque<ActionProbability>,
    /// Number of entries that were dropped from the front of `policies` so far.
    forgotten: u64,
    capacity: usize,
}

impl<G: SelfPlayGame> Replay<G> {
    /// Allocates a replay buffer for `capacity` samples.
    pub fn new(capacity: usize) -> Self {
        Self {
            samples: VecDeque::with_capacity(capacity),
            policies: VecDeque::with_capacity(Self::policy_capacity(capacity)),
            forgotten: 0,
            capacity,
        }
    }

    fn policy_capacity(capacity: usize) -> usize {
        (capacity * TYPICAL_ACTIONS.min(G::MAX_BRANCHES)).max(G::MAX_BRANCHES)
    }

    /// Returns the number of samples in the replay buffer.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Appends a sample with its policy target, and drops the oldest samples if the buffer is full.
    pub fn push(&mut self, sample: Sample<G>, policy: &[ActionProbability]) {
        debug_assert_eq!(policy.len(), usize::from(sample.policy_len));
        let most = Self::policy_capacity(self.capacity);
        while self.samples.len() >= self.capacity || self.policies.len() + policy.len() > most {
            let Some((_, oldest)) = self.samples.pop_front() else { break };
            self.policies.drain(..usize::from(oldest.policy_len));
            self.forgotten += u64::from(oldest.policy_len);
        }
        self.samples.push_back((self.forgotten + self.policies.len() as u64, sample));
        self.policies.extend(policy);
    }

    /// Returns a sample and its policy target. `index` is the sample's position in the buffer; 0 is the oldest
    /// sample.
    pub fn get(&self, index: usize) -> (&Sample<G>, impl Iterator<Item = ActionProbability>) {
        let (first, sample) = &self.samples[index];
        let first = (first - self.forgotten) as usize;
        (sample, self.policies.range(first..first + usize::from(sample.policy_len)).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::connect_four::ConnectFour;

    fn sample(mark: usize, policy_len: usize) -> (Sample<ConnectFour>, Vec<ActionProbability>) {
        let mut heads = [0.0; MAX_HEADS];
        heads[0] = mark as f32;
        let policy = (0..policy_len)
            .map(|action| ActionProbability::new((mark + action) % 7, 1.0 / policy_len as f32))
            .collect();
        (Sample { state: ConnectFour::START, heads, policy_len: policy_len as u16 }, policy)
    }

    #[test]
    fn keeps_the_newest_samples_without_reallocation() {
        let mut replay = Replay::new(10);
        let room = (replay.samples.capacity(), replay.policies.capacity());
        for mark in 0..1000 {
            let (sample, policy) = sample(mark, mark % 8);
            replay.push(sample, &policy);
            assert!(replay.len() <= 10);
        }
        assert_eq!((replay.samples.capacity(), replay.policies.capacity()), room);
        assert_eq!(replay.len(), 10);
        for index in 0..10 {
            let mark = 990 + index;
            let (found, policy) = replay.get(index);
            assert_eq!(found.heads[0], mark as f32);
            assert_eq!(policy.collect::<Vec<_>>(), sample(mark, mark % 8).1);
        }
    }

    #[test]
    fn many_actions_reduce_the_number_of_samples() {
        let mut replay = Replay::<ConnectFour>::new(4);
        // Four samples of seven actions fill the buffer; so does one sample of 28 actions.
        let (wide, policy) = sample(5, 28);
        for mark in 0..4 {
            let (sample, policy) = sample(mark, 7);
            replay.push(sample, &policy);
        }
        assert_eq!(replay.len(), 4);
        replay.push(wide, &policy);
        assert_eq!(replay.len(), 1);
        assert_eq!(replay.get(0).1.count(), 28);
    }

    #[test]
    fn probabilities_are_quantized_with_small_error() {
        for probability in [0.0, 1.0, 0.5, 0.013, 1.0 / 3.0] {
            assert!((ActionProbability::new(3, probability).probability() - probability).abs() < 1e-5);
        }
    }
}
