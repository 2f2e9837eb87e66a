//! Training state of a run: settings, model and learner (once the tokenizer exists), loaded text, and time measurement.

use super::failure::shown;
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
use vivarium_lm::LanguageOptimizer;
use vivarium_lm::{Advance, BatchStream, LanguageStepWork, StepMetrics, TEXT_FIELD};

/// Training state of a run: settings, model, loaded text, and the time spent on the gradient step in progress.
pub(super) struct LanguageTraining {
    pub(super) settings: LanguageSettings,
    /// Model and tokenizer; `None` before the tokenizer is built.
    pub(super) model: Option<TrainedModel>,
    /// Whether the run continues the training of a model of which it has the weights only: a checkpoint with weights
    /// only, or a model of another program (GPT-2 files of `transformers`). The tokenizer then does not depend on the
    /// training text.
    pub(super) is_pretrained: bool,
    /// Held-out text and n-gram baselines; `None` before the training text is loaded.
    pub(super) loaded_text: Option<LoadedText>,
    /// Training loss of the last gradient step, in nats per token; `None` before the first gradient step.
    pub(super) loss: Option<f64>,
    /// Seconds of training time spent so far on the gradient step in progress.
    seconds: f64,
    /// Clock time in seconds at the end of the last training slice (one call of `advance`). A GPU continues the
    /// gradient step in progress between two slices, so the time between slices counts as well.
    last_slice: Option<f64>,
    peak: PeakFlops,
    /// GPU on which training will start as soon as the model exists; `None` for training on the CPU.
    #[cfg(feature = "gpu")]
    reserved: Option<Device<()>>,
}

impl LanguageTraining {
    /// Creates the training state of a new run, without model and text.
    pub(super) fn new(settings: LanguageSettings) -> Self {
        Self {
            settings,
            model: None,
            is_pretrained: false,
            loaded_text: None,
            loss: None,
            seconds: 0.0,
            last_slice: None,
            peak: PeakFlops::default(),
            #[cfg(feature = "gpu")]
            reserved: None,
        }
    }

    /// Returns the number of gradient steps that the model has been trained for.
    pub(super) fn updates(&self) -> u64 {
        self.model.as_ref().map_or(0, |model| model.trainer().updates())
    }

    /// Returns the number of training tokens that `updates` gradient steps process.
    pub(super) fn tokens(&self, updates: u64) -> u64 {
        self.settings.learner.tokens(updates)
    }

    /// Returns the training text as a stream of batches; `None` before the text is loaded.
    pub(super) fn text(&self) -> Option<&BatchStream> {
        self.model.as_ref().and_then(|model| model.training.learner.text())
    }

    /// Replaces the config of the run. Only live fields (fields that may change during a run) may differ.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a field that is not live differs.
    pub(super) fn set_config(&mut self, settings: LanguageSettings) -> Result<(), LabError> {
        if let Some(model) = &mut self.model {
            model.training.set_config(settings.learner.clone())?;
        }
        self.settings = settings;
        Ok(())
    }

    /// Discards the model and its tokenizer after the training text turned out to be unusable. If the model was on a
    /// GPU, the next model will train on the same GPU.
    pub(super) fn discard_model(&mut self) {
        #[cfg(feature = "gpu")]
        if let Some(gpu) = self.leave_gpu() {
            self.reserve(&gpu);
        }
        (self.model, self.loaded_text) = (None, None);
    }

    /// Performs a training slice: a bounded part of a gradient step. Returns the metrics of the gradient step if this
    /// call finished the step.
    ///
    /// # Errors
    /// [`SliceError`], whose variant determines the recovery.
    pub(super) fn advance(
        &mut self,
        cpu: &Cpu,
        clock: Option<fn() -> f64>,
    ) -> Result<Option<MetricRow>, SliceError> {
        let Some(model) = &mut self.model else { return Ok(None) };
        #[cfg(feature = "gpu")]
        if let Some(device) = self.reserved.take() {
            model.training.move_to(&device.leave())?;
        }
        let is_on_gpu = model.training.is_on_gpu();
        let evaluation = self.settings.evaluation.next(model.trainer().updates());
        model.training.learner.pause_at(evaluation.unwrap_or(u64::MAX));
        let began = clock.map(|clock| clock());
        let slice = model.training.advance(cpu);
        let ended = clock.map(|clock| clock());
        // The CPU works only during a call, a GPU also between calls.
        let began = self.last_slice.filter(|_| is_on_gpu).or(began);
        self.seconds += ended.zip(began).map_or(0.0, |(ended, began)| ended - began);
        self.last_slice = ended;
        if slice.is_err() {
            self.stop_clock();
        }
        match slice.map_err(|stopped| self.with_text_name(stopped))? {
            Advance::Finished(metrics) => {
                let peak = clock.filter(|_| !is_on_gpu).and_then(|clock| self.peak.of(cpu, clock));
                let seconds = std::mem::take(&mut self.seconds);
                Ok(Some(self.measured(metrics, seconds, peak)))
            }
            Advance::Unfinished(LanguageStepWork::ReadText) => {
                self.stop_clock();
                Ok(None)
            }
            Advance::Unfinished(LanguageStepWork::GradientStep) | Advance::Waiting => Ok(None),
        }
    }

    /// Excludes the present slice (one call of the run's `advance`) from the measured time of the gradient step,
    /// because the slice does other work than training.
    pub(super) fn stop_clock(&mut self) {
        (self.seconds, self.last_slice) = (0.0, None);
    }

    /// Adds the name of the training text to `stopped` if this error is about the text. The learner reports errors
    /// about the text without its name.
    fn with_text_name(&self, stopped: SliceError) -> SliceError {
        match stopped {
            SliceError::Failed(LabError::Invalid { field, allowed, .. }) if field == TEXT_FIELD => {
                SliceError::Failed(LabError::invalid(field, shown(&self.settings.data), allowed))
            }
            other => other,
        }
    }

    /// Stores the loss of a finished gradient step, and returns the metrics of the step. `seconds` is the duration of
    /// the step (0: not measured). `peak` is the peak rate of the CPU in floating-point operations per second; `None`
    /// if not measured.
    fn measured(&mut self, metrics: StepMetrics, seconds: f64, peak: Option<f64>) -> MetricRow {
        self.loss = Some(metrics.loss);
        let speed = (seconds > 0.0).then(|| self.tokens(1) as f64 / seconds);
        let vocabulary = self.model.as_ref().map_or(0, |model| model.tokenizer.vocabulary());
        let flops = self.settings.learner.flops_per_token(vocabulary);
        let peak_share = speed.zip(peak).map(|(speed, peak)| speed * flops / peak);
        MetricRow::of(self.tokens(metrics.updates), STEP, &MeasuredStep { metrics, speed, peak_share })
    }

    /// Returns a sentence for the user about the gradient steps that were discarded because of a divergence.
    pub(super) fn left_out(&self) -> String {
        if self.model.as_ref().is_some_and(|model| model.training.is_on_gpu()) {
            return format!("The gradient steps after step {} were discarded", self.updates());
        }
        "The step was discarded".into()
    }

    #[cfg(feature = "gpu")]
    fn reserve(&mut self, gpu: &Gpu) {
        let Ok(device) = Device::new(gpu, |_| Ok::<_, std::convert::Infallible>(()));
        self.reserved = Some(device);
    }
}

/// Delegates to the [`Training`](vivarium_lab::train::Training) of the model. If the model does not exist yet, a move
/// to a GPU only stores the GPU, on which training then starts.
impl AnyTraining for LanguageTraining {
    fn progress(&self) -> Progress {
        let last = self.settings.learner.anneal_updates;
        let total_steps = (last > 0).then(|| self.tokens(last));
        let before = Progress { total_steps, ..Progress::default() };
        self.model.as_ref().map_or(before, |model| model.training.progress())
    }

    fn engine(&self) -> EngineInfo {
        #[cfg(feature = "gpu")]
        if let Some(device) = &self.reserved {
            return device.info();
        }
        self.model.as_ref().map_or(EngineInfo::Cpu, |model| model.training.engine())
    }

    fn is_waiting(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.training.is_waiting())
    }

    #[cfg(feature = "gpu")]
    fn move_to(&mut self, gpu: &Gpu) -> Result<(), SliceError> {
        if self.settings.learner.optimizer != LanguageOptimizer::AdamW {
            let message = "the GPU engine supports only learner.optimizer=adamw; use it, or train on the CPU";
            return Err(SliceError::Failed(LabError::engine(message)));
        }
        match &mut self.model {
            Some(model) => {
                model.training.move_to(gpu)?;
                self.reserved = None;
            }
            None => self.reserve(gpu),
        }
        self.stop_clock();
        Ok(())
    }

    #[cfg(feature = "gpu")]
    fn leave_gpu(&mut self) -> Option<Gpu> {
        self.stop_clock();
        let reserved = self.reserved.take().map(Device::leave);
        reserved.or_else(|| self.model.as_mut().and_then(|model| model.training.leave_gpu()))
    }
}
