//! Evaluating batches on a GPU.

use std::ops::Range;
use vivarium_gpu::{Buffer, Gpu, GpuError, GpuPlan, GpuProgram, GpuRecorder, ReadbackRing, floats};

/// The outputs of a plan for batches of a fixed number of rows, with weights that are on the device.
pub struct GpuEvaluator {
    gpu: Gpu,
    plan: GpuPlan,
    program: GpuProgram,
    /// What comes back.
    words: Range<usize>,
    outputs: ReadbackRing,
    arrived: Vec<u32>,
}

impl GpuEvaluator {
    /// An evaluator of the first output of a plan for `rows` rows, with these weights.
    ///
    /// # Errors
    /// [`GpuError`] where it does not fit the device, or a kernel is refused.
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

    /// Whether a batch was submitted whose outputs have not come back.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.outputs.in_flight() > 0
    }

    /// Submits a batch, whose inputs are those of the graph; of fewer rows than it is for, the other rows' outputs mean
    /// nothing.
    ///
    /// # Errors
    /// [`GpuError`] where the device was lost.
    ///
    /// # Panics
    /// If a batch is under way, or an input is too long.
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

    /// The outputs of the batch under way, row by row, once they are there. Natively it waits for them; in a browser
    /// it never waits.
    ///
    /// # Errors
    /// [`GpuError`] where the device was lost.
    pub fn take(&mut self) -> Result<Option<&[f32]>, GpuError> {
        if !self.is_busy() || !self.outputs.poll(&mut self.arrived)? {
            return Ok(None);
        }
        Ok(Some(floats(&self.arrived)))
    }
}
