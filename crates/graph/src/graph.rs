//! The computation graph: nodes in topological order, and the declared inputs and parameters.

use crate::error::GraphError;
use crate::ids::{InputId, ParameterId, Value};
use crate::init::Initializer;
use crate::op::Op;
use crate::shape::Shape;
use crate::spec::{ParameterRole, ParameterSpec};

/// A node: one operation with its operands and results.
#[derive(Debug, Clone)]
pub struct GraphNode {
    /// Operation that computes the results from the operands.
    pub op: Op,
    /// Operands. Each is the result of an earlier node.
    pub operands: Vec<Value>,
    /// Results. Empty for an operation that only accumulates a parameter gradient.
    pub results: Vec<Value>,
}

/// Metadata of a value: its shape, and the node that computes it.
#[derive(Debug, Clone, Copy)]
struct ValueSpec {
    /// Shape of the value for one row of the batch.
    shape: Shape,
    /// Index of the node that computes the value.
    node: usize,
}

/// Declaration of a graph input.
#[derive(Debug, Clone, PartialEq)]
pub struct InputSpec {
    /// Name of the input, unique in the graph.
    pub name: String,
    /// Shape of the input for one row of the batch.
    pub shape: Shape,
    /// `true` for an input with one row per row of the batch, `false` for a scalar that all rows share (see
    /// [`Graph::setting`]).
    pub per_row: bool,
    /// Whether most elements of the input are zero. Engines may then skip zeros; the results do not change.
    pub sparse: bool,
}

/// A computation graph over the rows of a batch: networks, losses and metrics.
///
/// Each builder method appends an operation and returns its result; see the [crate example](crate). One graph may
/// contain all computations of a learner (policy, value, loss). Each [`crate::Plan`] compiles the part that its outputs
/// need, and all plans share one set of [`crate::Parameters`].
#[derive(Debug, Clone, Default)]
pub struct Graph {
    pub(crate) nodes: Vec<GraphNode>,
    values: Vec<ValueSpec>,
    pub(crate) inputs: Vec<InputSpec>,
    pub(crate) parameters: Vec<ParameterSpec>,
    pub(crate) error: Option<GraphError>,
}

impl Graph {
    /// Creates an empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the nodes in topological order.
    pub fn nodes(&self) -> &[GraphNode] {
        &self.nodes
    }

    /// Returns the inputs in the order in which [`crate::BatchInputs`] lists them.
    pub fn inputs(&self) -> &[InputSpec] {
        &self.inputs
    }

    /// Returns the parameters in the order of [`crate::Parameters::flat`].
    pub fn parameters(&self) -> &[ParameterSpec] {
        &self.parameters
    }

    /// Returns the total number of parameters, without padding.
    pub fn parameter_count(&self) -> usize {
        self.parameters.iter().map(ParameterSpec::len).sum()
    }

    /// Returns the shape of a value for one row of the batch.
    pub fn shape(&self, value: Value) -> Shape {
        self.values[value.index()].shape
    }

    /// Returns the index of the node that computes a value.
    pub fn node_of(&self, value: Value) -> usize {
        self.values[value.index()].node
    }

    /// Returns the number of values in the graph. Each result of each node is one value.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Returns one flag for each node, by node index: whether the node is needed to compute `values`.
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

    /// Returns the first error that a builder method recorded, or `Ok` if the graph is valid.
    pub fn check(&self) -> Result<(), GraphError> {
        self.error.clone().map_or(Ok(()), Err)
    }

    /// Records an error, unless an earlier error is recorded.
    pub(crate) fn fail(&mut self, error: GraphError) {
        self.error.get_or_insert(error);
    }

    /// Appends an operation with one result of the given shape.
    pub(crate) fn append(&mut self, op: impl Into<Op>, operands: &[Value], shape: Shape) -> Value {
        let [result] = self.append_all(op, operands, [shape]);
        result
    }

    /// Appends an operation with one result for each of `shapes`.
    pub(crate) fn append_all<const N: usize>(
        &mut self,
        op: impl Into<Op>,
        operands: &[Value],
        shapes: [Shape; N],
    ) -> [Value; N] {
        let node = self.nodes.len();
        let results = shapes.map(|shape| {
            self.values.push(ValueSpec { shape, node });
            Value(self.values.len() as u32 - 1)
        });
        self.nodes.push(GraphNode { op: op.into(), operands: operands.to_vec(), results: results.to_vec() });
        results
    }

    /// Declares an input and returns its id and shape.
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

    /// Returns the id of the parameter `name`. Declares the parameter if the graph has no parameter with this name.
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

    /// Declares a parameter with the role [`ParameterRole::Table`], or returns the existing parameter with this name. A
    /// later [`declare_weight`](Self::declare_weight) of the same name changes the role.
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

    /// Declares the parameter `NAME.weight` as the matrix of a matrix product, where `role` selects x·W or x·Wᵀ. An
    /// embedding table of the same name is shared.
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
