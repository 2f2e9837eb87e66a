//! Plans on the device.
//!
//! A [`Network`] takes a plan's steps, numbers their values ([`values`]), decides which of them share a kernel and in which
//! order the kernels run ([`schedule`]), gives the values that pass from one kernel to another their places in one buffer
//! ([`layout`]), and writes the kernels: [`lines`] for narrow values, [`elements`] and [`reductions`] for wide ones, and
//! matrix products and norms for the [`layers`], and what looks at
//! all tokens of a row for `sequences`.

mod elements;
mod layers;
mod layout;
mod lines;
mod reductions;
mod schedule;
#[cfg(feature = "sequences")]
mod sequences;
mod text;
mod values;

use std::ops::Range;

use vivarium_graph::{Kernel, Op, ParameterSpec, Plan, Step};

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels;
use crate::memory::Buffer;
use crate::program::Recorder;
use layers::Layers;
use layout::Layout;
use schedule::{Group, Kind};
use text::Sources;
use values::{Node, Values};

/// A plan, ready to be recorded for a fixed number of rows.
///
/// All of its values lie in one buffer, the [`arena`](Network::arena): row-major, one row after the other. Whoever uses it
/// writes the inputs there, runs the recorded program, and reads the outputs there. Its parameters are a buffer of the
/// caller's, in the layout of [`vivarium_graph::Parameters::flat`]; several networks may share one.
pub struct Network {
    gpu: Gpu,
    rows: usize,
    row_weight: f32,
    values: Values,
    groups: Vec<Group>,
    layout: Layout,
    arena: Buffer,
    /// Where each parameter lies in the flat buffer.
    parameters: Vec<Range<usize>>,
    parameters_len: usize,
    has_gradients: bool,
}

/// Gradients as partial sums: so many whole gradients, each in the layout of the parameters, that are still to be added up.
/// Parameters that have no gradient, and the padding between them, stay zero.
#[derive(Debug, Clone)]
pub struct Slices {
    /// `count` times `parameters_len` numbers.
    pub buffer: Buffer,
    /// How many partial sums there are of each number.
    pub count: usize,
    /// The length of the flat buffer of parameters.
    pub parameters_len: usize,
}

impl Slices {
    /// As the kernels take it.
    fn as_operand(&self) -> kernels::Slices<'_> {
        kernels::Slices { buffer: &self.buffer, count: self.count, stride: self.parameters_len }
    }
}

/// The operation of a step that there is no kernel for in this build.
fn unsupported(step: &Step) -> Option<&'static str> {
    match step.kernel {
        Kernel::Op(
            op @ (Op::EmbeddingGradient { .. }
            | Op::Attention { .. }
            | Op::AttentionGradient { .. }
            | Op::HeadLoss { .. }
            | Op::HeadLossGradient { .. }),
        ) if cfg!(not(feature = "sequences")) => Some(op.name()),
        _ => None,
    }
}

impl Network {
    /// A plan for exactly `rows` rows. The plan's own number of rows does not matter.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] for a plan with sequences, where this crate was built without them;
    /// [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`] where its values do not fit the device.
    pub fn new(gpu: &Gpu, plan: &Plan, rows: usize) -> Result<Self, GpuError> {
        for step in plan.steps() {
            if let Some(operation) = unsupported(step) {
                return Err(GpuError::Unsupported { operation });
            }
        }
        let values = Values::new(plan);
        let groups = schedule::schedule(&values);
        let per_row: Vec<bool> = plan.inputs().iter().map(|input| input.per_row).collect();
        let parameters: Vec<Range<usize>> = plan.parameters().iter().map(ParameterSpec::range).collect();
        let room = |node: &Node| layers::room(&values, &parameters, rows, node);
        let layout = layout::lay_out(&values, &groups, rows, &per_row, plan.outputs().len(), room);
        let arena = gpu.zeros(&format!("a network's values for {rows} rows"), layout.len)?;
        Ok(Self {
            gpu: gpu.clone(),
            rows,
            row_weight: 1.0 / rows as f32,
            values,
            groups,
            layout,
            arena,
            parameters,
            parameters_len: plan.parameters_len(),
            has_gradients: plan.has_gradients(),
        })
    }

    /// The same with another weight of each row in the loss than one over the number of rows, which makes it a mean.
    pub fn with_row_weight(mut self, row_weight: f32) -> Self {
        self.row_weight = row_weight;
        self
    }

    /// How many rows it is for.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The buffer of all values.
    pub fn arena(&self) -> &Buffer {
        &self.arena
    }

    /// The words of the arena that hold an input, in the order of the graph's declarations: \[rows, size\] row-major, or one
    /// number for a setting. Empty for an input that the plan does not read.
    pub fn input(&self, index: usize) -> Range<usize> {
        self.layout.inputs[index].clone()
    }

    /// The words of the arena that hold an output, in the order that the plan was compiled for: \[rows, size\] row-major.
    pub fn output(&self, index: usize) -> Range<usize> {
        self.layout.outputs[index].clone()
    }

    /// Room for its gradients, all zero.
    ///
    /// # Errors
    /// [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`].
    pub fn slices(&self) -> Result<Slices, GpuError> {
        let lines = self.rows * self.values.most_lines();
        let count = kernels::Slices::count_for(lines, self.parameters_len);
        let buffer = self.gpu.zeros("gradients", count * self.parameters_len)?;
        Ok(Slices { buffer, count, parameters_len: self.parameters_len })
    }

    /// Records everything that computes the outputs, and the gradients of Σ `row_weight`·loss, which replace what was in
    /// the slices.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device's compiler refuses a kernel.
    ///
    /// # Panics
    /// Where the plan has gradients and there are no slices, or the slices or parameters are those of another network.
    pub fn record(
        &self,
        recorder: &mut Recorder,
        parameters: &Buffer,
        gradients: Option<&Slices>,
    ) -> Result<(), GpuError> {
        assert!(
            gradients.is_some() || !self.has_gradients,
            "a plan with gradients needs slices to put them in"
        );
        assert!(
            parameters.len() >= self.parameters_len,
            "the parameters are not those of the plan's graph: {} words in place of {}",
            parameters.len(),
            self.parameters_len
        );
        let sources = Sources {
            values: &self.values,
            layout: &self.layout,
            parameters: &self.parameters,
            row_weight: self.row_weight,
        };
        let mut layers = Layers::new(self, parameters, gradients.map(Slices::as_operand));
        for group in &self.groups {
            let (rows, arena) = (self.rows, &self.arena);
            match group.kind {
                Kind::Lines => lines::record(recorder, sources, group, rows, arena, parameters)?,
                Kind::Elements => elements::record(recorder, sources, group, rows, arena, parameters)?,
                Kind::Reduction => {
                    let node = &self.values.nodes[group.nodes[0]];
                    reductions::record(recorder, sources, node, rows, arena)?;
                }
                Kind::Layer => layers.record(recorder, group)?,
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Network({} rows, {} kernels, {} words)", self.rows, self.groups.len(), self.layout.len)
    }
}
