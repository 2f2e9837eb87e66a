//! The report of an iteration.

vivarium_config::numbers! {
    /// Totals of a run.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Counters: u64 {
        /// Environment steps, of all lanes.
        steps,
        /// Episodes that ended.
        episodes,
        /// Samples learned from, demonstrations among them.
        samples,
        /// Samples of a solver's best actions learned from.
        demonstrations,
        /// Optimizer steps.
        updates,
        /// Iterations finished.
        iterations,
    }
}

/// Measurements of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Totals after the iteration.
    pub counters: Counters,
    /// Mean loss of a transition, weighed; `None` where there were only demonstrations.
    pub loss: Option<f64>,
    /// Mean value of the actions learned from; `None` where there were only demonstrations.
    pub value_mean: Option<f64>,
    /// Mean size of the temporal-difference error; `None` where there were only demonstrations.
    pub error_mean: Option<f64>,
    /// Mean loss of a demonstration, in nats; `None` where there was none.
    pub demonstration_loss: Option<f64>,
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
    pub totals: Totals,
    /// Episodes and successes of each level, from 0 on.
    pub levels: Vec<[u64; 2]>,
}

vivarium_config::numbers! {
    /// Sums over gradient steps and episodes.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub(crate) struct Totals: f64 {
        updates,
        /// Transitions learned from.
        rows,
        /// Demonstrations learned from.
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

impl Sums {
    /// Of nothing, for levels up to this one.
    pub fn new(levels: u32) -> Self {
        Self { levels: vec![[0; 2]; levels as usize + 1], totals: Totals::default() }
    }

    /// Of nothing again.
    pub fn clear(&mut self) {
        self.levels.fill([0; 2]);
        self.totals = Totals::default();
    }

    /// All of them, in the order in which they are saved.
    pub fn numbers(&self) -> Vec<f64> {
        let levels = self.levels.iter().flatten().map(|&count| count as f64);
        self.totals.numbers().into_iter().chain(levels).collect()
    }

    /// Takes over as many numbers as [`numbers`](Self::numbers) gives here.
    pub fn read(&mut self, numbers: &[f64]) {
        let (totals, levels) = numbers.split_at(Totals::COUNT);
        self.totals = Totals::of(std::array::from_fn(|index| totals[index]));
        let counts = self.levels.iter_mut().flatten();
        counts.zip(levels).for_each(|(count, &number)| *count = number as u64);
    }

    /// What an iteration's sums come to.
    pub fn report(
        &self,
        counters: Counters,
        [learning_rate, epsilon]: [f32; 2],
        open_level: u32,
        kept: &[u64],
    ) -> Report {
        let totals = &self.totals;
        let mean = |sum: f64, count: f64| (count > 0.0).then(|| sum / count);
        let levels = self.levels.iter().zip(kept).skip(1);
        Report {
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
