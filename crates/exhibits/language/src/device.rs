//! Training that moves to a [device](vivarium_lab::device) and back.
//!
//! Gradient steps come back one by one, and what was learnt after some of them: exams, samples and checkpoints are of the
//! learner on the CPU, which takes over where the one on the device was a few steps ago.

use super::experiment::LanguageExperiment;
use super::{refused, refused_text};
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::device::{self, lost};
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lm::gpu_trainer::{Advance, GpuTrainer};
use vivarium_lm::{DataError, LanguageError, Learnt, Optimiser, Position, Trainer};

/// Gradient steps after which what was learnt is brought back.
const STRETCH: u64 = 20;

/// A GPU at work on the experiment.
pub(super) type Device = device::Device<Learner>;

/// The learner on a device.
#[derive(Default)]
pub(super) struct Learner {
    /// There once there is a model.
    resident: Option<GpuTrainer>,
    /// Where in the text training goes on after what was handed over.
    position: Position,
    /// Where it goes on after what is on its way back.
    kept: Option<Position>,
    /// When the last gradient step was finished.
    finished_at: Option<f64>,
}

/// Why a slice of work on the device came to nothing.
enum Stopped {
    Text(DataError),
    Model(LanguageError),
}

impl From<DataError> for Stopped {
    fn from(error: DataError) -> Self {
        Self::Text(error)
    }
}

impl From<LanguageError> for Stopped {
    fn from(error: LanguageError) -> Self {
        Self::Model(error)
    }
}

impl Learner {
    /// A learner where there is a model already.
    fn new(gpu: &Gpu, trainer: Option<&Trainer>) -> Result<Self, LanguageError> {
        let resident = trainer.map(|trainer| GpuTrainer::new(gpu, trainer)).transpose()?;
        Ok(Self { resident, ..Self::default() })
    }
}

impl LanguageExperiment {
    /// Moves training to a GPU; the gradient step that is under way is begun again there.
    ///
    /// # Errors
    /// [`LabError`] saying why it does not fit there; it then stays where it is.
    pub(super) fn train_on(&mut self, gpu: Gpu) -> Result<(), LabError> {
        if self.chosen.learner.optimiser != Optimiser::AdamW {
            let message = "a language model is trained on a GPU with learner.optimiser=adamw alone; with another one, on the CPU";
            return Err(LabError::engine(message));
        }
        let trainer = self.model.as_ref().map(|model| &model.trainer);
        let make = |gpu: &Gpu| Learner::new(gpu, trainer).map_err(|error| self.unfit(gpu, &error));
        let device = Device::new(gpu, make)?;
        self.go_back()?;
        self.device = Some(device);
        Ok(())
    }

    /// Moves training back to the CPU; gradient steps since the last that came back are taken again here.
    pub(super) fn leave_device(&mut self) -> Result<(), LabError> {
        if self.device.take().is_some() { self.go_back() } else { Ok(()) }
    }

    /// Goes back to the place in the text where the learner on the CPU goes on, with no gradient step under way.
    fn go_back(&mut self) -> Result<(), LabError> {
        if let Some(model) = &mut self.model {
            model.trainer.give_up();
        }
        let Some(reading) = &mut self.reading else { return Ok(()) };
        reading.training.seek(self.position).map_err(|error| refused_text(&self.chosen.data, &error))
    }

    /// A slice of work on the device, if training is there.
    pub(super) fn learn_on_device(&mut self, cpu: &Cpu) -> Option<Result<(), LabError>> {
        self.device.as_ref()?;
        Some(match self.turn(cpu) {
            Ok(()) => Ok(()),
            Err(Stopped::Text(error)) => Err(refused_text(&self.chosen.data, &error)),
            Err(Stopped::Model(LanguageError::Gpu(error))) => self.lose(&error),
            Err(Stopped::Model(error @ LanguageError::NotFinite { .. })) => {
                let left_out =
                    format!("What was learnt after {} gradient steps was left out", self.updates());
                self.break_down(&error.to_string(), &left_out).and_then(|()| self.renew_device())
            }
            Err(Stopped::Model(error)) => Err(refused(&error)),
        })
    }

    /// Keeps the device busy, and takes in what it has finished.
    fn turn(&mut self, cpu: &Cpu) -> Result<(), Stopped> {
        let (here, stop, rows) = (self.updates(), self.stop(), self.chosen.learner.batch as usize);
        let Self { device: Some(device), model: Some(model), reading: Some(reading), .. } = self else {
            return Ok(());
        };
        let (gpu, trainer) = (device.gpu().clone(), &mut model.trainer);
        let Learner { resident, position, kept, finished_at } = &mut device.resident;
        let resident = match resident {
            Some(resident) => resident,
            None => resident.insert(GpuTrainer::new(&gpu, trainer)?),
        };
        let is_idle = resident.submitted() == resident.updates() && !resident.is_begun();
        if is_idle {
            *finished_at = self.run.clock().map(|clock| clock());
        }
        let mut is_reading = false;
        // What was learnt is brought back before the next gradient step is begun.
        let is_due = |resident: &GpuTrainer| resident.submitted() >= stop.min(here + STRETCH);
        let holds = |resident: &GpuTrainer, kept: &Option<Position>| kept.is_none() && is_due(resident);
        while !is_reading && resident.has_room() && resident.submitted() < stop && !holds(resident, kept) {
            is_reading = reading.training.draw(rows)?;
            if !is_reading {
                resident.submit(reading.training.sequences())?;
                *position = reading.training.position();
            }
        }
        if holds(resident, kept) && !resident.is_begun() {
            resident.keep()?;
            *kept = Some(*position);
        }
        let advance = resident.advance()?;
        let mut returned = false;
        // What is on its way back follows the steps that it was learnt in.
        if resident.kept().is_some_and(|updates| updates <= resident.updates()) {
            returned = resident.hand_over(cpu, trainer)?;
        }
        if let Some(position) = kept.take_if(|_| returned) {
            self.position = position;
        }
        let updates = resident.updates();
        device.waiting = advance == Advance::Waiting && !returned && !is_reading;
        if let Advance::Finished(learnt) = advance {
            self.book_on_device(updates, learnt);
        }
        Ok(())
    }

    /// How many gradient steps may be handed over until what was learnt has come back: an exam is of that, and so is the end.
    fn stop(&self) -> u64 {
        let (here, last) = (self.updates(), self.chosen.learner.anneal_updates);
        let exam = self.chosen.exam.next(here).unwrap_or(u64::MAX);
        if here < last { exam.min(last) } else { exam }
    }

    /// Books a gradient step of the device, after which there were so many.
    fn book_on_device(&mut self, updates: u64, learnt: Learnt) {
        let now = self.run.clock().map(|clock| clock());
        let Some(device) = &mut self.device else { return };
        let before = std::mem::replace(&mut device.resident.finished_at, now);
        let seconds = now.zip(before).map(|(now, before)| now - before);
        self.book(updates, learnt, seconds, None);
    }

    /// Has the device take over live fields.
    pub(super) fn tell_device(&mut self) -> Result<(), LabError> {
        let resident = self.device.as_mut().and_then(|device| device.resident.resident.as_mut());
        let Some(resident) = resident else { return Ok(()) };
        resident.set_config(self.chosen.learner.clone()).map_err(|error| refused(&error))
    }

    /// Begins anew on the device with what the learner on the CPU is now.
    fn renew_device(&mut self) -> Result<(), LabError> {
        self.go_back()?;
        let (Some(device), Some(model)) = (self.device.take(), &self.model) else { return Ok(()) };
        match device.renewed(|gpu| Learner::new(gpu, Some(&model.trainer))) {
            Ok(device) => self.device = Some(device),
            Err(LanguageError::Gpu(error)) => return self.lose(&error),
            Err(error) => return self.lose(&GpuError::Device { reason: error.to_string() }),
        }
        Ok(())
    }

    /// Goes on without the device, and says so.
    fn lose(&mut self, error: &GpuError) -> Result<(), LabError> {
        self.leave_device()?;
        let updates = self.updates();
        let from = format!("after {updates} gradient steps, the last whose weights had come back");
        self.push(lost(error, &from, self.progress().steps));
        Ok(())
    }

    /// Why the learner cannot be on this GPU: the field to make smaller, where it is one.
    fn unfit(&self, gpu: &Gpu, error: &LanguageError) -> LabError {
        match error {
            LanguageError::Gpu(error @ (GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. })) => {
                let name = &gpu.report().name;
                let allowed = format!("a smaller batch or a smaller model is needed on {name}: {error}");
                LabError::invalid("learner.batch", self.chosen.learner.batch.to_string(), allowed)
            }
            LanguageError::Gpu(error) => LabError::engine(error.to_string()),
            error => refused(error),
        }
    }
}
