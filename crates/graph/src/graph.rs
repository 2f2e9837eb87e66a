//! What a graph is: nodes in the order they were defined, and the declarations of inputs and parameters.

use crate::error::GraphError;
use crate::init::Initializer;
use crate::op::Op;
use crate::parameters::{ParameterSpec, Role};
use crate::shape::Shape;

/// A value of a graph: the result of one operation, for each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub(crate) u32);

impl Value {
    /// The position of its node in [`Graph::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An input of a graph, numbered in the order of declaration: its place in the slices that a run is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InputId(pub usize);

/// A parameter of a graph, numbered in the order of first use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterId(pub usize);

/// One operation with its operands.
#[derive(Debug, Clone)]
pub struct Node {
    /// What is computed.
    pub op: Op,
    /// From which values; all of them stand earlier in the graph.
    pub operands: Vec<Value>,
    /// The shape of the result for one row; `None` for an operation that only adds to a gradient.
    pub shape: Option<Shape>,
}

/// An input as it was declared.
#[derive(Debug, Clone, PartialEq)]
pub struct InputSpec {
    /// Its name, for listings and errors.
    pub name: String,
    /// What one row holds.
    pub shape: Shape,
    /// Whether there is one row of it for every row of the batch; otherwise it is one number for all (a setting).
    pub per_row: bool,
    /// Whether most of its numbers are 0, which an engine may make use of.
    pub sparse: bool,
}

/// A network, or anything else that is computed row by row, defined once.
///
/// Its methods append operations and return their values; see the [crate's example](crate). A graph may hold everything
/// that a learner computes: the policy, the value, the loss. Each [`crate::Plan`] then takes the part that it needs,
/// and all of them share one set of [`crate::Parameters`].
#[derive(Debug, Clone, Default)]
pub struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) inputs: Vec<InputSpec>,
    pub(crate) parameters: Vec<ParameterSpec>,
    pub(crate) error: Option<GraphError>,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// The operations, each after those that it reads.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The inputs in the order in which a run is given them.
    pub fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    /// The parameters in the order in which they lie in [`crate::Parameters`].
    pub fn parameters(&self) -> &[ParameterSpec] {
        &self.parameters
    }

    /// How many numbers all parameters hold together, apart from the padding between them.
    pub fn parameter_count(&self) -> usize {
        self.parameters.iter().map(ParameterSpec::len).sum()
    }

    /// The shape that one row of a value has.
    pub fn shape(&self, value: Value) -> Shape {
        self.nodes[value.index()].shape.unwrap_or(Shape::SCALAR)
    }

    /// The first mistake in the definition.
    pub fn check(&self) -> Result<(), GraphError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    /// Keeps the first mistake.
    pub(crate) fn fail(&mut self, error: GraphError) {
        self.error.get_or_insert(error);
    }

    /// Appends an operation whose shape follows from its operands.
    pub(crate) fn push(&mut self, op: Op, operands: &[Value]) -> Value {
        let shapes: Vec<Shape> = operands.iter().map(|&operand| self.shape(operand)).collect();
        let shape = match op.shape(&shapes, |id| &self.parameters[id.0].dims) {
            Ok(shape) => shape,
            Err(error) => {
                self.fail(error);
                Some(Shape::SCALAR)
            }
        };
        self.push_shaped(op, operands, shape)
    }

    /// Appends an operation of a known shape.
    pub(crate) fn push_shaped(&mut self, op: Op, operands: &[Value], shape: Option<Shape>) -> Value {
        self.nodes.push(Node { op, operands: operands.to_vec(), shape });
        Value(self.nodes.len() as u32 - 1)
    }

    /// Declares an input.
    pub(crate) fn declare_input(&mut self, name: &str, dims: &[usize], per_row: bool) -> (InputId, Shape) {
        if self.inputs.iter().any(|input| input.name == name) {
            self.fail(GraphError::InputTwice { name: name.to_owned() });
        }
        let shape = Shape::new(dims).unwrap_or_else(|| {
            self.fail(GraphError::EmptyShape { name: name.to_owned(), dims: dims.to_vec() });
            Shape::SCALAR
        });
        self.inputs.push(InputSpec { name: name.to_owned(), shape, per_row, sparse: false });
        (InputId(self.inputs.len() - 1), shape)
    }

    /// The parameter of this name, declared here if this is its first use.
    pub(crate) fn declare_parameter(
        &mut self,
        name: &str,
        dims: &[usize],
        initializer: Initializer,
    ) -> ParameterId {
        if let Some(id) = self.parameters.iter().position(|spec| spec.name == name) {
            let first = &self.parameters[id].dims;
            if first != dims {
                let error = GraphError::ParameterTwice {
                    name: name.to_owned(),
                    first: first.clone(),
                    second: dims.to_vec(),
                };
                self.fail(error);
            }
            return ParameterId(id);
        }
        if dims.is_empty() || dims.contains(&0) {
            self.fail(GraphError::EmptyShape { name: name.to_owned(), dims: dims.to_vec() });
        }
        let offset = self.parameters.last().map_or(0, |last| last.range().end.next_multiple_of(16));
        self.parameters.push(ParameterSpec {
            name: name.to_owned(),
            dims: dims.to_vec(),
            offset,
            initializer,
            role: Role::default(),
        });
        ParameterId(self.parameters.len() - 1)
    }
}
