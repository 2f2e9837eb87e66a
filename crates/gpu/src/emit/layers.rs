//! What the recording of a layer needs: its operands as places in the buffers, and the gradients of its parameters.

use std::ops::Range;

use vivarium_graph::{self as graph, ParameterId, Step, Value};

use super::layout::Layout;
#[cfg(feature = "sequences")]
use super::values::Origin;
use super::values::Values;
use crate::memory::Buffer;
use crate::operand::{Norm, Slices};
use crate::program::Recorder;

/// What all shaders of a network are written from.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) values: &'a Values,
    pub(crate) layout: &'a Layout,
    /// Where each parameter lies in the flat buffer.
    pub(crate) parameters: &'a [Range<usize>],
    /// The weight of a row in the loss.
    pub(crate) row_weight: f32,
}

/// A network while its layers are recorded, one after the other.
pub(crate) struct Layers<'a> {
    pub(crate) sources: Sources<'a>,
    /// Rows of the batch.
    pub(crate) rows: usize,
    pub(crate) recorder: &'a mut Recorder,
    pub(crate) arena: &'a Buffer,
    pub(crate) parameters: &'a Buffer,
    gradients: Option<Slices<'a>>,
    /// The parameters whose gradient was written: later parts are added to it.
    has_gradient: Vec<bool>,
}

impl<'a> Layers<'a> {
    pub(crate) fn new(
        sources: Sources<'a>,
        rows: usize,
        recorder: &'a mut Recorder,
        arena: &'a Buffer,
        parameters: &'a Buffer,
        gradients: Option<Slices<'a>>,
    ) -> Self {
        let has_gradient = vec![false; sources.parameters.len()];
        Self { sources, rows, recorder, arena, parameters, gradients, has_gradient }
    }

    /// Where a value lies in the arena.
    pub(crate) fn value(&self, value: Value) -> usize {
        self.sources.layout.offset(value).expect("operands and results of layers lie in memory")
    }

    /// The width of a value's lines.
    pub(crate) fn width(&self, value: Value) -> usize {
        self.sources.values.shape(value).width()
    }

    /// Lines of a step's first operand: a row of the batch may hold several.
    pub(crate) fn lines(&self, step: &Step) -> usize {
        self.rows * self.sources.values.shape(step.operands[0]).lines()
    }

    /// Where the working memory of a step lies in the arena.
    #[cfg(feature = "sequences")]
    pub(crate) fn room(&self, step: &Step) -> usize {
        let room = match self.sources.values.origin(step.results[0]) {
            Origin::Step(position) => self.sources.layout.rooms[position],
            Origin::Input(_) | Origin::Nowhere => None,
        };
        room.expect("the layout gives a step the room that its operation asks for")
    }

    /// Where a parameter starts.
    pub(crate) fn parameter(&self, id: ParameterId) -> usize {
        self.sources.parameters[id.0].start
    }

    /// How many numbers a parameter has.
    pub(crate) fn parameter_len(&self, id: ParameterId) -> usize {
        self.sources.parameters[id.0].len()
    }

    /// Where the parameters of a layer norm start.
    pub(crate) fn norm(&self, norm: graph::Norm) -> Norm {
        Norm { scale: self.parameter(norm.scale), shift: self.parameter(norm.shift) }
    }

    /// Where gradients go.
    pub(crate) fn slices(&self) -> Slices<'a> {
        self.gradients.expect("a plan with gradients is recorded with slices")
    }

    /// Whether a gradient is to be added to what the slices hold for these parameters, those of one layer.
    pub(crate) fn accumulates(&mut self, ids: &[ParameterId]) -> bool {
        let before = ids.iter().any(|id| self.has_gradient[id.0]);
        for id in ids {
            let range = &self.sources.parameters[id.0];
            // One that layers share, with another that they do not: something to add to is needed for all of them.
            if before && !self.has_gradient[id.0] {
                let slices = self.slices();
                for start in (0..slices.count).map(|slice| slice * slices.stride) {
                    self.recorder.clear(slices.buffer, start + range.start..start + range.end);
                }
            }
            self.has_gradient[id.0] = true;
        }
        before
    }
}
