//! The experiment: text, a tokenizer made from it, the learner, and its exams.

use super::exam::{Candidate, Exam, Stopped};
use super::learning::Reading;
use super::preparation::{Next, Preparation, Refusal};
use super::text::{Identity, Text};
use super::{NAME, Source, refused, refused_text, shown};
use crate::config;
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::info::FieldInfo;
use crate::protocol::{
    Command, Evaluation, Frame, LanguageEvaluation, MetricRow, Progress, Reply, ViewRequest,
};
use crate::registry::language::{Chosen, LEARNING_RATES, check_size, describe, read};
use serde_json::Value;
use std::sync::Arc;
use vivarium_graph::Cpu;
use vivarium_lm::{LanguageError, Learnt, Position, Tokenizer, Trainer};

/// How often in a row learning may break down before it gives up.
const MOST_BREAKDOWNS: u32 = 8;

/// After so many gradient steps a breakdown is forgotten.
const CALM_AFTER: u64 = 500;

/// Rows kept for a door that does not take them.
const MOST_ROWS: usize = 4096;

/// The most windows, and questions, of an evaluation.
const MOST_TRIALS: u32 = 10_000;

/// A model, and the tokens that it knows.
pub(super) struct Pupil {
    pub(super) tokenizer: Arc<Tokenizer>,
    pub(super) trainer: Trainer,
}

/// What the next slice does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Text,
    Tokenizer,
    Reading,
    Exam,
    Update,
}

/// A transformer that learns to continue text.
pub(crate) struct LanguageExperiment {
    pub(super) config: Value,
    pub(super) chosen: Chosen,
    pub(super) seed: u64,
    fields: Vec<FieldInfo>,
    text: Option<Text>,
    /// The text that training began with.
    pub(super) began_with: Option<Identity>,
    preparation: Option<Preparation>,
    /// There once the tokenizer is made.
    pub(super) pupil: Option<Pupil>,
    reading: Option<Reading>,
    /// Where in the text training goes on.
    pub(super) position: Position,
    exam: Option<Exam>,
    /// Gradient steps before the last exam.
    pub(super) examined: Option<u64>,
    /// Breakdowns of late, and the gradient steps before the last one.
    pub(super) breakdowns: u32,
    pub(super) broke_at: u64,
    rows: Vec<MetricRow>,
    clock: Option<fn() -> f64>,
}

impl LanguageExperiment {
    /// An experiment that has read nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        Ok(Self {
            chosen: read(&config)?,
            config,
            seed,
            fields: describe().fields,
            text: None,
            began_with: None,
            preparation: None,
            pupil: None,
            reading: None,
            position: Position::default(),
            exam: None,
            examined: None,
            breakdowns: 0,
            broke_at: 0,
            rows: Vec::new(),
            clock: None,
        })
    }

    pub(super) fn updates(&self) -> u64 {
        self.pupil.as_ref().map_or(0, |pupil| pupil.trainer.updates())
    }

    /// Tokens that a gradient step learns from.
    fn tokens_per_update(&self) -> u64 {
        u64::from(self.chosen.learner.batch) * u64::from(self.chosen.learner.context)
    }

    fn work(&self) -> Work {
        let updates = self.updates();
        let every = self.chosen.exam.every;
        let is_time = every > 0 && updates.is_multiple_of(every) && self.examined != Some(updates);
        match self {
            Self { text: None, .. } => Work::Text,
            Self { pupil: None, .. } => Work::Tokenizer,
            Self { reading: None, .. } => Work::Reading,
            Self { exam: Some(_), .. } => Work::Exam,
            _ if is_time => Work::Exam,
            _ => Work::Update,
        }
    }

    /// A slice of what comes before training; `false` once there is nothing left of that.
    fn prepare(&mut self, cpu: &Cpu) -> Result<bool, LabError> {
        match self.work() {
            Work::Text => self.write_text()?,
            Work::Tokenizer => self.make_tokenizer(cpu)?,
            Work::Reading => self.begin_reading()?,
            Work::Exam | Work::Update => return Ok(false),
        }
        Ok(true)
    }

    /// Has the built-in text written. Any other one has to be brought.
    fn write_text(&mut self) -> Result<(), LabError> {
        if let Some(name) = self.missing_text() {
            let allowed = "this text has not been brought yet, and there is nothing to learn from before";
            return Err(LabError::invalid("data", shown(name), allowed));
        }
        self.take_text(Text::built_in(self.chosen.bytes)?)
    }

    /// Takes up a text, which must be the one that training began with.
    fn take_text(&mut self, text: Text) -> Result<(), LabError> {
        if let Some(began_with) = self.began_with {
            text.check(&self.chosen.data, began_with)?;
        }
        self.began_with = Some(text.identity());
        self.text = Some(text);
        Ok(())
    }

    /// Makes a tokenizer, and once it is there a model.
    fn make_tokenizer(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        let Some(text) = &self.text else { return Ok(()) };
        let preparation = self.preparation.take();
        let preparation =
            preparation.unwrap_or_else(|| Preparation::new(&text.corpus, self.chosen.learner.vocabulary));
        match preparation.advance(&text.corpus) {
            Ok(Next::Slice(next)) => self.preparation = Some(next),
            Ok(Next::Made(tokenizer)) => {
                let learner = &self.chosen.learner;
                check_size(learner, tokenizer.vocabulary())?;
                let trainer = Trainer::new(cpu.level(), learner.clone(), tokenizer.vocabulary(), self.seed);
                let trainer = trainer.map_err(|error| refused(&error))?;
                self.pupil = Some(Pupil { tokenizer: Arc::new(tokenizer), trainer });
            }
            Err(Refusal::Text(error)) => return Err(refused_text(&self.chosen.data, &error)),
            Err(Refusal::Tokenizer(error)) => {
                return Err(LabError::invalid("data", shown(&self.chosen.data), error.to_string()));
            }
        }
        Ok(())
    }

    /// Goes to the place in the text where training goes on.
    fn begin_reading(&mut self) -> Result<(), LabError> {
        let (Some(text), Some(pupil)) = (&self.text, &self.pupil) else { return Ok(()) };
        let context = self.chosen.learner.context as usize;
        let reading = Reading::new(text, &pupil.tokenizer, context, self.seed, self.position);
        self.reading = Some(reading.map_err(|error| refused_text(&self.chosen.data, &error))?);
        Ok(())
    }

    /// One gradient step.
    fn learn(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        let (Some(pupil), Some(reading)) = (&mut self.pupil, &mut self.reading) else { return Ok(()) };
        let sequences = reading.training.next(self.chosen.learner.batch as usize);
        let sequences = sequences.map_err(|error| refused_text(&self.chosen.data, &error))?;
        let began = self.clock.map(|clock| clock());
        let outcome = pupil.trainer.step(cpu, sequences);
        let seconds = self.clock.zip(began).map(|(clock, began)| clock() - began);
        self.position = reading.training.position();
        match outcome {
            Ok(learnt) => {
                self.book(learnt, seconds);
                Ok(())
            }
            Err(error @ LanguageError::NotFinite { .. }) => self.break_down(&error.to_string()),
            Err(error) => Err(refused(&error)),
        }
    }

    /// Books a gradient step that took so many seconds.
    fn book(&mut self, Learnt { loss, gradient_norm, learning_rate }: Learnt, seconds: Option<f64>) {
        if self.updates() >= self.broke_at + CALM_AFTER {
            self.breakdowns = 0;
        }
        let speed = seconds.filter(|&s| s > 0.0).map(|seconds| self.tokens_per_update() as f64 / seconds);
        self.tell([
            ("loss", Some(loss)),
            ("learning_rate", Some(learning_rate.into())),
            ("gradient_norm", Some(gradient_norm)),
            ("tokens_per_second", speed),
        ]);
    }

    /// Goes on with half the learning rate, or gives up. The weights are those before the step that would have spoilt them.
    fn break_down(&mut self, reason: &str) -> Result<(), LabError> {
        self.breakdowns += 1;
        self.broke_at = self.updates();
        let [rate, _] = LEARNING_RATES;
        if self.breakdowns > MOST_BREAKDOWNS {
            return Err(LabError::Diverged {
                message: format!(
                    "{reason}, again and again with ever smaller steps; try a smaller {rate} or a preset"
                ),
            });
        }
        let mut config = self.config.clone();
        for path in LEARNING_RATES {
            config::halve(&self.fields, &mut config, path)?;
        }
        self.take_config(config)?;
        let now = config::get(&self.config, rate).and_then(Value::as_f64).unwrap_or(0.0);
        self.push(MetricRow {
            steps: self.progress().steps,
            values: Vec::new(),
            notice: Some(format!(
                "Learning broke down ({reason}). That step was left out, and it goes on with half the learning rate, {now}."
            )),
        });
        Ok(())
    }

    /// Takes over live fields.
    fn take_config(&mut self, config: Value) -> Result<(), LabError> {
        let chosen = read(&config)?;
        if let Some(pupil) = &mut self.pupil {
            pupil.trainer.set_config(chosen.learner.clone()).map_err(|error| refused(&error))?;
        }
        (self.config, self.chosen) = (config, chosen);
        Ok(())
    }

    /// A slice of the exam that is held now and then beside training.
    fn examine(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        let (Some(held_out), windows) =
            (self.reading.as_ref().map(|reading| &reading.held_out), self.chosen.exam.windows)
        else {
            return Ok(());
        };
        let questions = self.chosen.exam.questions as usize;
        let mut exam = self.exam.take().unwrap_or_else(|| Exam::new(held_out, windows, questions, 0));
        if self.advance_exam(cpu, &mut exam)? {
            self.exam = Some(exam);
            return Ok(());
        }
        self.examined = Some(self.updates());
        let outcome = self.outcome(&exam);
        let counted = |of: fn(&crate::protocol::LanguageBaselines) -> f64| outcome.baselines.as_ref().map(of);
        self.tell([
            ("validation_loss", Some(outcome.loss)),
            ("perplexity", Some(outcome.perplexity)),
            ("uniform", counted(|of| of.uniform)),
            ("unigram", counted(|of| of.unigram)),
            ("bigram", counted(|of| of.bigram)),
            ("trigram", counted(|of| of.trigram)),
            ("quiz", outcome.quiz.as_ref().and_then(|quiz| quiz.all.share())),
        ]);
        Ok(())
    }

    /// A slice of an exam of the model as it is. Returns whether there is more.
    fn advance_exam(&mut self, cpu: &Cpu, exam: &mut Exam) -> Result<bool, LabError> {
        let Self { text: Some(text), pupil: Some(pupil), reading: Some(reading), chosen, .. } = self else {
            return Ok(false);
        };
        let Pupil { tokenizer, trainer } = pupil;
        let mut candidate = Candidate { config: &chosen.learner, gpt: trainer.model_mut(), tokenizer };
        exam.advance(cpu, &mut candidate, &mut reading.held_out, &text.questions).map_err(|stopped| {
            match stopped {
                Stopped::Text(error) => refused_text(&chosen.data, &error),
                Stopped::Model(error) => error,
            }
        })
    }

    fn outcome(&self, exam: &Exam) -> LanguageEvaluation {
        let vocabulary = self.pupil.as_ref().map_or(0, |pupil| pupil.tokenizer.vocabulary());
        let baselines = self.reading.as_ref().and_then(|reading| reading.baselines);
        exam.outcome(&self.chosen.learner, vocabulary, baselines)
    }

    /// A row of what is known of these.
    fn tell<const N: usize>(&mut self, values: [(&str, Option<f64>); N]) {
        let known = values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let row = MetricRow { steps: self.progress().steps, values: known.collect(), notice: None };
        self.push(row);
    }

    fn push(&mut self, row: MetricRow) {
        if self.rows.len() == MOST_ROWS {
            self.rows.remove(0);
        }
        self.rows.push(row);
    }
}

impl Experiment for LanguageExperiment {
    fn name(&self) -> &'static str {
        NAME
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn config(&self) -> Value {
        self.config.clone()
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
            Work::Exam => "exam",
            Work::Update => "update",
        }
    }

    fn missing_text(&self) -> Option<&str> {
        let name = self.chosen.data.as_str();
        Some(name).filter(|name| self.text.is_none() && !name.is_empty())
    }

    fn bring_text(&mut self, sources: Vec<Box<dyn Source>>) -> Result<(), LabError> {
        if self.missing_text().is_none() {
            let allowed =
                "no text is missing here; another one takes a new run, with a name in its field data";
            return Err(LabError::invalid("data", shown(&self.chosen.data), allowed));
        }
        self.take_text(Text::brought(&self.chosen.data, sources)?)
    }

    fn set_clock(&mut self, clock: fn() -> f64) {
        self.clock = Some(clock);
    }

    /// A slice is a gradient step, which takes as long as model and batch are large.
    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        if self.prepare(cpu)? {
            return Ok(());
        }
        if self.work() == Work::Exam { self.examine(cpu) } else { self.learn(cpu) }
    }

    fn take_metrics(&mut self) -> Vec<MetricRow> {
        std::mem::take(&mut self.rows)
    }

    fn frame(&mut self, _: &ViewRequest, _: f32) -> Frame {
        Frame::default()
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        match command {
            Command::Set { path, value } => {
                let value = config::check_live(&self.fields, &path, &value)?;
                let mut config = self.config.clone();
                config::set(&mut config, &path, value)?;
                self.take_config(config)?;
                Ok(Reply::Done)
            }
            #[allow(unreachable_patterns, reason = "without other families there are no others")]
            other => Err(LabError::invalid("command", other.name(), "a language model knows set alone")),
        }
    }

    /// Tries the model on so many windows of held-out text, drawn by the seed, and on up to as many questions.
    fn evaluate(&mut self, cpu: &Cpu, episodes: u32, seed: u64) -> Result<Evaluation, LabError> {
        if !(1..=MOST_TRIALS).contains(&episodes) {
            let allowed = format!("it must be a whole number from 1 to {MOST_TRIALS}");
            return Err(LabError::invalid("episodes", episodes.to_string(), allowed));
        }
        while self.prepare(cpu)? {}
        let Some(reading) = &self.reading else { return Err(LabError::checkpoint("it has no text")) };
        // The exams beside training have the first edition.
        let edition = 1 + (seed & 0xffff) as u32;
        let mut exam = Exam::new(&reading.held_out, episodes, episodes as usize, edition);
        while self.advance_exam(cpu, &mut exam)? {}
        Ok(Evaluation::Language(self.outcome(&exam)))
    }

    fn save(&self) -> Vec<u8> {
        self.bytes()
    }
}
