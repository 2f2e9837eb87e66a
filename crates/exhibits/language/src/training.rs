//! Gradient steps, and what becomes of those that went wrong.

use super::experiment::LanguageExperiment;
use super::peak::Peak;
use super::{refused, refused_text};
use crate::entries::{LEARNING_RATES, read};
use serde_json::Value;
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::Experiment;
use vivarium_lab::run::{MOST_ROLL_BACKS, diverged};
use vivarium_lm::{LanguageError, Learnt};

/// After so many gradient steps a breakdown is forgotten.
const CALM_AFTER: u64 = 500;

/// How training goes.
#[derive(Default)]
pub(super) struct Training {
    /// Breakdowns of late, and the gradient steps before the last one.
    pub(super) breakdowns: u32,
    pub(super) broke_at: u64,
    /// The loss of the last gradient step.
    pub(super) loss: Option<f64>,
    /// Seconds that the step under way has taken so far.
    seconds: f64,
    peak: Peak,
}

impl LanguageExperiment {
    /// A slice of a gradient step.
    pub(super) fn learn(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        let (Some(model), Some(reading)) = (&mut self.model, &mut self.reading) else { return Ok(()) };
        if !model.trainer.is_under_way() {
            let more = reading.training.draw(self.chosen.learner.batch as usize);
            if more.map_err(|error| refused_text(&self.chosen.data, &error))? {
                return Ok(());
            }
            model.trainer.begin(reading.training.sequences()).map_err(|error| refused(&error))?;
            self.training.seconds = 0.0;
        }
        let began = self.run.clock().map(|clock| clock());
        let outcome = model.trainer.advance(cpu);
        self.training.seconds += self.run.clock().zip(began).map_or(0.0, |(clock, began)| clock() - began);
        if let Ok(None) = outcome {
            return Ok(());
        }
        // Until here a checkpoint would have gone on with the same sequences.
        self.position = reading.training.position();
        match outcome {
            Ok(learnt) => {
                let (updates, seconds) = (self.updates(), Some(self.training.seconds));
                learnt.into_iter().for_each(|learnt| self.book(updates, learnt, seconds, Some(cpu)));
            }
            Err(error @ LanguageError::NotFinite { .. }) => {
                self.break_down(&error.to_string(), "That step was left out")?;
            }
            Err(error) => return Err(refused(&error)),
        }
        Ok(())
    }

    /// Books a gradient step, after which there were so many, and the seconds that it took. `cpu` is what computed it, where
    /// that is known to say what it could do at best.
    pub(super) fn book(&mut self, updates: u64, learnt: Learnt, seconds: Option<f64>, cpu: Option<&Cpu>) {
        let Learnt { loss, gradient_norm, learning_rate } = learnt;
        let tokens = self.tokens_per_update() as f64;
        let training = &mut self.training;
        if updates >= training.broke_at + CALM_AFTER {
            training.breakdowns = 0;
        }
        training.loss = Some(loss);
        let speed = seconds.filter(|&seconds| seconds > 0.0).map(|seconds| tokens / seconds);
        let peak = cpu.zip(self.run.clock()).and_then(|(cpu, clock)| training.peak.of(cpu, clock));
        let vocabulary = self.model.as_ref().map_or(0, |model| model.tokenizer.vocabulary());
        let flops = self.chosen.learner.flops_per_token(vocabulary);
        self.tell_at(
            updates,
            [
                ("loss", Some(loss)),
                ("learning_rate", Some(learning_rate.into())),
                ("gradient_norm", Some(gradient_norm)),
                ("tokens_per_second", speed),
                ("peak_share", speed.zip(peak).map(|(speed, peak)| speed * flops / peak)),
            ],
        );
    }

    /// Goes on with half the learning rate, or gives up. The weights are those before the step that would have spoilt them;
    /// `left_out` says what has not been learnt.
    pub(super) fn break_down(&mut self, reason: &str, left_out: &str) -> Result<(), LabError> {
        self.training.breakdowns += 1;
        self.training.broke_at = self.updates();
        let [rate, _] = LEARNING_RATES;
        if self.training.breakdowns > MOST_ROLL_BACKS {
            return Err(diverged(reason, "state before it", rate));
        }
        let config = self.run.slowed(&LEARNING_RATES)?;
        self.take_config(config)?;
        let steps = self.progress().steps;
        self.run.notice_roll_back(steps, reason, left_out, rate);
        Ok(())
    }

    /// Takes over live fields.
    pub(super) fn take_config(&mut self, config: Value) -> Result<(), LabError> {
        let chosen = read(&config)?;
        if let Some(model) = &mut self.model {
            model.trainer.set_config(chosen.learner.clone()).map_err(|error| refused(&error))?;
        }
        self.run.set_config(config);
        self.chosen = chosen;
        #[cfg(feature = "gpu")]
        self.tell_device()?;
        Ok(())
    }
}
