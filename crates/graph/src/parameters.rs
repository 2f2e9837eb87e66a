//! Parameters and gradients, each in one flat buffer.

use std::sync::Arc;

use vivarium_kernels::AlignedVec;

use crate::error::GraphError;
use crate::graph::Graph;
use crate::init::initialize;
use crate::spec::{ParameterSpec, flat_len, named};

/// The parameters of a graph in one flat, aligned buffer.
///
/// Padding between parameters is zero and stays zero, so optimizers, gradient clipping and weight averages may run over
/// the whole buffer.
#[derive(Debug, Clone)]
pub struct Parameters {
    specs: Arc<[ParameterSpec]>,
    flat: AlignedVec<f32>,
}

impl Parameters {
    /// Creates the parameters of a graph. The initializer of a parameter draws its values from `seed` and the
    /// parameter's position in the graph.
    ///
    /// # Errors
    /// The first error in the graph's definition.
    pub fn new(graph: &Graph, seed: u64) -> Result<Self, GraphError> {
        graph.check()?;
        let specs: Arc<[ParameterSpec]> = graph.parameters().into();
        let mut flat = AlignedVec::zeros(flat_len(&specs));
        for (stream, spec) in specs.iter().enumerate() {
            initialize(spec.initializer, spec.dims[0], seed, stream as u32, &mut flat[spec.range()]);
        }
        Ok(Self { specs, flat })
    }

    /// Returns names, shapes and offsets of the parameters, in buffer order.
    pub fn specs(&self) -> &[ParameterSpec] {
        &self.specs
    }

    /// Returns the values of all parameters as one flat buffer, with padding.
    pub fn flat(&self) -> &[f32] {
        &self.flat
    }

    /// Returns the flat parameter buffer for updates by an optimizer. After an update, call
    /// [`crate::PackedParameters::refresh`], because matrix products read packed copies of the weights.
    pub fn flat_mut(&mut self) -> &mut [f32] {
        &mut self.flat
    }

    /// Returns the elements of the parameter `name`, row-major, or `None` if no parameter has this name.
    pub fn get(&self, name: &str) -> Option<&[f32]> {
        named(&self.specs, name).map(|spec| &self.flat[spec.range()])
    }

    /// Returns the elements of the parameter `name` for writing, row-major, or `None` if no parameter has this name.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut [f32]> {
        named(&self.specs, name).map(|spec| &mut self.flat[spec.range()])
    }
}

/// Parameter gradients, in the layout of the [`Parameters`].
#[derive(Debug, Clone)]
pub struct Gradients(Parameters);

impl Gradients {
    /// Creates gradients, all zero, in the layout of `parameters`.
    pub fn zeros(parameters: &Parameters) -> Self {
        Self(Parameters { specs: parameters.specs.clone(), flat: AlignedVec::zeros(parameters.flat.len()) })
    }

    /// Sets all gradients to zero. Call the method before each gradient, because plans add to the buffer.
    pub fn clear(&mut self) {
        self.0.flat.fill(0.0);
    }

    /// Returns the gradients of all parameters as one flat buffer, with padding.
    pub fn flat(&self) -> &[f32] {
        self.0.flat()
    }

    /// Returns the flat gradient buffer for changes in place, such as gradient clipping.
    pub fn flat_mut(&mut self) -> &mut [f32] {
        self.0.flat_mut()
    }

    /// Returns the gradient of the parameter `name`, row-major, or `None` if no parameter has this name.
    pub fn get(&self, name: &str) -> Option<&[f32]> {
        self.0.get(name)
    }
}
