//! Training on the GPU: the world, the replay and its priorities stay with the learner on the host, all networks are on the
//! device.
//!
//! A gradient step is one submission: the values of the next states by the online and the target network, or by the one of
//! them that the config uses, the targets, the gradient, the optimizer's step, and the target network that follows. What goes
//! there are the rows of the minibatch, what comes back are the errors, which become priorities. A state of these problems is a
//! few numbers, so that a minibatch of 8,192 cubes is 2 MB, a tenth of a millisecond on the bus: a replay on the device would
//! save less than drawing from a tree of sums costs there.
//!
//! Everything happens in the order in which it happens on the CPU, with the same numbers: what is drawn depends on the
//! priorities of the step before. After each iteration the learner's own networks become those of the device. Counters and
//! replay are the learner's own at any time, so that a state that is saved between two iterations has the weights of the last
//! one.

use super::batch::{Minibatch, TARGETS, Turn};
use super::config::DqnConfig;
use super::learner::{Dqn, Work};
use super::problem::Problem;
use super::report::Report;
use super::returns::Transition;
use super::update::{Measured, Samples, Updater, adam, follow_share, target_networks};
use crate::error::LearnerError;
use vivarium_gpu::{Buffer, Cost, Gpu, GpuError, Network, Program, Recorder};
use vivarium_graph::Cpu;
use vivarium_learn::{GpuEvaluator, PrioritizedReplay, StepSettings};

/// The networks of a learner on the device; see the [module](self).
pub struct GpuTrainer {
    gpu: Gpu,
    /// None from where the program of one loss is given up until that of the other one is there.
    resident: Option<Resident>,
}

/// What there is on the device to learn from samples of one kind.
struct Resident {
    gpu: Gpu,
    trainer: vivarium_learn::GpuTrainer,
    /// What its gradient steps are on.
    samples: Samples,
    targets: Option<Targets>,
    acting: GpuEvaluator,
}

/// What an [`advance`](GpuTrainer::advance) found.
#[derive(Clone, Debug, PartialEq)]
pub enum Advance {
    /// The device is at work, and there is nothing to do but to wait.
    Waiting,
    /// Some work is done.
    Done(Work),
    /// An iteration is finished, and the learner's networks are those of the device.
    Finished(Box<Report>),
}

impl GpuTrainer {
    /// The networks of a learner as they are now, moved to the device.
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] where they do not fit there, or a kernel is refused.
    pub fn new<P: Problem>(gpu: &Gpu, learner: &Dqn<P>) -> Result<Self, LearnerError> {
        Ok(Self { gpu: gpu.clone(), resident: Some(Resident::new(gpu, learner)?) })
    }

    /// Does a slice of work with the learner that this was made of. Natively it waits for the device; in a browser it never
    /// waits.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] where training diverged, [`LearnerError::Gpu`] where the device was lost or has no room for
    /// what comes after the demonstrations, and what the world refuses.
    pub fn advance<P: Problem>(&mut self, cpu: &Cpu, learner: &mut Dqn<P>) -> Result<Advance, LearnerError> {
        let resident = match &mut self.resident {
            Some(resident) => resident,
            none => none.insert(Resident::new(&self.gpu, learner)?),
        };
        let found = resident.advance(cpu, learner)?;
        if found.is_none() {
            // What it had there makes room for what the other loss needs.
            self.resident = None;
            self.gpu.give_back();
        }
        Ok(found.unwrap_or(Advance::Waiting))
    }

    /// What a gradient step asks of the device: kernels started, and bytes that are copied to it and back.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.resident.as_ref().map(Resident::cost).unwrap_or_default()
    }
}

impl Resident {
    /// For what the learner does next.
    fn new<P: Problem>(gpu: &Gpu, learner: &Dqn<P>) -> Result<Self, LearnerError> {
        let samples = match learner.next_work() {
            Work::Pretrain => Samples::Demonstrations,
            Work::Act | Work::Learn => Samples::Transitions,
        };
        let Dqn { config, updater, counters, lanes, .. } = learner;
        Self::of(gpu, samples, config, updater, counters.updates, lanes.states.len())
    }

    /// The networks of an updater after so many gradient steps, to learn from these samples and to act in so many lanes.
    fn of(
        gpu: &Gpu,
        samples: Samples,
        config: &DqnConfig,
        updater: &Updater,
        updates: u64,
        lanes: usize,
    ) -> Result<Self, LearnerError> {
        let Updater { online, target, trainer, .. } = updater;
        let (loss, rows) = (samples as usize, config.minibatch as usize);
        let follower = Some(target.weights());
        let trainer = vivarium_learn::GpuTrainer::new(gpu, online, trainer, loss, rows, updates, follower)?;
        let acting = GpuEvaluator::new(gpu, online.plan(0), trainer.parameters(), lanes)?;
        let mut made = Self { gpu: gpu.clone(), trainer, samples, targets: None, acting };
        if samples == Samples::Transitions {
            made.make_targets(config, updater)?;
        }
        Ok(made)
    }

    /// Has gradient steps begin with the targets that the config wants.
    fn make_targets(&mut self, config: &DqnConfig, updater: &Updater) -> Result<(), GpuError> {
        // Those that were there make room for them.
        self.targets = None;
        self.trainer.prepare_with(None);
        let (plan, networks) = (updater.online.plan(0), target_networks(config));
        let targets = Targets::new(&self.gpu, plan, config.minibatch as usize, networks)?;
        let preparation = targets.record(&self.gpu, &self.trainer, updater.actions)?;
        self.trainer.prepare_with(Some(preparation));
        self.targets = Some(targets);
        Ok(())
    }

    /// Does a slice of work; none where the learner's networks are now those of the device and another loss comes next.
    fn advance<P: Problem>(
        &mut self,
        cpu: &Cpu,
        learner: &mut Dqn<P>,
    ) -> Result<Option<Advance>, LearnerError> {
        if learner.iteration_is_over() {
            if !self.hand_over(cpu, learner)? {
                return Ok(Some(Advance::Waiting));
            }
            return Ok(Some(Advance::Finished(Box::new(learner.end_iteration()))));
        }
        let work = learner.next_work();
        let samples = match work {
            Work::Pretrain => Some(Samples::Demonstrations),
            Work::Learn => Some(Samples::Transitions),
            Work::Act => None,
        };
        if samples.is_some_and(|samples| samples != self.samples) {
            return Ok((!self.hand_over(cpu, learner)?).then_some(Advance::Waiting));
        }
        let is_done = match work {
            Work::Act => self.act(cpu, learner)?,
            Work::Pretrain | Work::Learn => self.update(cpu, learner)?,
        };
        Ok(Some(if is_done { Advance::Done(work) } else { Advance::Waiting }))
    }

    /// A step of every lane; returns whether it is done.
    fn act<P: Problem>(&mut self, cpu: &Cpu, learner: &mut Dqn<P>) -> Result<bool, LearnerError> {
        if !self.acting.is_busy() {
            learner.encode_lanes(cpu);
            self.acting.submit(&[learner.lanes.inputs.column(0)])?;
        }
        let Some(values) = self.acting.take()? else { return Ok(false) };
        learner.lanes.values.copy_from_slice(values);
        learner.step(cpu.level())?;
        Ok(true)
    }

    /// A gradient step; returns whether it is done.
    fn update<P: Problem>(&mut self, cpu: &Cpu, learner: &mut Dqn<P>) -> Result<bool, LearnerError> {
        let samples = self.samples;
        if self.trainer.is_idle() {
            learner.draw(cpu, samples);
            self.submit(learner)?;
        }
        if !self.trainer.advance()? {
            return Ok(false);
        }
        let measured =
            Measured::new(samples, self.trainer.gradient_norm(), |index| self.trainer.measured(index));
        let Dqn { config, updater, replay, sums, .. } = learner;
        measured.count(config, &updater.batch.picks, replay, &mut sums.totals);
        learner.count_update(samples);
        Ok(true)
    }

    /// Submits a gradient step on the learner's minibatch.
    fn submit<P: Problem>(&mut self, learner: &Dqn<P>) -> Result<(), LearnerError> {
        let Dqn { config, updater, replay, .. } = learner;
        let are_wanted = |targets: &Targets| targets.networks == target_networks(config);
        if self.samples == Samples::Transitions && !self.targets.as_ref().is_some_and(are_wanted) {
            self.make_targets(config, updater)?;
        }
        if let Some(targets) = &mut self.targets {
            targets.earn(config, &updater.batch.picks, replay);
        }
        self.submit_batch(config, &updater.batch, learner.turn(self.samples))
    }

    /// Submits a gradient step on a minibatch, of whose transitions is known what they earned.
    fn submit_batch(
        &mut self,
        config: &DqnConfig,
        batch: &Minibatch,
        turn: Turn,
    ) -> Result<(), LearnerError> {
        let mut inputs = batch.inputs.rows(0..batch.picks.len());
        if let Some(targets) = &self.targets {
            targets.write(&self.gpu, batch.next.column(0));
            // The device computes them.
            inputs[TARGETS] = &[];
        }
        let settings = StepSettings {
            adam: adam(config, turn),
            max_gradient_norm: config.max_gradient_norm,
            follow_share: follow_share(config, turn),
        };
        Ok(self.trainer.submit(&inputs, &settings)?)
    }

    /// Makes the learner's networks what those on the device are; returns whether they have come back.
    fn hand_over<P: Problem>(&mut self, cpu: &Cpu, learner: &mut Dqn<P>) -> Result<bool, LearnerError> {
        self.trainer.keep()?;
        let Updater { online, target, trainer, .. } = &mut learner.updater;
        let follow = |weights: &[f32]| target.write(weights);
        Ok(self.trainer.hand_over(cpu, online, trainer, follow)?.is_some())
    }

    fn cost(&self) -> Cost {
        let next = self.targets.as_ref().map_or(0, Targets::bytes);
        self.trainer.cost() + Cost { dispatches: 0, bytes_copied: next }
    }
}

/// The targets of a minibatch, computed on the device.
struct Targets {
    /// Which network chooses the next action, and which one values it: 0 the online one, 1 the target one.
    networks: [usize; 2],
    /// The values of the next states, by the network that chooses, and by that which values where it is another one.
    choosing: Network,
    valuing: Option<Network>,
    /// Of each transition the reward and γᵏ.
    transitions: Buffer,
    /// Room to write them.
    earned: Vec<f32>,
}

impl Targets {
    fn new(
        gpu: &Gpu,
        plan: &vivarium_graph::Plan,
        rows: usize,
        networks: [usize; 2],
    ) -> Result<Self, GpuError> {
        let [choosing, valuing] = networks;
        Ok(Self {
            networks,
            choosing: Network::new(gpu, plan, rows)?,
            valuing: if valuing == choosing { None } else { Some(Network::new(gpu, plan, rows)?) },
            transitions: gpu.zeros("rewards of transitions", 2 * rows)?,
            earned: vec![0.0; 2 * rows],
        })
    }

    /// What computes the targets as an input of the loss.
    fn record(
        &self,
        gpu: &Gpu,
        trainer: &vivarium_learn::GpuTrainer,
        actions: usize,
    ) -> Result<Program, GpuError> {
        let Self { choosing, transitions, .. } = self;
        let [weights, of_valuing] = self.networks.map(|index| match trainer.follower() {
            Some(follower) if index == 1 => follower,
            _ => trainer.parameters(),
        });
        let mut recorder = Recorder::new(gpu);
        if let Some(valuing) = &self.valuing {
            let [from, to] = [choosing, valuing].map(|network| (network.arena(), network.input(0)));
            recorder.copy(from.0, from.1.start, to.0, to.1.start, to.1.len());
            valuing.record(&mut recorder, of_valuing, None)?;
        }
        choosing.record(&mut recorder, weights, None)?;
        let valuing = self.valuing.as_ref().unwrap_or(choosing);
        let (loss, targets) = trainer.input(TARGETS);
        let buffers = [choosing.arena(), valuing.arena(), transitions, loss];
        let words = [
            ("actions", actions),
            ("choosing", choosing.output(0).start),
            ("valuing", valuing.output(0).start),
            ("targets", targets.start),
        ];
        recorder.for_each(
            "targets",
            &[vivarium_gpu::shader!("targets.wgsl")],
            &buffers,
            &words,
            targets.len(),
        )?;
        recorder.finish()
    }

    /// Takes note of what the transitions of a minibatch earned.
    fn earn<S>(&mut self, config: &DqnConfig, picks: &[u32], replay: &PrioritizedReplay<Transition<S>>) {
        for (earned, &pick) in self.earned.chunks_exact_mut(2).zip(picks) {
            let transition = &replay.samples()[pick as usize];
            earned.copy_from_slice(&[transition.reward, transition.factor(config.discount)]);
        }
    }

    /// Writes that, and the next states of the minibatch, encoded.
    fn write(&self, gpu: &Gpu, next: &[f32]) {
        let input = self.choosing.input(0);
        gpu.write(self.choosing.arena(), input.start, &next[..input.len()]);
        gpu.write(&self.transitions, 0, &self.earned);
    }

    /// Bytes that are written for a gradient step, and copied on the device.
    fn bytes(&self) -> u64 {
        let copies = 1 + usize::from(self.valuing.is_some());
        4 * (copies * self.choosing.input(0).len() + self.earned.len()) as u64
    }
}
