//! Layouts of the device buffers that host and kernels share: word offsets, rows and sizes.

use super::super::config::PpoConfig;
use super::super::network::{KL, MEASUREMENTS, POLICY_LOSS, VALUE_LOSS, policy_width};
use super::super::normalize::{EPSILON, OBSERVATION_LIMIT};
use super::super::sample::HALF_LN_TAU;
use vivarium_envs::{ActionSpace, EnvSpec};
use vivarium_gpu::{ShaderPart, word_offsets};
use vivarium_kernels::rng::permutation_rounds;

word_offsets! {
    /// Word offsets in the device's settings buffer, which the host writes before each iteration.
    mod setting {
        FIRST_STEP,
        ACTION_KEY: 2,
        RESET_KEY: 2,
        DISCOUNT,
        LAMBDA,
        NORMALIZE_OBSERVATIONS,
        NORMALIZE_REWARDS,
        OBSERVATION_SHARE,
        RETURN_SHARE,
        TARGET_KL,
        STEP_KEY: 2,
        REWARD_CLIP,
        /// Offset of the constants of the environment's dynamics. The keys of the permutations that shuffle the
        /// samples follow the constants.
        CONSTANTS,
    }
}

word_offsets! {
    /// Word offsets in the device's progress buffer, which holds the counters and metrics of the iteration.
    mod progress {
        EPOCH,
        PLACE,
        UPDATE,
        STOPPED,
        EPOCH_KL,
        /// Offset of the reason for which the device stopped the iteration, a constant of [`halted`](super::halted).
        /// The words before this offset are set to 0 at the start of an iteration.
        HALTED,
        HALTED_VALUE,
        /// Offset of five statistics of the rollout. Of the episodes that ended: number, sum of lengths, sum of
        /// returns. Of all samples, for the explained variance: sums of squared deviations from their means of the
        /// value targets, and of the errors of the value estimates.
        SUMMARY: 5,
        LOG_STD,
        /// Offset of pairs of running mean and variance: one pair per observation dimension, then the pair of the
        /// discounted return.
        MOMENTS,
    }
}

word_offsets! {
    /// Row indices in the environment buffer, counted from the end of the rows of the environment's state. A row has
    /// one word per environment.
    mod env_row {
        PUSH,
        AGE,
        NEXT_EPISODE,
        RETURN,
        LENGTH,
        DISCOUNTED,
        WHOLE,
        /// Row of the number of steps that each environment has taken in the current rollout. This row and all later
        /// rows are valid during one rollout only; all earlier rows persist between iterations.
        STEP,
        CUTS,
        FAULT,
        EPISODES,
        LENGTH_SUM,
        RETURN_SUM,
        RETURN_MEAN: 2,
        ERROR_MEAN: 2,
        /// First of the rows with the sums for the running moments, two for each observation dimension and two for
        /// the discounted return: sum of the deviations from the running mean, and sum of their squares.
        SUMS,
    }
}

/// Reasons for which the device stopped an iteration: the quantity that was not finite.
pub(super) mod halted {
    /// The device did not stop the iteration.
    pub const NO: u32 = 0;
    pub const BY_GRADIENT: u32 = 1;
    pub const BY_POLICY_LOSS: u32 = 2;
    pub const BY_VALUE_LOSS: u32 = 3;
    pub const BY_ACTION: u32 = 4;
}

/// Number of minibatch rows (samples) whose metrics one workgroup of the kernel `measure.wgsl` sums.
pub(super) const MEASURED_ROWS: usize = 1024;

/// Number of words that each gradient step writes to the metrics log: the sum of each metric over the minibatch, and
/// the gradient norm.
pub(super) const LOG_LEN: usize = MEASUREMENTS + 1;

/// Number of values before the observation in the record of a sample: action, log probability, advantage, return,
/// value.
pub(super) const RECORD: usize = 5;

/// Sizes of the device buffers, and numbers of gradient steps, as config and environment determine them.
#[derive(Clone, Copy, Debug)]
pub(super) struct PpoLayout {
    pub num_envs: usize,
    pub horizon: usize,
    pub state: usize,
    pub observation: usize,
    pub constants: usize,
    /// Maximum number of episodes of one environment that the time limit can truncate within a rollout.
    pub cuts: usize,
    pub minibatch: usize,
    /// Number of gradient steps in an epoch, one per minibatch.
    pub epoch_updates: usize,
    /// Number of gradient steps in an iteration, if the update does not stop early.
    pub updates: usize,
    pub epochs: usize,
    pub rounds: usize,
    pub parameters: usize,
    actions: ActionSpace,
}

impl PpoLayout {
    pub fn new(config: &PpoConfig, spec: &EnvSpec, parameters: usize) -> Self {
        let (num_envs, horizon) = (config.num_envs as usize, config.horizon as usize);
        let (minibatch, epochs) = (config.minibatch as usize, config.epochs as usize);
        let epoch_updates = config.batch().div_ceil(minibatch);
        Self {
            num_envs,
            horizon,
            state: spec.state_len,
            observation: spec.observation_len,
            constants: (spec.constants_len)(),
            // An environment takes at least `STEP_LIMIT` steps between two truncations.
            cuts: horizon.div_ceil(spec.step_limit as usize),
            minibatch,
            epoch_updates,
            updates: epoch_updates * epochs,
            epochs,
            rounds: permutation_rounds(config.batch()),
            parameters,
            actions: spec.actions,
        }
    }

    /// Returns the number of samples that the rollout of an iteration collects.
    pub fn batch(&self) -> usize {
        self.num_envs * self.horizon
    }

    /// Returns the number of samples in the last minibatch of an epoch, which may be smaller than in the other
    /// minibatches.
    pub fn last_minibatch(&self) -> usize {
        self.batch() - (self.epoch_updates - 1) * self.minibatch
    }

    pub fn sample(&self) -> usize {
        RECORD + self.observation
    }

    /// Returns the word offset of the permutation keys in the settings buffer. Each epoch has one permutation of the
    /// samples, which consists of several mixing rounds; each mixing round has a key of two words.
    pub fn order_keys(&self) -> usize {
        setting::CONSTANTS + self.constants
    }

    pub fn settings(&self) -> usize {
        self.order_keys() + 2 * self.rounds * self.epochs
    }

    /// Returns the word offset of the metrics log in the progress buffer. Each gradient step writes [`LOG_LEN`] words
    /// to the log.
    pub fn log(&self) -> usize {
        progress::MOMENTS + 2 * (self.observation + 1)
    }

    pub fn progress(&self) -> usize {
        self.log() + LOG_LEN * self.updates
    }

    /// Returns the number of rows of the environment buffer that persist between iterations: the rows of the
    /// environment's state, and the rows from `PUSH` to `WHOLE`.
    pub fn lasting_rows(&self) -> usize {
        self.state + env_row::STEP
    }

    /// Returns the number of all rows of the environment buffer. A row has one word per environment.
    pub fn env_rows(&self) -> usize {
        self.state + env_row::SUMS + 2 * (self.observation + 1)
    }

    /// Returns the constants that every kernel can use, as WGSL: offsets and sizes in the buffers, reasons to stop an
    /// iteration, and numeric constants.
    pub fn part(&self) -> ShaderPart {
        let sizes = [
            ("ORDER_KEYS", self.order_keys()),
            ("LOG", self.log()),
            ("LOG_LEN", LOG_LEN),
            ("HALTED_BY_GRADIENT", halted::BY_GRADIENT as usize),
            ("HALTED_BY_POLICY_LOSS", halted::BY_POLICY_LOSS as usize),
            ("HALTED_BY_VALUE_LOSS", halted::BY_VALUE_LOSS as usize),
            ("HALTED_BY_ACTION", halted::BY_ACTION as usize),
            ("MEASUREMENTS", MEASUREMENTS),
            ("POLICY_LOSS", POLICY_LOSS),
            ("VALUE_LOSS", VALUE_LOSS),
            ("KL", KL),
            ("MEASURED_ROWS", MEASURED_ROWS),
            ("EPOCHS", self.epochs),
            ("UPDATES", self.updates),
            ("SAMPLE_ACTION", 0),
            ("SAMPLE_LOG_PROBABILITY", 1),
            ("SAMPLE_ADVANTAGE", 2),
            ("SAMPLE_RETURN", 3),
            ("SAMPLE_VALUE", 4),
            ("SAMPLE_OBSERVATION", RECORD),
            ("SAMPLE_LEN", self.sample()),
            ("POLICY_WIDTH", policy_width(self.actions)),
            ("ENV_ROWS", self.env_rows()),
            ("OBSERVATION_LEN", self.observation),
        ];
        let rows = env_row::NAMED.iter().map(|(name, row)| (*name, self.state + row));
        let strongest = match self.actions {
            ActionSpace::Discrete(_) => 1.0,
            ActionSpace::Box { high, .. } => high,
        };
        ShaderPart::default()
            .constants(setting::NAMED.iter().chain(progress::NAMED).copied().chain(sizes).chain(rows))
            .constants([
                ("EPSILON", EPSILON as f32),
                ("OBSERVATION_LIMIT", OBSERVATION_LIMIT),
                ("ADVANTAGE_EPSILON", super::super::update::ADVANTAGE_EPSILON),
                ("HALF_LN_TAU", HALF_LN_TAU),
                ("STRONGEST", strongest),
            ])
    }
}
