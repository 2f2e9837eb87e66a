//! What the host writes to the device before an epoch, and what it reads back after it.

use super::layout::Layout;
use crate::circuit::purpose;
use crate::config::{LogicConfig, Start};
use crate::gate::FUNCTIONS;
use crate::hard::Fire;
use crate::hardening::Hardening;
use crate::learner::Report;
use crate::optimizer::{GateStatistics, adam_step};
use crate::target::Target;
use vivarium_gpu::{constants, words};
use vivarium_kernels::rng;
use vivarium_learn::NotFinite;

words! {
    /// Words of the buffer that the host writes before each epoch.
    mod setting {
        START_KEY = 0,
        /// The stream of starts and of what is hard.
        EPOCH = 2,
        START_KIND = 3,
        FIRE_KEY = 4,
        FIRE_RATE = 6,
        BETA1 = 7,
        REST1 = 8,
        BETA2 = 9,
        REST2 = 10,
        RATE = 11,
        EPSILON = 12,
        KEEP = 13,
        CLIP = 14,
        /// Of the hard automaton: steps, and where the state is kept that it begins with.
        RUN = 15,
        HARD_KEY = 17,
        HARD_SHARE = 19,
        /// What the device itself keeps from one epoch to the next.
        STREAK = 20,
    }
}

words! {
    /// Words of the report that the device writes.
    mod reported {
        SOFT_LOSS = 0,
        DECIDED = 1,
        HALTED = 2,
        /// Whether there was something to learn.
        MISTAKEN = 3,
        /// The streak after the epoch.
        STREAK_REPORTED = 4,
        /// Wrong bits, cells that are right, gates by function.
        COUNTS = 5,
    }
}

/// Words of the settings: those that the host writes before each epoch, and all of them.
pub(super) const WRITTEN: usize = setting::STREAK;
pub(super) const SETTINGS: usize = WRITTEN + 1;

/// Words of the report.
pub(super) const REPORT: usize = reported::COUNTS + 2 + FUNCTIONS;

/// Numbers of starts for the kernel.
const KINDS: [(&str, Start); 4] = [
    ("RANDOM", Start::Random),
    ("SEED", Start::Seed),
    ("ZEROS", Start::Zeros),
    ("NEIGHBORHOODS", Start::Neighborhoods),
];

/// The places in both as constants in WGSL.
pub(super) fn wgsl(layout: &Layout, settled: u32) -> String {
    let more = [("SETTLED", settled as usize), ("GATES", layout.gates())];
    let starts = KINDS.iter().enumerate().map(|(number, (name, _))| (*name, number));
    let starts: Vec<_> = starts.collect();
    constants(setting::NAMED.iter().chain(reported::NAMED).chain(&more).chain(&starts))
}

fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// What is known of an epoch before the device has taken it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Submitted {
    pub learning_rate: f32,
    pub hard_share: f32,
}

/// The settings of the epoch after `epoch` others, `began` of which were of earlier schedules.
pub(super) fn settings(config: &LogicConfig, seed: u64, epoch: u64, began: u64) -> [u32; WRITTEN] {
    let mut words = [0; WRITTEN];
    let start = rng::derive(rng::derive(seed, purpose::START), (epoch >> 32) as u32);
    let fire = Fire::of_epoch(config.fire_rate, seed, epoch).key();
    let hard = Hardening::seed(seed, epoch);
    let kind = KINDS.iter().position(|(_, kind)| *kind == config.start).unwrap_or(0);
    let adam = adam_step(config, epoch, began);
    // √(v·c) + ε = √c·(√v + ε/√c), so that one factor carries both corrections and the step size.
    let (first, second) = adam.bias_corrections();
    let root = second.sqrt();
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
        (setting::HARD_SHARE, config.hard_share_at(epoch - began)),
        (setting::BETA1, adam.beta1),
        (setting::REST1, 1.0 - adam.beta1),
        (setting::BETA2, adam.beta2),
        (setting::REST2, 1.0 - adam.beta2),
        (setting::RATE, adam.learning_rate * first / root),
        (setting::EPSILON, adam.epsilon / root),
        (setting::KEEP, 1.0 - adam.learning_rate * adam.weight_decay),
        (setting::CLIP, config.gradient_clip),
    ] {
        words[at] = number.to_bits();
    }
    words
}

/// The beginning of the bits: how many channels the target has, and its planes. Where there is no pattern the device makes
/// the one plane itself.
pub(super) fn wanted(layout: &Layout, target: Option<&Target>) -> Vec<u32> {
    let mut words = vec![0; Layout::WANTED + layout.channels * layout.words()];
    words[0] = target.map_or(1, |target| target.channels as u32);
    let (grid, Some(target)) = (layout.grid, target) else { return words };
    for channel in 0..target.channels {
        for lane in 0..grid.lanes() {
            let (row, column) = (lane / grid.width, lane % grid.width);
            let word = channel * layout.words() + row * layout.row_words + column / 32;
            words[Layout::WANTED + word] |= u32::from(target.on(&grid, channel, lane)) << (column % 32);
        }
    }
    words
}

/// What came back from an epoch, in the order in which it was copied.
pub(super) struct Arrived<'a> {
    report: &'a [u32],
    /// Logits, first and second moments.
    pub numbers: [&'a [f32]; 3],
    pub film: &'a [u32],
}

impl<'a> Arrived<'a> {
    pub fn new(layout: &Layout, words: &'a [u32]) -> Self {
        let (report, rest) = words.split_at(REPORT);
        let len = layout.gates() * FUNCTIONS;
        let (numbers, film) = rest.split_at(3 * len);
        let numbers = vivarium_gpu::floats(numbers);
        let part = |number: usize| &numbers[number * len..(number + 1) * len];
        Self { report, numbers: [part(0), part(1), part(2)], film }
    }

    /// Words that an epoch sends back.
    pub fn len(layout: &Layout) -> usize {
        REPORT + 3 * layout.gates() * FUNCTIONS + layout.film()
    }

    fn number(&self, at: usize) -> f64 {
        f64::from(f32::from_bits(self.report[at]))
    }

    /// The streak after the epoch.
    pub fn streak(&self) -> u32 {
        self.report[reported::STREAK_REPORTED]
    }

    /// What the epoch after `before` others measured, which was submitted like this.
    ///
    /// # Errors
    /// [`NotFinite`] where it diverged.
    pub fn report(&self, layout: &Layout, before: u64, submitted: Submitted) -> Result<Report, NotFinite> {
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
                decidedness: self.number(reported::DECIDED) / layout.gates() as f64,
            },
            learning_rate: submitted.learning_rate.into(),
            hard_share: submitted.hard_share.into(),
        })
    }
}
