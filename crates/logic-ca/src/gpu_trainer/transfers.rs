//! Data that the host writes to the device before an epoch and reads back after it.

use super::layout::LogicGpuLayout;
use crate::circuit::rng_stream;
use crate::config::{InitialState, LogicConfig};
use crate::gate::FUNCTIONS;
use crate::hard::UpdateMask;
use crate::learner::Report;
use crate::optimizer::{GateStatistics, HardeningMask, adam_step};
use crate::target::TargetPattern;
use vivarium_gpu::{ShaderPart, word_offsets};
use vivarium_kernels::rng;
use vivarium_learn::NotFinite;

word_offsets! {
    /// Word offsets in the settings buffer, which the host writes before each epoch.
    mod setting {
        START_KEY: 2,
        /// Offset of the number of the epoch, which selects the random stream of the initial states and of the mask of
        /// hardened (discretized) gates.
        EPOCH,
        START_KIND,
        FIRE_KEY: 2,
        FIRE_RATE,
        BETA1,
        ONE_MINUS_BETA1,
        LOG_BETA1,
        BETA2,
        ONE_MINUS_BETA2,
        LOG_BETA2,
        LEARNING_RATE,
        EPSILON,
        WEIGHT_DECAY_FACTOR,
        CLIP,
        /// Offset of two words: number of steps of the hard automaton (discrete gates), and index of the initial state
        /// in the buffer of its states.
        RUN: 2,
        HARD_KEY: 2,
        HARD_SHARE,
        /// Offset of the number of consecutive epochs without a wrong bit. The device writes this word and all
        /// following words.
        STREAK,
        /// Offset of the number of AdamW steps that have been taken.
        ADAMW_STEPS,
        /// Offset of the learning rate of the next AdamW step, multiplied by the factor of both bias corrections. The
        /// following word is AdamW's ε, scaled accordingly.
        STEP_RATE,
        STEP_EPSILON,
    }
}

word_offsets! {
    /// Word offsets in the report buffer, which the device writes in each epoch.
    mod reported {
        SOFT_LOSS,
        CONFIDENCE,
        HALTED,
        /// Offset of a flag: 1 if the reported epoch updates the gates, else 0.
        NEEDS_UPDATE,
        /// Offset of the number of consecutive epochs without a wrong bit, up to and including the reported epoch.
        STREAK_AFTER,
        /// Offset of the number of AdamW steps of the run, up to and including the reported epoch.
        STEPS_AFTER,
        /// Offset of 18 words: number of wrong bits, number of correct cells, and number of gates with each of the
        /// sixteen functions.
        COUNTS: 18,
    }
}

/// Number of 32-bit words of the settings buffer that the host writes before each epoch. The device writes the
/// remaining words.
pub(super) const WRITTEN: usize = setting::STREAK;
/// Number of 32-bit words of the settings buffer, including the words that the device writes.
pub(super) const SETTINGS: usize = setting::WORDS;

/// Number of 32-bit words in the report buffer.
pub(super) const REPORT: usize = reported::WORDS;

/// Initial states with the names of their WGSL constants; the value of a constant is its index in this array.
const KINDS: [(&str, InitialState); 4] = [
    ("RANDOM", InitialState::Random),
    ("SEED", InitialState::Seed),
    ("ZEROS", InitialState::Zeros),
    ("NEIGHBORHOODS", InitialState::Neighborhoods),
];

/// Returns WGSL constants that every kernel may read: the word offsets in the settings and report buffers, a number for
/// each kind of initial state, and `FINISH_STREAK`. This constant is the number of consecutive epochs without a wrong
/// bit after which training is finished.
pub(super) fn part(finish_streak: u32) -> ShaderPart {
    let starts = KINDS.iter().enumerate().map(|(number, (name, _))| (*name, number));
    ShaderPart::default()
        .constants(setting::NAMED.iter().chain(reported::NAMED).copied().chain(starts))
        .constants([("FINISH_STREAK", finish_streak as usize)])
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// Values of the training schedule in an epoch that was submitted to the device: learning rate and fraction of hardened
/// (discretized) gates.
#[derive(Clone, Copy, Debug)]
pub(super) struct SubmittedEpoch {
    pub learning_rate: f32,
    pub hard_share: f32,
}

/// Returns the words of the settings buffer for epoch `epoch` of a run. The schedule of learning rate and hardening
/// (discretization of gates) began at epoch `schedule_start`.
pub(super) fn settings(config: &LogicConfig, seed: u64, epoch: u64, schedule_start: u64) -> [u32; WRITTEN] {
    let mut words = [0; WRITTEN];
    let start = rng::derive(rng::derive(seed, rng_stream::INITIAL_STATE), (epoch >> 32) as u32);
    let fire = UpdateMask::of_epoch(config.fire_rate, seed, epoch).key();
    let hard = HardeningMask::seed(seed, epoch);
    let kind = KINDS.iter().position(|(_, kind)| *kind == config.start).unwrap_or(0);
    // The device counts the AdamW steps and computes the bias corrections.
    let adam = adam_step(config, 0, epoch - schedule_start);
    // Replaces ln 0 = −∞ by a finite number, for which exp(t·ln β) is still 0.
    let log = |beta: f32| beta.ln().max(-1e3);
    for (at, pair) in [
        (setting::START_KEY, halves(start)),
        (setting::FIRE_KEY, halves(fire)),
        (setting::HARD_KEY, halves(hard)),
    ] {
        words[at..at + 2].copy_from_slice(&pair);
    }
    for (at, word) in
        [(setting::EPOCH, epoch as u32), (setting::START_KIND, kind as u32), (setting::RUN, config.steps)]
    {
        words[at] = word;
    }
    for (at, number) in [
        (setting::FIRE_RATE, config.fire_rate),
        (setting::HARD_SHARE, config.hard_share_at(epoch - schedule_start)),
        (setting::BETA1, adam.beta1),
        (setting::ONE_MINUS_BETA1, 1.0 - adam.beta1),
        (setting::LOG_BETA1, log(adam.beta1)),
        (setting::BETA2, adam.beta2),
        (setting::ONE_MINUS_BETA2, 1.0 - adam.beta2),
        (setting::LOG_BETA2, log(adam.beta2)),
        (setting::LEARNING_RATE, adam.learning_rate),
        (setting::EPSILON, adam.epsilon),
        (setting::WEIGHT_DECAY_FACTOR, 1.0 - adam.learning_rate * adam.weight_decay),
        (setting::CLIP, config.gradient_clip),
    ] {
        words[at] = number.to_bits();
    }
    words
}

/// Returns the first part of the bits buffer: number of target channels, and bit planes of the target. If `target` is
/// `None`, the device computes the only plane by the Game of Life.
pub(super) fn target_words(layout: &LogicGpuLayout, target: Option<&TargetPattern>) -> Vec<u32> {
    let mut words = vec![0; LogicGpuLayout::TARGET_BITS + layout.channels * layout.words()];
    words[0] = target.map_or(1, |target| target.channels as u32);
    let (grid, Some(target)) = (layout.grid, target) else { return words };
    for channel in 0..target.channels {
        for lane in 0..grid.lanes() {
            let (row, column) = (lane / grid.width, lane % grid.width);
            let word = channel * layout.words() + row * layout.row_words + column / 32;
            words[LogicGpuLayout::TARGET_BITS + word] |=
                u32::from(target.on(&grid, channel, lane)) << (column % 32);
        }
    }
    words
}

/// Words that the host reads back from the device after an epoch: report, logits with AdamW moments, and recording.
pub(super) struct EpochReadback<'a> {
    report: &'a [u32],
    /// Logits of all gates, then the first and second moments of AdamW, each `[gate][16]`.
    pub numbers: [&'a [f32]; 3],
    pub recording: &'a [u32],
}

impl<'a> EpochReadback<'a> {
    pub fn new(layout: &LogicGpuLayout, words: &'a [u32]) -> Self {
        let (report, rest) = words.split_at(REPORT);
        let len = layout.gates() * FUNCTIONS;
        let (numbers, recording) = rest.split_at(3 * len);
        let numbers = vivarium_gpu::floats(numbers);
        let part = |number: usize| &numbers[number * len..(number + 1) * len];
        Self { report, numbers: [part(0), part(1), part(2)], recording }
    }

    /// Returns the number of 32-bit words that are read back per epoch.
    pub fn len(layout: &LogicGpuLayout) -> usize {
        REPORT + 3 * layout.gates() * FUNCTIONS + layout.recording_words()
    }

    fn number(&self, at: usize) -> f64 {
        f64::from(f32::from_bits(self.report[at]))
    }

    /// Returns the number of consecutive epochs without a wrong bit, up to and including the epoch that was read back.
    pub fn streak(&self) -> u32 {
        self.report[reported::STREAK_AFTER]
    }

    /// Returns the number of AdamW steps of the run, up to and including the epoch that was read back.
    pub fn steps(&self) -> u32 {
        self.report[reported::STEPS_AFTER]
    }

    /// Converts the words that were read back to the report of an epoch. `before` is the number of epochs that were
    /// finished before this epoch.
    ///
    /// # Errors
    /// [`NotFinite`] if the loss is not finite.
    pub fn report(
        &self,
        layout: &LogicGpuLayout,
        before: u64,
        submitted: SubmittedEpoch,
    ) -> Result<Report, NotFinite> {
        let soft_loss = self.number(reported::SOFT_LOSS);
        if self.report[reported::HALTED] != 0 {
            return Err(NotFinite { what: "the loss", value: soft_loss, updates: before });
        }
        let [wrong_bits, right_cells] = [0, 1].map(|which| f64::from(self.report[reported::COUNTS + which]));
        let functions = std::array::from_fn(|function| self.report[reported::COUNTS + 2 + function]);
        Ok(Report {
            epoch: before + 1,
            soft_loss,
            hard_loss: wrong_bits,
            hard_accuracy: right_cells / layout.grid.lanes() as f64,
            gates: GateStatistics {
                functions,
                confidence: self.number(reported::CONFIDENCE) / layout.gates() as f64,
            },
            learning_rate: submitted.learning_rate.into(),
            hard_share: submitted.hard_share.into(),
        })
    }
}
