//! What the episodes that are going on came to so far, and what those that ended did.

use std::ops::Range;

/// Of the episode that each lane is in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Running {
    /// `[lanes]`: sum of its rewards.
    pub returns: Vec<f32>,
    /// `[lanes]`: its steps.
    pub lengths: Vec<u32>,
    /// `[lanes]`: Σ γᵏ·r of its rewards, the latest one weighing most; what normalizes rewards.
    pub discounted: Vec<f32>,
    /// `[lanes]`: whether the learner saw it from its start; the others are not counted when they end.
    pub whole: Vec<bool>,
}

impl Running {
    /// Lanes at the start of an episode.
    pub(crate) fn new(lanes: usize) -> Self {
        let zeros = vec![0.0; lanes];
        Self { returns: zeros.clone(), lengths: vec![0; lanes], discounted: zeros, whole: vec![true; lanes] }
    }

    /// Books a step's rewards.
    pub(crate) fn add(&mut self, rewards: &[f32], discount: f32) {
        let sums = self.returns.iter_mut().zip(&mut self.lengths).zip(&mut self.discounted);
        for (((sum, length), discounted), &reward) in sums.zip(rewards) {
            *sum += reward;
            *length += 1;
            *discounted = *discounted * discount + reward;
        }
    }

    /// Ends a lane's episode, and counts it where it was seen from its start; the next one begins.
    pub(crate) fn end(&mut self, lane: usize, tally: &mut Tally) {
        if self.whole[lane] {
            tally.episodes += 1.0;
            tally.returns += f64::from(self.returns[lane]);
            tally.lengths += f64::from(self.lengths[lane]);
        }
        (self.returns[lane], self.lengths[lane]) = (0.0, 0);
        (self.discounted[lane], self.whole[lane]) = (0.0, true);
    }

    /// Of some of the lanes.
    pub(crate) fn part(&self, lanes: Range<usize>) -> Self {
        Self {
            returns: self.returns[lanes.clone()].to_vec(),
            lengths: self.lengths[lanes.clone()].to_vec(),
            discounted: self.discounted[lanes.clone()].to_vec(),
            whole: self.whole[lanes].to_vec(),
        }
    }

    /// Of no lanes; memory is kept.
    pub(crate) fn clear(&mut self) {
        self.returns.clear();
        self.lengths.clear();
        self.discounted.clear();
        self.whole.clear();
    }

    /// Appends more lanes.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.returns.extend_from_slice(&other.returns);
        self.lengths.extend_from_slice(&other.lengths);
        self.discounted.extend_from_slice(&other.discounted);
        self.whole.extend_from_slice(&other.whole);
    }
}

vivarium_config::numbers! {
    /// Sums over the episodes that ended during a rollout.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub(crate) struct Tally: f64 {
        episodes,
        returns,
        lengths,
    }
}
