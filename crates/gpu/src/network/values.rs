//! A plan's steps with numbered values in place of places, ready to be put in another order.

use vivarium_graph::{Activation, Kernel, Op, ParameterId, Place, Plan, Shape, Unary};

/// The position of a value in [`Values::values`].
pub(crate) type Id = usize;

/// What one value is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Value {
    /// What one row of it holds.
    pub(crate) shape: Shape,
    /// What it is made by.
    pub(crate) origin: Origin,
    /// The output that it is, if it is one.
    pub(crate) output: Option<usize>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The caller's input of this number.
    Input(usize),
    /// The node at this position in [`Values::nodes`].
    Node(usize),
}

/// What a node computes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Work {
    /// A step of the plan, as it is.
    Step(Kernel),
    /// (dy, y) → dx: the gradient of a linear layer's input and, through the activation that gave y, of what that got.
    InputGradientThrough {
        /// W, row-major \[k, n\].
        weight: ParameterId,
        /// The activation before the layer.
        activation: Activation,
    },
}

/// One thing to compute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) work: Work,
    pub(crate) operands: Vec<Id>,
    pub(crate) result: Option<Id>,
}

impl Node {
    /// The operation, where it is a single one.
    pub(crate) fn op(&self) -> Option<Op> {
        match self.work {
            Work::Step(Kernel::Op(op)) => Some(op),
            _ => None,
        }
    }
}

/// The values of a plan, and the nodes that compute them, each after those that it reads.
#[derive(Debug, Clone)]
pub(crate) struct Values {
    pub(crate) values: Vec<Value>,
    pub(crate) nodes: Vec<Node>,
}

impl Values {
    /// Numbers the values of a plan: an operand is what the latest step before wrote to its place.
    pub(crate) fn new(plan: &Plan) -> Values {
        let mut values: Vec<Value> = Vec::new();
        let mut latest: Vec<(Place, Id)> = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        for (index, input) in plan.inputs().iter().enumerate() {
            latest.push((Place::Input(index), values.len()));
            values.push(Value { shape: input.shape, origin: Origin::Input(index), output: None });
        }
        for step in plan.steps() {
            let find = |place: Place| {
                let found = latest.iter().rev().find(|(other, _)| *other == place);
                found.expect("a plan computes an operand before it reads it").1
            };
            let operands = step.operands.iter().map(|operand| find(operand.place)).collect();
            let result = step.result.map(|result| {
                let output = match result.place {
                    Place::Output(output) => Some(output),
                    _ => None,
                };
                values.push(Value { shape: result.shape, origin: Origin::Node(nodes.len()), output });
                latest.retain(|(place, _)| *place != result.place);
                latest.push((result.place, values.len() - 1));
                values.len() - 1
            });
            nodes.push(Node { work: Work::Step(step.kernel), operands, result });
        }
        let mut all = Values { values, nodes };
        all.join_activations();
        all
    }

    /// How many nodes read each value.
    fn readers(&self) -> Vec<usize> {
        let mut readers = vec![0; self.values.len()];
        for operand in self.nodes.iter().flat_map(|node| &node.operands) {
            readers[*operand] += 1;
        }
        readers
    }

    /// Takes the derivative of an activation into the matrix product whose result only it reads.
    fn join_activations(&mut self) {
        let readers = self.readers();
        let mut gone = vec![false; self.nodes.len()];
        for index in 0..self.nodes.len() {
            let Some(Op::UnaryGradient(unary)) = self.nodes[index].op() else { continue };
            let activation = match unary {
                Unary::Tanh => Activation::Tanh,
                Unary::Relu => Activation::Relu,
                _ => continue,
            };
            let [y, dy] = self.nodes[index].operands[..] else { continue };
            let Origin::Node(earlier) = self.values[dy].origin else { continue };
            let Some(Op::LinearInputGradient { weight }) = self.nodes[earlier].op() else { continue };
            if readers[dy] != 1 || self.values[dy].output.is_some() || y == dy {
                continue;
            }
            let product = self.nodes[earlier].operands[0];
            gone[earlier] = true;
            self.nodes[index].work = Work::InputGradientThrough { weight, activation };
            self.nodes[index].operands = vec![product, y];
        }
        self.remove(&gone);
    }

    /// Takes nodes out whose results nobody reads any more.
    fn remove(&mut self, gone: &[bool]) {
        let mut place = Vec::with_capacity(gone.len());
        let mut kept = 0;
        for gone in gone {
            place.push(kept);
            kept += usize::from(!gone);
        }
        let mut index = 0;
        self.nodes.retain(|_| {
            index += 1;
            !gone[index - 1]
        });
        for value in &mut self.values {
            if let Origin::Node(node) = &mut value.origin {
                *node = place[*node];
            }
        }
    }

    /// The source behind a value: what can be written down wherever it is needed.
    pub(crate) fn source(&self, id: Id) -> Option<Op> {
        let Origin::Node(node) = self.values[id].origin else { return None };
        self.nodes[node]
            .op()
            .filter(|op| matches!(op, Op::Constant(_) | Op::Seed | Op::Setting(_) | Op::Parameter(_)))
    }

    /// The shape of one row of a value.
    pub(crate) fn shape(&self, id: Id) -> Shape {
        self.values[id].shape
    }
}
