//! The model, the text that it reads, and its gradient steps.

#[cfg(feature = "gpu")]
use super::device::{self, Device, Step, Task};
use super::learning::Reading;
use super::peak::Peak;
#[cfg(feature = "gpu")]
use super::refusal::Stopped;
use super::refusal::{refused, refused_text};
use super::trained::TrainedModel;
use crate::entries::Chosen;
#[cfg(feature = "gpu")]
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
#[cfg(feature = "gpu")]
use vivarium_lab::device::lost;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{MetricRow, Progress};
use vivarium_lab::run::MOST_ROLL_BACKS;
use vivarium_lm::{LanguageError, Learnt, Position};

/// After so many gradient steps a breakdown is forgotten.
const CALM_AFTER: u64 = 500;

/// A model in training.
pub(super) struct Training {
    pub(super) chosen: Chosen,
    /// There once the tokenizer is made.
    pub(super) model: Option<TrainedModel>,
    pub(super) reading: Option<Reading>,
    /// Where in the text training goes on.
    pub(super) position: Position,
    /// Breakdowns of late, and the gradient steps before the last one.
    pub(super) breakdowns: u32,
    pub(super) broke_at: u64,
    /// The loss of the last gradient step.
    pub(super) loss: Option<f64>,
    /// Seconds that the step under way has taken so far.
    seconds: f64,
    peak: Peak,
    /// Where training is, if it is not on the CPU.
    #[cfg(feature = "gpu")]
    pub(super) device: Option<Device>,
}

/// What came of a slice of training.
pub(super) enum Slice {
    /// There is more to do before there is anything to report.
    UnderWay,
    /// What a gradient step measured, or that the device is gone.
    Reported(MetricRow),
    /// Numbers that are none: the reason, and what has not been learnt.
    Broken { reason: String, left_out: String },
}

impl Training {
    /// Before there is a model.
    pub(super) fn new(chosen: Chosen) -> Self {
        Self {
            chosen,
            model: None,
            reading: None,
            position: Position::default(),
            breakdowns: 0,
            broke_at: 0,
            loss: None,
            seconds: 0.0,
            peak: Peak::default(),
            #[cfg(feature = "gpu")]
            device: None,
        }
    }

    /// Gradient steps so far.
    pub(super) fn updates(&self) -> u64 {
        self.model.as_ref().map_or(0, |model| model.trainer.updates())
    }

    /// Tokens that so many gradient steps learn from.
    pub(super) fn tokens(&self, updates: u64) -> u64 {
        let learner = &self.chosen.learner;
        updates.saturating_mul(u64::from(learner.batch) * u64::from(learner.context))
    }

    /// Steps are tokens that were learnt from, episodes whole readings of the text.
    pub(super) fn progress(&self) -> Progress {
        let (updates, last) = (self.updates(), self.chosen.learner.anneal_updates);
        Progress {
            steps: self.tokens(updates),
            updates,
            episodes: self.position.epoch.into(),
            total_steps: (last > 0).then(|| self.tokens(last)),
        }
    }

    /// A row of what is known of these, after so many gradient steps.
    pub(super) fn row<const N: usize>(&self, updates: u64, values: [(&str, Option<f64>); N]) -> MetricRow {
        let known = values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        MetricRow { steps: self.tokens(updates), values: known.collect(), notice: None }
    }

    /// Takes over live fields.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for what cannot change.
    pub(super) fn set_config(&mut self, chosen: Chosen) -> Result<(), LabError> {
        if let Some(model) = &mut self.model {
            model.trainer.set_config(chosen.learner.clone()).map_err(|error| refused(&error))?;
        }
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            device::set_config(device, &chosen.learner)?;
        }
        self.chosen = chosen;
        Ok(())
    }

    /// Does a slice of a gradient step, a few sequences for each thread, or what the device has to have done for it.
    ///
    /// # Errors
    /// [`LabError`] where text or learner cannot go on.
    pub(super) fn advance(&mut self, cpu: &Cpu, clock: Option<fn() -> f64>) -> Result<Slice, LabError> {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return self.advance_device(cpu, clock);
        }
        let (Some(model), Some(reading)) = (&mut self.model, &mut self.reading) else {
            return Ok(Slice::UnderWay);
        };
        if !model.trainer.is_under_way() {
            let more = reading.training.draw(self.chosen.learner.batch as usize);
            if more.map_err(|error| refused_text(&self.chosen.data, &error))? {
                return Ok(Slice::UnderWay);
            }
            model.trainer.begin(reading.training.sequences()).map_err(|error| refused(&error))?;
            self.seconds = 0.0;
        }
        let began = clock.map(|clock| clock());
        let outcome = model.trainer.advance(cpu);
        self.seconds += clock.zip(began).map_or(0.0, |(clock, began)| clock() - began);
        if let Ok(None) = outcome {
            return Ok(Slice::UnderWay);
        }
        // Until here a checkpoint would have gone on with the same sequences.
        self.position = reading.training.position();
        match outcome {
            Ok(learnt) => Ok(learnt.map_or(Slice::UnderWay, |learnt| {
                let peak = clock.and_then(|clock| self.peak.of(cpu, clock));
                self.book(self.updates(), learnt, Some(self.seconds), peak)
            })),
            Err(error @ LanguageError::NotFinite { .. }) => {
                Ok(Slice::Broken { reason: error.to_string(), left_out: "That step was left out".into() })
            }
            Err(error) => Err(refused(&error)),
        }
    }

    /// Books a gradient step, after which there were so many, and the seconds that it took. `peak` is what it could be computed
    /// with at best, in operations a second, where that is known.
    fn book(&mut self, updates: u64, learnt: Learnt, seconds: Option<f64>, peak: Option<f64>) -> Slice {
        let Learnt { loss, gradient_norm, learning_rate } = learnt;
        if updates >= self.broke_at + CALM_AFTER {
            self.breakdowns = 0;
        }
        self.loss = Some(loss);
        let speed = seconds.filter(|&seconds| seconds > 0.0).map(|seconds| self.tokens(1) as f64 / seconds);
        let vocabulary = self.model.as_ref().map_or(0, |model| model.tokenizer.vocabulary());
        let flops = self.chosen.learner.flops_per_token(vocabulary);
        let values = [
            ("loss", Some(loss)),
            ("learning_rate", Some(learning_rate.into())),
            ("gradient_norm", Some(gradient_norm)),
            ("tokens_per_second", speed),
            ("peak_share", speed.zip(peak).map(|(speed, peak)| speed * flops / peak)),
        ];
        Slice::Reported(self.row(updates, values))
    }

    /// Counts a breakdown. The weights are those before the step that would have spoilt them. Returns whether there is use in
    /// going on.
    pub(super) fn break_down(&mut self) -> bool {
        self.breakdowns += 1;
        self.broke_at = self.updates();
        self.breakdowns <= MOST_ROLL_BACKS
    }
}

#[cfg(feature = "gpu")]
impl Training {
    /// Moves training to a GPU; the gradient step that is under way is begun again there.
    ///
    /// # Errors
    /// [`LabError`] saying why it does not fit there; it then stays where it is.
    pub(super) fn train_on(&mut self, gpu: Gpu) -> Result<(), LabError> {
        let trainer = self.model.as_ref().map(|model| &model.trainer);
        let device = device::begin(gpu, &self.chosen.learner, trainer)?;
        self.go_back()?;
        self.device = Some(device);
        Ok(())
    }

    /// Moves training back to the CPU; gradient steps since the last that came back are taken again here.
    ///
    /// # Errors
    /// [`LabError`] where the text cannot be read.
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

    fn advance_device(&mut self, cpu: &Cpu, clock: Option<fn() -> f64>) -> Result<Slice, LabError> {
        let stop = self.stop();
        let Self {
            device: Some(device), model: Some(model), reading: Some(reading), position, chosen, ..
        } = self
        else {
            return Ok(Slice::UnderWay);
        };
        let (trainer, text) = (&mut model.trainer, &mut reading.training);
        let task = Task { trainer, text, position, rows: chosen.learner.batch as usize, stop, clock };
        match device::advance(device, cpu, task) {
            Ok(None) => Ok(Slice::UnderWay),
            Ok(Some(Step { updates, learnt, seconds })) => Ok(self.book(updates, learnt, seconds, None)),
            Err(Stopped::Model(LanguageError::Gpu(error))) => self.lose(&error).map(Slice::Reported),
            Err(Stopped::Model(error @ LanguageError::NotFinite { .. })) => Ok(Slice::Broken {
                reason: error.to_string(),
                left_out: format!("What was learnt after {} gradient steps was left out", self.updates()),
            }),
            Err(stopped) => Err(stopped.refused(&chosen.data)),
        }
    }

    /// How many gradient steps may be handed over until what was learnt has come back: an evaluation is of that, and so is the
    /// end.
    fn stop(&self) -> u64 {
        let (here, last) = (self.updates(), self.chosen.learner.anneal_updates);
        let evaluation = self.chosen.evaluation.next(here).unwrap_or(u64::MAX);
        if here < last { evaluation.min(last) } else { evaluation }
    }

    /// Begins anew on the device, if training is there, with what the learner on the CPU is now. Returns what to report where
    /// the device is gone.
    ///
    /// # Errors
    /// [`LabError`] where the text cannot be read.
    pub(super) fn renew_device(&mut self) -> Result<Option<MetricRow>, LabError> {
        let Some(device) = self.device.take() else { return Ok(None) };
        self.go_back()?;
        match device::renewed(device, self.model.as_ref().map(|model| &model.trainer)) {
            Ok(device) => {
                self.device = Some(device);
                Ok(None)
            }
            Err(error) => self.lose(&error).map(Some),
        }
    }

    /// Goes on without the device. Returns what to report of that.
    fn lose(&mut self, error: &GpuError) -> Result<MetricRow, LabError> {
        self.leave_device()?;
        let updates = self.updates();
        let from = format!("after {updates} gradient steps, the last whose weights had come back");
        Ok(lost(error, &from, self.tokens(updates)))
    }
}
