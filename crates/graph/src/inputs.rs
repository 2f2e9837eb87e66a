//! What a plan is run on.

use crate::packed::PackedParameters;
use crate::parameters::Parameters;

/// The parameters of a graph, as they are and as matrix products read them.
#[derive(Clone, Copy, Debug)]
pub struct PlanWeights<'a> {
    pub(crate) parameters: &'a Parameters,
    pub(crate) packed: &'a PackedParameters,
}

impl<'a> PlanWeights<'a> {
    /// `packed` must have been refreshed since `parameters` changed.
    pub fn new(parameters: &'a Parameters, packed: &'a PackedParameters) -> Self {
        Self { parameters, packed }
    }
}

/// Rows of a graph's inputs.
#[derive(Clone, Copy, Debug)]
pub struct BatchInputs<'a> {
    pub(crate) rows: usize,
    pub(crate) inputs: &'a [&'a [f32]],
    /// The weight of each row's loss in gradients.
    pub(crate) row_weight: f32,
}

impl<'a> BatchInputs<'a> {
    /// `inputs` are in the order of the graph's declarations: `rows` rows each, or one number for a setting. An input that
    /// no step reads may be empty. Gradients are those of the mean loss over the rows.
    pub fn new(rows: usize, inputs: &'a [&'a [f32]]) -> Self {
        Self { rows, inputs, row_weight: 1.0 / rows as f32 }
    }

    /// With gradients of Σ `row_weight`·loss: for rows of a larger batch.
    #[must_use]
    pub fn weighted(self, row_weight: f32) -> Self {
        Self { row_weight, ..self }
    }
}
