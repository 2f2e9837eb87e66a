//! The learner on a GPU, beside the one on the CPU.
//!
//! The one on the device does the training. After each of its epochs the one on the CPU takes over where it is: what is
//! shown, evaluated, saved and rolled back is always that one, and a run that loses its device has lost no more than the
//! epochs that were under way there.

use super::experiment::{LogicExperiment, refused};
use crate::error::LabError;
use crate::protocol::{EngineInfo, MetricRow};
use crate::registry::logic_ca::in_section;
use vivarium_gpu::{Gpu, GpuError};
use vivarium_logic_ca::resident::{Advance, Resident};
use vivarium_logic_ca::{LogicConfig, LogicError};

/// A GPU at work on the experiment.
pub(super) struct Device {
    gpu: Gpu,
    resident: Resident,
    /// Whether the last slice found nothing finished.
    pub(super) waiting: bool,
}

impl Device {
    pub(super) fn info(&self) -> EngineInfo {
        let report = self.gpu.report();
        EngineInfo::Gpu { adapter: report.name.clone(), software: report.software }
    }

    /// Takes over live fields, from the next epoch on.
    ///
    /// # Errors
    /// [`LogicError`] where a field is out of range; nothing is changed then.
    pub(super) fn set(&mut self, config: LogicConfig) -> Result<(), LogicError> {
        self.resident.set_config(config)
    }
}

impl LogicExperiment {
    /// Moves training to a GPU; the epoch that is under way is begun again there.
    ///
    /// # Errors
    /// [`LabError`] saying why it does not fit there; it then stays where it is.
    pub(super) fn move_to(&mut self, gpu: Gpu) -> Result<(), LabError> {
        let resident = Resident::new(&gpu, &self.learner).map_err(|error| self.unfit(&gpu, &error))?;
        let state = self.learner.state();
        self.learner.adopt(&state).map_err(|error| refused(&error))?;
        self.device = Some(Device { gpu, resident, waiting: false });
        Ok(())
    }

    /// Moves training back to the CPU; epochs that are under way on the device are taken again here.
    pub(super) fn move_back(&mut self) {
        self.device = None;
    }

    /// A slice of work on the device, if training is there.
    pub(super) fn advance_device(&mut self) -> Option<Result<(), LabError>> {
        let device = self.device.as_mut()?;
        let advanced = device.resident.advance();
        device.waiting = matches!(advanced, Ok(Advance::Waiting));
        Some(match advanced {
            Ok(Advance::Waiting) => Ok(()),
            Ok(Advance::Finished(report)) => match device.resident.hand_over(&mut self.learner) {
                Ok(()) => self.book(&report),
                Err(error) => self.break_down(&error.to_string()),
            },
            Err(LogicError::Gpu(error)) => {
                self.lose(&error);
                Ok(())
            }
            Err(error) => self.break_down(&error.to_string()),
        })
    }

    /// Begins anew on the device with what the learner on the CPU is now.
    pub(super) fn renew_device(&mut self) {
        let Some(device) = self.device.take() else { return };
        let gpu = device.gpu.clone();
        // Its memory is used again.
        drop(device);
        match Resident::new(&gpu, &self.learner) {
            Ok(resident) => self.device = Some(Device { gpu, resident, waiting: false }),
            Err(LogicError::Gpu(error)) => self.lose(&error),
            Err(error) => self.lose(&GpuError::Device { reason: error.to_string() }),
        }
    }

    /// Goes on without the device, and says so.
    fn lose(&mut self, error: &GpuError) {
        self.device = None;
        let mut what = error.to_string();
        // As the beginning of a sentence.
        if let Some(first) = what.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        self.tell(MetricRow {
            steps: self.learner.epoch(),
            values: Vec::new(),
            notice: Some(format!(
                "{what}. Training goes on on the CPU from the last finished epoch; nothing learnt is lost."
            )),
        });
    }

    /// Why the learner cannot be on this GPU: the field to make smaller, where it is one.
    fn unfit(&self, gpu: &Gpu, error: &LogicError) -> LabError {
        match error {
            LogicError::Gpu(error @ (GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. })) => {
                let allowed = format!(
                    "fewer boards, or fewer steps or channels, are needed on {}: {error}",
                    gpu.report().name
                );
                LabError::invalid(in_section("batch"), self.learner.config().batch.to_string(), allowed)
            }
            error => refused(error),
        }
    }
}
