//! What a graph is: nodes in the order they were defined, and the declarations of inputs and parameters.

use crate::error::GraphError;
use crate::ids::{InputId, ParameterId, Value};
use crate::init::Initializer;
use crate::op::Op;
use crate::shape::Shape;
use crate::spec::{ParameterRole, ParameterSpec};

/// One operation with its operands.
#[derive(Debug, Clone)]
pub struct GraphNode {
    /// What is computed.
    pub op: Op,
    /// From which values; all of them stand earlier in the graph.
    pub operands: Vec<Value>,
    /// Its results; none for an operation that only adds to a gradient.
    pub results: Vec<Value>,
}

/// What is known of a value.
#[derive(Debug, Clone, Copy)]
struct ValueSpec {
    /// The shape of one row.
    shape: Shape,
    /// The position of the node that computes it.
    node: usize,
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
    pub(crate) nodes: Vec<GraphNode>,
    values: Vec<ValueSpec>,
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
    pub fn nodes(&self) -> &[GraphNode] {
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
        self.values[value.index()].shape
    }

    /// The position of the node that computes a value.
    pub fn node_of(&self, value: Value) -> usize {
        self.values[value.index()].node
    }

    /// How many values there are.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Which nodes these values depend on, themselves included.
    pub(crate) fn needed(&self, values: impl Iterator<Item = Value>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        values.for_each(|value| needed[self.node_of(value)] = true);
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if needed[index] {
                node.operands.iter().for_each(|&operand| needed[self.node_of(operand)] = true);
            }
        }
        needed
    }

    /// The first mistake in the definition.
    pub fn check(&self) -> Result<(), GraphError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    /// Keeps the first mistake.
    pub(crate) fn fail(&mut self, error: GraphError) {
        self.error.get_or_insert(error);
    }

    /// Appends an operation with one result, or keeps the mistake: which shapes of operands it allows.
    pub(crate) fn push(&mut self, op: Op, operands: &[Value], shape: Result<Shape, &'static str>) -> Value {
        let shape = shape.unwrap_or_else(|allowed| {
            let got = operands.iter().map(|&operand| self.shape(operand)).collect();
            self.fail(GraphError::Shapes { operation: op.name(), got, allowed });
            Shape::SCALAR
        });
        self.append(op, operands, shape)
    }

    /// Appends an operation with one result of a known shape.
    pub(crate) fn append(&mut self, op: Op, operands: &[Value], shape: Shape) -> Value {
        let [result] = self.append_all(op, operands, [shape]);
        result
    }

    /// Appends an operation with results of these shapes, if any.
    pub(crate) fn append_all<const N: usize>(
        &mut self,
        op: Op,
        operands: &[Value],
        shapes: [Shape; N],
    ) -> [Value; N] {
        let node = self.nodes.len();
        let results = shapes.map(|shape| {
            self.values.push(ValueSpec { shape, node });
            Value(self.values.len() as u32 - 1)
        });
        self.nodes.push(GraphNode { op, operands: operands.to_vec(), results: results.to_vec() });
        results
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
            role: ParameterRole::default(),
        });
        ParameterId(self.parameters.len() - 1)
    }

    /// A parameter that no product reads, unless another operation declares it as a matrix.
    pub(crate) fn declare_table(
        &mut self,
        name: &str,
        dims: &[usize],
        initializer: Initializer,
    ) -> ParameterId {
        let declared = self.parameters.len();
        let table = self.declare_parameter(name, dims, initializer);
        if table.0 == declared {
            self.parameters[table.0].role = ParameterRole::Table;
        }
        table
    }

    /// The parameter `NAME.weight`, a matrix that products read, which may be a table as well.
    pub(crate) fn declare_weight(
        &mut self,
        name: &str,
        dims: [usize; 2],
        initializer: Initializer,
        role: ParameterRole,
    ) -> ParameterId {
        let name = format!("{name}.weight");
        let declared = self.parameters.len();
        let matrix = self.declare_parameter(&name, &dims, initializer);
        let spec = &mut self.parameters[matrix.0];
        if matrix.0 == declared || spec.role == ParameterRole::Table {
            spec.role = role;
        } else if spec.role != role {
            self.fail(GraphError::TwoProducts { name });
        }
        matrix
    }
}
