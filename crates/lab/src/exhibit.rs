//! Exhibits: experiments that a front end can display and control. Each family has its own view, document and command
//! types; front ends pass them as JSON.

use crate::error::LabError;
use crate::experiment::Experiment;
use crate::protocol::{AnyFrame, Frame, Reply};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Experiment that a front end can display (frames) and control (commands). All experiments of a family have the same
/// view, document and command types.
pub trait Exhibit: AnyExhibit {
    /// View: the front end's request that states which contents a frame should have.
    type View: DeserializeOwned;
    /// Structured data of a frame; `()` if a frame consists of arrays only.
    type Documents: Serialize + 'static;
    /// Command of the user to the exhibit, such as a move; changes of config fields are not commands.
    type Command: DeserializeOwned;

    /// Returns a snapshot of the experiment for drawing, with the contents that `view` requests. Also advances the
    /// animated preview by `elapsed` seconds of simulated time. Does not affect training.
    fn frame(&mut self, view: &Self::View, elapsed: f32) -> Frame<Self::Documents>;

    /// Executes a user command. A command that fails changes nothing.
    ///
    /// # Errors
    /// [`LabError`] with the problem and the allowed values.
    fn command(&mut self, command: Self::Command) -> Result<Reply, LabError>;
}

/// Interface of an [`Exhibit`] for front ends: views, documents and commands are JSON instead of the types of the
/// experiment's family.
pub trait AnyExhibit: Experiment {
    /// Returns a frame of the exhibit, with the view and the documents as JSON; see [`Exhibit::frame`].
    ///
    /// # Errors
    /// [`LabError::Unreadable`] if `view` is not of the family's type.
    fn any_frame(&mut self, view: Value, elapsed: f32) -> Result<AnyFrame, LabError>;

    /// Executes a user command that is given as JSON; see [`Exhibit::command`]. A command that fails changes nothing.
    ///
    /// # Errors
    /// [`LabError::Unreadable`] if `command` is not of the family's type; errors of [`Exhibit::command`].
    fn any_command(&mut self, command: Value) -> Result<Reply, LabError>;
}

impl<E: Exhibit> AnyExhibit for E {
    fn any_frame(&mut self, view: Value, elapsed: f32) -> Result<AnyFrame, LabError> {
        let Frame { arrays, documents } = self.frame(&read(view)?, elapsed);
        let documents = documents.map(serde_json::to_value).transpose().map_err(unreadable)?;
        Ok(AnyFrame { arrays, documents })
    }

    fn any_command(&mut self, command: Value) -> Result<Reply, LabError> {
        self.command(read(command)?)
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, LabError> {
    serde_json::from_value(value).map_err(unreadable)
}

fn unreadable(error: impl ToString) -> LabError {
    LabError::Unreadable { message: error.to_string() }
}
