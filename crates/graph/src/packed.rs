//! Weight matrices packed for matrix products, repacked after each parameter update.

use std::ops::Range;

use vivarium_kernels::{Level, PackedMatrix};

use crate::cpu::Cpu;
use crate::flat::PART;
use crate::ids::ParameterId;
use crate::parameters::Parameters;
use crate::spec::{ParameterRole, ParameterSpec};

/// The weight matrices of a graph in the packed layout of the GEMM kernels. Each matrix W is packed for the forward
/// product x·W and for the backward product dy·Wᵀ.
///
/// The output head of a language model, which is as long as the vocabulary, is packed in chunks of rows; any other
/// matrix in one chunk.
#[derive(Debug, Clone)]
pub struct PackedParameters {
    level: Level,
    chunks: Vec<PackedMatrix>,
    sources: Vec<PackedSource>,
    /// By parameter index: indices in `chunks` (packed blocks of matrix rows) of the parameter's copy for products x·W.
    /// Empty if the parameter has no such copy.
    forward: Vec<Range<usize>>,
    /// By parameter index: indices in `chunks` (packed blocks of matrix rows) of the parameter's copy for products
    /// dy·Wᵀ. Empty if the parameter has no such copy.
    transposed: Vec<Range<usize>>,
}

/// Source of a packed chunk (block of rows of a weight matrix): the range of these rows in the flat parameter buffer.
#[derive(Debug, Clone)]
struct PackedSource {
    /// Range of the matrix rows in the flat parameter buffer, in elements.
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
    /// Packs each weight matrix for the products of both the forward and the backward pass.
    pub fn new(level: Level, parameters: &Parameters) -> Self {
        Self::pack(level, parameters, true)
    }

    /// Packs each weight matrix for the forward product only: x·W, or x·Wᵀ for an output head. Takes half of the memory
    /// and time of [`new`](Self::new), but gradients cannot be computed.
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

    /// Allocates the packed copy of a parameter as chunks (blocks of matrix rows), and returns their index range in
    /// `chunks`. Allocates nothing and returns an empty range if `wanted` is false or no matrix product reads the
    /// parameter.
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

    /// Returns the SIMD level that the matrices are packed for, which is also the level at which plans run.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the allocated size of the packed matrices in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(PackedMatrix::bytes).sum()
    }

    /// Repacks all weight matrices in place. Call this method after each parameter update.
    pub fn refresh(&mut self, parameters: &Parameters) {
        for (source, chunk) in self.sources.iter().zip(&mut self.chunks) {
            source.refresh(parameters.flat(), chunk);
        }
    }

    /// Returns the packed copy of a weight matrix W for x·W: one entry for each chunk of rows of W, in row order.
    pub(crate) fn forward(&self, id: ParameterId) -> &[PackedMatrix] {
        let chunks = &self.chunks[self.forward[id.0].clone()];
        assert!(
            !chunks.is_empty(),
            "an output head's gradient needs PackedParameters::new, not forward_only"
        );
        chunks
    }

    /// Returns the packed copy of a weight matrix W for dy·Wᵀ: one entry for each chunk of rows of W, in row order.
    pub(crate) fn transposed(&self, id: ParameterId) -> &[PackedMatrix] {
        let chunks = &self.chunks[self.transposed[id.0].clone()];
        assert!(!chunks.is_empty(), "gradients need PackedParameters::new, not forward_only");
        chunks
    }
}

impl Cpu {
    /// Repacks all matrices on all threads, as [`PackedParameters::refresh`] does on one thread. Matrices with few
    /// elements in total are packed on the calling thread, because waking another thread would take longer.
    pub fn refresh(&self, packed: &mut PackedParameters, parameters: &Parameters) {
        if parameters.flat().len() <= PART {
            return packed.refresh(parameters);
        }
        let PackedParameters { chunks, sources, .. } = packed;
        self.for_each(chunks, |index, chunk| sources[index].refresh(parameters.flat(), chunk));
    }
}
