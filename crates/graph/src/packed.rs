//! Weights laid out for matrix products, refreshed once an update.

use std::ops::Range;

use vivarium_kernels::{Level, PackedMatrix};

use crate::cpu::Cpu;
use crate::flat::PART;
use crate::ids::ParameterId;
use crate::parameters::Parameters;
use crate::spec::{ParameterRole, ParameterSpec};

/// The matrices among a set of parameters, packed for x·W and, where gradients are wanted, for dy·Wᵀ.
///
/// A head over a vocabulary is packed in several chunks of rows, any other matrix in one.
#[derive(Debug, Clone)]
pub struct PackedParameters {
    level: Level,
    chunks: Vec<PackedMatrix>,
    sources: Vec<PackedSource>,
    /// Which chunks are those of each parameter, for x·W.
    forward: Vec<Range<usize>>,
    /// The same for dy·Wᵀ.
    transposed: Vec<Range<usize>>,
}

/// What a chunk is packed from.
#[derive(Debug, Clone)]
struct PackedSource {
    /// Where it lies among all parameters.
    range: Range<usize>,
    transposed: bool,
}

impl PackedSource {
    fn refresh(&self, flat: &[f32], chunk: &mut PackedMatrix) {
        let weights = &flat[self.range.clone()];
        if self.transposed { chunk.repack_transposed(weights) } else { chunk.repack(weights) }
    }
}

impl PackedParameters {
    /// Packs every matrix both ways.
    pub fn new(level: Level, parameters: &Parameters) -> Self {
        Self::pack(level, parameters, true)
    }

    /// Packs every matrix for its forward product alone, x·W or, where it is a head, x·Wᵀ: half the memory and half the
    /// work, for those who only run forward.
    pub fn forward_only(level: Level, parameters: &Parameters) -> Self {
        Self::pack(level, parameters, false)
    }

    fn pack(level: Level, parameters: &Parameters, both: bool) -> Self {
        let (forward, transposed) = (Vec::new(), Vec::new());
        let mut packed = Self { level, chunks: Vec::new(), sources: Vec::new(), forward, transposed };
        for spec in parameters.specs() {
            let is_head = spec.role == ParameterRole::Head;
            let forward = packed.add(spec, false, both || !is_head);
            let transposed = packed.add(spec, true, both || is_head);
            packed.forward.push(forward);
            packed.transposed.push(transposed);
        }
        packed.refresh(parameters);
        packed
    }

    /// Makes room for the chunks of a parameter, if it is a matrix to multiply with and they are wanted.
    fn add(&mut self, spec: &ParameterSpec, transposed: bool, wanted: bool) -> Range<usize> {
        let first = self.chunks.len();
        if let ([rows, columns], true) = (&spec.dims[..], wanted && spec.role != ParameterRole::Table) {
            let most = spec.chunk_rows();
            for row in (0..*rows).step_by(most) {
                let count = most.min(rows - row);
                let (k, n) = if transposed { (*columns, count) } else { (count, *columns) };
                self.chunks.push(PackedMatrix::zeros(self.level, k, n));
                let start = spec.offset + row * columns;
                self.sources.push(PackedSource { range: start..start + count * columns, transposed });
            }
        }
        first..self.chunks.len()
    }

    /// The SIMD level that they are packed for, at which plans run with them.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Bytes that they take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(PackedMatrix::bytes).sum()
    }

    /// Takes over the parameters' new numbers, in place. Call it after every update.
    pub fn refresh(&mut self, parameters: &Parameters) {
        for (source, chunk) in self.sources.iter().zip(&mut self.chunks) {
            source.refresh(parameters.flat(), chunk);
        }
    }

    /// W, for x·W.
    pub(crate) fn forward(&self, id: ParameterId) -> &[PackedMatrix] {
        let chunks = &self.chunks[self.forward[id.0].clone()];
        assert!(!chunks.is_empty(), "PackedParameters::forward_only has no gradients of a head");
        chunks
    }

    /// Wᵀ, for dy·Wᵀ.
    pub(crate) fn transposed(&self, id: ParameterId) -> &[PackedMatrix] {
        let chunks = &self.chunks[self.transposed[id.0].clone()];
        assert!(!chunks.is_empty(), "a gradient plan needs PackedParameters::new, which packs both ways");
        chunks
    }
}

impl Cpu {
    /// [`PackedParameters::refresh`] over the threads. Few parameters are packed sooner than another thread would begin.
    pub fn refresh(&self, packed: &mut PackedParameters, parameters: &Parameters) {
        if parameters.flat().len() <= PART {
            return packed.refresh(parameters);
        }
        let PackedParameters { chunks, sources, .. } = packed;
        self.for_each(chunks, |index, chunk| sources[index].refresh(parameters.flat(), chunk));
    }
}
