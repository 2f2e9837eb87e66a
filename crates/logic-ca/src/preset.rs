//! Presets: hyperparameters of the five experiments of the paper "Differentiable Logic Cellular Automata", and of a
//! small board.

use crate::config::{InitialState, LogicConfig, layers};
use crate::grid::Border;
use crate::target_kind::TargetKind;

vivarium_config::choice! {
    /// Preset: hyperparameters of an experiment of the paper "Differentiable Logic Cellular Automata" (Miotti et al.
    /// 2025), or of a small board.
    pub enum LogicPreset {
        /// A checkerboard grows from random bits.
        Checkerboard = "checkerboard",
        /// A checkerboard on a board of 8×8 cells with a smaller circuit, for a first look. Not an experiment of the
        /// paper.
        CheckerboardSmall = "checkerboard-small",
        /// The rule of Conway's Game of Life, trained on all neighborhoods.
        Life = "life",
        /// A checkerboard under asynchronous updates.
        CheckerboardAsync = "checkerboard-async",
        /// A lizard grows from a single cell.
        Lizard = "lizard",
        /// A colored letter grows from zeros; only the border breaks the symmetry.
        Letter = "letter",
    }
}

impl LogicConfig {
    /// Returns the hyperparameters of a preset. Boards, circuits and losses equal the notebook
    /// (`diffLogic_CA.ipynb`) of the paper "Differentiable Logic Cellular Automata" (Miotti et al. 2025).
    ///
    /// Deviations: the notebook trains the checkerboard with a constant learning rate of 0.05, which takes 1,000 epochs
    /// or more on most seeds. Twice this learning rate halves the number of epochs, and linear decay keeps the
    /// solution. Hardening (`hard_share`: fraction of discretized gates) closes the gap between soft and hard gates,
    /// and local search corrects the remaining errors; the notebook has neither.
    #[must_use]
    pub fn of(preset: LogicPreset) -> Self {
        let checkerboard = Self::default();
        match preset {
            LogicPreset::Checkerboard => checkerboard,
            LogicPreset::CheckerboardSmall => Self {
                width: 8,
                height: 8,
                steps: 8,
                update: vec![64, 64, 64, 32, 16, 8],
                learning_rate: 0.2,
                ..checkerboard
            },
            LogicPreset::CheckerboardAsync => Self {
                width: 14,
                height: 14,
                batch: 1,
                steps: 50,
                fire_rate: 0.6,
                update: layers(256, 14, &[128, 64, 32, 16, 8, 8]),
                // The gradient of a single board over 50 steps is noisy and requires a lower learning rate and less
                // hardening.
                learning_rate: 0.05,
                final_learning_rate: 0.01,
                hard_share: 0.25,
                epochs: 2500,
                local_search_epochs: 5000,
                ..checkerboard
            },
            LogicPreset::Life => Self {
                target: TargetKind::Life,
                width: 3,
                height: 3,
                border: Border::Periodic,
                batch: 20,
                start: InitialState::Neighborhoods,
                steps: 1,
                channels: 1,
                perceive: vec![8, 4, 2, 1],
                update: layers(128, 17, &[64, 32, 16, 8, 4, 2, 1]),
                learning_rate: 0.05,
                final_learning_rate: 0.05,
                epochs: 6000,
                ..checkerboard
            },
            LogicPreset::Lizard => Self {
                target: TargetKind::Lizard,
                width: 20,
                height: 20,
                border: Border::Periodic,
                batch: 1,
                start: InitialState::Seed,
                steps: 12,
                channels: 128,
                kernels: 4,
                perceive: vec![8, 4, 2, 1],
                update: layers(512, 8, &[256, 128]),
                learning_rate: 0.06,
                final_learning_rate: 0.03,
                hard_share: 0.4,
                epochs: 3000,
                ..checkerboard
            },
            LogicPreset::Letter => Self {
                target: TargetKind::Letter,
                batch: 1,
                start: InitialState::Zeros,
                steps: 15,
                channels: 64,
                kernels: 4,
                update: layers(512, 8, &[256, 128, 64]),
                learning_rate: 0.06,
                final_learning_rate: 0.03,
                hard_share: 0.4,
                epochs: 3000,
                ..checkerboard
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_valid_and_have_the_sizes_of_the_paper() {
        for (preset, inputs, gates) in [
            (LogicPreset::Life, 17, 16 * 15 + 128 * 17 + 127),
            (LogicPreset::Checkerboard, 264, 16 * 14 + 256 * 10 + 256),
            (LogicPreset::CheckerboardSmall, 264, 16 * 14 + 64 * 3 + 32 + 16 + 8),
            (LogicPreset::CheckerboardAsync, 264, 16 * 14 + 256 * 14 + 256),
            (LogicPreset::Lizard, 640, 4 * 15 + 512 * 8 + 384),
            (LogicPreset::Letter, 576, 4 * 14 + 512 * 8 + 448),
        ] {
            let config = LogicConfig::of(preset);
            config.check().unwrap();
            let architecture = config.architecture();
            assert_eq!((architecture.update_inputs(), architecture.gates()), (inputs, gates), "{preset:?}");
            assert_eq!(LogicPreset::named(preset.name()), Some(preset));
        }
        assert_eq!(LogicPreset::named("chess board"), None);
    }
}
