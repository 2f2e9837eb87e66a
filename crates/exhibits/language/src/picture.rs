//! What there is to see of a language model: documents where they have changed, what was looked at, and the map of tokens.

use super::experiment::{LanguageExperiment, Work};
use super::tokens::shown;
use crate::protocol::LanguageBaselines;
use crate::protocol::{
    LanguageDocuments, LanguageModel, LanguageQuizView, LanguageRun, LanguageStage, LanguageText,
    LanguageTokenizer, LanguageTokenizerKind, LanguageView,
};
use vivarium_lab::experiment::Experiment;
use vivarium_lab::protocol::{Frame, FrameArray, changed};
use vivarium_lab::time;
use vivarium_lm::Tokenizer;

/// Tokens of the text that are shown.
const EXAMPLE: usize = 60;

/// Seconds between two documents on how training goes, where nothing but numbers has changed.
const PATIENCE: f32 = 0.2;

/// What the last frame left the page with; `None` for what it did not.
#[derive(Default)]
pub(super) struct Versioned {
    /// By version, stage and exams.
    run: Option<(u32, LanguageStage, usize)>,
    /// Seconds since then.
    since: f32,
    playground: Option<u32>,
    /// The text that was told, and how many tokens of it.
    text: Option<(u32, usize)>,
    samples: Option<u32>,
    quiz: Option<LanguageQuizView>,
    /// The layer, and the text that was read.
    attention: Option<(u32, Option<(u32, usize)>)>,
}

impl LanguageExperiment {
    /// Everything there is to see, after this much more time.
    pub(super) fn picture(&mut self, view: LanguageView, elapsed: f32) -> Frame<LanguageDocuments> {
        let passed = time::passed(elapsed);
        if let Err(error) = self.pass_at_desk(passed) {
            self.playground.stop();
            self.notice(format!("Nothing is written: {error}."));
        }
        let mut arrays = Vec::new();
        let mut documents = LanguageDocuments::default();
        if view.documents {
            self.sent.since += passed;
            documents = self.documents();
        } else {
            self.sent = Versioned { attention: self.sent.attention, ..Versioned::default() };
        }
        self.attention(view.attention, &mut arrays);
        match &self.model {
            Some(model) if view.embeddings => {
                if let Some((tokens, positions)) = self.map.picture(model, passed) {
                    documents.embeddings = Some(tokens);
                    arrays.push(positions);
                }
            }
            _ => self.map.put_away(),
        }
        Frame { arrays, documents: changed(documents) }
    }

    /// The documents that are not as the last frame left them.
    fn documents(&mut self) -> LanguageDocuments {
        let mut documents = LanguageDocuments::default();
        let run = (self.ran, self.stage(), self.exams.len());
        let changed = self.sent.run.is_none_or(|sent| (sent.1, sent.2) != (run.1, run.2));
        if changed || (self.sent.run != Some(run) && self.sent.since >= PATIENCE) {
            documents.language = Some(self.run());
            (self.sent.run, self.sent.since) = (Some(run), 0.0);
        }
        if self.sent.playground != Some(self.playground.version) {
            documents.desk = Some(self.playground.document(self.sent.text));
            (self.sent.playground, self.sent.text) =
                (Some(self.playground.version), self.playground.extent());
        }
        if self.sent.samples != Some(self.playground.samples_version) {
            documents.samples = Some(self.playground.samples.clone());
            self.sent.samples = Some(self.playground.samples_version);
        }
        if self.sent.quiz.as_ref() != Some(&self.quiz) {
            documents.quiz = Some(self.chosen.data.is_empty().then(|| self.quiz.clone()));
            self.sent.quiz = Some(self.quiz.clone());
        }
        documents
    }

    /// What the playground's text looks at, where that is asked for and has changed.
    fn attention(&mut self, layer: Option<u32>, arrays: &mut Vec<FrameArray>) {
        let now = layer.map(|layer| (layer, self.playground.extent()));
        if let Some((layer, _)) = now.filter(|_| self.sent.attention != now) {
            arrays.extend(self.playground.attention(layer, self.chosen.learner.heads));
        }
        self.sent.attention = now;
    }

    fn stage(&self) -> LanguageStage {
        match self.work() {
            Work::Text if self.missing_data().is_some() => LanguageStage::Missing,
            Work::Text => LanguageStage::Text,
            Work::Tokenizer => LanguageStage::Tokenizer,
            Work::Reading => LanguageStage::Reading,
            Work::Exam | Work::Update => LanguageStage::Training,
        }
    }

    /// How much of the stage is done.
    fn done(&self) -> f64 {
        let last = self.chosen.learner.anneal_updates;
        match (self.stage(), &self.text) {
            (LanguageStage::Text, _) => self.beginning.author.as_ref().map_or(0.0, |author| author.done()),
            (LanguageStage::Tokenizer, Some(text)) => {
                self.beginning.tokenizer.as_ref().map_or(0.0, |made| made.done(&text.corpus))
            }
            (LanguageStage::Reading, _) => {
                self.beginning.opening.as_ref().map_or(0.0, |opening| opening.done())
            }
            (LanguageStage::Training, _) if last > 0 => (self.updates() as f64 / last as f64).min(1.0),
            _ => 0.0,
        }
    }

    /// The document `language`.
    fn run(&self) -> LanguageRun {
        let updates = self.updates();
        let baselines = self.reading.as_ref().and_then(|reading| reading.baselines);
        LanguageRun {
            stage: self.stage(),
            done: self.done(),
            text: self.text.as_ref().map(|text| LanguageText {
                name: super::shown(&self.chosen.data),
                built_in: self.chosen.data.is_empty(),
                bytes: text.corpus.bytes(),
                pieces: text.corpus.pieces(),
            }),
            tokenizer: self.tokenizer(),
            model: self.model(),
            baselines: baselines.map(LanguageBaselines::from),
            updates,
            tokens: updates * self.tokens_per_update(),
            epoch: self.reading.as_ref().map(|reading| reading.training.epochs()),
            validation: self.exams.clone(),
        }
    }

    fn tokenizer(&self) -> Option<LanguageTokenizer> {
        let tokenizer = &self.model.as_ref()?.tokenizer;
        let tokens = self.text.as_ref().map(|text| &text.beginning);
        let tokens = tokens.and_then(|text| tokenizer.tokens(text).ok()).unwrap_or_default();
        Some(LanguageTokenizer {
            kind: match &**tokenizer {
                Tokenizer::Characters(_) => LanguageTokenizerKind::Characters,
                Tokenizer::Bpe(_) => LanguageTokenizerKind::BytePairs,
            },
            vocabulary: tokenizer.vocabulary() as u32,
            example: tokens.iter().take(EXAMPLE).map(|&token| shown(tokenizer, token)).collect(),
        })
    }

    fn model(&self) -> Option<LanguageModel> {
        let model = self.model.as_ref()?;
        let learner = &self.chosen.learner;
        Some(LanguageModel {
            parameters: model.trainer.model().parameter_count() as u64,
            layers: learner.layers,
            heads: learner.heads,
            width: learner.width,
            context: learner.context,
            memory_bytes: model.trainer.bytes() as u64,
            flops_per_token: learner.flops_per_token(model.tokenizer.vocabulary()),
        })
    }
}
