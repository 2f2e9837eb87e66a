//! The experiment: text, a tokenizer made from it, the learner, its exams, and the playground at which it writes.

use super::beginning::Beginning;
#[cfg(feature = "gpu")]
use super::device::Device;
use super::exam::Exam;
use super::learning::Reading;
use super::map::TokenMap;
use super::picture::Versioned;
use super::playground::Playground;
use super::text::{Identity, Text};
use super::training::Training;
use super::{NAME, shown};
use crate::entries::{Chosen, read, schema};
use crate::protocol::{LanguageCommand as Command, LanguageDocuments, LanguageView};
use crate::protocol::{LanguageExamRow, LanguageQuizView};
use serde_json::Value;
use std::sync::Arc;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
#[cfg(feature = "gpu")]
use vivarium_lab::device::OnDevice;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Evaluation, Frame, MetricRow, Progress, Reply};
use vivarium_lab::run::{Run, check_episodes};
use vivarium_lab::source::Source;
use vivarium_lab::{Exhibit, Experiment};
use vivarium_lm::{Position, Tokenizer, Trainer};

/// The most windows of an evaluation.
const MOST_TRIALS: u32 = 10_000;

/// Questions of an evaluation, or a tenth as many as windows where those are more.
const QUESTIONS: u32 = 100;

/// A model, and the tokens that it knows.
pub(super) struct TrainedModel {
    pub(super) tokenizer: Arc<Tokenizer>,
    pub(super) trainer: Trainer,
}

/// What the next slice does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Text,
    Tokenizer,
    Reading,
    Exam,
    Update,
}

/// A transformer that learns to continue text.
pub(crate) struct LanguageExperiment {
    pub(super) run: Run,
    pub(super) chosen: Chosen,
    pub(super) text: Option<Text>,
    /// The text that training began with.
    pub(super) began_with: Option<Identity>,
    pub(super) beginning: Beginning,
    /// There once the tokenizer is made.
    pub(super) model: Option<TrainedModel>,
    pub(super) reading: Option<Reading>,
    /// Where in the text training goes on.
    pub(super) position: Position,
    pub(super) training: Training,
    /// Where training is, if it is not on the CPU.
    #[cfg(feature = "gpu")]
    pub(super) device: Option<Device>,
    pub(super) exam: Option<Exam>,
    /// What came of exams, the oldest first.
    pub(super) exams: Vec<LanguageExamRow>,
    /// The last exam's questions.
    pub(super) quiz: LanguageQuizView,
    pub(super) playground: Playground,
    pub(super) map: TokenMap,
    /// Changes with what there is to tell of the run.
    pub(super) ran: u32,
    pub(super) sent: Versioned,
}

impl LanguageExperiment {
    /// An experiment that has read nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        Ok(Self {
            chosen: read(&config)?,
            run: Run::new(NAME, seed, config, schema().fields),
            text: None,
            began_with: None,
            beginning: Beginning::default(),
            model: None,
            reading: None,
            position: Position::default(),
            training: Training::default(),
            #[cfg(feature = "gpu")]
            device: None,
            exam: None,
            exams: Vec::new(),
            quiz: LanguageQuizView::default(),
            playground: Playground::new(seed),
            map: TokenMap::default(),
            ran: 0,
            sent: Versioned::default(),
        })
    }

    pub(super) fn updates(&self) -> u64 {
        self.model.as_ref().map_or(0, |model| model.trainer.updates())
    }

    /// Tokens that a gradient step learns from.
    pub(super) fn tokens_per_update(&self) -> u64 {
        u64::from(self.chosen.learner.batch) * u64::from(self.chosen.learner.context)
    }

    pub(super) fn work(&self) -> Work {
        let updates = self.updates();
        let was_examined = self.exams.last().is_some_and(|last| last.updates == updates);
        let is_time = self.chosen.exam.is_at(updates) && !was_examined;
        match self {
            Self { text: None, .. } => Work::Text,
            Self { model: None, .. } => Work::Tokenizer,
            Self { reading: None, .. } => Work::Reading,
            Self { model: Some(model), .. } if model.trainer.is_under_way() => Work::Update,
            Self { exam: Some(_), .. } => Work::Exam,
            _ if is_time => Work::Exam,
            _ => Work::Update,
        }
    }

    /// A row of what is known of these.
    pub(super) fn tell<const N: usize>(&mut self, values: [(&str, Option<f64>); N]) {
        self.tell_at(self.updates(), values);
    }

    /// A row of what is known of these, after so many gradient steps.
    pub(super) fn tell_at<const N: usize>(&mut self, updates: u64, values: [(&str, Option<f64>); N]) {
        let steps = updates.saturating_mul(self.tokens_per_update());
        let known = values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        self.push(MetricRow { steps, values: known.collect(), notice: None });
    }

    /// Something that a person should know.
    pub(super) fn notice(&mut self, notice: String) {
        let steps = self.progress().steps;
        self.push(MetricRow { steps, values: Vec::new(), notice: Some(notice) });
    }

    pub(super) fn push(&mut self, row: MetricRow) {
        self.run.report(row);
        self.ran = self.ran.wrapping_add(1);
    }
}

impl Experiment for LanguageExperiment {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    /// Steps are tokens that were learnt from, episodes whole readings of the text.
    fn progress(&self) -> Progress {
        let (updates, last) = (self.updates(), self.chosen.learner.anneal_updates);
        let tokens = |updates: u64| updates.saturating_mul(self.tokens_per_update());
        Progress {
            steps: tokens(updates),
            updates,
            episodes: self.position.epoch.into(),
            total_steps: (last > 0).then(|| tokens(last)),
        }
    }

    fn phase(&self) -> &'static str {
        match self.work() {
            Work::Text => "text",
            Work::Tokenizer => "tokenizer",
            Work::Reading => "reading",
            Work::Exam => "evaluation",
            Work::Update => "update",
        }
    }

    fn missing_data(&self) -> Option<&str> {
        let name = self.chosen.data.as_str();
        Some(name).filter(|name| self.text.is_none() && !name.is_empty())
    }

    fn bring_data(&mut self, sources: Vec<Box<dyn Source>>) -> Result<(), LabError> {
        if self.missing_data().is_none() {
            let allowed =
                "no text is missing here; another one takes a new run, with a name in its field data";
            return Err(LabError::invalid("data", shown(&self.chosen.data), allowed));
        }
        self.take_text(Text::brought(&self.chosen.data, sources)?)
    }

    #[cfg(feature = "gpu")]
    fn device(&self) -> Option<&dyn OnDevice> {
        self.device.as_ref().map(|device| device as &dyn OnDevice)
    }

    #[cfg(feature = "gpu")]
    fn move_to(&mut self, gpu: Gpu) -> Result<(), LabError> {
        self.train_on(gpu)
    }

    #[cfg(feature = "gpu")]
    fn move_back(&mut self) -> Result<(), LabError> {
        self.leave_device()
    }

    fn is_waiting(&self) -> bool {
        #[cfg(feature = "gpu")]
        if self.device.as_ref().is_some_and(|device| device.waiting) {
            return true;
        }
        self.missing_data().is_some()
    }

    /// A slice of a gradient step is a few sequences for each thread. While a text is missing there is nothing to do.
    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        if self.missing_data().is_some() || self.prepare()? {
            return Ok(());
        }
        if self.work() == Work::Exam {
            return self.examine(cpu);
        }
        #[cfg(feature = "gpu")]
        if let Some(outcome) = self.learn_on_device(cpu) {
            return outcome;
        }
        self.learn(cpu)
    }

    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError> {
        let config = self.run.changed(&[(path, value)])?;
        self.take_config(config)
    }

    /// Tries the model on so many windows of held-out text, drawn by the seed, and on as many questions, up to 100, or a tenth
    /// as many.
    fn evaluate_unless(
        &mut self,
        stop: &dyn Fn(f64) -> bool,
        cpu: &Cpu,
        episodes: u32,
        seed: u64,
    ) -> Result<Option<Evaluation>, LabError> {
        check_episodes(episodes, MOST_TRIALS, None)?;
        while self.prepare()? {
            if stop(0.0) {
                return Ok(None);
            }
        }
        let Some(reading) = &self.reading else { return Err(LabError::checkpoint("it has no text")) };
        // The exams beside training have the first edition.
        let edition = 1 + (seed & 0xffff) as u32;
        // A question takes as long as some windows.
        let questions = episodes.min(QUESTIONS.max(episodes / 10));
        let mut exam = Exam::new(&reading.held_out, episodes, questions as usize, edition);
        while self.advance_exam(cpu, &mut exam)? {
            if stop(exam.done()) {
                return Ok(None);
            }
        }
        let outcome = self.outcome(&exam);
        let measures = vec![
            ("likelihood", Some(-outcome.loss)),
            ("held_out_loss", Some(outcome.loss)),
            ("held_out_perplexity", Some(outcome.perplexity)),
            ("answered", outcome.quiz.as_ref().and_then(|quiz| quiz.all.share())),
        ];
        Ok(Some(Evaluation::new(&outcome, measures, false)))
    }

    fn save(&self) -> Vec<u8> {
        self.bytes()
    }
}

impl Exhibit for LanguageExperiment {
    type View = LanguageView;
    type Documents = LanguageDocuments;
    type Command = Command;

    fn frame(&mut self, view: &LanguageView, elapsed: f32) -> Frame<LanguageDocuments> {
        self.picture(*view, elapsed)
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        match command {
            Command::Write { prompt, temperature, top_k, tokens } => {
                self.write(prompt, (temperature, top_k, tokens))?;
            }
            Command::GoOn { writing, place, token, temperature, top_k, tokens } => {
                self.go_on(writing, place as usize, token, (temperature, top_k, tokens))?;
            }
            Command::StopWriting => self.playground.stop(),
            Command::SetSamples { prompt, temperature, top_k, tokens, every_seconds } => {
                self.set_samples(prompt, (temperature, top_k, tokens), every_seconds)?;
            }
        }
        Ok(Reply::Done)
    }
}
