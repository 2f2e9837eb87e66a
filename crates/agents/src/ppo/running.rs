//! Statistics of the episodes in progress, and sums over finished episodes.

use std::ops::Range;

/// Statistics of the current episode of each environment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunningEpisodes {
    /// `[num_envs]`: undiscounted sum of the rewards of the current episode so far.
    pub returns: Vec<f32>,
    /// `[num_envs]`: number of steps of the current episode so far.
    pub lengths: Vec<u32>,
    /// `[num_envs]`: sum of the past rewards of the current episode, the latest with weight 1, the k-th before it
    /// with weight γᵏ. Reward normalization divides rewards by the standard deviation of these sums.
    pub discounted: Vec<f32>,
    /// `[num_envs]`: whether the current episode was recorded from its start. If not, the episode is excluded from the
    /// statistics.
    pub whole: Vec<bool>,
}

impl RunningEpisodes {
    /// Creates the statistics of `num_envs` environments, all at the start of an episode.
    pub(crate) fn new(num_envs: usize) -> Self {
        let zeros = vec![0.0; num_envs];
        Self {
            returns: zeros.clone(),
            lengths: vec![0; num_envs],
            discounted: zeros,
            whole: vec![true; num_envs],
        }
    }

    /// Adds an environment step to the statistics. `rewards` is `[num_envs]`; `discount` is γ.
    pub(crate) fn add(&mut self, rewards: &[f32], discount: f32) {
        let sums = self.returns.iter_mut().zip(&mut self.lengths).zip(&mut self.discounted);
        for (((sum, length), discounted), &reward) in sums.zip(rewards) {
            *sum += reward;
            *length += 1;
            *discounted = *discounted * discount + reward;
        }
    }

    /// Ends the current episode of environment `env`: adds the episode to `tally` if it was recorded from its start,
    /// and resets the statistics of the environment.
    pub(crate) fn end(&mut self, env: usize, tally: &mut EpisodeTally) {
        if self.whole[env] {
            tally.episodes += 1.0;
            tally.returns += f64::from(self.returns[env]);
            tally.lengths += f64::from(self.lengths[env]);
        }
        (self.returns[env], self.lengths[env]) = (0.0, 0);
        (self.discounted[env], self.whole[env]) = (0.0, true);
    }

    /// Returns a copy of the statistics of the environments `envs`.
    pub(crate) fn part(&self, envs: Range<usize>) -> Self {
        Self {
            returns: self.returns[envs.clone()].to_vec(),
            lengths: self.lengths[envs.clone()].to_vec(),
            discounted: self.discounted[envs.clone()].to_vec(),
            whole: self.whole[envs].to_vec(),
        }
    }

    /// Removes the statistics of all environments; keeps the allocated memory.
    pub(crate) fn clear(&mut self) {
        self.returns.clear();
        self.lengths.clear();
        self.discounted.clear();
        self.whole.clear();
    }

    /// Appends the statistics `other` of further environments.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.returns.extend_from_slice(&other.returns);
        self.lengths.extend_from_slice(&other.lengths);
        self.discounted.extend_from_slice(&other.discounted);
        self.whole.extend_from_slice(&other.whole);
    }
}

vivarium_config::numbers! {
    /// Sums over the episodes that ended during a rollout: number of episodes, returns and lengths.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub(crate) struct EpisodeTally: f64 {
        episodes,
        returns,
        lengths,
    }
}
