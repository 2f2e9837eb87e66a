//! Metrics of a DQN iteration, and the counters of a run.

vivarium_config::numbers! {
    /// Counters of a DQN run, summed since its start.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct DqnCounters: u64 {
        /// Number of environment steps, summed over all environments.
        steps,
        /// Number of finished episodes.
        episodes,
        /// Number of samples in the minibatches of all gradient steps, demonstrations included.
        samples,
        /// Number of demonstrations in the minibatches of all gradient steps.
        demonstrations,
        /// Number of gradient steps taken.
        updates,
        /// Number of finished iterations, each a configured number of gradient steps.
        iterations,
    }
}

/// Metrics of one iteration. An iteration consists of [`DqnConfig::iteration`](super::DqnConfig::iteration) gradient
/// steps and the environment steps between them.
#[derive(Clone, Debug, PartialEq)]
pub struct DqnReport {
    /// Counters of the run at the end of the iteration.
    pub counters: DqnCounters,
    /// Mean loss of the sampled transitions, multiplied by their importance-sampling weights; `None` during
    /// pretraining.
    pub loss: Option<f64>,
    /// Mean action value Q(s, a) of the sampled transitions; `None` during pretraining.
    pub value_mean: Option<f64>,
    /// Mean absolute temporal-difference error of the sampled transitions; `None` during pretraining.
    pub error_mean: Option<f64>,
    /// Mean demonstration loss of the sampled demonstrations: cross-entropy in nats plus value loss; `None` after
    /// pretraining.
    pub demonstration_loss: Option<f64>,
    /// Mean Euclidean norm of the gradient before clipping, over the gradient steps of the iteration.
    pub gradient_norm: f64,
    /// Learning rate at the end of the iteration.
    pub learning_rate: f64,
    /// Exploration rate ε at the end of the iteration.
    pub epsilon: f64,
    /// Number of episodes that ended during the iteration.
    pub episodes: u64,
    /// Mean undiscounted return of the episodes that ended during the iteration; `None` if none ended.
    pub return_mean: Option<f64>,
    /// Mean length of the episodes that ended during the iteration, in environment steps; `None` if none ended.
    pub length_mean: Option<f64>,
    /// Number of transitions in the replay buffer at the end of the iteration.
    pub replay: u64,
    /// Hardest open level of difficulty at the end of the iteration; 0 if the problem has no levels.
    pub open_level: u32,
    /// Statistics of the episodes at each level of difficulty, from level 1.
    pub levels: Vec<LevelTally>,
}

/// Statistics of one level of difficulty in an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelTally {
    /// Number of episodes at this level that ended during the iteration.
    pub episodes: u64,
    /// Number of episodes at this level that reached a terminal state during the iteration.
    pub successes: u64,
    /// Number of transitions in the replay buffer that come from episodes at this level.
    pub kept: u64,
}

/// Sums over the current iteration, from which its report is computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DqnSums {
    pub totals: DqnTotals,
    /// Number of episodes, and number of successful episodes, at each level of difficulty, from level 0.
    pub levels: Vec<[u64; 2]>,
}

vivarium_config::numbers! {
    /// Sums over the gradient steps of an iteration, and over the episodes that ended in it.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub(crate) struct DqnTotals: f64 {
        updates,
        /// Number of transitions in the minibatches of the iteration's gradient steps.
        rows,
        /// Number of demonstrations in the minibatches of the iteration's gradient steps.
        demonstrations,
        episodes,
        lengths,
        loss,
        value,
        error,
        demonstration_loss,
        gradient_norm,
        returns,
    }
}

impl DqnSums {
    /// Creates sums that are all 0, for a problem with levels of difficulty from 0 to `levels`.
    pub fn new(levels: u32) -> Self {
        Self { levels: vec![[0; 2]; levels as usize + 1], totals: DqnTotals::default() }
    }

    /// Resets all sums to 0 for the next iteration.
    pub fn clear(&mut self) {
        self.levels.fill([0; 2]);
        self.totals = DqnTotals::default();
    }

    /// Returns all sums as a flat list of numbers, in the order in which a checkpoint stores them.
    pub fn numbers(&self) -> Vec<f64> {
        let levels = self.levels.iter().flatten().map(|&count| count as f64);
        self.totals.numbers().into_iter().chain(levels).collect()
    }

    /// Replaces the sums by the numbers that [`numbers`](Self::numbers) returned.
    pub fn read(&mut self, numbers: &[f64]) {
        let (totals, levels) = numbers.split_at(DqnTotals::COUNT);
        self.totals = DqnTotals::of(std::array::from_fn(|index| totals[index]));
        let counts = self.levels.iter_mut().flatten();
        counts.zip(levels).for_each(|(count, &number)| *count = number as u64);
    }

    /// Builds the report of the iteration from these sums and from values at the end of the iteration: counters,
    /// learning rate, ε, hardest open level, and `level_counts`, the number of transitions in the replay buffer at
    /// each level, from level 0.
    pub fn report(
        &self,
        counters: DqnCounters,
        [learning_rate, epsilon]: [f32; 2],
        open_level: u32,
        level_counts: &[u64],
    ) -> DqnReport {
        let totals = &self.totals;
        let mean = |sum: f64, count: f64| (count > 0.0).then(|| sum / count);
        let levels = self.levels.iter().zip(level_counts).skip(1);
        DqnReport {
            counters,
            loss: mean(totals.loss, totals.rows),
            value_mean: mean(totals.value, totals.rows),
            error_mean: mean(totals.error, totals.rows),
            demonstration_loss: mean(totals.demonstration_loss, totals.demonstrations),
            gradient_norm: totals.gradient_norm / totals.updates.max(1.0),
            learning_rate: learning_rate.into(),
            epsilon: epsilon.into(),
            episodes: totals.episodes as u64,
            return_mean: mean(totals.returns, totals.episodes),
            length_mean: mean(totals.lengths, totals.episodes),
            replay: level_counts.iter().sum(),
            open_level,
            levels: levels
                .map(|(&[episodes, successes], &kept)| LevelTally { episodes, successes, kept })
                .collect(),
        }
    }
}
