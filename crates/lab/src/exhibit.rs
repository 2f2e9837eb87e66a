//! What a person sees of an experiment and asks of it. Each family has types of its own for that; a front end, which knows none of
//! them, passes on what it can serialize.

use crate::error::LabError;
use crate::experiment::Experiment;
use crate::message::Message;
use crate::protocol::{AnyFrame, Frame, Reply};
use serde::Serialize;
use serde::de::DeserializeOwned;

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
    fn any_frame(&mut self, view: Message<'_>, elapsed: f32) -> Result<AnyFrame, LabError>;

    /// As [`Exhibit::command`].
    ///
    /// # Errors
    /// [`LabError::Unreadable`] for another command than the family's own; those of [`Exhibit::command`].
    fn any_command(&mut self, command: Message<'_>) -> Result<Reply, LabError>;
}

impl<E: Exhibit> AnyExhibit for E {
    fn any_frame(&mut self, view: Message<'_>, elapsed: f32) -> Result<AnyFrame, LabError> {
        let Frame { arrays, documents } = self.frame(&view.read()?, elapsed);
        Ok(AnyFrame { arrays, documents: documents.map(|documents| documents as Box<dyn erased_serde::Serialize>) })
    }

    fn any_command(&mut self, command: Message<'_>) -> Result<Reply, LabError> {
        self.command(command.read()?)
    }
}
