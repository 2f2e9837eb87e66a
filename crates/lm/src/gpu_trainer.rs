//! Training on the GPU: weights, optimiser and everything between them stay there, and a gradient step is one submission, or
//! several where it takes long, so that a run on a slow device can be interrupted within it. What goes there are the tokens of
//! a batch. What comes back, without anybody waiting for it, are their losses and the length of
//! the gradient, and now and then, where it was asked for, all that was learnt.
//!
//! It is the plan of the [`Trainer`] that runs there, with the same schedule, and it does the same arithmetic in another
//! order: a run follows the CPU's closely at first, and then, as any run does whose numbers were rounded differently, goes its
//! own way.

use crate::config::{LanguageConfig, Optimiser as Choice};
use crate::error::LanguageError;
use crate::model::{Batch, mean};
use crate::trainer::{Learnt, Trainer, adam_settings};
use std::collections::VecDeque;
use vivarium_config::Config;
use vivarium_gpu::{Buffer, Control, Cost, Gpu, Network, Optimiser, Program, Recorder, Ring, Slices, floats};
use vivarium_graph::Cpu;
use vivarium_learn::NotFinite;

/// Submissions that may be under way: while the host looks at one, the device works on the next.
const AHEAD: usize = 2;

/// Floating-point operations of a part of a gradient step, some tenths of a second: of a software adapter, and of a GPU that
/// is slow.
const SOFTWARE_PART: f64 = 1e10;
const HARDWARE_PART: f64 = 4e11;

/// The most parts of a gradient step: about as many as it has large products.
const MOST_PARTS: usize = 64;

/// A gradient step some of whose parts were handed over.
#[derive(Clone, Copy)]
struct Begun {
    /// The next part.
    part: usize,
    learning_rate: f32,
}

/// A learner on the device; see the [module](self).
pub struct GpuTrainer {
    gpu: Gpu,
    config: LanguageConfig,
    context: usize,
    vocabulary: usize,
    network: Network,
    parameters: Buffer,
    slices: Slices,
    optimiser: Optimiser,
    step: Program,
    /// In how many parts it is submitted.
    parts: usize,
    begun: Option<Begun>,
    batch: Batch,
    /// What each step found.
    reports: Ring,
    /// The step sizes of those under way: `None` of a part that is not the last one of its step.
    under_way: VecDeque<Option<f32>>,
    /// Weights and moments on their way back.
    states: Option<Ring>,
    /// After how many gradient steps they were as they are.
    kept: Option<u64>,
    submitted: u64,
    /// Gradient steps that were reported.
    updates: u64,
    /// Why it goes no further.
    failed: Option<LanguageError>,
    arrived: Vec<u32>,
}

/// What an [`advance`](GpuTrainer::advance) found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advance {
    /// Nothing is finished yet.
    Waiting,
    /// A gradient step is finished.
    Finished(Learnt),
}

impl GpuTrainer {
    /// A learner as it is now, moved to the device.
    ///
    /// # Errors
    /// [`LanguageError::Gpu`] where it does not fit there, or a kernel is refused; [`LanguageError::Config`] for another
    /// optimiser than AdamW.
    pub fn new(gpu: &Gpu, trainer: &Trainer) -> Result<Self, LanguageError> {
        let (config, vocabulary) = (trainer.config(), trainer.gpt.vocabulary());
        let tokens = f64::from(config.batch) * f64::from(config.context);
        let most = if gpu.report().software { SOFTWARE_PART } else { HARDWARE_PART };
        let parts = (config.flops_per_token(vocabulary) * tokens / most).ceil();
        Self::in_parts(gpu, trainer, (parts as usize).min(MOST_PARTS))
    }

    /// [`new`](Self::new) with gradient steps that are submitted in so many parts.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn in_parts(gpu: &Gpu, trainer: &Trainer, parts: usize) -> Result<Self, LanguageError> {
        let (config, weights) = (trainer.config().clone(), &trainer.gpt);
        if config.optimiser != Choice::AdamW {
            return Err(config.refused("optimiser", format!("{} on the GPU", Choice::AdamW.name())).into());
        }
        let network = Network::new(gpu, trainer.trainer.loss(0), config.batch as usize)?;
        let parameters = gpu.upload("the weights", weights.weights())?;
        let slices = network.slices()?;
        let optimiser = Optimiser::new(gpu, weights.weights().len())?;
        let [first, second] = trainer.trainer.moments();
        gpu.write(&optimiser.first_moment, 0, first);
        gpu.write(&optimiser.second_moment, 0, second);
        optimiser.set_steps(gpu, trainer.updates as u32);
        optimiser.set_decays(gpu, weights.specs());
        let mut recorder = Recorder::new(gpu);
        network.record(&mut recorder, &parameters, Some(&slices))?;
        optimiser.record_sum(&mut recorder, &slices)?;
        optimiser.record_decision(&mut recorder)?;
        optimiser.record_step(&mut recorder, &parameters)?;
        let words = network.output(0).len() + Control::WORDS;
        Ok(Self {
            step: recorder.finish()?,
            parts: parts.max(1),
            begun: None,
            reports: Ring::new(gpu, words, AHEAD)?,
            gpu: gpu.clone(),
            context: trainer.gpt.context(),
            vocabulary: trainer.gpt.vocabulary(),
            network,
            parameters,
            slices,
            optimiser,
            batch: Batch::default(),
            under_way: VecDeque::with_capacity(AHEAD),
            states: None,
            kept: None,
            submitted: trainer.updates,
            updates: trainer.updates,
            failed: None,
            arrived: Vec::with_capacity(words),
            config,
        })
    }

    /// Whether another gradient step may be handed over now.
    #[must_use]
    pub fn has_room(&self) -> bool {
        !self.is_begun() && self.under_way.len() < AHEAD
    }

    /// Whether some parts of a gradient step were handed over, and others were not yet.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.begun.is_some()
    }

    /// Hands the device a gradient step on sequences of context + 1 tokens each, one after the other, as many as a batch has.
    /// Where there is no [room](Self::has_room), nothing is done.
    ///
    /// # Errors
    /// [`LanguageError`] for another number of tokens or one that is not in the vocabulary, and nothing is learnt then;
    /// [`LanguageError::Gpu`] where the device was lost.
    pub fn submit(&mut self, sequences: &[u32]) -> Result<(), LanguageError> {
        let (rows, batch) =
            (self.batch.fill(self.context, self.vocabulary, sequences)?, self.config.batch as usize);
        if rows != batch {
            return Err(LanguageError::Rows { rows, batch });
        }
        if !self.has_room() {
            return Ok(());
        }
        self.attempt(Self::learn)
    }

    /// Takes in the oldest gradient step under way if it is finished. Natively it waits for that; in a browser it never waits.
    ///
    /// # Errors
    /// [`LanguageError::NotFinite`] where training diverged, [`LanguageError::Gpu`] where the device was lost. Every further
    /// call gives the same error.
    pub fn advance(&mut self) -> Result<Advance, LanguageError> {
        self.attempt(|this| {
            while this.begun.is_some() && this.under_way.len() < AHEAD {
                this.submit_part()?;
            }
            if this.under_way.is_empty() {
                return Ok(Advance::Waiting);
            }
            let arrived = this.reports.arrive(&mut this.arrived)?;
            let learnt = if arrived { this.receive()? } else { None };
            Ok(learnt.map_or(Advance::Waiting, Advance::Finished))
        })
    }

    /// Asks for what was learnt in all gradient steps handed over so far, unless it is on its way already, or a step is
    /// [begun](Self::is_begun).
    ///
    /// # Errors
    /// [`LanguageError::Gpu`] where the device was lost, or the host has no room for it.
    pub fn keep(&mut self) -> Result<(), LanguageError> {
        if self.kept.is_some() || self.is_begun() {
            return Ok(());
        }
        self.attempt(|this| {
            let Self { gpu, parameters, optimiser, states, .. } = this;
            let len = parameters.len();
            if states.is_none() {
                *states = Some(Ring::new(gpu, 3 * len, 1)?);
            }
            let Some(states) = states else { return Ok(()) };
            let Optimiser { first_moment, second_moment, .. } = optimiser;
            let parts = [&*parameters, &*first_moment, &*second_moment].map(|buffer| (buffer, 0..len));
            gpu.submit(|encoder| states.copy(encoder, &parts))?;
            states.submitted();
            this.kept = Some(this.submitted);
            Ok(())
        })
    }

    /// Makes a learner of the same model what this one was when [`keep`](Self::keep) was called, once that is here. Returns
    /// whether it is. Natively it waits for that; in a browser it never waits.
    ///
    /// # Errors
    /// [`LanguageError::Gpu`] where the device was lost; the learner stays as it is then.
    pub fn hand_over(&mut self, cpu: &Cpu, trainer: &mut Trainer) -> Result<bool, LanguageError> {
        let Some(updates) = self.kept else { return Ok(false) };
        self.attempt(|this| {
            let Some(states) = &mut this.states else { return Ok(false) };
            if !states.arrive(&mut this.arrived)? {
                return Ok(false);
            }
            this.kept = None;
            let len = this.parameters.len();
            let (weights, moments) = floats(&this.arrived).split_at(len);
            let (first, second) = moments.split_at(len);
            trainer.gpt.network.change(cpu, |parameters| parameters.flat_mut().copy_from_slice(weights));
            trainer.trainer.write_moments([first, second]);
            trainer.updates = updates;
            trainer.give_up();
            Ok(true)
        })
    }

    /// After how many gradient steps what is on its way back was learnt, if anything is.
    #[must_use]
    pub fn kept(&self) -> Option<u64> {
        self.kept
    }

    /// Gradient steps that were reported, those before it came to the device among them.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Gradient steps that were handed over, those before it came to the device among them.
    #[must_use]
    pub fn submitted(&self) -> u64 {
        self.submitted
    }

    /// The config in use for the gradient steps that are handed over from now on.
    #[must_use]
    pub fn config(&self) -> &LanguageConfig {
        &self.config
    }

    /// Takes over live fields.
    ///
    /// # Errors
    /// [`LanguageError`] for a config that is not allowed, or that differs in a field that is not live.
    pub fn set_config(&mut self, config: LanguageConfig) -> Result<(), LanguageError> {
        config.check()?;
        self.config.check_live(&config)?;
        self.config = config;
        Ok(())
    }

    /// What a gradient step asks of the device: kernels started, and bytes that are copied to it and back.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let values = 2 * self.network.input(0).len() + self.network.output(0).len() + Control::WORDS;
        self.step.cost() + Cost { dispatches: 0, bytes_copied: 4 * values as u64 }
    }

    /// Bytes that it holds on the device: values, weights, gradients and what the optimiser remembers.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Self { network, parameters, slices, .. } = self;
        4 * (network.arena().len() + slices.buffer.len() + 4 * parameters.len()) as u64
    }

    /// Does something unless an earlier attempt failed, and remembers if it fails.
    fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, LanguageError>,
    ) -> Result<T, LanguageError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        work(self).inspect_err(|error| self.failed = Some(error.clone()))
    }

    /// Hands over a gradient step on the batch.
    fn learn(&mut self) -> Result<(), LanguageError> {
        let Self { gpu, config, network, optimiser, batch, .. } = self;
        let learning_rate = config.learning_rate_at(self.submitted);
        optimiser.set(gpu, &adam_settings(config, learning_rate), config.max_gradient_norm);
        for (index, numbers) in [&batch.tokens, &batch.targets].into_iter().enumerate() {
            gpu.write(network.arena(), network.input(index).start, numbers);
        }
        self.begun = Some(Begun { part: 0, learning_rate });
        self.submit_part()
    }

    /// Hands over the next part of the gradient step that was begun, if one was.
    fn submit_part(&mut self) -> Result<(), LanguageError> {
        let Some(Begun { part, learning_rate }) = self.begun.take() else { return Ok(()) };
        let Self { gpu, network, optimiser, step, parts, reports, .. } = self;
        let is_last = part + 1 == *parts;
        let control = (&optimiser.control, 0..Control::WORDS);
        gpu.submit(|encoder| {
            encoder.run_steps(step, step.part(part, *parts));
            match is_last {
                true => reports.copy(encoder, &[control, (network.arena(), network.output(0))]),
                // Of a part nothing is asked but that it is done.
                false => reports.copy(encoder, &[(&optimiser.control, 0..1)]),
            }
        })?;
        reports.submitted();
        self.under_way.push_back(is_last.then_some(learning_rate));
        self.submitted += u64::from(is_last);
        self.begun = (!is_last).then_some(Begun { part: part + 1, learning_rate });
        Ok(())
    }

    /// Takes in what has arrived of a gradient step; `None` of a part that is not its last one.
    fn receive(&mut self) -> Result<Option<Learnt>, LanguageError> {
        let Some(learning_rate) = self.under_way.pop_front() else {
            unreachable!("nothing arrives that was not handed over")
        };
        let Some(learning_rate) = learning_rate else { return Ok(None) };
        let (control, losses) = self.arrived.split_at(Control::WORDS);
        let gradient_norm = f64::from(Control::from_words(control).norm);
        let loss = mean(floats(losses));
        NotFinite::check(self.updates, [("the gradient", gradient_norm), ("the loss", loss)])?;
        self.updates += 1;
        Ok(Some(Learnt { loss, gradient_norm, learning_rate }))
    }
}
