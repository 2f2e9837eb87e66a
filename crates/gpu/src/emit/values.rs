//! A plan's values as the device sees them.

use vivarium_graph::{Op, Plan, Shape, Step, Value};

use super::source::{Source, source};

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Nothing in the plan computes it.
    Nowhere,
    /// The caller's input of this number.
    Input(usize),
    /// The step at this position.
    Step(usize),
}

/// The values of a plan and the steps that compute them, each after those that it reads.
#[derive(Debug, Clone)]
pub(crate) struct Values {
    steps: Vec<Step>,
    shapes: Vec<Shape>,
    origins: Vec<Origin>,
    /// The output that each value is, if it is one.
    outputs: Vec<Option<usize>>,
}

impl Values {
    pub(crate) fn new(plan: &Plan) -> Self {
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
        Self { steps: plan.steps().to_vec(), shapes, origins, outputs }
    }

    /// The steps, in order.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How many values there are, unused ones included.
    pub(crate) fn len(&self) -> usize {
        self.shapes.len()
    }

    /// The shape of one row of a value.
    pub(crate) fn shape(&self, value: Value) -> Shape {
        self.shapes[value.index()]
    }

    /// Where a value comes from.
    pub(crate) fn origin(&self, value: Value) -> Origin {
        self.origins[value.index()]
    }

    /// The output that a value is, if it is one.
    pub(crate) fn output(&self, value: Value) -> Option<usize> {
        self.outputs[value.index()]
    }

    /// The source behind a value: what can be written down wherever it is needed.
    pub(crate) fn source(&self, value: Value) -> Option<Source> {
        match self.origin(value) {
            Origin::Step(step) => source(self.steps[step].op),
            Origin::Input(_) | Origin::Nowhere => None,
        }
    }

    /// Whether a step gives its operand another shape.
    pub(crate) fn is_reshaped(&self, step: &Step) -> bool {
        matches!(step.op, Op::Reshape(_)) && self.shape(step.operands[0]) != self.shape(step.results[0])
    }

    /// The most lines that a row of any value has.
    pub(crate) fn most_lines(&self) -> usize {
        self.shapes.iter().map(Shape::lines).max().unwrap_or(1)
    }
}

/// What the working memory of a step depends on.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "sequences"), expect(dead_code, reason = "no other operation needs working memory"))]
pub(crate) struct Sizes<'a> {
    pub(crate) values: &'a Values,
    /// Where each parameter lies in the flat buffer.
    pub(crate) parameters: &'a [std::ops::Range<usize>],
    /// Rows of the batch.
    pub(crate) rows: usize,
}
