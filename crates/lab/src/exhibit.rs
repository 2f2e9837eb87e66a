//! What a person sees of an experiment and asks of it. Each family has types of its own for that; a front end, which knows none of
//! them, passes them on as JSON.

use crate::error::LabError;
use crate::experiment::Experiment;
use crate::protocol::{AnyFrame, Frame, Reply};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// An experiment with what there is to see and to do, in the types of its family.
pub trait Exhibit: AnyExhibit {
    /// What is to be drawn.
    type View: DeserializeOwned;
    /// Structured data of a frame; `()` where arrays are all there is.
    type Documents: Serialize + 'static;
    /// What a person may ask for, besides other values of live fields.
    type Command: DeserializeOwned;

    /// A picture of the present state as typed arrays ready to draw. `elapsed` is the time since the last frame in
    /// seconds of the world, by which everything shown moves on; training is not touched.
    fn frame(&mut self, view: &Self::View, elapsed: f32) -> Frame<Self::Documents>;

    /// Carries out what a person asks for. A refused command changes nothing.
    ///
    /// # Errors
    /// [`LabError`] naming what was wrong and what is allowed.
    fn command(&mut self, command: Self::Command) -> Result<Reply, LabError>;
}

/// The same for a front end.
pub trait AnyExhibit: Experiment {
    /// As [`Exhibit::frame`].
    ///
    /// # Errors
    /// [`LabError::Unreadable`] for another view than the family's own.
    fn any_frame(&mut self, view: Value, elapsed: f32) -> Result<AnyFrame, LabError>;

    /// As [`Exhibit::command`].
    ///
    /// # Errors
    /// [`LabError::Unreadable`] for another command than the family's own; those of [`Exhibit::command`].
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
