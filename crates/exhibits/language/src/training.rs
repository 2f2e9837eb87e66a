//! Training of the model: gradient steps on CPU or GPU, and recovery from divergence.

#[cfg(feature = "gpu")]
use super::failure::LanguageFailure;
use super::failure::refused_text;
#[cfg(feature = "gpu")]
use super::gpu_learner::{GpuLearner, GpuStepContext, GpuStepReport};
use super::loading::LoadedText;
use super::peak_flops::PeakFlops;
use super::trained_model::TrainedModel;
use crate::entries::{LanguageSettings, MeasuredStep, STEP};
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
#[cfg(feature = "gpu")]
use vivarium_lab::device::Device;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{EngineInfo, MetricRow, Progress};
use vivarium_lab::train::{AnyTraining, SliceError};
#[cfg(feature = "gpu")]
use vivarium_lm::{Advance, LanguageOptimizer};
use vivarium_lm::{StepMetrics, TextPosition};

/// Training state of a run: model, training text and position in the text.
pub(super) struct LanguageTraining {
    pub(super) settings: LanguageSettings,
    /// Model and tokenizer; `None` before the tokenizer is built.
    pub(super) model: Option<TrainedModel>,
    pub(super) loaded_text: Option<LoadedText>,
    /// Position in the training text at which the batch of the next gradient step starts.
    pub(super) position: TextPosition,
    /// Training loss of the last gradient step, in nats per token.
    pub(super) loss: Option<f64>,
    /// Time spent so far on the gradient step in progress, in seconds.
    seconds: f64,
    peak: PeakFlops,
    /// Trainer on a GPU; `None` if training runs on the CPU.
    #[cfg(feature = "gpu")]
    pub(super) device: Option<Device<GpuLearner>>,
    /// Whether the last training slice did no work because the GPU was computing.
    is_waiting: bool,
}

impl LanguageTraining {
    /// Creates the training state of a new run, without model and text.
    pub(super) fn new(settings: LanguageSettings) -> Self {
        Self {
            settings,
            model: None,
            loaded_text: None,
            position: TextPosition::default(),
            loss: None,
            seconds: 0.0,
            peak: PeakFlops::default(),
            #[cfg(feature = "gpu")]
            device: None,
            is_waiting: false,
        }
    }

    /// Returns the number of gradient steps so far.
    pub(super) fn updates(&self) -> u64 {
        self.model.as_ref().map_or(0, |model| model.trainer.updates())
    }

    /// Returns the number of training tokens that `updates` gradient steps process.
    pub(super) fn tokens(&self, updates: u64) -> u64 {
        let learner = &self.settings.learner;
        updates.saturating_mul(u64::from(learner.batch) * u64::from(learner.context))
    }

    /// Replaces the config of the run. Only live fields (fields that may change during a run) may differ.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a field that is not live differs.
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

    /// Computes a part of a gradient step: on the CPU one micro-batch per thread, on the GPU submissions and readbacks.
    /// Returns the metrics of the gradient step if this call finished it.
    ///
    /// # Errors
    /// [`SliceError`], whose variant determines the recovery.
    pub(super) fn advance(
        &mut self,
        cpu: &Cpu,
        clock: Option<fn() -> f64>,
    ) -> Result<Option<MetricRow>, SliceError> {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return self.advance_device(cpu, clock);
        }
        let (Some(model), Some(loaded_text)) = (&mut self.model, &mut self.loaded_text) else {
            return Ok(None);
        };
        if !model.trainer.is_step_in_progress() {
            let more = loaded_text.training.draw(self.settings.learner.batch as usize);
            if more.map_err(|error| SliceError::Failed(refused_text(&self.settings.data, &error)))? {
                return Ok(None);
            }
            model.trainer.begin_step(loaded_text.training.sequences())?;
            self.seconds = 0.0;
        }
        let began = clock.map(|clock| clock());
        let outcome = model.trainer.advance(cpu);
        self.seconds += clock.zip(began).map_or(0.0, |(clock, began)| clock() - began);
        if let Ok(None) = outcome {
            return Ok(None);
        }
        // The position advances only with the optimizer step: a run that resumes from a checkpoint within a gradient
        // step repeats the batch.
        self.position = loaded_text.training.position();
        let metrics = outcome?;
        let peak = clock.and_then(|clock| self.peak.of(cpu, clock));
        Ok(metrics.map(|metrics| self.measured(self.updates(), metrics, Some(self.seconds), peak)))
    }

    /// Stores the loss of gradient step `updates`, which took `seconds`, and returns the metrics of the step. `peak`:
    /// peak rate of the CPU in floating-point operations per second; `None` if not measured.
    fn measured(
        &mut self,
        updates: u64,
        metrics: StepMetrics,
        seconds: Option<f64>,
        peak: Option<f64>,
    ) -> MetricRow {
        self.loss = Some(metrics.loss);
        let speed = seconds.filter(|&seconds| seconds > 0.0).map(|seconds| self.tokens(1) as f64 / seconds);
        let vocabulary = self.model.as_ref().map_or(0, |model| model.tokenizer.vocabulary());
        let flops = self.settings.learner.flops_per_token(vocabulary);
        let peak_share = speed.zip(peak).map(|(speed, peak)| speed * flops / peak);
        MetricRow::of(self.tokens(updates), STEP, &MeasuredStep { metrics, speed, peak_share })
    }
}

impl LanguageTraining {
    /// Returns a sentence for the user that states which gradient steps were discarded after a divergence.
    pub(super) fn left_out(&self) -> String {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return format!("The gradient steps after step {} were discarded", self.updates());
        }
        "The step was discarded".into()
    }
}

#[cfg(feature = "gpu")]
impl LanguageTraining {
    /// Cancels the gradient step in progress, and moves the batch stream back to the position in the text of the CPU
    /// trainer.
    ///
    /// # Errors
    /// [`LabError`] if the text cannot be read.
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
    ) -> Result<Option<MetricRow>, SliceError> {
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
            return Ok(None);
        };
        let (trainer, text) = (&mut model.trainer, &mut loaded_text.training);
        let task =
            GpuStepContext { trainer, text, position, rows: settings.learner.batch as usize, stop, clock };
        let gpu = device.gpu().clone();
        let slice = device.trainer.advance(&gpu, cpu, task).map_err(|failure| match failure {
            LanguageFailure::Model(error) => error.into(),
            other => SliceError::Failed(other.refused(&settings.data)),
        });
        self.is_waiting = matches!(slice, Ok(Advance::Waiting));
        Ok(slice?.finished().map(|GpuStepReport { updates, metrics, seconds }| {
            self.measured(updates, metrics, seconds, None)
        }))
    }

    /// Returns the number of the gradient step at which GPU training waits for a readback of the weights: at the next
    /// evaluation or at the end of training.
    fn stop(&self) -> u64 {
        let (here, last) = (self.updates(), self.settings.learner.anneal_updates);
        let evaluation = self.settings.evaluation.next(here).unwrap_or(u64::MAX);
        if here < last { evaluation.min(last) } else { evaluation }
    }
}

impl AnyTraining for LanguageTraining {
    /// Returns the training progress: steps are training tokens, episodes are epochs.
    fn progress(&self) -> Progress {
        let (updates, last) = (self.updates(), self.settings.learner.anneal_updates);
        Progress {
            steps: self.tokens(updates),
            updates,
            episodes: self.position.epoch.into(),
            total_steps: (last > 0).then(|| self.tokens(last)),
        }
    }

    fn engine(&self) -> EngineInfo {
        #[cfg(feature = "gpu")]
        if let Some(device) = &self.device {
            return device.info();
        }
        EngineInfo::Cpu
    }

    fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    #[cfg(feature = "gpu")]
    fn move_to(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        if self.settings.learner.optimizer != LanguageOptimizer::AdamW {
            let message = "the GPU engine supports only learner.optimizer=adamw; use it, or train on the CPU";
            return Err(SliceError::Failed(LabError::engine(message)));
        }
        let trainer = self.model.as_ref().map(|model| &model.trainer);
        let device = Device::new(gpu, |gpu| GpuLearner::new(gpu, trainer))?;
        self.go_back().map_err(SliceError::Failed)?;
        (self.device, self.is_waiting) = (Some(device), false);
        Ok(())
    }

    #[cfg(feature = "gpu")]
    fn leave_gpu(&mut self) -> Option<Gpu> {
        self.is_waiting = false;
        self.device.take().map(Device::leave)
    }
}
