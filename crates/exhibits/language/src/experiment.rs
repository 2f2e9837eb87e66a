//! Language-model experiment: setup, training, evaluation and playground (text generation).

use super::NAME;
use super::checkpoint::{LanguageState, LanguageWork};
use super::evaluation::RunningEvaluation;
use super::evaluations;
use super::failure::shown;
use super::frames::Picture;
use super::playground::{GenerationModel, TrainingPoint};
use super::text::TrainingText;
use crate::entries::{read, schema};
use crate::protocol::{LanguageCommand as Command, LanguageDocuments, LanguageView};
use serde_json::Value;
#[cfg(feature = "gpu")]
use vivarium_gpu::{Gpu, GpuError};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Evaluation, Frame, MetricRow, Reply};
use vivarium_lab::run::Run;
use vivarium_lab::source::ByteSource;
use vivarium_lab::train::{AnyTraining, SliceError};
use vivarium_lab::{EvaluationResult, Exhibit, Experiment, time};

/// Maximum number of held-out windows of an evaluation that the user requests.
const MAX_TRIALS: u32 = 10_000;

/// Maximum number of quiz questions in an evaluation that the user requests with at most 1,000 windows of held-out
/// text. For more windows, the maximum number of questions is a tenth of the number of windows.
const QUESTIONS: u32 = 100;

/// A language-model experiment: the state of the run, and the builder of its frames.
pub(crate) struct LanguageExperiment {
    run: Run,
    pub(super) state: LanguageState,
    picture: Picture,
    /// Version of the JSON document `language` (training state); increases when the document changes.
    ran: u32,
}

impl LanguageExperiment {
    /// Creates an experiment from a complete and valid config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for inconsistent fields.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let state = LanguageState::new(read(&config)?, seed);
        Ok(Self::of(config, seed, state))
    }

    /// Creates an experiment from a checkpoint, whose config must be complete and valid.
    ///
    /// # Errors
    /// [`LabError`] if tensors, tokenizer or sample settings are invalid or do not match the config.
    pub(crate) fn open(header: &Header, tensors: Tensors) -> Result<Self, LabError> {
        let state = LanguageState::open(header, tensors)?;
        // A file with weights only starts a run without a metric history.
        let starts = header.steps > 0 && state.training.updates() == 0;
        let metrics = state.evaluations.last.as_ref().filter(|_| starts).map(|last| last.metrics(0));
        let mut experiment = Self::of(header.config.clone(), header.seed, state);
        metrics.into_iter().for_each(|row| experiment.report(row));
        Ok(experiment)
    }

    fn of(config: Value, seed: u64, state: LanguageState) -> Self {
        let run = Run::new(NAME, seed, config, schema().fields);
        Self { run, state, picture: Picture::default(), ran: 0 }
    }

    pub(super) fn changed(&mut self) {
        self.ran = self.ran.wrapping_add(1);
    }

    fn report(&mut self, row: MetricRow) {
        self.run.report(row);
        self.changed();
    }

    /// Advances the setup (text, tokenizer, shuffle buffer) by a bounded amount of work. Returns `false` when setup is
    /// complete.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the training text is missing or unusable. An unusable text is discarded, so that the
    /// front end can supply another text.
    fn prepare(&mut self) -> Result<bool, LabError> {
        let (work, seed) = (self.state.work(), self.run.seed());
        let LanguageState { setup, training, playground, .. } = &mut self.state;
        let outcome = match (work, &mut training.model) {
            (LanguageWork::Evaluation | LanguageWork::Update, _) => return Ok(false),
            (LanguageWork::Text, _) => setup.write_text(&training.settings),
            (LanguageWork::LoadText, Some(model)) => {
                setup.open_text(&training.settings, model, seed).map(|opened| {
                    if let Some((batches, loaded_text)) = opened {
                        let tokens = batches.windows().tokens();
                        self.picture.map.count(model.tokenizer.vocabulary(), tokens);
                        model.training.learner.set_text(batches);
                        training.loaded_text = Some(loaded_text);
                    }
                })
            }
            _ => setup.build_tokenizer(&training.settings, seed).map(|made| training.model = made),
        };
        if outcome.is_err() && setup.text.is_some() {
            setup.discard_text();
            // Before the first gradient step, any other text can replace the rejected text.
            if training.updates() == 0 && !training.is_pretrained {
                training.discard_model();
                setup.began_with = None;
                playground.clear();
            }
        }
        self.changed();
        outcome.map(|()| true)
    }
}

impl Experiment for LanguageExperiment {
    vivarium_lab::experiment_parts!();

    fn phase(&self) -> &'static str {
        match self.state.work() {
            LanguageWork::Text => "text",
            LanguageWork::Tokenizer => "tokenizer",
            LanguageWork::LoadText => "reading",
            LanguageWork::Evaluation => "evaluation",
            LanguageWork::Update => "update",
        }
    }

    fn is_preparing(&self) -> bool {
        matches!(self.state.work(), LanguageWork::Text | LanguageWork::Tokenizer | LanguageWork::LoadText)
    }

    fn missing_data(&self) -> Option<&str> {
        self.state.missing_text()
    }

    fn bring_data(&mut self, sources: Vec<Box<dyn ByteSource>>) -> Result<(), LabError> {
        if self.missing_data().is_none() {
            let allowed = "this run already has its text; to train on another text, start a new run with its name in the field data";
            return Err(LabError::invalid("data", shown(&self.state.training.settings.data), allowed));
        }
        let LanguageState { setup, training, .. } = &mut self.state;
        let name = &training.settings.data;
        setup.take_text(name, TrainingText::brought(name, sources)?)?;
        self.changed();
        Ok(())
    }

    fn is_waiting(&self) -> bool {
        self.state.training.is_waiting() || self.missing_data().is_some()
    }

    /// Does a bounded amount of setup, evaluation or training. Does nothing while the training text is missing.
    fn advance_slice(&mut self, cpu: &Cpu) -> Result<(), SliceError> {
        if self.missing_data().is_some() || self.prepare()? {
            return Ok(());
        }
        let is_evaluation = self.state.work() == LanguageWork::Evaluation;
        let LanguageState { setup, training, evaluations, guard, .. } = &mut self.state;
        if let Some(text) = setup.text.as_ref().filter(|_| is_evaluation) {
            training.stop_clock();
            if let Some(row) = evaluations.advance(cpu, training, text)? {
                self.report(row);
            }
            return Ok(());
        }
        if let Some(row) = training.advance(cpu, self.run.clock())? {
            guard.record(training.updates(), || ());
            self.report(row);
        }
        Ok(())
    }

    fn restore_good_state(&mut self, config: &Value) -> Result<String, LabError> {
        self.apply_config(config)?;
        Ok(self.state.training.left_out())
    }

    #[cfg(feature = "gpu")]
    fn leave_gpu(&mut self) -> Result<Option<Gpu>, LabError> {
        let gpu = self.state.training.leave_gpu();
        if gpu.is_some() {
            self.changed();
        }
        Ok(gpu)
    }

    fn resume_point(&self) -> String {
        let updates = self.state.training.updates();
        format!("after {updates} gradient steps, the last readback of the weights")
    }

    #[cfg(feature = "gpu")]
    fn too_large(&self, _: &GpuError) -> Option<(&'static str, String)> {
        Some(("learner.batch", "reduce the batch size or the model size".into()))
    }

    fn apply_config(&mut self, config: &Value) -> Result<(), LabError> {
        self.state.training.set_config(read(config)?)
    }

    /// Evaluates the model on `episodes.count` windows of held-out text, selected by the seed, and on quiz questions.
    /// The number of questions is up to 100, or a tenth of the number of windows if that is larger.
    fn evaluate_interruptible(&mut self, cpu: &Cpu, episodes: Episodes<'_>) -> EvaluationResult {
        episodes.check(MAX_TRIALS, None)?;
        while self.prepare()? {
            if episodes.is_stopped(0.0) {
                return Ok(None);
            }
        }
        let LanguageState { setup, training, .. } = &mut self.state;
        let (Some(text), Some(loaded_text)) = (&setup.text, &training.loaded_text) else {
            return Err(LabError::checkpoint("the training text is missing"));
        };
        // The evaluations during training use the windows of edition 0.
        let edition = 1 + (episodes.seed & 0xffff) as u32;
        // A question takes as long as several windows.
        let count = episodes.count;
        let questions = count.min(QUESTIONS.max(count / 10));
        let mut evaluation =
            RunningEvaluation::new(&loaded_text.held_out, count, questions as usize, edition);
        while evaluations::advance(&mut evaluation, cpu, training, text)? {
            if episodes.is_stopped(evaluation.done()) {
                return Ok(None);
            }
        }
        let outcome = evaluations::outcome(&evaluation, training);
        let measures = vec![
            ("likelihood", Some(-outcome.loss)),
            ("held_out_loss", Some(outcome.loss)),
            ("held_out_perplexity", Some(outcome.perplexity)),
            ("answered", outcome.quiz.as_ref().and_then(|quiz| quiz.all.share())),
        ];
        Ok(Some(Evaluation::new(&outcome, measures, false)))
    }

    fn save(&self) -> Vec<u8> {
        self.state.bytes(&self.run)
    }
}

impl Exhibit for LanguageExperiment {
    type View = LanguageView;
    type Documents = LanguageDocuments;
    type Command = Command;

    fn frame(&mut self, view: &LanguageView, elapsed: f32) -> Frame<LanguageDocuments> {
        let passed = time::passed(elapsed);
        let LanguageState { training, playground, .. } = &mut self.state;
        let (updates, loss) = (training.updates(), training.loss);
        let now = TrainingPoint { updates, tokens: training.tokens(updates), loss };
        let model = GenerationModel::new(training.model.as_ref(), &training.settings.learner);
        if let Err(error) = model.map_or(Ok(()), |model| playground.advance(&model, now, passed)) {
            playground.stop();
            self.notify(format!("Text generation failed: {error}."));
            self.changed();
        }
        self.picture.frame(*view, passed, &self.state, self.ran)
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        let LanguageState { training, playground, .. } = &mut self.state;
        let (updates, model) =
            (training.updates(), GenerationModel::new(training.model.as_ref(), &training.settings.learner));
        let model = model.as_ref();
        match command {
            Command::Generate { prompt, sampling } => {
                playground.generate(model, updates, &prompt, sampling)?
            }
            Command::ContinueFrom { draft, position, token, sampling } => {
                playground.continue_from(model, updates, draft, position as usize, token, sampling)?;
            }
            Command::StopGenerating => playground.stop(),
            Command::SetSamples { prompt, sampling, every_seconds } => {
                playground.set_samples(model, prompt, sampling, every_seconds)?;
            }
        }
        Ok(Reply::Done)
    }
}
