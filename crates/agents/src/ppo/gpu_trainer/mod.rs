//! PPO on the GPU: environments, rollout, GAE, network and optimizer stay on the device.
//!
//! An iteration is one submission. Two iterations may be in flight: while the host reads the results of an iteration,
//! the device computes the next iteration. After each iteration, its report and the learner's state are read back
//! through a ring of staging buffers. The learner on the CPU adopts that state for previews, evaluations and
//! checkpoints. A lost device therefore costs only the iterations in flight, and a run can switch between CPU and GPU
//! after any iteration.
//!
//! If the hidden layers are narrow, a fused kernel (`roll.wgsl`) takes up to 64 environment steps, network and dynamics
//! included, with 16 environments per workgroup. Otherwise every environment step runs the network's kernels and a
//! kernel that samples actions and steps the environments. The device keeps the counters of environment steps and
//! gradient steps; each program is therefore recorded once and encoded repeatedly.
//!
//! The trainer uses the random numbers of [`Ppo`] and the same arithmetic, but in another order and in `f32` only. Sums
//! over samples agree with the CPU to a relative error of 1e-6, environment steps to 2e-5. A run matches the CPU run
//! closely at first and differs later, because rounding differences grow. The device stores the variances of
//! observations and returns instead of growing sums of squares; the host stores the counts in `f64`.

mod exchange;
mod layout;
mod programs;
mod roll;

use std::collections::VecDeque;

use super::config::PpoConfig;
use super::learner::Ppo;
use super::network::Scheduled;
use super::report::PpoReport;
use super::state::PpoState;
use crate::error::LearnerError;
use exchange::{IterationStart, PpoReadback, SubmittedIteration};
use layout::{PpoLayout, progress};
use programs::{PpoBuffers, PpoPrograms};
use vivarium_config::Config;
use vivarium_envs::Environment;
use vivarium_gpu::{Cost, Gpu, ReadbackRing};
use vivarium_kernels::adam::AdamStep;
use vivarium_learn::{Advance, AdvanceResult};

/// Maximum number of iterations that are submitted and not yet read back.
const AHEAD: usize = 2;

/// Trainer that runs PPO on the GPU, starting from the state of a [`Ppo`] learner; see the [module](self).
pub struct PpoGpuTrainer {
    gpu: Gpu,
    config: PpoConfig,
    /// Name of the environment. [`set_environment`](Self::set_environment) accepts only an environment of this name.
    kind: &'static str,
    /// Constants of the environment's dynamics, derived from its physical parameters.
    constants: Vec<f32>,
    seed: u64,
    layout: PpoLayout,
    memory: PpoBuffers,
    programs: PpoPrograms,
    ring: ReadbackRing,
    in_flight: VecDeque<SubmittedIteration>,
    /// Counters of the run at the start of the iteration that is submitted next.
    next: IterationStart,
    /// State of the learner after the last iteration that was read back.
    state: PpoState,
    /// Error that ended training. Every later call returns this error.
    failed: Option<LearnerError>,
    settings: Vec<u32>,
    arrived: Vec<u32>,
}

impl PpoGpuTrainer {
    /// Uploads the state that `ppo` had at the start of its current iteration, and compiles the GPU programs.
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] if the state exceeds a device limit or a kernel fails to compile.
    pub fn new(gpu: &Gpu, ppo: &Ppo) -> Result<Self, LearnerError> {
        let (config, environment, state) = (ppo.config.clone(), ppo.environment.clone(), ppo.state().clone());
        let layout = PpoLayout::new(&config, environment.spec(), state.weights.len());
        let memory = PpoBuffers::new(gpu, &layout)?;
        memory.optimizer.set_decays(gpu, ppo.policy.network.specs());
        gpu.write(&memory.parameters, 0, &state.weights);
        gpu.write(&memory.optimizer.first_moment, 0, &state.first_moment);
        gpu.write(&memory.optimizer.second_moment, 0, &state.second_moment);
        memory.optimizer.set_steps(gpu, state.counters.updates as u32);
        gpu.write(&memory.envs, 0, &exchange::env_words(&layout, &state));
        gpu.write(&memory.progress, progress::MOMENTS, &exchange::moment_words(&state));
        Ok(Self {
            programs: PpoPrograms::new(gpu, &config, environment.spec(), &ppo.policy, &layout, &memory)?,
            ring: ReadbackRing::new(gpu, PpoReadback::len(&layout), AHEAD)?,
            gpu: gpu.clone(),
            seed: ppo.seed,
            in_flight: VecDeque::with_capacity(AHEAD),
            next: IterationStart::of(&state),
            failed: None,
            settings: Vec::with_capacity(layout.settings()),
            arrived: Vec::with_capacity(PpoReadback::len(&layout)),
            kind: environment.spec().name,
            constants: environment.constants()?,
            config,
            layout,
            memory,
            state,
        })
    }

    /// Submits iterations until the maximum number is in flight, and reads back the oldest iteration if it is finished.
    /// On native targets, blocks until the oldest iteration is finished; in a browser, never blocks.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] if training diverged, [`LearnerError::Gpu`] if the device was lost.
    /// [`state`](Self::state) then remains the state of the last successful iteration, and every further call returns
    /// the same error.
    pub fn advance(&mut self) -> AdvanceResult<Ppo> {
        self.attempt(Self::poll)
    }

    /// Submits iterations until the maximum number is in flight, without reading back results.
    ///
    /// # Errors
    /// The errors of [`advance`](Self::advance).
    pub fn keep_busy(&mut self) -> Result<(), LearnerError> {
        self.attempt(|trainer| {
            while trainer.can_submit() {
                trainer.submit()?;
            }
            Ok(())
        })
    }

    /// Submits iterations until the maximum number is in flight, and waits asynchronously until the oldest iteration
    /// is finished. Returns the report of that iteration.
    ///
    /// # Errors
    /// The errors of [`advance`](Self::advance).
    pub async fn next(&mut self) -> Result<PpoReport, LearnerError> {
        self.keep_busy()?;
        let taken = self.ring.next(&mut self.arrived).await;
        self.attempt(|trainer| {
            taken?;
            trainer.receive()
        })
    }

    /// Returns the state of the learner after the last iteration that was read back. Before the first readback,
    /// returns the uploaded state.
    pub fn state(&self) -> &PpoState {
        &self.state
    }

    /// Returns the config that the next submitted iteration will use.
    pub fn config(&self) -> &PpoConfig {
        &self.config
    }

    /// Replaces the config from the next submitted iteration on. Only live fields, which may change during a run, may
    /// differ.
    ///
    /// # Errors
    /// [`LearnerError::Config`] if a field is out of range, or differs and is not live; the trainer is unchanged
    /// then.
    pub fn set_config(&mut self, config: PpoConfig) -> Result<(), LearnerError> {
        config.check()?;
        Ok(self.config.change(config)?)
    }

    /// Replaces the environment's physical parameters by the parameters of `environment`, from the next submitted
    /// iteration on.
    ///
    /// # Errors
    /// [`LearnerError::World`] if a parameter is out of range or `environment` has another name than the trainer's
    /// environment; the trainer is unchanged then.
    pub fn set_environment(&mut self, environment: &Environment) -> Result<(), LearnerError> {
        environment.check_kind(self.kind)?;
        self.constants = environment.constants()?;
        Ok(())
    }

    /// Returns the cost of an iteration: number of kernel dispatches, and number of bytes copied.
    pub fn cost(&self) -> Cost {
        let back = PpoReadback::len(&self.layout) as u64 * 4;
        self.programs.cost() + Cost { dispatches: 0, bytes_copied: back }
    }

    /// Calls `work`, and stores its error if it fails. If an earlier call failed, returns the stored error and does
    /// not call `work`.
    fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, LearnerError>,
    ) -> Result<T, LearnerError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        work(self).inspect_err(|error| self.failed = Some(error.clone()))
    }

    fn poll(&mut self) -> AdvanceResult<Ppo> {
        self.keep_busy()?;
        if self.ring.poll(&mut self.arrived)? {
            self.receive().map(Advance::Finished)
        } else {
            Ok(Advance::Waiting)
        }
    }

    /// Returns whether another iteration may be submitted before the oldest iteration is read back.
    fn can_submit(&self) -> bool {
        match self.in_flight.back() {
            // If an iteration may stop early, the start of the next iteration depends on the readback.
            Some(last) => !last.may_end_early && self.in_flight.len() < self.gpu.max_in_flight(AHEAD),
            None => true,
        }
    }

    /// Writes the settings of the next iteration to the device, and submits the iteration.
    fn submit(&mut self) -> Result<(), LearnerError> {
        let Self { gpu, config, constants, seed, layout, memory, programs, ring, next, settings, .. } = self;
        exchange::settings(settings, layout, config, constants, *seed, next);
        gpu.write(&memory.settings, 0, settings);
        let scheduled = Scheduled::at(config, next.counters.steps + config.batch() as u64);
        let learning_rate = scheduled.learning_rate;
        let adam = AdamStep {
            learning_rate,
            epsilon: config.adam_epsilon,
            weight_decay: config.weight_decay,
            ..AdamStep::default()
        };
        memory.optimizer.set(gpu, &adam, config.max_gradient_norm);
        programs.write_settings(gpu, scheduled.loss);
        gpu.submit(|encoder| {
            programs.encode(encoder);
            ring.copy(
                encoder,
                [
                    (&memory.progress, 0..layout.progress()),
                    (&memory.parameters, 0..layout.parameters),
                    (&memory.optimizer.first_moment, 0..layout.parameters),
                    (&memory.optimizer.second_moment, 0..layout.parameters),
                    (&memory.envs, 0..layout.lasting_rows() * layout.num_envs),
                ],
            );
        })?;
        ring.submitted();
        let start = *next;
        *next = start.next(config, layout.updates as u64);
        let may_end_early = config.target_kl > 0.0;
        self.in_flight.push_back(SubmittedIteration { start, next: *next, learning_rate, may_end_early });
        Ok(())
    }

    /// Completes the oldest submitted iteration, whose results are in `arrived`: checks the results for divergence,
    /// updates `state`, and returns the report.
    fn receive(&mut self) -> Result<PpoReport, LearnerError> {
        let Some(SubmittedIteration { start, next, learning_rate, .. }) = self.in_flight.pop_front() else {
            unreachable!("a readback without a submission")
        };
        let arrived = PpoReadback::new(&self.layout, &self.arrived);
        arrived.check(start.counters.updates)?;
        let early = self.layout.updates as u64 - arrived.updates();
        if early > 0 {
            // The update stopped early. No other iteration is in flight, since `can_submit` prevents it.
            self.next.counters.updates -= early;
        }
        arrived.state(&mut self.state, &next);
        Ok(arrived.report(self.state.counters, learning_rate))
    }
}
