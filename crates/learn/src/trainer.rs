//! Gradient steps on the CPU.

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
use vivarium_kernels::{AlignedVec, Level, reduce};

/// Maximum number of per-row metrics of a loss.
const MAX_MEASURED: usize = 8;

/// Loss function of a network: the execution plan of its gradient, and the names of its metrics.
#[derive(Clone, Debug)]
pub struct Loss {
    /// Plan of a [gradient graph](vivarium_graph::Graph::gradient). The outputs of the plan are the metrics of the
    /// loss, one value for each row of a batch.
    pub plan: Plan,
    /// Names of the first metrics, such as `the loss`. The sums of these metrics over the batch must be finite.
    pub names: &'static [&'static str],
}

/// Takes gradient steps: the gradient of a mean loss over a batch, gradient clipping by global norm (Pascanu et al.
/// 2013, <https://arxiv.org/abs/1211.5063>), and an AdamW or Muon step.
///
/// A gradient step consists of [`differentiate`](Self::differentiate) and [`step`](Self::step). The gradient may also
/// be accumulated incrementally, by [`begin`](Self::begin) and [`add`](Self::add) or [`add_slice`](Self::add_slice).
/// Gradient steps after the first do not allocate.
#[derive(Debug)]
pub struct Trainer {
    level: Level,
    losses: Vec<Loss>,
    gradients: Gradients,
    optimizer: Optimizer,
    workspaces: Workspaces,
    /// Per-row metrics of the last batch: one buffer for each output of the loss's plan.
    measured: Vec<AlignedVec<f32>>,
    /// Index of the loss whose gradient is being accumulated.
    loss: usize,
    /// Number of rows of the batch whose gradient is being accumulated.
    rows: usize,
    /// Number of slices of the batch whose gradient has been accumulated so far.
    slices: usize,
}

impl Trainer {
    /// Creates a trainer for a network and its losses, at the SIMD level of the network.
    ///
    /// # Panics
    /// If the plan of a loss has more than eight outputs.
    pub fn new(network: &Network, losses: Vec<Loss>) -> Self {
        let parameters = network.parameters();
        let most = losses.iter().map(|loss| loss.plan.outputs().len()).max().unwrap_or(0);
        assert!(most <= MAX_MEASURED, "a loss has at most {MAX_MEASURED} outputs");
        Self {
            level: network.level(),
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

    /// Uses Muon for the matrices that `moves` selects, and AdamW for the other parameters.
    pub fn use_muon(&mut self, network: &Network, moves: impl Fn(&ParameterSpec) -> bool) {
        let matrices = network.specs().iter().filter(|spec| moves(spec)).cloned().collect();
        self.optimizer.matrices = Some(Box::new(Muon::new(matrices)));
    }

    /// Returns the execution plan of the loss with index `loss`.
    pub fn loss(&self, loss: usize) -> &Plan {
        &self.losses[loss].plan
    }

    /// Returns the names of a loss's first metrics, whose sums over the batch must be finite.
    #[cfg(feature = "gpu")]
    pub(crate) fn names(&self, loss: usize) -> &'static [&'static str] {
        self.losses[loss].names
    }

    /// Returns whether AdamW updates all parameters and Muon none.
    #[cfg(feature = "gpu")]
    pub(crate) fn uses_only_adamw(&self) -> bool {
        self.optimizer.matrices.is_none()
    }

    /// Computes the gradient of the mean of a loss over `rows` rows.
    ///
    /// # Panics
    /// If `loss` is out of range, or an input is too short.
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

    /// Starts to accumulate the gradient of the loss with index `loss`, averaged over `rows` rows.
    /// [`add`](Self::add) adds the contributions of the rows.
    pub fn begin(&mut self, loss: usize, rows: usize) {
        (self.loss, self.rows, self.slices) = (loss, rows, 0);
        self.gradients.clear();
        for (measured, shape) in self.measured.iter_mut().zip(self.losses[loss].plan.outputs()) {
            if measured.len() < rows * shape.size() {
                *measured = AlignedVec::zeros(rows * shape.size());
            }
        }
    }

    /// Accumulates the gradient of a range of the batch's rows; `inputs` contain these rows only.
    ///
    /// # Panics
    /// If an input is too short, or the range exceeds the batch.
    pub fn add(&mut self, cpu: &Cpu, network: &Network, rows: Range<usize>, inputs: &[&[f32]]) {
        let Self { losses, gradients, workspaces, measured, loss, rows: all, .. } = self;
        let (plan, weight) = (&losses[*loss].plan, 1.0 / *all as f32);
        let (mut outputs, count) = outputs(plan, measured, rows.clone());
        let outputs = &mut outputs[..count];
        let batch = BatchInputs::new(rows.len(), inputs).weighted(weight);
        cpu.gradients(plan, network.packed_weights(), workspaces, batch, outputs, gradients);
    }

    /// Accumulates the gradient of the next slice of the batch, one chunk of rows for each thread, and returns whether
    /// the gradient is complete. `inputs` are inputs of the whole batch. The result is bitwise equal to the result
    /// of [`differentiate`](Self::differentiate).
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

    /// Returns metric `index` (an output of the loss's plan) of each row of the batch.
    pub fn measured(&self, index: usize) -> &[f32] {
        &self.measured[index][..self.rows * self.losses[self.loss].plan.outputs()[index].size()]
    }

    /// Returns the sum of metric `index` over all rows of the last batch.
    pub fn sum(&self, index: usize) -> f64 {
        reduce::sum(self.level, self.measured(index)).into()
    }

    /// Takes an optimizer step with the accumulated gradient, clipped to `max_gradient_norm` (0 disables clipping).
    /// Returns the Euclidean norm of the gradient before clipping.
    ///
    /// # Errors
    /// [`NotFinite`] if the gradient or a named metric is not finite; the weights are unchanged.
    ///
    /// # Panics
    /// If the step number in `settings` is 0.
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
        let quantities = [("the gradient", norm.into())].into_iter().chain(measured);
        NotFinite::check(settings.completed_steps(), quantities)?;
        let Self { gradients, optimizer, .. } = self;
        if max_gradient_norm > 0.0 && norm > max_gradient_norm {
            cpu.scale(gradients.flat_mut(), max_gradient_norm / norm);
        }
        network.change(cpu, |parameters| optimizer.step(cpu, parameters, gradients, settings));
        Ok(norm.into())
    }

    /// Returns the first and second moments of the optimizer, in the layout of the weights.
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

    /// Resets the optimizer's moments to zero.
    pub fn reset_moments(&mut self) {
        self.optimizer.first_moment.fill(0.0);
        self.optimizer.second_moment.fill(0.0);
    }

    /// Returns the optimizer's moments, one tensor for each parameter and moment.
    pub fn tensors<'a>(&'a self, network: &'a Network) -> impl Iterator<Item = Tensor> + 'a {
        let Optimizer { first_moment, second_moment, .. } = &self.optimizer;
        let first = tensors_of(FIRST_MOMENT, network.specs(), first_moment);
        first.chain(tensors_of(SECOND_MOMENT, network.specs(), second_moment))
    }

    /// Restores the optimizer's moments from the tensors that [`tensors`](Self::tensors) returned.
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or invalid; the moments are unchanged.
    pub fn read(&mut self, network: &Network, saved: &SavedTensors<'_>) -> Result<(), TensorError> {
        let flat = |group| saved.flat(group, network.specs(), network.weights().len());
        self.write_moments([&flat(FIRST_MOMENT)?, &flat(SECOND_MOMENT)?]);
        Ok(())
    }

    /// Returns the memory use of the trainer in bytes, which is constant after the first step.
    pub fn bytes(&self) -> usize {
        let measured: usize = self.measured.iter().map(|column| size_of_val(&column[..])).sum();
        let gradients = size_of_val(self.gradients.flat());
        gradients + measured + self.optimizer.bytes() + self.workspaces.bytes()
    }
}

/// Returns the rows `rows` of each output buffer of an execution plan, and the number of outputs. The result is an
/// array, because a gradient step must not allocate.
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
