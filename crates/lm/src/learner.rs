//! Learner of a language model: model and optimizer, the batches of the training text, and the position in the text.
//!
//! An iteration is a gradient step. On a GPU, several steps are in flight: the learner receives weights, optimizer
//! state and position every 20 steps, at the end of the learning-rate schedule, and at the step of
//! [`LanguageLearner::pause_at`].

use crate::config::LanguageConfig;
use crate::data::{BatchStream, TextPosition};
use crate::error::LanguageError;
#[cfg(feature = "gpu")]
use crate::gpu_learner::LanguageGpuLearner;
use crate::trainer::{LanguageStepWork, LanguageTrainer, StepMetrics};
use vivarium_graph::{Cpu, SavedTensors, Tensor, TensorData};
use vivarium_learn::{Advance, AdvanceResult, Learner, TrainingProgress};

/// Name of the checkpoint tensor that stores the position in the training text: epoch, index of the shuffle buffer,
/// index of the window (training sequence).
const POSITION: &str = "text_position";

/// A language model in training, with its training text.
///
/// The text is optional: a restored model can generate text before the front end has supplied the training text.
pub struct LanguageLearner {
    seed: u64,
    trainer: LanguageTrainer,
    text: Option<BatchStream>,
    /// Position in the training text at which the batch of the next gradient step starts.
    position: TextPosition,
    /// Whether the stream of batches has moved past `position`, because batches for later gradient steps were drawn for
    /// a GPU.
    is_ahead: bool,
    pause_at: u64,
}

impl LanguageLearner {
    /// Creates a learner with a randomly initialized model over `vocabulary` tokens. Training waits until
    /// [`set_text`](Self::set_text) supplies the training text.
    ///
    /// # Errors
    /// [`LanguageError`] for an invalid config or vocabulary size.
    pub fn new(config: LanguageConfig, vocabulary: usize, seed: u64) -> Result<Self, LanguageError> {
        let trainer = LanguageTrainer::new(config, vocabulary, seed)?;
        Ok(Self::resume(trainer, TextPosition::default(), seed))
    }

    /// Creates a learner that continues the training of `trainer` at `position` in the training text, as soon as
    /// [`set_text`](Self::set_text) supplies the text.
    #[must_use]
    pub fn resume(trainer: LanguageTrainer, position: TextPosition, seed: u64) -> Self {
        Self { seed, trainer, text: None, position, is_ahead: false, pause_at: u64::MAX }
    }

    /// Sets the training text: a stream of batches that is at the [position](Self::position) of the learner. Without a
    /// text, training waits.
    pub fn set_text(&mut self, text: BatchStream) {
        self.trainer.cancel_step();
        (self.text, self.is_ahead) = (Some(text), false);
    }

    /// Returns the training text as a stream of batches; `None` before [`set_text`](Self::set_text).
    #[must_use]
    pub fn text(&self) -> Option<&BatchStream> {
        self.text.as_ref()
    }

    /// Returns the position in the training text at which the batch of the next gradient step starts.
    #[must_use]
    pub fn position(&self) -> TextPosition {
        self.position
    }

    /// Returns the CPU trainer, which holds the model and the optimizer state.
    #[must_use]
    pub fn trainer(&self) -> &LanguageTrainer {
        &self.trainer
    }

    /// Returns a mutable reference to the model, because evaluations use the model's working memory.
    pub fn model_mut(&mut self) -> &mut crate::Gpt {
        self.trainer.model_mut()
    }

    /// Sets the number of gradient steps of the run after which training on a GPU pauses. Training continues after the
    /// weights have been copied to the learner, for example for an evaluation. `u64::MAX` disables the pause.
    pub fn pause_at(&mut self, updates: u64) {
        self.pause_at = updates;
    }

    /// Discards the gradient step in progress. Moves the stream of batches back to the position in the text at which
    /// the batch of the next gradient step starts.
    fn rewind(&mut self) -> Result<(), LanguageError> {
        self.trainer.cancel_step();
        self.is_ahead = false;
        Ok(self.text.as_mut().map_or(Ok(()), |text| text.seek(self.position))?)
    }
}

impl Learner for LanguageLearner {
    type Config = LanguageConfig;
    type Work = LanguageStepWork;
    type Report = StepMetrics;
    type Error = LanguageError;
    #[cfg(feature = "gpu")]
    type GpuTrainer = LanguageGpuLearner;

    fn config(&self) -> &LanguageConfig {
        self.trainer.config()
    }

    fn set_config(&mut self, config: LanguageConfig) -> Result<(), LanguageError> {
        self.trainer.set_config(config)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the progress of training. The field `steps` counts training tokens, the field `episodes` counts
    /// completed passes over the training text.
    fn progress(&self) -> TrainingProgress {
        let (config, updates) = (self.config(), self.trainer.updates());
        let last = config.anneal_updates;
        TrainingProgress {
            steps: config.tokens(updates),
            updates,
            episodes: self.position.epoch.into(),
            total_steps: (last > 0).then(|| config.tokens(last)),
        }
    }

    /// Returns the kind of work that the next call of [`advance`](Self::advance) begins with: reading text, or a
    /// gradient step.
    fn next_work(&self) -> LanguageStepWork {
        if self.trainer.is_step_in_progress() {
            LanguageStepWork::GradientStep
        } else {
            LanguageStepWork::ReadText
        }
    }

    /// Draws a batch if no gradient step is in progress, then computes a part of the step: one micro-batch per thread,
    /// or the optimizer step. Returns [`Advance::Waiting`] if the training text has not been supplied.
    fn advance(&mut self, cpu: &Cpu) -> AdvanceResult<Self> {
        if self.is_ahead {
            self.rewind()?;
        }
        let Self { trainer, text: Some(text), position, .. } = self else { return Ok(Advance::Waiting) };
        if !trainer.is_step_in_progress() {
            if text.draw(trainer.config().batch as usize)? {
                return Ok(Advance::Unfinished(LanguageStepWork::ReadText));
            }
            trainer.begin_step(text.sequences())?;
        }
        let outcome = trainer.advance(cpu);
        // The position advances only with the optimizer step: a run that resumes from a checkpoint within a gradient
        // step repeats the batch.
        if !trainer.is_step_in_progress() {
            *position = text.position();
        }
        Ok(Advance::of(LanguageStepWork::GradientStep, outcome?))
    }

    fn save(&self) -> Vec<Tensor> {
        let TextPosition { epoch, buffer, window } = self.position;
        let position = [epoch, buffer, window].map(u64::from).to_vec();
        let mut tensors = self.trainer.save();
        tensors.push(Tensor::flat(POSITION, TensorData::U64(position)));
        tensors
    }

    /// Creates a learner from saved `tensors`: weights, optimizer state and position in the text. The text itself
    /// ([`set_text`](Self::set_text)) and the next pause ([`pause_at`](Self::pause_at)) must be set again.
    fn restored(&self, config: LanguageConfig, tensors: &[Tensor]) -> Result<Self, LanguageError> {
        let trainer = LanguageTrainer::restore(config, self.trainer.model().vocabulary(), tensors)?;
        let &position: &[u64; 3] = SavedTensors(tensors).find(POSITION)?.counters()?;
        let [epoch, buffer, window] = position.map(|index| u32::try_from(index).unwrap_or(u32::MAX));
        Ok(Self::resume(trainer, TextPosition { epoch, buffer, window }, self.seed))
    }

    #[cfg(feature = "gpu")]
    fn gpu_trainer(&mut self, gpu: &vivarium_gpu::Gpu) -> Result<LanguageGpuLearner, LanguageError> {
        let trainer = LanguageGpuLearner::new(gpu, &self.trainer, self.position)?;
        self.rewind()?;
        Ok(trainer)
    }

    #[cfg(feature = "gpu")]
    fn advance_on_gpu(&mut self, trainer: &mut LanguageGpuLearner, cpu: &Cpu) -> AdvanceResult<Self> {
        let Some(text) = &mut self.text else { return Ok(Advance::Waiting) };
        self.is_ahead = true;
        trainer.advance(cpu, &mut self.trainer, text, &mut self.position, self.pause_at)
    }

    #[cfg(feature = "gpu")]
    fn update_gpu_trainer(&self, trainer: &mut LanguageGpuLearner) -> Result<(), LanguageError> {
        trainer.set_config(self.config().clone())
    }
}
