//! What self-play has shown lately, for training: a ring of samples in memory that is taken once.

use super::game::{Learnable, MOST_HEADS};
use std::collections::VecDeque;

/// How many actions a decision has on average at most, for the memory of their probabilities: where decisions
/// have more, the ring keeps fewer samples.
const USUAL_ACTIONS: usize = 24;

/// An action and its probability, in units of 1/65,535.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    pub action: u16,
    pub share: u16,
}

impl Share {
    /// Of a probability from 0 to 1.
    pub fn new(action: usize, probability: f32) -> Self {
        Self { action: action as u16, share: (probability * f32::from(u16::MAX)).round() as u16 }
    }

    /// Its probability.
    pub fn probability(self) -> f32 {
        f32::from(self.share) / f32::from(u16::MAX)
    }
}

/// A state, and what it was found to be worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<G> {
    pub state: G,
    /// What the value heads should say, the first [`Learnable::HEADS`] of them.
    pub heads: [f32; MOST_HEADS],
    /// How many shares its policy has: all legal actions of a decision, or none where chance comes next.
    pub shares: u16,
}

/// The newest samples, as many as there is room for.
pub(crate) struct Replay<G> {
    samples: VecDeque<(u64, Sample<G>)>,
    shares: VecDeque<Share>,
    /// How many shares were forgotten: the number of the first one that is left.
    forgotten: u64,
    capacity: usize,
}

impl<G: Learnable> Replay<G> {
    /// Room for so many samples.
    pub fn new(capacity: usize) -> Self {
        Self {
            samples: VecDeque::with_capacity(capacity),
            shares: VecDeque::with_capacity(Self::share_capacity(capacity)),
            forgotten: 0,
            capacity,
        }
    }

    fn share_capacity(capacity: usize) -> usize {
        (capacity * USUAL_ACTIONS.min(G::MOST_BRANCHES)).max(G::MOST_BRANCHES)
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Takes in a sample with its policy; the oldest ones make room.
    pub fn push(&mut self, sample: Sample<G>, shares: &[Share]) {
        debug_assert_eq!(shares.len(), usize::from(sample.shares));
        let most = Self::share_capacity(self.capacity);
        while self.samples.len() >= self.capacity || self.shares.len() + shares.len() > most {
            let Some((_, oldest)) = self.samples.pop_front() else { break };
            self.shares.drain(..usize::from(oldest.shares));
            self.forgotten += u64::from(oldest.shares);
        }
        self.samples.push_back((self.forgotten + self.shares.len() as u64, sample));
        self.shares.extend(shares);
    }

    /// A sample, counted from the oldest, and its policy.
    pub fn get(&self, index: usize) -> (&Sample<G>, impl Iterator<Item = Share>) {
        let (first, sample) = &self.samples[index];
        let first = (first - self.forgotten) as usize;
        (sample, self.shares.range(first..first + usize::from(sample.shares)).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::connect_four::ConnectFour;

    fn sample(mark: usize, shares: usize) -> (Sample<ConnectFour>, Vec<Share>) {
        let mut heads = [0.0; MOST_HEADS];
        heads[0] = mark as f32;
        let policy = (0..shares).map(|action| Share::new((mark + action) % 7, 1.0 / shares as f32)).collect();
        (Sample { state: ConnectFour::START, heads, shares: shares as u16 }, policy)
    }

    #[test]
    fn keeps_the_newest_with_their_policies_in_memory_that_never_grows() {
        let mut replay = Replay::new(10);
        let room = (replay.samples.capacity(), replay.shares.capacity());
        for mark in 0..1000 {
            let (sample, shares) = sample(mark, mark % 8);
            replay.push(sample, &shares);
            assert!(replay.len() <= 10);
        }
        assert_eq!((replay.samples.capacity(), replay.shares.capacity()), room);
        assert_eq!(replay.len(), 10);
        for index in 0..10 {
            let mark = 990 + index;
            let (found, shares) = replay.get(index);
            assert_eq!(found.heads[0], mark as f32);
            assert_eq!(shares.collect::<Vec<_>>(), sample(mark, mark % 8).1);
        }
    }

    #[test]
    fn many_actions_leave_room_for_fewer_samples() {
        let mut replay = Replay::<ConnectFour>::new(4);
        // Four samples of seven actions are all there is room for; one of 28 takes all of it.
        let (wide, shares) = sample(5, 28);
        for mark in 0..4 {
            let (sample, shares) = sample(mark, 7);
            replay.push(sample, &shares);
        }
        assert_eq!(replay.len(), 4);
        replay.push(wide, &shares);
        assert_eq!(replay.len(), 1);
        assert_eq!(replay.get(0).1.count(), 28);
    }

    #[test]
    fn shares_are_probabilities_to_within_their_unit() {
        for probability in [0.0, 1.0, 0.5, 0.013, 1.0 / 3.0] {
            assert!((Share::new(3, probability).probability() - probability).abs() < 1e-5);
        }
    }
}
