//! Validation of a config: field ranges, constraints between fields, and memory.

use crate::config::{InitialState, LogicConfig};
use crate::grid::Border;
use crate::target::TargetPattern;
use crate::target_kind::TargetKind;
use crate::{hard, memory};
use vivarium_config::{Config, ConfigError};

impl LogicConfig {
    /// Checks the range of every field, the constraints between fields, and the memory that a run with this config
    /// needs.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid field.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_fields()?;
        let architecture = self.architecture();
        architecture.check().map_err(|error| self.refused(error.part, error.problem))?;
        let channels = architecture.channels;
        hard::check_counts(channels, architecture.gates_per_cell(), channels)
            .map_err(|error| self.refused("update", error.to_string()))?;
        let (width, height) = (self.width, self.height);
        if self.start == InitialState::Neighborhoods
            && (width, height, self.border) != (3, 3, Border::Periodic)
        {
            let needs = "`neighborhoods` needs boards of 3×3 cells with a periodic border";
            return Err(self.refused("start", needs));
        }
        if !self.drawing.is_empty() || self.target == TargetKind::Drawn {
            TargetPattern::from_text(&self.drawing)
                .map_err(|error| self.refused("drawing", error.to_string()))?;
        }
        if let Some(target) = self.target() {
            let (grid, channels) = (self.grid(), self.channels as usize);
            let field =
                if target.width > grid.width || target.channels > channels { "width" } else { "height" };
            let field = if target.channels > channels { "channels" } else { field };
            target.check(&grid, channels).map_err(|error| self.refused(field, error.to_string()))?;
        }
        let (needed, most) = (memory::needed(self), memory::MAX_BYTES);
        if needed > most {
            // Browsers have a lower memory limit, which the error message mentions.
            let here = if cfg!(target_arch = "wasm32") { " in a browser" } else { "" };
            let problem = format!(
                "the run needs {} MB of memory (limit {} MB{here}); reduce steps, channels, or the \
                 number or size of the boards",
                needed.div_ceil(1 << 20),
                most >> 20
            );
            return Err(self.refused("steps", problem));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::LogicPreset;

    #[test]
    fn invalid_configs_are_rejected_with_the_field() {
        let refused = |preset, change: fn(&mut LogicConfig)| {
            let mut config = LogicConfig::of(preset);
            change(&mut config);
            config.check().unwrap_err()
        };
        let error = refused(LogicPreset::Checkerboard, |c| c.fire_rate = 1.5);
        assert_eq!((error.field, error.value.as_str()), ("task.fire_rate", "1.5"));
        assert_eq!(
            refused(LogicPreset::Checkerboard, |c| c.learning_rate = f32::NAN).field,
            "learning.learning_rate"
        );
        assert_eq!(refused(LogicPreset::Checkerboard, |c| c.update = vec![256, 7]).field, "circuit.update");
        assert_eq!(refused(LogicPreset::Checkerboard, |c| c.perceive = vec![9, 2]).field, "circuit.perceive");
        assert_eq!(refused(LogicPreset::Life, |c| c.width = 4).field, "task.start");
        assert_eq!(refused(LogicPreset::Lizard, |c| c.width = 19).field, "task.width");
        assert_eq!(refused(LogicPreset::Lizard, |c| c.height = 19).field, "task.height");
        let error = refused(LogicPreset::Checkerboard, |c| (c.width, c.height, c.batch) = (1024, 1024, 64));
        assert_eq!(error.field, "task.steps");
        let error = refused(LogicPreset::Letter, |c| c.target = TargetKind::Drawn);
        assert_eq!(error.field, "task.drawing");
        assert!(error.allowed.contains("no pattern"), "{error}");
        assert_eq!(refused(LogicPreset::Letter, |c| c.drawing = "16x16x9:".into()).field, "task.drawing");
        let drawn = |c: &mut LogicConfig| {
            (c.target, c.drawing) = (TargetKind::Drawn, TargetPattern::lizard().to_text());
        };
        let error = refused(LogicPreset::Letter, drawn);
        assert!(error.field == "task.width" && error.allowed.contains("20×20"), "{error}");
        let few = |c: &mut LogicConfig| (c.channels, c.update) = (2, vec![128, 64, 32, 16, 8, 4, 2]);
        assert_eq!(refused(LogicPreset::Letter, few).field, "circuit.channels");
    }
}
