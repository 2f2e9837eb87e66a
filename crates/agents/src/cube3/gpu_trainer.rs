//! Training on the GPU: the device draws and encodes scrambles, and takes gradient steps on them.
//!
//! For each gradient step, only the index of the first random stream and the optimizer settings are uploaded. After
//! each iteration, weights and counters are copied back to the learner on the CPU. The scrambles are identical on GPU
//! and CPU.

use super::config::Cube3Config;
use super::gpu_scrambles::GpuScrambleBatch;
use super::learner::{Cube3Counters, Cube3Learner, Cube3Sums, rng_stream};
use crate::error::LearnerError;
use vivarium_gpu::{Cost, Gpu, GpuRecorder};
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_learn::{Advance, AdvanceResult, StepSettings, WeightAverage};

/// Indices of the two inputs of the network's graph: the encoded state, and the move that undoes its last turn.
const INPUTS: [usize; 2] = [0, 1];

/// Trainer of a [`Cube3Learner`] on the GPU; see the [module](self).
pub struct Cube3GpuTrainer {
    gpu: Gpu,
    trainer: vivarium_learn::GpuTrainer,
    scrambles: GpuScrambleBatch,
    /// Counters of the run up to the last completed gradient step.
    counters: Cube3Counters,
    /// Sums of the metrics of the current iteration, up to the last completed gradient step.
    sums: Cube3Sums,
}

impl Cube3GpuTrainer {
    /// Uploads the weights and the optimizer state of a learner to the GPU.
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] if the device has too little memory or rejects a kernel.
    pub fn new(gpu: &Gpu, learner: &Cube3Learner) -> Result<Self, LearnerError> {
        let Cube3Learner { config, network, trainer, average, counters, sums, .. } = learner;
        let updates = counters.updates;
        let (rows, follower) = (config.batch(), Some(average.weights()));
        let mut trainer = vivarium_learn::GpuTrainer::new(gpu, network, trainer, 0, rows, updates, follower)?;
        let scrambles = GpuScrambleBatch::new(gpu, config)?;
        let mut recorder = GpuRecorder::new(gpu);
        let [(inputs, states), (_, undo)] = INPUTS.map(|index| trainer.input(index));
        scrambles.record(&mut recorder, inputs, [states.start, undo.start])?;
        trainer.set_input_program(Some(recorder.finish()?));
        Ok(Self { gpu: gpu.clone(), trainer, scrambles, counters: *counters, sums: sums.clone() })
    }

    /// Submits gradient steps of the current iteration, and adds the metrics of one completed step to the sums. On
    /// native targets, blocks until a step is complete; in a browser, never blocks.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] if training diverged, [`LearnerError::Gpu`] if the device was lost. All later
    /// calls return the same error.
    ///
    /// # Panics
    /// If the network of `learner` has another size than the network that the trainer was created from.
    pub fn advance(&mut self, cpu: &Cpu, learner: &mut Cube3Learner) -> AdvanceResult<Cube3Learner> {
        let last = self.last_update(&learner.config);
        while self.trainer.can_submit() && self.trainer.submitted() < last {
            self.submit(learner)?;
        }
        if self.trainer.submitted() == last {
            self.trainer.request_readback()?;
        }
        let finished = self.trainer.poll()?;
        if finished {
            self.count();
        }
        let unfinished = if finished { Advance::Unfinished(()) } else { Advance::Waiting };
        if self.trainer.updates() < last {
            return Ok(unfinished);
        }
        let Cube3Learner { network, trainer, average, .. } = learner;
        if self.trainer.take_readback(cpu, network, trainer, |weights| average.write(weights))?.is_none() {
            return Ok(unfinished);
        }
        learner.counters = self.counters;
        learner.sums = self.sums.clone();
        let report = learner.end_iteration();
        (self.counters, self.sums) = (learner.counters, learner.sums.clone());
        Ok(Advance::Finished(report))
    }

    /// Returns the number of gradient steps that the run will have taken at the end of the current iteration.
    fn last_update(&self, config: &Cube3Config) -> u64 {
        self.counters.updates - self.sums.updates + u64::from(config.iteration)
    }

    /// Draws new scrambles on the device, and submits a gradient step on them.
    fn submit(&mut self, learner: &Cube3Learner) -> Result<(), LearnerError> {
        let Self { gpu, trainer, scrambles, .. } = self;
        let Cube3Learner { config, seed, .. } = learner;
        let updates = trainer.submitted();
        scrambles.choose(gpu, rng::derive(*seed, rng_stream::SCRAMBLES), updates);
        let settings = StepSettings {
            adam: Cube3Learner::adam(config, updates),
            max_gradient_norm: config.max_gradient_norm,
            polyak_rate: WeightAverage::rate(config.ema_steps, updates),
        };
        Ok(trainer.submit(&[], &settings)?)
    }

    /// Adds to `counters` and `sums` the metrics of the gradient step whose results were read back.
    fn count(&mut self) {
        let Self { trainer, counters, sums, .. } = self;
        sums.add(counters, trainer.sum(0), trainer.measured(1), trainer.gradient_norm());
    }

    /// Returns the cost of a gradient step: number of kernel dispatches, and number of bytes copied.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.trainer.cost() + Cost { dispatches: 0, bytes_copied: GpuScrambleBatch::BYTES }
    }
}
