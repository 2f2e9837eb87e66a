//! Buffer layouts that host and kernels share.

use super::super::config::PpoConfig;
use super::super::network::{KL, MEASUREMENTS, POLICY_LOSS, VALUE_LOSS, policy_width};
use super::super::normalize::{EPSILON, OBSERVATION_LIMIT};
use super::super::sample::HALF_LN_TAU;
use vivarium_envs::{ActionSpace, World};
use vivarium_gpu::worlds::constant_words;
use vivarium_gpu::{ShaderPart, word_offsets};
use vivarium_kernels::rng::permutation_rounds;

word_offsets! {
    /// Word offsets in the settings buffer, which the host writes before each iteration.
    mod setting {
        FIRST_STEP = 0,
        ACTION_KEY = 1,
        RESET_KEY = 3,
        DISCOUNT = 5,
        LAMBDA = 6,
        NORMALIZE_OBSERVATIONS = 7,
        NORMALIZE_REWARDS = 8,
        OBSERVATION_SHARE = 9,
        RETURN_SHARE = 10,
        TARGET_KL = 11,
        STEP_KEY = 12,
        REWARD_CLIP = 14,
        /// Offset of the constants of the environment's dynamics. They are followed by the random keys that shuffle
        /// the samples, one per epoch.
        CONSTANTS = 15,
    }
}

word_offsets! {
    /// Word offsets in the progress buffer, which holds the device's counters and metrics.
    mod progress {
        EPOCH = 0,
        PLACE = 1,
        UPDATE = 2,
        STOPPED = 3,
        EPOCH_KL = 4,
        /// Offset of the reason for which the iteration was stopped, see [`halted`](super::halted). The words before
        /// this offset are cleared at the start of an iteration.
        HALTED = 5,
        HALTED_VALUE = 6,
        /// Offset of five words: number of episodes, their total length, their total return, and the sums of squared
        /// deviations of the returns and of the value errors.
        SUMMARY = 7,
        LOG_STD = 12,
        /// Offset of the mean and variance of each observation dimension, followed by mean and variance of the
        /// discounted return.
        MOMENTS = 13,
    }
}

word_offsets! {
    /// Rows of the environment buffer after the rows of the environment's state; a row has one word per environment.
    mod env_row {
        PUSH = 0,
        AGE = 1,
        NEXT_EPISODE = 2,
        RETURN = 3,
        LENGTH = 4,
        DISCOUNTED = 5,
        WHOLE = 6,
        /// Number of steps that the environment has taken in the present rollout. This row and all later rows are valid
        /// during one rollout only; all earlier rows persist.
        STEP = 7,
        CUTS = 8,
        FAULT = 9,
        EPISODES = 10,
        LENGTH_SUM = 11,
        RETURN_SUM = 12,
        RETURN_MEAN = 13,
        ERROR_MEAN = 15,
        /// First of two rows for each observation dimension, and then for the discounted return: sum of the deviations
        /// from the running mean, and sum of their squares.
        SUMS = 17,
    }
}

/// Reasons for which the device stopped an iteration.
pub(super) mod halted {
    /// The iteration was not stopped.
    pub const NO: u32 = 0;
    pub const BY_GRADIENT: u32 = 1;
    pub const BY_POLICY_LOSS: u32 = 2;
    pub const BY_VALUE_LOSS: u32 = 3;
    pub const BY_ACTION: u32 = 4;
}

/// Number of minibatch rows (samples) whose metrics one workgroup sums.
pub(super) const MEASURED_ROWS: usize = 1024;

/// Number of values that a gradient step logs: the sums of its metrics, and the gradient norm.
pub(super) const LOG_LEN: usize = MEASUREMENTS + 1;

/// Number of values that precede the observation in a sample's record: action, log probability, advantage, return,
/// value.
pub(super) const RECORD: usize = 5;

/// Sizes of the device buffers and their parts, derived from config and environment.
#[derive(Clone, Copy, Debug)]
pub(super) struct PpoLayout {
    pub num_envs: usize,
    pub horizon: usize,
    pub state: usize,
    pub observation: usize,
    pub constants: usize,
    /// Maximum number of truncated episodes of one environment within a rollout.
    pub cuts: usize,
    pub minibatch: usize,
    /// Number of gradient steps per epoch.
    pub epoch_updates: usize,
    /// Number of gradient steps per iteration.
    pub updates: usize,
    pub epochs: usize,
    pub rounds: usize,
    pub parameters: usize,
    actions: ActionSpace,
}

impl PpoLayout {
    pub fn new<W: World>(config: &PpoConfig, world: &W::Params, parameters: usize) -> Self {
        let (num_envs, horizon) = (config.num_envs as usize, config.horizon as usize);
        let (minibatch, epochs) = (config.minibatch as usize, config.epochs as usize);
        let epoch_updates = config.batch().div_ceil(minibatch);
        Self {
            num_envs,
            horizon,
            state: W::STATE_LEN,
            observation: W::OBSERVATION_LEN,
            constants: constant_words::<W>(world).len(),
            // An environment takes at least `STEP_LIMIT` steps between two truncations.
            cuts: horizon.div_ceil(W::STEP_LIMIT as usize),
            minibatch,
            epoch_updates,
            updates: epoch_updates * epochs,
            epochs,
            rounds: permutation_rounds(config.batch()),
            parameters,
            actions: W::ACTIONS,
        }
    }

    /// Returns the number of samples of an iteration.
    pub fn batch(&self) -> usize {
        self.num_envs * self.horizon
    }

    /// Returns the number of samples of an epoch's last minibatch, which may be smaller than the others.
    pub fn last_minibatch(&self) -> usize {
        self.batch() - (self.epoch_updates - 1) * self.minibatch
    }

    pub fn sample(&self) -> usize {
        RECORD + self.observation
    }

    /// Returns the word offset of the permutation keys in the settings buffer. Each epoch has one permutation of
    /// several mixing rounds; each mixing round has a key of two words.
    pub fn order_keys(&self) -> usize {
        setting::CONSTANTS + self.constants
    }

    pub fn settings(&self) -> usize {
        self.order_keys() + 2 * self.rounds * self.epochs
    }

    /// Returns the word offset of the metrics log in the progress buffer. The log has [`LOG_LEN`] words per gradient
    /// step.
    pub fn log(&self) -> usize {
        progress::MOMENTS + 2 * (self.observation + 1)
    }

    pub fn progress(&self) -> usize {
        self.log() + LOG_LEN * self.updates
    }

    /// Returns the number of rows of the environment buffer that persist between iterations: the environment's state,
    /// and the rows from `PUSH` to `WHOLE`.
    pub fn lasting_rows(&self) -> usize {
        self.state + env_row::STEP
    }

    /// Returns the number of rows of the environment buffer; a row holds one word per environment.
    pub fn env_rows(&self) -> usize {
        self.state + env_row::SUMS + 2 * (self.observation + 1)
    }

    /// Returns the WGSL constants that every kernel may use: buffer offsets, sizes, reasons to stop an iteration, and
    /// numeric constants.
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
