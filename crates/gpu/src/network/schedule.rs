//! Which nodes share a kernel, and in which order the kernels run.
//!
//! Everything that works on single lines of few numbers waits until nothing else can run, and then runs together: the loss
//! of a learner and its whole gradient become one kernel, for between the last layer forward and the first one backward
//! there is nothing else.

use vivarium_graph::{Kernel, Op, Shape};

use super::values::{Id, Node, Origin, Values, Work};

/// The widest line whose numbers are kept in registers.
pub(crate) const NARROW: usize = 16;

/// How a kernel goes about its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Layers with parameters, or gradients of such, that are alike and do not wait for each other.
    Layer,
    /// A wide line to one number or through all of its numbers: a node by itself, with several invocations a line.
    Reduction,
    /// Nodes number by number, with an invocation for each.
    Elements,
    /// Nodes line by line, with an invocation for each line.
    Lines,
}

/// What one kernel does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    pub(crate) kind: Kind,
    /// Positions in [`Values::nodes`], in an order in which they can be computed.
    pub(crate) nodes: Vec<usize>,
}

/// The kind of kernel that a node goes into.
fn kind(values: &Values, node: usize) -> Kind {
    let node = &values.nodes[node];
    // In another shape, nothing is left of lines.
    if values.is_reshaped(node) {
        return Kind::Elements;
    }
    let Work::Step(kernel) = node.work else { return Kind::Layer };
    let width = |id: &Id| values.shape(*id).width();
    let Some(result) = node.result else { return Kind::Layer };
    let op = match kernel {
        Kernel::Linear { .. } | Kernel::LayerNorm { .. } => return Kind::Layer,
        Kernel::Op(op) => Some(op),
        Kernel::CrossEntropyGradient | Kernel::Copy => None,
    };
    match op {
        Some(
            Op::LinearTransposed { .. }
            | Op::LayerNormGradient { .. }
            | Op::Attention { .. }
            | Op::AttentionGradient { .. }
            | Op::HeadLoss { .. }
            | Op::HeadLossGradient { .. },
        ) => Kind::Layer,
        // Its lines are read wherever an index points.
        Some(Op::Embedding { .. }) => Kind::Elements,
        Some(Op::Softmax | Op::LogSoftmax | Op::Sum | Op::SoftmaxGradient | Op::LogSoftmaxGradient)
            if width(&node.operands[0]) > NARROW =>
        {
            Kind::Reduction
        }
        _ if width(&result) > NARROW => Kind::Elements,
        // A slice and a gather may read a wide line, but little of it.
        _ => Kind::Lines,
    }
}

/// Whether a kernel of this kind can write down a source where it needs it.
fn writes_sources(kind: Kind) -> bool {
    matches!(kind, Kind::Elements | Kind::Lines)
}

/// Whether `node` reads `operand` where it writes its result: number by number.
fn reads_in_place(values: &Values, node: usize, operand: Id) -> bool {
    let node = &values.nodes[node];
    let pointwise = match node.work {
        Work::Step(Kernel::Op(op)) => {
            matches!(op, Op::Unary(_) | Op::UnaryGradient(_) | Op::Binary(_) | Op::Select)
        }
        Work::Step(Kernel::Copy) => true,
        // The log-softmax is read number by number, index and weight line by line.
        Work::Step(Kernel::CrossEntropyGradient) => node.operands[..2].iter().all(|&id| id != operand),
        _ => false,
    };
    pointwise && node.result.is_some_and(|result| values.shape(result) == values.shape(operand))
}

/// Whether two layers are done in the same way, so that one kernel may do both, as in two towers of equal build.
fn are_alike(values: &Values, a: usize, b: usize) -> bool {
    let [a, b] = [a, b].map(|node| &values.nodes[node]);
    let lines = |node: &Node| values.shape(node.operands[0]).lines();
    if lines(a) != lines(b) || a.operands.len() != b.operands.len() {
        return false;
    }
    match (a.work, b.work) {
        (
            Work::Step(Kernel::Linear { bias, norm, activation, .. }),
            Work::Step(Kernel::Linear { bias: b_bias, norm: b_norm, activation: b_activation, .. }),
        ) => {
            let parts = (bias.is_some(), norm.is_some(), activation);
            parts == (b_bias.is_some(), b_norm.is_some(), b_activation)
        }
        (
            Work::InputGradient { added, through, .. },
            Work::InputGradient { added: b_added, through: b_through, .. },
        ) => (added, through) == (b_added, b_through),
        (Work::Step(Kernel::Op(a_op)), Work::Step(Kernel::Op(b_op))) => match (a_op, b_op) {
            (Op::LinearTransposed { .. }, Op::LinearTransposed { .. }) => true,
            (
                Op::LinearParameterGradient { weight, bias },
                Op::LinearParameterGradient { weight: b_weight, bias: b_bias },
            ) => {
                // Two sums into one place come one after the other.
                let shared = weight == b_weight || (bias.is_some() && bias == b_bias);
                bias.is_some() == b_bias.is_some() && !shared
            }
            _ => false,
        },
        _ => false,
    }
}

/// The groups, in the order in which they run.
pub(crate) fn schedule(values: &Values) -> Vec<Group> {
    let mut scheduler = Scheduler::new(values);
    let mut groups = Vec::new();
    while let Some(group) = scheduler.next() {
        groups.push(group);
    }
    debug_assert!(scheduler.waiting.iter().all(|waiting| !waiting), "every node can be computed");
    groups
}

struct Scheduler<'a> {
    values: &'a Values,
    kinds: Vec<Kind>,
    /// Nodes that are not in a group yet.
    waiting: Vec<bool>,
    /// Values that lie in memory.
    done: Vec<bool>,
}

impl<'a> Scheduler<'a> {
    fn new(values: &'a Values) -> Self {
        let kinds: Vec<Kind> = (0..values.nodes.len()).map(|node| kind(values, node)).collect();
        let done = values.values.iter().map(|value| matches!(value.origin, Origin::Input(_))).collect();
        let mut waiting = vec![true; values.nodes.len()];
        // A source only becomes a value in memory where somebody needs it there.
        for (id, value) in values.values.iter().enumerate() {
            if let (Some(_), Origin::Node(node)) = (values.source(id), value.origin) {
                let mut readers =
                    values.nodes.iter().zip(&kinds).filter(|(node, _)| node.operands.contains(&id));
                waiting[node] = value.output.is_some() || readers.any(|(_, &kind)| !writes_sources(kind));
            }
        }
        Self { values, kinds, waiting, done }
    }

    /// Whether all operands of a node are there, for a kernel that also computes the nodes of `group`.
    fn is_ready(&self, node: usize, group: &[usize]) -> bool {
        let kind = self.kinds[node];
        self.values.nodes[node].operands.iter().all(|&operand| {
            if self.done[operand] || (writes_sources(kind) && self.values.source(operand).is_some()) {
                return true;
            }
            let Origin::Node(maker) = self.values.values[operand].origin else { return false };
            // In registers, a kernel by lines has all of a line at hand, one by elements a single number.
            group.contains(&maker) && (kind == Kind::Lines || reads_in_place(self.values, node, operand))
        })
    }

    /// The next group, until there is nothing left.
    fn next(&mut self) -> Option<Group> {
        let ready = (0..self.waiting.len()).filter(|&node| self.waiting[node] && self.is_ready(node, &[]));
        let first = ready.min_by_key(|&node| (self.kinds[node], node))?;
        let kind = self.kinds[first];
        let mut nodes = vec![first];
        for node in first + 1..self.waiting.len() {
            if !self.waiting[node] || self.kinds[node] != kind {
                continue;
            }
            let joins = match kind {
                Kind::Reduction => false,
                Kind::Layer => {
                    let alike = nodes.iter().all(|&other| are_alike(self.values, other, node));
                    alike && self.is_ready(node, &[])
                }
                Kind::Elements | Kind::Lines => self.same_cut(first, node) && self.is_ready(node, &nodes),
            };
            if joins {
                nodes.push(node);
            }
        }
        for &node in &nodes {
            self.waiting[node] = false;
            if let Some(result) = self.values.nodes[node].result {
                self.done[result] = true;
            }
        }
        Some(Group { kind, nodes })
    }

    /// Whether two nodes of one kind go through their numbers in step.
    fn same_cut(&self, a: usize, b: usize) -> bool {
        let shape = |node: usize| -> Option<Shape> {
            self.values.nodes[node].result.map(|result| self.values.shape(result))
        };
        let (Some(a_shape), Some(b_shape)) = (shape(a), shape(b)) else { return false };
        let same_width = self.kinds[a] == Kind::Lines || a_shape.width() == b_shape.width();
        a_shape.lines() == b_shape.lines() && same_width
    }
}
