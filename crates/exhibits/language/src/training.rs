//! The model, the text that it reads, and its gradient steps.

#[cfg(feature = "gpu")]
use super::failure::LanguageFailure;
use super::failure::refused_text;
#[cfg(feature = "gpu")]
use super::gpu_learner::{GpuLearner, GpuStepContext, GpuStepReport};
use super::loading::LoadedText;
use super::peak_flops::PeakFlops;
use super::trained_model::TrainedModel;
use crate::entries::{LanguageSettings, MeasuredStep, STEP};
use vivarium_graph::Cpu;
#[cfg(feature = "gpu")]
use vivarium_lab::device::Device;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{MetricRow, Progress};
use vivarium_lab::run::MOST_ROLL_BACKS;
use vivarium_lab::train::{Slice, SliceError};
use vivarium_lm::{StepMetrics, TextPosition};

/// After so many gradient steps a breakdown is forgotten.
const CALM_AFTER: u64 = 500;

/// A model in training.
pub(super) struct Training {
    pub(super) settings: LanguageSettings,
    /// There once the tokenizer is made.
    pub(super) model: Option<TrainedModel>,
    pub(super) loaded_text: Option<LoadedText>,
    /// Where in the text training goes on.
    pub(super) position: TextPosition,
    /// Breakdowns of late, and the gradient steps before the last one.
    pub(super) breakdowns: u32,
    pub(super) broke_at: u64,
    /// The loss of the last gradient step.
    pub(super) loss: Option<f64>,
    /// Seconds that the step under way has taken so far.
    seconds: f64,
    peak: PeakFlops,
    /// Where training is, if it is not on the CPU.
    #[cfg(feature = "gpu")]
    pub(super) device: Option<Device<GpuLearner>>,
}

impl Training {
    /// Before there is a model.
    pub(super) fn new(settings: LanguageSettings) -> Self {
        Self {
            settings,
            model: None,
            loaded_text: None,
            position: TextPosition::default(),
            breakdowns: 0,
            broke_at: 0,
            loss: None,
            seconds: 0.0,
            peak: PeakFlops::default(),
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
        let learner = &self.settings.learner;
        updates.saturating_mul(u64::from(learner.batch) * u64::from(learner.context))
    }

    /// Steps are tokens that were learned from, episodes whole readings of the text.
    pub(super) fn progress(&self) -> Progress {
        let (updates, last) = (self.updates(), self.settings.learner.anneal_updates);
        Progress {
            steps: self.tokens(updates),
            updates,
            episodes: self.position.epoch.into(),
            total_steps: (last > 0).then(|| self.tokens(last)),
        }
    }

    /// Takes over live fields.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for what cannot change.
    pub(super) fn set_config(&mut self, settings: LanguageSettings) -> Result<(), LabError> {
        if let Some(model) = &mut self.model {
            model.trainer.set_config(settings.learner.clone())?;
        }
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            device.trainer.set_config(&settings.learner)?;
        }
        self.settings = settings;
        Ok(())
    }

    /// Does a slice of a gradient step, a few sequences for each thread, or what the device has to have done for it. Returns what a
    /// finished one measured.
    ///
    /// # Errors
    /// [`SliceError`] saying how the run can go on.
    pub(super) fn advance(
        &mut self,
        cpu: &Cpu,
        clock: Option<fn() -> f64>,
    ) -> Result<Slice<MetricRow>, SliceError> {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return self.advance_device(cpu, clock);
        }
        let (Some(model), Some(loaded_text)) = (&mut self.model, &mut self.loaded_text) else {
            return Ok(Slice::Unfinished);
        };
        if !model.trainer.is_step_in_progress() {
            let more = loaded_text.training.draw(self.settings.learner.batch as usize);
            if more.map_err(|error| SliceError::Failed(refused_text(&self.settings.data, &error)))? {
                return Ok(Slice::Unfinished);
            }
            model.trainer.begin_step(loaded_text.training.sequences())?;
            self.seconds = 0.0;
        }
        let began = clock.map(|clock| clock());
        let outcome = model.trainer.advance(cpu);
        self.seconds += clock.zip(began).map_or(0.0, |(clock, began)| clock() - began);
        if let Ok(None) = outcome {
            return Ok(Slice::Unfinished);
        }
        // Until here a checkpoint would have gone on with the same sequences.
        self.position = loaded_text.training.position();
        let learned = outcome?;
        let peak = clock.and_then(|clock| self.peak.of(cpu, clock));
        Ok(learned.map(|learned| self.measured(self.updates(), learned, Some(self.seconds), peak)).into())
    }

    /// What a gradient step measured, after which there were so many, and which took so many seconds. `peak` is what it could be
    /// computed with at best, in operations a second, where that is known.
    fn measured(
        &mut self,
        updates: u64,
        learned: StepMetrics,
        seconds: Option<f64>,
        peak: Option<f64>,
    ) -> MetricRow {
        if updates >= self.broke_at + CALM_AFTER {
            self.breakdowns = 0;
        }
        self.loss = Some(learned.loss);
        let speed = seconds.filter(|&seconds| seconds > 0.0).map(|seconds| self.tokens(1) as f64 / seconds);
        let vocabulary = self.model.as_ref().map_or(0, |model| model.tokenizer.vocabulary());
        let flops = self.settings.learner.flops_per_token(vocabulary);
        let peak_share = speed.zip(peak).map(|(speed, peak)| speed * flops / peak);
        MetricRow::of(self.tokens(updates), STEP, &MeasuredStep { learned, speed, peak_share })
    }

    /// Counts a breakdown. The weights are those before the step that would have spoiled them. Returns whether there is use in
    /// going on.
    pub(super) fn count_divergence(&mut self) -> bool {
        self.breakdowns += 1;
        self.broke_at = self.updates();
        self.breakdowns <= MOST_ROLL_BACKS
    }
}

impl Training {
    /// What a breakdown leaves out, as a sentence.
    pub(super) fn left_out(&self) -> String {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return format!("What was learned after {} gradient steps was left out", self.updates());
        }
        "That step was left out".into()
    }
}

#[cfg(feature = "gpu")]
impl Training {
    /// Goes back to the place in the text where the learner on the CPU goes on, with no gradient step under way.
    ///
    /// # Errors
    /// [`LabError`] where the text cannot be read.
    pub(super) fn go_back(&mut self) -> Result<(), LabError> {
        if let Some(model) = &mut self.model {
            model.trainer.cancel_step();
        }
        let Some(loaded_text) = &mut self.loaded_text else { return Ok(()) };
        loaded_text.training.seek(self.position).map_err(|error| refused_text(&self.settings.data, &error))
    }

    fn advance_device(
        &mut self,
        cpu: &Cpu,
        clock: Option<fn() -> f64>,
    ) -> Result<Slice<MetricRow>, SliceError> {
        let stop = self.stop();
        let Self {
            device: Some(device),
            model: Some(model),
            loaded_text: Some(loaded_text),
            position,
            settings,
            ..
        } = self
        else {
            return Ok(Slice::Unfinished);
        };
        let (trainer, text) = (&mut model.trainer, &mut loaded_text.training);
        let task =
            GpuStepContext { trainer, text, position, rows: settings.learner.batch as usize, stop, clock };
        let gpu = device.gpu().clone();
        let slice = device.advance(|learner| {
            learner.advance(&gpu, cpu, task).map_err(|failure| match failure {
                LanguageFailure::Model(error) => error.into(),
                other => SliceError::Failed(other.refused(&settings.data)),
            })
        });
        Ok(match slice? {
            Slice::Waiting => Slice::Waiting,
            Slice::Unfinished => Slice::Unfinished,
            Slice::Finished(GpuStepReport { updates, learned, seconds }) => {
                Slice::Finished(self.measured(updates, learned, seconds, None))
            }
        })
    }

    /// How many gradient steps may be handed over until what was learned has come back: an evaluation is of that, and so is the
    /// end.
    fn stop(&self) -> u64 {
        let (here, last) = (self.updates(), self.settings.learner.anneal_updates);
        let evaluation = self.settings.evaluation.next(here).unwrap_or(u64::MAX);
        if here < last { evaluation.min(last) } else { evaluation }
    }
}
