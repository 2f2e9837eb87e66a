//! For shader emission: the origin of each value of an execution plan, and the steps that compute the values.

use vivarium_graph::{Op, Plan, PlanStep, Shape, Value};

use super::inline_value::InlineValue;

/// Origin of a value of an execution plan: an input or the result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The plan does not compute the value, because fusion removed it or no output needs it.
    Nowhere,
    /// The value is the plan input with this index.
    Input(usize),
    /// The value is a result of the step with this index in [`PlanValues::steps`].
    Step(usize),
}

/// Values of an execution plan, and its steps in topological order.
#[derive(Debug, Clone)]
pub(crate) struct PlanValues {
    steps: Vec<PlanStep>,
    shapes: Vec<Shape>,
    origins: Vec<Origin>,
    /// By step index: the inline value that shaders compute instead of loading the step's result from memory; `None` if
    /// shaders must load the result.
    inline: Vec<Option<InlineValue>>,
    /// By value index: the index of the value among the plan's outputs; `None` if the value is not an output.
    outputs: Vec<Option<usize>>,
}

impl PlanValues {
    /// Collects the values and steps of a plan. `inline` returns, for an operation without operands, the inline value
    /// that shaders compute where they read the result; `None` for any other operation.
    pub(crate) fn new(plan: &Plan, inline: impl Fn(&Op) -> Option<InlineValue>) -> Self {
        let shapes = plan.shapes().to_vec();
        let (mut origins, mut outputs) = (vec![Origin::Nowhere; shapes.len()], vec![None; shapes.len()]);
        for (input, value) in plan.input_values().iter().enumerate() {
            if let Some(value) = value {
                origins[value.index()] = Origin::Input(input);
            }
        }
        for (position, step) in plan.steps().iter().enumerate() {
            step.results.iter().for_each(|result| origins[result.index()] = Origin::Step(position));
        }
        for (output, value) in plan.output_values().iter().enumerate() {
            outputs[value.index()] = Some(output);
        }
        let inline = plan.steps().iter().map(|step| inline(&step.op)).collect();
        Self { steps: plan.steps().to_vec(), shapes, origins, inline, outputs }
    }

    /// Returns the steps of the plan in topological order.
    pub(crate) fn steps(&self) -> &[PlanStep] {
        &self.steps
    }

    /// Returns the number of values of the plan, including values that the plan does not compute.
    pub(crate) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Returns the shape of a value, for one row of the batch.
    pub(crate) fn shape(&self, value: Value) -> Shape {
        self.shapes[value.index()]
    }

    /// Returns the origin of a value: a plan input, the result of a step, or [`Origin::Nowhere`].
    pub(crate) fn origin(&self, value: Value) -> Origin {
        self.origins[value.index()]
    }

    /// Returns the index of a value among the plan's outputs; `None` if the value is not an output.
    pub(crate) fn output(&self, value: Value) -> Option<usize> {
        self.outputs[value.index()]
    }

    /// Returns the inline value (constant, setting, parameter or gradient seed) that shaders compute instead of loading
    /// this value from memory; `None` if they must load it.
    pub(crate) fn source(&self, value: Value) -> Option<InlineValue> {
        match self.origin(value) {
            Origin::Step(step) => self.inline[step],
            Origin::Input(_) | Origin::Nowhere => None,
        }
    }

    /// Returns whether any step of the plan computes `value`, a value without operands that shaders compute where they
    /// read it.
    pub(crate) fn has_inline(&self, value: InlineValue) -> bool {
        self.inline.contains(&Some(value))
    }

    /// Returns the maximum over all values of the number of lines (vectors along the last axis) in one batch row.
    pub(crate) fn most_lines(&self) -> usize {
        self.shapes.iter().map(Shape::lines).max().unwrap_or(1)
    }
}

/// Sizes of an execution plan's values and parameters, from which the scratch memory of each step is computed.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "only operations of the feature `sequences` need scratch memory")]
pub(crate) struct PlanSizes<'a> {
    pub(crate) values: &'a PlanValues,
    /// Word range of each parameter in the flat parameter buffer, by parameter index.
    pub(crate) parameters: &'a [std::ops::Range<usize>],
    /// Number of rows of the batch.
    pub(crate) rows: usize,
}
