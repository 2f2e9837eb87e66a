//! Weights laid out for matrix products, refreshed once an update.

use vivarium_kernels::{Level, PackedMatrix};

use crate::graph::ParameterId;
use crate::parameters::{ParameterSpec, Parameters};

/// The matrices among a set of parameters, packed for x·W and, where gradients are wanted, for dy·Wᵀ.
#[derive(Debug, Clone)]
pub struct PackedParameters {
    forward: Vec<Option<PackedMatrix>>,
    transposed: Vec<Option<PackedMatrix>>,
}

impl PackedParameters {
    /// Packs every matrix both ways.
    pub fn new(level: Level, parameters: &Parameters) -> Self {
        let transposed = pack_matrices(level, parameters, PackedMatrix::pack_transposed);
        Self { transposed, ..Self::forward_only(level, parameters) }
    }

    /// Packs every matrix for x·W alone: half the memory and half the work, for those who only run forward.
    pub fn forward_only(level: Level, parameters: &Parameters) -> Self {
        Self { forward: pack_matrices(level, parameters, PackedMatrix::pack), transposed: Vec::new() }
    }

    /// Takes over the parameters' new numbers, in place. Call it after every update.
    pub fn refresh(&mut self, parameters: &Parameters) {
        for (index, spec) in parameters.specs().iter().enumerate() {
            let weights = &parameters.flat()[spec.range()];
            if let Some(Some(packed)) = self.forward.get_mut(index) {
                packed.repack(weights);
            }
            if let Some(Some(packed)) = self.transposed.get_mut(index) {
                packed.repack_transposed(weights);
            }
        }
    }

    /// W, for x·W.
    pub(crate) fn forward(&self, id: ParameterId) -> &PackedMatrix {
        self.forward[id.0].as_ref().expect("a linear layer's weight is a matrix")
    }

    /// Wᵀ, for dy·Wᵀ.
    pub(crate) fn transposed(&self, id: ParameterId) -> &PackedMatrix {
        self.transposed
            .get(id.0)
            .and_then(Option::as_ref)
            .expect("a gradient plan needs PackedParameters::new, which packs both ways")
    }
}

/// Every matrix to multiply with, packed one way.
fn pack_matrices(
    level: Level,
    parameters: &Parameters,
    pack: impl Fn(Level, &[f32], usize, usize) -> PackedMatrix,
) -> Vec<Option<PackedMatrix>> {
    let matrix = |spec: &ParameterSpec| match spec.dims[..] {
        [k, n] if !spec.table => Some(pack(level, &parameters.flat()[spec.range()], k, n)),
        _ => None,
    };
    parameters.specs().iter().map(matrix).collect()
}
