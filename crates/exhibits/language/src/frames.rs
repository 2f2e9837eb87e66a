//! Frames of the language-model experiment: changed JSON documents, attention weights, token map.

use super::checkpoint::{LanguageState, LanguageWork};
use super::evaluations::LastEvaluation;
use super::failure;
use super::text::{TextIdentity, TrainingText};
use super::token_map::TokenMap;
use super::tokens::shown;
use super::trained_model::TrainedModel;
use super::training::LanguageTraining;
use crate::protocol::LanguageBaselines;
use crate::protocol::{
    LanguageDocuments, LanguageModel, LanguageQuizView, LanguageRun, LanguageStage, LanguageText,
    LanguageTokenizer, LanguageTokenizerKind, LanguageView,
};
use vivarium_lab::protocol::{Frame, FrameArray, changed};
use vivarium_lm::Tokenizer;

/// Number of tokens at the start of the training text that front ends receive as an example of tokenization.
const EXAMPLE: usize = 60;

/// Minimum time in seconds between two frames that contain the JSON document `language` (training state). A change of
/// the run's stage (such as training of the tokenizer) or of the number of evaluations is sent at once.
const MIN_INTERVAL: f32 = 0.2;

/// Builder of the frames of a language-model run. Stores the versions of the JSON documents that were sent last.
#[derive(Default)]
pub(super) struct Picture {
    pub(super) map: TokenMap,
    sent: LanguageSentVersions,
}

/// Versions of the JSON documents and arrays that were sent last; `None` for a document that was not sent yet.
#[derive(Default)]
struct LanguageSentVersions {
    /// Version, stage of the run and number of evaluation results in the JSON document `language` that was sent last.
    run: Option<(u32, LanguageStage, usize)>,
    /// Seconds since the JSON document `language` was last sent.
    since: f32,
    playground: Option<u32>,
    /// ID and number of tokens of the generated text in the JSON document `draft` that was sent last.
    text: Option<(u32, usize)>,
    samples: Option<u32>,
    quiz: Option<LanguageQuizView>,
    /// Content of the attention array that was sent last: index of the layer, and ID and number of tokens of the
    /// displayed text.
    attention: Option<(u32, Option<(u32, usize)>)>,
}

impl Picture {
    /// Builds a frame with the content that `view` requests. `passed` is the time since the last frame in seconds;
    /// `ran` is the version of the JSON document `language`.
    pub(super) fn frame(
        &mut self,
        view: LanguageView,
        passed: f32,
        state: &LanguageState,
        ran: u32,
    ) -> Frame<LanguageDocuments> {
        let mut arrays = Vec::new();
        let mut documents = LanguageDocuments::default();
        if view.documents {
            self.sent.since += passed;
            documents = self.documents(state, ran);
        } else {
            self.sent =
                LanguageSentVersions { attention: self.sent.attention, ..LanguageSentVersions::default() };
        }
        self.attention(view.attention, state, &mut arrays);
        match &state.training.model {
            Some(model) if view.embeddings => {
                if let Some((tokens, positions)) = self.map.picture(model, passed) {
                    documents.embeddings = Some(tokens);
                    arrays.push(positions);
                }
            }
            _ => self.map.reset(),
        }
        Frame { arrays, documents: changed(documents) }
    }

    /// Returns the JSON documents that changed since the last frame.
    fn documents(&mut self, state: &LanguageState, ran: u32) -> LanguageDocuments {
        let LanguageState { playground, evaluations, .. } = state;
        let sent = &mut self.sent;
        let mut documents = LanguageDocuments::default();
        let now = (ran, stage(state), evaluations.rows.len());
        let changed = sent.run.is_none_or(|sent| (sent.1, sent.2) != (now.1, now.2));
        if changed || (sent.run != Some(now) && sent.since >= MIN_INTERVAL) {
            documents.language = Some(run(state));
            (sent.run, sent.since) = (Some(now), 0.0);
        }
        if sent.playground != Some(playground.version) {
            documents.draft = Some(playground.document(sent.text));
            (sent.playground, sent.text) = (Some(playground.version), playground.extent());
        }
        if sent.samples != Some(playground.samples_version) {
            documents.samples = Some(playground.samples.clone());
            sent.samples = Some(playground.samples_version);
        }
        if sent.quiz.as_ref() != Some(&evaluations.quiz) {
            documents.quiz = Some(state.training.settings.data.is_empty().then(|| evaluations.quiz.clone()));
            sent.quiz = Some(evaluations.quiz.clone());
        }
        documents
    }

    /// Appends the frame arrays of the attention weights to `arrays`: weights of layer `layer` over the displayed text.
    /// Appends nothing if `layer` is `None`, or if neither the layer nor the text has changed since the last frame.
    fn attention(&mut self, layer: Option<u32>, state: &LanguageState, arrays: &mut Vec<FrameArray>) {
        let now = layer.map(|layer| (layer, state.playground.extent()));
        if let Some((layer, _)) = now.filter(|_| self.sent.attention != now) {
            arrays.extend(state.playground.attention(layer, state.training.settings.learner.heads));
        }
        self.sent.attention = now;
    }
}

fn stage(state: &LanguageState) -> LanguageStage {
    match state.work() {
        LanguageWork::Text if state.missing_text().is_some() => LanguageStage::Missing,
        LanguageWork::Text => LanguageStage::Text,
        LanguageWork::Tokenizer => LanguageStage::Tokenizer,
        LanguageWork::LoadText => LanguageStage::Reading,
        LanguageWork::Evaluation | LanguageWork::Update => LanguageStage::Training,
    }
}

/// Returns the finished fraction of the run's current stage (such as training of the tokenizer), 0 to 1. For training
/// without a limit on the number of gradient steps, returns 0.
fn done(state: &LanguageState) -> f64 {
    let (training, last) = (&state.training, state.training.settings.learner.anneal_updates);
    match stage(state) {
        LanguageStage::Training if last > 0 => (training.updates() as f64 / last as f64).min(1.0),
        LanguageStage::Training => 0.0,
        _ => state.setup.done(),
    }
}

/// Returns the JSON document `language`: the training state of the run.
fn run(state: &LanguageState) -> LanguageRun {
    let LanguageState { setup, training, evaluations, .. } = state;
    let (updates, data) = (training.updates(), &training.settings.data);
    let loaded_text = training.loaded_text.as_ref();
    // Until a resumed run receives its training text, the document describes the text on which training started.
    let text = setup.text.as_ref().map(TrainingText::identity).or(setup.began_with);
    LanguageRun {
        stage: stage(state),
        done: done(state),
        text: text.map(|TextIdentity { bytes, chunks, .. }| LanguageText {
            name: failure::shown(data),
            built_in: data.is_empty(),
            bytes,
            chunks,
        }),
        tokenizer: training
            .model
            .as_ref()
            .map(|model| tokenizer(&model.tokenizer, setup.text.as_ref().map_or("", |text| &text.excerpt))),
        model: training.model.as_ref().map(|model| describe(model, training)),
        baselines: loaded_text.map_or_else(
            || evaluations.last.as_ref().and_then(LastEvaluation::baselines),
            |text| text.baselines.map(LanguageBaselines::from),
        ),
        updates,
        tokens: training.tokens(updates),
        epoch: training.text().map(|text| text.windows().epochs()),
        validation: evaluations.rows.clone(),
    }
}

/// Describes a tokenizer for the JSON document `language`: type, vocabulary size, and the first tokens of `text` as an
/// example.
fn tokenizer(tokenizer: &Tokenizer, text: &str) -> LanguageTokenizer {
    let tokens = tokenizer.tokens(text).unwrap_or_default();
    LanguageTokenizer {
        kind: match tokenizer {
            Tokenizer::Characters(_) => LanguageTokenizerKind::Characters,
            Tokenizer::Bpe(_) => LanguageTokenizerKind::BytePairs,
        },
        vocabulary: tokenizer.vocabulary() as u32,
        example: tokens.iter().take(EXAMPLE).map(|&token| shown(tokenizer, token)).collect(),
    }
}

fn describe(model: &TrainedModel, training: &LanguageTraining) -> LanguageModel {
    let learner = &training.settings.learner;
    LanguageModel {
        parameters: model.trainer().model().parameter_count() as u64,
        layers: learner.layers,
        heads: learner.heads,
        width: learner.width,
        context: learner.context,
        memory_bytes: model.trainer().bytes() as u64,
        flops_per_token: learner.flops_per_token(model.tokenizer.vocabulary()),
    }
}
