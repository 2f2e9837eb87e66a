//! Metrics of an iteration.

vivarium_config::numbers! {
    /// Counters of a run, summed since its start.
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
        /// Number of gradient steps.
        updates,
        /// Number of finished iterations.
        iterations,
    }
}

/// Metrics of one iteration: [`DqnConfig::iteration`](super::DqnConfig::iteration) gradient steps, and the environment
/// steps between them.
#[derive(Clone, Debug, PartialEq)]
pub struct DqnReport {
    /// Counters of the run after the iteration.
    pub counters: DqnCounters,
    /// Mean loss of a transition, including its importance weight; `None` during pretraining.
    pub loss: Option<f64>,
    /// Mean action value Q(s, a) of the sampled transitions; `None` during pretraining.
    pub value_mean: Option<f64>,
    /// Mean absolute temporal-difference error; `None` during pretraining.
    pub error_mean: Option<f64>,
    /// Mean loss of a demonstration, in nats; `None` after pretraining.
    pub demonstration_loss: Option<f64>,
    /// Mean Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Learning rate at the end of the iteration.
    pub learning_rate: f64,
    /// Exploration rate ε at the end of the iteration.
    pub epsilon: f64,
    /// Number of episodes that ended during the iteration.
    pub episodes: u64,
    /// Mean undiscounted return of the episodes that ended; `None` if none ended.
    pub return_mean: Option<f64>,
    /// Mean length of the episodes that ended, in environment steps; `None` if none ended.
    pub length_mean: Option<f64>,
    /// Number of transitions in the replay buffer.
    pub replay: u64,
    /// Hardest open level of difficulty; 0 if the problem has no levels.
    pub open_level: u32,
    /// Statistics of each level of difficulty, from level 1.
    pub levels: Vec<LevelTally>,
}

/// Statistics of one level of difficulty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelTally {
    /// Number of episodes of the level that ended.
    pub episodes: u64,
    /// Number of episodes of the level that reached a terminal state.
    pub successes: u64,
    /// Number of transitions of the level in the replay buffer.
    pub kept: u64,
}

/// Sums over an iteration, from which its report is computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DqnSums {
    pub totals: DqnTotals,
    /// Number of episodes and of successes of each level, from level 0.
    pub levels: Vec<[u64; 2]>,
}

vivarium_config::numbers! {
    /// Sums over the gradient steps and finished episodes of an iteration.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub(crate) struct DqnTotals: f64 {
        updates,
        /// Number of transitions in the minibatches of the gradient steps.
        rows,
        /// Number of demonstrations in the minibatches of the gradient steps.
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
    /// Creates sums that are zero, for levels of difficulty 0 to `levels`.
    pub fn new(levels: u32) -> Self {
        Self { levels: vec![[0; 2]; levels as usize + 1], totals: DqnTotals::default() }
    }

    /// Resets all sums to zero.
    pub fn clear(&mut self) {
        self.levels.fill([0; 2]);
        self.totals = DqnTotals::default();
    }

    /// Returns all sums, in the order in which a checkpoint stores them.
    pub fn numbers(&self) -> Vec<f64> {
        let levels = self.levels.iter().flatten().map(|&count| count as f64);
        self.totals.numbers().into_iter().chain(levels).collect()
    }

    /// Restores the sums from [`numbers`](Self::numbers).
    pub fn read(&mut self, numbers: &[f64]) {
        let (totals, levels) = numbers.split_at(DqnTotals::COUNT);
        self.totals = DqnTotals::of(std::array::from_fn(|index| totals[index]));
        let counts = self.levels.iter_mut().flatten();
        counts.zip(levels).for_each(|(count, &number)| *count = number as u64);
    }

    /// Builds the report of the iteration from these sums. Counters, learning rate, ε and the hardest open level are
    /// those at the end of the iteration. `kept` is the number of transitions in the replay buffer by level, from 0.
    pub fn report(
        &self,
        counters: DqnCounters,
        [learning_rate, epsilon]: [f32; 2],
        open_level: u32,
        kept: &[u64],
    ) -> DqnReport {
        let totals = &self.totals;
        let mean = |sum: f64, count: f64| (count > 0.0).then(|| sum / count);
        let levels = self.levels.iter().zip(kept).skip(1);
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
            replay: kept.iter().sum(),
            open_level,
            levels: levels
                .map(|(&[episodes, successes], &kept)| LevelTally { episodes, successes, kept })
                .collect(),
        }
    }
}
