//! What a person may choose about an experiment: fields, what they mean, what is allowed.

use crate::aim::Aim;
use crate::circuit::Architecture;
use crate::drawing::LONGEST_TEXT;
use crate::grid::{Border, Grid};
use crate::target::Target;

vivarium_config::choice! {
    /// How boards look before the first step.
    pub enum Start {
        /// Every bit of every channel is drawn anew in every epoch.
        Random = "random",
        /// All cells are zero but the one in the middle, which is 1 in all channels.
        Seed = "seed",
        /// All cells are zero.
        Zeros = "zeros",
        /// Each board is one of the 512 possible 3×3 neighborhoods, drawn anew in every epoch.
        Neighborhoods = "neighborhoods",
    }
}

vivarium_config::config! {
    /// Everything that can be chosen about a run.
    #[derive(Clone)]
    pub struct LogicConfig {
        ["task"]
        /// What boards are to become: what the rule of Life makes of them, one of three patterns, or one that was drawn.
        target: Aim = Aim::Checkerboard, "Target", choice(Aim::NAMES), live;
        /// The pattern that was drawn, for the target `drawn`: 16x16x3: for its columns, rows and channels, then its
        /// bits.
        drawing: String = String::new(), "Drawing", text(LONGEST_TEXT as u32), live;
        /// Columns of a board.
        width: u32 = 16, "Width" in "cells", integer(1, 1024);
        /// Rows of a board.
        height: u32 = 16, "Height" in "cells", integer(1, 1024);
        /// Whether the edges of a board touch each other, or cells that are always zero surround it.
        border: Border = Border::Fixed, "Border", choice(Border::NAMES);
        /// How many boards an epoch learns from. More make the gradient steadier and the epoch longer.
        batch: u32 = 2, "Boards", integer(1, 4096);
        /// How boards look before the first step: noise, a single cell, nothing, or one of all 3×3 neighborhoods each.
        start: Start = Start::Random, "Start", choice(Start::NAMES);
        /// After how many steps the board is compared with the target.
        steps: u32 = 20, "Steps", integer(1, 1000);
        /// The chance that a cell is updated in a step. 1 updates all cells together.
        fire_rate: f32 = 1.0, "Fire rate", number(0.01, 1.0);
        ["circuit"]
        /// Bits of a cell's state. The first are compared with the target, the others are free for the cells to use.
        channels: u32 = 8, "Channels" in "bits", integer(1, 512);
        /// How many small circuits look at the neighborhood of each channel.
        kernels: u32 = 16, "Kernels", integer(1, 64);
        /// Gates of each layer of a kernel. The first has 8: the center with each of its neighbors.
        perceive: Vec<u32> = vec![8, 4, 2], "Kernel layers" in "gates", integers(1, 64, 8);
        /// Gates of each layer of the circuit that makes a cell's next state. The last has one for each channel.
        update: Vec<u32> = layers(256, 10, &[128, 64, 32, 16, 8, 8]), "Update layers" in "gates", integers(1, 4096, 64);
        ["learning"]
        /// Size of an optimizer step. Too small learns slowly, too large makes gates jump about.
        learning_rate: f32 = 0.1, "Learning rate", logarithmic(1e-6, 10.0), live;
        /// The learning rate after the last epoch; on the way there it falls in a straight line.
        final_learning_rate: f32 = 0.003, "Final learning rate", logarithmic(0.0, 10.0), live;
        /// Share by which logits shrink per unit of learning rate.
        weight_decay: f32 = 0.01, "Weight decay", number(0.0, 10.0), live;
        /// The share of gates that act as their heaviest function alone, and of steps after which cells are rounded to
        /// bits, while the soft automaton runs: others in every epoch, none in the first and ever more up to this share
        /// in the last. What is learned so works with all gates hard.
        hard_share: f32 = 0.5, "Hard share", number(0.0, 1.0), live;
        /// Every number of the gradient is limited to this size.
        gradient_clip: f32 = 100.0, "Gradient limit", logarithmic(1e-6, 1e9), live;
        /// How slowly the mean of the gradients forgets.
        beta1: f32 = 0.9, "Adam β₁", number(0.0, 0.9999), live;
        /// How slowly the mean of the squared gradients forgets.
        beta2: f32 = 0.99, "Adam β₂", number(0.0, 0.999_999), live;
        /// How long gates learn by gradient, and over which time the learning rate falls and the hard share rises.
        epochs: u32 = 2000, "Epochs", integer(1, 10_000_000), live;
        /// Epochs after those: what the hard circuit still gets wrong is mended by changing single gates and keeping what
        /// is no worse. Boards may be up to 64 cells wide for it. 0: learning by gradient goes on.
        local_search_epochs: u32 = 1000, "Local search epochs", integer(0, 10_000_000), live;
    }
}

/// `count` layers of `width` gates, then those of `narrowing`.
pub(crate) fn layers(width: u32, count: usize, narrowing: &[u32]) -> Vec<u32> {
    let mut layers = vec![width; count];
    layers.extend_from_slice(narrowing);
    layers
}

impl LogicConfig {
    /// The shape of the circuit.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        let widths = |widths: &[u32]| widths.iter().map(|&width| width as usize).collect();
        Architecture {
            channels: self.channels as usize,
            kernels: self.kernels as usize,
            perceive: widths(&self.perceive),
            update: widths(&self.update),
        }
    }

    /// The boards of an epoch.
    #[must_use]
    pub fn grid(&self) -> Grid {
        Grid {
            boards: self.batch as usize,
            height: self.height as usize,
            width: self.width as usize,
            border: self.border,
        }
    }

    /// Whether boards are to become a pattern; else they follow the rule of Life.
    #[must_use]
    pub fn has_pattern(&self) -> bool {
        self.target != Aim::Life
    }

    /// The pattern that boards are to become; `None` where they follow the rule of Life.
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        match self.target {
            Aim::Life => None,
            Aim::Checkerboard => Some(Target::checkerboard(self.width as usize, self.height as usize)),
            Aim::Lizard => Some(Target::lizard()),
            Aim::Letter => Some(Target::letter()),
            Aim::Drawn => Target::from_text(&self.drawing).ok(),
        }
    }

    /// AdamW's step size in the epoch after `epoch` others: a straight line from the first to the final one over `epochs`,
    /// then constant.
    #[must_use]
    pub fn learning_rate_at(&self, epoch: u64) -> f32 {
        let (start, end) = (f64::from(self.learning_rate), f64::from(self.final_learning_rate));
        (start + (end - start) * self.done_at(epoch)) as f32
    }

    /// The share of gates and steps that act hard in the epoch after `epoch` others: a straight line from none to
    /// `hard_share` over `epochs`, then constant.
    #[must_use]
    pub fn hard_share_at(&self, epoch: u64) -> f32 {
        self.hard_share * self.done_at(epoch) as f32
    }

    /// Whether all epochs learn from the same boards.
    pub(crate) fn repeats(&self) -> bool {
        matches!(self.start, Start::Seed | Start::Zeros) && self.fire_rate >= 1.0
    }

    /// After so many epochs in a row without a mistake the gates stay as they are for good, or until something else is
    /// wanted. A circuit may be wrong on few boards among many, and on fewer still where cells fire at random.
    #[must_use]
    pub fn settles_after(&self) -> u32 {
        if self.repeats() {
            1
        } else if self.fire_rate >= 1.0 {
            1000
        } else {
            3000
        }
    }

    /// How much of the schedule is over after `epoch` epochs, 0 to 1.
    fn done_at(&self, epoch: u64) -> f64 {
        (epoch as f64 / f64::from(self.epochs)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Preset;
    use vivarium_config::{Config, assert_described};

    #[test]
    fn every_field_is_described_once() {
        assert_described::<LogicConfig>();
    }

    #[test]
    fn learning_rate_falls_and_hardness_rises_in_a_straight_line() {
        let config = LogicConfig {
            learning_rate: 1.0,
            final_learning_rate: 0.2,
            hard_share: 0.5,
            epochs: 100,
            ..LogicConfig::default()
        };
        assert_eq!([0, 50, 100, u64::MAX].map(|epoch| config.hard_share_at(epoch)), [0.0, 0.25, 0.5, 0.5]);
        assert_eq!(config.learning_rate_at(0), 1.0);
        assert!((config.learning_rate_at(50) - 0.6).abs() < 1e-6);
        assert_eq!(config.learning_rate_at(100), 0.2);
        assert_eq!(config.learning_rate_at(u64::MAX), 0.2);
    }

    #[test]
    fn tells_live_changes_from_others() {
        let config = LogicConfig::default();
        config.check_live(&LogicConfig { learning_rate: 1e-3, ..config.clone() }).unwrap();
        config.check_live(&LogicConfig { target: Aim::Life, ..config.clone() }).unwrap();
        let error = config.check_live(&LogicConfig { steps: 3, ..config.clone() }).unwrap_err();
        assert_eq!((error.field, error.value.as_str()), ("task.steps", "3"));
    }

    #[test]
    fn json_keeps_every_preset() {
        for preset in Preset::ALL {
            let config = LogicConfig::of(preset);
            assert_eq!(LogicConfig::from_json(&config.to_json()), Ok(config));
        }
    }
}
