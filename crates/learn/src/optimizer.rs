//! Optimizer step: AdamW, and Muon for selected matrices.

use vivarium_graph::{Cpu, Gradients, ParameterSpec, Parameters};
use vivarium_kernels::AlignedVec;
use vivarium_kernels::adam::AdamStep;

/// Tensor group of the first moments in a checkpoint.
pub const FIRST_MOMENT: &str = "adam/first_moment";
/// Tensor group of the second moments in a checkpoint.
pub const SECOND_MOMENT: &str = "adam/second_moment";

/// AdamW optimizer (Loshchilov and Hutter 2019, <https://arxiv.org/abs/1711.05101>). Weight decay applies to matrices
/// and tables, not to biases and gains.
#[derive(Debug)]
pub(crate) struct Optimizer {
    /// First moments: exponential moving average of the gradients, in the layout of the parameters.
    pub first_moment: AlignedVec<f32>,
    /// Second moments: exponential moving average of the squared gradients.
    pub second_moment: AlignedVec<f32>,
    /// Optimizer that replaces AdamW for selected matrices. The box lets wasm modules that never set this field omit
    /// the optimizer's code.
    pub matrices: Option<Box<dyn MatrixOptimizer>>,
}

/// An optimizer for selected weight matrices.
pub(crate) trait MatrixOptimizer: std::fmt::Debug + Send + Sync {
    /// Returns whether this optimizer updates the parameter `spec`.
    fn moves(&self, spec: &ParameterSpec) -> bool;

    /// Returns the size of this optimizer's working memory in bytes.
    fn bytes(&self) -> usize;

    /// Takes an optimizer step on the selected matrices. `flat` covers all parameters of the network. The moment slices
    /// of the selected matrices hold the state of this optimizer.
    fn step(&mut self, cpu: &Cpu, flat: FlatSlices<'_>, settings: &AdamStep);
}

/// Weights with their gradients and moments: four slices of equal length.
pub(crate) struct FlatSlices<'a> {
    pub weights: &'a mut [f32],
    pub gradients: &'a [f32],
    pub first_moment: &'a mut [f32],
    pub second_moment: &'a mut [f32],
}

impl<'a> FlatSlices<'a> {
    /// Splits each of the four slices after its first `len` elements.
    pub fn split_at(self, len: usize) -> (Self, Self) {
        let (weights, w) = self.weights.split_at_mut(len);
        let (gradients, g) = self.gradients.split_at(len);
        let (first_moment, m) = self.first_moment.split_at_mut(len);
        let (second_moment, v) = self.second_moment.split_at_mut(len);
        let rest = Self { weights: w, gradients: g, first_moment: m, second_moment: v };
        (Self { weights, gradients, first_moment, second_moment }, rest)
    }
}

impl Optimizer {
    /// Creates AdamW state for `len` parameters.
    pub fn new(len: usize) -> Self {
        let [first_moment, second_moment] = [len; 2].map(AlignedVec::zeros);
        Self { first_moment, second_moment, matrices: None }
    }

    /// Returns the memory use of both moments and of the matrix optimizer in bytes.
    pub fn bytes(&self) -> usize {
        let matrices = self.matrices.as_ref().map_or(0, |optimizer| optimizer.bytes());
        size_of_val(&self.first_moment[..]) + size_of_val(&self.second_moment[..]) + matrices
    }

    /// Takes an optimizer step on all threads: over the whole buffer if weight decay is 0, else parameter by parameter.
    pub fn step(
        &mut self,
        cpu: &Cpu,
        parameters: &mut Parameters,
        gradients: &Gradients,
        settings: &AdamStep,
    ) {
        let Self { first_moment, second_moment, matrices } = self;
        let gradients = gradients.flat();
        if matrices.is_none() && settings.weight_decay == 0.0 {
            return cpu.adam(parameters.flat_mut(), gradients, first_moment, second_moment, settings);
        }
        for index in 0..parameters.specs().len() {
            let spec = &parameters.specs()[index];
            if matrices.as_ref().is_some_and(|optimizer| optimizer.moves(spec)) {
                continue;
            }
            let weight_decay = if spec.decays() { settings.weight_decay } else { 0.0 };
            let range = spec.range();
            cpu.adam(
                &mut parameters.flat_mut()[range.clone()],
                &gradients[range.clone()],
                &mut first_moment[range.clone()],
                &mut second_moment[range],
                &AdamStep { weight_decay, ..*settings },
            );
        }
        if let Some(optimizer) = matrices {
            let weights = parameters.flat_mut();
            optimizer.step(cpu, FlatSlices { weights, gradients, first_moment, second_moment }, settings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_graph::Graph;

    #[test]
    fn only_matrices_decay() {
        let mut graph = Graph::new();
        let input = graph.input("input", &[3]);
        graph.linear("layer", input, 2);
        let mut parameters = Parameters::new(&graph, 1).unwrap();
        parameters.flat_mut().fill(1.0);
        let gradients = Gradients::zeros(&parameters);
        let settings = AdamStep { learning_rate: 0.5, weight_decay: 0.1, ..AdamStep::default() };
        Optimizer::new(parameters.flat().len()).step(&Cpu::new(1), &mut parameters, &gradients, &settings);
        assert!(parameters.get("layer.weight").unwrap().iter().all(|&weight| weight == 0.95));
        assert!(parameters.get("layer.bias").unwrap().iter().all(|&bias| bias == 1.0));
    }
}
