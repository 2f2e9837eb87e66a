//! Gradient steps.

use crate::error::NotFinite;
use crate::muon::Muon;
use crate::network::Network;
use crate::optimizer::{FIRST_MOMENT, Optimizer, SECOND_MOMENT};
use std::ops::Range;
use vivarium_graph::{
    BatchInputs, Cpu, Gradients, ParameterSpec, Plan, SavedTensors, Tensor, TensorError, Workspaces,
    tensors_of,
};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::{AlignedVec, reduce};

/// The most values that are measured of a row.
const MAX_MEASURED: usize = 8;

/// A loss that a network learns by.
#[derive(Clone, Debug)]
pub struct Loss {
    /// A plan of a [gradient graph](vivarium_graph::Graph::gradient). Its outputs are measured of every row of a batch.
    pub plan: Plan,
    /// Names of the first outputs, such as `the loss`: their sums over the batch must be finite.
    pub names: &'static [&'static str],
}

/// Takes gradient steps: the gradient of the mean of a loss over a batch, clipping by its global norm (Pascanu and others
/// 2013), and a step of AdamW.
///
/// A step is [`differentiate`](Self::differentiate), or [`begin`](Self::begin) and all rows bit by bit, and then
/// [`step`](Self::step). After the first one, nothing is allocated.
#[derive(Debug)]
pub struct Trainer {
    losses: Vec<Loss>,
    gradients: Gradients,
    optimizer: Optimizer,
    workspaces: Workspaces,
    /// The outputs of the losses' plans, a row for each row of the batch.
    measured: Vec<AlignedVec<f32>>,
    /// The loss and the number of rows of the gradient under way, and the slices of it that were added.
    loss: usize,
    rows: usize,
    slices: usize,
}

impl Trainer {
    /// A trainer of this network.
    pub fn new(network: &Network, losses: Vec<Loss>) -> Self {
        let parameters = network.parameters();
        let most = losses.iter().map(|loss| loss.plan.outputs().len()).max().unwrap_or(0);
        assert!(most <= MAX_MEASURED, "at most {MAX_MEASURED} values are measured of a row");
        Self {
            losses,
            gradients: Gradients::zeros(parameters),
            optimizer: Optimizer::new(parameters.flat().len()),
            workspaces: Workspaces::default(),
            measured: vec![AlignedVec::default(); most],
            loss: 0,
            rows: 0,
            slices: 0,
        }
    }

    /// Has Muon move the matrices for which `moves` holds; AdamW moves the other parameters.
    pub fn use_muon(&mut self, network: &Network, moves: impl Fn(&ParameterSpec) -> bool) {
        let matrices = network.specs().iter().filter(|spec| moves(spec)).cloned().collect();
        self.optimizer.matrices = Some(Box::new(Muon::new(matrices)));
    }

    /// The plan of a loss.
    pub fn loss(&self, loss: usize) -> &Plan {
        &self.losses[loss].plan
    }

    /// The names of the first outputs of a loss's plan.
    #[cfg(feature = "gpu")]
    pub(crate) fn names(&self, loss: usize) -> &'static [&'static str] {
        self.losses[loss].names
    }

    /// Whether AdamW moves all parameters.
    #[cfg(feature = "gpu")]
    pub(crate) fn is_adam_alone(&self) -> bool {
        self.optimizer.matrices.is_none()
    }

    /// Computes the gradient of the mean of a loss over `rows` rows.
    ///
    /// # Panics
    /// If there is no such loss, or an input is too short.
    pub fn differentiate(
        &mut self,
        cpu: &Cpu,
        network: &Network,
        loss: usize,
        rows: usize,
        inputs: &[&[f32]],
    ) {
        self.begin(loss, rows);
        self.add(cpu, network, 0..rows, inputs);
    }

    /// Begins the gradient of the mean of a loss over `rows` rows, which are then [added](Self::add).
    pub fn begin(&mut self, loss: usize, rows: usize) {
        (self.loss, self.rows, self.slices) = (loss, rows, 0);
        self.gradients.clear();
        for (measured, shape) in self.measured.iter_mut().zip(self.losses[loss].plan.outputs()) {
            if measured.len() < rows * shape.size() {
                *measured = AlignedVec::zeros(rows * shape.size());
            }
        }
    }

    /// Adds the gradient of these rows of the batch, whose inputs are given.
    ///
    /// # Panics
    /// If an input is too short, or the batch has no such rows.
    pub fn add(&mut self, cpu: &Cpu, network: &Network, rows: Range<usize>, inputs: &[&[f32]]) {
        let Self { losses, gradients, workspaces, measured, loss, rows: all, .. } = self;
        let (plan, weight) = (&losses[*loss].plan, 1.0 / *all as f32);
        let (mut outputs, count) = outputs(plan, measured, rows.clone());
        let outputs = &mut outputs[..count];
        let batch = BatchInputs::new(rows.len(), inputs).weighted(weight);
        cpu.gradients(plan, network.packed_weights(), workspaces, batch, outputs, gradients);
    }

    /// Adds the gradient of the next rows of the batch, a few for each thread, and returns whether these were the last.
    /// `inputs` are those of the whole batch. The sum of all slices is that of [`differentiate`](Self::differentiate), to the
    /// last bit.
    ///
    /// # Panics
    /// As [`add`](Self::add).
    pub fn add_slice(&mut self, cpu: &Cpu, network: &Network, inputs: &[&[f32]]) -> bool {
        let Self { losses, gradients, workspaces, measured, loss, rows, slices, .. } = self;
        let plan = &losses[*loss].plan;
        let (mut outputs, count) = outputs(plan, measured, 0..*rows);
        let (outputs, slice) = (&mut outputs[..count], *slices);
        *slices += 1;
        let batch = BatchInputs::new(*rows, inputs);
        cpu.gradients_slice(plan, network.packed_weights(), workspaces, batch, slice, outputs, gradients)
    }

    /// Measurement `index` of each row of the batch.
    pub fn measured(&self, index: usize) -> &[f32] {
        &self.measured[index][..self.rows * self.losses[self.loss].plan.outputs()[index].size()]
    }

    /// The sum of measurement `index` over the batch.
    pub fn sum(&self, index: usize) -> f64 {
        reduce::sum(vivarium_kernels::simd::level(), self.measured(index)).into()
    }

    /// Takes the optimizer's step with the gradient that was computed, clipped to `max_gradient_norm` unless that is 0, and
    /// returns the Euclidean norm of the gradient before it was clipped.
    ///
    /// # Errors
    /// [`NotFinite`] if the gradient or a named measurement is not finite; the weights stay as they are then.
    pub fn step(
        &mut self,
        cpu: &Cpu,
        network: &mut Network,
        settings: &AdamStep,
        max_gradient_norm: f32,
    ) -> Result<f64, NotFinite> {
        let norm = cpu.sum_of_squares(self.gradients.flat()).sqrt();
        let names = self.losses[self.loss].names.iter().enumerate();
        let measured = names.map(|(index, &name)| (name, self.sum(index)));
        NotFinite::check(settings.step - 1, [("the gradient", norm.into())].into_iter().chain(measured))?;
        let Self { gradients, optimizer, .. } = self;
        if max_gradient_norm > 0.0 && norm > max_gradient_norm {
            cpu.scale(gradients.flat_mut(), max_gradient_norm / norm);
        }
        network.change(cpu, |parameters| optimizer.step(cpu, parameters, gradients, settings));
        Ok(norm.into())
    }

    /// The optimizer's means of the gradients and of their squares, laid out as the weights are.
    pub fn moments(&self) -> [&[f32]; 2] {
        [&self.optimizer.first_moment, &self.optimizer.second_moment]
    }

    /// Replaces the optimizer's [moments](Self::moments).
    ///
    /// # Panics
    /// If a length differs.
    pub fn write_moments(&mut self, [first, second]: [&[f32]; 2]) {
        self.optimizer.first_moment.copy_from_slice(first);
        self.optimizer.second_moment.copy_from_slice(second);
    }

    /// Makes the moments 0, as before the first step.
    pub fn reset_moments(&mut self) {
        self.optimizer.first_moment.fill(0.0);
        self.optimizer.second_moment.fill(0.0);
    }

    /// The moments, as a tensor for each parameter.
    pub fn tensors<'a>(&'a self, network: &'a Network) -> impl Iterator<Item = Tensor> + 'a {
        let Optimizer { first_moment, second_moment, .. } = &self.optimizer;
        let first = tensors_of(FIRST_MOMENT, network.specs(), first_moment);
        first.chain(tensors_of(SECOND_MOMENT, network.specs(), second_moment))
    }

    /// Takes over moments that [`tensors`](Self::tensors) made.
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn read(&mut self, network: &Network, saved: &SavedTensors<'_>) -> Result<(), TensorError> {
        let flat = |group| saved.flat(group, network.specs(), network.weights().len());
        self.write_moments([&flat(FIRST_MOMENT)?, &flat(SECOND_MOMENT)?]);
        Ok(())
    }

    /// Bytes that it holds; after the first step they stay the same.
    pub fn bytes(&self) -> usize {
        let measured: usize = self.measured.iter().map(|column| size_of_val(&column[..])).sum();
        let gradients = size_of_val(self.gradients.flat());
        gradients + measured + self.optimizer.bytes() + self.workspaces.bytes()
    }
}

/// These rows of the outputs of a plan, and how many outputs there are: in an array, for nothing may be allocated.
fn outputs<'a>(
    plan: &Plan,
    measured: &'a mut [AlignedVec<f32>],
    rows: Range<usize>,
) -> ([&'a mut [f32]; MAX_MEASURED], usize) {
    let mut outputs: [&mut [f32]; MAX_MEASURED] = Default::default();
    for ((output, column), shape) in outputs.iter_mut().zip(measured).zip(plan.outputs()) {
        *output = &mut column[rows.start * shape.size()..rows.end * shape.size()];
    }
    (outputs, plan.outputs().len())
}
