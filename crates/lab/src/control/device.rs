//! The learner on a GPU, beside the one on the CPU.
//!
//! The one on the device does the training. After each of its iterations the one on the CPU takes over where it is: what is
//! shown, evaluated, saved and rolled back is always that one, and a run that loses its device has lost no more than the
//! iterations that were under way there.

use super::experiment::{ControlExperiment, refused};
use crate::error::LabError;
use crate::protocol::{EngineInfo, MetricRow};
use crate::registry::control::describe::Exhibit;
use vivarium_agents::ppo::resident::{Advance, Resident};
use vivarium_agents::ppo::{PpoConfig, PpoError};
use vivarium_gpu::{Gpu, GpuError};

/// A GPU at work on the experiment.
pub(super) struct Device<W: Exhibit> {
    gpu: Gpu,
    resident: Resident<W>,
    /// Whether the last slice found nothing finished.
    pub(super) waiting: bool,
}

impl<W: Exhibit> Device<W> {
    pub(super) fn info(&self) -> EngineInfo {
        let report = self.gpu.report();
        EngineInfo::Gpu { adapter: report.name.clone(), software: report.software }
    }

    /// Takes over live fields and the world, from the next iteration on.
    ///
    /// # Errors
    /// [`PpoError`] where a field is out of range; nothing is changed then.
    pub(super) fn set(&mut self, config: PpoConfig, world: W::Params) -> Result<(), PpoError> {
        self.resident.set_config(config)?;
        self.resident.set_world(world)
    }
}

impl<W: Exhibit> ControlExperiment<W> {
    /// Moves training to a GPU; the iteration that is under way is begun again there.
    ///
    /// # Errors
    /// [`LabError`] saying why it does not fit there; it then stays where it is.
    pub(super) fn move_to(&mut self, gpu: Gpu) -> Result<(), LabError> {
        let resident = Resident::new(&gpu, &self.ppo).map_err(|error| self.unfit(&gpu, &error))?;
        self.forget_iteration()?;
        self.device = Some(Device { gpu, resident, waiting: false });
        Ok(())
    }

    /// Moves training back to the CPU; iterations that are under way on the device are taken again here.
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
            Ok(Advance::Finished(report)) => {
                self.take_over().map_err(|error| refused(&error)).and_then(|()| self.book(&report))
            }
            Err(PpoError::Gpu(error)) => {
                self.lose(&error);
                Ok(())
            }
            Err(error) => {
                let verdict = self.guard.breakdown(error.to_string());
                self.follow(verdict)
            }
        })
    }

    /// Begins anew on the device with what the learner on the CPU is now.
    pub(super) fn renew_device(&mut self) {
        let Some(device) = self.device.take() else { return };
        let gpu = device.gpu.clone();
        // Its memory is used again.
        drop(device);
        match Resident::new(&gpu, &self.ppo) {
            Ok(resident) => self.device = Some(Device { gpu, resident, waiting: false }),
            Err(PpoError::Gpu(error)) => self.lose(&error),
            Err(error) => self.lose(&GpuError::Device { reason: error.to_string() }),
        }
    }

    /// The learner on the CPU becomes what the one on the device is.
    fn take_over(&mut self) -> Result<(), PpoError> {
        match &self.device {
            Some(device) => self.ppo.adopt(device.resident.state()),
            None => Ok(()),
        }
    }

    /// Takes the learner on the CPU back to the start of its iteration.
    fn forget_iteration(&mut self) -> Result<(), LabError> {
        let state = self.ppo.state().clone();
        self.ppo.adopt(&state).map_err(|error| refused(&error))
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
            steps: self.ppo.counters().steps,
            values: Vec::new(),
            notice: Some(format!(
                "{what}. Training goes on on the CPU from the last finished iteration; nothing learnt is lost."
            )),
        });
    }

    /// Why the learner cannot be on this GPU: the field to make smaller, where it is one.
    fn unfit(&self, gpu: &Gpu, error: &PpoError) -> LabError {
        let name = &gpu.report().name;
        let config = self.ppo.config();
        match error {
            PpoError::Gpu(GpuError::BufferTooLarge { what, needed, allowed }) => {
                // Every one of these grows in proportion to the field.
                let fits =
                    |value: u32| (u128::from(value) * u128::from(*allowed) / u128::from(*needed)).max(1);
                let of_a_minibatch = what.contains(&format!("for {} rows", config.minibatch));
                let (field, value) = if of_a_minibatch && config.minibatch != config.lanes {
                    ("minibatch", config.minibatch)
                } else {
                    ("lanes", config.lanes)
                };
                let allowed = format!(
                    "on {name} at most about {} are possible with the rest as it is, since {error}",
                    fits(value)
                );
                LabError::invalid(format!("ppo.{field}"), value.to_string(), allowed)
            }
            PpoError::Gpu(GpuError::OutOfMemory { .. }) => LabError::invalid(
                "ppo.lanes",
                config.lanes.to_string(),
                format!("fewer of them, or a smaller ppo.minibatch, are needed on {name}: {error}"),
            ),
            PpoError::Gpu(error) => LabError::engine(error.to_string()),
            error => refused(error),
        }
    }
}
