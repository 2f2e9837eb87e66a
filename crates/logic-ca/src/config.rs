//! What a person may choose about an experiment: fields, what they mean, what is allowed.

use crate::aim::Aim;
use crate::circuit::Architecture;
use crate::grid::{Border, Grid};
use crate::hard;
use crate::memory;
use crate::preset::Preset;
use crate::target::Target;
use serde::{Deserialize, Serialize};
use vivarium_config::{ConfigError, Described};

/// How boards look before the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Every bit of every channel is drawn anew in every epoch.
    Random,
    /// All cells are zero but the one in the middle, which is 1 in all channels.
    Seed,
    /// All cells are zero.
    Zeros,
    /// Each board is one of the 512 possible 3×3 neighbourhoods, drawn anew in every epoch.
    Neighbourhoods,
}

macro_rules! config {
    ($($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        /// Everything that can be chosen about a run. In JSON, what is left out is as the preset has it.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(from = "Choices")]
        pub struct LogicConfig {
            $($(#[$doc])* pub $name: $kind,)*
        }

        /// What a person chose; what is left out is as the preset has it.
        #[derive(Default, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        struct Choices {
            preset: Preset,
            $($name: Option<$kind>,)*
        }

        impl From<Choices> for LogicConfig {
            fn from(choices: Choices) -> Self {
                let mut config = LogicConfig::of(choices.preset);
                $(if let Some(value) = choices.$name {
                    config.$name = value;
                })*
                config
            }
        }
    };
}

config! {
    /// What boards are to become.
    target: Aim,
    /// The pattern that was drawn, as [text](crate::drawing); empty where none was.
    drawing: String,
    /// Columns of a board.
    width: u32,
    /// Rows of a board.
    height: u32,
    /// What lies beyond the edges.
    border: Border,
    /// Boards learnt from at a time.
    batch: u32,
    /// How they look before the first step.
    start: Start,
    /// Steps after which the target is to stand.
    steps: u32,
    /// Chance that a cell is updated in a step; 1: all cells are, in every step.
    fire_rate: f32,
    /// Bits of a cell's state.
    channels: u32,
    /// Kernels of the perception.
    kernels: u32,
    /// Gates of each layer of a kernel.
    perceive: Vec<u32>,
    /// Gates of each layer of the update.
    update: Vec<u32>,
    /// AdamW's step size at the start.
    learning_rate: f32,
    /// AdamW's step size once `epochs` are over.
    final_learning_rate: f32,
    /// Decoupled weight decay.
    weight_decay: f32,
    /// Share of its gates and steps that are hard in the soft automaton once `epochs` are over; 0: none ever.
    hard_share: f32,
    /// Every number of the gradient is limited to this size.
    gradient_clip: f32,
    /// AdamW's β₁.
    beta1: f32,
    /// AdamW's β₂.
    beta2: f32,
    /// Epochs of learning by gradient, over which the step size falls in a straight line to the final one.
    epochs: u32,
    /// Epochs after those in which the hard circuit is changed gate by gate, on trial; 0: learning by gradient goes on.
    trial_epochs: u32,
}

impl Default for LogicConfig {
    fn default() -> Self {
        Self::of(Preset::default())
    }
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

    /// Checks every field against its range, and the fields against each other.
    ///
    /// # Errors
    /// [`ConfigError`] for the first field that is not allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        let architecture = self.architecture();
        architecture.check().map_err(|error| self.refused(error.part, error.problem))?;
        let channels = architecture.channels;
        hard::check_counts(channels, architecture.gates_per_cell(), channels)
            .map_err(|error| self.refused("update", error.to_string()))?;
        let (width, height) = (self.width, self.height);
        if self.start == Start::Neighbourhoods && (width, height, self.border) != (3, 3, Border::Periodic) {
            let needs = "neighbourhoods are boards of 3×3 cells with a periodic border";
            return Err(self.refused("start", needs));
        }
        if !self.drawing.is_empty() || self.target == Aim::Drawn {
            Target::from_text(&self.drawing).map_err(|error| self.refused("drawing", error.to_string()))?;
        }
        if let Some(target) = self.target() {
            let (grid, channels) = (self.grid(), self.channels as usize);
            let field =
                if target.width > grid.width || target.channels > channels { "width" } else { "height" };
            let field = if target.channels > channels { "channels" } else { field };
            target.check(&grid, channels).map_err(|error| self.refused(field, error.to_string()))?;
        }
        let (needed, most) = (memory::needed(self), memory::MOST);
        if needed > most {
            // A page may have less to give than a program.
            let here = if cfg!(target_arch = "wasm32") { " in a page" } else { "" };
            let problem = format!(
                "the run would take {} MB, at most {} are allowed{here}: choose fewer steps, channels or boards, or \
                 smaller ones",
                needed.div_ceil(1 << 20),
                most >> 20
            );
            return Err(self.refused("steps", problem));
        }
        Ok(())
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
    use vivarium_config::assert_described;

    #[test]
    fn every_field_is_described_once() {
        assert_described(&LogicConfig::default());
    }

    #[test]
    fn refuses_what_is_out_of_range_and_says_so() {
        let refused = |preset, change: fn(&mut LogicConfig)| {
            let mut config = LogicConfig::of(preset);
            change(&mut config);
            config.check().unwrap_err()
        };
        let error = refused(Preset::Checkerboard, |c| c.fire_rate = 1.5);
        assert_eq!((error.field, error.value.as_str()), ("fire_rate", "1.5"));
        assert_eq!(refused(Preset::Checkerboard, |c| c.learning_rate = f32::NAN).field, "learning_rate");
        assert_eq!(refused(Preset::Checkerboard, |c| c.update = vec![256, 7]).field, "update");
        assert_eq!(refused(Preset::Checkerboard, |c| c.perceive = vec![9, 2]).field, "perceive");
        assert_eq!(refused(Preset::Life, |c| c.width = 4).field, "start");
        assert_eq!(refused(Preset::Lizard, |c| c.width = 19).field, "width");
        assert_eq!(refused(Preset::Lizard, |c| c.height = 19).field, "height");
        let error = refused(Preset::Checkerboard, |c| (c.width, c.height, c.batch) = (1024, 1024, 64));
        assert_eq!(error.field, "steps");
        let error = refused(Preset::Letter, |c| c.target = Aim::Drawn);
        assert_eq!(error.field, "drawing");
        assert!(error.allowed.contains("no pattern"), "{error}");
        assert_eq!(refused(Preset::Letter, |c| c.drawing = "16x16x9:".into()).field, "drawing");
        let drawn = |c: &mut LogicConfig| {
            (c.target, c.drawing) = (Aim::Drawn, Target::lizard().to_text());
        };
        let error = refused(Preset::Letter, drawn);
        assert!(error.field == "width" && error.allowed.contains("20×20"), "{error}");
        let few = |c: &mut LogicConfig| (c.channels, c.update) = (2, vec![128, 64, 32, 16, 8, 4, 2]);
        assert_eq!(refused(Preset::Letter, few).field, "channels");
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
        assert_eq!((error.field, error.value.as_str()), ("steps", "3"));
    }

    #[test]
    fn json_completes_the_preset_and_invents_no_fields() {
        let config: LogicConfig = serde_json::from_str(r#"{"preset": "lizard", "steps": 9}"#).unwrap();
        assert_eq!(config, LogicConfig { steps: 9, ..LogicConfig::of(Preset::Lizard) });
        for preset in Preset::ALL {
            let config = LogicConfig::of(preset);
            let json = serde_json::to_string(&config).unwrap();
            assert_eq!(serde_json::from_str::<LogicConfig>(&json).unwrap(), config);
        }
        let error = serde_json::from_str::<LogicConfig>(r#"{"step": 9}"#).unwrap_err().to_string();
        assert!(error.contains("`step`") && error.contains("`steps`"), "{error}");
    }
}
