//! State of a run, and its checkpoint: model, optimizer, tokenizer, position in the text.

use super::evaluations::{LanguageEvaluations, LastEvaluation};
use super::playground::Playground;
use super::setup::RunSetup;
use super::text::TextIdentity;
use super::trained_model::TrainedModel;
use super::training::LanguageTraining;
use crate::entries::{self, LanguageSettings};
use crate::protocol::{LanguageEvaluationRow, LanguageSamples};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use vivarium_lab::checkpoint::{self, Header, Tensors};
use vivarium_lab::error::LabError;
use vivarium_lab::rollback::{RollbackGuard, RollbackPolicy};
use vivarium_lab::run::Run;
use vivarium_lab::train::AnyTraining;
use vivarium_lm::{LanguageConfig, LanguageLearner, LanguageTrainer, TextPosition, Tokenizer};

/// Additional metadata in the header of a language-model checkpoint: tokenizer, identity and position of the training
/// text, divergences, evaluation results, samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SavedState {
    /// Tokenizer in the JSON format of a `tokenizer.json` file; null before the tokenizer is built.
    tokenizer: Value,
    /// Fingerprint (hash) of the tokenizer that the model was trained with, to detect a changed tokenizer.
    fingerprint: String,
    text: Option<TextIdentity>,
    /// Whether the run continues the training of a model from another program (GPT-2 files of `transformers`); omitted
    /// if not.
    #[serde(skip_serializing_if = "is_false")]
    pretrained: bool,
    position: TextPosition,
    breakdowns: u32,
    broke_at: u64,
    #[serde(rename = "exams")]
    evaluations: Vec<LanguageEvaluationRow>,
    /// Result of the last evaluation; omitted before an evaluation is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_evaluation: Option<LastEvaluation>,
    samples: Option<LanguageSamples>,
}

/// Returns whether a flag is not set; serialization omits such a flag.
fn is_false(flag: &bool) -> bool {
    !flag
}

impl SavedState {
    /// Parses the additional metadata of a language model from the header of a checkpoint.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] for an invalid header.
    pub(super) fn of(header: &Header) -> Result<Self, LabError> {
        let wrong = |error: serde_json::Error| LabError::checkpoint(format!("invalid header: {error}"));
        serde_json::from_value(header.more.clone()).map_err(wrong)
    }

    /// Returns the metadata of a checkpoint with weights only, which were trained for `steps` tokens: tokenizer, identity
    /// of the training text, and the evaluation of these weights if there is one.
    pub(super) fn of_weights(self, steps: u64) -> Value {
        let Self { tokenizer, fingerprint, text, evaluations, last_evaluation, .. } = self;
        let is_current = evaluations.last().is_none_or(|row| row.tokens == steps);
        let last_evaluation = last_evaluation.filter(|_| is_current);
        let saved = Self { tokenizer, fingerprint, text, last_evaluation, ..Self::default() };
        serde_json::to_value(saved).unwrap_or_default()
    }

    /// Returns the metadata of a checkpoint with the weights of a model from another program.
    pub(super) fn of_pretrained(tokenizer: &Tokenizer) -> Value {
        let saved = Self { pretrained: true, ..Self::with_tokenizer(tokenizer) };
        serde_json::to_value(saved).unwrap_or_default()
    }

    fn with_tokenizer(tokenizer: &Tokenizer) -> Self {
        // `to_json` returns valid JSON.
        let json = serde_json::from_str(&tokenizer.to_json()).unwrap_or_default();
        Self { tokenizer: json, fingerprint: tokenizer.fingerprint(), ..Self::default() }
    }

    /// Returns the tokenizer that the checkpoint contains; `None` if the tokenizer of the saved run was not built yet.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] for an invalid tokenizer, or a tokenizer that does not match the stored fingerprint.
    pub(super) fn tokenizer(&self) -> Result<Option<Tokenizer>, LabError> {
        if self.tokenizer.is_null() {
            return Ok(None);
        }
        let read = Tokenizer::from_json(&self.tokenizer.to_string());
        let checked = read.and_then(|read| read.check_fingerprint(&self.fingerprint).map(|()| read));
        checked.map(Some).map_err(|error| LabError::checkpoint(format!("its tokenizer: {error}")))
    }
}

/// Recovery from divergence: after 500 gradient steps (`steady`) without divergence, the number of consecutive
/// divergences returns to 0. Error messages name the learning rates to reduce.
const ROLLBACK_POLICY: RollbackPolicy = RollbackPolicy {
    interval: 1,
    steady: 500,
    learning_rates: ["learner.learning_rate", "learner.final_learning_rate"],
};

/// Kind of work that the next call of a language-model run's `advance` does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LanguageWork {
    /// Generate the built-in training text, or wait until the front end supplies another text.
    Text,
    /// Train the tokenizer on the training text.
    Tokenizer,
    /// Load the first shuffle buffer of the training text and compute the n-gram baselines.
    LoadText,
    /// Evaluate the model on held-out text and quiz questions.
    Evaluation,
    /// Compute a gradient step of the model.
    Update,
}

/// State of a language-model run: training text, model in training, evaluations, playground.
pub(super) struct LanguageState {
    pub(super) setup: RunSetup,
    pub(super) training: LanguageTraining,
    /// Counter of consecutive divergences; training fails if their number exceeds the maximum. Stores no earlier state,
    /// because a gradient step that diverges leaves the weights unchanged.
    pub(super) guard: RollbackGuard<()>,
    pub(super) evaluations: LanguageEvaluations,
    pub(super) playground: Playground,
}

impl LanguageState {
    /// Creates the state of a new run, before the training text is available.
    pub(super) fn new(settings: LanguageSettings, seed: u64) -> Self {
        Self {
            setup: RunSetup::default(),
            training: LanguageTraining::new(settings),
            guard: RollbackGuard::new((), 0, ROLLBACK_POLICY),
            evaluations: LanguageEvaluations::default(),
            playground: Playground::new(seed),
        }
    }

    /// Returns the kind of work that the next call of `advance` does.
    pub(super) fn work(&self) -> LanguageWork {
        let Self { setup, training, evaluations, .. } = self;
        match training {
            _ if setup.text.is_none() => LanguageWork::Text,
            LanguageTraining { model: None, .. } => LanguageWork::Tokenizer,
            LanguageTraining { loaded_text: None, .. } => LanguageWork::LoadText,
            LanguageTraining { model: Some(model), .. } if model.trainer().is_step_in_progress() => {
                LanguageWork::Update
            }
            _ if evaluations.is_due(training) => LanguageWork::Evaluation,
            _ => LanguageWork::Update,
        }
    }

    /// Returns the name of the training text that the front end must supply; `None` if no text is missing.
    pub(super) fn missing_text(&self) -> Option<&str> {
        let name = self.training.settings.data.as_str();
        Some(name).filter(|name| self.setup.text.is_none() && !name.is_empty())
    }

    /// Serializes the state as a checkpoint file. An evaluation or tokenizer training in progress is not saved; it
    /// restarts when the checkpoint is opened.
    pub(super) fn bytes(&self, run: &Run) -> Vec<u8> {
        let training = &self.training;
        let model = training.model.as_ref();
        let kept = SavedState {
            text: self.setup.began_with,
            pretrained: training.is_pretrained,
            position: model.map(|model| model.training.learner.position()).unwrap_or_default(),
            breakdowns: self.guard.rollbacks(),
            broke_at: self.guard.resumed_at(),
            evaluations: self.evaluations.rows.clone(),
            last_evaluation: self.evaluations.last.clone(),
            samples: Some(self.playground.samples.clone()),
            ..model.map(|model| SavedState::with_tokenizer(&model.tokenizer)).unwrap_or_default()
        };
        let more = serde_json::to_value(kept).unwrap_or_default();
        let header = run.header(training.progress().steps, more);
        let tensors = model.map(|model| model.trainer().save()).unwrap_or_default();
        checkpoint::write(&header, &tensors)
    }

    /// Creates the state of a run from the header and the tensors of a checkpoint, whose config must be complete and
    /// valid.
    ///
    /// # Errors
    /// [`LabError`] if tensors, tokenizer or sample settings are invalid or do not match the config.
    pub(super) fn open(header: &Header, found: Tensors) -> Result<Self, LabError> {
        let mut opened = Self::new(entries::read(&header.config)?, header.seed);
        let training = &mut opened.training;
        let kept = SavedState::of(header)?;
        let tensors = found.into_vec();
        match kept.tokenizer()? {
            Some(tokenizer) => {
                let trainer = restore(&training.settings.learner, tokenizer.vocabulary(), &tensors)?;
                let learner = LanguageLearner::resume(trainer, kept.position, header.seed);
                training.model = Some(TrainedModel::new(tokenizer, learner));
            }
            None if tensors.is_empty() => {}
            None => return Err(LabError::checkpoint("it has weights but no tokenizer")),
        }
        training.is_pretrained = kept.pretrained || header.steps > 0 && training.updates() == 0;
        opened.guard = RollbackGuard::new((), training.updates(), ROLLBACK_POLICY)
            .with_rollbacks(kept.breakdowns.into(), kept.broke_at);
        opened.setup.began_with = kept.text;
        opened.evaluations = LanguageEvaluations::restore(kept.evaluations, kept.last_evaluation);
        if let Some(samples) = kept.samples {
            opened.playground = Playground::restore(header.seed, samples)?;
        }
        Ok(opened)
    }
}

/// Creates the CPU trainer from the tensors of a checkpoint. Returns an error if a tensor is missing, or if the
/// checkpoint contains a tensor that the trainer does not use.
fn restore(
    learner: &LanguageConfig,
    vocabulary: usize,
    tensors: &[checkpoint::Tensor],
) -> Result<LanguageTrainer, LabError> {
    entries::check_size(learner, vocabulary)?;
    checkpoint::check_min_values(tensors, entries::min_parameters(learner))?;
    let trainer = LanguageTrainer::restore(learner.clone(), vocabulary, tensors);
    let trainer = trainer?;
    let known = trainer.save();
    match tensors.iter().find(|tensor| known.iter().all(|other| other.name != tensor.name)) {
        Some(stranger) => Err(LabError::checkpoint(format!("unknown tensor {}", stranger.name))),
        None => Ok(trainer),
    }
}
