//! Mean return and mean length of the newest training episodes, computed from the reports of training iterations.

use std::collections::VecDeque;

/// Minimum number of training episodes over which the mean return and the mean length are computed. If fewer episodes
/// have ended, the means are over all ended episodes.
const EPISODES: f64 = 100.0;

/// Statistics of the newest training episodes, stored per training iteration. Covers the fewest newest iterations that
/// together contain at least [`EPISODES`] episodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RecentEpisodes {
    iterations: VecDeque<IterationEpisodes>,
}

/// Number, mean return and mean length of the episodes that ended in one training iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
struct IterationEpisodes {
    episodes: f64,
    mean_return: f64,
    mean_length: f64,
}

/// Mean return and mean length over the newest training episodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EpisodeMeans {
    /// Mean undiscounted return per episode.
    pub(crate) total: f64,
    /// Mean episode length, in environment steps.
    pub(crate) length: f64,
}

impl RecentEpisodes {
    /// Adds the episodes that ended in a training iteration: their number, mean return and mean length. Removes the
    /// oldest iterations without which at least [`EPISODES`] episodes remain.
    pub(crate) fn push(&mut self, episodes: u64, mean_return: f64, mean_length: f64) {
        if episodes > 0 {
            self.iterations.push_back(IterationEpisodes {
                episodes: episodes as f64,
                mean_return,
                mean_length,
            });
        }
        while self.iterations.front().is_some_and(|oldest| self.episodes() - oldest.episodes >= EPISODES) {
            self.iterations.pop_front();
        }
    }

    /// Removes the episode statistics of all iterations.
    pub(crate) fn clear(&mut self) {
        self.iterations.clear();
    }

    fn episodes(&self) -> f64 {
        self.iterations.iter().map(|ended| ended.episodes).sum()
    }

    /// Returns the mean return and the mean length of all stored episodes; `None` if no episode has ended.
    pub(crate) fn means(&self) -> Option<EpisodeMeans> {
        let episodes = self.episodes();
        let sum = |of: fn(&IterationEpisodes) -> f64| {
            self.iterations.iter().map(|ended| ended.episodes * of(ended)).sum::<f64>()
        };
        (episodes > 0.0).then(|| EpisodeMeans {
            total: sum(|ended| ended.mean_return) / episodes,
            length: sum(|ended| ended.mean_length) / episodes,
        })
    }

    /// Returns the stored statistics as numbers for a checkpoint: number of episodes, mean return and mean length of
    /// each iteration.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        self.iterations
            .iter()
            .flat_map(|ended| [ended.episodes, ended.mean_return, ended.mean_length])
            .collect()
    }

    /// Restores the statistics from the numbers that [`numbers`](Self::numbers) returned; `None` if the numbers are
    /// invalid.
    pub(crate) fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (triples, rest) = numbers.as_chunks::<3>();
        // Rejects more iterations than `push` would keep, which bounds the cost of `means`.
        let newer: f64 = triples.iter().skip(1).map(|[episodes, ..]| episodes).sum();
        let right =
            rest.is_empty() && triples.iter().all(|[episodes, ..]| *episodes >= 1.0) && newer < EPISODES;
        let iterations = triples.iter().map(|&[episodes, mean_return, mean_length]| IterationEpisodes {
            episodes,
            mean_return,
            mean_length,
        });
        right.then(|| Self { iterations: iterations.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_covers_at_least_the_newest_hundred_episodes() {
        let mut recent = RecentEpisodes::default();
        let of = |total, length| Some(EpisodeMeans { total, length });
        assert_eq!(recent.means(), None);
        recent.push(0, 0.0, 0.0);
        assert_eq!(recent.means(), None);
        recent.push(60, 10.0, 1.0);
        recent.push(60, 20.0, 2.0);
        assert_eq!(recent.means(), of(15.0, 1.5), "a hundred episodes need the older sixty");
        recent.push(40, 45.0, 7.0);
        assert_eq!(recent.means(), of(30.0, 4.0), "the older sixty are dropped");
        recent.push(1000, -1.0, 3.0);
        assert_eq!(recent.means(), of(-1.0, 3.0));
    }

    #[test]
    fn state_round_trips_and_invalid_numbers_are_rejected() {
        let mut recent = RecentEpisodes::default();
        recent.push(3, 10.0, 11.0);
        recent.push(4, 20.0, 21.0);
        assert_eq!(RecentEpisodes::from_numbers(&recent.numbers()), Some(recent));
        assert_eq!(RecentEpisodes::from_numbers(&[1.0, 2.0]), None);
        assert_eq!(RecentEpisodes::from_numbers(&[0.0, 2.0, 3.0]), None);
        assert_eq!(
            RecentEpisodes::from_numbers(&[1.0, 2.0, 3.0].repeat(1_000_000)),
            None,
            "more than it keeps"
        );
    }
}
