//! Workloads of the comparison with other libraries in a browser (`benches/rivals/browser`): a network of
//! [`bench_networks`] with its weights, inputs and results, so that another library can compute the same.
//!
//! Only the module of that comparison contains them (feature `comparison`); the modules of the page do not.

use crate::error::SessionError;
use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array};
use vivarium_graph::bench_networks::{self, BenchNetwork};
use vivarium_graph::{
    BatchInputs, Cpu, Gradients, PackedParameters, ParameterSpec, Parameters, Plan, PlanWeights, Workspaces,
    onnx,
};
use wasm_bindgen::prelude::*;

/// A forward pass, or the gradient of the mean loss, of a network for a batch of `rows` rows.
#[wasm_bindgen]
pub struct Workload {
    cpu: Cpu,
    network: BenchNetwork,
    rows: usize,
    plan: Plan,
    parameters: Parameters,
    packed: PackedParameters,
    inputs: Vec<Vec<f32>>,
    outputs: Vec<Vec<f32>>,
    /// Parameter gradients; `None` for a forward pass.
    gradients: Option<Gradients>,
    workspaces: Workspaces,
}

#[wasm_bindgen]
impl Workload {
    /// Creates the workload of a network: `product/SIDE`, `residual_mlp`, `actor_critic` or `transformer`. `threads` is 1,
    /// or the size of the thread pool.
    #[wasm_bindgen(constructor)]
    pub fn new(network: &str, rows: usize, gradient: bool, threads: usize) -> Result<Workload, SessionError> {
        let unknown = || SessionError::new(format!("Unknown network {network}."), "");
        let network = match network.split_once('/') {
            Some(("product", side)) => bench_networks::matrix_product(side.parse().map_err(|_| unknown())?),
            None if network == "residual_mlp" => bench_networks::residual_mlp(),
            None if network == "actor_critic" => bench_networks::actor_critic(),
            None if network == "transformer" => bench_networks::transformer(),
            _ => return Err(unknown()),
        };
        let plan = if gradient { network.gradient_plan() } else { network.forward_plan().map(Some) };
        let plan = plan.map_err(failed)?.ok_or_else(|| SessionError::new("The network has no loss.", ""))?;
        let parameters = Parameters::new(&network.graph, 1).map_err(failed)?;
        let cpu = Cpu::new(threads);
        Ok(Self {
            packed: PackedParameters::new(cpu.level(), &parameters),
            inputs: network.inputs(rows),
            outputs: plan.outputs().iter().map(|shape| vec![0.0; rows * shape.size()]).collect(),
            gradients: gradient.then(|| Gradients::zeros(&parameters)),
            workspaces: Workspaces::default(),
            cpu,
            network,
            rows,
            plan,
            parameters,
        })
    }

    /// Computes the outputs, and the gradients if any, `calls` times.
    pub fn run(&mut self, calls: u32) {
        let Self { cpu, plan, parameters, packed, workspaces, rows, .. } = self;
        let inputs: Vec<&[f32]> = self.inputs.iter().map(Vec::as_slice).collect();
        let mut outputs: Vec<&mut [f32]> = self.outputs.iter_mut().map(Vec::as_mut_slice).collect();
        let (weights, batch) = (PlanWeights::new(parameters, packed), BatchInputs::new(*rows, &inputs));
        for _ in 0..calls {
            match &mut self.gradients {
                None => cpu.run(plan, weights, workspaces, batch, &mut outputs),
                Some(gradients) => {
                    gradients.clear();
                    cpu.gradients(plan, weights, workspaces, batch, &mut outputs, gradients);
                }
            }
        }
    }

    /// Returns inputs, parameters and outputs, and the gradients if any, as an object of objects. These map a name to an
    /// array, an object of `shape` and `data`. The first dimension of inputs and outputs is the batch dimension.
    pub fn arrays(&self) -> JsValue {
        let of_specs = |flat: &[f32], specs: &[ParameterSpec]| {
            object(specs.iter().map(|spec| (&spec.name[..], array(&spec.dims, &flat[spec.range()]))))
        };
        let batch = |dims: &[usize], data: &[f32]| array(&[&[self.rows], dims].concat(), data);
        let inputs = self.network.graph.inputs().iter().zip(&self.inputs);
        let outputs = self.plan.outputs().iter().zip(&self.outputs);
        let name = |index: usize| match self.gradients {
            Some(_) => "losses",
            None => self.network.outputs[index].0,
        };
        let (specs, flat) = (self.parameters.specs(), self.parameters.flat());
        let mut parts = vec![
            ("inputs", object(inputs.map(|(spec, data)| (&spec.name[..], batch(spec.shape.dims(), data))))),
            ("parameters", of_specs(flat, specs)),
            (
                "outputs",
                object(
                    outputs
                        .enumerate()
                        .map(|(index, (shape, data))| (name(index), batch(shape.dims(), data))),
                ),
            ),
        ];
        if let Some(gradients) = &self.gradients {
            parts.push(("gradients", of_specs(gradients.flat(), specs)));
        }
        object(parts.into_iter())
    }

    /// Returns the network as the bytes of an ONNX file. Outputs have the names of [`arrays`](Self::arrays).
    pub fn onnx(&self) -> Result<Uint8Array, SessionError> {
        let BenchNetwork { graph, outputs, .. } = &self.network;
        let model = onnx::export(graph, &self.parameters, outputs, &[]).map_err(failed)?;
        Ok(Uint8Array::from(model.as_slice()))
    }
}

fn failed(error: impl std::fmt::Display) -> SessionError {
    SessionError::new(error.to_string(), "")
}

fn array(shape: &[usize], data: &[f32]) -> JsValue {
    let shape: Array = shape.iter().map(|&size| JsValue::from(size as u32)).collect();
    object([("shape", shape.into()), ("data", Float32Array::from(data).into())].into_iter())
}

fn object<'a>(properties: impl Iterator<Item = (&'a str, JsValue)>) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        // The object is new and plain, so setting a property cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}
