//! What an iteration tells about itself.

/// Totals of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Environment steps, of all lanes.
    pub steps: u64,
    /// Episodes that ended.
    pub episodes: u64,
    /// Samples learnt from, lessons among them.
    pub samples: u64,
    /// Samples of a solver's best actions learnt from.
    pub lessons: u64,
    /// Optimiser steps.
    pub updates: u64,
    /// Iterations finished.
    pub iterations: u64,
}

/// Measurements of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Totals after the iteration.
    pub counters: Counters,
    /// Mean loss of a transition, weighed; `None` where there were only lessons.
    pub loss: Option<f64>,
    /// Mean value of the actions learnt from; `None` where there were only lessons.
    pub value_mean: Option<f64>,
    /// Mean size of the temporal-difference error; `None` where there were only lessons.
    pub error_mean: Option<f64>,
    /// Mean loss of a lesson, in nats; `None` where there was none.
    pub lesson_loss: Option<f64>,
    /// Mean Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Adam's step size at the end.
    pub learning_rate: f64,
    /// Share of random actions at the end.
    pub epsilon: f64,
    /// Episodes that ended during the iteration.
    pub episodes: u64,
    /// Mean return of the episodes that ended; `None` where none did.
    pub return_mean: Option<f64>,
    /// Their mean length; `None` where none ended.
    pub length_mean: Option<f64>,
    /// Transitions in the replay.
    pub replay: u64,
    /// The hardest level that is open; 0 where a problem has none.
    pub open_level: u32,
    /// Of every level from 1 on.
    pub levels: Vec<LevelTally>,
}

/// What an iteration measured of one level of difficulty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelTally {
    /// Episodes of this level that ended.
    pub episodes: u64,
    /// Those of them that ended by the rules.
    pub successes: u64,
    /// Transitions of this level that are in the replay.
    pub kept: u64,
}

/// Sums over an iteration.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sums {
    pub learning: Learning,
    pub episodes: u64,
    pub returns: f64,
    pub lengths: u64,
    /// Episodes and successes of each level, from 0 on.
    pub levels: Vec<[u64; 2]>,
}

/// Sums over gradient steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Learning {
    pub updates: u64,
    pub rows: u64,
    pub lessons: u64,
    pub loss: f64,
    pub value: f64,
    pub error: f64,
    pub lesson_loss: f64,
    pub gradient_norm: f64,
}

impl Sums {
    /// Of nothing, for levels up to this one.
    pub fn new(levels: u32) -> Self {
        Self { levels: vec![[0; 2]; levels as usize + 1], ..Self::default() }
    }

    /// Of nothing again.
    pub fn clear(&mut self) {
        self.levels.fill([0; 2]);
        *self = Self { levels: std::mem::take(&mut self.levels), ..Self::default() };
    }

    /// All of them, in the order in which they are saved.
    pub fn numbers(&self) -> Vec<f64> {
        let Learning { updates, rows, lessons, loss, value, error, lesson_loss, gradient_norm } =
            self.learning;
        let counts = [updates, rows, lessons, self.episodes, self.lengths].map(|count| count as f64);
        let sums = [loss, value, error, lesson_loss, gradient_norm, self.returns];
        let levels = self.levels.iter().flatten().map(|&count| count as f64);
        counts.into_iter().chain(sums).chain(levels).collect()
    }

    /// The sums that gave these numbers, as many as [`numbers`](Self::numbers) gives here.
    pub fn of(&self, numbers: &[f64]) -> Self {
        let count = |index: usize| numbers[index] as u64;
        let level = |pair: &[f64]| [pair[0] as u64, pair[1] as u64];
        Self {
            learning: Learning {
                updates: count(0),
                rows: count(1),
                lessons: count(2),
                loss: numbers[5],
                value: numbers[6],
                error: numbers[7],
                lesson_loss: numbers[8],
                gradient_norm: numbers[9],
            },
            episodes: count(3),
            lengths: count(4),
            returns: numbers[10],
            levels: numbers[11..].chunks_exact(2).map(level).collect(),
        }
    }

    /// What an iteration's sums come to.
    pub fn report(
        &self,
        counters: Counters,
        [learning_rate, epsilon]: [f32; 2],
        open_level: u32,
        kept: &[u64],
    ) -> Report {
        let Learning { updates, rows, lessons, loss, value, error, lesson_loss, gradient_norm } =
            self.learning;
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        let levels = self.levels.iter().zip(kept).skip(1);
        Report {
            counters,
            loss: mean(loss, rows),
            value_mean: mean(value, rows),
            error_mean: mean(error, rows),
            lesson_loss: mean(lesson_loss, lessons),
            gradient_norm: gradient_norm / updates.max(1) as f64,
            learning_rate: learning_rate.into(),
            epsilon: epsilon.into(),
            episodes: self.episodes,
            return_mean: mean(self.returns, self.episodes),
            length_mean: mean(self.lengths as f64, self.episodes),
            replay: kept.iter().sum(),
            open_level,
            levels: levels
                .map(|(&[episodes, successes], &kept)| LevelTally { episodes, successes, kept })
                .collect(),
        }
    }
}
