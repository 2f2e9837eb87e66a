//! Hyperparameters: config fields with defaults, ranges and help texts.

use crate::circuit::Architecture;
use crate::drawing::MAX_TEXT_LEN;
use crate::grid::{Border, Grid};
use crate::target::TargetPattern;
use crate::target_kind::TargetKind;

vivarium_config::choice! {
    /// Initial state of the boards.
    pub enum InitialState {
        /// Every bit of every channel is random, sampled in every epoch.
        Random = "random",
        /// The middle cell is 1 in all channels, all other cells are 0.
        Seed = "seed",
        /// All cells are 0.
        Zeros = "zeros",
        /// Each 3×3 board is one of the 512 possible neighborhoods, sampled in every epoch.
        Neighborhoods = "neighborhoods",
    }
}

vivarium_config::config! {
    /// Hyperparameters of a run. The defaults are the preset `checkerboard`.
    #[derive(Clone)]
    pub struct LogicConfig {
        ["task"]
        /// Training target: Conway's Game of Life, a built-in pattern, or a drawn pattern.
        target: TargetKind = TargetKind::Checkerboard, "Target", choice(TargetKind::NAMES), live;
        /// Pattern of the target `drawn`: columns x rows x channels, a colon, then the bits in hexadecimal digits.
        drawing: String = String::new(), "Drawing", text(MAX_TEXT_LEN as u32), live;
        /// Number of columns of a board.
        width: u32 = 16, "Width" in "cells", integer(1, 1024);
        /// Number of rows of a board.
        height: u32 = 16, "Height" in "cells", integer(1, 1024);
        /// Boundary condition: periodic (torus), or fixed (surrounded by cells that are always 0).
        border: Border = Border::Fixed, "Border", choice(Border::NAMES);
        /// Number of boards per epoch. More boards reduce the gradient noise and take longer.
        batch: u32 = 2, "Batch size" in "boards", integer(1, 4096);
        /// Initial state of the boards: random bits, a single cell, zeros, or one of the 512 3×3 neighborhoods each.
        start: InitialState = InitialState::Random, "Initial state", choice(InitialState::NAMES);
        /// Number of automaton steps after which the board is compared with the target.
        steps: u32 = 20, "Steps", integer(1, 1000);
        /// Probability that a cell is updated in an automaton step. With 1 all cells are updated in every step.
        fire_rate: f32 = 1.0, "Fire rate", number(0.01, 1.0);
        ["circuit"]
        /// Number of bits of a cell's state. The first 1 or 3 are compared with the target, all others are hidden
        /// channels.
        channels: u32 = 8, "Channels" in "bits", integer(1, 512);
        /// Number of perceive kernels, each applied to the 3×3 neighborhood of every channel.
        kernels: u32 = 16, "Kernels", integer(1, 64);
        /// Number of gates in each layer of a perceive kernel. The first layer has 8 gates: each combines the center
        /// cell with one neighbor.
        perceive: Vec<u32> = vec![8, 4, 2], "Perceive layers" in "gates", integers(1, 64, 8);
        /// Number of gates in each layer of the update circuit. The last layer has one gate per channel.
        update: Vec<u32> = layers(256, 10, &[128, 64, 32, 16, 8, 8]), "Update layers" in "gates", integers(1, 4096, 64);
        ["learning"]
        /// Learning rate of AdamW at the start of the schedule.
        learning_rate: f32 = 0.1, "Learning rate", logarithmic(1e-6, 10.0), live;
        /// Learning rate at the end of the schedule. The decay is linear.
        final_learning_rate: f32 = 0.003, "Final learning rate", logarithmic(0.0, 10.0), live;
        /// Decoupled weight decay of AdamW, applied to the logits.
        weight_decay: f32 = 0.01, "Weight decay", number(0.0, 10.0), live;
        /// Fraction of gates, and of automaton steps, that are hardened (discretized) in the forward pass at the end of
        /// the schedule. It rises linearly from 0.
        hard_share: f32 = 0.5, "Hardening", number(0.0, 1.0), live;
        /// Maximum absolute value of each gradient component; larger components are clipped.
        gradient_clip: f32 = 100.0, "Gradient clipping", logarithmic(1e-6, 1e9), live;
        /// First-moment decay β₁ of AdamW.
        beta1: f32 = 0.9, "Adam β₁", number(0.0, 0.9999), live;
        /// Second-moment decay β₂ of AdamW.
        beta2: f32 = 0.99, "Adam β₂", number(0.0, 0.999_999), live;
        /// Number of epochs of gradient descent: length of the learning-rate and hardening schedules.
        epochs: u32 = 2000, "Epochs", integer(1, 10_000_000), live;
        /// Number of epochs of local search over single gates after gradient descent, for boards up to 64 cells wide. 0
        /// continues gradient descent.
        local_search_epochs: u32 = 1000, "Local search epochs", integer(0, 10_000_000), live;
    }
}

/// Returns the widths of the update layers: `count` layers of `width` gates, followed by layers of the widths
/// `narrowing`.
pub(crate) fn layers(width: u32, count: usize, narrowing: &[u32]) -> Vec<u32> {
    let mut layers = vec![width; count];
    layers.extend_from_slice(narrowing);
    layers
}

impl LogicConfig {
    /// Returns the sizes of the circuit that every cell evaluates: numbers of channels, of perceive kernels, and of
    /// gates per layer.
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

    /// Returns the number of boards per epoch, their height and width in cells, and their boundary condition.
    #[must_use]
    pub fn grid(&self) -> Grid {
        Grid {
            boards: self.batch as usize,
            height: self.height as usize,
            width: self.width as usize,
            border: self.border,
        }
    }

    /// Returns whether the target is a fixed pattern, not the Game of Life.
    #[must_use]
    pub fn has_pattern(&self) -> bool {
        self.target != TargetKind::Life
    }

    /// Returns the pattern that the boards should show after the last step; `None` if the target is the Game of Life.
    #[must_use]
    pub fn target(&self) -> Option<TargetPattern> {
        match self.target {
            TargetKind::Life => None,
            TargetKind::Checkerboard => {
                Some(TargetPattern::checkerboard(self.width as usize, self.height as usize))
            }
            TargetKind::Lizard => Some(TargetPattern::lizard()),
            TargetKind::Letter => Some(TargetPattern::letter()),
            TargetKind::Drawn => TargetPattern::from_text(&self.drawing).ok(),
        }
    }

    /// Returns the learning rate at `epoch`, counted from the start of the schedule. The rate changes linearly from
    /// `learning_rate` to `final_learning_rate` over the config's `epochs`, then stays constant.
    #[must_use]
    pub fn learning_rate_at(&self, epoch: u64) -> f32 {
        let (start, end) = (f64::from(self.learning_rate), f64::from(self.final_learning_rate));
        (start + (end - start) * self.schedule_position(epoch)) as f32
    }

    /// Returns the fraction of gates, and of automaton steps, that are hardened (discretized) at `epoch`, counted from
    /// the start of the schedule. The fraction rises linearly from 0 to `hard_share` over the config's `epochs`, then
    /// stays constant.
    #[must_use]
    pub fn hard_share_at(&self, epoch: u64) -> f32 {
        self.hard_share * self.schedule_position(epoch) as f32
    }

    /// Returns whether all epochs have the same boards: the initial state is not random and updates are synchronous.
    pub(crate) fn has_fixed_boards(&self) -> bool {
        matches!(self.start, InitialState::Seed | InitialState::Zeros) && self.fire_rate >= 1.0
    }

    /// Returns the number of consecutive epochs without a wrong bit after which training is finished: 1 if all epochs
    /// have the same boards, 1000 if the initial states are random, 3000 if updates are asynchronous too. Rare failures
    /// need more epochs to show up.
    #[must_use]
    pub fn finish_streak(&self) -> u32 {
        if self.has_fixed_boards() {
            1
        } else if self.fire_rate >= 1.0 {
            1000
        } else {
            3000
        }
    }

    /// Returns the elapsed fraction (0 to 1) of the schedule of learning rate and hardening (discretization of gates)
    /// after `epoch` epochs.
    fn schedule_position(&self, epoch: u64) -> f64 {
        (epoch as f64 / f64::from(self.epochs)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::LogicPreset;
    use vivarium_config::{Config, assert_described};

    #[test]
    fn every_field_is_described_once() {
        assert_described::<LogicConfig>();
    }

    #[test]
    fn learning_rate_decays_and_hardening_rises_linearly() {
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
    fn only_live_fields_may_change_during_a_run() {
        let config = LogicConfig::default();
        config.check_live(&LogicConfig { learning_rate: 1e-3, ..config.clone() }).unwrap();
        config.check_live(&LogicConfig { target: TargetKind::Life, ..config.clone() }).unwrap();
        let error = config.check_live(&LogicConfig { steps: 3, ..config.clone() }).unwrap_err();
        assert_eq!((error.field, error.value.as_str()), ("task.steps", "3"));
    }

    #[test]
    fn presets_survive_a_round_trip_through_json() {
        for preset in LogicPreset::ALL {
            let config = LogicConfig::of(preset);
            assert_eq!(LogicConfig::from_json(&config.to_json()), Ok(config));
        }
    }
}
