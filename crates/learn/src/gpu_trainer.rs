//! Gradient steps on a GPU.
//!
//! The weights, the optimizer and everything between them stay on the device, and a gradient step is one submission, or
//! several where it takes long, so that a run on a slow device can be interrupted within it. The inputs of a batch go there.
//! What comes back, without anybody waiting for it, are the measurements of its rows and the norm of the gradient, and, where
//! it was asked for, all that was learned.
//!
//! It is the plan of the [`Trainer`] that runs there, and it does the same arithmetic in another order: a run follows the
//! CPU's closely at first, and then, as any run does whose numbers were rounded differently, goes its own way.

use crate::readback::WeightReadback;
use crate::error::NotFinite;
use crate::gpu_step::{StepError, StepSettings};
use crate::network::Network;
use crate::trainer::Trainer;
use std::collections::VecDeque;
use std::ops::Range;
use vivarium_gpu::{
    Buffer, OptimizerControl, Cost, Gpu, GpuError, GpuPlan, GpuOptimizer, GpuProgram, GpuRecorder, ReadbackRing, GradientSlices, floats,
};
use vivarium_graph::Cpu;

/// Submissions that may be under way: while the host looks at one, the device works on the next.
const AHEAD: usize = 2;

/// Weights that follow those that learn: their average, or a target network.
struct Follower {
    weights: Buffer,
    /// How far it moves in the next step.
    share: Buffer,
}

impl Follower {
    fn new(gpu: &Gpu, weights: &[f32], len: usize) -> Result<Self, GpuError> {
        assert_eq!(weights.len(), len, "they are weights of another network");
        Ok(Self {
            weights: gpu.upload("the weights that follow", weights)?,
            share: gpu.zeros("how far they follow", 1)?,
        })
    }

    /// Records the move that follows the optimizer's step.
    fn record(
        &self,
        recorder: &mut GpuRecorder,
        parameters: &Buffer,
        optimizer: &GpuOptimizer,
    ) -> Result<(), GpuError> {
        let text = [OptimizerControl::STRUCT, vivarium_gpu::shader!("follow.wgsl")];
        let buffers = [&self.weights, parameters, &optimizer.control, &self.share];
        recorder.for_each("weights that follow", &text, &buffers, &[], parameters.len() / 4)
    }
}

/// A [`Trainer`] on the device, for one of its losses; see the [module](self).
pub struct GpuTrainer {
    gpu: Gpu,
    plan: GpuPlan,
    parameters: Buffer,
    slices: GradientSlices,
    optimizer: GpuOptimizer,
    follower: Option<Follower>,
    /// What a gradient step begins with.
    preparation: Option<GpuProgram>,
    step: GpuProgram,
    /// How many submissions a gradient step takes.
    parts: usize,
    /// The next part of the gradient step of which some were submitted.
    begun: Option<usize>,
    /// The measurements of each step.
    reports: ReadbackRing,
    /// The submissions under way: whether each is the last of its gradient step.
    under_way: VecDeque<bool>,
    copies: Option<WeightReadback>,
    submitted: u64,
    /// Gradient steps that were reported.
    updates: u64,
    /// Numbers of inputs that went with the last batch.
    sent: usize,
    /// Names of the first measurements, whose sums must be finite.
    names: &'static [&'static str],
    /// The words of each measurement in the last report.
    measured: Vec<Range<usize>>,
    report: Vec<u32>,
    gradient_norm: f64,
    failed: Option<StepError>,
}

impl GpuTrainer {
    /// A network and its trainer as they are after `updates` gradient steps, moved to the device: for batches of `rows` rows,
    /// and for this loss. `follower` are other weights of the network that follow those that learn: their average, or a target
    /// network.
    ///
    /// # Errors
    /// [`GpuError`] where they do not fit there, or a kernel is refused.
    ///
    /// # Panics
    /// If there is no such loss, it is Muon that moves the matrices, or those that follow are weights of another network.
    pub fn new(
        gpu: &Gpu,
        network: &Network,
        trainer: &Trainer,
        loss: usize,
        rows: usize,
        updates: u64,
        follower: Option<&[f32]>,
    ) -> Result<Self, GpuError> {
        assert!(trainer.is_adam_alone(), "the device has no optimizer but AdamW");
        let plan = GpuPlan::new(gpu, trainer.loss(loss), rows)?;
        let parameters = gpu.upload("the weights", network.weights())?;
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
            begun: None,
            reports: ReadbackRing::new(gpu, end, AHEAD)?,
            under_way: VecDeque::with_capacity(AHEAD),
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

    /// Has each gradient step from now on begin with a program, which writes some of the loss's inputs, or with none.
    pub fn set_input_program(&mut self, preparation: Option<GpuProgram>) {
        self.preparation = preparation;
    }

    /// The weights that learn.
    #[must_use]
    pub fn parameters(&self) -> &Buffer {
        &self.parameters
    }

    /// The weights that follow them, if there are any.
    #[must_use]
    pub fn follower(&self) -> Option<&Buffer> {
        self.follower.as_ref().map(|follower| &follower.weights)
    }

    /// Where input `index` of the loss is.
    #[must_use]
    pub fn input(&self, index: usize) -> (&Buffer, Range<usize>) {
        (self.plan.arena(), self.plan.input(index))
    }

    /// Has a gradient step submitted in so many parts.
    #[must_use]
    pub fn in_parts(mut self, parts: usize) -> Self {
        self.parts = parts.max(1);
        self
    }

    /// Whether another gradient step may be submitted now.
    #[must_use]
    pub fn can_submit(&self) -> bool {
        !self.is_begun() && self.under_way.len() < self.gpu.max_in_flight(AHEAD)
    }

    /// Whether some parts of a gradient step were submitted, and others were not yet.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// Whether every gradient step that was submitted has been reported.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        !self.is_begun() && self.submitted == self.updates
    }

    /// Submits a gradient step on a batch, whose inputs are those of the graph: an empty one is not written. Does nothing without
    /// [room](Self::can_submit).
    ///
    /// # Errors
    /// [`StepError::Gpu`] where the device was lost.
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
                gpu.write(&follower.share, 0, &[settings.follow_share]);
            }
            for (index, numbers) in inputs.iter().enumerate().filter(|(_, numbers)| !numbers.is_empty()) {
                let words = plan.input(index);
                gpu.write(plan.arena(), words.start, &numbers[..words.len()]);
                *sent += words.len();
            }
            this.begun = Some(0);
            this.submit_part()
        })
    }

    /// Takes in the oldest gradient step under way if it is finished; returns whether one was, whose
    /// [measurements](Self::measured) are there then. Natively it waits for that; in a browser it never waits.
    ///
    /// # Errors
    /// [`StepError::NotFinite`] where training diverged, [`StepError::Gpu`] where the device was lost. Every further call
    /// gives the same error.
    pub fn advance(&mut self) -> Result<bool, StepError> {
        self.attempt(|this| {
            while this.begun.is_some() && this.under_way.len() < this.gpu.max_in_flight(AHEAD) {
                this.submit_part()?;
            }
            if this.under_way.is_empty() || !this.reports.poll(&mut this.report)? {
                return Ok(false);
            }
            if this.under_way.pop_front() != Some(true) {
                return Ok(false);
            }
            this.gradient_norm = OptimizerControl::from_words(&this.report[..OptimizerControl::WORDS]).norm.into();
            let sums = this.names.iter().enumerate().map(|(index, &name)| (name, this.sum(index)));
            NotFinite::check(this.updates, [("the gradient", this.gradient_norm)].into_iter().chain(sums))?;
            this.updates += 1;
            Ok(true)
        })
    }

    /// The Euclidean norm of the last gradient that was reported, before it was clipped.
    #[must_use]
    pub fn gradient_norm(&self) -> f64 {
        self.gradient_norm
    }

    /// Measurement `index` of each row of the last batch that was reported.
    #[must_use]
    pub fn measured(&self, index: usize) -> &[f32] {
        floats(&self.report[self.measured[index].clone()])
    }

    /// The sum of measurement `index` over the last batch that was reported.
    #[must_use]
    pub fn sum(&self, index: usize) -> f64 {
        self.measured(index).iter().map(|&value| f64::from(value)).sum()
    }

    /// Asks for what was learned in all gradient steps submitted so far, unless it is on its way already, or a step is
    /// [begun](Self::is_begun).
    ///
    /// # Errors
    /// [`StepError::Gpu`] where the device was lost, or the host has no room for it.
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
            Ok(copies.ask(gpu, buffers.into_iter().chain(follower), *submitted)?)
        })
    }

    /// After how many gradient steps what is on its way back was learned, if anything is.
    #[must_use]
    pub fn pending_readback(&self) -> Option<u64> {
        self.copies.as_ref()?.updates()
    }

    /// Gives a network and its trainer what was learned here when [`request_readback`](Self::request_readback) was called, once that has come back, and
    /// `follow` the weights that follow; returns after how many gradient steps that was. Natively it waits for it; in a
    /// browser it never waits.
    ///
    /// # Errors
    /// [`StepError::Gpu`] where the device was lost; nothing is changed then.
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

    /// Gradient steps that were reported, those before it came to the device among them.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Gradient steps that were submitted, those before it came to the device among them.
    #[must_use]
    pub fn submitted(&self) -> u64 {
        self.submitted
    }

    /// What the last gradient step that was submitted asked of the device: kernels started, and bytes that are copied to it and
    /// back.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let report = self.measured.last().map_or(OptimizerControl::WORDS, |last| last.end);
        let preparation = self.preparation.as_ref().map(GpuProgram::cost).unwrap_or_default();
        preparation + self.step.cost() + Cost { dispatches: 0, bytes_copied: 4 * (self.sent + report) as u64 }
    }

    /// Bytes that it holds on the device: values, weights, gradients and what the optimizer remembers.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Self { plan, parameters, slices, follower, .. } = self;
        let copies = 4 + usize::from(follower.is_some());
        4 * (plan.arena().len() + slices.buffer.len() + copies * parameters.len()) as u64
    }

    /// Does something unless an earlier attempt failed, and remembers if it fails.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, StepError>) -> Result<T, StepError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        work(self).inspect_err(|error| self.failed = Some(error.clone()))
    }

    /// Submits the next part of the gradient step that was begun, if one was.
    fn submit_part(&mut self) -> Result<(), StepError> {
        let Some(part) = self.begun.take() else { return Ok(()) };
        let Self { gpu, plan, optimizer, preparation, step, parts, reports, measured, .. } = self;
        let is_last = part + 1 == *parts;
        // Of a part nothing is asked but that it is done.
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
        self.under_way.push_back(is_last);
        self.submitted += u64::from(is_last);
        self.begun = (!is_last).then_some(part + 1);
        Ok(())
    }
}
