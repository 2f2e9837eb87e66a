//! What a checkpoint holds of a language model, with its tokenizer and its place in the text, as its bytes and back.

use super::evaluations::LanguageEvaluations;
use super::playground::Playground;
use super::setup::RunSetup;
use super::text::TextIdentity;
use super::trained_model::TrainedModel;
use super::training::Training;
use crate::entries::{self, LanguageSettings};
use crate::protocol::{LanguageEvaluationRow, LanguageSamples};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use vivarium_lab::checkpoint::{self, Header, Tensors};
use vivarium_lab::error::LabError;
use vivarium_lab::run::Run;
use vivarium_lm::{LanguageConfig, LanguageTrainer, TextPosition, Tokenizer};

/// What stands beside the tensors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SavedState {
    /// As other programs read it too; null before it is made.
    tokenizer: Value,
    /// By which it is known that the tokenizer is the one that the model was trained with.
    fingerprint: String,
    text: Option<TextIdentity>,
    position: TextPosition,
    breakdowns: u32,
    broke_at: u64,
    #[serde(rename = "exams")]
    evaluations: Vec<LanguageEvaluationRow>,
    samples: Option<LanguageSamples>,
}

impl SavedState {
    /// What a checkpoint holds.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if it cannot be understood.
    pub(super) fn of(header: &Header) -> Result<Self, LabError> {
        let wrong = |error: serde_json::Error| LabError::checkpoint(format!("what it remembers: {error}"));
        serde_json::from_value(header.more.clone()).map_err(wrong)
    }

    /// The tokenizer; `None` where none was made yet.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] for one that cannot be read, or is not that of the model.
    pub(super) fn tokenizer(&self) -> Result<Option<Tokenizer>, LabError> {
        if self.tokenizer.is_null() {
            return Ok(None);
        }
        let read = Tokenizer::from_json(&self.tokenizer.to_string());
        let checked = read.and_then(|read| read.check_fingerprint(&self.fingerprint).map(|()| read));
        checked.map(Some).map_err(|error| LabError::checkpoint(format!("its tokenizer: {error}")))
    }
}

/// What the next slice does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LanguageWork {
    Text,
    Tokenizer,
    LoadText,
    Evaluation,
    Update,
}

/// The text, the model in training, its evaluations, and what it writes.
pub(super) struct LanguageState {
    pub(super) setup: RunSetup,
    pub(super) training: Training,
    pub(super) evaluations: LanguageEvaluations,
    pub(super) playground: Playground,
}

impl LanguageState {
    /// That of a run which has read nothing yet.
    pub(super) fn new(settings: LanguageSettings, seed: u64) -> Self {
        Self {
            setup: RunSetup::default(),
            training: Training::new(settings),
            evaluations: LanguageEvaluations::default(),
            playground: Playground::new(seed),
        }
    }

    /// What comes next.
    pub(super) fn work(&self) -> LanguageWork {
        let Self { setup, training, evaluations, .. } = self;
        match training {
            _ if setup.text.is_none() => LanguageWork::Text,
            Training { model: None, .. } => LanguageWork::Tokenizer,
            Training { loaded_text: None, .. } => LanguageWork::LoadText,
            Training { model: Some(model), .. } if model.trainer.is_step_in_progress() => {
                LanguageWork::Update
            }
            _ if evaluations.is_due(training) => LanguageWork::Evaluation,
            _ => LanguageWork::Update,
        }
    }

    /// What the text is called that has to be brought before anything goes on.
    pub(super) fn missing_text(&self) -> Option<&str> {
        let name = self.training.settings.data.as_str();
        Some(name).filter(|name| self.setup.text.is_none() && !name.is_empty())
    }

    /// The checkpoint of a run. An evaluation that is under way is begun anew, and so is a tokenizer that is being made.
    pub(super) fn bytes(&self, run: &Run) -> Vec<u8> {
        let training = &self.training;
        let model = training.model.as_ref();
        let kept = SavedState {
            // What the tokenizer writes is JSON.
            tokenizer: model
                .and_then(|model| serde_json::from_str(&model.tokenizer.to_json()).ok())
                .unwrap_or_default(),
            fingerprint: model.map(|model| model.tokenizer.fingerprint()).unwrap_or_default(),
            text: self.setup.began_with,
            position: training.position,
            breakdowns: training.breakdowns,
            broke_at: training.broke_at,
            evaluations: self.evaluations.rows.clone(),
            samples: Some(self.playground.samples.clone()),
        };
        let more = serde_json::to_value(kept).unwrap_or_default();
        let header = run.header(training.progress().steps, more);
        let tensors = model.map(|model| model.trainer.save()).unwrap_or_default();
        checkpoint::write(&header, &tensors)
    }

    /// The state in a checkpoint, whose config is whole and checked.
    ///
    /// # Errors
    /// [`LabError`] saying what does not fit.
    pub(super) fn open(header: &Header, found: Tensors) -> Result<Self, LabError> {
        let mut opened = Self::new(entries::read(&header.config)?, header.seed);
        let training = &mut opened.training;
        let kept = SavedState::of(header)?;
        let tensors = found.into_vec();
        match kept.tokenizer()? {
            Some(tokenizer) => {
                let trainer = restore(&training.settings.learner, tokenizer.vocabulary(), &tensors)?;
                training.model = Some(TrainedModel { tokenizer: Arc::new(tokenizer), trainer });
            }
            None if tensors.is_empty() => {}
            None => return Err(LabError::checkpoint("it has weights and no tokenizer")),
        }
        training.position = kept.position;
        (training.breakdowns, training.broke_at) = (kept.breakdowns, kept.broke_at);
        opened.setup.began_with = kept.text;
        opened.evaluations.rows = kept.evaluations;
        if let Some(samples) = kept.samples {
            opened.playground = Playground::of_kept(header.seed, samples)?;
        }
        Ok(opened)
    }
}

/// Numbers that a model has at least: those of its blocks, whose layers have twelve times the square of their width.
pub(super) fn least(learner: &LanguageConfig) -> u64 {
    12 * u64::from(learner.layers) * u64::from(learner.width) * u64::from(learner.width)
}

/// The learner of these tensors, and of no others.
fn restore(
    learner: &LanguageConfig,
    vocabulary: usize,
    tensors: &[checkpoint::Tensor],
) -> Result<LanguageTrainer, LabError> {
    entries::check_size(learner, vocabulary)?;
    checkpoint::check_min_values(tensors, least(learner))?;
    let trainer = LanguageTrainer::restore(learner.clone(), vocabulary, tensors);
    let trainer = trainer?;
    let known = trainer.save();
    match tensors.iter().find(|tensor| known.iter().all(|other| other.name != tensor.name)) {
        Some(stranger) => Err(LabError::checkpoint(format!("{} does not belong in it", stranger.name))),
        None => Ok(trainer),
    }
}
