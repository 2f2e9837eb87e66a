//! Networks as plain data, from which export formats are written.

use vivarium_graph::onnx::{self, OnnxError};
use vivarium_graph::{
    BatchInputs, Graph, GraphError, InputSpec, PackedParameters, Parameters, Plan, PlanWeights, Value,
    Workspace,
};
use vivarium_kernels::simd;

/// A trained network for inference as plain data: a graph with its only input first, its weights, and its outputs by
/// name. The graph includes preprocessing and postprocessing, such as the normalization of observations.
#[derive(Clone, Debug)]
pub struct InferenceNetwork {
    graph: Graph,
    parameters: Parameters,
    outputs: Vec<(&'static str, Value)>,
}

impl InferenceNetwork {
    /// Creates the network with the outputs `outputs` of `graph`. Each parameter of the graph takes its values from
    /// `constants`, pairs of name and values, or from the parameter of the same name in `weights`.
    ///
    /// # Errors
    /// The first error in the graph's definition.
    ///
    /// # Panics
    /// If a parameter has no values, or values of another length.
    pub fn new(
        graph: Graph,
        outputs: &[(&'static str, Value)],
        weights: &Parameters,
        constants: &[(&str, &[f32])],
    ) -> Result<Self, GraphError> {
        let mut parameters = Parameters::new(&graph, 0)?;
        for spec in graph.parameters() {
            let constant = constants.iter().find(|(name, _)| *name == spec.name);
            let values = constant.map(|&(_, values)| values).or_else(|| weights.get(&spec.name));
            let values = values.expect("each parameter of the graph has values");
            parameters.flat_mut()[spec.range()].copy_from_slice(values);
        }
        Ok(Self { graph, parameters, outputs: outputs.to_vec() })
    }

    /// Returns the declaration of the network's input.
    pub fn input(&self) -> &InputSpec {
        &self.graph.inputs()[0]
    }

    /// Returns the names of the outputs, in the order of [`evaluate`](Self::evaluate).
    pub fn outputs(&self) -> impl Iterator<Item = &'static str> {
        self.outputs.iter().map(|&(name, _)| name)
    }

    /// Computes the outputs for `rows` rows of the input on the calling thread. Returns one matrix `[rows, size]` for
    /// each output.
    ///
    /// # Errors
    /// [`GraphError`] if the graph cannot be compiled.
    ///
    /// # Panics
    /// If the input is too short.
    pub fn evaluate(&self, rows: usize, input: &[f32]) -> Result<Vec<Vec<f32>>, GraphError> {
        let values: Vec<Value> = self.outputs.iter().map(|&(_, value)| value).collect();
        let plan = Plan::compile(&self.graph, &values, rows)?;
        let packed = PackedParameters::forward_only(simd::level(), &self.parameters);
        let mut inputs: Vec<&[f32]> = vec![&[]; self.graph.inputs().len()];
        inputs[0] = input;
        let mut outputs: Vec<Vec<f32>> =
            plan.outputs().iter().map(|shape| vec![0.0; rows * shape.size()]).collect();
        let mut slices: Vec<&mut [f32]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
        let mut workspace = Workspace::default();
        workspace.fit(&plan);
        let weights = PlanWeights::new(&self.parameters, &packed);
        plan.run(weights, &mut workspace, BatchInputs::new(rows, &inputs), &mut slices);
        Ok(outputs)
    }

    /// Returns the network as the bytes of an ONNX file; see [`onnx::export`]. `metadata` are pairs of key and text.
    ///
    /// # Errors
    /// [`OnnxError`] if an operation of the network cannot be exported.
    pub fn onnx(&self, metadata: &[(&str, &str)]) -> Result<Vec<u8>, OnnxError> {
        onnx::export(&self.graph, &self.parameters, &self.outputs, metadata)
    }
}
