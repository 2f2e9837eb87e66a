//! Upload of sparse matrices to the GPU: column and `f32` bits of each nonzero value. A kernel expands the sparse
//! rows to dense rows.

use vivarium_gpu::{Buffer, Gpu, GpuError, GpuRecorder, Shader, dispatch_size};

/// Device buffers of a sparse matrix, which a kernel expands to dense rows.
pub(super) struct SparseInput {
    /// Number of rows of the matrix, followed by the end of each row in `entries`.
    ends: Buffer,
    /// Column and `f32` bits of each nonzero value of the matrix, row by row.
    entries: Buffer,
    columns: usize,
    rows: usize,
}

impl SparseInput {
    /// Creates device buffers for sparse matrices of up to `rows` rows and `columns` columns, with at most `entries`
    /// nonzero values.
    ///
    /// # Errors
    /// [`GpuError`] if the device has too little memory.
    pub fn new(gpu: &Gpu, columns: usize, rows: usize, entries: usize) -> Result<Self, GpuError> {
        Ok(Self {
            ends: gpu.zeros("row ends of a sparse input", rows + 1)?,
            entries: gpu.zeros("entries of a sparse input", 2 * entries)?,
            columns,
            rows,
        })
    }

    /// Records the kernel that expands the sparse rows to dense rows. The kernel writes the dense rows to `arena`, the
    /// device buffer of all values of a compiled graph, from 32-bit word `first` on.
    ///
    /// # Errors
    /// [`GpuError`] if the device rejects the kernel.
    pub fn record(&self, recorder: &mut GpuRecorder, arena: &Buffer, first: usize) -> Result<(), GpuError> {
        Shader::new("expand", &[vivarium_gpu::shader!("expand.wgsl")])
            .buffers([("ends", &self.ends), ("entries", &self.entries), ("arena", arena)])
            .uniforms([("columns", self.columns), ("first", first)])
            .record(recorder, dispatch_size(self.rows))
    }

    /// Uploads the rows of a sparse matrix. `entries` holds the column and `f32` bits of each nonzero value, `ends`
    /// the end of each row in `entries`. Returns the number of uploaded 32-bit words. `words` is scratch memory.
    pub fn write(
        &self,
        gpu: &Gpu,
        ends: impl ExactSizeIterator<Item = usize>,
        entries: &[[u32; 2]],
        words: &mut Vec<u32>,
    ) -> usize {
        words.clear();
        words.push(ends.len() as u32);
        words.extend(ends.map(|end| end as u32));
        gpu.write(&self.ends, 0, words);
        gpu.write(&self.entries, 0, entries.as_flattened());
        words.len() + 2 * entries.len()
    }
}
