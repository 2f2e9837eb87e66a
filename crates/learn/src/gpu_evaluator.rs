//! Batched network evaluation on a GPU.

use std::ops::Range;
use vivarium_gpu::{Buffer, Gpu, GpuError, GpuPlan, GpuProgram, GpuRecorder, ReadbackRing, floats};

/// Evaluates the first output of an execution plan on the device, for batches of a fixed number of rows.
pub struct GpuEvaluator {
    gpu: Gpu,
    plan: GpuPlan,
    program: GpuProgram,
    /// Range of the plan's output in the plan's device buffer, in 32-bit words.
    words: Range<usize>,
    outputs: ReadbackRing,
    arrived: Vec<u32>,
}

impl GpuEvaluator {
    /// Creates an evaluator for batches of `rows` rows. `parameters` are the weights on the device.
    ///
    /// # Errors
    /// [`GpuError`] if the buffers do not fit the device, or a kernel does not compile.
    pub fn new(
        gpu: &Gpu,
        plan: &vivarium_graph::Plan,
        parameters: &Buffer,
        rows: usize,
    ) -> Result<Self, GpuError> {
        let plan = GpuPlan::new(gpu, plan, rows)?;
        let mut recorder = GpuRecorder::new(gpu);
        plan.record(&mut recorder, parameters, None)?;
        let words = plan.output(0);
        Ok(Self {
            program: recorder.finish()?,
            outputs: ReadbackRing::new(gpu, words.len(), 1)?,
            arrived: Vec::with_capacity(words.len()),
            gpu: gpu.clone(),
            words,
            plan,
        })
    }

    /// Returns whether a batch is in flight.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.outputs.in_flight() > 0
    }

    /// Submits a batch, with inputs in the order of the graph. With fewer rows than the batch size, the remaining
    /// output rows are unspecified.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost.
    ///
    /// # Panics
    /// If a batch is in flight, or an input is too long.
    pub fn submit(&mut self, inputs: &[&[f32]]) -> Result<(), GpuError> {
        let Self { gpu, plan, program, words, outputs, .. } = self;
        for (index, numbers) in inputs.iter().enumerate() {
            gpu.write(plan.arena(), plan.input(index).start, numbers);
        }
        gpu.submit(|encoder| {
            encoder.run(program);
            outputs.copy(encoder, [(plan.arena(), words.clone())]);
        })?;
        outputs.submitted();
        Ok(())
    }

    /// Returns the outputs of the batch in flight, row by row, or `None` if the outputs have not arrived. Blocks in a
    /// native program, never in a browser.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost.
    pub fn take(&mut self) -> Result<Option<&[f32]>, GpuError> {
        if !self.is_busy() || !self.outputs.poll(&mut self.arrived)? {
            return Ok(None);
        }
        Ok(Some(floats(&self.arrived)))
    }
}
