//! Arguments of an execution plan: weights and a batch of inputs.

use crate::packed::PackedParameters;
use crate::parameters::Parameters;

/// Parameters of a graph with their packed copies for matrix products.
#[derive(Clone, Copy, Debug)]
pub struct PlanWeights<'a> {
    pub(crate) parameters: &'a Parameters,
    pub(crate) packed: &'a PackedParameters,
}

impl<'a> PlanWeights<'a> {
    /// Combines parameters with their packed copies. `packed` must be refreshed after each change of `parameters`.
    pub fn new(parameters: &'a Parameters, packed: &'a PackedParameters) -> Self {
        Self { parameters, packed }
    }
}

/// A batch: the elements of each graph input for all rows of the batch, and the loss weight of a row.
#[derive(Clone, Copy, Debug)]
pub struct BatchInputs<'a> {
    pub(crate) rows: usize,
    pub(crate) inputs: &'a [&'a [f32]],
    /// Weight of each batch row in the summed loss: 1/B for the mean loss over B rows.
    pub(crate) row_weight: f32,
}

impl<'a> BatchInputs<'a> {
    /// Creates a batch for the gradient of the mean loss. `inputs` has one slice for each graph input, in order of
    /// declaration: `rows` rows, or one number for a [setting](crate::Graph::setting). The slice of an input that the
    /// plan does not read may be empty.
    pub fn new(rows: usize, inputs: &'a [&'a [f32]]) -> Self {
        Self { rows, inputs, row_weight: 1.0 / rows as f32 }
    }

    /// Sets the loss weight of each row, for gradients of Σ `row_weight`·loss. A minibatch that is part of a larger
    /// batch passes 1 / (size of the larger batch).
    #[must_use]
    pub fn weighted(self, row_weight: f32) -> Self {
        Self { row_weight, ..self }
    }
}
