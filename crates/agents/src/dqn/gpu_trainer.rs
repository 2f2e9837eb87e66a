//! DQN with its networks on the GPU. Environments, replay buffer and priorities stay on the host.
//!
//! A gradient step is one submission: action values of the next states, targets, gradient, optimizer step and
//! target-network update. The host uploads the rows of the minibatch and reads back the temporal-difference errors,
//! which become priorities. The replay buffer stays on the host: uploading a minibatch of 8,192 cubes (2 MB) takes
//! about 0.1 ms, less than sampling from a sum tree on the device would cost.
//!
//! The trainer performs the same operations as the learner on the CPU, in the same order and with the same random
//! numbers. The order matters, because each minibatch depends on the priorities of the previous gradient step. After
//! each iteration the learner's networks are updated from the device. The learner's counters and replay buffer are
//! always current; a state that is saved within an iteration contains the weights of the previous iteration's end.

use super::batch::{DqnMinibatch, GradientStepId, TARGETS};
use super::config::DqnConfig;
use super::learner::{Dqn, DqnWork};
use super::problem::DqnProblem;
use super::report::DqnReport;
use super::returns::NStepTransition;
use super::update::{DqnMeasurements, DqnUpdater, SampleKind, adam, polyak_rate, target_networks};
use crate::error::LearnerError;
use vivarium_gpu::{Buffer, Cost, Gpu, GpuError, GpuPlan, GpuProgram, GpuRecorder, Shader};
use vivarium_graph::Cpu;
use vivarium_learn::{Advance, AdvanceResult, GpuEvaluator, PrioritizedReplay, StepSettings};

/// Trainer of a [`Dqn`] learner whose networks are on the GPU; see the [module](self).
pub struct DqnGpuTrainer {
    gpu: Gpu,
    /// Networks on the device, with the programs for one kind of samples (demonstrations or transitions). `None` only
    /// while these programs are replaced by the programs for the other kind.
    resident: Option<ResidentNetworks>,
}

/// Networks on the device, with the programs of gradient steps on one kind of samples and of environment steps.
struct ResidentNetworks {
    gpu: Gpu,
    trainer: vivarium_learn::GpuTrainer,
    /// Kind of samples (demonstrations or transitions) for which the programs of gradient steps were compiled.
    samples: SampleKind,
    targets: Option<TargetPrograms>,
    acting: GpuEvaluator,
}

impl DqnGpuTrainer {
    /// Uploads the networks and the optimizer state of `learner`, and compiles the programs of its next gradient
    /// steps.
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] if the networks exceed a device limit or a kernel fails to compile.
    pub fn new<P: DqnProblem>(gpu: &Gpu, learner: &Dqn<P>) -> Result<Self, LearnerError> {
        Ok(Self { gpu: gpu.clone(), resident: Some(ResidentNetworks::new(gpu, learner)?) })
    }

    /// Advances `learner`, from which the trainer was created, by a step of every environment or by a gradient step.
    /// On native targets, blocks until the step is done; in a browser, never blocks.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] if training diverged, [`LearnerError::Gpu`] if the device was lost or is out of
    /// memory after pretraining, and errors of the environment.
    pub fn advance<P: DqnProblem>(&mut self, cpu: &Cpu, learner: &mut Dqn<P>) -> AdvanceResult<Dqn<P>> {
        let resident = match &mut self.resident {
            Some(resident) => resident,
            none => none.insert(ResidentNetworks::new(&self.gpu, learner)?),
        };
        let found = resident.advance(cpu, learner)?;
        if found.is_none() {
            // Frees memory before the programs of the other loss are created.
            self.resident = None;
            self.gpu.release_unused();
        }
        Ok(found.unwrap_or(Advance::Waiting))
    }

    /// Returns the cost of a gradient step: number of kernel dispatches, and number of bytes copied.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.resident.as_ref().map(ResidentNetworks::cost).unwrap_or_default()
    }
}

impl ResidentNetworks {
    /// Uploads the learner's networks, and creates the programs for the kind of samples of its next gradient step.
    fn new<P: DqnProblem>(gpu: &Gpu, learner: &Dqn<P>) -> Result<Self, LearnerError> {
        let samples = match learner.due_work() {
            DqnWork::Pretrain => SampleKind::Demonstrations,
            DqnWork::Act | DqnWork::Learn => SampleKind::Transitions,
        };
        let Dqn { config, updater, counters, envs, .. } = learner;
        Self::of(gpu, samples, config, updater, counters.updates, envs.levels.len())
    }

    /// Uploads the networks of `updater`, which has taken `updates` gradient steps. Creates the programs for gradient
    /// steps on `samples` (transitions or demonstrations), and for steps of `num_envs` environments.
    fn of(
        gpu: &Gpu,
        samples: SampleKind,
        config: &DqnConfig,
        updater: &DqnUpdater,
        updates: u64,
        num_envs: usize,
    ) -> Result<Self, LearnerError> {
        let DqnUpdater { online, target, trainer, .. } = updater;
        let (loss, rows) = (samples as usize, config.minibatch as usize);
        let follower = Some(target.weights());
        let trainer = vivarium_learn::GpuTrainer::new(gpu, online, trainer, loss, rows, updates, follower)?;
        let acting = GpuEvaluator::new(gpu, online.plan(0), trainer.parameters(), num_envs)?;
        let mut made = Self { gpu: gpu.clone(), trainer, samples, targets: None, acting };
        if samples == SampleKind::Transitions {
            made.make_targets(config, updater)?;
        }
        Ok(made)
    }

    /// Creates the program that computes the temporal-difference targets before each gradient step, and drops the
    /// previous program. The config determines which networks the program evaluates.
    fn make_targets(&mut self, config: &DqnConfig, updater: &DqnUpdater) -> Result<(), GpuError> {
        // Frees the memory of the previous programs.
        self.targets = None;
        self.trainer.set_input_program(None);
        let (plan, networks) = (updater.online.plan(0), target_networks(config));
        let targets = TargetPrograms::new(&self.gpu, plan, config.minibatch as usize, networks)?;
        let preparation = targets.record(&self.gpu, &self.trainer, updater.actions)?;
        self.trainer.set_input_program(Some(preparation));
        self.targets = Some(targets);
        Ok(())
    }

    /// Takes a step of every environment or a gradient step. Returns `None` if the next gradient step is on the other
    /// kind of samples (demonstrations or transitions), which needs other programs. Before it returns `None`, the
    /// function copies the networks from the device to the learner.
    fn advance<P: DqnProblem>(
        &mut self,
        cpu: &Cpu,
        learner: &mut Dqn<P>,
    ) -> Result<Option<Advance<DqnWork, DqnReport>>, LearnerError> {
        if learner.iteration_is_over() {
            if !self.hand_over(cpu, learner)? {
                return Ok(Some(Advance::Waiting));
            }
            return Ok(Some(Advance::Finished(learner.end_iteration())));
        }
        let work = learner.due_work();
        let samples = match work {
            DqnWork::Pretrain => Some(SampleKind::Demonstrations),
            DqnWork::Learn => Some(SampleKind::Transitions),
            DqnWork::Act => None,
        };
        if samples.is_some_and(|samples| samples != self.samples) {
            return Ok((!self.hand_over(cpu, learner)?).then_some(Advance::Waiting));
        }
        let is_done = match work {
            DqnWork::Act => self.act(cpu, learner)?,
            DqnWork::Pretrain | DqnWork::Learn => self.update(cpu, learner)?,
        };
        Ok(Some(if is_done { Advance::Unfinished(work) } else { Advance::Waiting }))
    }

    /// Takes a step of every environment if the device has computed the action values of the current states. Submits
    /// the computation of these values if necessary, and returns `false` while the device computes.
    fn act<P: DqnProblem>(&mut self, cpu: &Cpu, learner: &mut Dqn<P>) -> Result<bool, LearnerError> {
        if !self.acting.is_busy() {
            learner.encode_states(cpu);
            self.acting.submit(&[learner.envs.inputs.column(0)])?;
        }
        let Some(values) = self.acting.take()? else { return Ok(false) };
        learner.envs.values.copy_from_slice(values);
        learner.step(cpu.level())?;
        Ok(true)
    }

    /// Submits a gradient step, or completes the submitted gradient step: updates priorities, sums and counters.
    /// Returns `false` while the device computes.
    fn update<P: DqnProblem>(&mut self, cpu: &Cpu, learner: &mut Dqn<P>) -> Result<bool, LearnerError> {
        let samples = self.samples;
        if self.trainer.is_idle() {
            learner.draw(cpu, samples);
            self.submit(learner)?;
        }
        if !self.trainer.poll()? {
            return Ok(false);
        }
        let measured =
            DqnMeasurements::new(samples, self.trainer.gradient_norm(), |index| self.trainer.measured(index));
        let Dqn { config, updater, replay, sums, .. } = learner;
        measured.count(config, &updater.batch.picks, &mut replay.transitions, &mut sums.totals);
        learner.count_update(samples);
        Ok(true)
    }

    /// Submits a gradient step on the minibatch that the learner has drawn.
    fn submit<P: DqnProblem>(&mut self, learner: &Dqn<P>) -> Result<(), LearnerError> {
        let Dqn { config, updater, replay, .. } = learner;
        let are_current = |targets: &TargetPrograms| targets.networks == target_networks(config);
        if self.samples == SampleKind::Transitions && !self.targets.as_ref().is_some_and(are_current) {
            self.make_targets(config, updater)?;
        }
        if let Some(targets) = &mut self.targets {
            targets.set_rewards(config, &updater.batch.picks, &replay.transitions);
        }
        self.submit_batch(config, &updater.batch, learner.step_id(self.samples))
    }

    /// Submits a gradient step on `batch`. If the samples are transitions,
    /// [`set_rewards`](TargetPrograms::set_rewards) must have been called before.
    fn submit_batch(
        &mut self,
        config: &DqnConfig,
        batch: &DqnMinibatch,
        step_id: GradientStepId,
    ) -> Result<(), LearnerError> {
        let mut inputs = batch.inputs.rows(0..batch.picks.len());
        if let Some(targets) = &self.targets {
            targets.write(&self.gpu, batch.next.column(0));
            // The device computes the targets.
            inputs[TARGETS] = &[];
        }
        let settings = StepSettings {
            adam: adam(config, step_id),
            max_gradient_norm: config.max_gradient_norm,
            polyak_rate: polyak_rate(config, step_id),
        };
        Ok(self.trainer.submit(&inputs, &settings)?)
    }

    /// Copies the weights of the online and the target network, and the optimizer state, from the device to the
    /// learner. Returns whether the copy is finished.
    fn hand_over<P: DqnProblem>(&mut self, cpu: &Cpu, learner: &mut Dqn<P>) -> Result<bool, LearnerError> {
        self.trainer.request_readback()?;
        let DqnUpdater { online, target, trainer, .. } = &mut learner.updater;
        let follow = |weights: &[f32]| target.write(weights);
        Ok(self.trainer.take_readback(cpu, online, trainer, follow)?.is_some())
    }

    fn cost(&self) -> Cost {
        let next = self.targets.as_ref().map_or(0, TargetPrograms::bytes);
        self.trainer.cost() + Cost { dispatches: 0, bytes_copied: next }
    }
}

/// Buffers and forward passes with which the device computes the temporal-difference targets of a minibatch.
struct TargetPrograms {
    /// Network that selects the next action, and network that evaluates that action: 0 is the online network, 1 the
    /// target network.
    networks: [usize; 2],
    /// Forward pass on the next states by the network that selects the next action.
    choosing: GpuPlan,
    /// Forward pass on the next states by the network that evaluates the next action; `None` if the same network
    /// selects the action.
    valuing: Option<GpuPlan>,
    /// Device buffer `[rows, 2]`: n-step reward of each transition, and discount of the next state's value. The
    /// discount is γᵏ for a return of k steps, or 0 if the next state is terminal.
    transitions: Buffer,
    /// Host copy of the buffer `transitions`, `[rows, 2]`: n-step reward, and discount of the next state's value.
    rewards_and_discounts: Vec<f32>,
}

impl TargetPrograms {
    fn new(
        gpu: &Gpu,
        plan: &vivarium_graph::Plan,
        rows: usize,
        networks: [usize; 2],
    ) -> Result<Self, GpuError> {
        let [choosing, valuing] = networks;
        Ok(Self {
            networks,
            choosing: GpuPlan::new(gpu, plan, rows)?,
            valuing: if valuing == choosing { None } else { Some(GpuPlan::new(gpu, plan, rows)?) },
            transitions: gpu.zeros("rewards of transitions", 2 * rows)?,
            rewards_and_discounts: vec![0.0; 2 * rows],
        })
    }

    /// Records the kernels that compute the temporal-difference targets and write them to the input `target` of the
    /// loss.
    fn record(
        &self,
        gpu: &Gpu,
        trainer: &vivarium_learn::GpuTrainer,
        actions: usize,
    ) -> Result<GpuProgram, GpuError> {
        let Self { choosing, transitions, .. } = self;
        let [weights, of_valuing] = self.networks.map(|index| match trainer.follower() {
            Some(follower) if index == 1 => follower,
            _ => trainer.parameters(),
        });
        let mut recorder = GpuRecorder::new(gpu);
        if let Some(valuing) = &self.valuing {
            let [from, to] = [choosing, valuing].map(|network| (network.arena(), network.input(0)));
            recorder.copy(from.0, from.1.start, to.0, to.1.start, to.1.len());
            valuing.record(&mut recorder, of_valuing, None)?;
        }
        choosing.record(&mut recorder, weights, None)?;
        let valuing = self.valuing.as_ref().unwrap_or(choosing);
        let (loss, targets) = trainer.input(TARGETS);
        Shader::new("targets", &[vivarium_gpu::shader!("targets.wgsl")])
            .buffers([
                ("choosing_values", choosing.arena()),
                ("valuing_values", valuing.arena()),
                ("transitions", transitions),
                ("loss", loss),
            ])
            .uniforms([
                ("actions", actions),
                ("choosing", choosing.output(0).start),
                ("valuing", valuing.output(0).start),
                ("targets", targets.start),
            ])
            .record_each(&mut recorder, targets.len())?;
        recorder.finish()
    }

    /// Writes the n-step reward, and the discount of the next state's value, of each transition of the minibatch to
    /// `rewards_and_discounts`. `picks` holds the indices of the transitions in the replay buffer.
    fn set_rewards(
        &mut self,
        config: &DqnConfig,
        picks: &[u32],
        replay: &PrioritizedReplay<NStepTransition>,
    ) {
        for (rewards_and_discounts, &pick) in self.rewards_and_discounts.chunks_exact_mut(2).zip(picks) {
            let transition = &replay.samples()[pick as usize];
            rewards_and_discounts.copy_from_slice(&[transition.reward, transition.factor(config.discount)]);
        }
    }

    /// Uploads `rewards_and_discounts`, and `next`, the next states encoded as network inputs.
    fn write(&self, gpu: &Gpu, next: &[f32]) {
        let input = self.choosing.input(0);
        gpu.write(self.choosing.arena(), input.start, &next[..input.len()]);
        gpu.write(&self.transitions, 0, &self.rewards_and_discounts);
    }

    /// Returns the number of bytes that are uploaded, or copied on the device, per gradient step to compute the
    /// temporal-difference targets.
    fn bytes(&self) -> u64 {
        let copies = 1 + usize::from(self.valuing.is_some());
        4 * (copies * self.choosing.input(0).len() + self.rewards_and_discounts.len()) as u64
    }
}
