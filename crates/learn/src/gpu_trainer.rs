//! Gradient steps on a GPU.
//!
//! Weights, optimizer moments and activations stay on the device. A gradient step is one submission, or several on a
//! slow device, so that a run can be interrupted in between. The host uploads the inputs of a batch. Per-row metrics
//! and the gradient norm are read back asynchronously; weights and moments are read back on request.
//!
//! The device executes the same plan as the [`Trainer`] but sums in another order. Therefore runs on GPU and CPU agree
//! at first, and later diverge by rounding.

use crate::error::NotFinite;
use crate::gpu_step::{StepError, StepSettings};
use crate::network::Network;
use crate::readback::WeightReadback;
use crate::trainer::Trainer;
use std::collections::VecDeque;
use std::ops::Range;
use vivarium_gpu::{
    Buffer, Cost, Gpu, GpuError, GpuOptimizer, GpuPlan, GpuProgram, GpuRecorder, GradientSlices,
    OptimizerControl, ReadbackRing, Shader, floats,
};
use vivarium_graph::Cpu;

/// Maximum number of submissions in flight: the device computes one submission while the host prepares the next.
const MAX_IN_FLIGHT: usize = 2;

/// Target weights that follow the trained weights by Polyak updates: an EMA of the weights, or a target network.
struct Follower {
    weights: Buffer,
    /// Device buffer with the rate τ of the next Polyak update.
    rate: Buffer,
}

impl Follower {
    fn new(gpu: &Gpu, weights: &[f32], len: usize) -> Result<Self, GpuError> {
        assert_eq!(weights.len(), len, "target weights belong to another network");
        Ok(Self { weights: gpu.upload("target weights", weights)?, rate: gpu.zeros("Polyak rate", 1)? })
    }

    /// Appends the Polyak update of the target weights to a GPU program, after the optimizer step.
    fn record(
        &self,
        recorder: &mut GpuRecorder,
        parameters: &Buffer,
        optimizer: &GpuOptimizer,
    ) -> Result<(), GpuError> {
        let text = [OptimizerControl::STRUCT, vivarium_gpu::shader!("polyak_update.wgsl")];
        Shader::new("polyak_update", &text)
            .buffers([
                ("targets", &self.weights),
                ("parameters", parameters),
                ("control", &optimizer.control),
                ("rate", &self.rate),
            ])
            .record_each(recorder, parameters.len() / 4)
    }
}

/// Trains a network on the device with one of the losses of a [`Trainer`].
///
/// Weights, optimizer moments and activations stay on the device. [`submit`](Self::submit) uploads the inputs of a
/// batch and submits a gradient step; [`poll`](Self::poll) receives its metrics. Weights and moments are read back on
/// request ([`request_readback`](Self::request_readback), [`take_readback`](Self::take_readback)).
pub struct GpuTrainer {
    gpu: Gpu,
    plan: GpuPlan,
    parameters: Buffer,
    slices: GradientSlices,
    optimizer: GpuOptimizer,
    follower: Option<Follower>,
    /// GPU program that runs before each gradient step and computes some of the loss's inputs.
    preparation: Option<GpuProgram>,
    step: GpuProgram,
    /// Number of submissions per gradient step: the step's GPU program is divided into this many parts.
    parts: usize,
    /// Index (from 0) of the next part of a partly submitted gradient step; `None` if no step is partly submitted.
    next_part: Option<usize>,
    /// Asynchronous readback of the metrics of each gradient step from the device.
    reports: ReadbackRing,
    /// For each submission in flight, oldest first: whether it is the last submission of its gradient step.
    in_flight: VecDeque<bool>,
    copies: Option<WeightReadback>,
    submitted: u64,
    /// Number of completed gradient steps.
    updates: u64,
    /// Number of f32 values that were uploaded for the last submitted batch.
    sent: usize,
    /// Names of the loss's first metrics, such as `the loss`. The sums of these metrics over the batch must be finite.
    names: &'static [&'static str],
    /// Range of each metric in the field `report` (data of the last received gradient step), in 32-bit words.
    measured: Vec<Range<usize>>,
    report: Vec<u32>,
    gradient_norm: f64,
    failed: Option<StepError>,
}

impl GpuTrainer {
    /// Moves a network and its trainer to the device. `loss` is the index of one of the trainer's losses. `rows` is the
    /// number of rows of a batch, `updates` the number of gradient steps so far. `follower` are initial target weights
    /// that follow the trained weights by Polyak updates: an EMA or a target network.
    ///
    /// # Errors
    /// [`GpuError`] if the buffers do not fit the device, or a kernel does not compile.
    ///
    /// # Panics
    /// If the loss index is out of range, the trainer uses Muon, or the target weights belong to another network.
    pub fn new(
        gpu: &Gpu,
        network: &Network,
        trainer: &Trainer,
        loss: usize,
        rows: usize,
        updates: u64,
        follower: Option<&[f32]>,
    ) -> Result<Self, GpuError> {
        assert!(trainer.uses_only_adamw(), "the GPU supports AdamW only");
        let plan = GpuPlan::new(gpu, trainer.loss(loss), rows)?;
        let parameters = gpu.upload("weights", network.weights())?;
        let slices = plan.slices()?;
        let optimizer = GpuOptimizer::new(gpu, network.weights().len())?;
        let [first, second] = trainer.moments();
        gpu.write(&optimizer.first_moment, 0, first);
        gpu.write(&optimizer.second_moment, 0, second);
        optimizer.set_steps(gpu, updates as u32);
        optimizer.set_decays(gpu, network.specs());
        let mut end = OptimizerControl::WORDS;
        let outputs = trainer.loss(loss).outputs().len();
        let measured = (0..outputs).map(|index| {
            let start = end;
            end += plan.output(index).len();
            start..end
        });
        let measured = measured.collect();
        let follower = follower.map(|weights| Follower::new(gpu, weights, parameters.len())).transpose()?;
        let mut recorder = GpuRecorder::new(gpu);
        plan.record(&mut recorder, &parameters, Some(&slices))?;
        optimizer.record_sum(&mut recorder, &slices)?;
        optimizer.record_decision(&mut recorder)?;
        optimizer.record_step(&mut recorder, &parameters)?;
        if let Some(follower) = &follower {
            follower.record(&mut recorder, &parameters, &optimizer)?;
        }
        Ok(Self {
            step: recorder.finish()?,
            parts: 1,
            next_part: None,
            reports: ReadbackRing::new(gpu, end, MAX_IN_FLIGHT)?,
            in_flight: VecDeque::with_capacity(MAX_IN_FLIGHT),
            copies: None,
            submitted: updates,
            updates,
            sent: 0,
            names: trainer.names(loss),
            measured,
            report: Vec::with_capacity(end),
            gradient_norm: 0.0,
            failed: None,
            follower,
            preparation: None,
            gpu: gpu.clone(),
            plan,
            parameters,
            slices,
            optimizer,
        })
    }

    /// Sets a GPU program that runs before each gradient step and computes some of the loss's inputs. `None` removes
    /// the program.
    pub fn set_input_program(&mut self, preparation: Option<GpuProgram>) {
        self.preparation = preparation;
    }

    /// Returns the device buffer of the trained weights.
    #[must_use]
    pub fn parameters(&self) -> &Buffer {
        &self.parameters
    }

    /// Returns the device buffer of the target weights, if there are any.
    #[must_use]
    pub fn follower(&self) -> Option<&Buffer> {
        self.follower.as_ref().map(|follower| &follower.weights)
    }

    /// Returns the device buffer of input `index` of the loss, and the input's range in the buffer in 32-bit words.
    #[must_use]
    pub fn input(&self, index: usize) -> (&Buffer, Range<usize>) {
        (self.plan.arena(), self.plan.input(index))
    }

    /// Splits each gradient step into `parts` submissions, at least 1.
    #[must_use]
    pub fn in_parts(mut self, parts: usize) -> Self {
        self.parts = parts.max(1);
        self
    }

    /// Returns whether another gradient step can be submitted now.
    #[must_use]
    pub fn can_submit(&self) -> bool {
        !self.is_begun() && self.in_flight.len() < self.gpu.max_in_flight(MAX_IN_FLIGHT)
    }

    /// Returns whether a gradient step is partly submitted.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.next_part.is_some()
    }

    /// Returns whether all submitted gradient steps are complete.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        !self.is_begun() && self.submitted == self.updates
    }

    /// Submits a gradient step on a batch. `inputs` are the inputs of the loss's graph in order; an empty input keeps
    /// its previous contents. Does nothing unless [`can_submit`](Self::can_submit).
    ///
    /// # Errors
    /// [`StepError::Gpu`] if the device was lost.
    ///
    /// # Panics
    /// If an input is neither empty nor as long as the batch.
    pub fn submit(&mut self, inputs: &[&[f32]], settings: &StepSettings) -> Result<(), StepError> {
        if !self.can_submit() {
            return Ok(());
        }
        self.attempt(|this| {
            let Self { gpu, plan, optimizer, follower, sent, .. } = this;
            *sent = 0;
            optimizer.set(gpu, &settings.adam, settings.max_gradient_norm);
            if let Some(follower) = follower {
                gpu.write(&follower.rate, 0, &[settings.polyak_rate]);
            }
            for (index, numbers) in inputs.iter().enumerate().filter(|(_, numbers)| !numbers.is_empty()) {
                let words = plan.input(index);
                gpu.write(plan.arena(), words.start, &numbers[..words.len()]);
                *sent += words.len();
            }
            this.next_part = Some(0);
            this.submit_part()
        })
    }

    /// Receives the oldest gradient step in flight if the step is complete. Returns whether a step was received; its
    /// [metrics](Self::measured) are then available. Blocks in a native program, never in a browser.
    ///
    /// # Errors
    /// [`StepError::NotFinite`] if training diverged, [`StepError::Gpu`] if the device was lost. All later calls return
    /// the same error.
    pub fn poll(&mut self) -> Result<bool, StepError> {
        self.attempt(|this| {
            while this.next_part.is_some() && this.in_flight.len() < this.gpu.max_in_flight(MAX_IN_FLIGHT) {
                this.submit_part()?;
            }
            if this.in_flight.is_empty() || !this.reports.poll(&mut this.report)? {
                return Ok(false);
            }
            if this.in_flight.pop_front() != Some(true) {
                return Ok(false);
            }
            this.gradient_norm =
                OptimizerControl::from_words(&this.report[..OptimizerControl::WORDS]).norm.into();
            let sums = this.names.iter().enumerate().map(|(index, &name)| (name, this.sum(index)));
            NotFinite::check(this.updates, [("the gradient", this.gradient_norm)].into_iter().chain(sums))?;
            this.updates += 1;
            Ok(true)
        })
    }

    /// Returns the Euclidean norm of the last reported gradient, before clipping.
    #[must_use]
    pub fn gradient_norm(&self) -> f64 {
        self.gradient_norm
    }

    /// Returns metric `index` (an output of the loss's plan) of each row of the last reported batch.
    #[must_use]
    pub fn measured(&self, index: usize) -> &[f32] {
        floats(&self.report[self.measured[index].clone()])
    }

    /// Returns the sum of metric `index` over the last reported batch.
    #[must_use]
    pub fn sum(&self, index: usize) -> f64 {
        self.measured(index).iter().map(|&value| f64::from(value)).sum()
    }

    /// Requests a readback of weights, moments and target weights after all submitted gradient steps. Does nothing if a
    /// readback is in flight or a gradient step is [partly submitted](Self::is_begun).
    ///
    /// # Errors
    /// [`StepError::Gpu`] if the device was lost or the host is out of memory.
    pub fn request_readback(&mut self) -> Result<(), StepError> {
        if self.pending_readback().is_some() || self.is_begun() {
            return Ok(());
        }
        self.attempt(|this| {
            let Self { gpu, parameters, optimizer, follower, copies, submitted, .. } = this;
            let follower = follower.as_ref().map(|follower| &follower.weights);
            let count = 3 + usize::from(follower.is_some());
            let buffers = [&*parameters, &optimizer.first_moment, &optimizer.second_moment];
            let copies = match copies {
                Some(copies) => copies,
                None => copies.insert(WeightReadback::new(gpu, parameters.len(), count)?),
            };
            Ok(copies.request(gpu, buffers.into_iter().chain(follower), *submitted)?)
        })
    }

    /// Returns the number of gradient steps that the weights of the readback in flight were trained for; `None` if no
    /// readback is in flight.
    #[must_use]
    pub fn pending_readback(&self) -> Option<u64> {
        self.copies.as_ref()?.updates()
    }

    /// Completes the [requested readback](Self::request_readback) if its data has arrived: copies the weights to
    /// `network` and the moments to `trainer`, and passes the target weights (empty if there are none) to `follow`.
    /// Returns the number of gradient steps that the received weights were trained for, or `None` if the readback has
    /// not arrived. Blocks in a native program, never in a browser.
    ///
    /// # Errors
    /// [`StepError::Gpu`] if the device was lost; network and trainer are unchanged.
    pub fn take_readback(
        &mut self,
        cpu: &Cpu,
        network: &mut Network,
        trainer: &mut Trainer,
        follow: impl FnOnce(&[f32]),
    ) -> Result<Option<u64>, StepError> {
        self.attempt(|this| {
            let Some(copies) = &mut this.copies else { return Ok(None) };
            let Some(updates) = copies.take()? else { return Ok(None) };
            network.change(cpu, |parameters| parameters.flat_mut().copy_from_slice(copies.get(0)));
            trainer.write_moments([copies.get(1), copies.get(2)]);
            follow(copies.get(3));
            Ok(Some(updates))
        })
    }

    /// Returns the number of completed gradient steps, including the steps before training moved to the device.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Returns the number of submitted gradient steps, including the steps before training moved to the device.
    #[must_use]
    pub fn submitted(&self) -> u64 {
        self.submitted
    }

    /// Returns the number of dispatches and of bytes copied to and from the device in the last submitted gradient step.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let report = self.measured.last().map_or(OptimizerControl::WORDS, |last| last.end);
        let preparation = self.preparation.as_ref().map(GpuProgram::cost).unwrap_or_default();
        preparation + self.step.cost() + Cost { dispatches: 0, bytes_copied: 4 * (self.sent + report) as u64 }
    }

    /// Returns the memory use on the device in bytes: activations, weights, gradients and optimizer moments.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Self { plan, parameters, slices, follower, .. } = self;
        let copies = 4 + usize::from(follower.is_some());
        4 * (plan.arena().len() + slices.buffer.len() + copies * parameters.len()) as u64
    }

    /// Calls `work` and stores its error. After an error, returns the stored error without calling `work`.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, StepError>) -> Result<T, StepError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        work(self).inspect_err(|error| self.failed = Some(error.clone()))
    }

    /// Submits the next part of a partly submitted gradient step.
    fn submit_part(&mut self) -> Result<(), StepError> {
        let Some(part) = self.next_part.take() else { return Ok(()) };
        let Self { gpu, plan, optimizer, preparation, step, parts, reports, measured, .. } = self;
        let is_last = part + 1 == *parts;
        // Parts before the last read back a single word, to detect their completion.
        let (words, outputs) = if is_last { (OptimizerControl::WORDS, measured.len()) } else { (1, 0) };
        let outputs = (0..outputs).map(|index| (plan.arena(), plan.output(index)));
        let report = [(&optimizer.control, 0..words)].into_iter().chain(outputs);
        gpu.submit(|encoder| {
            if let Some(preparation) = preparation.as_ref().filter(|_| part == 0) {
                encoder.run(preparation);
            }
            encoder.run_steps(step, step.part(part, *parts));
            reports.copy(encoder, report);
        })?;
        reports.submitted();
        self.in_flight.push_back(is_last);
        self.submitted += u64::from(is_last);
        self.next_part = (!is_last).then_some(part + 1);
        Ok(())
    }
}
