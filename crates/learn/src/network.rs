//! A network with weights.

use vivarium_graph::{
    BatchInputs, Cpu, Graph, GraphError, PackedParameters, ParameterSpec, Parameters, Plan, PlanWeights,
    SavedTensors, Tensor, TensorError, Workspace, Workspaces, tensors_of,
};
use vivarium_kernels::gemm::SparseRows;
use vivarium_kernels::{Level, simd};

/// The most inputs and settings of a graph.
const MAX_INPUTS: usize = 16;

/// The weights of a graph, and the outputs that are computed from them: a plan for each set of outputs that is evaluated
/// together.
///
/// Any number of threads may evaluate a network at the same time.
#[derive(Clone, Debug)]
pub struct Network {
    parameters: Parameters,
    packed: PackedParameters,
    plans: Vec<Plan>,
}

impl Network {
    /// A network that can learn, its weights drawn by the graph's initialisers.
    ///
    /// # Errors
    /// The first mistake in the graph's definition.
    pub fn new(graph: &Graph, plans: Vec<Plan>, seed: u64) -> Result<Self, GraphError> {
        Self::pack(graph, plans, seed, PackedParameters::new)
    }

    /// A network that is evaluated alone, in half the memory of one that can learn.
    ///
    /// # Errors
    /// The first mistake in the graph's definition.
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

    /// The same network at another SIMD level than this machine's best.
    pub fn at_level(mut self, level: Level) -> Self {
        self.packed = PackedParameters::new(level, &self.parameters);
        self
    }

    /// The SIMD level that it is evaluated at.
    pub fn level(&self) -> Level {
        self.packed.level()
    }

    /// Names, shapes and places of the parameters.
    pub fn specs(&self) -> &[ParameterSpec] {
        self.parameters.specs()
    }

    /// All weights, one parameter after the other, with padding between them that is zero and stays zero.
    pub fn weights(&self) -> &[f32] {
        self.parameters.flat()
    }

    /// The parameters by name.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The number of weights, without padding.
    pub fn parameter_count(&self) -> usize {
        self.specs().iter().map(ParameterSpec::len).sum()
    }

    /// Plan `index` of those that the network was made with.
    pub fn plan(&self, index: usize) -> &Plan {
        &self.plans[index]
    }

    /// Bytes that the weights take, as they are and as matrix products read them.
    pub fn bytes(&self) -> usize {
        size_of_val(self.weights()) + self.packed.bytes()
    }

    /// Replaces all weights.
    ///
    /// # Panics
    /// If the length differs from that of [`weights`](Self::weights).
    pub fn write(&mut self, weights: &[f32]) {
        self.parameters.flat_mut().copy_from_slice(weights);
        self.packed.refresh(&self.parameters);
    }

    /// Changes the weights in place.
    pub fn change(&mut self, cpu: &Cpu, change: impl FnOnce(&mut Parameters)) {
        change(&mut self.parameters);
        cpu.refresh(&mut self.packed, &self.parameters);
    }

    /// Moves the weights towards those of another network of the same graph: w ← w + rate·(w′ − w). A rate of 1 copies them.
    ///
    /// # Panics
    /// If the other network has another number of weights.
    pub fn polyak_update(&mut self, cpu: &Cpu, other: &Self, rate: f32) {
        self.change(cpu, |parameters| match rate {
            1.0 => parameters.flat_mut().copy_from_slice(other.weights()),
            rate => polyak_update(cpu, parameters.flat_mut(), other.weights(), rate),
        });
    }

    /// Computes the outputs of plan `plan` for `rows` rows, on all threads. `inputs` are the first ones of the graph, which
    /// must be all that the plan reads; `outputs` have a row for each row of the inputs.
    ///
    /// # Panics
    /// If there is no such plan, or a slice is too short.
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

    /// Computes the outputs of a plan, one of this network or of another graph with the same parameters, on the calling thread
    /// alone.
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

    /// [`evaluate_single_threaded`](Self::evaluate_single_threaded) with the graph's sparse input, which must be all that the plan reads.
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

    /// Working memory for one thread that evaluates any of the plans.
    pub fn workspace(&self) -> Workspace {
        let mut workspace = Workspace::default();
        self.plans.iter().for_each(|plan| workspace.fit(plan));
        workspace
    }

    /// The weights, as they are and as matrix products read them.
    pub(crate) fn packed_weights(&self) -> PlanWeights<'_> {
        PlanWeights::new(&self.parameters, &self.packed)
    }

    /// A tensor for each parameter, named `group/parameter`, or just `parameter` for a group without a name.
    pub fn tensors<'a>(&'a self, group: &'a str) -> impl Iterator<Item = Tensor> + 'a {
        tensors_of(group, self.specs(), self.weights())
    }

    /// Takes over weights that [`tensors`](Self::tensors) made.
    ///
    /// # Errors
    /// [`TensorError`] naming the tensor that is missing or does not fit; nothing is changed then.
    pub fn read(&mut self, saved: &SavedTensors<'_>, group: &str) -> Result<(), TensorError> {
        let weights = saved.flat(group, self.specs(), self.weights().len())?;
        self.write(&weights);
        Ok(())
    }
}

/// All inputs of a graph, of which a plan reads only the first ones.
fn all_inputs<'a>(inputs: &[&'a [f32]]) -> [&'a [f32]; MAX_INPUTS] {
    let mut all: [&[f32]; MAX_INPUTS] = [&[]; _];
    all[..inputs.len()].copy_from_slice(inputs);
    all
}

/// Numbers that a thread averages at a time.
const PART: usize = 1 << 15;

/// average ← average + share·(weights − average), on all threads.
pub(crate) fn polyak_update(cpu: &Cpu, average: &mut [f32], weights: &[f32], share: f32) {
    if average.len() <= PART {
        return average
            .iter_mut()
            .zip(weights)
            .for_each(|(average, weight)| *average += share * (weight - *average));
    }
    let half = (average.len() / 2).next_multiple_of(64);
    let (average, rest) = average.split_at_mut(half);
    let (weights, others) = weights.split_at(half);
    cpu.join(|| polyak_update(cpu, average, weights, share), || polyak_update(cpu, rest, others, share));
}
