//! What a person asks of an automaton.

use super::experiment::{LogicExperiment, refused, target_channels};
use super::files;
use super::running::Running;
use crate::entries::read;
use crate::protocol::LogicCommand as Command;
use serde_json::{Value, json};
use vivarium_lab::config;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::Reply;
use vivarium_logic_ca::hard::Circuit;
use vivarium_logic_ca::{Aim, Target};

impl LogicExperiment {
    /// Carries out a command. A refused one changes nothing.
    ///
    /// # Errors
    /// [`LabError`] naming what was wrong and what is allowed.
    pub(super) fn carry_out(&mut self, command: Command) -> Result<Reply, LabError> {
        match command {
            Command::SetTarget { width, height, channels, cells } => {
                self.set_target(width, height, channels, &cells)?;
            }
            Command::ResizeStage { width, height } => self.stage.resize(width, height)?,
            Command::StageSpeed { steps_per_second } => self.stage.set_speed(steps_per_second)?,
            Command::StageFire { rate } => self.stage.set_fire(rate)?,
            Command::StepStage { steps } => self.stage.take_steps(steps)?,
            Command::ResetStage { start } => self.stage.reset(start),
            Command::ClearStage => self.stage.clear(),
            Command::Brush { from, to, radius, paint, channel } => {
                self.stage.brush(from, to, radius, paint, channel)?;
            }
            Command::Place { pattern, x, y } => self.stage.place(&pattern, x, y)?,
            Command::OpenCircuit { json } => self.open_circuit(&json)?,
            Command::UseLearntCircuit => {
                self.opened = None;
                self.put_on_stage();
            }
            Command::Export { format } => {
                self.renew_circuit();
                let running = self.opened.as_ref().unwrap_or(&self.newest);
                let shown = target_channels(&self.learner);
                return Ok(files::export(format, running, self.learner.config(), shown, self.learner.seed()));
            }
        }
        Ok(Reply::Done)
    }

    /// Sets live fields.
    pub(super) fn set_fields(&mut self, changes: &[(&str, &Value)]) -> Result<(), LabError> {
        let config = self.run.changed(changes)?;
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            device.resident.set_config(read(&config)?).map_err(|error| refused(&error))?;
        }
        self.learner.set_config(read(&config)?).map_err(|error| refused(&error))?;
        self.run.set_config(config);
        self.stage.show(target_channels(&self.learner));
        Ok(())
    }

    /// Learns a pattern from now on.
    fn set_target(&mut self, width: u32, height: u32, channels: u32, cells: &[u8]) -> Result<(), LabError> {
        let target = Target::from_numbers(width as usize, height as usize, channels as usize, cells)
            .and_then(|target| {
                target.check(&self.learner.config().grid(), self.learner.architecture().channels)?;
                Ok(target)
            })
            .map_err(|error| {
                LabError::invalid("target", format!("{width}×{height}×{channels}"), error.to_string())
            })?;
        let (drawing, drawn) = (json!(target.to_text()), json!(Aim::Drawn.name()));
        self.set_fields(&[("task.drawing", &drawing), ("task.target", &drawn)])
    }

    /// Runs the circuit of a file on the stage.
    fn open_circuit(&mut self, json: &str) -> Result<(), LabError> {
        let refuse = |why: String| Err(LabError::invalid("circuit", config::shorten(json), why));
        let circuit = match Circuit::from_json(json) {
            Ok(circuit) => circuit,
            Err(error) => return refuse(error.to_string()),
        };
        let channels = self.learner.architecture().channels;
        if circuit.channels() != channels {
            let got = circuit.channels();
            return refuse(format!("it is a circuit for {got} channels; the cells here have {channels}"));
        }
        self.opened = Some(Running::opened(&circuit));
        self.put_on_stage();
        Ok(())
    }
}
