//! What is learned: one flat buffer of numbers, with names for its parts.

use std::sync::Arc;

use vivarium_kernels::AlignedVec;

use crate::error::GraphError;
use crate::graph::Graph;
use crate::init::initialize;
use crate::spec::{ParameterSpec, flat_len, named};

/// The parameters of a graph: one flat, aligned buffer and the names of its parts.
///
/// Between parts there may be padding, which is zero and stays so: Adam, clipping and averaging may run over the whole
/// flat slice without caring.
#[derive(Debug, Clone)]
pub struct Parameters {
    specs: Arc<[ParameterSpec]>,
    flat: AlignedVec<f32>,
}

impl Parameters {
    /// The parameters of `graph`, each drawn by its initialiser from numbers that depend on the seed and its name's
    /// place alone.
    ///
    /// # Errors
    /// The first mistake in the graph's definition.
    pub fn new(graph: &Graph, seed: u64) -> Result<Self, GraphError> {
        graph.check()?;
        let specs: Arc<[ParameterSpec]> = graph.parameters().into();
        let mut flat = AlignedVec::zeros(flat_len(&specs));
        for (stream, spec) in specs.iter().enumerate() {
            initialize(spec.initializer, spec.dims[0], seed, stream as u32, &mut flat[spec.range()]);
        }
        Ok(Self { specs, flat })
    }

    /// The named parts, in the order of the buffer.
    pub fn specs(&self) -> &[ParameterSpec] {
        &self.specs
    }

    /// The whole buffer.
    pub fn flat(&self) -> &[f32] {
        &self.flat
    }

    /// The whole buffer, for an optimizer. Packed copies must be refreshed afterwards ([`crate::PackedParameters`]).
    pub fn flat_mut(&mut self) -> &mut [f32] {
        &mut self.flat
    }

    /// The numbers of one part.
    pub fn get(&self, name: &str) -> Option<&[f32]> {
        named(&self.specs, name).map(|spec| &self.flat[spec.range()])
    }

    /// The numbers of one part, for writing.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut [f32]> {
        named(&self.specs, name).map(|spec| &mut self.flat[spec.range()])
    }
}

/// Gradients in the layout of the [`Parameters`] they belong to.
#[derive(Debug, Clone)]
pub struct Gradients {
    specs: Arc<[ParameterSpec]>,
    flat: AlignedVec<f32>,
}

impl Gradients {
    /// Zeros.
    pub fn zeros(parameters: &Parameters) -> Self {
        Self { specs: parameters.specs.clone(), flat: AlignedVec::zeros(parameters.flat.len()) }
    }

    /// Zeros again: runs add.
    pub fn clear(&mut self) {
        self.flat.fill(0.0);
    }

    /// The whole buffer.
    pub fn flat(&self) -> &[f32] {
        &self.flat
    }

    /// The whole buffer, for clipping.
    pub fn flat_mut(&mut self) -> &mut [f32] {
        &mut self.flat
    }

    /// The gradient of one parameter.
    pub fn get(&self, name: &str) -> Option<&[f32]> {
        named(&self.specs, name).map(|spec| &self.flat[spec.range()])
    }
}
