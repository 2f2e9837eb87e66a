//! Networks: a graph's weights with the plans that evaluate it.

use vivarium_graph::{
    BatchInputs, Chunks, Cpu, Graph, GraphError, PackedParameters, ParameterSpec, Parameters, Plan,
    PlanWeights, SavedTensors, Tensor, TensorError, Workspace, Workspaces, tensors_of,
};
use vivarium_kernels::gemm::SparseRows;
use vivarium_kernels::{Level, simd};

/// Maximum number of inputs of a graph, including settings (scalar inputs).
const MAX_INPUTS: usize = 16;

/// A network: the weights of a graph, and one execution plan for each set of outputs that are evaluated together.
///
/// Several threads may evaluate a network at the same time.
#[derive(Clone, Debug)]
pub struct Network {
    parameters: Parameters,
    packed: PackedParameters,
    plans: Vec<Plan>,
}

impl Network {
    /// Creates a trainable network. The graph's initializers draw its weights from `seed`.
    ///
    /// # Errors
    /// The first error in the graph's definition.
    pub fn new(graph: &Graph, plans: Vec<Plan>, seed: u64) -> Result<Self, GraphError> {
        Self::pack(graph, plans, seed, PackedParameters::new)
    }

    /// Creates a network for inference only, which takes half the memory of a trainable network.
    ///
    /// # Errors
    /// The first error in the graph's definition.
    pub fn forward_only(graph: &Graph, plans: Vec<Plan>, seed: u64) -> Result<Self, GraphError> {
        Self::pack(graph, plans, seed, PackedParameters::forward_only)
    }

    fn pack(
        graph: &Graph,
        plans: Vec<Plan>,
        seed: u64,
        pack: fn(Level, &Parameters) -> PackedParameters,
    ) -> Result<Self, GraphError> {
        let parameters = Parameters::new(graph, seed)?;
        Ok(Self { packed: pack(simd::level(), &parameters), parameters, plans })
    }

    /// Repacks the weights for evaluation at another SIMD level, and returns the network.
    pub fn at_level(mut self, level: Level) -> Self {
        self.packed = PackedParameters::new(level, &self.parameters);
        self
    }

    /// Returns the SIMD level that the weights are packed for.
    pub fn level(&self) -> Level {
        self.packed.level()
    }

    /// Returns names, shapes and offsets of the parameters.
    pub fn specs(&self) -> &[ParameterSpec] {
        self.parameters.specs()
    }

    /// Returns the flat weight buffer, with zero padding between parameters.
    pub fn weights(&self) -> &[f32] {
        self.parameters.flat()
    }

    /// Returns the parameters, accessible by name.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Returns the number of weights, without padding.
    pub fn parameter_count(&self) -> usize {
        self.specs().iter().map(ParameterSpec::len).sum()
    }

    /// Returns the execution plan with index `index`, in the order passed to [`new`](Self::new).
    pub fn plan(&self, index: usize) -> &Plan {
        &self.plans[index]
    }

    /// Returns the memory use in bytes: flat weights and packed copies.
    pub fn bytes(&self) -> usize {
        size_of_val(self.weights()) + self.packed.bytes()
    }

    /// Replaces all weights by `weights`, in the layout of the flat weight buffer.
    ///
    /// # Panics
    /// If the length differs from the length of [`weights`](Self::weights).
    pub fn write(&mut self, weights: &[f32]) {
        self.parameters.flat_mut().copy_from_slice(weights);
        self.packed.refresh(&self.parameters);
    }

    /// Calls `change` to modify the weights in place, then refreshes the packed copies.
    pub fn change(&mut self, cpu: &Cpu, change: impl FnOnce(&mut Parameters)) {
        change(&mut self.parameters);
        cpu.refresh(&mut self.packed, &self.parameters);
    }

    /// Moves the weights w towards the weights w′ of another network of the same graph by a Polyak update: w ← w +
    /// rate·(w′ − w). A rate of 1 copies the weights.
    ///
    /// # Panics
    /// If the other network has a different number of weights.
    pub fn polyak_update(&mut self, cpu: &Cpu, other: &Self, rate: f32) {
        self.change(cpu, |parameters| polyak_update(cpu, parameters.flat_mut(), other.weights(), rate));
    }

    /// Evaluates the execution plan with index `plan` for `rows` rows on all threads. `inputs` are the leading inputs
    /// of the graph, and must include all inputs that the plan reads. `outputs` have one row for each input row.
    ///
    /// # Panics
    /// If `plan` is out of range, or a slice is too short.
    pub fn evaluate(
        &self,
        cpu: &Cpu,
        workspaces: &mut Workspaces,
        plan: usize,
        rows: usize,
        inputs: &[&[f32]],
        outputs: &mut [&mut [f32]],
    ) {
        let (plan, all) = (&self.plans[plan], all_inputs(inputs));
        let inputs = &all[..plan.inputs().len()];
        cpu.run(plan, self.packed_weights(), workspaces, BatchInputs::new(rows, inputs), outputs);
    }

    /// Evaluates an execution plan on the calling thread: a plan of this network, or of another graph with the same
    /// parameters.
    ///
    /// # Panics
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_single_threaded(
        &self,
        plan: &Plan,
        workspace: &mut Workspace,
        rows: usize,
        inputs: &[&[f32]],
        outputs: &mut [&mut [f32]],
    ) {
        let all = all_inputs(inputs);
        let inputs = &all[..plan.inputs().len()];
        plan.run(self.packed_weights(), workspace, BatchInputs::new(rows, inputs), outputs);
    }

    /// Evaluates an execution plan whose only input is sparse, given in compressed form, on the calling thread.
    ///
    /// # Panics
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_sparse(
        &self,
        plan: &Plan,
        workspace: &mut Workspace,
        rows: &SparseRows,
        outputs: &mut [&mut [f32]],
    ) {
        let all = all_inputs(&[]);
        let inputs = &all[..plan.inputs().len()];
        plan.run_sparse(self.packed_weights(), workspace, rows, inputs, outputs);
    }

    /// Allocates working memory for one thread, sufficient for each plan of the network.
    pub fn workspace(&self) -> Workspace {
        let mut workspace = Workspace::default();
        self.plans.iter().for_each(|plan| workspace.fit(plan));
        workspace
    }

    /// Returns the flat weights and their packed copies.
    pub(crate) fn packed_weights(&self) -> PlanWeights<'_> {
        PlanWeights::new(&self.parameters, &self.packed)
    }

    /// Returns the weights as one tensor for each parameter, named `group/parameter`, or `parameter` if `group` is
    /// empty.
    pub fn tensors<'a>(&'a self, group: &'a str) -> impl Iterator<Item = Tensor> + 'a {
        tensors_of(group, self.specs(), self.weights())
    }

    /// Loads weights from the tensors of [`tensors`](Self::tensors).
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or invalid; the weights are unchanged.
    pub fn read(&mut self, saved: &SavedTensors<'_>, group: &str) -> Result<(), TensorError> {
        let weights = saved.flat(group, self.specs(), self.weights().len())?;
        self.write(&weights);
        Ok(())
    }
}

/// Extends the leading inputs of a graph by empty slices, which stand for inputs that an execution plan does not read.
fn all_inputs<'a>(inputs: &[&'a [f32]]) -> [&'a [f32]; MAX_INPUTS] {
    let mut all: [&[f32]; MAX_INPUTS] = [&[]; _];
    all[..inputs.len()].copy_from_slice(inputs);
    all
}

/// Maximum number of weights that one parallel task of a Polyak update processes.
const PART: usize = 1 << 15;

/// Applies the Polyak update average ← average + rate·(weights − average), on all threads. A rate of 1 copies the
/// weights.
pub(crate) fn polyak_update(cpu: &Cpu, average: &mut [f32], weights: &[f32], rate: f32) {
    if rate == 1.0 {
        return average.copy_from_slice(weights);
    }
    let parts = (Chunks { slice: average, len: PART }, Chunks { slice: weights, len: PART });
    cpu.for_each_part(parts, |_, (average, weights)| {
        for (average, weight) in average.slice.iter_mut().zip(weights.slice) {
            *average += rate * (weight - *average);
        }
    });
}
