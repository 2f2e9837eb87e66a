//! A plan's steps with numbered values in place of places, ready to be put in another order.

use vivarium_graph::{Activation, Binary, Kernel, Op, ParameterId, Place, Plan, Shape, Unary};

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
    /// (dy, other?, saved?) → (dy·Wᵀ + other)·slope: the gradient of a linear layer's input, together with what its input gets
    /// from elsewhere, and through the activation before it.
    InputGradient {
        /// W, row-major \[k, n\].
        weight: ParameterId,
        /// Whether there is another part to add.
        added: bool,
        /// The activation before the layer; `saved` is what it gave, or got, whichever its gradient reads.
        through: Option<Activation>,
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
        all.join_products();
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

    /// Takes sums and derivatives of activations into the matrix products whose results only they read.
    fn join_products(&mut self) {
        let readers = self.readers();
        let mut gone = vec![false; self.nodes.len()];
        for index in 0..self.nodes.len() {
            let node = &self.nodes[index];
            let joined = match (node.op(), &node.operands[..]) {
                (Some(Op::UnaryGradient(unary)), &[saved, dy]) => self.through(unary, saved, dy),
                (Some(Op::Binary(Binary::Add)), &[a, b]) => self.added(a, b).or_else(|| self.added(b, a)),
                _ => None,
            };
            let Some((earlier, product, joined)) = joined.filter(|(_, product, _)| readers[*product] == 1)
            else {
                continue;
            };
            if self.values[product].output.is_none() {
                gone[earlier] = true;
                self.nodes[index].work = joined.work;
                self.nodes[index].operands = joined.operands;
            }
        }
        self.remove(&gone);
    }

    /// The node that makes a value, if it is the gradient of a linear layer's input: its position, its weight, and whether
    /// something is added to it.
    fn input_gradient(&self, id: Id) -> Option<(usize, ParameterId, bool)> {
        let Origin::Node(node) = self.values[id].origin else { return None };
        match self.nodes[node].work {
            Work::Step(Kernel::Op(Op::LinearTransposed { weight })) => Some((node, weight, false)),
            Work::InputGradient { weight, added, through: None } => Some((node, weight, added)),
            _ => None,
        }
    }

    /// The product behind `dy` with the derivative of an activation on board.
    fn through(&self, unary: Unary, saved: Id, dy: Id) -> Option<(usize, Id, Node)> {
        let activation = match unary {
            Unary::Tanh => Activation::Tanh,
            Unary::Relu => Activation::Relu,
            Unary::Gelu => Activation::Gelu,
            _ => return None,
        };
        let (earlier, weight, added) = self.input_gradient(dy).filter(|_| saved != dy)?;
        let operands = [&self.nodes[earlier].operands[..], &[saved]].concat();
        let work = Work::InputGradient { weight, added, through: Some(activation) };
        Some((earlier, dy, Node { work, operands, result: None }))
    }

    /// The product behind `a` with `b` added.
    fn added(&self, a: Id, b: Id) -> Option<(usize, Id, Node)> {
        let same = a != b && self.shape(a) == self.shape(b) && self.source(b).is_none();
        let (earlier, weight, _) = self.input_gradient(a).filter(|&(.., added)| same && !added)?;
        let operands = vec![self.nodes[earlier].operands[0], b];
        let work = Work::InputGradient { weight, added: true, through: None };
        Some((earlier, a, Node { work, operands, result: None }))
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

    /// Whether a node gives its operand in another shape.
    pub(crate) fn is_reshaped(&self, node: &Node) -> bool {
        let shapes =
            node.operands.first().zip(node.result).map(|(&from, to)| [from, to].map(|id| self.shape(id)));
        node.work == Work::Step(Kernel::Copy) && shapes.is_some_and(|[from, to]| from != to)
    }

    /// The most lines that a row of any value has.
    pub(crate) fn most_lines(&self) -> usize {
        self.values.iter().map(|value| value.shape.lines()).max().unwrap_or(1)
    }

    /// The shape of one row of a value.
    pub(crate) fn shape(&self, id: Id) -> Shape {
        self.values[id].shape
    }
}
