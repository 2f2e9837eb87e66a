//! Plans on the device.
//!
//! A [`Network`] takes a plan's steps, decides which of them share a shader and in which order the shaders run
//! ([`schedule`]), gives the values that pass from one shader to another their places in one buffer ([`layout`]), and has
//! the shaders written and recorded by the operations.

mod layout;
mod schedule;

use std::ops::Range;

use vivarium_graph::{ParameterSpec, Plan, Step};

use crate::device::Gpu;
use crate::emit::{Elements, Layers, Layout, Lines, Sizes, Sources, Values};
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::operand;
use crate::ops::{self, Form};
use crate::program::Recorder;
use schedule::{Group, Kind};

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
    /// How each step is computed.
    forms: Vec<Form>,
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
    fn as_operand(&self) -> operand::Slices<'_> {
        operand::Slices { buffer: &self.buffer, count: self.count, stride: self.parameters_len }
    }
}

impl Network {
    /// A plan for exactly `rows` rows. The plan's own number of rows does not matter.
    ///
    /// # Errors
    /// [`GpuError::Unsupported`] for a plan with sequences, where this crate was built without them;
    /// [`GpuError::BufferTooLarge`] or [`GpuError::OutOfMemory`] where its values do not fit the device.
    pub fn new(gpu: &Gpu, plan: &Plan, rows: usize) -> Result<Self, GpuError> {
        let values = Values::new(plan);
        let forms = plan.steps().iter().map(|step| ops::form(step.op)).collect::<Result<Vec<_>, _>>()?;
        let groups = schedule::schedule(&values, &forms);
        let parameters: Vec<Range<usize>> = plan.parameters().iter().map(ParameterSpec::range).collect();
        let sizes = Sizes { values: &values, parameters: &parameters, rows };
        let room = |step: usize| match &forms[step] {
            Form::Layer(layer) => (layer.room)(&sizes, &values.steps()[step]),
            Form::Point(_) | Form::Scattered(_) | Form::Line(..) => 0,
        };
        let layout = layout::lay_out(plan, &values, &groups, rows, room);
        let arena = gpu.zeros(&format!("a network's values for {rows} rows"), layout.len)?;
        Ok(Self {
            gpu: gpu.clone(),
            rows,
            row_weight: 1.0 / rows as f32,
            values,
            forms,
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
        let count = operand::Slices::count_for(lines, self.parameters_len);
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
        let gradients = gradients.map(Slices::as_operand);
        let mut layers = Layers::new(sources, self.rows, recorder, &self.arena, parameters, gradients);
        for group in &self.groups {
            let steps: Vec<&Step> = group.steps.iter().map(|&step| &self.values.steps()[step]).collect();
            match group.kind {
                Kind::Lines => self.lines(sources, group).record(&mut layers)?,
                Kind::Elements => self.elements(sources, group).record(&mut layers)?,
                Kind::Reduction(reduction) => {
                    steps.iter().try_for_each(|step| reduction.record(&mut layers, step))?;
                }
                Kind::Layer => {
                    if let Form::Layer(layer) = &self.forms[group.steps[0]] {
                        (layer.record)(&mut layers, &steps)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The shader of steps line by line, all of whose values have as many lines a row. What others read goes to memory.
    fn lines<'a>(&'a self, sources: Sources<'a>, group: &Group) -> Lines<'a> {
        let steps = self.values.steps();
        let first = steps[group.steps[0]].results[0];
        let mut lines = Lines::new(sources, self.rows * self.values.shape(first).lines());
        for &position in &group.steps {
            let step = &steps[position];
            match &self.forms[position] {
                Form::Point(expression) | Form::Scattered(expression) => {
                    lines.define_each(step.results[0], |cells, column| expression(step, cells, column));
                }
                Form::Line(write, _) => write(step, &mut lines),
                Form::Layer(_) => {}
            }
        }
        group.steps.iter().flat_map(|&step| &steps[step].results).for_each(|&value| lines.store(value));
        lines
    }

    /// The shader of steps number by number, all of whose values have one shape.
    fn elements<'a>(&'a self, sources: Sources<'a>, group: &Group) -> Elements<'a> {
        let steps = self.values.steps();
        let first = steps[group.steps[0]].results[0];
        let mut elements = Elements::new(sources, self.rows, self.values.shape(first));
        for &position in &group.steps {
            let step = &steps[position];
            if let Form::Point(expression) | Form::Scattered(expression) = &self.forms[position] {
                elements.define(step.results[0], |cells, column| expression(step, cells, column));
            }
        }
        group.steps.iter().flat_map(|&step| &steps[step].results).for_each(|&value| elements.store(value));
        elements
    }
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Network({} rows, {} kernels, {} words)", self.rows, self.groups.len(), self.layout.len)
    }
}
